//! Git conflict markers in day files: reads the entries of both sides as one file.
//!
//! Git puts the markers inside heads, because two entries written on one day begin with the same fence. Without special
//! treatment, the text of both would belong to the entry above. This module rebuilds both sides of the merge from the
//! marked regions, and appends the entries that only theirs has to ours.

use std::ops::Range;

use super::{
    day_file::{self, Block, Scan},
    head,
    write::{self, Ending},
};

/// Both sides of a file with conflict markers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Merged {
    /// A day file with every entry of either side, byte for byte.
    pub bytes: Vec<u8>,
    /// Line numbers of the first markers of the blocks that were taken apart.
    pub lines: Vec<usize>,
}

/// The part of a conflict region that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Common,
    Ours,
    Base,
    Theirs,
}

/// The versions that the markers of a file separate.
pub(super) struct Sides {
    /// The common lines, and those of the common ancestor where git recorded them.
    pub base: Vec<u8>,
    pub ours: Vec<u8>,
    pub theirs: Vec<u8>,
    conflicts: Vec<Conflict>,
}

/// The lines between one pair of markers.
struct Conflict {
    /// Line number of the first marker.
    line: usize,
    ours: Range<usize>,
    theirs: Range<usize>,
}

/// The file without the markers around heads, with the entries of both sides. `None` if there are no markers, if they do
/// not pair up, or if no head is inside them: such markers are within the text of one entry and stay visible there.
pub(super) fn merged(bytes: &[u8]) -> Option<Merged> {
    let all = sides(bytes, |_| true)?;
    let [ours, theirs] = [&all.ours, &all.theirs].map(|side| day_file::scan_heads(side));
    let tears = |scan: &Scan, part: &Range<usize>| {
        let mut heads = scan.blocks.iter().map(|block| &block.head).filter(|head| !head.is_absent());
        heads.any(|head| head.opening.start < part.end && part.start < head.closing.next)
    };
    let torn = all.conflicts.iter().filter(|found| tears(&ours, &found.ours) || tears(&theirs, &found.theirs));
    let lines: Vec<usize> = torn.map(|found| found.line).collect();
    if lines.is_empty() {
        return None;
    }
    let Sides { ours, theirs, .. } = sides(bytes, |line| lines.contains(&line))?;
    Some(Merged { bytes: union(ours, &theirs)?, lines })
}

/// Takes a file apart at the markers that begin on the given lines. `None` if there are none, or if they do not pair up.
pub(super) fn sides(bytes: &[u8], is_split: impl Fn(usize) -> bool) -> Option<Sides> {
    if !bytes.starts_with(b"<<<<<<< ") && !bytes.windows(9).any(|window| window == b"\n<<<<<<< ") {
        return None;
    }
    let [mut base, mut ours, mut theirs] = std::array::from_fn(|_| Vec::with_capacity(bytes.len()));
    let (mut part, mut conflicts) = (Part::Common, Vec::<Conflict>::new());
    for (number, line) in (1..).zip(head::lines_from(bytes, 0)) {
        let text = line.text(bytes);
        let next = match part {
            Part::Common if text.starts_with(b"<<<<<<< ") && is_split(number) => Some(Part::Ours),
            Part::Ours if text.starts_with(b"||||||| ") => Some(Part::Base),
            Part::Ours | Part::Base if text == b"=======" => Some(Part::Theirs),
            Part::Theirs if text.starts_with(b">>>>>>> ") => Some(Part::Common),
            _ => None,
        };
        let raw = line.raw(bytes);
        match (next, part) {
            (Some(next), _) => {
                let (at, other) = (ours.len(), theirs.len());
                if next == Part::Ours {
                    conflicts.push(Conflict { line: number, ours: at..at, theirs: other..other });
                } else if let Some(found) = conflicts.last_mut() {
                    (found.ours.end, found.theirs.end) = (at, other);
                }
                part = next;
            }
            (None, Part::Common) => {
                [&mut base, &mut ours, &mut theirs].into_iter().for_each(|side| side.extend_from_slice(raw))
            }
            (None, Part::Ours) => ours.extend_from_slice(raw),
            (None, Part::Base) => base.extend_from_slice(raw),
            (None, Part::Theirs) => theirs.extend_from_slice(raw),
        }
    }
    (part == Part::Common && !conflicts.is_empty()).then_some(Sides { base, ours, theirs, conflicts })
}

