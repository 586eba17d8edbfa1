//! Properties of the vault's formats that hold for any bytes, used by the fuzz targets in `fuzz/` and by the tests
//! below. Not part of release builds.
//!
//! Each function panics if its property does not hold.

use std::sync::Arc;

use jiff::{civil::Time, tz::TimeZone};

use super::{
    EntryTime, NewEntry,
    day_file::{self, Reading, Scan},
    head,
    splice::{self, Revision},
    value,
    write::{self, Ending},
};

const TIME: &str = "2026-02-22T15:30:00+07:00";

fn reading() -> Reading {
    Reading { zone: TimeZone::UTC, day_start: Time::midnight() }
}

fn time() -> EntryTime {
    EntryTime::parse(TIME, &TimeZone::UTC).expect("the time above reads")
}

/// Any bytes are a valid day file: every byte is in the preface or in one block, and changing one entry does not change
/// the others.
pub fn day_file(bytes: &[u8]) {
    let scan = day_file::scan(bytes);
    assert_partition(bytes, &scan);
    let file: Arc<str> = "2026-02-22.md".into();
    let entries = day_file::entries(bytes, &scan, &file, &reading());
    day_file::notices(bytes, &scan, &file);
    for (at, block) in scan.blocks.iter().enumerate().take(4) {
        let unchanged = splice::rewritten(bytes, block, &Revision::default()).expect("what is there can stand there");
        if let Ok(again) = splice::replaced(bytes, &scan, at, &unchanged) {
            assert!(
                again == bytes || block.head.closing.next >= bytes.len(),
                "a rewrite that changes nothing changed bytes"
            );
        }
        let body = Revision { body: Some(b"Another text.\n---\ntime: 10:00\n---"), ..Revision::default() };
        if let Ok(new) = splice::rewritten(bytes, block, &body)
            && let Ok(again) = splice::replaced(bytes, &scan, at, &new)
        {
            let now = day_file::entries(&again, &day_file::scan(&again), &file, &reading());
            assert_eq!(now.len(), entries.len());
            assert_eq!(now[at].entry.body, "Another text.\n---\ntime: 10:00\n---");
            assert!(again.starts_with(&bytes[..block.head.opening.start]) && again.ends_with(&bytes[block.end..]));
        }
        if let Ok(again) = splice::removed(bytes, &scan, at) {
            assert!(again.ends_with(&bytes[block.end..]) && again.len() < bytes.len());
            assert_eq!(day_file::scan(&again).blocks.len() + 1, scan.blocks.len());
        }
    }
    append(bytes, &scan);
}

/// Parses only, to measure the time.
pub fn read(bytes: &[u8]) {
    let scan = day_file::scan(bytes);
    let file: Arc<str> = "2026-02-22.md".into();
    day_file::entries(bytes, &scan, &file, &reading());
    day_file::notices(bytes, &scan, &file);
}

fn assert_partition(bytes: &[u8], scan: &Scan) {
    let mut at = scan.preface;
    for block in &scan.blocks {
        assert_eq!(block.head.opening.start, at, "a gap before a block");
        assert!(block.head.closing.next <= block.body.start);
        assert!(block.body.start <= block.body.end && block.body.end <= block.end);
        let head = &block.head;
        let is_head = at < head.closing.next && head.time < head.lines.len() && head.lines.len() <= head::MOST_LINES;
        // Only the first block and the sections of the first text may have no head.
        assert!(is_head || head.is_absent() && (at == scan.preface || block.part.section().is_some()));
        at = block.end;
    }
    assert_eq!(at, bytes.len(), "bytes that are in no block");
}

/// An appended entry reads back whole or is refused, and changes no other entry.
fn append(bytes: &[u8], scan: &Scan) {
    let new = NewEntry { body: "Appended.".to_owned(), ..NewEntry::default() };
    let ending = Ending::of(bytes);
    let block = write::block(&new, &time(), "appended22", ending).expect("a short entry can be written");
    let file = [bytes, &write::separator(bytes, ending), &block].concat();
    let again = day_file::scan(&file);
    let start = file.len() - block.len();
    // The check that [`super::Vault::append`] makes before it writes.
    if again.blocks.last().is_some_and(|last| last.head.opening.start == start) {
        assert_eq!(again.blocks.len(), scan.blocks.len() + 1);
        for (before, now) in scan.blocks.iter().zip(&again.blocks) {
            // The last line of the file may have had no end yet.
            let changed = file[now.range()].strip_prefix(&bytes[before.range()]);
            assert!(
                changed.is_some_and(|end| end.is_empty() || before.end == bytes.len() && end.trim_ascii().is_empty()),
                "an append changed another entry"
            );
        }
    }
}

