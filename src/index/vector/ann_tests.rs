use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    store::folder_name,
    tests::{catalog, clustered, keys, model, naive, store_of, thirds},
    *,
};
use crate::index::{
    Scope,
    passage::{Passage, PassageHash},
};

fn ann_dir(dir: &Path) -> PathBuf {
    dir.join(folder_name(&model(24).checksum)).join("ann")
}

/// Opens the store again with all entries, and waits for the graph.
fn reopened(dir: &Path, count: usize, ann: Ann) -> VectorStore {
    let (mut store, _) = VectorStore::open(dir, &model(24), None, ann).unwrap();
    for at in 0..count {
        let hash = PassageHash::of(&at.to_string());
        store.set(EntryKey(at as u64 + 1), 0, vec![Passage { span: 0..1, hash }]);
    }
    store.wait_for_ann();
    store
}

/// Recall at 10 of the view, and the kind of each scan.
fn recall(view: &VectorView, vectors: &[Vec<f32>], queries: &[Vec<f32>], scope: &Scope) -> (f64, Vec<Scan>) {
    let (mut found, mut scans) = (0, Vec::new());
    for query in queries {
        let (hits, scan) = view.search(query, scope, 10);
        let expected = naive(vectors, query, |key| scope.allows(EntryKey(key)), 10);
        let hits = keys(&hits);
        found += expected.iter().filter(|(key, _)| hits.contains(key)).count();
        scans.push(scan);
    }
    (found as f64 / (10 * queries.len()) as f64, scans)
}

#[test]
fn the_graph_finds_what_the_scan_finds() {
    const COUNT: usize = 6000;
    let dir = tempfile::tempdir().unwrap();
    let mut vectors = clustered(COUNT + 100, 24, 60, 11);
    // Half of the queries are near vectors, half are not.
    let mut queries = vectors.split_off(COUNT);
    queries.extend(clustered(100, 24, 60, 12));
    let mut store = store_of(dir.path(), &vectors, Ann::On);
    assert!(store.ann_due());
    store.build_ann().unwrap();
    assert_eq!((store.ann_state(), store.ann_due()), (AnnState::Ready { rows: COUNT }, false));
    let all = Scope::all(catalog(COUNT as u64));
    let (share, scans) = recall(&store.view(), &vectors, &queries, &all);
    println!("recall@10 {share:.4}");
    assert!(scans.iter().all(|scan| *scan == Scan::Hnsw));
    assert!(share >= 0.99, "recall@10 {share}");
    // The hits are in exact order.
    for query in &queries {
        let (hits, _) = store.view().search(query, &all, 10);
        assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    }
    // A filtered query is always exact.
    let (share, scans) = recall(&store.view(), &vectors, &queries[..20], &thirds(all.catalog()));
    assert!(scans.iter().all(|scan| *scan == Scan::Exact) && share > 0.999);
    // The same holds after the dump is loaded.
    let again = reopened(dir.path(), COUNT, Ann::On);
    assert_eq!(again.ann_state(), AnnState::Ready { rows: COUNT });
    let (share, scans) = recall(&again.view(), &vectors, &queries, &all);
    assert!(scans.iter().all(|scan| *scan == Scan::Hnsw) && share >= 0.99, "recall@10 {share}");
}

#[test]
fn what_came_and_went_since_the_graph_was_built_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = clustered(1200, 24, 10, 5);
    let mut store = store_of(dir.path(), &vectors[..1000], Ann::On);
    store.build_ann().unwrap();
    let before = store.view();
    let late: Vec<_> = (1000..1200).map(|at| (PassageHash::of(&at.to_string()), vectors[at].clone())).collect();
    for (at, (hash, _)) in late.iter().enumerate() {
        store.set(EntryKey(at as u64 + 1001), 0, vec![Passage { span: 0..1, hash: *hash }]);
    }
    store.insert(&late).unwrap();
    for key in (1..1200).step_by(5) {
        store.remove(EntryKey(key));
    }
    let view = store.view();
    let all = Scope::all(catalog(1200));
    for (at, vector) in vectors.iter().enumerate() {
        let (hits, scan) = view.search(vector, &all, 3);
        let removed = at % 5 == 0;
        assert_eq!((scan, hits.len()), (Scan::Hnsw, 3));
        assert_eq!(hits[0].key.0 == at as u64 + 1, !removed, "{at}");
        assert!(hits.iter().all(|hit| hit.key.0 % 5 != 1));
    }
    assert_eq!(before.search(&vectors[1], &all, 1).0[0].key.0, 2);
    assert!(!store.ann_due(), "a fifth of the vectors may be new");
    store.forget_unheld().unwrap();
    assert_eq!((store.ann_state(), store.ann_due()), (AnnState::Absent, true));
    assert!(!ann_dir(dir.path()).exists());
    assert_eq!(before.search(&vectors[1], &all, 1), (view.search(&vectors[1], &all, 1).0, Scan::Hnsw));
}

