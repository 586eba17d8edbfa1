//! Rewrite of one block of a file; every byte outside it is copied unchanged.
//!
//! The result is parsed again and compared with the old file: a rewrite that would change another entry is refused.

use std::path::Path;

use super::{
    VaultError,
    day_file::{self, Block, Scan},
    head, sections, value,
    write::{self, Ending, HeadLine},
};

/// Changes to a block.
#[derive(Debug, Default)]
pub(super) struct Revision<'a> {
    pub lines: Vec<HeadLine>,
    /// The new text, unescaped; `None` keeps the body's bytes.
    pub body: Option<&'a [u8]>,
}

/// A block's new bytes, to replace the old block or to be appended to another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rewritten {
    /// Fences included; ends with a line ending. The heading of a section without a head.
    pub head: Vec<u8>,
    /// The escaped body.
    pub body: Vec<u8>,
    pub body_is_new: bool,
    /// The bytes before it in its file, if they change too: the front matter of a text without a head.
    pub above: Option<Vec<u8>>,
}

impl Rewritten {
    /// A text without a head, below the heading of its section, if it is one.
    pub fn of_text(heading: &str, text: &[u8]) -> Self {
        Self { head: heading.as_bytes().to_vec(), body: text.to_vec(), body_is_new: true, above: None }
    }

    pub fn has_head(&self) -> bool {
        self.head.starts_with(b"---")
    }

    /// The bytes to append to a file.
    pub fn block(&self, ending: Ending) -> Vec<u8> {
        [&self.head, &self.body, ending.after(&self.body)].concat()
    }
}

/// Applies a revision to a block. Other lines keep their bytes and positions.
pub(super) fn rewritten(bytes: &[u8], block: &Block, revision: &Revision<'_>) -> Result<Rewritten, String> {
    let ending = Ending::of(&bytes[block.head.opening.start..]);
    let mut parts = Parts::of(bytes, block, ending);
    let body = match revision.body {
        None => bytes[block.body.clone()].to_vec(),
        Some(text) => {
            let escaped = day_file::escaped(text);
            parts.set("escaped", escaped.is_some().then(|| "escaped: true".to_owned()));
            escaped.unwrap_or_else(|| text.to_vec())
        }
    };
    for (key, line) in &revision.lines {
        parts.set(key, line.clone());
    }
    let lines = parts.list.iter().map(|part| part.lines).sum::<usize>();
    if lines > head::MOST_LINES {
        return Err(format!("its head would have {lines} lines, and {} is the most", head::MOST_LINES));
    }
    if block.head.is_absent() && !parts.list.is_empty() && parts.place_of("time").is_none() {
        return Err("it has no head, and a field can only be set in a head".to_owned());
    }
    let body_is_new = revision.body.is_some();
    if block.head.is_absent() && parts.list.is_empty() {
        let heading = &bytes[block.head.opening.start..block.body.start];
        let head = match body_is_new {
            true => sections::heading_for(heading, &bytes[block.body.clone()], &body, ending.bytes()),
            false => heading.to_vec(),
        };
        return Ok(Rewritten { head, body, body_is_new, above: None });
    }
    let fence = [b"---", ending.bytes()].concat();
    let [opening, closing] = match block.head.is_absent() {
        true => [fence.as_slice(); 2],
        false => [block.head.opening.raw(bytes), block.head.closing.raw(bytes)],
    };
    let mut head = opening.to_vec();
    parts.list.iter().for_each(|part| head.extend_from_slice(&part.bytes));
    head.extend_from_slice(closing);
    if head.last() != Some(&b'\n') {
        head.extend_from_slice(ending.after(&head));
    }
    Ok(Rewritten { head, body, body_is_new, above: None })
}

/// Like [`rewritten`]; a refusal names the file.
pub(super) fn rewritten_in(
    path: &Path,
    bytes: &[u8],
    block: &Block,
    revision: &Revision<'_>,
) -> Result<Rewritten, VaultError> {
    let refused = |reason| VaultError::Refused { path: path.to_path_buf(), line: block.line, reason };
    rewritten(bytes, block, revision).map_err(refused)
}

