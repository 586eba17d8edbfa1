//! Lines, some of which have a link: a quote to its entry, a name to its profile. The selection moves between lines
//! with links; the others are only text.

use ratatui::{Frame, layout::Rect};

use crate::{
    insight::Evidence,
    tui::{List, Motion, Mouse, Pointed, RenderContext, Role, Styled, list},
};

/// A line, wrapped by word at its own indent.
#[derive(Debug, Clone)]
pub struct Linked<A> {
    pub indent: u16,
    pub text: Styled,
    pub leads: Option<A>,
    /// The quote that the line shows, or that supports it: a link to its entry.
    pub quote: Option<Evidence>,
    /// Shown to the right of the line before, where there is room.
    pub is_beside: bool,
}

/// Minimum width for two lines side by side.
const SIDE_BY_SIDE: u16 = 64;

impl<A> Linked<A> {
    pub fn plain(indent: u16, text: Styled) -> Self {
        Self { indent, text, leads: None, quote: None, is_beside: false }
    }

    pub fn beside(self) -> Self {
        Self { is_beside: true, ..self }
    }

    pub fn to(indent: u16, text: Styled, leads: A) -> Self {
        Self { leads: Some(leads), ..Self::plain(indent, text) }
    }

    pub fn blank() -> Self {
        Self::plain(0, Styled::default())
    }

    fn is_link(&self) -> bool {
        self.leads.is_some() || self.quote.is_some()
    }

    fn height(&self, width: u16) -> usize {
        self.text.height(self.room(width)).max(1)
    }

    fn room(&self, width: u16) -> u16 {
        width.saturating_sub(self.indent + 1).max(1)
    }
}

fn is_beside<A>(lines: &[Linked<A>], nth: usize, width: u16) -> bool {
    nth > 0 && width >= SIDE_BY_SIDE && lines.get(nth).is_some_and(|line| line.is_beside)
}

/// The lines with their selection. Only those on screen are wrapped.
#[derive(Debug)]
pub struct LinkedLines<A> {
    lines: Vec<Linked<A>>,
    list: List,
    /// Of the last draw.
    area: Rect,
}

impl<A> Default for LinkedLines<A> {
    fn default() -> Self {
        Self { lines: Vec::new(), list: List::default(), area: Rect::default() }
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

    /// Selects the first line with such a link, if there is one.
    pub fn select_where(&mut self, is: impl Fn(&A) -> bool) {
        if let Some(line) = self.lines.iter().position(|line| line.leads.as_ref().is_some_and(&is)) {
            self.list.select(line);
        }
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

    /// The link of the selected line, or of the last one above it that is not only a quote.
    pub fn selected_or_above(&self) -> Option<&A> {
        self.lines.get(..=self.list.selected())?.iter().rev().find_map(|line| line.leads.as_ref())
    }

    /// The quote of the selected line.
    pub fn quote(&self) -> Option<&Evidence> {
        self.lines.get(self.list.selected())?.quote.as_ref()
    }

    pub fn is_on_link(&self) -> bool {
        self.lines.get(self.list.selected()).is_some_and(Linked::is_link)
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
        let leads = |line: &usize| self.lines[*line].is_link();
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
        let Some(row) = self.list.row_at(mouse) else { return false };
        let is_right = mouse.column >= self.area.x + self.area.width / 2;
        if is_right && is_beside(&self.lines, row + 1, self.area.width) {
            let was_selected = self.list.selected() == row + 1;
            self.list.select(row + 1);
            return was_selected && self.lines[row + 1].is_link();
        }
        self.lines[row].is_link() && self.list.point(mouse) == Pointed::Again
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, focused: bool) {
        self.area = area;
        let lines = &self.lines;
        let at = self.list.selected();
        let half = area.width / 2;
        // A line beside another has no rows of its own: both are drawn with the first one.
        let height = |nth: usize| match () {
            () if is_beside(lines, nth, area.width) => 0,
            () if is_beside(lines, nth + 1, area.width) => {
                lines[nth].height(half.saturating_sub(1)).max(lines[nth + 1].height(area.width - half))
            }
            () => lines[nth].height(area.width),
        };
        let mut draw = |nth: usize, place: Rect| {
            let line: &Linked<A> = &lines[nth];
            let text = Rect { x: place.x + line.indent + 1, width: line.room(place.width), ..place }.intersection(area);
            line.text.paint(frame.buffer_mut(), text, context, Role::Text);
            if focused && nth == at && line.is_link() {
                list::mark(frame, place, context, Role::Marker);
            }
        };
        self.list.draw(area, height, |nth, place, _| {
            if is_beside(lines, nth + 1, area.width) {
                draw(nth, Rect { width: half.saturating_sub(1), ..place });
                draw(nth + 1, Rect { x: place.x + half, width: area.width - half, ..place });
            } else if !is_beside(lines, nth, area.width) {
                draw(nth, place);
            }
        });
    }

    /// The nearest line with a link: this one, else below, else above.
    fn nearest(&self, line: usize) -> usize {
        let leads = |nth: &usize| self.lines[*nth].is_link();
        let below = (line..self.lines.len()).find(leads);
        below.or_else(|| (0..line.min(self.lines.len())).rev().find(leads)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::Basis;

    fn lines(leads: &[bool]) -> LinkedLines<usize> {
        let line = |(nth, leads): (usize, &bool)| {
            let text = Styled::of("words", Role::Text);
            Linked { leads: leads.then_some(nth), ..Linked::plain(0, text) }
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
        assert_eq!(none.selected_or_above(), None);
        let mut plain = lines(&[false, false]);
        plain.go(Motion::UP);
        assert_eq!(plain.selected(), None);
    }

    #[test]
    fn a_line_belongs_to_the_one_above_it() {
        let mut lines = lines(&[true, true, false]);
        let time = "2026-02-22T10:00:00+07:00".to_owned();
        let quote =
            Evidence { id: time.as_str().into(), time, text: "words".to_owned(), head: None, basis: Basis::Stated };
        lines.lines[2].quote = Some(quote.clone());
        lines.go(Motion::Lines(2));
        assert_eq!((lines.line(), lines.quote()), (2, Some(&quote)));
        assert_eq!(lines.selected_or_above(), Some(&1), "a quote belongs to what it supports");
    }
}
