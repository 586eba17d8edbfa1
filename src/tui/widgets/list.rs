//! List state: number of rows, selection, scroll, and handling of keys and mouse.

use ratatui::{Frame, layout::Rect};

use crate::tui::{
    Motion, Mouse, MouseKind, Pen, RenderContext, Role,
    widgets::popup::{is_in_box, more_below, popup},
};

/// The meaning of a mouse event for a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointed {
    /// Outside of the list.
    Away,
    /// On no row.
    Nothing,
    /// The selection moved.
    Moved,
    /// A click on the row that was already selected.
    Again,
}

/// Selection and scroll of a list. Rows may differ in height; their areas are remembered from the last draw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    len: usize,
    selected: usize,
    offset: usize,
    /// Rows that fitted at the last draw: the size of a page.
    page: usize,
    area: Rect,
    /// Areas of the rows on screen, from the one at `offset` on.
    drawn: Vec<Rect>,
}

impl List {
    /// Sets the number of rows. The selection is adjusted at the next draw or motion.
    pub fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn selected(&self) -> usize {
        self.selected
    }

    pub fn select(&mut self, row: usize) {
        self.selected = row;
    }

    /// Scrolls to the top, with `row` selected.
    pub fn rewind(&mut self, row: usize) {
        (self.offset, self.selected) = (0, row);
    }

    pub fn go(&mut self, motion: Motion) {
        let last = self.len.saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(motion.lines(self.page)).min(last);
    }

    /// The list is not on screen.
    pub fn hide(&mut self) {
        self.area = Rect::default();
        self.drawn.clear();
    }

    pub fn holds(&self, mouse: Mouse) -> bool {
        self.area.contains(mouse.at)
    }

    /// Draws the rows that fit, the selected one in full: `height` gives a row's lines, `paint` draws it in its area.
    /// Returns whether the last row is on screen.
    pub fn draw(
        &mut self,
        area: Rect,
        height: impl Fn(usize) -> usize,
        mut paint: impl FnMut(usize, Rect, bool),
    ) -> bool {
        self.hide();
        self.area = area;
        let visible = self.visible(usize::from(area.height), &height);
        let end = visible.end;
        let mut y = area.y;
        for row in visible {
            let place = Rect { y, height: height(row) as u16, ..area }.intersection(area);
            self.drawn.push(place);
            paint(row, place, row == self.selected);
            y = y.saturating_add(height(row) as u16);
        }
        end == self.len
    }

    /// The rows to draw in `space` lines so that the selected one is shown in full.
    fn visible(&mut self, space: usize, height: impl Fn(usize) -> usize) -> std::ops::Range<usize> {
        let len = self.len;
        if len == 0 || space == 0 {
            (self.selected, self.offset, self.page) = (0, 0, 0);
            return 0..0;
        }
        self.selected = self.selected.min(len - 1);
        self.offset = self.offset.min(self.selected);
        // From the selected row upwards: the first row that still fits is the minimum offset.
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

    /// Number of rows of a page at the last draw.
    pub fn page(&self) -> usize {
        self.page
    }

    /// Whether rows are hidden above.
    pub fn is_scrolled(&self) -> bool {
        self.offset > 0
    }

    /// The row under the mouse.
    pub fn row_at(&self, mouse: Mouse) -> Option<usize> {
        let row = self.offset + self.drawn.iter().position(|row| row.contains(mouse.at))?;
        (row < self.len).then_some(row)
    }

    /// Selects the row under a click, moves with the wheel.
    pub fn point(&mut self, mouse: Mouse) -> Pointed {
        if !self.holds(mouse) {
            return Pointed::Away;
        }
        if let MouseKind::Wheel(by) = mouse.kind {
            self.go(Motion::Lines(by));
            return Pointed::Moved;
        }
        match self.row_at(mouse).filter(|_| mouse.kind == MouseKind::Click) {
            Some(row) if row == self.selected => Pointed::Again,
            Some(row) => {
                self.selected = row;
                Pointed::Moved
            }
            None => Pointed::Nothing,
        }
    }
}

/// Steps from the chosen one of `count` in a circle: from none, to the first or last one.
pub fn cycle(chosen: Option<usize>, by: isize, count: usize) -> usize {
    let from = chosen.map_or(if by < 0 { 0 } else { -1 }, |chosen| chosen as isize);
    (from + by).rem_euclid(count as isize) as usize
}

/// Draws an area as the selected row, with a bar at its left edge.
pub fn mark(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, bar: Role) {
    for y in area.top()..area.bottom() {
        Pen::new(area.x, y, 1).say(frame, context, "▌", bar);
    }
    frame.buffer_mut().set_style(area, context.style(Role::Selected));
}

/// A list in a box above a pane.
#[derive(Debug, Default)]
pub struct Picker {
    pub list: List,
    /// The inner area of the box at the last draw.
    inside: Rect,
}

impl Picker {
    /// Draws the box; returns its inner area. See [`popup`].
    pub fn popup(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        context: &RenderContext<'_>,
        title: &str,
        width: u16,
        height: u16,
    ) -> Rect {
        self.inside = popup(frame, area, context, title, width, height);
        self.inside
    }

