use std::{fs, path::Path, sync::Arc};

use jiff::{Timestamp, civil};

use super::*;
use crate::{
    index::{Catalog, CatalogEntry, Scope, format::FORMAT},
    journal::{BodyHash, Entry, EntryId, EntryTime, Place},
};

fn entry(number: usize, body: &str) -> Entry {
    let at = Timestamp::from_second(1_700_000_000 + number as i64 * 3_600).unwrap();
    Entry {
        id: EntryId::from(format!("e{number}").as_str()),
        time: EntryTime { written: at.to_string(), at, offset_seconds: 0 },
        day: civil::date(2023, 11, 14),
        mood: None,
        tags: Vec::new(),
        event_time: None,
        body: body.into(),
        hash: BodyHash::of(body.as_bytes()),
        extra: Vec::new(),
        place: Place { file: "2023-11-14.md".into(), position: number as u32, bytes: 0..0 },
    }
}

fn entries(bodies: &[&str]) -> Vec<Entry> {
    bodies.iter().enumerate().map(|(number, body)| entry(number, body)).collect()
}

fn key(number: usize) -> EntryKey {
    EntryKey::of(&EntryId::from(format!("e{number}").as_str()))
}

struct Journal {
    view: KeywordView,
    scope: Scope,
    entries: Vec<Entry>,
}

impl Journal {
    fn of(entries: Vec<Entry>) -> Self {
        let catalog = Catalog::new(entries.iter().map(CatalogEntry::of).collect::<Vec<_>>(), Vec::new(), Vec::new());
        let view = KeywordView::in_memory(entries.iter().map(|entry| (EntryKey::of(&entry.id), entry))).unwrap();
        Self { view, scope: Scope::all(Arc::new(catalog)), entries }
    }

    /// The numbers of the entries found, best first.
    fn find(&self, query: &KeywordQuery) -> Vec<usize> {
        self.find_in(query, &self.scope, 100)
    }

    fn find_in(&self, query: &KeywordQuery, scope: &Scope, limit: usize) -> Vec<usize> {
        let number =
            |hit: KeywordHit| self.entries.iter().position(|entry| EntryKey::of(&entry.id) == hit.key).unwrap();
        self.view.find(query, scope, limit, None).unwrap().hits.into_iter().map(number).collect()
    }

    fn highlighted<'t>(&self, query: &KeywordQuery, text: &'t str) -> Vec<&'t str> {
        let matcher = self.view.matcher(query);
        Matcher::joined(&matcher.find(text)).into_iter().map(|span| &text[span]).collect()
    }
}

fn journal(bodies: &[&str]) -> Journal {
    Journal::of(entries(bodies))
}

#[test]
fn what_a_catalog_lists_is_found_as_if_each_entry_were_looked_up() {
    let plain = journal(&["Rain and tea.", "Tea.", "Rain, rain.", "A dry day."]);
    let listed = KeywordView::clone(&plain.view).listed_in(plain.scope.catalog());
    let few = Scope::filtered(plain.scope.catalog().clone(), |entry| entry.key != key(2));
    let elsewhere = journal(&["Rain and tea.", "Tea."]).scope;
    for scope in [&plain.scope, &few, &elsewhere] {
        let found = |view: &KeywordView| {
            let found = view.find(&words("rain tea"), scope, 2, None).unwrap();
            (found.hits.into_iter().map(|hit| (hit.key, hit.score)).collect::<Vec<_>>(), found.total)
        };
        assert_eq!(found(&listed), found(&plain.view));
    }
    let other = listed.listed_in(elsewhere.catalog());
    assert_eq!(
        other.find(&words("rain"), &elsewhere, 9, None).unwrap().total,
        1,
        "a list of other length is not believed"
    );
}

fn words(text: &str) -> KeywordQuery {
    KeywordQuery { words: text.split_whitespace().map(str::to_owned).collect(), ..Default::default() }
}