/// Any lines between two fences: parsing does not panic, a changed mood reads back, and every other line keeps its
/// bytes and position.
pub fn head(lines: &[u8]) {
    let bytes = [b"---\ntime: ", TIME.as_bytes(), b"\n", lines, b"\n---\nThe body.\n"].concat();
    let scan = day_file::scan(&bytes);
    assert_partition(&bytes, &scan);
    let Some(block) = scan.blocks.first().filter(|block| !block.head.is_absent()) else { return };
    let fields = block.head.fields(&bytes);
    let revision =
        Revision { lines: vec![("mood".to_owned(), Some(write::quoted_line("mood", "so: \"so\"")))], body: None };
    let Ok(new) = splice::rewritten(&bytes, block, &revision) else { return };
    let Ok(again) = splice::replaced(&bytes, &scan, 0, &new) else { return };
    let changed = day_file::scan(&again);
    let now = changed.blocks[0].head.fields(&again);
    assert_eq!(now.mood.as_deref(), Some("so: \"so\""));
    assert_eq!(
        (now.id, now.tags, now.event_time, now.escaped),
        (fields.id, fields.tags, fields.event_time, fields.escaped)
    );
    assert_eq!(now.extra, fields.extra);
    let without_mood = |bytes: &[u8], block: &day_file::Block| -> Vec<Vec<u8>> {
        let lines = block.head.lines.iter().map(|line| line.text(bytes).to_vec());
        let mut moods = 0;
        // Of several moods only the first counts, and only that one is replaced.
        // `mood::` and `mood:x` are other keys.
        let is_mood = |line: &[u8]| head::key_and_value(line).is_some_and(|(key, _)| key == b"mood");
        lines.filter(|line| !is_mood(line) || std::mem::replace(&mut moods, 1) > 0).collect()
    };
    assert_eq!(without_mood(&again, &changed.blocks[0]), without_mood(&bytes, block));
}

/// An entry that kioku writes reads back unchanged: text, mood, tags, event time, in a file with `
/// ` or `\r
/// `.
pub fn entry(text: &str, word: &str) {
    for ending in [Ending::Lf, Ending::CrLf] {
        let new = NewEntry {
            body: text.to_owned(),
            mood: Some(word.to_owned()),
            tags: vec![word.to_owned(), "second, tag".to_owned()],
            event_time: Some(word.to_owned()),
            ..NewEntry::default()
        };
        let Ok(block) = write::block(&new, &time(), "written222", ending) else { continue };
        let bytes = [write::header("2026-02-22"), write::separator(b"#\n", ending), block].concat();
        let scan = day_file::scan(&bytes);
        assert_partition(&bytes, &scan);
        let entries = day_file::entries(&bytes, &scan, &"2026-02-22.md".into(), &reading());
        assert_eq!(entries.len(), 1);
        let entry = &entries[0].entry;
        assert_eq!((entry.body.as_str(), entry.id.as_str()), (text, "written222"));
        let given = Some(word.to_owned()).filter(|word| !word.is_empty());
        assert_eq!((&entry.mood, &entry.event_time), (&given, &given));
        let tags: Vec<&str> = [word, "second, tag"].into_iter().filter(|tag| !tag.is_empty()).collect();
        assert_eq!(entry.tags, tags);
    }
    assert_eq!(
        day_file::escaped(text.as_bytes())
            .map(|escaped| day_file::unescaped(&escaped))
            .as_deref()
            .unwrap_or(text.as_bytes()),
        text.as_bytes()
    );
    let quoted = value::quoted(word);
    assert_eq!(value::unquote(&quoted), word);
    assert_eq!(quoted.lines().count(), 1);
}

/// A time that parses also parses as written and as respelled by kioku.
pub fn written_time(text: &str) {
    let Some(time) = EntryTime::parse(text, &TimeZone::UTC) else { return };
    assert_eq!(time.written, text);
    let again = EntryTime::parse(&time.respelled(), &TimeZone::UTC).expect("kioku's own spelling reads");
    assert_eq!(again.at, time.at);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    /// Text that often looks like heads and fences.
    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        const PIECES: [&[u8]; 17] = [
            b"---\n",
            b"\n",
            b"\r\n",
            b"---\r\n",
            b"time: \"2026-02-22T09:00:00+07:00\"\n",
            b"mood: calm\n",
            b"tags:\n- a\n",
            b"id: \"x\"\n",
            b"escaped: true\n",
            b"\\---\n",
            b"# 2026-02-22\n",
            b"text",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"<<<<<<< ours\n",
            b">>>>>>> theirs\n",
            b" ",
        ];
        let piece = prop::sample::select(&PIECES[..]);
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    #[test]
    fn inputs_that_the_fuzzer_found() {
        super::day_file(b"---\ntime: \"2026-02-22T15:30:00+07:00\"\nmood: calm\n---");
        super::head(b"tags: [\"a\", 'b', c]\nmood:: [t\"a");
        super::head(b"mood:\r\0");
        super::head(b"mood:*\"so: \\\"so\\\"\"\ntagss:\n- a");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_day_file(bytes in pieces()) {
            super::day_file(&bytes);
            super::head(&bytes);
        }

        #[test]
        fn what_is_written_is_what_is_read(bytes in pieces(), word in "[\\PC\\n\\t\"'\\\\,\\[\\]]{0,12}") {
            super::entry(&String::from_utf8_lossy(&bytes), &word);
            super::written_time(&word);
        }
    }
}
