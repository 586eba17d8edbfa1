//! Parser for heads: detects a head in a file's bytes, and reads its fields (design 3, Reading).

use jiff::tz::TimeZone;

use super::{EntryTime, value};

/// The keys that can follow the opening `---` of a head, in the order in which kioku writes them.
pub(super) const KNOWN_KEYS: [&str; 8] = ["time", "mood", "tags", "event_time", "escaped", "trashed", "why", "id"];

/// Maximum number of lines in a head. More lines between two fences are text.
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
            // A single carriage return at the end of the file may be half of a line ending or text: it stays part of
            // the text.
            None => Self { start, end: bytes.len(), next: bytes.len() },
        }
    }

    pub fn text<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.end]
    }

    /// The line with its ending.
    pub fn raw<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        &bytes[self.start..self.next]
    }

    pub fn is_blank(&self, bytes: &[u8]) -> bool {
        self.text(bytes).trim_ascii().is_empty()
    }

    /// Whether the line is `---`, also with a carriage return whose line feed is missing.
    pub fn is_fence(&self, bytes: &[u8]) -> bool {
        matches!(self.text(bytes), b"---" | b"---\r")
    }
}

/// The lines from `at`, the start of one, to the end of the file.
pub(super) fn lines_from(bytes: &[u8], mut at: usize) -> impl Iterator<Item = Line> {
    std::iter::from_fn(move || {
        let line = (at < bytes.len()).then(|| Line::at(bytes, at))?;
        at = line.next;
        Some(line)
    })
}

/// The offset of the first line from `at` that is not blank, or `end`.
pub(super) fn behind_blank_lines(bytes: &[u8], at: usize, end: usize) -> usize {
    let text = lines_from(bytes, at).find(|line| line.start >= end || !line.is_blank(bytes));
    text.map_or(end, |line| line.start)
}

/// The lines between a fence at the start of a file and the next fence, with both fences around them.
pub(super) fn fenced(bytes: &[u8]) -> Option<(Line, Vec<Line>, Line)> {
    let opening = Some(Line::at(bytes, 0)).filter(|line| line.is_fence(bytes))?;
    let lines = lines_from(bytes, opening.next).take_while(|line| !line.is_fence(bytes)).collect::<Vec<_>>();
    let closing = Line::at(bytes, lines.last().unwrap_or(&opening).next);
    closing.is_fence(bytes).then_some((opening, lines, closing))
}

/// The end of the range without its last line, if that line is empty.
pub(super) fn less_empty_line(bytes: &[u8], start: usize, end: usize) -> usize {
    let before = less_ending(bytes, start, end);
    if before < end && (before == start || bytes[before - 1] == b'\n') { before } else { end }
}

pub(super) fn less_ending(bytes: &[u8], start: usize, end: usize) -> usize {
    match &bytes[start..end] {
        [.., b'\r', b'\n'] => end - 2,
        [.., b'\n'] => end - 1,
        _ => end,
    }
}

/// A head: opening fence, lines, closing fence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub opening: Line,
    pub lines: Vec<Line>,
    pub closing: Line,
    /// Index of the `time:` line.
    pub time: usize,
}

impl Head {
    /// The empty head of a text without a head, at the text's first byte.
    pub fn absent(at: usize) -> Self {
        let nothing = Line { start: at, end: at, next: at };
        Self { opening: nothing, lines: Vec::new(), closing: nothing, time: 0 }
    }

