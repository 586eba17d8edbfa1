//! Parser for day files: one pass over the bytes into preface, blocks and malformed heads (design 3, Reading).

use std::{borrow::Cow, ops::Range, sync::Arc};

use jiff::{civil, tz::TimeZone};

use super::{
    BodyHash, Entry, EntryId, EntryTime, Notice, NoticeKind, Place, day_names, front_matter,
    head::{self, Fields, Head, Line, behind_blank_lines, less_empty_line, less_ending},
    sections::{self, TextPart},
};

/// Size and modification time of a day file. Comparing stamps detects changes without reading the file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileStamp {
    /// Relative to the folder of the day files: `2026-02-22.md`, `2026/02/2026-02-22.md`.
    pub file: Arc<str>,
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: i128,
}

impl FileStamp {
    /// The day in the file name.
    pub fn day(&self) -> Option<civil::Date> {
        day_names::day_of(&self.file)
    }
}

/// A parsed day file.
#[derive(Debug, Clone, PartialEq)]
pub struct DayFile {
    pub stamp: FileStamp,
    /// In file order. Their `id`s are final only after [`super::identity::resolve`] over the whole vault.
    pub entries: Vec<WrittenEntry>,
    pub notices: Vec<Notice>,
}

/// An entry as parsed from one file, before ids are made unique across the vault.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenEntry {
    /// Its `id` is the written id, or else the time as written.
    pub entry: Entry,
    /// Whether the file has an `id:`.
    pub has_id: bool,
}

impl WrittenEntry {
    /// The `id:` in the file.
    pub(super) fn written_id(&self) -> Option<&EntryId> {
        self.has_id.then_some(&self.entry.id)
    }
}

/// An entry's bytes: head, body, and the line endings up to the next head or the end of the file. The text before the
/// first head, without titles and front matter, is a block with an absent head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub head: Head,
    /// The body as in the file, escapes included.
    pub body: Range<usize>,
    /// Offset of the next head or the end of the file.
    pub end: usize,
    /// Line number of the opening fence (of the first line, if there is no head), from 1.
    pub line: usize,
    /// The lines of another program's front matter, for a text without a head.
    pub front: Vec<Line>,
    /// What this is of a text without a head.
    pub part: TextPart,
}

/// Structure of a day file. Every byte is in the preface or in exactly one block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// End of the preface (title, front matter, empty lines): the first block or the end of the file.
    pub preface: usize,
    pub blocks: Vec<Block>,
    /// Line numbers of malformed heads: a `---` followed by a known key that is not a head.
    pub no_heads: Vec<usize>,
    /// Line numbers of git conflict markers.
    pub conflicts: Vec<usize>,
    /// Heads without an opening fence, which are read as text.
    pub torn: Vec<TornHead>,
}

/// A head whose first lines are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TornHead {
    /// Line number of its first remaining line.
    pub line: usize,
    pub at: usize,
    /// Whether only the opening fence is missing. A union merge can also remove the `time:` that two heads share.
    pub has_time: bool,
}

/// Consecutive lines with known keys that are not part of a head.
#[derive(Debug, Clone, Copy)]
struct KeyRun {
    line: usize,
    at: usize,
    /// Contains a `time:`, or follows a fence: not a head without its first two lines.
    is_other: bool,
}

/// The UTF-8 byte order mark, which some editors write before the first line.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Whether a file is in UTF-16. Text in UTF-8 in it would make it unreadable.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// Parses a file's structure. Accepts any bytes; takes time linear in their length.
pub(super) fn scan(bytes: &[u8]) -> Scan {
    let mut found = scan_heads(bytes);
    found.split_sections(bytes);
    found
}

