use std::{
    collections::{BTreeMap, HashSet},
    fs,
    ops::Range,
    path::Path,
    sync::Arc,
};

use proptest::prelude::*;

use super::{store::folder_name, *};
use crate::{
    embed::{Encoder, ModelStamp, Reading, TokenVectors, normalise, testing::HashEncoder},
    index::{
        Catalog, CatalogEntry, IndexError, Scope,
        passage::{Passage, PassageHash, passages},
    },
    journal::{BodyHash, EntryId, EntryTime, Place},
};

pub(super) fn model(dimension: usize) -> ModelStamp {
    HashEncoder::new(dimension).stamp().clone()
}

/// A catalog of entries with the keys 1 to `count`, in time order; every third is tagged "third".
pub(super) fn catalog(count: u64) -> Arc<Catalog> {
    let entry = |number: u64| CatalogEntry {
        key: EntryKey(number),
        id: EntryId::from(number.to_string().as_str()),
        time: EntryTime {
            written: number.to_string(),
            at: jiff::Timestamp::from_second(number as i64 * 1000).unwrap(),
            offset_seconds: 0,
        },
        day: jiff::civil::date(2026, 1, 1),
        mood: None,
        tags: if number.is_multiple_of(3) { vec!["third".into()] } else { Vec::new() },
        event_time: None,
        starred: false,
        words: 0,
        asking: 0,
        extra: Vec::new(),
        trackers: Box::default(),
        written: None,
        has_id: false,
        place: Place { file: "2026-01-01.md".into(), position: number as u32, bytes: 0..0 },
        hash: BodyHash([0; 32]),
        fingerprint: 0,
    };
    Arc::new(Catalog::new((1..=count).map(entry), Vec::new(), Vec::new()))
}

pub(super) fn thirds(catalog: &Arc<Catalog>) -> Scope {
    Scope::filtered(catalog.clone(), |entry| !entry.tags.is_empty())
}

fn open(dir: &Path, dimension: usize, checkpoint: Option<u64>) -> (VectorStore, Opened) {
    VectorStore::open(dir, &model(dimension), checkpoint, Ann::Off).unwrap()
}

/// Embeds all missing passages.
fn fill(store: &mut VectorStore, texts: &BTreeMap<EntryKey, String>, dimension: usize) {
    let encoder = HashEncoder::new(dimension);
    loop {
        let missing = store.missing(3);
        if missing.is_empty() {
            return;
        }
        let texts: Vec<&str> = missing.iter().map(|(key, passage)| cut(&texts[key], &passage.span)).collect();
        let vectors = encoder.embed(&texts).unwrap();
        store.insert(&missing.iter().map(|(_, passage)| passage.hash).zip(vectors).collect::<Vec<_>>()).unwrap();
    }
}

fn cut<'a>(text: &'a str, span: &Range<u32>) -> &'a str {
    &text[span.start as usize..span.end as usize]
}

fn tell(store: &mut VectorStore, texts: &BTreeMap<EntryKey, String>) {
    for (key, text) in texts {
        store.set(*key, text.len() as u64, passages(text));
    }
}

fn journal(texts: &[&str]) -> BTreeMap<EntryKey, String> {
    texts.iter().enumerate().map(|(at, text)| (EntryKey(at as u64 + 1), (*text).to_owned())).collect()
}

pub(super) fn keys(hits: &[VectorHit]) -> Vec<u64> {
    hits.iter().map(|hit| hit.key.0).collect()
}

fn query(text: &str, dimension: usize) -> Vec<f32> {
    HashEncoder::new(dimension).embed(&[text]).unwrap().remove(0)
}

/// Some unit vectors around `topics` centres, the same for every run.
pub(super) fn clustered(count: usize, dimension: usize, topics: usize, seed: u64) -> Vec<Vec<f32>> {
    let mut state = seed | 1;
    let mut random = move || {
        // xorshift64*; the sum of four is close enough to a Gaussian.
        let mut one = || {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u64 << 24) as f32 - 0.5
        };
        one() + one() + one() + one()
    };
    let centres: Vec<Vec<f32>> = (0..topics).map(|_| (0..dimension).map(|_| random()).collect()).collect();
    (0..count)
        .map(|at| {
            let mut vector: Vec<f32> = centres[at % topics].iter().map(|x| x + 0.6 * random()).collect();
            normalise(&mut vector);
            vector
        })
        .collect()
}

