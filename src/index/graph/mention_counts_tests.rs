//! Counts that were updated step by step equal counts made at once.

use std::collections::BTreeMap;

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;
use crate::{
    extract::{Extract, Mention, MentionSource, Relation},
    journal::EntityNote,
};

/// A change of a journal.
#[derive(Debug, Clone)]
enum Event {
    Said(u64, Date, Extract),
    Gone(u64),
    Noted(Vec<EntityNote>),
}

/// Aliases, homonyms, first and full names, words that are names only by a capital, and more phrases than can become
/// topics.
fn any_name() -> impl Strategy<Value = String> {
    let named = [
        "Linh",
        "linh",
        "LINH",
        "Linh Berg",
        "Anna",
        "Anna Moss",
        "Anna Lund",
        "House",
        "house",
        "Project X",
        "project_x",
        "Mom",
        "my mother",
        "joy",
        "Huế",
        "Hue",
    ];
    let named = prop::sample::select(named.to_vec()).prop_map(str::to_owned);
    prop_oneof![3 => named, 2 => (0..30).prop_map(|number| format!("long walk {number}"))]
}

fn any_kind() -> impl Strategy<Value = Option<EntityKind>> {
    prop_oneof![2 => Just(None), 1 => prop::sample::select(EntityKind::ALL.to_vec()).prop_map(Some)]
}

fn any_source() -> impl Strategy<Value = MentionSource> {
    use MentionSource::*;
    let all = [
        Tag,
        At,
        Link,
        Field,
        Mood,
        Capitals,
        Capitals,
        SentenceStart,
        LowerCase,
        Kin,
        Feeling,
        Event,
        Phrase,
        Phrase,
        Phrase,
        Cause,
        Clause,
        Alias,
    ];
    prop::sample::select(all.to_vec())
}

fn any_mention() -> impl Strategy<Value = Mention> {
    (any_name(), any_kind(), any_kind(), any_source(), 0u32..60, 0u32..12).prop_map(
        |(name, kind, guess, source, start, length)| Mention { name, kind, guess, span: start..start + length, source },
    )
}

/// Its ends are among the mentions in most cases.
fn any_relation() -> impl Strategy<Value = Relation> {
    let verb = prop::sample::select(vec!["because", "Because", "eases"]);
    let kind = prop::sample::select(vec![RelationKind::Causal, RelationKind::Emotional]);
    (any_name(), any_name(), verb, kind, 0u32..3).prop_map(|(source, target, verb, kind, start)| Relation {
        source,
        target,
        kind,
        verb: verb.to_owned(),
        evidence: start..start + 5,
        weight: 1.0,
        event_time: None,
        clauses: [0..0, 0..0],
        effect: 0..0,
        cause: 0..0,
    })
}

fn any_extract() -> impl Strategy<Value = Extract> {
    let parts = (prop::collection::vec(any_mention(), 0..8), prop::collection::vec(any_relation(), 0..4));
    parts.prop_map(|(mut mentions, mut relations)| {
        mentions.sort_by_key(|mention| (mention.span.start, std::cmp::Reverse(mention.span.end)));
        // Half of the relations have a source that is certainly mentioned.
        for (relation, mention) in relations.iter_mut().zip(&mentions) {
            relation.source.clone_from(&mention.name);
        }
        for (relation, mention) in relations.iter_mut().zip(mentions.iter().rev()) {
            relation.target.clone_from(&mention.name);
        }
        Extract { mentions, relations, ..Extract::default() }
    })
}

fn any_notes() -> impl Strategy<Value = Vec<EntityNote>> {
    let note = (any_name(), prop::option::of(any_name()), any::<bool>(), any_kind()).prop_map(
        |(name, merged, hidden, kind)| {
            let merged = merged.into_iter().collect();
            EntityNote { file: format!("{name}.md"), name, merged, hidden, kind, ..EntityNote::default() }
        },
    );
    prop::collection::vec(note, 0..3)
}

fn any_event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => (0u64..24, 1i8..6, any_extract()).prop_map(|(key, day, said)| Event::Said(key, date(2026, 1, day), said)),
        2 => (0u64..24).prop_map(Event::Gone),
        1 => any_notes().prop_map(Event::Noted),
    ]
}

/// Everything in a view, as it would be saved. The lookup has no order, so it is queried instead.
fn whole(view: &GraphView) -> String {
    let mut text = format!("{:?}\n{:?}\n", view.entities, view.rows);
    text += &format!("{:?}\n{:?}\n", view.mentions, view.postings);
    text += &format!("{:?}\n{:?}\n{:?}\n", view.stated, view.ordinary, view.clauses);
    for entity in view.entities() {
        for name in entity.names() {
            text += &format!("{:?} {:?}\n", view.by_name(name), view.named_in(name));
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_view_decided_after_every_change_is_the_one_decided_from_nothing(
        first in prop::collection::vec((1i8..6, any_extract()), 0..24),
        events in prop::collection::vec((any_event(), any::<bool>(), prop::bool::weighted(0.2)), 1..20),
        prepared in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let open = || GraphStore::open(dir.path(), None).0;
        let mut lived = open();
        let mut present: BTreeMap<u64, (Date, Extract)> = BTreeMap::new();
        let mut notes = Vec::new();
        for (key, (day, said)) in first.into_iter().enumerate() {
            present.insert(key as u64, (date(2026, 1, day), said.clone()));
            lived.set(EntryKey(key as u64), 0, date(2026, 1, day), said);
        }
        if prepared {
            lived.prepare();
        } else {
            lived.view();
        }
        for (at, (event, looked_at, reopened)) in (1..).zip(events) {
            if reopened {
                lived.save(at).unwrap();
                lived = GraphStore::open(dir.path(), Some(at)).0;
                lived.curate(Curation::of(notes.clone()));
            }
            match event {
                Event::Said(key, day, said) => {
                    lived.set(EntryKey(key), 0, day, said.clone());
                    present.insert(key, (day, said));
                }
                Event::Gone(key) => {
                    lived.remove(EntryKey(key));
                    present.remove(&key);
                }
                Event::Noted(all) => {
                    lived.curate(Curation::of(all.clone()));
                    notes = all;
                }
            }
            if looked_at {
                let mut anew = open();
                for (key, (day, said)) in present.iter().rev() {
                    anew.set(EntryKey(*key), 0, *day, said.clone());
                }
                anew.curate(Curation::of(notes.clone()));
                prop_assert_eq!(whole(&lived.view()), whole(&anew.view()));
            }
        }
    }
}