fn typing(text: &str) -> KeywordQuery {
    KeywordQuery { last_is_prefix: true, ..words(text) }
}

fn phrase(text: &str) -> KeywordQuery {
    KeywordQuery { phrases: vec![text.into()], ..Default::default() }
}

#[test]
fn words_are_found_whatever_their_ending_case_or_accents() {
    let journal = journal(&["Running late again", "Gặp Hùng ở Đà Nẵng", "Nothing of note", "元宝老婆刚怀孕"]);
    assert_eq!(journal.find(&words("run")), [0]);
    assert_eq!(journal.find(&words("DA NANG")), [1]);
    assert_eq!(journal.find(&words("hùng")), [1]);
    assert_eq!(journal.find(&words("怀孕")), [3]);
    assert_eq!(journal.find(&words("元宝")), [3]);
    assert_eq!(journal.find(&words("怀")), [3]);
    assert_eq!(journal.find(&words("孕怀")), [] as [usize; 0]);
}

#[test]
fn a_decomposed_text_is_found_and_highlighted_in_its_own_bytes() {
    use unicode_normalization::UnicodeNormalization;
    let body: String = "Gặp Hùng ở Huế".nfd().collect();
    let journal = journal(&[&body, "other"]);
    assert_eq!(journal.find(&words("hùng")), [0]);
    let hung: String = "Hùng".nfd().collect();
    assert_eq!(journal.highlighted(&words("hung"), &body), [hung.as_str()]);
}

#[test]
fn the_spelling_with_the_right_accent_comes_first() {
    let journal = journal(&["con ma", "con mạ", "con má", "con mà"]);
    assert_eq!(journal.find(&words("má"))[0], 2);
    assert_eq!(journal.find(&words("mạ"))[0], 1);
    assert_eq!(journal.find(&words("ma"))[0], 0);
    assert_eq!(journal.find(&words("má")).len(), 4, "the others are still found");
}

#[test]
fn a_word_is_found_with_and_without_its_hyphen() {
    let journal = journal(&["lunch with a coworker", "my co-worker sang", "work at the co op", "a work of art"]);
    assert_eq!(journal.find(&words("coworkers")).len(), 2);
    assert_eq!(journal.find(&words("coworker"))[..2].iter().max(), Some(&1));
    let found = journal.find(&words("co-worker"));
    assert!(found[0] == 1 && found[1..].contains(&0), "{found:?}");
    assert_eq!(journal.highlighted(&words("coworker"), "my co-worker sang"), ["co-worker"]);
    assert_eq!(journal.highlighted(&words("co-worker"), "a coworker sang"), ["coworker"]);
}

#[test]
fn function_words_count_only_when_alone() {
    let journal = journal(&["the the the what did we", "a deadline moved"]);
    assert_eq!(journal.find(&words("what did the deadline")), [1]);
    assert_eq!(journal.find(&words("what did the")), [0]);
    assert_eq!(journal.highlighted(&words("the deadline"), "the deadline"), ["deadline"]);
}

#[test]
fn the_last_word_is_a_prefix_while_typing_and_the_word_itself_comes_first() {
    let journal = journal(&["a deadline near", "dead tired", "at the dentist"]);
    assert_eq!(journal.find(&typing("dead")), [1, 0]);
    assert_eq!(journal.find(&typing("de")).len(), 3);
    assert_eq!(journal.find(&words("de")), [] as [usize; 0]);
    assert_eq!(journal.highlighted(&typing("near dead"), "a deadline near"), ["deadline", "near"]);
}

#[test]
fn one_typo_is_forgiven_only_where_the_word_is_not_there() {
    let journal = journal(&["talked to my therapist", "the reunion was fine", "form", "farms and forms"]);
    assert_eq!(journal.find(&words("theripist")), [0]);
    assert_eq!(journal.find(&words("renuion")), [1], "two neighbours swapped");
    assert_eq!(journal.find(&words("farm")), [3]);
    assert_eq!(journal.find(&words("ferm")), [] as [usize; 0], "short words have too many neighbours");
    assert_eq!(journal.highlighted(&words("theripist"), "my therapist"), ["therapist"]);
}

