use std::{ops::Range, sync::Arc};

use jiff::{Timestamp, civil, civil::date};
use proptest::prelude::*;

use super::*;
use crate::{
    extract::{Extract, Mention, MentionSource, Relation, extract},
    index::{Catalog, CatalogEntry, Scope},
    journal::{BodyHash, EntityNote, Entry, EntryTime, Place},
};

fn entry(name: &str, day: civil::Date, body: &str) -> Entry {
    Entry {
        id: name.into(),
        time: EntryTime { written: day.to_string(), at: Timestamp::UNIX_EPOCH, offset_seconds: 0 },
        day,
        mood: None,
        tags: Vec::new(),
        event_time: None,
        body: body.into(),
        hash: BodyHash::of(body.as_bytes()),
        extra: Vec::new(),
        place: Place { file: Arc::from("x.md"), position: 0, bytes: 0..0 },
    }
}

/// A store with these texts, on the days from 1 January 2026, and a scope of all of them.
fn journal(bodies: &[&str]) -> (Arc<GraphView>, Scope) {
    let bodies = bodies.iter().enumerate();
    journal_of(&bodies.map(|(at, body)| entry(&at.to_string(), date(2026, 1, 1 + at as i8), body)).collect::<Vec<_>>())
}

fn journal_of(entries: &[Entry]) -> (Arc<GraphView>, Scope) {
    let (mut store, complaint) = GraphStore::open(std::path::Path::new("nowhere"), None);
    assert_eq!(complaint, None);
    for (at, entry) in entries.iter().enumerate() {
        store.set(EntryKey::of(&entry.id), at as u64, entry.day, extract(entry));
    }
    let catalog: Vec<_> = entries.iter().map(CatalogEntry::of).collect();
    (store.view(), Scope::all(Arc::new(Catalog::new(catalog, Vec::new(), Vec::new()))))
}

fn key(at: usize) -> EntryKey {
    EntryKey::of(&at.to_string().as_str().into())
}

fn one(view: &GraphView, name: &str) -> EntityRef {
    let found = view.by_name(name);
    assert_eq!(found.len(), 1, "{name}: {found:?}");
    found[0]
}

/// Text form of everything in a view, for comparison.
fn extracted(view: &GraphView) -> String {
    let mut text = String::new();
    let name = |entity: EntityRef| format!("{} ({})", view.entity(entity).name, view.entity(entity).kind.word());
    for (at, entity) in view.entities().iter().enumerate() {
        let entity_ref = EntityRef(at as u32);
        text += &format!("{entity:?}\n  in {:?}\n", view.entries(entity_ref));
        for edge in view.edges(entity_ref) {
            text += &format!("  {} -{}-> {} {:?}\n", name(edge.source), edge.verb, name(edge.target), edge.evidence);
        }
        text += &format!("  named {:?} beside {:?}\n", view.by_name(&entity.name), view.neighbours(entity_ref));
    }
    for (_, key) in &view.rows {
        text += &format!("{key:?}: {:?}\n", view.of_entry(*key));
    }
    text
}

#[test]
fn a_name_at_the_beginning_of_a_sentence_counts_where_it_is_known_elsewhere() {
    let (view, _) = journal(&["Linh came. Sushi for all.", "lunch with Linh", "Thanked Linh for it."]);
    let linh = one(&view, "linh");
    assert_eq!(view.entries(linh), [key(0), key(1), key(2)]);
    assert_eq!(view.entity(linh).mentions, 3);
    assert_eq!((view.entity(linh).first_seen, view.entity(linh).days), (date(2026, 1, 1), 3));
    assert!(view.by_name("Sushi").is_empty() && view.by_name("Thanked Linh").is_empty());
}

#[test]
fn of_two_readings_the_longer_known_one_is_meant() {
    let (view, _) = journal(&["Văn An đến.", "gặp Văn An và An", "Văn An về."]);
    assert_eq!(view.entries(one(&view, "văn an")), [key(0), key(1), key(2)]);
    assert_eq!(view.entries(one(&view, "an")), [key(1)]);
}

