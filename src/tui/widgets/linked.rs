//! Lines of which some lead somewhere: a quote to its entry, a name to its neighbourhood. The selection goes from one of these
//! to the next; the others are only read.

use ratatui::{Frame, layout::Rect};

use super::{cells::Pen, list::ListState, styled::Styled};
use crate::tui::{render_context::RenderContext, theme::Role};

/// A line, wrapped by word below its own beginning.
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

    /// The same line, leading elsewhere.
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

/// The lines with their selection. Only what is on screen is wrapped.
#[derive(Debug)]
pub struct LinkedLines<A> {
    lines: Vec<Linked<A>>,
    list: ListState,
    area: Rect,
}

impl<A> Default for LinkedLines<A> {
    fn default() -> Self {
        Self { lines: Vec::new(), list: ListState::default(), area: Rect::default() }
    }
}

impl<A> LinkedLines<A> {
    /// Shows other lines; the selection stays where it is as far as it can.
    pub fn set(&mut self, lines: Vec<Linked<A>>) {
        self.lines = lines;
        let selected = self.list.selected().min(self.lines.len().saturating_sub(1));
        self.list.select(self.nearest(selected));
    }

    /// Selects the first that leads somewhere, or the one at this line.
    pub fn select(&mut self, line: usize) {
        self.list = ListState::default();
        self.list.select(self.nearest(line.min(self.lines.len().saturating_sub(1))));
    }

    pub fn line(&self) -> usize {
        self.list.selected()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What the selected line leads to.
    pub fn selected(&self) -> Option<&A> {
        self.lines.get(self.list.selected())?.leads.as_ref()
    }

    /// What the selected line, or the last one above it that passes, leads to.
    pub fn selected_or_above(&self, passes: impl Fn(&A) -> bool) -> Option<&A> {
        let above = self.lines.get(..=self.list.selected())?.iter().rev();
        above.filter_map(|line| line.leads.as_ref()).find(|leads| passes(leads))
    }

    /// Goes on by so many lines that lead somewhere. Past the last, to the end of what can be read.
    pub fn step(&mut self, by: isize) {
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

    pub fn page(&mut self, by: isize) {
        self.list.page(by, self.lines.len());
        let nearest = self.nearest(self.list.selected());
        self.list.select(nearest);
    }

    pub fn first(&mut self) {
        self.list.first();
    }

    pub fn last(&mut self) {
        self.list.last(self.lines.len());
    }

    /// Selects the line under a cell; says whether it leads somewhere and was selected before.
    pub fn click(&mut self, column: u16, row: u16) -> bool {
        if !self.area.contains((column, row).into()) {
            return false;
        }
        let (line, width) = (usize::from(row - self.area.y), self.area.width);
        let Some(hit) = self.list.row_at(line, self.lines.len(), |nth| self.lines[nth].height(width)) else {
            return false;
        };
        if self.lines[hit].leads.is_none() {
            return false;
        }
        let again = hit == self.list.selected();
        self.list.select(hit);
        again
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, focused: bool) {
        self.area = area;
        if area.is_empty() {
            return;
        }
        let Self { lines, list, .. } = self;
        let visible = list.visible(lines.len(), usize::from(area.height), |nth| lines[nth].height(area.width));
        let selected = list.selected();
        let mut y = area.y;
        for nth in visible {
            let line = &lines[nth];
            let height = (line.height(area.width) as u16).min(area.bottom().saturating_sub(y));
            if height == 0 {
                break;
            }
            let room = line.room(area.width);
            let place = Rect { x: area.x + line.indent + 1, y, width: room, height }.intersection(area);
            line.text.paint(frame.buffer_mut(), place, context, Role::Text);
            if focused && nth == selected && line.leads.is_some() {
                frame.buffer_mut().set_style(Rect { y, height, ..area }, context.style(Role::Selected));
                for y in y..y + height {
                    Pen::new(area.x, y, 1).write(frame.buffer_mut(), "▌", context.style(Role::Marker));
                }
            }
            y += height;
        }
    }

    /// The nearest line that leads somewhere: this one, else below, else above.
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
            let mut text = Styled::default();
            text.push("words", Role::Text);
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
        lines.step(1);
        assert_eq!(lines.selected(), Some(&3));
        lines.step(1);
        assert_eq!((lines.selected(), lines.line()), (None, 4), "what stands at the end can be read");
        lines.step(-1);
        assert_eq!(lines.selected(), Some(&3));
        lines.step(-1);
        lines.step(-1);
        assert_eq!(lines.line(), 0);
    }

    #[test]
    fn what_leads_nowhere_is_survived() {
        let mut none = lines(&[]);
        none.step(1);
        none.page(1);
        none.last();
        assert_eq!(none.selected(), None);
        assert_eq!(none.selected_or_above(|_| true), None);
        let mut plain = lines(&[false, false]);
        plain.step(-1);
        assert_eq!(plain.selected(), None);
    }

    #[test]
    fn a_line_belongs_to_the_one_above_it() {
        let mut lines = lines(&[true, true, true]);
        lines.step(2);
        assert_eq!(lines.selected_or_above(|nth| *nth < 2), Some(&1));
    }
}
