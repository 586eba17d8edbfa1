//! How long does one question take, by words alone and by all legs?

mod workbench;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use kioku::search::{LegId, Legs};
use workbench::{Journal, ask, corpus, sizes};

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    for size in sizes() {
        let journal = Journal::new(size);
        let mut session = journal.indexed();
        let snapshot = session.snapshot().expect("an indexed journal has a view");
        let words = Legs::only(LegId::Keyword);
        for (name, legs) in [("words", words), ("all_legs", Legs::ALL)] {
            let asks: Vec<_> = corpus::queries(corpus::SEED, 60).iter().map(|text| ask(text, legs)).collect();
            let mut next = (0..asks.len()).cycle();
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| {
                    let ask = &asks[next.next().unwrap_or_default()];
                    session.search_in(&snapshot, ask).expect("any text is a query")
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
