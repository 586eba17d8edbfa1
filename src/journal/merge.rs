//! Three-way merge of two versions of a file of the vault, by entry.
//!
//! Entries are matched by id. An entry that only one side changed is copied byte for byte; one that both changed is
//! merged by key and by line, and keeps both versions of a line. An entry that one side deleted and the other changed
//! stays. The result does not depend on which side is ours, so that all devices agree.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use jiff::{Timestamp, tz::TimeZone};

use super::{
    BodyHash,
    day_file::{self, BOM, Scan},
    front_matter,
    head::Line,
    merge_keys::{self, Field},
    merge_lines::{LineText, merge_lines},
    splice::{FIRST, LAST},
    write::Ending,
};

/// Result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    pub bytes: Vec<u8>,
    /// Names of the entries of which both versions were kept.
    pub clashes: Vec<String>,
    /// Whether both files are between conflict markers, because a merged file would not be read as its entries.
    pub has_markers: bool,
}

impl Merged {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), clashes: Vec::new(), has_markers: false }
    }
}

/// Merges two versions of a file that started from `base` (empty if they have no common ancestor). No text that a side
/// added is lost.
pub fn merge(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    if ours == theirs || theirs == base {
        return Merged::of(ours);
    }
    if ours == base {
        return Merged::of(theirs);
    }
    let ending = common_ending(base, ours, theirs);
    let [base, ours, theirs] = [base, ours, theirs].map(|bytes| normalized(bytes, ending.is_some()));
    let mut merged = by_entry(&base, &ours, &theirs).unwrap_or_else(|| between_markers(&ours, &theirs));
    if ending == Some(Ending::CrLf) {
        merged.bytes = merged.bytes.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(&b"\r\n"[..]);
    }
    merged
}

/// The line ending to convert to: that of the side which changed it. `None` if all lines end in a line feed.
fn common_ending(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Ending> {
    let [was, ours, theirs] = [base, ours, theirs].map(Ending::of);
    match (was, ours, theirs) {
        (Ending::Lf, Ending::Lf, Ending::Lf) => None,
        _ if ours == theirs => Some(ours),
        _ if base.is_empty() => Some(Ending::Lf),
        _ => Some(if ours == was { theirs } else { ours }),
    }
}

/// The file without carriage returns before line feeds, and with one line ending at its end: an entry must not differ
/// only because it is the last one.
fn normalized(bytes: &[u8], has_carriage_returns: bool) -> Vec<u8> {
    let is_kept = |at: &usize| !has_carriage_returns || bytes[*at] != b'\r' || bytes.get(at + 1) != Some(&b'\n');
    let mut normalized: Vec<u8> = (0..bytes.len()).filter(is_kept).map(|at| bytes[at]).collect();
    while normalized.ends_with(b"\n\n") {
        normalized.pop();
    }
    normalized
}

/// One version of a file.
struct Version<'f> {
    bytes: &'f [u8],
    scan: Scan,
    /// The front matter of another program, with its lines.
    front: Option<(Range<usize>, Vec<Field>)>,
}

/// Identifies an entry in all versions of a file: id, or else time, or else nothing for a text without a head. Entries
/// of one version that share a name also need the hash of their text.
type Name = (String, Option<BodyHash>);

/// An entry to write.
struct Piece {
    at: Option<Timestamp>,
    bytes: Vec<u8>,
}

impl<'f> Version<'f> {
    fn of(bytes: &'f [u8]) -> Option<Self> {
        let scan = day_file::scan_heads(bytes);
        let start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let opening = Line::at(bytes, start);
        let front = match opening.is_fence(bytes).then(|| front_matter::lines(bytes, opening)).flatten() {
            Some((lines, closing)) if closing.next <= scan.preface => {
                Some((opening.next..closing.start, merge_keys::fields(&lines, bytes)?))
            }
            _ => None,
        };
        Some(Self { bytes, scan, front })
    }

    fn name(&self, at: usize) -> String {
        let block = &self.scan.blocks[at];
        match block.fields(self.bytes).id {
            Some(id) => id,
            None => block.head.time(self.bytes, &TimeZone::UTC).map_or_else(String::new, |time| time.written),
        }
    }

