//! Sample entries and answers for the tests of the screens.

use std::path::Path;

use jiff::{civil, tz};

use crate::{
    clock::Clock,
    index::{EntryKey, vector::Ann},
    journal::{BodyHash, Entry, EntryId, EntryTime, Place, TrashReason, Trashed, VaultOptions},
    search::{Found, Hit, LegId, LegShare, PerLeg, Reason},
    session::SessionOptions,
};

/// A session over a vault in `root`, without a model, on Friday 20 November 2026, 09:00 +07:00.
pub fn session_options(root: &Path) -> SessionOptions {
    let now = civil::date(2026, 11, 20).at(9, 0, 0, 0).to_zoned(tz::TimeZone::fixed(tz::offset(7))).unwrap();
    SessionOptions {
        vault: VaultOptions::new(root, Clock::fixed(now)),
        models: root.join("models"),
        model: None,
        encoder: None,
        ann: Ann::Off,
        watch: false,
    }
}

pub fn time(local: civil::DateTime) -> EntryTime {
    let zone = tz::TimeZone::fixed(tz::offset(7));
    let zoned = local.to_zoned(zone).unwrap();
    EntryTime {
        written: zoned.strftime("%Y-%m-%dT%H:%M:%S+07:00").to_string(),
        at: zoned.timestamp(),
        offset_seconds: 7 * 3600,
    }
}

pub fn entry(body: &str, local: civil::DateTime) -> Entry {
    let time = time(local);
    Entry {
        id: EntryId::from(time.written.as_str()),
        day: local.date(),
        mood: None,
        tags: Vec::new(),
        event_time: None,
        body: body.to_owned(),
        hash: BodyHash::of(body.as_bytes()),
        extra: Vec::new(),
        place: Place { file: format!("{}.md", local.date()).into(), position: 0, bytes: 0..body.len() },
        time,
    }
}

pub fn trashed(body: &str, local: civil::DateTime) -> Trashed {
    let entry = entry(body, local);
    Trashed {
        handle: entry.id.to_string(),
        trashed: time(local.date().at(20, 0, 0, 0)),
        entry,
        why: TrashReason::Deleted,
    }
}

/// A hit whose snippet is its whole text, matched at `word`.
pub fn hit(body: &str, word: &str, local: civil::DateTime) -> Hit {
    let time = time(local);
    let id = EntryId::from(time.written.as_str());
    let at = body.find(word).unwrap();
    Hit {
        key: EntryKey::of(&id),
        id,
        time: time.written,
        score: 1.0,
        legs: PerLeg::default().with(LegId::Keyword, Some(LegShare { rank: 1, score: 1.0 })),
        text: body.to_owned(),
        record: None,
        snippet: 0..body.len(),
        matches: std::iter::once(at..at + word.len()).collect(),
        reason: Reason { words: vec![word.to_owned()], ..Reason::default() },
        evidence: Default::default(),
        extra: std::collections::BTreeMap::new(),
        probability: 1.0,
        weak: false,
    }
}

pub fn answer(hits: Vec<Hit>) -> Found {
    Found {
        total: hits.len(),
        days: Vec::new(),
        confident: hits.iter().any(|hit| !hit.weak),
        confidence: 1.0,
        kind: Default::default(),
        counts: PerLeg::default().with(LegId::Keyword, Some(hits.len())),
        hits,
        understood: Vec::new(),
        notice: None,
        scan: None,
        took: std::time::Duration::from_micros(3800),
    }
}

/// A search result with `n` hits on as many days.
pub fn found(n: i8) -> Found {
    let day = |nth| civil::date(2026, 10, nth).at(12, 0, 0, 0);
    answer((1..=n).map(|nth| hit("A walk around the lake.", "lake", day(nth))).collect())
}
