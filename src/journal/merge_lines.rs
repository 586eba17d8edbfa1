//! Three-way merge of lines that keeps every line either side adds.
//!
//! A line of the base is dropped if either side dropped it. Two replacements of the same line are both kept, so there
//! is no conflict to settle. The result does not depend on which side is ours.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A line without its ending.
pub(super) type LineText<'t> = &'t [u8];

pub(super) struct MergedLines<'t> {
    pub lines: Vec<LineText<'t>>,
    /// Whether both sides replaced the same lines, each in its own way.
    pub clash: bool,
}

/// The changes of one side to the lines of the base.
struct Changes<'s, 't> {
    dropped: Vec<bool>,
    /// Lines added before each line of the base, and at the end.
    added: Vec<&'s [LineText<'t>]>,
    /// Lines in place of a run of the base, stored at the first line of the run.
    replaced: Vec<&'s [LineText<'t>]>,
    /// The run that a line of the base was replaced with.
    run: Vec<Option<Range<usize>>>,
}

impl<'s, 't> Changes<'s, 't> {
    fn of(base: &[LineText<'t>], side: &'s [LineText<'t>]) -> Self {
        let count = base.len();
        let mut changes = Self {
            dropped: vec![false; count],
            added: vec![&[]; count + 1],
            replaced: vec![&[]; count],
            run: vec![None; count],
        };
        for change in capture_diff_slices(Algorithm::Patience, base, side) {
            match change {
                DiffOp::Equal { .. } => {}
                DiffOp::Delete { old_index, old_len, .. } => changes.dropped[old_index..old_index + old_len].fill(true),
                DiffOp::Insert { old_index, new_index, new_len } => {
                    changes.added[old_index] = &side[new_index..new_index + new_len];
                }
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    let run = old_index..old_index + old_len;
                    changes.dropped[run.clone()].fill(true);
                    changes.replaced[old_index] = &side[new_index..new_index + new_len];
                    changes.run[run.clone()].fill(Some(run));
                }
            }
        }
        changes
    }

    fn replacement(&self, at: usize) -> Option<(&Range<usize>, &'s [LineText<'t>])> {
        let run = self.run[at].as_ref()?;
        Some((run, self.replaced[run.start]))
    }
}

pub(super) fn merge_lines<'t>(
    base: &[LineText<'t>],
    ours: &[LineText<'t>],
    theirs: &[LineText<'t>],
) -> MergedLines<'t> {
    let (ours, theirs) = (Changes::of(base, ours), Changes::of(base, theirs));
    let mut merged = MergedLines { lines: Vec::new(), clash: false };
    for at in 0..=base.len() {
        append_both(&mut merged.lines, ours.added[at], theirs.added[at]);
        if at == base.len() {
            break;
        }
        if !ours.dropped[at] && !theirs.dropped[at] {
            merged.lines.push(base[at]);
        }
        append_both(&mut merged.lines, ours.replaced[at], theirs.replaced[at]);
        let both = ours.replacement(at).zip(theirs.replacement(at));
        merged.clash |= both.is_some_and(|(ours, theirs)| ours != theirs);
    }
    merged
}

/// Appends two blocks added at one place, with common lines once, in an order that does not depend on the side.
fn append_both<'t>(lines: &mut Vec<LineText<'t>>, ours: &[LineText<'t>], theirs: &[LineText<'t>]) {
    let (first, second) = if ours <= theirs { (ours, theirs) } else { (theirs, ours) };
    for change in capture_diff_slices(Algorithm::Patience, first, second) {
        let (first_range, second_range) = (change.old_range(), change.new_range());
        lines.extend_from_slice(&first[first_range]);
        if !matches!(change, DiffOp::Equal { .. }) {
            lines.extend_from_slice(&second[second_range]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<LineText<'_>> {
        text.split(' ').filter(|word| !word.is_empty()).map(str::as_bytes).collect()
    }

    fn merged(base: &str, ours: &str, theirs: &str) -> (String, bool) {
        let result = merge_lines(&lines(base), &lines(ours), &lines(theirs));
        let swapped = merge_lines(&lines(base), &lines(theirs), &lines(ours));
        assert_eq!((&result.lines, result.clash), (&swapped.lines, swapped.clash), "the sides are not alike");
        (String::from_utf8(result.lines.join(&b' ')).unwrap(), result.clash)
    }

    #[test]
    fn changes_to_different_lines_are_all_made() {
        assert_eq!(merged("a b c", "a B c", "a b C"), ("a B C".to_owned(), false));
        assert_eq!(merged("a b c", "b c", "a b c d"), ("b c d".to_owned(), false));
        assert_eq!(merged("a", "x a", "a y"), ("x a y".to_owned(), false));
        assert_eq!(merged("a", "A", "a y"), ("A y".to_owned(), false));
    }

    #[test]
    fn both_versions_of_a_line_are_kept() {
        assert_eq!(merged("a b c", "a x c", "a y c"), ("a x y c".to_owned(), true));
        assert_eq!(merged("a b c", "a x c", "a x c"), ("a x c".to_owned(), false));
    }

    #[test]
    fn an_edited_line_wins_over_its_deletion() {
        assert_eq!(merged("a b c", "a c", "a x c"), ("a x c".to_owned(), false));
    }

    #[test]
    fn without_a_base_common_lines_appear_once() {
        assert_eq!(merged("", "a b c", "a x c"), ("a b x c".to_owned(), false));
        assert_eq!(merged("", "a", ""), ("a".to_owned(), false));
    }
}