#[test]
fn a_kind_is_only_what_somewhere_was_stated() {
    let (view, _) = journal(&[
        "with Hùng at Hồ Gươm",
        "@Hùng again, about #Rust",
        "we wrote Rust, she felt Joy",
        "mood:: joy",
        "[[Joy]] and [[Hồ Gươm (place)]]",
    ]);
    let kinds = |name| view.by_name(name).into_iter().map(|e| view.entity(e).kind).collect::<Vec<_>>();
    assert_eq!(kinds("Hùng"), [EntityKind::Person]);
    assert_eq!(view.entity(one(&view, "Hùng")).mentions, 2);
    assert_eq!(kinds("Hồ Gươm"), [EntityKind::Place]);
    assert_eq!(view.entity(one(&view, "Hồ Gươm")).mentions, 2);
    assert_eq!(kinds("Rust"), [EntityKind::Topic]);
    assert_eq!(kinds("Joy"), [EntityKind::Emotion, EntityKind::Topic], "a capital is no feeling, a link may be");
}

#[test]
fn a_title_speaks_for_a_name_unless_it_is_the_exception() {
    let (view, _) = journal(&[
        "saw Mr. Stone and Dr. Chen",
        "the Stone, a Stone, our Stone; Stone too. and the Stone",
        "Chen wrote. then Chen called",
    ]);
    let kind = |name| view.entity(one(&view, name)).kind;
    assert_eq!((kind("Stone"), kind("Chen")), (EntityKind::Topic, EntityKind::Person));
    assert_eq!(view.entity(one(&view, "Chen")).mentions, 3);
}

#[test]
fn married_people_of_one_surname_are_two_and_the_surname_alone_is_the_only_one() {
    let (view, _) = journal(&[
        "At Mrs Tait's this morning. Mr. Tait was out.",
        "Mrs Gilhooly's son called. Then Gilhooly phoned an hour later",
    ]);
    let of = |name| view.entity(one(&view, name)).mentions;
    assert_eq!((of("Mrs Tait"), of("Mr Tait"), of("Mrs Gilhooly")), (1, 1, 2));
    assert_eq!(view.by_name("Tait"), []);
}

#[test]
fn an_office_is_somebody_and_a_title_alone_is_nobody() {
    let (view, _) = journal(&[
        "saw the King and my Lady, with the Captain",
        "by the King, and Captain Holt and Lady Anne",
        "the House sat, and the Parliament too",
        "to the House again, over the Hải Vân pass on my Honda",
    ]);
    let kinds = |name| view.by_name(name).into_iter().map(|e| view.entity(e).kind).collect::<Vec<_>>();
    assert_eq!((kinds("King"), kinds("Parliament")), (vec![EntityKind::Person], vec![EntityKind::Organization]));
    assert_eq!((kinds("Captain Holt"), kinds("Lady Anne")), (vec![EntityKind::Person], vec![EntityKind::Person]));
    assert_eq!((kinds("Lady"), kinds("Captain"), kinds("House")), (vec![], vec![], vec![]));
    assert_eq!((kinds("Hải Vân"), kinds("Honda")), (vec![EntityKind::Place], vec![EntityKind::Product]));
}

#[test]
fn homonyms_of_different_kinds_stay_apart() {
    let (view, _) = journal(&[
        "@Washington called",
        "flew to [[Washington (place)]]",
        "read about Washington. Washington was cold.",
        "#washington",
    ]);
    let found: Vec<_> =
        view.by_name("washington").into_iter().map(|e| (view.entity(e).kind, view.entries(e))).collect();
    assert_eq!(found.len(), 3);
    assert!(found.contains(&(EntityKind::Person, vec![key(0)])));
    assert!(found.contains(&(EntityKind::Place, vec![key(1)])));
    assert!(found.contains(&(EntityKind::Topic, vec![key(2), key(3)])), "nobody can say which one is meant");
}

