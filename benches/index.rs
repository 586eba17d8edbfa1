//! How long until a journal can be searched: one never seen, one unchanged since, one with a single new entry?

mod workbench;

use std::io::Write;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use workbench::{Journal, sizes, sync};

fn index(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("index");
    group.sample_size(10);
    for size in sizes() {
        let journal = Journal::new(size);
        group.bench_function(BenchmarkId::new("never_seen", size), |bencher| {
            bencher.iter_batched(|| journal.forget_index(), |()| journal.indexed(), BatchSize::PerIteration);
        });
        // Dropped at once: the index has one writer.
        drop(journal.indexed());
        group.bench_function(BenchmarkId::new("unchanged", size), |bencher| bencher.iter(|| journal.indexed()));

        let mut session = journal.indexed();
        let day = journal.folder.path().join("memory").join("2026-09-01.md");
        let mut minute = 0;
        group.bench_function(BenchmarkId::new("one_new_entry", size), |bencher| {
            bencher.iter_batched(
                || {
                    minute += 1;
                    let mut file =
                        std::fs::OpenOptions::new().create(true).append(true).open(&day).expect("a day file");
                    let time = format!(
                        "2026-09-01T{:02}:{:02}:{:02}+07:00",
                        minute / 3600 % 24,
                        minute / 60 % 60,
                        minute % 60
                    );
                    write!(file, "\n---\ntime: \"{time}\"\n---\nEntry {minute} of another program.\n")
                        .expect("space on the disk");
                },
                |()| sync(&mut session),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, index);
criterion_main!(benches);
