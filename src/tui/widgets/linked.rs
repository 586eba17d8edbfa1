//! Lines, some of which have a link: a quote to its entry, a name to its profile. The selection moves between lines
//! with links; the others are only text.

use ratatui::{Frame, layout::Rect};

use crate::tui::{List, Motion, Mouse, Pointed, RenderContext, Role, Styled, list};

/// A line, wrapped by word at its own indent.
#[derive(Debug, Clone)]
pub struct Linked<A> {
    pub indent: u16,
    pub text: Styled,
    pub leads: Option<A>,
}

impl<A> Linked<A> {
    pub fn plain(indent: u16, text: Styled) -> Self {
        Self { indent, text, leads: None }
    }

    pub fn to(indent: u16, text: Styled, leads: A) -> Self {
        Self { indent, text, leads: Some(leads) }
    }

    /// The same line with another link.
    pub fn leading<B>(self, to: impl FnOnce(A) -> B) -> Linked<B> {
        Linked { indent: self.indent, text: self.text, leads: self.leads.map(to) }
    }

    pub fn blank() -> Self {
        Self::plain(0, Styled::default())
    }

    fn height(&self, width: u16) -> usize {
        self.text.height(self.room(width)).max(1)
    }

    fn room(&self, width: u16) -> u16 {
        width.saturating_sub(self.indent + 1).max(1)
    }
}

/// The lines with their selection. Only those on screen are wrapped.
#[derive(Debug)]
pub struct LinkedLines<A> {
    lines: Vec<Linked<A>>,
    list: List,
}

impl<A> Default for LinkedLines<A> {
    fn default() -> Self {
        Self { lines: Vec::new(), list: List::default() }
    }
}

impl<A> LinkedLines<A> {
    /// Sets other lines; the selection stays at its position where possible.
    pub fn set(&mut self, lines: Vec<Linked<A>>) {
        self.lines = lines;
        self.list.set_len(self.lines.len());
        let selected = self.list.selected().min(self.lines.len().saturating_sub(1));
        self.list.select(self.nearest(selected));
    }

    /// Selects the line with a link nearest to this one.
    pub fn select(&mut self, line: usize) {
        self.list.rewind(self.nearest(line.min(self.lines.len().saturating_sub(1))));
    }

    pub fn line(&self) -> usize {
        self.list.selected()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The link of the selected line.
    pub fn selected(&self) -> Option<&A> {
        self.lines.get(self.list.selected())?.leads.as_ref()
    }

    /// The link of the selected line, or of the last one above it that passes.
    pub fn selected_or_above(&self, passes: impl Fn(&A) -> bool) -> Option<&A> {
        let above = self.lines.get(..=self.list.selected())?.iter().rev();
        above.filter_map(|line| line.leads.as_ref()).find(|leads| passes(leads))
    }

    /// Moves between lines with links; after the last one, to the end of the text.
    pub fn go(&mut self, motion: Motion) {
        match motion {
            Motion::Lines(by) => self.step(by),
            Motion::Pages(_) => {
                self.list.go(motion);
                let nearest = self.nearest(self.list.selected());
                self.list.select(nearest);
            }
            Motion::First | Motion::Last => self.list.go(motion),
        }
    }

    fn step(&mut self, by: isize) {
        let at = self.list.selected();
        let leads = |line: &usize| self.lines[*line].leads.is_some();
        let found = if by > 0 {
            (at + 1..self.lines.len()).filter(leads).take(by.unsigned_abs()).last()
        } else {
            (0..at.min(self.lines.len())).rev().filter(leads).take(by.unsigned_abs()).last()
        };
        let end = if by > 0 { self.lines.len().saturating_sub(1) } else { 0 };
        self.list.select(found.unwrap_or(end));
    }

    /// Selects the line under the mouse; returns whether it has a link and was selected before.
    pub fn click(&mut self, mouse: Mouse) -> bool {
        let leads = self.list.row_at(mouse).is_some_and(|row| self.lines[row].leads.is_some());
        leads && self.list.point(mouse) == Pointed::Again
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, focused: bool) {
        let lines = &self.lines;
        self.list.draw(
            area,
            |nth| lines[nth].height(area.width),
            |nth, place, selected| {
                let line = &lines[nth];
                let text =
                    Rect { x: area.x + line.indent + 1, width: line.room(area.width), ..place }.intersection(area);
                line.text.paint(frame.buffer_mut(), text, context, Role::Text);
                if focused && selected && line.leads.is_some() {
                    list::mark(frame, place, context, Role::Marker);
                }
            },
        );
    }

    /// The nearest line with a link: this one, else below, else above.
    fn nearest(&self, line: usize) -> usize {
        let leads = |nth: &usize| self.lines[*nth].leads.is_some();
        let below = (line..self.lines.len()).find(leads);
        below.or_else(|| (0..line.min(self.lines.len())).rev().find(leads)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(leads: &[bool]) -> LinkedLines<usize> {
        let line = |(nth, leads): (usize, &bool)| {
            let text = Styled::of("words", Role::Text);
            Linked { indent: 0, text, leads: leads.then_some(nth) }
        };
        let mut lines = LinkedLines::default();
        lines.set(leads.iter().enumerate().map(line).collect());
        lines
    }

    #[test]
    fn the_selection_goes_from_one_that_leads_to_the_next() {
        let mut lines = lines(&[false, true, false, true, false]);
        assert_eq!(lines.selected(), Some(&1));
        lines.go(Motion::DOWN);
        assert_eq!(lines.selected(), Some(&3));
        lines.go(Motion::DOWN);
        assert_eq!((lines.selected(), lines.line()), (None, 4), "what stands at the end can be read");
        lines.go(Motion::UP);
        assert_eq!(lines.selected(), Some(&3));
        lines.go(Motion::UP);
        lines.go(Motion::UP);
        assert_eq!(lines.line(), 0);
    }

    #[test]
    fn what_leads_nowhere_is_survived() {
        let mut none = lines(&[]);
        none.go(Motion::DOWN);
        none.go(Motion::PAGE_DOWN);
        none.go(Motion::Last);
        assert_eq!(none.selected(), None);
        assert_eq!(none.selected_or_above(|_| true), None);
        let mut plain = lines(&[false, false]);
        plain.go(Motion::UP);
        assert_eq!(plain.selected(), None);
    }

    #[test]
    fn a_line_belongs_to_the_one_above_it() {
        let mut lines = lines(&[true, true, true]);
        lines.go(Motion::Lines(2));
        assert_eq!(lines.selected_or_above(|nth| *nth < 2), Some(&1));
    }
}