#[test]
fn what_stands_around_a_name_votes_for_its_kind() {
    let (view, _) = journal(&[
        "a walk around Zorb",
        "we met near Zorb",
        "dinner with Quill, Quill laughed",
        "Zorb in the rain",
        "a letter about Nim",
        "she works at Quarn. then Quarn called",
    ]);
    let kind = |name| view.entity(one(&view, name)).kind;
    assert_eq!((kind("Zorb"), kind("Quill")), (EntityKind::Place, EntityKind::Person));
    assert_eq!(kind("Nim"), EntityKind::Topic, "nothing is said");
    assert_eq!(kind("Quarn"), EntityKind::Topic, "no majority");
}

#[test]
fn a_name_in_lower_case_counts_where_the_journal_knows_it() {
    let (view, _) = journal(&["coffee with zorb", "saw @Zorb", "coffee with quillon"]);
    assert_eq!(view.entries(one(&view, "zorb")), [key(0), key(1)]);
    assert!(view.by_name("quillon").is_empty());
}

#[test]
fn a_phrase_is_a_topic_where_the_journal_comes_back_to_it() {
    let mut bodies =
        vec!["watered the orchids", "bought soil for the orchids", "my orchid has a flower", "mended the fence"];
    bodies.extend(["nothing"; 16]);
    let (view, _) = journal(&bodies);
    let orchid = one(&view, "orchid");
    assert_eq!(view.entries(orchid), [key(0), key(1), key(2)]);
    assert_eq!(view.entity(orchid).kind, EntityKind::Topic);
    assert!(view.by_name("fence").is_empty());
}

#[test]
fn ordinary_words_are_entities_but_no_names_in_a_question() {
    let (view, scope) = journal(&[
        "I was sad because of the interview with Linh",
        "mood:: calm",
        "so sad again. Mom called",
        "Linh and nobody else",
    ]);
    let named =
        |text: &str| view.named_in(text).into_iter().map(|(e, _)| view.entity(e).name.clone()).collect::<Vec<_>>();
    assert_eq!(named("was I sad or calm before the interview, asked mom"), ["calm"]);
    assert_eq!(view.entity(one(&view, "sad")).kind, EntityKind::Emotion);
    let causes = view.edges(one(&view, "sad"));
    let interview = causes.iter().find(|edge| edge.source == one(&view, "interview")).unwrap();
    assert_eq!((interview.kind, interview.evidence[0].weight), (RelationKind::Causal, 1.0));
    let hits: Vec<_> = view.search(&view.by_name("Linh"), &scope, 10).into_iter().map(|hit| hit.key).collect();
    assert_eq!(hits, [key(3), key(0)], "a feeling leads nowhere else");
}

#[test]
fn accents_tell_people_apart_but_a_query_may_leave_them_out() {
    let (view, _) = journal(&["with Hùng", "with Hưng", "with Hùng and @Đức"]);
    assert_eq!(view.entities().len(), 3);
    assert_eq!(view.by_name("hung").len(), 2);
    assert_eq!(view.entity(one(&view, "HƯNG")).name, "Hưng");
    assert_eq!(view.entity(one(&view, "duc")).name, "Đức");
}