/// The file with block `at` replaced.
pub(super) fn replaced(bytes: &[u8], scan: &Scan, at: usize, new: &Rewritten) -> Result<Vec<u8>, String> {
    let block = &scan.blocks[at];
    let ending = Ending::of(&bytes[block.head.opening.start..]);
    let old_tail = &bytes[block.body.end..block.end];
    let followed = block.end < bytes.len();
    // A text without a head at the end of the file: keep whatever ending the user's text has.
    let whole = !new.has_head() && !followed && new.body.last() != Some(&b'\r');
    let is_before_section = scan.blocks.get(at + 1).is_some_and(|next| next.part.section().is_some());
    let above = new.above.as_deref().unwrap_or(&bytes[..block.head.opening.start]);
    let with_tail = |tail: &[u8]| {
        let file = [above, &new.head, &new.body, tail, &bytes[block.end..]].concat();
        let again = day_file::scan(&file);
        let same = again.blocks.len() == scan.blocks.len()
            && (0..scan.blocks.len()).all(|other| other == at || same_block(bytes, scan, other, &file, &again, other))
            && file[again.blocks[at].body.clone()] == new.body;
        same.then_some(file)
    };
    let keeps_tail = !new.body_is_new || whole || separates(old_tail, &new.body, followed);
    let kept = (keeps_tail || is_before_section && !new.has_head()).then(|| with_tail(old_tail)).flatten();
    let changed = || {
        let mut tail = ending.after(&new.body).to_vec();
        tail.extend_from_slice(if followed { ending.bytes() } else { b"" });
        (!keeps_tail || block.body.is_empty()).then(|| with_tail(&tail)).flatten()
    };
    kept.or_else(changed).ok_or_else(differs_elsewhere)
}

fn differs_elsewhere() -> String {
    "the file would then read differently elsewhere".to_owned()
}

/// The file with a new head for block `at`, which has none: it moves behind the others, because its head would also
/// take the sections below it.
pub(super) fn moved_behind(bytes: &[u8], scan: &Scan, at: usize, new: &Rewritten) -> Result<Vec<u8>, String> {
    let mut file = removed(bytes, scan, at)?;
    let ending = Ending::of(bytes);
    file.extend(write::separator(&file, ending));
    file.extend(new.block(ending));
    let again = day_file::scan(&file);
    let count = scan.blocks.len();
    let others = (0..count).filter(|other| *other != at).enumerate();
    let same = again.blocks.len() == count
        && others.into_iter().all(|(now, then)| same_block(bytes, scan, then, &file, &again, now))
        && file[again.blocks[count - 1].body.clone()] == new.body;
    if same && new.has_head() { Ok(file) } else { Err(differs_elsewhere()) }
}

/// The file without block `at` and its separating empty line.
pub(super) fn removed(bytes: &[u8], scan: &Scan, at: usize) -> Result<Vec<u8>, String> {
    removed_all(bytes, scan, &[at])
}

/// The file without these blocks (ascending indices) and their separating empty lines. Linear in the length of the
/// file.
pub(super) fn removed_all(bytes: &[u8], scan: &Scan, gone: &[usize]) -> Result<Vec<u8>, String> {
    // For blocks at the end of the file, also remove the empty line before the first of them.
    let count = scan.blocks.len();
    let trailing = gone.iter().rev().enumerate().take_while(|(nth, at)| **at + nth + 1 == count).count();
    let first_trailing = count - trailing;
    let mut file = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    for at in gone {
        let block = &scan.blocks[*at];
        let mut start = block.head.opening.start;
        // The text above the first entry is the user's, with its empty lines.
        if *at == first_trailing && (*at > 0 || !block.head.is_absent()) {
            let before = at.checked_sub(1).map_or(0, |before| scan.blocks[before].head.closing.next);
            start = head::less_empty_line(bytes, before, start);
        }
        file.extend_from_slice(&bytes[copied..start.max(copied)]);
        copied = block.end;
    }
    file.extend_from_slice(&bytes[copied..]);
    let again = day_file::scan(&file);
    let mut kept = (0..count).filter(|at| gone.binary_search(at).is_err());
    let same = again.blocks.len() + gone.len() == count
        && (0..again.blocks.len())
            .all(|now| kept.next().is_some_and(|then| same_block(bytes, scan, then, &file, &again, now)));
    if same { Ok(file) } else { Err(differs_elsewhere()) }
}

