use jiff::tz::Offset;
use proptest::prelude::*;

use super::*;
use crate::journal::{EntryTime, NewEntry, write, write::Ending};

fn reading() -> Reading {
    Reading { zone: TimeZone::fixed(Offset::constant(7)), day_start: civil::Time::midnight() }
}

fn read(bytes: &[u8]) -> Vec<Entry> {
    let scan = scan(bytes);
    entries(bytes, &scan, &"2026-02-22.md".into(), &reading()).into_iter().map(|written| written.entry).collect()
}

fn bodies(bytes: &[u8]) -> Vec<String> {
    read(bytes).into_iter().map(|entry| entry.body).collect()
}

fn notice_lines(text: &str) -> Vec<(usize, NoticeKind)> {
    let notices = notices(text.as_bytes(), &scan(text.as_bytes()), &"2026-02-22.md".into());
    notices.into_iter().map(|notice| (notice.line, notice.kind)).collect()
}

/// The file's bytes after an append.
fn appended(present: &[u8], new: &NewEntry) -> Vec<u8> {
    let ending = Ending::of(present);
    let time = EntryTime::parse("2026-02-22T15:30:00+07:00", &reading().zone).unwrap();
    let block =
        write::block(new, new.time.as_ref().unwrap_or(&time), new.id.as_deref().unwrap_or("abc"), ending).unwrap();
    [present.to_vec(), write::separator(present, ending), block].concat()
}

fn with_body(body: &str) -> NewEntry {
    NewEntry { body: body.to_owned(), ..NewEntry::default() }
}

const ORIGINAL: &str = "# Kioku \u{2014} 2026-02-22