/// Like [`scan`], but a text without a head is one block, also if it has sections.
pub(super) fn scan_heads(bytes: &[u8]) -> Scan {
    let mut found = Scan { preface: bytes.len(), ..Scan::default() };
    let mut at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut number = 1;
    let mut ours = None;
    let mut front = Vec::new();
    let mut text = Line { start: at, end: at, next: at };
    let mut after_fence = false;
    let mut keys: Option<KeyRun> = None;
    let first = at;
    while at < bytes.len() {
        let line = Line::at(bytes, at);
        let behind_fence = std::mem::replace(&mut after_fence, is_backslashed_fence(line.text(bytes)));
        keys = key_run(keys, bytes, line, number, behind_fence);
        match bytes[at] {
            b'-' if line.is_fence(bytes) => match head::read(bytes, line) {
                Ok(head) => {
                    found.close(bytes, line.start, true);
                    at = head.closing.next;
                    let lines = head.lines.len() + 2;
                    found.blocks.push(Block {
                        head,
                        body: at..at,
                        end: at,
                        line: number,
                        front: Vec::new(),
                        part: TextPart::Whole,
                    });
                    number += lines;
                    after_fence = false;
                    continue;
                }
                Err(looks_like_one) => match (at == first).then(|| front_matter::lines(bytes, line)).flatten() {
                    Some((lines, closing)) => {
                        number += lines.len() + 2;
                        at = closing.next;
                        front = lines;
                        text = closing;
                        continue;
                    }
                    None => found.no_heads.extend(looks_like_one.then_some(number)),
                },
            },
            b't' if !behind_fence && head::is_torn(bytes, line) && !found.ends_escaped(bytes) => {
                found.torn.push(TornHead { line: number, at, has_time: true });
            }
            b'i' if found.has_heads() && head::is_last_line(bytes, line) && !found.ends_escaped(bytes) => {
                let torn = keys.filter(|keys| !keys.is_other);
                found.torn.extend(torn.map(|keys| TornHead { line: keys.line, at: keys.at, has_time: false }));
            }
            b'<' if line.text(bytes).starts_with(b"<<<<<<< ") => ours = Some(number),
            b'>' if line.text(bytes).starts_with(b">>>>>>> ") => found.conflicts.extend(ours.take()),
            _ => {}
        }
        at = line.next;
        number += 1;
    }
    found.close(bytes, bytes.len(), false);
    found.headless(bytes, text.next, front);
    found
}

/// The run of keys that a line continues or starts; `None` if the line has no known key.
fn key_run(run: Option<KeyRun>, bytes: &[u8], line: Line, number: usize, behind_fence: bool) -> Option<KeyRun> {
    let text = line.text(bytes);
    if !head::starts_with_known_key(text) {
        return None;
    }
    let run = run.unwrap_or(KeyRun { line: number, at: line.start, is_other: behind_fence });
    Some(KeyRun { is_other: run.is_other || text.starts_with(b"time:"), ..run })
}

impl Scan {
    /// Whether any block has a head, which only kioku writes.
    pub fn has_heads(&self) -> bool {
        self.blocks.iter().any(|block| !block.head.is_absent())
    }

    /// Whether the last block is `escaped`: kioku wrote all of its text, so what looks like a head in it is none.
    fn ends_escaped(&self, bytes: &[u8]) -> bool {
        self.blocks.last().is_some_and(|block| block.head.fields(bytes).escaped)
    }

    /// Turns the text of the preface into a block without a head. `start` is the offset after byte order mark and front
    /// matter.
    fn headless(&mut self, bytes: &[u8], start: usize, front: Vec<Line>) {
        let end = self.preface;
        let mut start = behind_blank_lines(bytes, start, end);
        if start < end {
            let first = Line::at(bytes, start);
            if is_title(first.text(bytes)) {
                start = behind_blank_lines(bytes, first.next, end);
            }
        }
        // A title of the day with nothing below it is none of an entry, so that appending one does not change its meaning.
        if start >= end || sections::is_title(&bytes[start..end]) {
            return;
        }
        let until = if self.blocks.is_empty() { end } else { less_empty_line(bytes, start, end) };
        let body = start..less_ending(bytes, start, until);
        let line = 1 + newlines(&bytes[..start]);
        self.preface = start;
        self.blocks.insert(0, Block { head: Head::absent(start), body, end, line, front, part: TextPart::Whole });
    }

    /// Splits the text without a head into its sections.
    fn split_sections(&mut self, bytes: &[u8]) {
        let Some(text) = self.blocks.first().filter(|block| block.head.is_absent()) else { return };
        let start = text.head.opening.start;
        let (is_followed, ids) =
            (self.blocks.len() > 1, self.blocks[1..].iter().filter_map(|block| block.fields(bytes).id));
        let Some(parts) = sections::split(bytes, start, text.end, is_followed, ids) else { return };
        let text = self.blocks.remove(0);
        let (mut at, mut line) = (start, text.line);
        let split: Vec<Block> = parts
            .into_iter()
            .map(|part| {
                line += newlines(&bytes[at..part.start]);
                at = part.start;
                let (head, body) = (Head::absent(at), part.body..part.body_end);
                Block { head, body, end: part.end, line, front: text.front.clone(), part: part.kind }
            })
            .collect();
        self.preface = split.first().map_or(start, |first| first.head.opening.start);
        self.blocks.splice(0..0, split);
    }