    pub fn is_absent(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Whether a line starts with a known key, followed by `:` and a space or the end of the line.
pub(super) fn starts_with_known_key(line: &[u8]) -> bool {
    known_key(line).is_some()
}

pub(super) fn known_key(line: &[u8]) -> Option<&'static str> {
    KNOWN_KEYS.into_iter().find(|key| {
        line.strip_prefix(key.as_bytes())
            .and_then(|rest| rest.strip_prefix(b":"))
            .is_some_and(|rest| rest.is_empty() || rest[0] == b' ')
    })
}

/// Reads the head that starts with the fence `opening`. `Err(true)` if a known key follows but the lines are not a
/// head.
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
        if lines.len() == MOST_LINES || line.is_blank(bytes) {
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

/// Whether a line is a `time:` with a valid date-time.
pub(super) fn is_time(line: &[u8]) -> bool {
    known_key(line) == Some("time") && time_of(line, &TimeZone::UTC).is_some()
}

/// Whether `at` (a line that is not part of a head) starts a head without its opening fence: a valid `time:`, more
/// known keys, a closing fence. Git's union merge drops the first fence of one of two entries.
pub(super) fn is_torn(bytes: &[u8], at: Line) -> bool {
    if !is_time(at.text(bytes)) || at.next >= bytes.len() {
        return false;
    }
    let mut line = Line::at(bytes, at.next);
    if !starts_with_known_key(line.text(bytes)) {
        return false;
    }
    for _ in 0..MOST_LINES {
        if line.is_fence(bytes) {
            return true;
        }
        if line.is_blank(bytes) || is_time(line.text(bytes)) || line.next >= bytes.len() {
            return false;
        }
        line = Line::at(bytes, line.next);
    }
    false
}

/// Whether a line is the last line of a head that kioku wrote, `id: "<10 base32 characters>"`, with a fence after it.
pub(super) fn is_last_line(bytes: &[u8], line: Line) -> bool {
    let id = line.text(bytes).strip_prefix(b"id: \"").and_then(|rest| rest.strip_suffix(b"\""));
    let is_ours = |id: &[u8]| id.len() == 10 && id.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
    id.is_some_and(is_ours) && line.next < bytes.len() && Line::at(bytes, line.next).is_fence(bytes)
}

fn time_of(line: &[u8], zone: &TimeZone) -> Option<EntryTime> {
    let (_, value) = key_and_value(line)?;
    EntryTime::parse(value::bare(std::str::from_utf8(value).ok()?), zone)
}

/// Splits `key: value` without indentation. Indented lines, list items and comments belong to the key above them.
pub(super) fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    if line.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'#' | b'"' | b'\'' | b':')) {
        return None;
    }
    let colon = (0..line.len()).find(|at| line[*at] == b':' && line.get(at + 1).is_none_or(|next| *next == b' '))?;
    Some((line[..colon].trim_ascii_end(), line.get(colon + 1..).unwrap_or_default()))
}

/// The fields of a head, unquoted. Invalid UTF-8 is replaced by U+FFFD.
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
    /// The time, interpreted in `zone` if it has no offset. `None` for an absent head.
    pub fn time(&self, bytes: &[u8], zone: &TimeZone) -> Option<EntryTime> {
        let line = self.lines.get(self.time)?.text(bytes);
        time_of(line, zone).or_else(|| time_of(line, &TimeZone::UTC))
    }

    /// All fields but the time.
    pub fn fields(&self, bytes: &[u8]) -> Fields {
        Fields::of(&self.lines, Some(self.time), bytes)
    }
}

impl Fields {
    /// The fields of these lines without the `time:` line. If a known key occurs twice, the first one counts.
    pub fn of(lines: &[Line], time: Option<usize>, bytes: &[u8]) -> Self {
        let mut fields = Self::default();
        let mut seen: Vec<&[u8]> = vec![b"time"];
        for (at, line) in lines.iter().enumerate().filter(|(at, _)| Some(*at) != time) {
            let Some((key, raw)) = key_and_value(line.text(bytes)) else { continue };
            let raw = String::from_utf8_lossy(raw);
            let known = KNOWN_KEYS.iter().any(|known| known.as_bytes() == key);
            if known && seen.contains(&key) {
                // Stays in the file but is ignored: a second mood, a `time:` that is not a date-time.
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
                b"tags" if raw.trim().is_empty() => fields.tags = block_list(&lines[at + 1..], bytes),
                b"tags" => fields.tags = value::list(&raw),
                _ => fields.extra.push((String::from_utf8_lossy(key).into_owned(), value::unquote(&raw))),
            }
        }
        fields
    }
}

/// YAML's block list: `- item` lines.
fn block_list(lines: &[Line], bytes: &[u8]) -> Vec<String> {
    lines
        .iter()
        .map_while(|line| list_item(line.text(bytes)))
        .map(|item| value::unquote(&String::from_utf8_lossy(item)))
        .filter(|item| !item.is_empty())
        .collect()
}

/// The text after the dash of a `- item` line.
pub(super) fn list_item(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_start().strip_prefix(b"- ")
}