#[test]
fn when_most_of_the_graph_is_gone_the_scan_answers() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = clustered(3000, 24, 4, 5);
    let mut store = store_of(dir.path(), &vectors, Ann::On);
    store.build_ann().unwrap();
    for key in 5..=3000 {
        store.remove(EntryKey(key));
    }
    let (hits, scan) = store.view().search(&vectors[0], &Scope::all(catalog(3000)), 10);
    assert_eq!((hits.len(), scan), (4, Scan::Exact));
}

#[test]
fn a_damaged_dump_is_refused_and_built_again() {
    const COUNT: usize = 400;
    let dir = tempfile::tempdir().unwrap();
    let vectors = clustered(COUNT, 24, 8, 3);
    store_of(dir.path(), &vectors, Ann::On).build_ann().unwrap();
    let all = Scope::all(catalog(COUNT as u64));
    let files =
        |folder: &str| ["graph.hnsw.graph", "graph.hnsw.data"].map(|name| ann_dir(dir.path()).join(folder).join(name));
    let mut folder = 1;
    for damage in 0..9 {
        let (at, name) = (damage % 3, folder.to_string());
        let file =
            [files(&name)[0].clone(), files(&name)[1].clone(), ann_dir(dir.path()).join("manifest.json")][at].clone();
        let mut bytes = fs::read(&file).unwrap();
        match damage / 3 {
            0 => bytes.truncate(bytes.len() / 2),
            1 => {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            }
            _ => bytes.clear(),
        }
        fs::write(&file, &bytes).unwrap();
        let mut store = reopened(dir.path(), COUNT, Ann::On);
        assert!(matches!(store.ann_state(), AnnState::Failed(_)), "{}", file.display());
        assert!(store.ann_due());
        assert_eq!(store.view().search(&vectors[7], &all, 1).1, Scan::Exact);
        store.build_ann().unwrap();
        folder += 1;
        assert!(files(&folder.to_string())[0].exists() && !files(&name)[0].exists());
        let again = reopened(dir.path(), COUNT, Ann::On);
        assert_eq!(again.view().search(&vectors[7], &all, 1).1, Scan::Hnsw);
    }
    fs::remove_file(&files(&folder.to_string())[1]).unwrap();
    assert!(matches!(reopened(dir.path(), COUNT, Ann::On).ann_state(), AnnState::Failed(_)));
}

#[test]
fn a_dump_of_other_vectors_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = clustered(100, 24, 8, 3);
    store_of(dir.path(), &vectors, Ann::On).build_ann().unwrap();
    // One damaged record shifts all later rows.
    let file = dir.path().join(folder_name(&model(24).checksum)).join("vectors.bin");
    let mut bytes = fs::read(&file).unwrap();
    bytes[200] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let store = reopened(dir.path(), 100, Ann::On);
    assert!(matches!(store.ann_state(), AnnState::Failed(reason) if reason.contains("changed")));
}

#[test]
fn building_can_be_stopped_and_an_empty_journal_needs_no_graph() {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = VectorStore::open(dir.path(), &model(24), None, Ann::On).unwrap();
    store.build_ann().unwrap();
    assert!(!ann_dir(dir.path()).exists() && !store.ann_due());
    let vectors = clustered(2500, 24, 8, 3);
    let store = store_of(dir.path(), &vectors, Ann::On);
    let mut heard = Vec::new();
    let mut go_on = |done: usize, of: usize| {
        heard.push((done, of));
        done == 0
    };
    assert!(!store.ann_work().build(&mut go_on).unwrap());
    assert_eq!(heard, [(0, 2500), (1000, 2500)]);
    assert_eq!(store.ann_state(), AnnState::Absent);
    assert!(!ann_dir(dir.path()).exists());
}

#[test]
fn small_journals_are_scanned_by_themselves() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = clustered(300, 24, 8, 3);
    let mut store = store_of(dir.path(), &vectors, Ann::Auto);
    let all = Scope::all(catalog(300));
    assert!(!store.ann_due());
    store.build_ann().unwrap();
    assert_eq!(store.view().search(&vectors[0], &all, 1).1, Scan::Exact);
    for (ann, scan) in [(Ann::Auto, Scan::Exact), (Ann::Off, Scan::Exact), (Ann::On, Scan::Hnsw)] {
        assert_eq!(reopened(dir.path(), 300, ann).view().search(&vectors[0], &all, 1).1, scan);
    }
}