#[test]
fn names_are_found_in_a_question_longest_first() {
    let (view, _) = journal(&[
        "on Project X with Will Smith",
        "the Project of May",
        "by @may and #café",
        "in 日記 [[日記]]",
        "@Chi, @Chị",
    ]);
    let named = |text: &str| -> Vec<(String, String)> {
        let found = view.named_in(text).into_iter();
        found.map(|(entity, range)| (view.entity(entity).name.clone(), text[range].to_owned())).collect()
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(named("why did project x fail?"), [pair("Project X", "project x")]);
    assert_eq!(named("what will smith's PROJECT be"), [pair("Will Smith", "will smith"), pair("Project", "PROJECT")]);
    assert_eq!(named("did it rain in may"), []);
    assert_eq!(named("chị May"), [pair("may", "May")]);
    assert_eq!(named("what did May say at the cafe"), [pair("may", "May"), pair("café", "cafe")]);
    assert_eq!(named("私の日記を読む"), [pair("日記", "日記")]);
    assert_eq!(named("projects"), []);
}

#[test]
fn stated_relations_keep_every_quote() {
    let bodies = ["mood:: stressed\ntrigger:: [[Deadline]]", "calm", "mood:: stressed\n\ntrigger:: [[Deadline]]"];
    let (view, _) = journal(&bodies);
    let edges = view.edges(one(&view, "deadline"));
    assert_eq!(edges.len(), 1);
    assert_eq!(view.entity(edges[0].target).name, "stressed");
    let quotes: Vec<_> = edges[0].evidence.iter().map(|e| (e.entry, e.span.clone())).collect();
    assert_eq!(quotes, [(key(0), 16..38), (key(2), 17..39)]);
    assert_eq!(&bodies[2][17..39], "trigger:: [[Deadline]]");
    assert_eq!(view.edges(edges[0].target), edges);
}

#[test]
fn entries_with_all_names_come_first_then_the_rarer_then_the_company() {
    let (view, scope) = journal(&[
        "with Hùng on Project X",
        "with Hùng",
        "on Project X with @Mai",
        "with Hùng",
        "saw @Mai",
        "nobody at all",
        "with Hùng",
    ]);
    let seeds = [one(&view, "Hùng"), one(&view, "Project X")];
    let hits = view.search(&seeds, &scope, 10);
    let keys: Vec<_> = hits.iter().map(|hit| hit.key).collect();
    assert_eq!(keys, [key(0), key(2), key(6), key(3), key(1), key(4)]);
    assert_eq!(hits[0].score, 0.5, "named in the text, not in the head");
    let direct = view.direct(&seeds, &[key(0), key(4)]);
    assert_eq!(direct[0], Some((hits[0].score, "Project X".to_owned())), "the rarer name is the reason");
    assert_eq!(direct[1], None, "company is not what an entry says itself");
    assert_eq!(hits[5].path, ["Project X", "Mai"]);
    assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert_eq!(view.search(&seeds, &scope, 2).len(), 2);
    assert!(view.search(&[], &scope, 10).is_empty());
}

#[test]
fn a_name_in_the_head_says_more_than_one_in_passing() {
    let mut tagged = entry("0", date(2026, 1, 1), "by the river");
    tagged.tags = vec!["Hùng".to_owned()];
    let passing = entry("1", date(2026, 1, 2), "a call from Hùng by the river");
    let (view, scope) = journal_of(&[tagged, passing]);
    let scores: Vec<_> =
        view.search(&view.by_name("Hùng"), &scope, 10).iter().map(|hit| (hit.key, hit.score)).collect();
    assert_eq!(scores, [(key(0), 1.0), (key(1), 0.5)]);
}

#[test]
fn a_filter_is_kept_before_the_cut() {
    let bodies: Vec<String> = (0..28).map(|at| format!("with Hùng {at}")).collect();
    let (view, scope) = journal(&bodies.iter().map(String::as_str).collect::<Vec<_>>());
    let only = Scope::filtered(scope.catalog().clone(), |entry| entry.day == date(2026, 1, 3));
    let hits = view.search(&view.by_name("hung"), &only, 1);
    assert_eq!(hits.iter().map(|hit| hit.key).collect::<Vec<_>>(), [key(2)]);
}

#[test]
fn neighbours_are_those_of_the_same_entries() {
    let (view, _) = journal(&["with Hùng and Mai", "Mai met @Lan", "[[Lan]] teaches:: [[Tom]]", "saw @Alone"]);
    let [hung, mai, lan] = ["Hùng", "Mai", "Lan"].map(|name| one(&view, name));
    let company: std::collections::BTreeSet<_> = view.neighbours(mai).into_iter().collect();
    assert_eq!(company, [(hung, 1), (lan, 1)].into());
}

#[test]
fn a_damaged_file_gives_an_empty_store_and_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = GraphStore::open(dir.path(), None);
    let entry = entry("a", date(2026, 1, 1), "with Hùng, mood:: x\n[[A]] likes:: [[B]]");
    store.set(EntryKey(1), 7, entry.day, extract(&entry));
    store.save(3).unwrap();
    let (mut again, complaint) = GraphStore::open(dir.path(), Some(3));
    assert_eq!(complaint, None);
    assert_eq!(again.fingerprints(), store.fingerprints());
    assert_eq!(extracted(&again.view()), extracted(&store.view()));

    let path = dir.path().join("graph-3");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let (damaged, complaint) = GraphStore::open(dir.path(), Some(3));
    assert!(damaged.fingerprints().is_empty());
    assert!(complaint.unwrap().contains("rebuilt"));
    assert!(GraphStore::open(dir.path(), Some(9)).1.is_some(), "a missing file is said, too");
}