    /// Ends the open block (or the preface) at `end`. `followed` is true if a head follows, false at the end of the
    /// file.
    fn close(&mut self, bytes: &[u8], end: usize, followed: bool) {
        match self.blocks.last_mut() {
            None => self.preface = end,
            Some(block) => {
                let start = block.head.closing.next;
                let until = if followed { less_empty_line(bytes, start, end) } else { end };
                block.body = start..less_ending(bytes, start, until);
                block.end = end;
            }
        }
    }
}

/// The settings for interpreting times and days.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub zone: TimeZone,
    pub day_start: civil::Time,
}

/// Whether a line is Kioku's title of a day file or another title that ends in the date. It adds nothing to the file
/// name.
fn is_title(line: &[u8]) -> bool {
    let dated = |word: &str| day_names::day_of(&format!("{word}.md")).is_some();
    let ends_in_date = || String::from_utf8_lossy(line).split_whitespace().next_back().is_some_and(dated);
    line.trim_ascii_end() == b"# Kioku" || line.starts_with(b"# ") && ends_in_date() && sections::is_title(line)
}

impl Block {
    /// The fields of the head, or of the front matter for a text without a head.
    pub fn fields(&self, bytes: &[u8]) -> Fields {
        if !self.head.is_absent() {
            return self.head.fields(bytes);
        }
        let yaml = || {
            let text = &bytes[self.front.first()?.start..self.front.last()?.next];
            front_matter::yaml(&String::from_utf8_lossy(text))
        };
        let front =
            yaml().map_or_else(|| Fields::of(&self.front, None, bytes), |mapping| front_matter::fields(&mapping));
        // These keys are valid in a head only.
        let mut fields = Fields { id: None, escaped: false, trashed: None, why: None, ..front };
        if self.part.section().is_some_and(|section| !section.leads) {
            fields = Fields { tags: fields.tags, ..Fields::default() };
        }
        front_matter::add_properties(&mut fields, &String::from_utf8_lossy(&bytes[self.body.clone()]));
        fields
    }

    /// From the opening fence to the end of the body.
    pub fn range(&self) -> Range<usize> {
        self.head.opening.start..self.body.end
    }

    /// The text as typed, with the escapes that `escaped: true` announces removed.
    pub fn text<'a>(&self, bytes: &'a [u8], fields: &Fields) -> Cow<'a, [u8]> {
        let body = &bytes[self.body.clone()];
        if fields.escaped { Cow::Owned(unescaped(body)) } else { Cow::Borrowed(body) }
    }

    /// Line number of the first byte that is not UTF-8, if any. Editing such a block would lose the invalid bytes.
    pub fn broken_at(&self, bytes: &[u8]) -> Option<usize> {
        let broken = std::str::from_utf8(&bytes[self.range()]).err()?;
        Some(self.line + newlines(&bytes[self.head.opening.start..][..broken.valid_up_to()]))
    }

    pub fn entry(&self, bytes: &[u8], file: &Arc<str>, position: usize, reading: &Reading) -> WrittenEntry {
        let mut fields = self.fields(bytes);
        let text = self.text(bytes, &fields);
        let (time, day, id) = match self.head.time(bytes, &reading.zone) {
            Some(time) => (time.clone(), time.day(reading.day_start), fields.id.take()),
            None => {
                let day = day_names::day_of(file).unwrap_or_default();
                let (time, id) = self.name_of_text(&fields, file, day, reading);
                (time, day, Some(id))
            }
        };
        let entry = Entry {
            id: EntryId::from(id.as_deref().unwrap_or(&time.written)),
            day,
            time,
            mood: fields.mood,
            tags: fields.tags,
            event_time: fields.event_time,
            body: String::from_utf8_lossy(&text).into_owned(),
            hash: BodyHash::of(&text),
            extra: fields.extra,
            place: Place { file: file.clone(), position: position as u32, bytes: self.range() },
        };
        WrittenEntry { entry, has_id: id.is_some() }
    }

    /// Time and id of a text without a head. The file name, with the time of a section, is the only id that stays the
    /// same when the text changes.
    fn name_of_text(&self, fields: &Fields, file: &str, day: civil::Date, reading: &Reading) -> (EntryTime, String) {
        let of_day = || EntryTime::of_day(day, &reading.zone);
        let of_clock = |clock| EntryTime::of_clock(day, clock, reading.day_start, &reading.zone);
        let created = front_matter::created(fields, day, &reading.zone);
        let time = created.filter(|time| time.day(reading.day_start) == day).unwrap_or_else(of_day);
        match self.part {
            TextPart::Section(section) => (of_clock(section.clock).unwrap_or(time), section.id(file)),
            TextPart::Preamble { before } if !time.has_clock() => {
                let at = of_clock(before).map_or(time.at, |first| first.at.min(time.at));
                (EntryTime { at, ..time }, file.to_owned())
            }
            _ => (time, file.to_owned()),
        }
    }
}

