use jiff::civil::date;
use proptest::prelude::*;

use super::{names::identity, *};
use crate::{
    extract::{Extract, Mention, MentionSource, Relation},
    index::EntryKey,
    journal::{EntityNote, EntryId, Verdict},
};

/// The content of one entry: names with their source and kind, and relations.
type Said<'a> = (&'a [(&'a str, MentionSource, Option<EntityKind>)], &'a [(&'a str, &'a str)]);

const PERSON: Option<EntityKind> = Some(EntityKind::Person);
const PLACE: Option<EntityKind> = Some(EntityKind::Place);

fn extract(said: Said<'_>) -> Extract {
    let mention = |(at, (name, source, kind)): (usize, &(&str, MentionSource, Option<EntityKind>))| Mention {
        name: (*name).to_owned(),
        kind: *kind,
        guess: None,
        span: at as u32 * 10..at as u32 * 10 + 5,
        source: *source,
    };
    let relation = |(at, (source, target)): (usize, &(&str, &str))| Relation {
        source: (*source).to_owned(),
        target: (*target).to_owned(),
        kind: RelationKind::Causal,
        verb: "trigger".to_owned(),
        evidence: at as u32 * 10..at as u32 * 10 + 8,
        weight: 1.0,
        event_time: None,
        clauses: [0..0, 0..0],
        effect: 0..0,
        cause: 0..0,
    };
    Extract {
        mentions: said.0.iter().enumerate().map(mention).collect(),
        relations: said.1.iter().enumerate().map(relation).collect(),
        ..Extract::default()
    }
}

fn key(at: usize) -> EntryKey {
    EntryKey::of(&EntryId::from(at.to_string().as_str()))
}

fn store(entries: &[Said<'_>]) -> GraphStore {
    let (mut store, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
    for (at, said) in entries.iter().enumerate() {
        store.set(key(at), at as u64, date(2026, 1, 1 + at as i8), extract(*said));
    }
    store
}

fn note(name: &str, kind: Option<EntityKind>) -> EntityNote {
    let homonym = kind.map(|kind| format!(" ({})", kind.word())).unwrap_or_default();
    EntityNote { file: format!("{name}{homonym}.md"), name: name.to_owned(), kind, ..EntityNote::default() }
}

fn names(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

/// `Hùng person 3 [0, 1, 2]` for each entity.
fn listed(view: &GraphView) -> Vec<String> {
    let line = |entity: EntityRef| {
        let known = view.entity(entity);
        let at = |entry: EntryKey| (0..100).find(|at| key(*at) == entry).unwrap();
        let entries: Vec<usize> = view.entries(entity).into_iter().map(at).collect();
        format!("{} {} {} {entries:?}", known.name, known.kind.word(), known.mentions)
    };
    view.entity_refs().map(line).collect()
}

fn under(store: &GraphStore, notes: &[EntityNote]) -> GraphView {
    store.view_under(&Curation::of(notes.to_vec()))
}

use MentionSource::{At, Capitals, Link, Mood, Tag};

#[test]
fn what_is_said_of_a_merged_name_counts_for_the_target() {
    let store = store(&[
        (&[("Hùng", At, PERSON)], &[]),
        (&[("Hung", Capitals, None), ("joy", Mood, Some(EntityKind::Emotion))], &[("Hung", "joy")]),
        (&[("sếp Hùng", Capitals, None), ("Hùng", At, PERSON)], &[("Hùng", "sếp Hùng")]),
    ]);
    let mut hung = note("Hùng", PERSON);
    hung.merged = names(&["Hung", "sếp Hùng"]);
    let view = under(&store, &[hung]);
    assert_eq!(listed(&view), ["Hùng person 4 [0, 1, 2]", "joy emotion 1 [1]"]);
    assert_eq!(view.entity(EntityRef(0)).aliases, ["Hung", "sếp Hùng"]);
    assert_eq!(view.by_name("sep hung"), [EntityRef(0)]);
    assert_eq!(view.named_in("what did Hung say")[0].0, EntityRef(0));
    let edges = view.edges(EntityRef(0));
    assert_eq!(edges.len(), 1, "one with itself has no relation to itself: {edges:?}");
    assert_eq!((edges[0].source, edges[0].target), (EntityRef(0), EntityRef(1)));
}

#[test]
fn a_note_that_was_merged_brings_its_aliases_and_chains_and_circles_end() {
    let store = store(&[(
        &[("A", At, PERSON), ("B", At, PERSON), ("C", At, PERSON), ("D", At, PERSON), ("E", At, PERSON)],
        &[],
    )]);
    let mut a = note("A", PERSON);
    a.aliases = names(&["D"]);
    a.merged_into = Some("B".to_owned());
    let mut b = note("B", PERSON);
    b.merged_into = Some("C".to_owned());
    assert_eq!(listed(&under(&store, &[a.clone(), b.clone()])), ["C person 4 [0]", "E person 1 [0]"]);
    let mut c = note("C", PERSON);
    c.merged = names(&["E"]);
    c.merged_into = Some("A".to_owned());
    assert_eq!(listed(&under(&store, &[c, a, b])), ["A person 5 [0]"], "the first by file name speaks for a circle");
}

#[test]
fn homonyms_stay_apart_until_the_user_names_them() {
    let entries: [Said<'_>; 3] =
        [(&[("Hanoi", Link, PLACE)], &[]), (&[("Hanoi", At, PERSON)], &[]), (&[("Hanoi", Capitals, None)], &[])];
    let store = store(&entries);
    let mut hidden = note("Hanoi", PLACE);
    hidden.hidden = true;
    let view = under(&store, std::slice::from_ref(&hidden));
    assert_eq!(listed(&view), ["Hanoi person 1 [1]", "Hanoi topic 1 [2]"]);
    assert!(view.of_entry(key(0)).is_empty());
    assert!(view.by_name("Hanoi").iter().all(|entity| view.entity(*entity).kind != EntityKind::Place));

    let mut place = note("Hanoi", PLACE);
    place.merged = names(&["Hanoi (person)"]);
    let view = under(&store, &[place]);
    assert_eq!(listed(&view), ["Hanoi place 3 [0, 1, 2]"], "nothing is left that a bare mention could mean");
}

#[test]
fn the_users_kind_stands_over_every_vote() {
    let store = store(&[
        (&[("Rex", At, PERSON)], &[]),
        (&[("Rex", Link, PLACE)], &[]),
        (&[("rex", Tag, Some(EntityKind::Topic))], &[]),
    ]);
    let view = under(&store, &[note("Rex", Some(EntityKind::Organization))]);
    let expected = ["Rex person 1 [0]", "Rex place 1 [1]", "Rex organization 1 [2]"];
    assert_eq!(
        listed(&view).iter().map(|line| line.to_lowercase()).collect::<Vec<_>>(),
        expected.map(str::to_lowercase),
        "of several the one of no certain kind"
    );
    let mut rex = note("Rex", Some(EntityKind::Organization));
    rex.merged = names(&["Rex (person)"]);
    assert_eq!(listed(&under(&store, &[rex])), ["Rex organization 2 [0, 2]", "Rex place 1 [1]"]);
}

#[test]
fn a_new_name_is_shown_and_the_old_one_still_found() {
    let store = store(&[(&[("Linh", At, PERSON)], &[])]);
    let mut linh = note("Linh", PERSON);
    linh.name = "Linh Nguyễn".to_owned();
    linh.aliases = names(&["Linh", "my sister"]);
    let view = under(&store, &[linh]);
    assert_eq!(listed(&view), ["Linh Nguyễn person 1 [0]"]);
    for name in ["linh", "Linh Nguyen", "My Sister"] {
        assert_eq!(view.by_name(name), [EntityRef(0)], "{name}");
    }
}

#[test]
fn an_alias_takes_a_bare_name_but_neither_a_feeling_nor_what_has_a_note() {
    let store = store(&[(
        &[("Joyce", At, PERSON), ("Joy", Capitals, None), ("joy", Mood, Some(EntityKind::Emotion)), ("Jo", At, PERSON)],
        &[],
    )]);
    let mut joyce = note("Joyce", PERSON);
    joyce.aliases = names(&["Joy", "Jo"]);
    let jo = note("Jo", PERSON);
    let view = under(&store, &[joyce, jo]);
    assert_eq!(listed(&view), ["Joyce person 2 [0]", "Jo person 1 [0]", "joy emotion 1 [0]"]);
}

#[test]
fn a_rejected_relation_is_no_edge_and_an_accepted_one_is_marked() {
    let joy = ("joy", Mood, Some(EntityKind::Emotion));
    let store = store(&[
        (&[("Tea", Link, None), joy], &[("Tea", "joy")]),
        (&[("Tea", Link, None), joy], &[("Tea", "joy")]),
        (&[("Hùng", At, PERSON), joy], &[("Hùng", "joy")]),
    ]);
    let verdict = |entry: Option<usize>| Verdict {
        kind: RelationKind::Causal,
        target: "Joy".to_owned(),
        entry: entry.map(|at| EntryId::from(at.to_string().as_str())),
    };
    let view_with = |accept: Vec<Verdict>, reject: Vec<Verdict>| {
        let tea = EntityNote { accept, reject, ..note("Tea", None) };
        under(&store, &[tea])
    };
    let edges = |view: &GraphView| view.edges(view.by_name("tea")[0]);
    let plain = view_with(Vec::new(), Vec::new());
    assert_eq!((edges(&plain)[0].evidence.len(), edges(&plain)[0].accepted), (2, false));

    let one = view_with(Vec::new(), vec![verdict(Some(0))]);
    assert_eq!(edges(&one)[0].evidence.iter().map(|e| e.entry).collect::<Vec<_>>(), [key(1)]);
    let [tea, joy] = ["tea", "joy"].map(|name| one.by_name(name)[0]);
    assert_eq!(one.verdict(tea, joy, RelationKind::Causal, Some(key(0))), Some(Judgement::Rejected));
    assert_eq!(one.verdict(tea, joy, RelationKind::Causal, Some(key(1))), None);
    assert_eq!(one.verdict(tea, joy, RelationKind::Temporal, Some(key(0))), None);
    assert_eq!(one.verdict(joy, tea, RelationKind::Causal, Some(key(0))), None, "the other direction is another claim");

    let none = view_with(Vec::new(), vec![verdict(None)]);
    assert!(edges(&none).is_empty());
    assert_eq!(none.edges(none.by_name("Hùng")[0]).len(), 1);
    assert_eq!(none.verdict(tea, joy, RelationKind::Causal, Some(key(1))), Some(Judgement::Rejected));

    let but_one = view_with(vec![verdict(Some(1))], vec![verdict(None)]);
    assert_eq!((edges(&but_one)[0].evidence.len(), edges(&but_one)[0].accepted), (1, true));
    let both = view_with(vec![verdict(None)], vec![verdict(None)]);
    assert!(edges(&both).is_empty(), "two machines disagree: better silent than wrong");
}

#[test]
fn what_is_hidden_has_no_edges_and_is_no_seed() {
    let store = store(&[(&[("Tea", Link, None), ("joy", Mood, Some(EntityKind::Emotion))], &[("Tea", "joy")])]);
    let mut tea = note("Tea", None);
    tea.hidden = true;
    let view = under(&store, &[tea]);
    assert_eq!(listed(&view), ["joy emotion 1 [0]"]);
    assert!(view.edges(EntityRef(0)).is_empty() && view.named_in("tea with joy").len() == 1);
}

#[test]
fn proposals_have_a_reason_beyond_spelling() {
    let with = |name: &'static str, other: &'static str| vec![(name, At, PERSON), (other, Link, None)];
    let mut rows = vec![
        with("Hùng", "Lake"),
        with("Hùng", "Boat"),
        with("Hung", "Lake"),
        with("Hung", "Boat"),
        with("Marta", "Office"),
        with("Marla", "Garden"),
        with("Linh Nguyễn", "Office"),
        with("Linh", "Garden"),
        with("An Bùi", "Hill"),
        with("An Lê", "Moor"),
        with("An", "Shore"),
    ];
    rows.push(vec![("Jonas", At, PERSON), ("Jona", At, PERSON)]);
    rows.push(vec![("Jonas", At, PERSON), ("Port", Link, None), ("Mast", Link, None)]);
    rows.push(vec![("Jona", At, PERSON), ("Port", Link, None), ("Mast", Link, None)]);
    let entries: Vec<Said<'_>> = rows.iter().map(|row| (row.as_slice(), &[][..])).collect();
    let store = store(&entries);
    let pairs = |view: &GraphView| {
        let name = |entity: EntityRef| view.entity(entity).name.clone();
        let mut pairs: Vec<_> = view.proposals().iter().map(|pair| (name(pair.keep), name(pair.other))).collect();
        pairs.sort();
        pairs
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let view = under(&store, &[]);
    assert_eq!(
        pairs(&view),
        [pair("Hùng", "Hung"), pair("Linh Nguyễn", "Linh")],
        "Marta and Marla have nothing in common, An may be either, Jonas and Jona met"
    );
    let mut apart = note("Hung", PERSON);
    apart.distinct_from = names(&["Hùng"]);
    assert_eq!(pairs(&under(&store, &[apart])), [pair("Linh Nguyễn", "Linh")]);
}

/// Text form of everything in a view, for comparison.
fn extracted(view: &GraphView) -> String {
    let mut text = String::new();
    for entity in view.entity_refs() {
        text += &format!("{:?} in {:?}\n", view.entity(entity), view.entries(entity));
        text += &format!("  {:?}\n  {:?}\n", view.edges(entity), view.by_name(&view.entity(entity).name));
    }
    text + &format!("{:?}", view.proposals())
}

const NAMES: [&str; 7] = ["Linh", "linh", "Hùng", "Hung", "Hanoi", "joy", "An Hùng"];

fn any_item() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(vec!["", "", "", " (person)", " (place)", " (topic)", " (emotion)"]);
    (prop::sample::select(&NAMES[..]), kind).prop_map(|(name, kind)| format!("{name}{kind}"))
}

fn any_kind() -> impl Strategy<Value = Option<EntityKind>> {
    prop::sample::select(vec![None, None, PERSON, PLACE, Some(EntityKind::Topic), Some(EntityKind::Emotion)])
}

fn any_note() -> impl Strategy<Value = EntityNote> {
    let items = || prop::collection::vec(any_item(), 0..3);
    let verdicts = || {
        let entry = prop::option::of((0usize..6).prop_map(|at| EntryId::from(at.to_string().as_str())));
        let verdict =
            (any_item(), entry).prop_map(|(target, entry)| Verdict { kind: RelationKind::Causal, target, entry });
        prop::collection::vec(verdict, 0..2)
    };
    let into = prop::option::weighted(0.3, any_item());
    let lists = (items(), items(), items(), verdicts(), verdicts());
    (prop::sample::select(&NAMES[..]), any_kind(), prop::bool::weighted(0.2), into, lists).prop_map(
        |(name, kind, hidden, merged_into, (aliases, merged, distinct_from, accept, reject))| EntityNote {
            aliases,
            merged,
            distinct_from,
            hidden,
            accept,
            reject,
            merged_into,
            ..note(name, kind)
        },
    )
}

fn any_said() -> impl Strategy<Value = Extract> {
    let source = prop::sample::select(vec![At, Link, Capitals, Mood, Tag, MentionSource::SentenceStart]);
    let mention = (prop::sample::select(&NAMES[..]), source, any_kind());
    let relation = (prop::sample::select(&NAMES[..]), prop::sample::select(&NAMES[..]));
    (prop::collection::vec(mention, 0..5), prop::collection::vec(relation, 0..3))
        .prop_map(|(mentions, relations)| extract((&mentions, &relations)))
}

proptest! {
    #[test]
    fn any_order_of_notes_and_entries_equals_a_rebuild(
        notes in prop::collection::vec(any_note(), 0..6),
        history in prop::collection::vec((0usize..6, prop::option::weighted(0.8, any_said())), 0..12),
        at in 0usize..12,
    ) {
        let (mut lived, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
        let mut notes = notes;
        notes.sort_by(|a, b| a.file.cmp(&b.file));
        notes.dedup_by(|a, b| a.file == b.file);
        let mut present = std::collections::BTreeMap::new();
        for (step, (entry, said)) in history.into_iter().enumerate() {
            if step == at {
                lived.curate(Curation::of(notes.clone()));
            }
            if step % 2 == 0 {
                lived.view();
            }
            match said {
                Some(said) => {
                    lived.set(key(entry), step as u64, date(2026, 1, 1 + entry as i8), said.clone());
                    present.insert(entry, said);
                }
                None => {
                    lived.remove(key(entry));
                    present.remove(&entry);
                }
            }
        }
        lived.curate(Curation::of(notes.clone()));
        let (mut rebuilt, _) = GraphStore::open(std::path::Path::new("nowhere"), None);
        rebuilt.curate(Curation::of(notes.iter().rev().cloned().collect()));
        for (entry, said) in present.into_iter().rev() {
            rebuilt.set(key(entry), 0, date(2026, 1, 1 + entry as i8), said);
        }
        prop_assert_eq!(extracted(&lived.view()), extracted(&rebuilt.view()));

        // The view is consistent, whatever the notes say.
        let view = lived.view();
        let same = |a: &str, b: &str| identity(crate::journal::name_and_kind(a).0) == identity(b);
        let alone = |note: &EntityNote| {
            notes.iter().filter(|other| same(&other.name, &note.name)).count() == 1
                && notes.iter().all(|other| !other.merged.iter().any(|item| same(item, &note.name)))
        };
        let hidden: Vec<String> = notes
            .iter()
            .filter(|note| note.hidden && note.merged_into.is_none() && alone(note))
            .filter_map(|note| Some(format!("{} {}", identity(&note.name), note.kind?.word())))
            .collect();
        for entity in view.entity_refs() {
            let known = view.entity(entity);
            prop_assert!(view.by_name(&known.name).contains(&entity));
            prop_assert!(!view.entries(entity).is_empty());
            prop_assert!(view.edges(entity).iter().all(|edge| edge.source != edge.target && !edge.evidence.is_empty()));
            let label = format!("{} {}", identity(&known.name), known.kind.word());
            prop_assert!(!hidden.contains(&label), "{} is hidden", label);
        }
    }
}
