//! One pass over a file's bytes: preface, blocks and what looks like a head but is none (design 3, Reading).

use std::{borrow::Cow, ops::Range, sync::Arc};

use jiff::{civil, tz::TimeZone};

use super::{
    BodyHash, Entry, EntryId, Notice, NoticeKind, Place, WrittenEntry,
    head::{self, Fields, Head, Line},
};

/// An entry's bytes: head, body, and the line endings up to the next head or the end of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub head: Head,
    /// The body as the file has it, escapes included.
    pub body: Range<usize>,
    /// Where the next head or the end of the file is.
    pub end: usize,
    /// Line number of the opening fence, from 1.
    pub line: usize,
}

/// What a file is made of. Every byte is in the preface or in exactly one block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// Where the preface ends: at the first head or the end of the file.
    pub preface: usize,
    pub blocks: Vec<Block>,
    /// Line numbers of a `---` with a known key behind it that is no head.
    pub no_heads: Vec<usize>,
    /// Line numbers where git wrote conflict markers.
    pub conflicts: Vec<usize>,
}

/// UTF-8's byte order mark: some editors put it before the first line.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads a file's structure, in time linear in its length, whatever the bytes are.
pub(super) fn scan(bytes: &[u8]) -> Scan {
    let mut found = Scan { preface: bytes.len(), ..Scan::default() };
    let mut at = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut number = 1;
    let mut ours = None;
    while at < bytes.len() {
        let line = Line::at(bytes, at);
        match bytes[at] {
            b'-' if line.is_fence(bytes) => match head::read(bytes, line) {
                Ok(head) => {
                    found.close(bytes, line.start, true);
                    at = head.closing.next;
                    let lines = head.lines.len() + 2;
                    found.blocks.push(Block { head, body: at..at, end: at, line: number });
                    number += lines;
                    continue;
                }
                Err(looks_like_one) => found.no_heads.extend(looks_like_one.then_some(number)),
            },
            b'<' if line.text(bytes).starts_with(b"<<<<<<< ") => ours = Some(number),
            b'>' if line.text(bytes).starts_with(b">>>>>>> ") => found.conflicts.extend(ours.take()),
            _ => {}
        }
        at = line.next;
        number += 1;
    }
    found.close(bytes, bytes.len(), false);
    found
}

impl Scan {
    /// Ends the open block (or the preface) at `end`; `followed` by a head or by the end of the file.
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

/// Takes the last line off if it is empty.
pub(super) fn less_empty_line(bytes: &[u8], start: usize, end: usize) -> usize {
    let before = less_ending(bytes, start, end);
    if before < end && (before == start || bytes[before - 1] == b'\n') { before } else { end }
}

fn less_ending(bytes: &[u8], start: usize, end: usize) -> usize {
    match &bytes[start..end] {
        [.., b'\r', b'\n'] => end - 2,
        [.., b'\n'] => end - 1,
        _ => end,
    }
}

/// How a reader understands times and days.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub zone: TimeZone,
    pub day_start: civil::Time,
}

impl Block {
    /// Opening fence to the end of the body.
    pub fn range(&self) -> Range<usize> {
        self.head.opening.start..self.body.end
    }

    /// The text as the writer typed it, without the backslashes that `escaped: true` stands for.
    pub fn text<'a>(&self, bytes: &'a [u8], fields: &Fields) -> Cow<'a, [u8]> {
        let body = &bytes[self.body.clone()];
        if fields.escaped { Cow::Owned(unescaped(body)) } else { Cow::Borrowed(body) }
    }

    /// Whether every byte from fence to end is UTF-8: only then can a text be edited without changing what it does not show.
    pub fn broken_at(&self, bytes: &[u8]) -> Option<usize> {
        let broken = std::str::from_utf8(&bytes[self.range()]).err()?;
        Some(self.line + newlines(&bytes[self.head.opening.start..][..broken.valid_up_to()]))
    }

    pub fn entry(&self, bytes: &[u8], file: &Arc<str>, position: usize, reading: &Reading) -> WrittenEntry {
        let mut fields = self.head.fields(bytes);
        let text = self.text(bytes, &fields);
        // A head is a head because its time reads; a zone that cannot place it falls back to UTC.
        let time = self.head.time(bytes, &reading.zone).expect("a head has a time that reads");
        let id = fields.id.take();
        let entry = Entry {
            id: EntryId::from(id.as_deref().unwrap_or(&time.written)),
            day: time.day(reading.day_start),
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
}

/// The entries and notices of a file.
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
        tell(*line, NoticeKind::SyncConflict, "git left conflict markers here; both versions are read as text");
    }
    if std::str::from_utf8(bytes).is_err() {
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

/// Where in a body the lines of zero or more backslashes and `---` stand whose next line starts with a known key.
fn fences_with_key(body: &[u8]) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < body.len() {
            let line = Line::at(body, at);
            at = line.next;
            if line.next < body.len() && is_backslashed_fence(line.text(body)) {
                let next = Line::at(body, line.next);
                if head::starts_with_known_key(next.text(body)) {
                    return Some(line.start);
                }
            }
        }
        None
    })
}

fn is_backslashed_fence(line: &[u8]) -> bool {
    let dashes = line.iter().position(|byte| *byte != b'\\').unwrap_or(line.len());
    matches!(&line[dashes..], b"---" | b"---\r")
}

/// Adds a backslash before each line that could begin a head; `None` where there is none.
pub(super) fn escaped(body: &[u8]) -> Option<Vec<u8>> {
    let fences: Vec<usize> = fences_with_key(body).collect();
    if fences.is_empty() {
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

/// Takes one backslash off each such line that has one.
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