/// The entries of a file.
pub(super) fn entries(bytes: &[u8], scan: &Scan, file: &Arc<str>, reading: &Reading) -> Vec<WrittenEntry> {
    scan.blocks.iter().enumerate().map(|(position, block)| block.entry(bytes, file, position, reading)).collect()
}

pub(super) fn notices(bytes: &[u8], scan: &Scan, file: &Arc<str>) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut tell = |line, kind, message: &str| {
        notices.push(Notice { file: file.clone(), line, kind, message: message.to_owned() });
    };
    for line in &scan.no_heads {
        tell(*line, NoticeKind::NoHead, "this looks like the head of an entry but is none; it is read as text");
    }
    for line in &scan.conflicts {
        tell(*line, NoticeKind::SyncConflict, "git left conflict markers here; both versions are shown");
    }
    for torn in &scan.torn {
        let message = match torn.has_time {
            true => "an entry begins here without its first `---`; it is read as part of the text above",
            false => "an entry begins here without its `---` and `time:`; it is read as part of the text above",
        };
        tell(torn.line, NoticeKind::TornHead, message);
    }
    if is_utf16(bytes) {
        tell(
            1,
            NoticeKind::NotUtf8,
            "this file is in UTF-16: save it as UTF-8 in an editor, so that it can be searched",
        );
    } else if std::str::from_utf8(bytes).is_err() {
        if let Err(broken) = std::str::from_utf8(&bytes[..scan.preface]) {
            let line = 1 + newlines(&bytes[..broken.valid_up_to()]);
            tell(line, NoticeKind::NotUtf8, "some bytes before the first entry are not UTF-8");
        }
        for line in scan.blocks.iter().filter_map(|block| block.broken_at(bytes)) {
            tell(line, NoticeKind::NotUtf8, "some bytes here are not UTF-8; the entry can be read but not edited");
        }
    }
    notices.sort_by_key(|notice| notice.line);
    notices
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Offsets of the lines in a body that could begin a head: zero or more backslashes and `---`, with a known key on the
/// next line.
fn fences_with_key(body: &[u8]) -> impl Iterator<Item = usize> {
    let has_key = |line: &Line| {
        is_backslashed_fence(line.text(body)) && head::starts_with_known_key(Line::at(body, line.next).text(body))
    };
    head::lines_from(body, 0).filter(move |line| has_key(line)).map(|line| line.start)
}

fn is_backslashed_fence(line: &[u8]) -> bool {
    let dashes = line.iter().position(|byte| *byte != b'\\').unwrap_or(line.len());
    matches!(&line[dashes..], b"---" | b"---\r")
}

/// Whether a text has lines that look like the rest of a head, see [`TornHead`].
fn has_torn_head(body: &[u8]) -> bool {
    let in_entry = || [b"---\ntime: 2026-02-22T00:00:00Z\n---\n", body].concat();
    head::lines_from(body, 0).any(|line| line.is_fence(body)) && !scan_heads(&in_entry()).torn.is_empty()
}

/// Adds a backslash before each line that could begin a head; `None` if the text needs no `escaped: true`.
pub(super) fn escaped(body: &[u8]) -> Option<Vec<u8>> {
    let fences: Vec<usize> = fences_with_key(body).collect();
    if fences.is_empty() && !has_torn_head(body) {
        return None;
    }
    let mut escaped = Vec::with_capacity(body.len() + fences.len());
    let mut copied = 0;
    for at in fences {
        escaped.extend_from_slice(&body[copied..at]);
        escaped.push(b'\\');
        copied = at;
    }
    escaped.extend_from_slice(&body[copied..]);
    Some(escaped)
}

/// The inverse of [`escaped`]: removes one backslash from each line that could begin a head.
pub(super) fn unescaped(body: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    let mut copied = 0;
    for at in fences_with_key(body).filter(|at| body[*at] == b'\\') {
        text.extend_from_slice(&body[copied..at]);
        copied = at + 1;
    }
    text.extend_from_slice(&body[copied..]);
    text
}

#[cfg(test)]
#[path = "day_file_tests.rs"]
mod tests;
