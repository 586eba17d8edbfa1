//! How long does a save take: until it is safe on the disk, and until a search finds it?

mod workbench;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kioku::{journal::NewEntry, search::Legs};
use workbench::{Journal, ask, sizes};

fn save(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("save");
    group.sample_size(20);
    for size in sizes() {
        let journal = Journal::new(size);
        let mut session = journal.indexed();
        let mut number = 0;
        let mut new_entry = || {
            number += 1;
            NewEntry { body: format!("Saved as number n{number}, by the river."), ..NewEntry::default() }
        };
        group.bench_function(BenchmarkId::new("until_durable", size), |bencher| {
            bencher.iter(|| session.vault().append(new_entry()).expect("the disk takes it"));
        });
        group.bench_function(BenchmarkId::new("until_found", size), |bencher| {
            bencher.iter(|| {
                let saved = session.vault().append(new_entry()).expect("the disk takes it");
                let word = saved.body.split([' ', ',']).nth(3).unwrap_or_default().to_owned();
                session.sync(false, &mut |_| true).expect("the journal can be indexed");
                let found = session.search(&ask(&word, Legs::ALL)).expect("any text is a query");
                assert_eq!(found.hits.first().map(|hit| &hit.id), Some(&saved.id), "{word}");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, save);
criterion_main!(benches);
