//! How long from a key to the frame that shows it, and how long a frame alone, in each pane of a journal of that many entries?
//!
//! What a key asks of the session is answered beside, as in the program: the frame does not wait for it.

mod workbench;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kioku::{
    index::vector::Ann,
    session::{SessionOptions, SessionWorkers},
    tui::{
        harness::{Harness, HarnessSetup},
        panes::PANES,
    },
};
use workbench::{Journal, now, sizes};

/// A pane, the keys that bring it to where it is measured, and two keys that go there and back.
const PANES_AT_WORK: [(&str, &str, [&str; 2]); 9] = [
    ("journal", "<alt-1>", ["down", "up"]),
    ("entities", "<alt-3>", ["down", "up"]),
    ("why", "<alt-4> stressed <enter>", ["down", "up"]),
    ("reflect", "<alt-5>", ["down", "up"]),
    ("reflect_turning", "", ["[", "]"]),
    ("stats", "<alt-6>", ["left", "right"]),
    ("search_list", "/ lake <esc>", ["down", "up"]),
    ("search_text", "<tab>", [".", ","]),
    TYPING,
];
/// With one, two and three columns; the last one is also where the keys are pressed.
const TERMINALS: [(u16, u16); 3] = [(80, 24), (120, 40), (160, 48)];
/// Here the answer has a measure of its own.
const TYPING: (&str, &str, [&str; 2]) = ("search_typing", "/ lake", ["s", "backspace"]);

/// Vectors are compared one by one: the graph over them takes minutes to build, beside whatever is measured.
fn screen(journal: &Journal) -> Harness {
    let session = Some(SessionWorkers::start(SessionOptions { ann: Ann::Off, ..journal.options.clone() }));
    let mut screen = Harness::new(HarnessSetup { session, now: now(), size: TERMINALS[2], ..HarnessSetup::new(PANES) });
    rest(&mut screen);
    screen
}

/// Until the session has nothing more to say.
fn rest(screen: &mut Harness) {
    let is_busy = |screen: &Harness| {
        screen.session().is_some_and(|session| {
            let view = session.view();
            session.in_flight() || view.snapshot.is_none() || view.progress.is_some()
        })
    };
    while is_busy(screen) {
        std::thread::yield_now();
        screen.settle();
    }
    screen.settle();
}

fn render(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("render");
    group.sample_size(20);
    for size in sizes() {
        let journal = Journal::new(size);
        drop(journal.indexed());
        let mut screen = screen(&journal);
        for (pane, there, keys) in PANES_AT_WORK {
            screen.keys(there);
            rest(&mut screen);
            let mut keys = keys.into_iter().cycle();
            group.bench_function(BenchmarkId::new(format!("{pane}_key_to_frame"), size), |bencher| {
                bencher.iter(|| {
                    screen.key(keys.next().unwrap_or("down"));
                });
            });
            rest(&mut screen);
            if pane == TYPING.0 {
                group.bench_function(BenchmarkId::new("search_typing_key_to_answer", size), |bencher| {
                    bencher.iter(|| {
                        screen.key(keys.next().unwrap_or("down"));
                        rest(&mut screen);
                    });
                });
            }
            for (width, height) in TERMINALS {
                screen.resize(width, height);
                rest(&mut screen);
                group.bench_function(BenchmarkId::new(format!("{pane}_frame_{width}x{height}"), size), |bencher| {
                    bencher.iter(|| screen.draw());
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, render);
criterion_main!(benches);