#[test]
fn phrases_must_stand_in_order() {
    let journal = journal(&["project x is late", "x project", "the project: X!", "我爱北京天安门"]);
    assert_eq!(journal.find(&phrase("Project X")).len(), 2);
    assert!(!journal.find(&phrase("Project X")).contains(&1));
    assert_eq!(journal.find(&phrase("北京天安")), [3]);
    assert_eq!(journal.find(&phrase("天安北京")), [] as [usize; 0]);
    assert_eq!(journal.highlighted(&phrase("project x"), "a project: X!"), ["project: X"]);
    assert_eq!(journal.highlighted(&phrase("北京天安"), "我爱北京天安门"), ["北京天安"]);
    let unfinished = KeywordQuery { phrase_is_prefix: true, ..phrase("project x is la") };
    assert_eq!(journal.find(&unfinished), [0]);
    assert_eq!(journal.highlighted(&unfinished, "project x is late"), ["project x is late"]);
}

#[test]
fn what_is_excluded_is_not_found() {
    let mut list = entries(&["work and tea", "tea", "tea with project x"]);
    list[1].tags = vec!["work".into()];
    let journal = Journal::of(list);
    let without = |excluded: &[&str], text| KeywordQuery {
        excluded: excluded.iter().map(|&text| text.into()).collect(),
        ..words(text)
    };
    assert_eq!(journal.find(&without(&["work"], "tea")), [2]);
    assert_eq!(journal.find(&without(&["project x", "work"], "tea")), [] as [usize; 0]);
    assert_eq!(journal.find(&without(&["work"], "")), [2]);
}

#[test]
fn mood_and_tags_are_found_as_words() {
    let mut list = entries(&["nothing to say", "so stressed about the demo"]);
    list[0].mood = Some("stressed".into());
    list[0].tags = vec!["Project X".into()];
    let journal = Journal::of(list);
    assert_eq!(journal.find(&words("stressed")).len(), 2);
    assert_eq!(journal.find(&words("project")), [0]);
    assert_eq!(journal.view.frequencies(&words("stressed demo")).unwrap()["demo"], 1);
}

#[test]
fn the_scope_holds_before_the_cut_and_ties_go_to_the_later_entry() {
    let bodies = vec!["same words"; 300];
    let journal = journal(&bodies);
    assert_eq!(journal.find_in(&words("same"), &journal.scope, 3), [299, 298, 297]);
    let catalog = journal.scope.catalog().clone();
    let only = Scope::filtered(catalog, |entry| entry.key == key(0) || entry.key == key(7));
    assert_eq!(journal.find_in(&words("same"), &only, 3), [7, 0]);
    let found = journal.view.find(&words("same"), &journal.scope, 2, None).unwrap();
    assert_eq!((found.hits.len(), found.total), (2, 300));
}

#[test]
fn ordinary_punctuation_is_no_syntax() {
    let journal = journal(&["it's 5:30pm (x"]);
    for text in ["it's 5:30pm", "foo:bar (x", "\"unclosed", "a AND", "+", "^~*", "\\", ""] {
        let _ = journal.find(&words(text));
        let _ = journal.find(&typing(text));
        let _ = journal.find(&phrase(text));
    }
    assert_eq!(journal.find(&words("5:30pm")), [0]);
}

