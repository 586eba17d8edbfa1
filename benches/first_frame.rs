//! How long until something is on the screen after the start, until all of it is, and until a key is painted?

mod workbench;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kioku::{
    session::{SessionOptions, SessionWorkers},
    tui::{
        harness::{Harness, HarnessSetup},
        panes::PANES,
    },
};
use workbench::{Journal, now, sizes};

fn screen(session: SessionWorkers) -> Harness {
    Harness::new(HarnessSetup { session: Some(session), now: now(), size: (120, 40), ..HarnessSetup::new(PANES) })
}

/// Until the session has opened the index and looked through the vault, and the journal pane shows what it said.
fn whole(options: &SessionOptions, size: usize) -> Harness {
    let counted = format!("{},000 entries · ready", size / 1000);
    let mut screen = screen(SessionWorkers::start(options.clone()));
    while !screen.screen().contains(&counted) {
        std::thread::yield_now();
        screen.settle();
    }
    screen
}

fn first_frame(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first_frame");
    group.sample_size(20);
    for size in sizes() {
        let journal = Journal::new(size);
        drop(journal.indexed());
        group.bench_function(BenchmarkId::new("first_frame", size), |bencher| {
            bencher.iter_with_large_drop(|| screen(SessionWorkers::start(journal.options.clone())));
        });
        group.bench_function(BenchmarkId::new("whole_screen", size), |bencher| {
            bencher.iter_with_large_drop(|| whole(&journal.options, size));
        });
        let mut there = whole(&journal.options, size);
        let mut keys = ["down", "up"].into_iter().cycle();
        group.bench_function(BenchmarkId::new("key_to_paint", size), |bencher| {
            bencher.iter(|| {
                there.key(keys.next().unwrap_or("down"));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, first_frame);
criterion_main!(benches);