---
time: \"2026-02-22T15:30:00.123456+07:00\"
mood: \"so \"so\"\"
tags: ['work', 'project x', \"it's\"]
event_time: \"2026-02\"
sleep: 6.5
---
Today I met H\u{f9}ng.

It rained.

---
time: \"2026-02-22T18:00:00+07:00\"
star: true
id: \"k3\"
---
Second.
";

#[test]
fn the_originals_file_is_read_whole() {
    let entries = read(ORIGINAL.as_bytes());
    assert_eq!(entries.len(), 2);
    let first = &entries[0];
    assert_eq!(first.id.as_str(), "2026-02-22T15:30:00.123456+07:00");
    assert_eq!(first.mood.as_deref(), Some("so \"so\""));
    assert_eq!(first.tags, ["work", "project x", "it's"]);
    assert_eq!(first.event_time.as_deref(), Some("2026-02"));
    assert_eq!(first.body, "Today I met H\u{f9}ng.\n\nIt rained.");
    assert_eq!(first.hash, BodyHash::of(first.body.as_bytes()));
    assert_eq!(first.trackers().collect::<Vec<_>>(), [("sleep", 6.5)]);
    assert_eq!((entries[1].id.as_str(), entries[1].body.as_str(), entries[1].starred()), ("k3", "Second.", true));
    assert!(notice_lines(ORIGINAL).is_empty());
}

#[test]
fn a_mark_before_the_first_line_and_carriage_returns_change_nothing_read() {
    let plain = read(ORIGINAL.as_bytes());
    let odd = format!("\u{feff}{}", ORIGINAL.replace('\n', "\r\n"));
    for (entry, same) in read(odd.as_bytes()).into_iter().zip(&plain) {
        assert_eq!(
            (entry.id, entry.time, entry.mood, entry.tags),
            (same.id.clone(), same.time.clone(), same.mood.clone(), same.tags.clone())
        );
        assert_eq!(entry.body.replace("\r\n", "\n"), same.body);
    }
    let headless = format!("\u{feff}{}", &ORIGINAL[ORIGINAL.find("---").unwrap()..]);
    assert_eq!(read(headless.as_bytes()).len(), 2);
}

#[test]
fn a_missing_last_newline_and_empty_bodies_are_entries() {
    let head = "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---";
    assert_eq!(bodies(head.as_bytes()), [""]);
    assert_eq!(bodies(format!("{head}\n").as_bytes()), [""]);
    assert_eq!(bodies(format!("{head}\n\n").as_bytes()), [""]);
    assert_eq!(bodies(format!("{head}\n\n{head}\nx").as_bytes()), ["", "x"]);
    assert_eq!(bodies(format!("{head}\nx\n{head}\r\ny\r\n").as_bytes()), ["x", "y"]);
    assert_eq!(bodies(format!("{head}\r").as_bytes()), [""]);
}

#[test]
fn a_rule_before_a_dentist_is_text() {
    let file = "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\nToday:\n---\ntime: 10:00 dentist\n---\nand\n\n---\ntime: \"2026-02-22T18:00:00+07:00\"\n---\nlater\n";
    assert_eq!(bodies(file.as_bytes()), ["Today:\n---\ntime: 10:00 dentist\n---\nand", "later"]);
    assert_eq!(notice_lines(file), [(5, NoticeKind::NoHead)]);
}

#[test]
fn a_torn_head_does_not_swallow_the_next_entry() {
    let file = "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\none\n\n---\ntime: \"2026-02-22T1\n\n---\ntime: \"2026-02-22T18:00:00+07:00\"\n---\ntwo\n";
    assert_eq!(bodies(file.as_bytes()), ["one\n\n---\ntime: \"2026-02-22T1", "two"]);
    assert_eq!(notice_lines(file), [(6, NoticeKind::NoHead)]);
}

#[test]
fn a_pasted_note_with_front_matter_is_text() {
    let file = "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\nPasted:\n---\ntags: [a]\ntitle: Note\n---\nIts text\n";
    assert_eq!(bodies(file.as_bytes()), ["Pasted:\n---\ntags: [a]\ntitle: Note\n---\nIts text"]);
    assert_eq!(notice_lines(file), [(5, NoticeKind::NoHead)]);
}

#[test]
fn a_closing_line_never_opens_another() {
    let file = "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\ntime: \"2026-02-22T18:00:00+07:00\"\n---\nx\n";
    assert_eq!(bodies(file.as_bytes()), ["time: \"2026-02-22T18:00:00+07:00\"\n---\nx"]);
}

#[test]
fn what_is_and_what_is_no_head() {
    let heads = |file: &[u8]| scan(file).blocks.iter().filter(|block| !block.head.is_absent()).count();
    let is_head = |lines: &str| heads(format!("---\n{lines}\n---\nx").as_bytes()) == 1;
    let time = "time: 2026-02-22T15:30:00+07:00";
    let many = |count: usize| format!("{time}{}", "\nk: v".repeat(count - 1));
    assert!(is_head(time));
    assert!(is_head(&format!("mood:\n{time}")));
    assert!(is_head(&format!("{time}\ntime: noon")));
    assert!(is_head(&format!("{time}\nanything at all")));
    assert!(is_head(&many(64)));
    assert!(!is_head(&many(65)));
    assert!(!is_head(&format!("{time}\n{time}")));
    assert!(!is_head(&format!("title: x\n{time}")));
    assert!(!is_head(&format!("mood:: x\n{time}")));
    assert!(!is_head(&format!("mood:x\n{time}")));
    assert!(!is_head(&format!("{time}\n \t")));
    assert!(!is_head("mood: x"));
    assert!(!is_head("time: 2026-02-22"));
    assert_eq!(heads(b"---\ntime: 2026-02-22T15:30:00"), 0);
    assert_eq!(heads(b"----\ntime: 2026-02-22T15:30:00\n---"), 0);
    assert_eq!(heads(b"--- \ntime: 2026-02-22T15:30:00\n---"), 0);
}

#[test]
fn broken_bytes_and_conflict_markers_are_noticed_and_read_around() {
    let head = b"---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\n";
    let file = [b"caf\xe9\n", head.as_slice(), b"fine\n\n", head, b"line\ncaf\xe9\0\n"].concat();
    assert_eq!(bodies(&file), ["caf\u{fffd}", "fine", "line\ncaf\u{fffd}\0"]);
    assert_eq!(read(&file)[2].hash, BodyHash::of(b"line\ncaf\xe9\0"));
    let notices = notices(&file, &scan(&file), &"2026-02-22.md".into());
    let lines: Vec<_> = notices.iter().map(|notice| (notice.line, notice.kind)).collect();
    assert_eq!(lines, [(1, NoticeKind::NotUtf8), (11, NoticeKind::NotUtf8)]);

    let conflict = "x\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n";
    assert_eq!(notice_lines(conflict), [(2, NoticeKind::SyncConflict)]);
    assert!(notice_lines("<<<<<<< HEAD\nonly half\n").is_empty());
}

#[test]
fn escaping_touches_only_what_could_begin_a_head() {
    assert_eq!(escaped(b"a\n---\nb"), None);
    assert_eq!(escaped(b"---\nmood:: joy"), None);
    assert_eq!(escaped(b"---"), None);
    assert_eq!(escaped(b"---\nmood: joy").unwrap(), b"\\---\nmood: joy");
    assert_eq!(escaped(b"\\\\---\r\nid:").unwrap(), b"\\\\\\---\r\nid:");
}

#[test]
fn the_originals_backslashes_are_never_taken_off() {
    let file = "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\n\\---\nmood: x\n";
    assert_eq!(bodies(file.as_bytes()), ["\\---\nmood: x"]);
}

#[test]
fn tags_as_lines_of_their_own_are_read() {
    let file = "---\ntags:\n  - work\n  - \"deep sleep\"\ntime: 2026-02-22T15:30:00+07:00\nweather: rain\n---\nx";
    let entry = &read(file.as_bytes())[0];
    assert_eq!(entry.tags, ["work", "deep sleep"]);
    assert_eq!(entry.extra, [("weather".to_owned(), "rain".to_owned())]);
}

#[test]
fn a_mood_cannot_forge_a_head() {
    let new = NewEntry {
        mood: Some("x\"\nid: \"forged\"\n---\nbody\n---\ntime: \"2020-01-01T00:00:00Z\"".to_owned()),
        ..with_body("real")
    };
    let file = appended(b"", &new);
    let entries = read(&file);
    assert_eq!(entries.len(), 1);
    assert_eq!((entries[0].mood.as_ref(), entries[0].body.as_str()), (new.mood.as_ref(), "real"));
    assert_eq!(entries[0].id.as_str(), "abc");
}

#[test]
fn time_is_first_and_id_last_and_the_file_reads_as_yaml_would() {
    let new = NewEntry {
        mood: Some("glad".into()),
        tags: vec!["a".into(), "b, c".into()],
        event_time: Some("2026".into()),
        extra: vec![
            ("sleep".into(), "6.5".into()),
            ("weather".into(), "rain: heavy".into()),
            ("id".into(), "no".into()),
        ],
        id: Some("k3".into()),
        ..with_body("---\ntime: x")
    };
    let text = String::from_utf8(appended(b"# Kioku\n", &new)).unwrap();
    assert_eq!(
        text,
        "# Kioku\n\n---\ntime: \"2026-02-22T15:30:00+07:00\"\nmood: \"glad\"\ntags: [\"a\", \"b, c\"]\nevent_time: \"2026\"\nsleep: 6.5\nweather: \"rain: heavy\"\nx_id: \"no\"\nescaped: true\nid: \"k3\"\n---\n\\---\ntime: x\n"
    );
}

#[test]
fn a_heading_with_words_of_its_own_is_text_and_stays_it_below_an_appended_entry() {
    for heading in
        ["# Today I married Anna", "# Wedding of Anna 2026-02-22", "# T\rCherry tree", "# Kioku 2026-02-22\rTree"]
    {
        for file in [heading.to_owned(), format!("# Kioku \u{2014} 2026-02-22\n\n{heading}\n")] {
            assert_eq!(bodies(file.as_bytes()), [heading]);
            let both = appended(file.as_bytes(), &with_body("More."));
            assert_eq!(bodies(&both), [heading, "More."], "{heading}");
        }
    }
    for title in ["# Kioku", "# 2026-02-22", "# Kioku \u{2014} 2026-02-22", "# Daily note: Sunday, February 22nd, 2026"]
    {
        assert!(bodies(title.as_bytes()).is_empty(), "{title}");
    }
}

#[test]
fn lines_of_ten_megabytes_take_linear_time() {
    let long = "x".repeat(10 << 20);
    let file =
        format!("---\ntime: 2026-02-22T15:30:00Z\nmood: {long}\n---\n{long}\n{}", "---\ntime: no\n".repeat(200_000));
    let scan = scan(file.as_bytes());
    assert_eq!((scan.blocks.len(), scan.no_heads.len()), (1, 200_000));
}

/// Text made of fences, keys and escapes.
fn any_body() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "---", "\\---", "\\\\---", "----", "time: \"2026-02-22T15:30:00+07:00\"", "time: 10:00 dentist", "mood: x", "mood:: x", "id:",
            "escaped: true", "tags: [a]", "# Kioku \u{2014} 2026-02-22", "---\ntime: \"2026-02-22T15:30:00+07:00\"\n---\n", "\u{feff}", "\0",
            "\u{2028}", "\u{85}", " ", "<<<<<<< a", "text",
        ]).prop_map(str::to_owned),
        4 => prop::sample::select(vec!["\n", "\n", "\r\n", "\r", "\n\n"]).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => any_body().prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 0..6),
        3 => Just(b"\n---\ntime: \"2026-02-22T15:30:00+07:00\"\nid: \"a\"\n---\nbody\n".to_vec()),
        1 => Just(b"\r\n---\r\nmood: \"x\"\r\ntime: 2026-02-22T15:30:00\r\n---\r\nbody\r\n".to_vec()),
        1 => Just(b"---\ntime: \"2026-02-22T15:30:00+07:00\"\nescaped: true\n---\n\\---\nid: x\n".to_vec()),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_appended_to_any_file_reads_back_and_moves_nothing(file in any_file(), new in prop::collection::vec(any_body(), 1..4)) {
        let mut file = file;
        for body in new {
            let before = read(&file);
            let longer = appended(&file, &with_body(&body));
            prop_assert!(longer.starts_with(&file));
            let mut after = read(&longer);
            let last = after.pop().unwrap();
            prop_assert_eq!(last.body, body);
            prop_assert_eq!(after, before);
            file = longer;
        }
    }

    #[test]
    fn every_byte_is_in_the_preface_or_in_one_block(file in any_file()) {
        let scan = scan(&file);
        let mut at = scan.preface;
        for block in &scan.blocks {
            prop_assert_eq!(block.head.opening.start, at);
            prop_assert!(block.body.start <= block.body.end && block.body.end <= block.end);
            at = block.end;
        }
        prop_assert_eq!(at, file.len());
        let _ = notices(&file, &scan, &"2026-02-22.md".into());
    }

    #[test]
    fn every_part_of_an_entry_reads_back(
        mood in any_body(), tags in prop::collection::vec(any_body(), 0..4), event in any_body(), id in any_body(), value in any_body(), body in any_body()
    ) {
        let new = NewEntry {
            mood: Some(mood.clone()), tags: tags.clone(), event_time: Some(event.clone()), id: Some(id.clone()).filter(|id| !id.is_empty()),
            extra: vec![("weather".to_owned(), value.clone())], body: body.clone(), ..NewEntry::default()
        };
        let entries = read(&appended(b"# Kioku\r\n", &new));
        prop_assert_eq!(entries.len(), 1);
        let entry = &entries[0];
        prop_assert_eq!(entry.mood.clone().unwrap_or_default(), mood);
        prop_assert_eq!(&entry.tags, &tags.into_iter().filter(|tag| !tag.is_empty()).collect::<Vec<_>>());
        prop_assert_eq!(entry.event_time.clone().unwrap_or_default(), event);
        prop_assert_eq!(entry.id.as_str(), if id.is_empty() { "abc" } else { &id });
        prop_assert_eq!(&entry.extra, &[("weather".to_owned(), value)]);
        prop_assert_eq!(&entry.body, &body);
    }

    #[test]
    fn escaping_is_undone_exactly(body in any_body()) {
        let body = body.into_bytes();
        let escaped = escaped(&body).unwrap_or_else(|| body.clone());
        prop_assert_eq!(unescaped(&escaped), body);
    }

    #[test]
    fn an_append_torn_at_any_byte_loses_nothing_before_it_and_does_not_harm_the_next(file in any_file(), body in any_body(), share in 0.0..1.0f64) {
        let whole = appended(&file, &with_body(&body));
        let torn = &whole[..file.len() + ((whole.len() - file.len()) as f64 * share) as usize];
        // A torn head is read as text of the entry before it, so that entry may only grow.
        for (after, before) in read(torn).iter().zip(read(&file)) {
            prop_assert!(after.body.starts_with(&before.body));
        }
        let healed = appended(torn, &with_body("next"));
        let last = read(&healed).pop().unwrap();
        prop_assert_eq!(last.body, "next");
        prop_assert!(read(&healed).len() > read(&file).len());
    }
}