    fn block(&self, at: usize) -> &'f [u8] {
        &self.bytes[self.scan.blocks[at].range()]
    }

    fn text(&self, at: usize) -> Vec<u8> {
        let block = &self.scan.blocks[at];
        block.text(self.bytes, &block.fields(self.bytes)).into_owned()
    }

    /// Names that two different entries of this version share.
    fn shared_names(&self) -> BTreeSet<String> {
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        let names = (0..self.scan.blocks.len()).map(|at| (self.name(at), at));
        names
            .filter_map(|(name, at)| {
                let first = *first.entry(name.clone()).or_insert(at);
                (self.block(first) != self.block(at)).then_some(name)
            })
            .collect()
    }

    /// The positions of the entries by name. Of equal entries only the first has a name.
    fn named(&self, shared: &BTreeSet<String>) -> BTreeMap<Name, usize> {
        let mut named = BTreeMap::new();
        for at in 0..self.scan.blocks.len() {
            let name = self.name(at);
            // The whole block is hashed: two entries may differ in their heads only.
            let hash = shared.contains(&name).then(|| BodyHash::of(self.block(at)));
            named.entry((name, hash)).or_insert(at);
        }
        named
    }

    fn piece(&self, at: usize) -> Piece {
        Piece { at: self.time(at), bytes: self.block(at).to_vec() }
    }

    fn time(&self, at: usize) -> Option<Timestamp> {
        self.scan.blocks[at].head.time(self.bytes, &TimeZone::UTC).map(|time| time.at)
    }

    fn fields(&self, at: usize) -> Option<Vec<Field>> {
        merge_keys::fields(&self.scan.blocks[at].head.lines, self.bytes)
    }
}