#[test]
fn a_commit_is_there_after_opening_again_with_its_payload() {
    let dir = tempfile::tempdir().unwrap();
    let list = entries(&["first light", "second wind"]);
    {
        let (mut store, complaint) = KeywordStore::open(dir.path()).unwrap();
        assert_eq!((complaint, store.payload()), (None, None));
        for (number, entry) in list.iter().enumerate() {
            store.add(key(number), number as u64 + 10, entry).unwrap();
        }
        store.commit("checkpoint 1").unwrap();
        store.add(key(9), 1, &entry(9, "never committed")).unwrap();
        store.close().unwrap();
    }
    let (mut store, complaint) = KeywordStore::open(dir.path()).unwrap();
    assert_eq!((complaint, store.payload().as_deref()), (None, Some("checkpoint 1")));
    let held = store.view().fingerprints().unwrap();
    assert_eq!((held.len(), held[&key(0)], held[&key(1)]), (2, 10, 11));

    store.delete(key(0)).unwrap();
    store.add(key(0), 20, &entry(0, "changed text")).unwrap();
    store.delete(key(1)).unwrap();
    store.commit("checkpoint 2\nof two lines").unwrap();
    let view = store.view();
    assert_eq!(view.fingerprints().unwrap().len(), 1);
    assert_eq!(view.texts(&[key(1), key(0)], None).unwrap(), [None, Some("changed text".into())]);

    let (reading, payload) = KeywordView::open(dir.path()).unwrap();
    assert_eq!(payload.as_deref(), Some("checkpoint 2\nof two lines"));
    assert_eq!(reading.len(), 1);
}

#[test]
fn a_second_writer_is_told_that_the_index_is_busy() {
    let dir = tempfile::tempdir().unwrap();
    let (_store, _) = KeywordStore::open(dir.path()).unwrap();
    assert!(matches!(KeywordStore::open(dir.path()), Err(IndexError::Busy { .. })));
    assert!(KeywordView::open(dir.path()).is_ok());
}

#[test]
fn everything_can_be_deleted_unless_somebody_writes() {
    let dir = tempfile::tempdir().unwrap();
    KeywordStore::delete_all(&dir.path().join("nowhere")).unwrap();
    let (mut store, _) = KeywordStore::open(dir.path()).unwrap();
    store.add(key(0), 1, &entry(0, "words")).unwrap();
    store.commit("1").unwrap();
    assert!(matches!(KeywordStore::delete_all(dir.path()), Err(IndexError::Busy { .. })));
    store.close().unwrap();
    KeywordStore::delete_all(dir.path()).unwrap();
    let (store, complaint) = KeywordStore::open(dir.path()).unwrap();
    assert_eq!((complaint, store.payload()), (None, None));
}

#[test]
fn a_lock_that_a_starting_program_holds_for_a_moment_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _) = KeywordStore::open(dir.path()).unwrap();
    let mut held = Some(store);
    let mut pauses = 0;
    let pause = || {
        pauses += 1;
        if pauses == 3 {
            held.take().unwrap().close().unwrap();
        }
    };
    super::store::clear(dir.path(), pause).unwrap();
    assert_eq!(pauses, 3);
    assert!(!dir.path().join("meta.json").exists());
}

#[test]
fn a_damaged_or_older_index_is_made_anew_and_says_so() {
    let fill = |dir: &std::path::Path| {
        let (mut store, _) = KeywordStore::open(dir).unwrap();
        store.add(key(0), 1, &entry(0, "some words of an entry")).unwrap();
        store.commit("1").unwrap();
    };
    let segment_files = |dir: &std::path::Path| {
        let paths = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
        paths.filter(|path| path.file_stem().is_some_and(|stem| stem.len() == 32)).collect::<Vec<_>>()
    };
    let harms: [&dyn Fn(&std::path::Path); 5] = [
        &|dir| fs::write(dir.join("meta.json"), b"{").unwrap(),
        &|dir| {
            let text = fs::read_to_string(dir.join("meta.json")).unwrap();
            fs::write(dir.join("meta.json"), text.replace("kioku words", "kioku w0rds")).unwrap();
        },
        &|dir| segment_files(dir).iter().for_each(|path| fs::write(path, b"").unwrap()),
        &|dir| segment_files(dir).iter().for_each(|path| fs::write(path, [7; 100]).unwrap()),
        &|dir| segment_files(dir).iter().for_each(|path| fs::remove_file(path).unwrap()),
    ];
    for (number, harm) in harms.iter().enumerate() {
        let dir = tempfile::tempdir().unwrap();
        fill(dir.path());
        harm(dir.path());
        assert!(matches!(KeywordView::open(dir.path()), Err(IndexError::Damaged { .. })), "harm {number}");
        let (mut store, complaint) = KeywordStore::open(dir.path()).unwrap();
        assert!(complaint.is_some_and(|words| words.contains("made anew")), "harm {number}");
        assert_eq!((store.payload(), store.view().len()), (None, 0));
        store.add(key(0), 1, &entry(0, "words again")).unwrap();
        store.commit("2").unwrap();
        assert_eq!(store.view().len(), 1);
    }
}