/// A store whose entry `n` holds vector `n - 1`.
pub(super) fn store_of(dir: &Path, vectors: &[Vec<f32>], ann: Ann) -> VectorStore {
    let (mut store, _) = VectorStore::open(dir, &model(vectors[0].len()), None, ann).unwrap();
    let hashed: Vec<_> =
        vectors.iter().enumerate().map(|(at, v)| (PassageHash::of(&at.to_string()), v.clone())).collect();
    for (at, (hash, _)) in hashed.iter().enumerate() {
        store.set(EntryKey(at as u64 + 1), 0, vec![Passage { span: 0..1, hash: *hash }]);
    }
    store.insert(&hashed).unwrap();
    store
}

/// The expected result of the scan, by a naive implementation.
pub(super) fn naive(
    vectors: &[Vec<f32>],
    query: &[f32],
    allowed: impl Fn(u64) -> bool,
    limit: usize,
) -> Vec<(u64, f32)> {
    let score = |v: &Vec<f32>| v.iter().zip(query).map(|(a, b)| a * b).sum::<f32>();
    let numbered = vectors.iter().enumerate().map(|(at, v)| (at as u64 + 1, score(v)));
    let mut all: Vec<(u64, f32)> = numbered.filter(|(key, _)| allowed(*key)).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    all.truncate(limit);
    all
}

#[test]
fn the_entry_with_the_closest_passage_comes_first() {
    let dir = tempfile::tempdir().unwrap();
    let filler = "Nothing much happened here while the rain went on and on over the roofs of the old town all day long and all night.";
    let long = format!(
        "{filler}\n\nTea with Linh by the river, then a walk along the river and more tea until the evening came."
    );
    let texts = journal(&["A tired morning at work", &long, "Tea and river"]);
    let (mut store, opened) = open(dir.path(), 256, None);
    assert_eq!((opened.checkpoint, opened.complaint), (None, None));
    tell(&mut store, &texts);
    assert_eq!(store.progress(), (0, 4));
    fill(&mut store, &texts, 256);
    assert_eq!(store.progress(), (4, 4));
    let view = store.view();
    let (hits, scan) = view.search(&query("tea river", 256), &Scope::all(catalog(3)), 2);
    assert_eq!((keys(&hits), scan), (vec![3, 2], Scan::Exact));
    assert!(cut(&long, &hits[1].span).starts_with("Tea with Linh"));
    assert_eq!(view.of_entry(EntryKey(2)).len(), 2);
    assert!(view.of_entry(EntryKey(9)).is_empty());
    let tea = query("tea river", 256);
    let mut cosine = view.cosines(&tea);
    assert!(hits.iter().all(|hit| cosine(hit.key) == Some(hit.score)));
    assert!(cosine(EntryKey(1)).is_some_and(|worst| worst < hits[1].score) && cosine(EntryKey(9)).is_none());
    assert!(view.cosines(&tea[1..])(EntryKey(1)).is_none(), "of another dimension");
}

#[test]
fn what_was_written_last_is_embedded_first_and_each_text_once() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["old", "same", "same", "new"]);
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    let missing = store.missing(10);
    assert_eq!(missing.iter().map(|(key, _)| key.0).collect::<Vec<_>>(), [4, 3, 1]);
    assert_eq!(store.missing(2).len(), 2);
    fill(&mut store, &texts, 8);
    let (hits, _) = store.view().search(&query("same", 8), &Scope::all(catalog(4)), 2);
    assert_eq!(keys(&hits), [3, 2], "equal scores: the later entry first");
}