/// Ours, followed by each entry of theirs that ours does not contain byte for byte. `None` if text of theirs would be
/// lost or the result would be parsed differently.
fn union(mut ours: Vec<u8>, theirs: &[u8]) -> Option<Vec<u8>> {
    let (our_scan, their_scan) = (day_file::scan_heads(&ours), day_file::scan_heads(theirs));
    let ours_before = ours.clone();
    let same = |block: &Block| {
        our_scan
            .blocks
            .iter()
            .any(|our| ours_before[our.range()].trim_ascii_end() == theirs[block.range()].trim_ascii_end())
    };
    let missing: Vec<&Block> = their_scan.blocks.iter().filter(|block| !same(block)).collect();
    if missing.iter().any(|block| block.head.is_absent()) {
        return None;
    }
    let ending = Ending::of(&ours);
    for block in &missing {
        ours.extend(write::separator(&ours, ending));
        ours.extend_from_slice(&theirs[block.range()]);
        ours.extend_from_slice(ending.after(&theirs[block.range()]));
    }
    (day_file::scan_heads(&ours).blocks.len() == our_scan.blocks.len() + missing.len()).then_some(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str =
        "# Kioku \u{2014} 2026-02-22\n\n---\ntime: \"2026-02-22T08:00:00+07:00\"\nid: \"aaa\"\n---\nFirst.\n\n---\n";

    fn side(id: &str, text: &str) -> String {
        format!("time: \"2026-02-22T1{}:00:00+07:00\"\nid: \"{id}\"\n---\n{text}\n", id.len())
    }

    fn bodies(bytes: &[u8]) -> Vec<String> {
        let scan = day_file::scan(bytes);
        scan.blocks.iter().map(|block| String::from_utf8_lossy(&bytes[block.body.clone()]).into_owned()).collect()
    }

    #[test]
    fn entries_of_both_sides_are_read() {
        for base in ["", "||||||| 1234567\n"] {
            let file = format!(
                "{BASE}<<<<<<< HEAD\n{}{base}=======\n{}>>>>>>> other\n",
                side("bb", "On the laptop."),
                side("c", "On the phone.")
            );
            let merged = merged(file.as_bytes()).unwrap();
            assert_eq!(bodies(&merged.bytes), ["First.", "On the laptop.", "On the phone."]);
            assert_eq!(merged.lines, [10]);
            assert!(!String::from_utf8(merged.bytes).unwrap().contains("<<<<"));
        }
    }

    #[test]
    fn markers_within_a_text_stay_in_it() {
        let file = format!(
            "{}time: \"2026-02-22T10:00:00+07:00\"\n---\nGit said:\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
            BASE
        );
        assert_eq!(merged(file.as_bytes()), None);
        assert_eq!(merged(format!("{BASE}<<<<<<< HEAD\n{}", side("b", "x")).as_bytes()), None, "not closed");
        assert_eq!(merged(format!("{BASE}{}", side("b", "x")).as_bytes()), None);
    }

    #[test]
    fn an_entry_edited_on_both_sides_is_kept_twice() {
        let edited = |mood: &str, text: &str| format!("mood: {mood}\nid: \"b\"\n---\n{text}\n");
        let (ours, theirs) = (edited("calm", "Ours."), edited("sad", "Theirs."));
        let time = "time: \"2026-02-22T10:00:00+07:00\"\n";
        let file = format!("{BASE}{time}<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> o\n");
        assert_eq!(bodies(&merged(file.as_bytes()).unwrap().bytes), ["First.", "Ours.", "Theirs."]);
    }
}