/// An index with one entry, with the stamp of another version of kioku.
fn index_of_format(dir: &Path, format: u32) -> String {
    let (mut store, _) = KeywordStore::open(dir).unwrap();
    store.add(key(0), 1, &entry(0, "some words")).unwrap();
    store.commit("1").unwrap();
    store.close().unwrap();
    let path = dir.join("meta.json");
    let text = fs::read_to_string(&path).unwrap();
    let other = text.replace(&format!("kioku words {FORMAT}"), &format!("kioku words {format}"));
    assert_ne!(text, other);
    fs::write(&path, &other).unwrap();
    other
}

#[test]
fn an_index_of_an_older_version_is_made_anew_without_a_word() {
    let dir = tempfile::tempdir().unwrap();
    index_of_format(dir.path(), FORMAT - 1);
    assert!(matches!(KeywordView::open(dir.path()), Err(IndexError::Damaged { .. })), "not read as it is");
    let (store, complaint) = KeywordStore::open(dir.path()).unwrap();
    assert_eq!((complaint, store.payload(), store.view().len()), (None, None, 0));
}

#[test]
fn an_index_of_a_newer_version_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let newer = index_of_format(dir.path(), FORMAT + 1);
    assert!(matches!(KeywordView::open(dir.path()), Err(IndexError::Newer { .. })));
    assert!(matches!(KeywordStore::open(dir.path()), Err(IndexError::Newer { .. })));
    assert_eq!(fs::read_to_string(dir.path().join("meta.json")).unwrap(), newer);
}

#[test]
fn fresh_entries_win_over_their_older_state_and_are_ranked_with_the_rest() {
    let mut list = entries(&["tea with linh", "coffee with linh", "tea alone", "more tea"]);
    let old = Journal::of(list.clone());
    list[1].body = "now about tea and a dragon".into();
    list.push(entry(4, "dragon"));
    let fresh = KeywordView::in_memory([(key(1), &list[1]), (key(4), &list[4])]).unwrap();
    let now = Journal::of(list);
    let both = |text| {
        let found = old.view.find(&words(text), &now.scope, 10, Some(&fresh)).unwrap();
        (found.hits.into_iter().map(|hit| hit.key).collect::<Vec<_>>(), found.total)
    };
    assert_eq!(both("coffee"), (vec![], 0), "the older state is gone");
    assert_eq!(both("dragon"), (vec![key(4), key(1)], 2));
    let (found, total) = both("linh");
    assert_eq!((found, total), (vec![key(0)], 1));
    assert_eq!(both("tea").1, 4);
    let alone = now.find(&words("tea dragon"));
    assert_eq!(
        both("tea dragon").0[..2],
        alone[..2].iter().map(|at| key(*at)).collect::<Vec<_>>(),
        "as if it were one index"
    );
}

#[test]
fn an_empty_view_answers_nothing() {
    let none = journal(&[]);
    assert!(none.find(&words("anything")).is_empty());
    let some = journal(&["anything"]);
    let found = none.view.find(&words("anything"), &some.scope, 5, Some(&some.view)).unwrap();
    assert_eq!(found.total, 1);
}