#[test]
fn odd_queries_find_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea", "🙂"]);
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 8);
    let all = Scope::all(catalog(2));
    let view = store.view();
    assert_eq!(keys(&view.search(&query("tea", 8), &all, 9).0), [1], "an all-zero vector is never a hit");
    for odd in [vec![], vec![1.0; 7], vec![0.0; 8], vec![f32::NAN; 8], vec![f32::INFINITY; 8]] {
        assert!(view.search(&odd, &all, 9).0.is_empty());
    }
    assert!(view.search(&query("tea", 8), &all, 0).0.is_empty());
    assert_eq!(view.search(&query("tea", 8), &all, usize::MAX).0.len(), 1);
    assert!(view.search(&query("tea", 8), &Scope::filtered(catalog(2), |_| false), 9).0.is_empty());
    assert!(view.search(&query("tea", 8), &Scope::all(catalog(0)), 9).0.is_empty(), "unknown to the catalog");
}

#[test]
fn what_no_encoder_should_give_is_refused_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = open(dir.path(), 2, None);
    let hash = PassageHash::of("a");
    for bad in [vec![1.0], vec![1.0, 0.0, 0.0], vec![f32::NAN, 0.0], vec![f32::INFINITY, 0.0], vec![3.0, 4.0]] {
        let batch = [(PassageHash::of("good"), vec![1.0, 0.0]), (hash, bad)];
        assert!(matches!(store.insert(&batch), Err(IndexError::Vector(_))));
    }
    assert!(!dir.path().join(folder_name(&model(2).checksum)).exists());
    store.insert(&[(hash, vec![0.0, 0.0])]).unwrap();
}

#[test]
fn no_text_is_embedded_twice() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea", "river"]);
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 8);
    store.remove(EntryKey(1));
    assert_eq!(store.progress(), (1, 1));
    assert_eq!(keys(&store.view().search(&query("tea river", 8), &Scope::all(catalog(2)), 9).0), [2]);
    // Restored, in this run and after a rebuild that has lost the table.
    store.set(EntryKey(1), 0, passages("tea"));
    assert!(store.missing(9).is_empty());
    let (mut again, opened) = open(dir.path(), 8, Some(3));
    assert_eq!(opened.checkpoint, None);
    tell(&mut again, &texts);
    assert_eq!(again.progress(), (2, 2));
}

#[test]
fn a_view_stays_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea", "river"]);
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 8);
    let before = store.view();
    store.remove(EntryKey(1));
    store.set(EntryKey(2), 1, passages("mountain"));
    store.forget_unheld().unwrap();
    let all = Scope::all(catalog(2));
    assert_eq!(keys(&before.search(&query("tea", 8), &all, 1).0), [1]);
    assert_eq!(before.of_entry(EntryKey(2)).len(), 1);
    assert!(store.view().search(&query("tea", 8), &all, 9).0.is_empty());
    assert_eq!(before.progress(), (2, 2));
    assert_eq!(store.view().progress(), (0, 1));
}

#[test]
fn forgetting_takes_vectors_out_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea", "river", "mountain"]);
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 8);
    store.remove(EntryKey(2));
    let file = dir.path().join(folder_name(&model(8).checksum)).join("vectors.bin");
    let before = fs::metadata(&file).unwrap().len();
    assert_eq!(store.forget_unheld().unwrap(), 1);
    assert!(fs::metadata(&file).unwrap().len() < before);
    assert!(!fs::read(&file).unwrap().windows(16).any(|bytes| bytes == PassageHash::of("river").0));
    assert_eq!(keys(&store.view().search(&query("mountain", 8), &Scope::all(catalog(3)), 1).0), [3]);
    store.set(EntryKey(2), 0, passages("river"));
    assert_eq!(store.missing(9).len(), 1);
    fill(&mut store, &texts, 8);
    let (mut again, _) = open(dir.path(), 8, None);
    tell(&mut again, &texts);
    assert_eq!(again.progress(), (3, 3));
}

/// A store of forty entries of one word each, all embedded.
fn forty_words(folder: &Path) -> (BTreeMap<EntryKey, String>, VectorStore) {
    let words: Vec<String> = (0..40).map(|n| format!("word{n}")).collect();
    let texts = journal(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut store, _) = open(folder, 16, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 16);
    (texts, store)
}

/// The one file of lower planes in a folder.
fn fine_file(folder: &Path) -> (std::path::PathBuf, Vec<u8>) {
    let named = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("fine-");
    let all: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).filter(named).collect();
    assert_eq!(all.len(), 1, "{all:?}");
    (all[0].clone(), fs::read(&all[0]).unwrap())
}