/// `None` if the merged file would not be read as exactly the merged entries.
fn by_entry(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Merged> {
    let (base, ours, theirs) = (Version::of(base)?, Version::of(ours)?, Version::of(theirs)?);
    let shared = [&base, &ours, &theirs].into_iter().flat_map(Version::shared_names).collect();
    let [was, here, there] = [&base, &ours, &theirs].map(|version| version.named(&shared));
    let mut merged = Merged { bytes: preface(&base, &ours, &theirs), clashes: Vec::new(), has_markers: false };
    let mut pieces = Vec::new();
    for name in here.keys().chain(there.keys()).collect::<BTreeSet<_>>() {
        let unchanged =
            |version: &Version, at: usize| was.get(name).is_some_and(|was| base.block(*was) == version.block(at));
        let piece = match (here.get(name), there.get(name)) {
            (Some(at), None) if unchanged(&ours, *at) => None,
            (None, Some(at)) if unchanged(&theirs, *at) => None,
            (Some(at), None) => Some(ours.piece(*at)),
            (None, Some(at)) => Some(theirs.piece(*at)),
            (Some(at), Some(other)) if ours.block(*at) == theirs.block(*other) || unchanged(&theirs, *other) => {
                Some(ours.piece(*at))
            }
            (Some(at), Some(other)) if unchanged(&ours, *at) => Some(theirs.piece(*other)),
            (Some(at), Some(other)) => {
                let versions = [was.get(name).map(|was| (&base, *was)), Some((&ours, *at)), Some((&theirs, *other))];
                let (piece, clash) = merge_entry(versions)?;
                merged.clashes.extend(clash.then(|| name.0.clone()));
                Some(piece)
            }
            (None, None) => None,
        };
        pieces.extend(piece.map(|piece| (name, piece)));
    }
    // A text without a head has no time: it comes first.
    pieces.sort_by(|(a, one), (b, other)| (one.at, a).cmp(&(other.at, b)));
    pieces.iter().enumerate().for_each(|(at, (_, piece))| append(&mut merged.bytes, &piece.bytes, at == 0));
    let again = day_file::scan_heads(&merged.bytes);
    let is_same = again.blocks.len() == pieces.len()
        && again.blocks.iter().zip(&pieces).all(|(block, (_, piece))| merged.bytes[block.range()] == piece.bytes);
    is_same.then_some(merged)
}

/// Appends a block, after an empty line if it has a head or follows another.
fn append(file: &mut Vec<u8>, block: &[u8], is_first: bool) {
    if !file.is_empty() && file != BOM && !file.ends_with(b"\n") {
        file.push(b'\n');
    }
    let is_separate = file.is_empty() || file == BOM || file.ends_with(b"\n\n");
    if !is_first || block.starts_with(b"---\n") && !is_separate {
        file.push(b'\n');
    }
    file.extend_from_slice(block);
    file.push(b'\n');
}

/// An entry that both sides changed, and whether they changed the same.
fn merge_entry([base, ours, theirs]: [Option<(&Version, usize)>; 3]) -> Option<(Piece, bool)> {
    let fields = |version: Option<(&Version, usize)>| match version {
        Some((version, at)) => version.fields(at).map(without_escaped),
        None => Some(Vec::new()),
    };
    let text = |version: Option<(&Version, usize)>| version.map(|(version, at)| version.text(at)).unwrap_or_default();
    let head = merge_keys::merge_fields(&fields(base)?, &fields(ours)?, &fields(theirs)?);
    let [was, here, there] = [base, ours, theirs].map(text);
    let was = if base.is_some() { lines(&was) } else { Vec::new() };
    let body = merge_lines(&was, &lines(&here), &lines(&there));
    let text = body.lines.join(&b'\n');
    let escaped = day_file::escaped(&text);
    let mut fields = head.fields;
    if escaped.is_some() {
        fields.push(Field { key: ("escaped".to_owned(), 0), lines: vec![b"escaped: true".to_vec()] });
    }
    let mut bytes = Vec::new();
    if !fields.is_empty() {
        fields.sort_by_key(|field| rank(&field.key.0));
        let lines = fields.iter().flat_map(|field| field.lines.iter().map(Vec::as_slice));
        for line in std::iter::once(&b"---"[..]).chain(lines).chain([&b"---"[..]]) {
            bytes.extend_from_slice(line);
            bytes.push(b'\n');
        }
    }
    bytes.extend_from_slice(&escaped.unwrap_or(text));
    let at = [ours, theirs].into_iter().flatten().filter_map(|(version, at)| version.time(at)).min();
    Some((Piece { at, bytes }, head.clash || body.clash))
}

/// The fields without the lines `escaped: …`. What stands below such a line stays, under no key.
fn without_escaped(mut fields: Vec<Field>) -> Vec<Field> {
    for field in fields.iter_mut().filter(|field| field.key.0 == "escaped") {
        field.lines.remove(0);
        // Lines above the first key have the number 0.
        field.key = (String::new(), field.key.1 + 1);
    }
    fields.retain(|field| !field.lines.is_empty());
    fields
}

/// The order in which kioku writes the keys of a head; other keys come in between.
fn rank(key: &str) -> usize {
    let last = || FIRST.len() + LAST.iter().position(|last| *last == key).map_or(0, |rank| rank + 1);
    FIRST.iter().position(|first| *first == key).unwrap_or_else(last)
}

/// The text before the first entry: title and front matter.
fn preface(base: &Version, ours: &Version, theirs: &Version) -> Vec<u8> {
    let versions = [base, ours, theirs];
    let around = versions.map(|version| {
        let preface = &version.bytes[..version.scan.preface];
        match &version.front {
            Some((front, _)) => [&preface[..front.start], &preface[front.end..]].concat(),
            None => preface.to_vec(),
        }
    });
    let [was, here, there] = versions.map(|version| version.front.as_ref().map(|(_, fields)| fields.as_slice()));
    let text_lines =
        [&around[0], &around[1], &around[2]].map(|text| if text.is_empty() { Vec::new() } else { lines(text) });
    let mut preface = merge_lines(&text_lines[0], &text_lines[1], &text_lines[2]).lines.join(&b'\n');
    if here.is_some() || there.is_some() {
        let front =
            merge_keys::merge_fields(was.unwrap_or_default(), here.unwrap_or_default(), there.unwrap_or_default());
        let front = front.fields.iter().flat_map(|field| &field.lines).flat_map(|line| [line, &b"\n"[..]].concat());
        let start = if preface.starts_with(BOM) { BOM.len() } else { 0 };
        let at = Line::at(&preface, start).next;
        preface.splice(at..at, front);
    }
    preface
}

fn lines(text: &[u8]) -> Vec<LineText<'_>> {
    text.split(|byte| *byte == b'\n').collect()
}

/// Both files whole, as git marks a conflict. Reading such a file shows the entries of both.
fn between_markers(ours: &[u8], theirs: &[u8]) -> Merged {
    let mut bytes = Vec::with_capacity(ours.len() + theirs.len() + 64);
    for (marker, side) in [(&b"<<<<<<< ours\n"[..], ours), (b"=======\n", theirs)] {
        bytes.extend_from_slice(marker);
        bytes.extend_from_slice(side);
        if side.last().is_some_and(|byte| *byte != b'\n') {
            bytes.push(b'\n');
        }
    }
    bytes.extend_from_slice(b">>>>>>> theirs\n");
    Merged { bytes, clashes: Vec::new(), has_markers: true }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
