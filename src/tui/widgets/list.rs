//! Which row of a long list is selected and which are on screen. Costs what is visible, not what there is.

use std::ops::Range;

/// Selection and scroll of a list. Rows may differ in height.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListState {
    selected: usize,
    offset: usize,
    /// Rows that fitted at the last draw: what a page is.
    page: usize,
}

impl ListState {
    pub fn selected(&self) -> usize {
        self.selected
    }

    pub fn select(&mut self, row: usize) {
        self.selected = row;
    }

    /// Moves by rows, staying inside `len`.
    pub fn step(&mut self, by: isize, len: usize) {
        self.selected = self.selected.saturating_add_signed(by).min(len.saturating_sub(1));
    }

    /// Moves by pages, staying inside `len`.
    pub fn page(&mut self, by: isize, len: usize) {
        self.step(by * self.page.max(1) as isize, len);
    }

    pub fn first(&mut self) {
        self.selected = 0;
    }

    pub fn last(&mut self, len: usize) {
        self.selected = len.saturating_sub(1);
    }

    /// The rows to draw in `space` lines so that the selected one is whole. `height` gives a row's lines.
    pub fn visible(&mut self, len: usize, space: usize, height: impl Fn(usize) -> usize) -> Range<usize> {
        if len == 0 || space == 0 {
            *self = Self::default();
            return 0..0;
        }
        self.selected = self.selected.min(len - 1);
        self.offset = self.offset.min(self.selected);
        // From the selected row upwards: the first row that still fits bounds the offset from below.
        let mut taken = height(self.selected);
        let mut lowest = self.selected;
        while lowest > 0 && taken + height(lowest - 1) <= space {
            lowest -= 1;
            taken += height(lowest);
        }
        self.offset = self.offset.max(lowest);
        let mut end = self.offset;
        let mut used = 0;
        while end < len && used < space {
            used += height(end);
            end += 1;
        }
        // No empty space below while rows are hidden above.
        while end == len && self.offset > 0 && used + height(self.offset - 1) <= space {
            self.offset -= 1;
            used += height(self.offset);
        }
        self.page = (end - self.offset).saturating_sub(1).max(1);
        self.offset..end
    }

    /// The row shown at `line` of the area that [`ListState::visible`] was last asked for.
    pub fn row_at(&self, line: usize, len: usize, height: impl Fn(usize) -> usize) -> Option<usize> {
        let mut top = 0;
        (self.offset..len).find(|row| {
            top += height(*row);
            line < top
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_selected_row_stays_on_screen() {
        let mut list = ListState::default();
        list.step(50, 1000);
        assert_eq!(list.visible(1000, 10, |_| 1), 41..51);
        list.step(-5, 1000);
        assert_eq!(list.visible(1000, 10, |_| 1), 41..51, "no scrolling while it is visible");
        list.first();
        assert_eq!(list.visible(1000, 10, |_| 1), 0..10);
        list.last(1000);
        assert_eq!(list.visible(1000, 10, |_| 3), 997..1000);
        assert_eq!(list.row_at(4, 1000, |_| 3), Some(998));
    }

    #[test]
    fn a_shrinking_list_is_never_shown_from_the_middle() {
        let mut list = ListState::default();
        list.select(90);
        list.visible(100, 10, |_| 1);
        assert_eq!(list.visible(5, 10, |_| 1), 0..5);
        assert_eq!(list.selected(), 4);
        assert_eq!(list.visible(0, 10, |_| 1), 0..0);
    }

    proptest::proptest! {
        #[test]
        fn the_selected_row_is_always_among_the_visible(
            moves in proptest::collection::vec((-30isize..30, 0usize..60, 1usize..12), 1..20), heights in 1usize..4,
        ) {
            let mut list = ListState::default();
            for (by, len, space) in moves {
                list.step(by, len);
                let visible = list.visible(len, space, |row| 1 + row % heights);
                assert!(len == 0 || visible.contains(&list.selected()));
                let above: usize = (visible.start..list.selected()).map(|row| 1 + row % heights).sum();
                assert!(len == 0 || above < space);
            }
        }
    }
}