#[test]
fn damage_to_the_finer_half_leaves_the_coarser_and_is_mended() {
    let dir = tempfile::tempdir().unwrap();
    let (texts, mut store) = forty_words(dir.path());
    store.save(1).unwrap();
    drop(store);
    let folder = dir.path().join(folder_name(&model(16).checksum));
    let (fine, sound) = fine_file(&folder);
    let size = (sound.len() - 64) / 40;
    let mut bytes = sound.clone();
    for row in [3, 17] {
        bytes[64 + row * size + 5] ^= 0x40;
    }
    fs::write(&fine, &bytes).unwrap();
    let (mut store, opened) = open(dir.path(), 16, Some(1));
    assert_eq!((opened.complaint, store.progress()), (None, (40, 40)));
    assert_eq!(store.view().damaged(), 2);
    let (hits, _) = store.view().search(&query("word3", 16), &Scope::all(catalog(40)), 1);
    assert!(hits.len() == 1 && hits[0].score > 0.98, "{hits:?}");
    // Additions do not hide the damage.
    store.set(EntryKey(41), 0, passages("word41"));
    let mut more = texts.clone();
    more.insert(EntryKey(41), "word41".to_owned());
    fill(&mut store, &more, 16);
    assert_eq!(store.drop_damaged().unwrap(), 2);
    assert_eq!(store.progress(), (39, 41));
    fill(&mut store, &more, 16);
    assert_eq!((store.view().damaged(), store.progress()), (0, (41, 41)));
    // Truncated, it costs the vectors without a lower plane, as if the vector file were truncated.
    let (fine, sound) = fine_file(&folder);
    for (left, cut) in [(0, 0), (0, 63), (0, 64), (1, 64 + size), (2, 64 + 3 * size - 1)] {
        fs::write(&fine, &sound[..cut]).unwrap();
        let (mut again, opened) = open(dir.path(), 16, None);
        tell(&mut again, &more);
        assert_eq!((again.progress(), opened.complaint.is_some()), ((left, 41), true), "cut to {cut}");
    }
}

#[test]
fn every_damage_to_the_vector_file_costs_only_what_it_hit() {
    let dir = tempfile::tempdir().unwrap();
    let (texts, store) = forty_words(dir.path());
    drop(store);
    let file = dir.path().join(folder_name(&model(16).checksum)).join("vectors.bin");
    let sound = fs::read(&file).unwrap();
    let (fine, lower) = fine_file(file.parent().unwrap());
    let record = (sound.len() - 64) / 40;
    let reopened = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        fs::remove_file(fine_file(file.parent().unwrap()).0).unwrap();
        fs::write(&fine, &lower).unwrap();
        let (mut store, opened) = open(dir.path(), 16, None);
        assert_eq!(fs::read(&file).unwrap(), bytes, "opening writes nothing");
        tell(&mut store, &texts);
        (store, opened.complaint)
    };
    for at in (0..sound.len()).step_by(7) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        let (store, complaint) = reopened(&bytes);
        let lost = usize::from(at >= 64);
        assert_eq!(store.progress(), (40 - lost, 40), "byte {at}");
        assert_eq!(complaint.is_some(), lost > 0);
    }
    for length in [0, 1, 63, 64, 65, 64 + record, 64 + 3 * record - 1, sound.len() - 1] {
        let (mut store, _) = reopened(&sound[..length]);
        assert_eq!(store.progress(), (length.saturating_sub(64) / record, 40), "cut to {length}");
        // Newly embedded vectors are saved beside the intact ones.
        fill(&mut store, &texts, 16);
        let (mut again, opened) = open(dir.path(), 16, None);
        tell(&mut again, &texts);
        assert_eq!((again.progress(), opened.complaint), ((40, 40), None));
        assert_eq!(fs::metadata(&file).unwrap().len(), sound.len() as u64);
    }
}

