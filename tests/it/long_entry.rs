//! Entries of megabytes: time and memory linear in their length. With these sizes only a linear program finishes.

use std::{fmt::Write as _, fs};

use jiff::civil::date;
use kioku::{
    clock::Clock,
    embed::testing::HashEncoder,
    extract::{MentionSource, extract_text},
    index::{LegHealth, vector::Ann},
    journal::{RelationKind, VaultOptions},
    search::{Fusion, Legs, Search},
    session::{Reply, Request, Response, SessionOptions, SessionWorkers, Stage, Ticket},
};

const CAUSE: &str = "The lake was calm because Linh sang. ";

fn text(body: &str, span: &std::ops::Range<u32>) -> String {
    body[span.start as usize..span.end as usize].to_owned()
}

#[test]
fn every_cause_of_a_long_text_is_read_where_it_stands() {
    let count = 192 * 1024 / CAUSE.len();
    let body = CAUSE.repeat(count);
    let extract = extract_text(&body, date(2026, 11, 20));
    let mut causes: Vec<_> = extract.relations.iter().filter(|r| r.kind == RelationKind::Causal).collect();
    // A name in the cause, and its clause.
    causes.dedup_by_key(|cause| &cause.evidence);
    assert_eq!(causes.len(), count);
    for (nth, cause) in causes.iter().enumerate() {
        assert_eq!(cause.evidence.start as usize / CAUSE.len(), nth);
        assert_eq!(text(&body, &cause.evidence), CAUSE.trim_end().trim_end_matches('.'));
    }
}

#[test]
fn a_long_text_without_an_end_of_a_sentence_is_read_to_its_end() {
    let body = "Anna1 met Bob2 ".repeat(12_000);
    let extract = extract_text(&body, date(2026, 11, 20));
    let names: Vec<_> = extract.mentions.iter().filter(|mention| mention.source == MentionSource::Capitals).collect();
    assert!(names.iter().all(|name| text(&body, &name.span) == name.name));
    let last = names.iter().map(|name| name.span.end as usize).max();
    assert!(last.is_some_and(|last| body.len() - last < 32));
}

#[test]
fn what_reaches_over_a_long_text_is_known_in_all_of_it() {
    let filler = "Nothing of note was written down here today.\n".repeat(300);
    let body = format!("eases:: [[Running]]\n{filler}```\n@Nobody {filler}```\n{filler}mood:: sad\n@Linh came by.");
    let extract = extract_text(&body, date(2026, 11, 20));
    let names: Vec<&str> = extract.mentions.iter().map(|mention| mention.name.as_str()).collect();
    assert!(names.contains(&"Linh") && names.contains(&"Running"), "{names:?}");
    assert!(!names.contains(&"Nobody"), "fenced code is no prose in any piece");
    let eased = extract.relations.iter().find(|relation| relation.verb == "eases").unwrap();
    assert_eq!((eased.source.as_str(), eased.target.as_str()), ("Running", "sad"));
    assert_eq!(text(&body, &eased.evidence), "eases:: [[Running]]");
    let linh = extract.mentions.iter().find(|mention| mention.name == "Linh").unwrap();
    assert_eq!(text(&body, &linh.span), "@Linh");
}

#[test]
fn a_long_entry_is_found_by_its_last_words_and_read_by_meaning_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut day = "# Kioku — 2026-11-19\n\n---\ntime: \"2026-11-19T21:05:00+07:00\"\nid: \"long\"\n---\n".to_owned();
    for nth in 0..3000 {
        writeln!(day, "On walk {nth} I met @Anna{} by the lake because the bus was late.", nth % 700).unwrap();
    }
    writeln!(day, "A chanterelle at last.").unwrap();
    fs::create_dir_all(folder.path().join("memory")).unwrap();
    fs::write(folder.path().join("memory/2026-11-19.md"), &day).unwrap();
    let now: jiff::Zoned = "2026-11-20T09:00+07:00[+07:00]".parse().unwrap();
    let session = SessionWorkers::inline(SessionOptions {
        vault: VaultOptions::new(folder.path(), Clock::fixed(now.clone())),
        models: folder.path().join("models"),
        model: None,
        encoder: Some(std::sync::Arc::new(HashEncoder::new(16))),
        ann: Ann::Off,
        watch: false,
    });
    let snapshot = session.view().snapshot.clone().unwrap();
    assert_eq!(snapshot.vector_health, LegHealth::Ready);
    let graph = &snapshot.graph;
    for name in ["Anna0", "Anna699"] {
        assert_eq!(graph.by_name(name).len(), 1, "{name}");
    }
    let search = Search {
        text: "chanterelle".to_owned(),
        filters: Vec::new(),
        legs: Legs::ALL,
        limit: 5,
        typing: false,
        fusion: Fusion::default(),
        now,
    };
    session.send(Ticket(1), Request::Search(search));
    let found = std::iter::from_fn(|| session.try_recv()).find_map(|reply| match reply {
        Reply::To(_, Response::Found { stage: Stage::Fused, found }) => Some(found),
        _ => None,
    });
    assert_eq!(found.unwrap().hits[0].id.as_str(), "long");
}