fn store_extract(text: &str) -> Extract {
    extract(&entry("3", date(2026, 1, 1), text))
}

#[test]
fn a_view_that_was_kept_is_the_one_that_would_be_decided_and_nothing_hangs_on_it() {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = GraphStore::open(dir.path(), None);
    let texts = ["with Hùng, mood:: x\n[[A]] likes:: [[B]]", "I was tired because of Project X. @Hùng", "[[A]] helped"];
    for (at, text) in texts.iter().enumerate() {
        let entry = entry(&at.to_string(), date(2026, 1, 1 + at as i8), text);
        store.set(EntryKey(at as u64), 7 + at as u64, entry.day, extract(&entry));
    }
    let note =
        |name: &str| EntityNote { file: format!("{name}.md"), name: name.into(), hidden: true, ..Default::default() };
    let hidden = |name: &str| Curation::of(vec![note(name)]);
    store.curate(hidden("B"));
    store.save(3).unwrap();
    let opened = |curation: Curation| {
        let (mut again, complaint) = GraphStore::open(dir.path(), Some(3));
        again.curate(curation);
        assert_eq!((complaint, again.fingerprints()), (None, store.fingerprints()));
        assert_eq!(again.fingerprint(EntryKey(1)), Some(8));
        again
    };
    let expected = extracted(&store.view_under(&hidden("B")));
    assert_eq!(extracted(&opened(hidden("B")).view()), expected);
    assert_eq!(
        extracted(&opened(hidden("A")).view()),
        extracted(&store.view_under(&hidden("A"))),
        "under another curation"
    );

    let mut changed = opened(hidden("B"));
    changed.remove(EntryKey(2));
    changed.save(4).unwrap();
    store.remove(EntryKey(2));
    store.save(5).unwrap();
    assert_eq!(extracted(&changed.view()), extracted(&store.view()));
    let file = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert_eq!(file("graph-4"), file("graph-5"), "what was opened and changed is filed as what was never closed");

    let kept = dir.path().join("connections-4");
    let sound = std::fs::read(&kept).unwrap();
    for at in (0..sound.len()).step_by(5) {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&kept, bytes).unwrap();
        let (mut again, complaint) = GraphStore::open(dir.path(), Some(4));
        again.curate(hidden("B"));
        assert_eq!(
            (complaint, again.fingerprints(), extracted(&again.view())),
            (None, store.fingerprints(), extracted(&store.view())),
            "byte {at}"
        );
    }
    std::fs::write(&kept, &sound).unwrap();

    let counts = dir.path().join("counts-4");
    let sound = std::fs::read(&counts).unwrap();
    store.set(EntryKey(3), 3, date(2026, 1, 1), store_extract("with Hùng and Project X"));
    let cut = (0..sound.len()).step_by(11).map(|at| sound[..at].to_vec());
    let flipped = (0..sound.len()).step_by(5).map(|at| {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        bytes
    });
    for (nth, bytes) in cut.chain(flipped).enumerate() {
        std::fs::write(&counts, bytes).unwrap();
        let (mut again, complaint) = GraphStore::open(dir.path(), Some(4));
        again.curate(hidden("B"));
        again.set(EntryKey(3), 3, date(2026, 1, 1), store_extract("with Hùng and Project X"));
        assert_eq!((complaint, extracted(&again.view())), (None, extracted(&store.view())), "damage {nth}");
    }
    std::fs::remove_file(&counts).unwrap();
    let (mut without, _) = GraphStore::open(dir.path(), Some(4));
    without.set(EntryKey(3), 3, date(2026, 1, 1), store_extract("with Hùng and Project X"));
    without.curate(hidden("B"));
    assert_eq!(extracted(&without.view()), extracted(&store.view()));
    let (gone, _) = GraphStore::open(dir.path(), Some(4));
    std::fs::write(dir.path().join("graph-4"), "other").unwrap();
    assert!(!gone.is_whole(), "what was damaged after it was opened is noticed before it is changed");
}

