//! Recognising a head among the bytes of a file, and reading what its lines say (design 3, Reading).

use jiff::tz::TimeZone;

use super::{EntryTime, value};

/// The keys that make a `---` worth looking at, in the order kioku writes them.
pub(super) const KNOWN_KEYS: [&str; 8] = ["time", "mood", "tags", "event_time", "escaped", "trashed", "why", "id"];

/// More lines than this between two fences are somebody's text.
pub(super) const MOST_LINES: usize = 64;

/// One line: `start..end` is its text, `end..next` its ending (`\n`, `\r\n`, or nothing at the end of a file).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    pub start: usize,
    pub end: usize,
    pub next: usize,
}

impl Line {
    /// The line that starts at `start`.
    pub fn at(bytes: &[u8], start: usize) -> Self {
        match bytes[start..].iter().position(|byte| *byte == b'\n') {
            Some(length) => {
                let feed = start + length;
                let end = if length > 0 && bytes[feed - 1] == b'\r' { feed - 1 } else { feed };
                Self { start, end, next: feed + 1 }
            }
            // A carriage return alone before the end of the file is what is left of a torn ending, or text.
            None => Self { start, end: bytes.len(), next: bytes.len() },
        }
    }

    pub fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.end]
    }

    /// `---`, with a carriage return allowed even where the line feed behind it was torn off.
    pub fn is_fence(&self, bytes: &[u8]) -> bool {
        matches!(self.text(bytes), b"---" | b"---\r")
    }
}

/// A head: opening fence, lines, closing fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub opening: Line,
    pub lines: Vec<Line>,
    pub closing: Line,
    /// Which line is the `time:`.
    pub time: usize,
}

/// Whether a line starts with a known key, then `:`, then a space or its end.
pub(super) fn starts_with_known_key(line: &[u8]) -> bool {
    known_key(line).is_some()
}

fn known_key(line: &[u8]) -> Option<&'static str> {
    KNOWN_KEYS.into_iter().find(|key| {
        line.strip_prefix(key.as_bytes())
            .and_then(|rest| rest.strip_prefix(b":"))
            .is_some_and(|rest| rest.is_empty() || rest[0] == b' ')
    })
}

/// Reads the head that `opening` (a fence) opens. `Err(true)` where a known key follows but it is no head.
pub(super) fn read(bytes: &[u8], opening: Line) -> Result<Head, bool> {
    if opening.next >= bytes.len() {
        return Err(false);
    }
    let first = Line::at(bytes, opening.next);
    if !starts_with_known_key(first.text(bytes)) {
        return Err(false);
    }
    let mut lines = Vec::with_capacity(6);
    let mut time = None;
    let mut line = first;
    while !line.is_fence(bytes) {
        let text = line.text(bytes);
        if lines.len() == MOST_LINES || text.iter().all(u8::is_ascii_whitespace) {
            return Err(true);
        }
        if text.starts_with(b"time:") && is_time(text) && time.replace(lines.len()).is_some() {
            return Err(true);
        }
        lines.push(line);
        if line.next >= bytes.len() {
            return Err(true);
        }
        line = Line::at(bytes, line.next);
    }
    time.map(|time| Head { opening, lines, closing: line, time }).ok_or(true)
}

fn is_time(line: &[u8]) -> bool {
    known_key(line) == Some("time") && time_of(line, &TimeZone::UTC).is_some()
}

fn time_of(line: &[u8], zone: &TimeZone) -> Option<EntryTime> {
    let (_, value) = key_and_value(line)?;
    EntryTime::parse(value::bare(std::str::from_utf8(value).ok()?), zone)
}

/// `key: value` at the left margin. Indented lines, list items and comments belong to the key above them.
pub(super) fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    if line.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'#' | b'"' | b'\'' | b':')) {
        return None;
    }
    let colon = (0..line.len()).find(|at| line[*at] == b':' && line.get(at + 1).is_none_or(|next| *next == b' '))?;
    Some((line[..colon].trim_ascii_end(), line.get(colon + 1..).unwrap_or_default()))
}

/// What a head says, unquoted. Broken UTF-8 shows as U+FFFD.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Fields {
    pub mood: Option<String>,
    pub tags: Vec<String>,
    pub event_time: Option<String>,
    pub id: Option<String>,
    pub escaped: bool,
    pub trashed: Option<String>,
    pub why: Option<String>,
    pub extra: Vec<(String, String)>,
}

impl Head {
    /// The time, read in `zone` where it has no offset. `None` only where the zone cannot place it.
    pub fn time(&self, bytes: &[u8], zone: &TimeZone) -> Option<EntryTime> {
        let line = self.lines[self.time].text(bytes);
        time_of(line, zone).or_else(|| time_of(line, &TimeZone::UTC))
    }

    /// Everything but the time. Of a key written twice the first counts.
    pub fn fields(&self, bytes: &[u8]) -> Fields {
        let mut fields = Fields::default();
        let mut seen: Vec<&[u8]> = vec![b"time"];
        for (at, line) in self.lines.iter().enumerate().filter(|(at, _)| *at != self.time) {
            let Some((key, raw)) = key_and_value(line.text(bytes)) else { continue };
            let raw = String::from_utf8_lossy(raw);
            let known = KNOWN_KEYS.iter().any(|known| known.as_bytes() == key);
            if known && seen.contains(&key) {
                // Kept in the file, no one's value: a second mood, a `time:` that is no date-time.
                continue;
            }
            seen.push(key);
            let value = || Some(value::unquote(&raw)).filter(|value| !value.is_empty());
            match key {
                b"mood" => fields.mood = value(),
                b"event_time" => fields.event_time = value(),
                b"id" => fields.id = value(),
                b"trashed" => fields.trashed = value(),
                b"why" => fields.why = value(),
                b"escaped" => fields.escaped = raw.trim() == "true",
                b"tags" if raw.trim().is_empty() => fields.tags = self.block_list(bytes, at + 1),
                b"tags" => fields.tags = value::list(&raw),
                _ => fields.extra.push((String::from_utf8_lossy(key).into_owned(), value::unquote(&raw))),
            }
        }
        fields
    }

    /// YAML's other way to list: `- item` lines.
    fn block_list(&self, bytes: &[u8], from: usize) -> Vec<String> {
        self.lines[from..]
            .iter()
            .map_while(|line| list_item(line.text(bytes)))
            .map(|item| value::unquote(&String::from_utf8_lossy(item)))
            .filter(|item| !item.is_empty())
            .collect()
    }
}

/// What stands behind the dash of a `- item` line.
pub(super) fn list_item(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"- ")
}