#[test]
fn a_file_of_another_version_is_set_aside_not_lost() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea"]);
    let folder = dir.path().join(folder_name(&model(8).checksum));
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 8);
    let mut other = fs::read(folder.join("vectors.bin")).unwrap();
    other[8] = 3;
    let sum = crc32fast::hash(&other[..60]);
    other[60..64].copy_from_slice(&sum.to_le_bytes());
    fs::write(folder.join("vectors.bin"), &other).unwrap();
    let (mut store, opened) = open(dir.path(), 8, None);
    assert!(opened.complaint.is_some_and(|complaint| complaint.contains("another version")));
    tell(&mut store, &texts);
    assert_eq!(store.progress(), (0, 1));
    fill(&mut store, &texts, 8);
    assert_eq!(fs::read(folder.join("vectors.other")).unwrap(), other);
    let (mut again, opened) = open(dir.path(), 8, None);
    tell(&mut again, &texts);
    assert_eq!((again.progress(), opened.complaint), ((1, 1), None));
}

#[test]
fn two_models_keep_apart() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea"]);
    let (mut eight, _) = open(dir.path(), 8, None);
    tell(&mut eight, &texts);
    fill(&mut eight, &texts, 8);
    let (mut sixteen, opened) = open(dir.path(), 16, None);
    tell(&mut sixteen, &texts);
    assert_eq!((sixteen.progress(), opened.complaint), ((0, 1), None));
    assert_eq!(sixteen.view().model(), &model(16));
}

#[test]
fn a_damaged_table_is_told_again() {
    let dir = tempfile::tempdir().unwrap();
    let texts = journal(&["tea", "river"]);
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    fill(&mut store, &texts, 8);
    store.save(5).unwrap();
    let (again, opened) = open(dir.path(), 8, Some(5));
    assert_eq!((opened.checkpoint, again.progress()), (Some(5), (2, 2)));
    assert_eq!(again.fingerprints(), store.fingerprints());
    let file = dir.path().join(folder_name(&model(8).checksum)).join("passages-5");
    let sound = fs::read(&file).unwrap();
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        for bytes in [&bytes[..], &sound[..at]] {
            fs::write(&file, bytes).unwrap();
            let (again, opened) = open(dir.path(), 8, Some(5));
            assert_eq!(opened.checkpoint, None);
            assert!(opened.complaint.is_some_and(|complaint| complaint.contains("passages-5")));
            assert!(again.fingerprints().is_empty());
        }
    }
}

#[test]
fn a_save_in_a_large_journal_writes_little_and_reads_back_whole() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(folder_name(&model(8).checksum));
    let words: Vec<String> = (0..500).map(|n| format!("word{n}")).collect();
    let mut texts = journal(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let (mut store, _) = open(dir.path(), 8, None);
    tell(&mut store, &texts);
    store.save(1).unwrap();
    for checkpoint in 2..=60 {
        let key = EntryKey(checkpoint);
        if checkpoint.is_multiple_of(5) {
            store.remove(key);
            texts.remove(&key);
        } else {
            store.set(key, 1000 + checkpoint, passages("changed"));
        }
        store.save(checkpoint).unwrap();
        store.tidy(checkpoint);
        assert!(table::checkpoints(&folder).len() <= 2);
        if checkpoint.is_multiple_of(20) {
            let (again, opened) = open(dir.path(), 8, Some(checkpoint));
            assert_eq!(opened.checkpoint, Some(checkpoint));
            assert_eq!(again.fingerprints(), store.fingerprints());
            store = again;
        }
    }
    let sizes: Vec<u64> =
        table::checkpoints(&folder).iter().map(|at| fs::metadata(table::path(&folder, *at)).unwrap().len()).collect();
    assert!(sizes.len() == 2 && sizes[0] * 4 < sizes[1], "{sizes:?}");
}

#[test]
fn the_scan_is_exact_whatever_the_filter() {
    let dir = tempfile::tempdir().unwrap();
    let vectors = clustered(5000, 24, 12, 7);
    let store = store_of(dir.path(), &vectors, Ann::Off);
    let view = store.view();
    let catalog = catalog(5000);
    let few = Scope::filtered(catalog.clone(), |entry| entry.key.0.is_multiple_of(50));
    for query in clustered(20, 24, 12, 99).iter().chain(&vectors[..20]) {
        for limit in [1, 10, 700] {
            for (scope, step) in [(Scope::all(catalog.clone()), 1), (thirds(&catalog), 3), (few.clone(), 50)] {
                let (hits, scan) = view.search(query, &scope, limit);
                assert_eq!(scan, Scan::Exact);
                let expected = naive(&vectors, query, |key| key.is_multiple_of(step), limit);
                assert_eq!(hits.len(), expected.len());
                for (hit, (key, score)) in hits.iter().zip(&expected) {
                    assert!((hit.score - score).abs() < 2e-4);
                    // Entries may swap only where 16 bits cannot tell them apart.
                    assert!(hit.key.0 == *key || (hit.score - score).abs() < 5e-5);
                }
            }
        }
    }
}