fn any_extract() -> impl Strategy<Value = Extract> {
    let names = vec!["Linh", "linh", "Hùng", "Hưng", "HÙNG", "Met Linh", "Project X", "project_x", "joy", "Joy", "An"];
    let name = prop::sample::select(names);
    let kind = prop::sample::select(vec![
        None,
        None,
        Some(EntityKind::Person),
        Some(EntityKind::Place),
        Some(EntityKind::Topic),
        Some(EntityKind::Emotion),
    ]);
    let source = prop::sample::select(vec![
        MentionSource::Tag,
        MentionSource::At,
        MentionSource::Link,
        MentionSource::Field,
        MentionSource::Mood,
        MentionSource::Capitals,
        MentionSource::SentenceStart,
        MentionSource::SentenceStart,
        MentionSource::LowerCase,
        MentionSource::Feeling,
        MentionSource::Event,
        MentionSource::Phrase,
        MentionSource::Cause,
        MentionSource::Clause,
    ]);
    let mention = (name.clone(), kind.clone(), kind, source, 0u32..40, 0u32..12).prop_map(
        |(name, kind, guess, source, start, length)| Mention {
            name: name.to_owned(),
            kind: kind.filter(|_| source != MentionSource::SentenceStart),
            guess,
            span: start..start + length,
            source,
        },
    );
    let relation = (name.clone(), name, prop::sample::select(vec!["trigger", "Trigger", "likes"]), 0u32..40);
    let relation = relation.prop_map(|(source, target, verb, start)| Relation {
        source: source.to_owned(),
        target: target.to_owned(),
        kind: RelationKind::Causal,
        verb: verb.to_owned(),
        evidence: start..start + 5,
        weight: 1.0,
        event_time: None,
        clauses: [0..0, 0..0],
        effect: 0..0,
        cause: 0..0,
    });
    (prop::collection::vec(mention, 0..6), prop::collection::vec(relation, 0..3)).prop_map(
        |(mut mentions, relations)| {
            mentions.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));
            Extract { mentions, relations, ..Extract::default() }
        },
    )
}

type Change = (u64, Option<(i8, Extract)>);

fn any_history() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec((0u64..6, prop::option::weighted(0.8, (1i8..4, any_extract()))), 0..16)
}

