use std::sync::Arc;

use jiff::tz::{TimeZone, offset};
use proptest::prelude::*;

use super::*;
use crate::journal::{BodyHash, EntryId, EntryTime, Place, exchange::source::decode};

fn options() -> ImportOptions {
    ImportOptions::new(TimeZone::fixed(offset(7)))
}

fn import(text: &str) -> Imported {
    let mut imported = Imported::default();
    parse(text, Path::new("x.jsonl"), &options(), &mut imported);
    imported
}

fn stored(new: &NewEntry) -> Entry {
    let time = new.time.clone().unwrap();
    Entry {
        id: EntryId::from(new.id.as_deref().unwrap_or(&time.written)),
        day: time.day(jiff::civil::Time::midnight()),
        time,
        mood: new.mood.clone(),
        tags: new.tags.clone(),
        event_time: new.event_time.clone(),
        hash: BodyHash::of(new.body.as_bytes()),
        body: new.body.clone(),
        extra: new.extra.clone(),
        place: Place { file: Arc::from("2026-02-22.md"), position: 0, bytes: 0..0 },
    }
}

#[test]
fn a_line_becomes_an_entry_with_its_own_strings() {
    let imported = import(
        r#"{"id":"a1","time":"2026-02-22T08:30:00Z","text":"Met Hùng.\n---\ntime: no","mood":"calm","tags":["x y","z"],"event_time":"2025-02","sleep":6.5,"star":true,"nested":{"a":1}}"#,
    );
    let entry = &imported.entries[0];
    assert_eq!(entry.id.as_deref(), Some("a1"));
    assert_eq!(entry.time.as_ref().unwrap().written, "2026-02-22T08:30:00Z");
    assert_eq!(entry.body, "Met Hùng.\n---\ntime: no");
    assert_eq!(entry.tags, ["x y", "z"]);
    assert_eq!(entry.event_time.as_deref(), Some("2025-02"));
    assert_eq!(entry.extra, [("sleep".into(), "6.5".into()), ("star".into(), "true".into())]);
    let losses: Vec<&str> = imported.losses.iter().map(|loss| loss.message.as_str()).collect();
    assert_eq!(losses, ["`nested` is not kept"], "it counts as a loss");
}

#[test]
fn one_bad_line_is_told_and_the_others_are_read() {
    let imported = import(concat!(
        "{\"time\":\"2026-02-22T08:30:00Z\",\"text\":\"one\"}\n",
        "not json\n",
        "\n",
        "[1]\n",
        "{\"time\":\"2026-02-21\",\"text\":\"no clock\"}\n",
        "{\"text\":\"no time\"}\n",
        "{\"time\":\"2026-02-22T08:30:00Z\"}\n",
        "{\"time\":5,\"text\":\"a number\"}\n",
        "{\"time\":\"2026-02-30\",\"text\":\"no day\"}\n",
        "{\"time\":\"2026-02-23T08:30\",\"text\":\"\"}",
    ));
    assert_eq!(imported.entries.iter().map(|entry| entry.body.as_str()).collect::<Vec<_>>(), ["one", "no clock", ""]);
    assert_eq!(imported.losses.iter().map(|loss| loss.line).collect::<Vec<_>>(), [2, 4, 6, 7, 8, 9]);
    let reasons: Vec<&str> = imported.losses[2..].iter().map(|loss| loss.message.as_str()).collect();
    let no_day = "\"2026-02-30\" is not an ISO 8601 date or date-time";
    assert_eq!(reasons, ["no `time`", "no `text`", "`time` is not a string", no_day]);
    let (first, last) = imported.span().unwrap();
    assert_eq!((&*first.written, &*last.written), ("2026-02-21T12:00:00+07:00", "2026-02-23T08:30:00+07:00"));
    let of = |time| imported.entries.iter().find(|entry| entry.time.as_ref() == Some(time)).unwrap();
    assert_eq!((of(first).body.as_str(), of(last).body.as_str()), ("no clock", ""));
    assert_eq!(of(first).extra, [("undated".to_owned(), "true".to_owned())]);
    // The same in another zone, and as an earlier version imported it.
    assert_eq!(of(last).id, Some(write::derived_id("2026-02-23T08:30", b"")));
}

fn new_entry() -> impl Strategy<Value = NewEntry> {
    let word = "[\\PC]{1,12}";
    let key = proptest::sample::select(vec!["sleep", "star", "x-1", "weather", "địa điểm"]);
    (
        (0i64..4_000_000_000, -12i8..=14),
        proptest::option::of("[a-z0-9]{10}"),
        proptest::option::of(word),
        proptest::collection::vec(word, 0..4),
        proptest::option::of(word),
        proptest::collection::vec((key, "[\\PC]{0,10}"), 0..5),
        any::<String>(),
    )
        .prop_map(|((second, hours), id, mood, tags, event_time, extra, body)| {
            let zone = TimeZone::fixed(offset(hours));
            let at = jiff::Timestamp::from_second(second).unwrap();
            let time = Some(EntryTime::of(&at.to_zoned(zone)));
            let extra = extra.into_iter().map(|(key, value)| (key.to_string(), value)).collect();
            NewEntry { time, id, mood, tags, event_time, extra, body, ..NewEntry::default() }
        })
}

proptest! {
    #[test]
    fn export_and_import_are_lossless(entries in proptest::collection::vec(new_entry(), 0..8)) {
        let stored: Vec<Entry> = entries.iter().map(stored).collect();
        let mut out = Vec::new();
        document(&stored, &mut out).unwrap();
        let imported = import(std::str::from_utf8(&out).unwrap());
        prop_assert_eq!(&imported.losses, &[]);
        prop_assert!(imported.not_kept.is_empty());
        prop_assert_eq!(imported.entries.len(), entries.len());
        for (entry, back) in stored.iter().zip(&imported.entries) {
            prop_assert_eq!(back.id.as_deref(), Some(entry.id.as_str()));
            let given = NewEntry { id: back.id.clone(), ..NewEntry {
                time: Some(entry.time.clone()), id: None, mood: entry.mood.clone(), tags: entry.tags.clone(),
                event_time: entry.event_time.clone(), extra: entry.extra.clone(), body: entry.body.clone(), former_id: None } };
            prop_assert_eq!(back, &given);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut imported = Imported::default();
        let text = decode(&bytes, Path::new("x"), &mut imported);
        parse(&text, Path::new("x"), &options(), &mut imported);
    }

    #[test]
    fn no_shape_of_json_makes_it_panic(text in "(\\{\"(time|text|id|mood|tags|extra|x)\":(1|null|true|\"2026-02-22T10:00:00Z\"|\\[1,\"a\",\\[\"k\",2\\]\\]|\\{\"k\":\"v\"\\})(,\"(text|extra|tags)\":(\"t\"|\\[\\]|7))?\\}\n){0,6}") {
        import(&text);
    }
}

#[test]
fn numbers_keep_their_digits() {
    let imported = import(
        r#"{"time":"2026-02-24T15:30:00+00:00","text":"\\\"1.10\" and 1.10","extra":{"big":12345678901234567890123,"cut":1.10,"n":-7,"e":1e5},"tags":["x1.10"]}"#,
    );
    let entry = &imported.entries[0];
    assert_eq!((entry.body.as_str(), entry.tags.as_slice()), ("\\\"1.10\" and 1.10", &["x1.10".to_owned()][..]));
    let extra: Vec<_> = entry.extra.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(extra, [("big", "12345678901234567890123"), ("cut", "1.10"), ("n", "-7"), ("e", "1e5")]);
}
