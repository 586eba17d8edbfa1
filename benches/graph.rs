//! The graph of connections with 50,000 names and 500,000 stated relations: reading it from the disk, and the shortest chain
//! between two names by our own search and by petgraph's.

use criterion::{Criterion, criterion_group, criterion_main};
use jiff::{ToSpan, civil::date};
use kioku::{
    extract::{Extract, Mention, MentionSource, Relation},
    index::{
        EntryKey,
        graph::{EntityRef, GraphStore, GraphView},
    },
    journal::RelationKind,
};
use petgraph::{
    algo::astar,
    graph::{NodeIndex, UnGraph},
};

const NAMES: u64 = 50_000;
const ENTRIES: u64 = 100_000;
/// Relations of one entry: ENTRIES times this are half a million.
const RELATIONS: u64 = 5;

/// SplitMix64 (Steele, Lea and Flood, 2014): the same graph on every machine.
fn mixed(at: u64) -> u64 {
    let z = at.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn name(at: u64) -> String {
    format!("Name {at}")
}

/// Ten names, two by two in five relations; every name is somewhere.
fn entry(at: u64) -> Extract {
    let names: Vec<String> = (0..RELATIONS * 2)
        .map(|nth| name(if nth == 0 { at % NAMES } else { mixed(at * RELATIONS * 2 + nth) % NAMES }))
        .collect();
    let span = |nth: usize| nth as u32 * 20..nth as u32 * 20 + 12;
    let mentions = names.iter().enumerate().map(|(nth, name)| Mention {
        name: name.clone(),
        kind: None,
        guess: None,
        span: span(nth),
        source: MentionSource::Link,
    });
    let relations = names.chunks(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]).map(|(nth, pair)| Relation {
        source: pair[0].clone(),
        target: pair[1].clone(),
        kind: RelationKind::Causal,
        verb: "because".to_owned(),
        evidence: span(nth * 2).start..span(nth * 2 + 1).end,
        weight: 1.0,
        event_time: None,
        clauses: [span(nth * 2), span(nth * 2 + 1)],
        effect: span(nth * 2 + 1),
        cause: span(nth * 2),
    });
    Extract { mentions: mentions.collect(), relations: relations.collect(), ..Extract::default() }
}

fn filled(folder: &std::path::Path) -> GraphStore {
    let (mut store, _) = GraphStore::open(folder, None);
    let first = date(1990, 1, 1);
    for at in 0..ENTRIES {
        let day = first.saturating_add(((at / 10) as i64).days());
        store.set(EntryKey(at), at, day, entry(at));
    }
    store
}

/// What a chain may lead over, as a graph that petgraph searches: stated relations before company, whose closeness is left out.
fn links(view: &GraphView) -> UnGraph<(), u32> {
    let mut graph = UnGraph::default();
    for _ in view.entities() {
        graph.add_node(());
    }
    for entity in view.entity_refs() {
        let stated = view.edges(entity).into_iter().map(|edge| (edge.target.max(edge.source), 1));
        let company = view.neighbours(entity).into_iter().map(|(other, _)| (other, 2));
        for (other, cost) in stated.chain(company).filter(|(other, _)| *other > entity) {
            graph.update_edge(NodeIndex::new(entity.0 as usize), NodeIndex::new(other.0 as usize), cost);
        }
    }
    graph
}

fn chain(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let view = filled(folder.path()).view();
    let pairs: Vec<(u32, u32)> =
        (0..20).map(|at| ((mixed(at) % NAMES) as u32, (mixed(at + 1_000) % NAMES) as u32)).collect();
    let mut group = criterion.benchmark_group("graph");
    group.sample_size(10);
    group.bench_function("chain_of_20_pairs", |bencher| {
        bencher.iter(|| {
            let chains = |(from, to): &(u32, u32)| view.chains(EntityRef(*from), EntityRef(*to), 3, 1, &|| true);
            pairs.iter().map(chains).filter(|chains| !chains.is_empty()).count()
        });
    });
    group.bench_function("links_for_petgraph", |bencher| bencher.iter_with_large_drop(|| links(&view)));
    let graph = links(&view);
    group.bench_function("chain_of_20_pairs_by_petgraph", |bencher| {
        bencher.iter(|| {
            let way = |(from, to): &(u32, u32)| {
                let to = NodeIndex::new(*to as usize);
                astar(&graph, NodeIndex::new(*from as usize), |node| node == to, |edge| *edge.weight(), |_| 0)
            };
            pairs.iter().filter_map(way).count()
        });
    });
    group.finish();
}

fn load(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = filled(folder.path());
    store.save(1).expect("space on the disk");
    drop(store);
    let mut group = criterion.benchmark_group("graph");
    group.sample_size(10);
    group.bench_function("load_50k_names_500k_relations", |bencher| {
        // What it costs to let a graph go again is no part of the question.
        bencher.iter_with_large_drop(|| {
            let (mut store, complaint) = GraphStore::open(folder.path(), Some(1));
            assert_eq!(complaint, None);
            let view = store.view();
            assert_eq!(view.entities().len() as u64, NAMES);
            (store, view)
        });
    });
    group.finish();
}

criterion_group!(benches, load, chain);
criterion_main!(benches);