proptest! {
    // Each case writes two files durably.
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_history_equals_a_rebuild_and_survives_the_file(history in any_history()) {
        let dir = tempfile::tempdir().unwrap();
        let (mut lived, _) = GraphStore::open(dir.path(), None);
        let mut present = std::collections::BTreeMap::new();
        for (at, (key, change)) in history.into_iter().enumerate() {
            match change {
                Some((day, extract)) => {
                    lived.set(EntryKey(key), at as u64, date(2026, 1, day), extract.clone());
                    present.insert(key, (at as u64, date(2026, 1, day), extract));
                }
                None => {
                    lived.remove(EntryKey(key));
                    present.remove(&key);
                }
            }
            if at % 3 == 0 {
                lived.view();
            }
            if at % 5 == 4 {
                lived.save(3).unwrap();
                (lived, _) = GraphStore::open(dir.path(), Some(3));
            }
        }
        let (mut rebuilt, _) = GraphStore::open(dir.path(), None);
        for (key, (fingerprint, day, extract)) in present.into_iter().rev() {
            rebuilt.set(EntryKey(key), fingerprint, day, extract);
        }
        prop_assert_eq!(lived.fingerprints(), rebuilt.fingerprints());
        prop_assert_eq!(extracted(&lived.view()), extracted(&rebuilt.view()));

        lived.save(1).unwrap();
        rebuilt.save(2).unwrap();
        let file = |checkpoint: u32| std::fs::read(dir.path().join(format!("graph-{checkpoint}"))).unwrap();
        prop_assert_eq!(file(1), file(2));
        let (mut loaded, complaint) = GraphStore::open(dir.path(), Some(1));
        prop_assert_eq!(complaint, None);
        prop_assert_eq!(extracted(&loaded.view()), extracted(&rebuilt.view()));
    }

    #[test]
    fn any_question_is_read_within_its_bytes(text in "\\PC{0,40}", name in "\\PC{1,8}") {
        let (mut store, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
        let span: Range<u32> = 0..1;
        let mention = Mention { name: name.clone(), kind: None, guess: None, span, source: MentionSource::Link };
        store.set(EntryKey(1), 1, date(2026, 1, 1), Extract { mentions: vec![mention], ..Extract::default() });
        let view = store.view();
        for (_, range) in view.named_in(&text) {
            prop_assert!(text.get(range).is_some());
        }
        let composed: String = unicode_normalization::UnicodeNormalization::nfc(name.as_str()).collect();
        let has_words = super::names::folded_words(&composed).next().is_some();
        prop_assert_eq!(view.by_name(&name).len(), usize::from(has_words));
    }
}

/// A journal of `entries` entries with three names each, with skewed frequencies: one name is in every other entry.
fn large(entries: u64, dir: &std::path::Path) -> (GraphStore, Scope) {
    let mut state = 88_172_645_463_325_252u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let (mut store, _) = GraphStore::open(dir, None);
    let mut catalog = Vec::new();
    for number in 0..entries {
        let day = date(2000, 1, 1).saturating_add(jiff::Span::new().days((number / 10) as i64));
        let mut mentions = Vec::new();
        for place in 0..3u32 {
            let name = match (place, random() % 2) {
                (0, 0) => "Hub".to_owned(),
                _ => {
                    let unit = (random() % 1_000_000) as f64 / 1e6;
                    format!("Name {}", (unit * unit * unit * 20_000.0) as u64)
                }
            };
            let span = place * 10..place * 10 + 5;
            mentions.push(Mention { name, kind: None, guess: None, span, source: MentionSource::Capitals });
        }
        let relations = if number % 50 == 0 {
            let (source, target) = (mentions[1].name.clone(), mentions[2].name.clone());
            vec![Relation {
                source,
                target,
                kind: RelationKind::Topical,
                verb: "knows".into(),
                evidence: 0..20,
                weight: 1.0,
                event_time: None,
                clauses: [0..0, 0..0],
                effect: 0..0,
                cause: 0..0,
            }]
        } else {
            Vec::new()
        };
        let mut entry = entry(&number.to_string(), day, "");
        entry.time.at = Timestamp::from_second(number as i64).unwrap();
        let key = EntryKey::of(&entry.id);
        store.set(key, number, day, Extract { mentions, relations, ..Extract::default() });
        catalog.push(CatalogEntry::of(&entry));
    }
    (store, Scope::all(Arc::new(Catalog::new(catalog, Vec::new(), Vec::new()))))
}

#[test]
#[ignore = "measures speed: run alone, optimised"]
fn speed() {
    use std::time::{Duration, Instant};
    // CPU time where the system reports it: other programs do not distort it.
    fn clock(start: Instant) -> Duration {
        let extracted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let ran = extracted.and_then(|extracted| extracted.split(' ').next()?.parse().ok());
        ran.map_or_else(|| start.elapsed(), Duration::from_nanos)
    }
    fn mean<T>(rounds: u32, mut work: impl FnMut() -> T) -> Duration {
        let origin = Instant::now();
        let start = clock(origin);
        for _ in 0..rounds {
            std::hint::black_box(work());
        }
        (clock(origin) - start) / rounds
    }
    let dir = tempfile::tempdir().unwrap();
    let (mut store, scope) = large(100_000, dir.path());
    let view = store.view();
    println!("{} entities, {} mentions", view.entities().len(), view.mentions.all().len());
    let empty = || Extract::default();
    println!(
        "view after a change   {:?}",
        mean(5, || {
            store.set(EntryKey(1), 1, date(2020, 1, 1), empty());
            store.view()
        })
    );
    println!("save                  {:?}", mean(3, || store.save(1)));
    println!("open                  {:?}", mean(3, || GraphStore::open(dir.path(), Some(1))));
    let hub = one(&view, "hub");
    let rare = one(&view, "name 19000");
    let narrow = Scope::filtered(scope.catalog().clone(), |entry| entry.day.year() == 2003);
    for (what, seeds) in [("hub", vec![hub]), ("rare", vec![rare]), ("both", vec![hub, rare])] {
        println!("search {what:5}          {:?}", mean(500, || view.search(&seeds, &scope, 100)));
        println!("search {what:5} in a year {:?}", mean(500, || view.search(&seeds, &narrow, 100)));
    }
    let question = "why was I so tired after the meeting with name 17 and the hub about name 12345 last week";
    println!("named_in              {:?}", mean(20_000, || view.named_in(question)));
    println!("neighbours of the hub {:?}", mean(50, || view.neighbours(hub)));
}

#[test]
fn what_was_opened_stays_whole_when_the_files_of_its_generation_go() {
    let dir = tempfile::tempdir().unwrap();
    let (mut store, _) = GraphStore::open(dir.path(), None);
    for at in 0..4 {
        let entry = entry(&at.to_string(), date(2026, 1, 1 + at), "with Hùng\n[[A]] likes:: [[B]]");
        store.set(EntryKey(at as u64), 1, entry.day, extract(&entry));
    }
    store.save(3).unwrap();
    let hidden = EntityNote { file: "A.md".into(), name: "A".into(), hidden: true, ..Default::default() };
    let hidden = Curation::of(vec![hidden]);
    // One store that saves a checkpoint itself, and one that only reads while the other saves.
    let (mut own, _) = GraphStore::open(dir.path(), Some(3));
    let (reader, _) = GraphStore::open(dir.path(), Some(3));
    own.save(4).unwrap();
    own.tidy(4);
    for store in ["graph", "connections", "counts"] {
        let exists = |checkpoint| dir.path().join(format!("{store}-{checkpoint}")).exists();
        assert!(!exists(3) && exists(4), "{store}");
    }
    for graph in [&own, &reader] {
        assert_eq!(extracted(&graph.view_under(&hidden)), extracted(&store.view_under(&hidden)));
        assert!(graph.is_whole());
    }
    own.curate(hidden);
    own.remove(EntryKey(0));
    own.save(5).unwrap();
    assert_eq!(GraphStore::open(dir.path(), Some(5)).0.fingerprints().len(), 3);
}