fn same_block(old: &[u8], then: &Scan, there: usize, new: &[u8], now: &Scan, here: usize) -> bool {
    old[then.blocks[there].range()] == new[now.blocks[here].range()]
}

/// Whether the line endings after the old body also fit the new one.
fn separates(tail: &[u8], body: &[u8], followed: bool) -> bool {
    let endings = tail.iter().filter(|byte| **byte == b'\n').count();
    let eaten = body.last() == Some(&b'\r') && tail.first() == Some(&b'\n');
    !eaten && endings == if followed { 2 } else { 1 }
}

/// The lines of a head, editable by key.
struct Parts {
    list: Vec<Part>,
    ending: Ending,
}

struct Part {
    key: Option<String>,
    bytes: Vec<u8>,
    lines: usize,
}

/// Keys that kioku writes after all others, in this order.
pub(super) const LAST: [&str; 5] = ["escaped", "trashed", "why", "from", "id"];
/// Keys that kioku writes before all others, in this order.
pub(super) const FIRST: [&str; 4] = ["time", "mood", "tags", "event_time"];

impl Parts {
    fn of(bytes: &[u8], block: &Block, ending: Ending) -> Self {
        let mut list: Vec<Part> = Vec::with_capacity(block.head.lines.len() + 2);
        let mut in_tags = false;
        for (at, line) in block.head.lines.iter().enumerate() {
            let text = line.text(bytes);
            // The items of a block list belong to the `tags:` line above them.
            if in_tags
                && head::list_item(text).is_some()
                && let Some(tags) = list.last_mut()
            {
                tags.bytes.extend_from_slice(line.raw(bytes));
                tags.lines += 1;
                continue;
            }
            let (key, value) = match head::key_and_value(text) {
                Some((b"time", _)) if at != block.head.time => (None, &[][..]),
                Some((key, value)) => (std::str::from_utf8(key).ok().map(str::to_owned), value),
                None => (None, &[][..]),
            };
            in_tags = key.as_deref() == Some("tags") && value.trim_ascii().is_empty();
            list.push(Part { key, bytes: line.raw(bytes).to_vec(), lines: 1 });
        }
        Self { list, ending }
    }

    fn place_of(&self, key: &str) -> Option<usize> {
        self.list.iter().position(|part| part.key.as_deref() == Some(key))
    }

    /// Replaces the first line of a key, or inserts it at its usual position; `None` removes all its lines.
    fn set(&mut self, key: &str, line: Option<String>) {
        let Some(line) = line else { return self.list.retain(|part| part.key.as_deref() != Some(key)) };
        let present = self.place_of(key);
        let ending = match present.map(|at| &self.list[at].bytes) {
            Some(old) if old.ends_with(b"\r\n") => &b"\r\n"[..],
            Some(_) => b"\n",
            None => self.ending.bytes(),
        };
        let old = present.map(|at| String::from_utf8_lossy(&self.list[at].bytes)).unwrap_or_default();
        let line = value::like_before(&old, &line);
        let part = Part { key: Some(key.to_owned()), bytes: [line.as_bytes(), ending].concat(), lines: 1 };
        match present {
            Some(at) => self.list[at] = part,
            None => self.list.insert(self.place_for(key), part),
        }
    }

    fn place_for(&self, key: &str) -> usize {
        if let Some(rank) = FIRST.iter().position(|first| *first == key) {
            let before = FIRST[..rank].iter().filter_map(|key| self.place_of(key)).max();
            let at = before.map_or(0, |before| before + 1);
            // Lines without a key belong to the key above them.
            return at + self.list[at..].iter().take_while(|part| part.key.is_none()).count();
        }
        let rank = LAST.iter().position(|last| *last == key).unwrap_or(0);
        let behind = |part: &&Part| {
            part.key
                .as_deref()
                .is_some_and(|key| LAST.iter().position(|last| *last == key).is_some_and(|other| other >= rank))
        };
        self.list.len() - self.list.iter().rev().take_while(behind).count()
    }
}

#[cfg(test)]
#[path = "splice_tests.rs"]
mod tests;