#[test]
fn one_entry_with_very_many_close_passages_leaves_room_for_others() {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = open(dir.path(), 8, None);
    let near = |n: u32| {
        let mut v = vec![1.0, n as f32 * 1e-6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        normalise(&mut v);
        (PassageHash::of(&n.to_string()), v)
    };
    let crowd: Vec<_> = (0..3000).map(near).collect();
    let far = (PassageHash::of("far"), vec![0.6, 0.8, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    store.set(EntryKey(1), 0, crowd.iter().map(|(hash, _)| Passage { span: 0..1, hash: *hash }).collect());
    store.set(EntryKey(2), 0, vec![Passage { span: 0..1, hash: far.0 }]);
    store.insert(&crowd).unwrap();
    store.insert(&[far]).unwrap();
    let axis = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(keys(&store.view().search(&axis, &Scope::all(catalog(2)), 2).0), [1, 2]);
}

/// A step of the model test.
#[derive(Debug, Clone)]
enum Step {
    Set(u64, usize),
    Remove(u64),
    Embed(usize),
    Save,
    /// Opens again at the last saved checkpoint and registers the changes since.
    Reopen,
    /// Opens again without a table.
    Rebuild,
    Forget,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (1u64..12, 0usize..BODIES.len()).prop_map(|(key, body)| Step::Set(key, body)),
        2 => (1u64..12).prop_map(Step::Remove),
        5 => (1usize..6).prop_map(Step::Embed),
        2 => Just(Step::Save),
        1 => Just(Step::Reopen),
        1 => Just(Step::Rebuild),
        1 => Just(Step::Forget),
    ]
}

const BODIES: [&str; 8] = [
    "tea",
    "river and tea",
    "river walk",
    "🙂",
    "",
    "mountain path with snow",
    "tea",
    "We talked about the plan for spring and the garden and the seeds we had kept since the long winter before last.\n\n\
     Later there was tea, and a walk to the river, and nobody spoke of the plan again until the lamps were lit.",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_sequence_of_changes_equals_a_naive_store(steps in prop::collection::vec(step(), 1..60)) {
        const DIM: usize = 32;
        let dir = tempfile::tempdir().unwrap();
        let encoder = HashEncoder::in_sentence(DIM);
        let open = |checkpoint| VectorStore::open(dir.path(), encoder.stamp(), checkpoint, Ann::Off).unwrap();
        let (mut store, _) = open(None);
        let mut texts: BTreeMap<EntryKey, String> = BTreeMap::new();
        let mut embedded: HashSet<PassageHash> = HashSet::new();
        let (mut checkpoint, mut saved) = (0, None);
        let fingerprint = |text: &str| text.len() as u64;
        for step in steps {
            match step {
                Step::Set(key, body) => {
                    texts.insert(EntryKey(key), BODIES[body].to_owned());
                    store.set(EntryKey(key), fingerprint(BODIES[body]), passages(BODIES[body]));
                }
                Step::Remove(key) => {
                    texts.remove(&EntryKey(key));
                    store.remove(EntryKey(key));
                }
                Step::Embed(limit) => {
                    let missing = store.missing(limit);
                    let (mut batch, mut words) = (Vec::new(), Vec::new());
                    for (key, passage) in &missing {
                        let text = cut(&texts[key], &passage.span);
                        let Reading { vector, pieces } = encoder.read(&[text]).unwrap().remove(0);
                        batch.push((passage.hash, vector));
                        words.push((passage.hash, text, pieces));
                        prop_assert!(embedded.insert(passage.hash), "embedded twice");
                    }
                    store.insert(&batch).unwrap();
                    store.insert_words(&words).unwrap();
                }
                Step::Save => {
                    checkpoint += 1;
                    store.save(checkpoint).unwrap();
                    store.tidy(checkpoint);
                    saved = Some(checkpoint);
                }
                Step::Reopen | Step::Rebuild => {
                    let wanted = if matches!(step, Step::Reopen) { saved } else { Some(u64::MAX) };
                    drop(store);
                    let (again, opened) = open(wanted);
                    prop_assert_eq!(opened.complaint, None);
                    prop_assert_eq!(opened.checkpoint, if wanted == Some(u64::MAX) { None } else { saved });
                    store = again;
                    let held = store.fingerprints();
                    for key in held.keys().filter(|key| !texts.contains_key(key)) {
                        store.remove(*key);
                    }
                    for (key, text) in &texts {
                        if held.get(key) != Some(&fingerprint(text)) {
                            store.set(*key, fingerprint(text), passages(text));
                        }
                    }
                }
                Step::Forget => {
                    store.forget_unheld().unwrap();
                    let held: HashSet<PassageHash> =
                        texts.values().flat_map(|text| passages(text)).map(|passage| passage.hash).collect();
                    embedded.retain(|hash| held.contains(hash));
                }
            }
            check_against(&store, &texts, &embedded, &encoder)?;
        }
    }
}

fn check_against(
    store: &VectorStore,
    texts: &BTreeMap<EntryKey, String>,
    embedded: &HashSet<PassageHash>,
    encoder: &HashEncoder,
) -> Result<(), TestCaseError> {
    let all: HashSet<PassageHash> = texts.values().flat_map(|text| passages(text)).map(|p| p.hash).collect();
    let with = all.iter().filter(|hash| embedded.contains(hash)).count();
    prop_assert_eq!(store.progress(), (with, all.len()));
    prop_assert_eq!(store.missing(usize::MAX).len(), all.len() - with);
    prop_assert_eq!(store.fingerprints().len(), texts.len());
    let view = store.view();
    let question = encoder.read_queries(&["tea by the river"]).unwrap().remove(0);
    let probe = WordProbe::new("tea by the river", &question.pieces, 32, &mut |token| {
        (token.exact != "the").then_some(token.exact.len() as f32)
    });
    let probe = probe.unwrap();
    for (key, text) in texts {
        let held = passages(text);
        let whole = held.iter().all(|passage| embedded.contains(&passage.hash));
        let closest = held.iter().map(|passage| {
            let text = cut(text, &passage.span);
            let pieces = encoder.read(&[text]).unwrap().remove(0).pieces;
            probe.likeness(&words::coded(text, &pieces, 32))
        });
        let expected = whole.then(|| closest.fold(0f32, f32::max));
        prop_assert_eq!(view.word_likeness(*key, &probe).map(|(likeness, _)| likeness), expected);
    }
    let catalog = catalog(12);
    for scope in [Scope::all(catalog.clone()), thirds(&catalog)] {
        let question = encoder.embed(&["tea by the river"]).unwrap().remove(0);
        let (hits, _) = view.search(&question, &scope, 5);
        let mut expected: Vec<(f32, u64)> = Vec::new();
        for (key, text) in texts.iter().filter(|(key, _)| scope.allows(**key)) {
            let best = passages(text)
                .into_iter()
                .filter(|passage| embedded.contains(&passage.hash))
                .filter_map(|passage| {
                    let vector = encoder.embed(&[cut(text, &passage.span)]).unwrap().remove(0);
                    let zero = vector.iter().all(|x| *x == 0.0);
                    (!zero).then(|| vector.iter().zip(&question).map(|(a, b)| a * b).sum::<f32>())
                })
                .reduce(f32::max);
            expected.extend(best.map(|score| (score, key.0)));
        }
        expected.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        prop_assert_eq!(hits.len(), expected.len().min(5));
        for (hit, (score, _)) in hits.iter().zip(&expected) {
            prop_assert!((hit.score - score).abs() < 2e-4);
            let text = cut(&texts[&hit.key], &hit.span);
            let own = encoder.embed(&[text]).unwrap().remove(0);
            prop_assert!((own.iter().zip(&question).map(|(a, b)| a * b).sum::<f32>() - hit.score).abs() < 2e-4);
        }
    }
    Ok(())
}
