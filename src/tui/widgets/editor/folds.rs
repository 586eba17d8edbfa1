//! Line wrapping of the text editor, computed only for lines on or near the screen.

use super::super::wrap;

/// Row starts per line, for one width.
#[derive(Debug, Clone, Default)]
pub struct Folds {
    width: usize,
    /// Parallel to the buffer's lines; `None` until first use. The first start is always 0.
    lines: Vec<Option<Vec<usize>>>,
}

impl Folds {
    /// Clears everything if the width changed.
    pub fn set_width(&mut self, width: usize, lines: usize) {
        if self.width != width.max(1) || self.lines.len() != lines {
            self.width = width.max(1);
            self.lines = vec![None; lines];
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// Row starts of a line.
    pub fn of(&mut self, nth: usize, line: &str) -> &[usize] {
        let width = self.width;
        self.lines[nth].get_or_insert_with(|| wrap::rows(line, width).map(|row| row.start).collect())
    }

    /// Lines `from..from + removed` were replaced by `added` lines.
    pub fn replaced(&mut self, from: usize, removed: usize, added: usize) {
        self.lines.splice(from..from + removed, std::iter::repeat_n(None, added));
    }

    /// Inside line `nth`, `removed` bytes at `at` were replaced by `added` bytes; `line` is the new line. Only rows
    /// between the first that depends on the edit and the first old one that fits again are computed, so that typing
    /// in a very long line stays cheap.
    pub fn edited(&mut self, nth: usize, line: &str, at: usize, removed: usize, added: usize) {
        let Some(old) = self.lines[nth].take() else { return };
        let row = old.partition_point(|start| *start <= at).saturating_sub(1);
        let mut kept = row.saturating_sub(2);
        while kept > 0 && wrap::row_end(line, old[kept - 1], self.width).1 > at {
            kept -= 1;
        }
        let mut starts = old[..=kept].to_vec();
        let mut rest = old.partition_point(|start| *start <= at + removed);
        let mut start = old[kept];
        loop {
            let (end, _) = wrap::row_end(line, start, self.width);
            if end >= line.len() {
                break;
            }
            while rest < old.len() && old[rest] + added < end + removed {
                rest += 1;
            }
            if end > at + added && rest < old.len() && old[rest] + added == end + removed {
                starts.extend(old[rest..].iter().map(|start| start + added - removed));
                break;
            }
            starts.push(end);
            start = end;
        }
        self.lines[nth] = Some(starts);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tui::widgets::cells;

    proptest! {
        #[test]
        fn folding_again_after_an_edit_equals_folding_anew(
            line in "[a-c 漢é。-]{0,120}", put in "[a-c 漢\u{301}。-]{0,6}", at in 0usize..200, cut in 0usize..30, width in 1usize..14
        ) {
            let at = cells::floor(&line, at);
            let end = cells::floor(&line, at + cut).max(at);
            let mut folds = Folds::default();
            folds.set_width(width, 1);
            folds.of(0, &line);
            let mut now = line.clone();
            now.replace_range(at..end, &put);
            folds.edited(0, &now, at, end - at, put.len());
            let anew: Vec<usize> = wrap::rows(&now, width).map(|row| row.start).collect();
            prop_assert_eq!(folds.of(0, &now), &anew[..]);
        }
    }
}