    /// Draws the rows; the selected one in its style.
    pub fn draw(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        context: &RenderContext<'_>,
        height: impl Fn(usize) -> usize,
        paint: impl Fn(&mut Frame<'_>, usize, Rect),
    ) {
        let is_all = self.list.draw(area, height, |row, place, selected| {
            paint(frame, row, place);
            if selected {
                frame.buffer_mut().set_style(place, context.style(Role::Selected));
            }
        });
        if !is_all {
            more_below(frame, self.inside, context);
        }
    }

    /// Selects the row under a click, moves with the wheel wherever the mouse is. A click outside of the box is
    /// [`Pointed::Away`].
    pub fn point(&mut self, mouse: Mouse) -> Pointed {
        if let MouseKind::Wheel(by) = mouse.kind {
            self.list.go(Motion::Lines(by));
            return Pointed::Moved;
        }
        match self.list.point(mouse) {
            Pointed::Away if is_in_box(self.inside, mouse) || mouse.kind != MouseKind::Click => Pointed::Nothing,
            pointed => pointed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(len: usize) -> List {
        List { len, ..List::default() }
    }

    #[test]
    fn the_selected_row_stays_on_screen() {
        let mut list = list(1000);
        list.go(Motion::Lines(50));
        assert_eq!(list.visible(10, |_| 1), 41..51);
        list.go(Motion::Lines(-5));
        assert_eq!(list.visible(10, |_| 1), 41..51, "no scrolling while it is visible");
        list.go(Motion::First);
        assert_eq!(list.visible(10, |_| 1), 0..10);
        list.go(Motion::Last);
        assert_eq!(list.visible(10, |_| 3), 997..1000);
        list.draw(Rect::new(0, 0, 5, 10), |_| 3, |_, _, _| {});
        assert_eq!(list.row_at(Mouse { kind: MouseKind::Click, at: (1, 4).into() }), Some(998));
    }

    #[test]
    fn a_shrinking_list_is_never_shown_from_the_middle() {
        let mut list = list(100);
        list.select(90);
        list.visible(10, |_| 1);
        list.set_len(5);
        assert_eq!(list.visible(10, |_| 1), 0..5);
        assert_eq!(list.selected(), 4);
        list.set_len(0);
        assert_eq!(list.visible(10, |_| 1), 0..0);
    }

    #[test]
    fn a_click_selects_and_the_second_one_is_told() {
        let mut list = list(3);
        list.draw(Rect::new(2, 1, 5, 9), |_| 2, |_, _, _| {});
        let click = |row| Mouse { kind: MouseKind::Click, at: (3, row).into() };
        assert_eq!((list.point(click(4)), list.selected()), (Pointed::Moved, 1));
        assert_eq!(list.point(click(3)), Pointed::Again);
        assert_eq!(list.point(click(8)), Pointed::Nothing, "below the last row");
        assert_eq!(list.point(click(0)), Pointed::Away);
        assert_eq!((list.point(Mouse { kind: MouseKind::Wheel(1), ..click(8) }), list.selected()), (Pointed::Moved, 2));
    }

    proptest::proptest! {
        #[test]
        fn the_selected_row_is_always_among_the_visible(
            moves in proptest::collection::vec((-30isize..30, 0usize..60, 1usize..12), 1..20), heights in 1usize..4,
        ) {
            let mut list = List::default();
            for (by, len, space) in moves {
                list.set_len(len);
                list.go(Motion::Lines(by));
                let visible = list.visible(space, |row| 1 + row % heights);
                assert!(len == 0 || visible.contains(&list.selected()));
                let above: usize = (visible.start..list.selected()).map(|row| 1 + row % heights).sum();
                assert!(len == 0 || above < space);
            }
        }
    }
}
