//! Lines, some of which have a link: a quote to its entry, a name to its profile. The selection moves between lines
//! with links; the others are only text. Lines may be grouped in sections with names.

use std::borrow::Cow;

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use crate::{
    insight::{Evidence, connect::Hop},
    tui::{Cited, List, MEASURE, Motion, Mouse, Pen, RenderContext, Role, Styled, UpdateContext, below, list},
};

/// A line, wrapped by word at its own indent.
#[derive(Debug, Clone)]
pub struct Linked<A> {
    /// Name of its section; empty if the line above has the same.
    pub label: &'static str,
    pub indent: u16,
    pub text: Styled,
    pub leads: Option<A>,
    /// The entries that the line quotes or comes from.
    pub sources: Vec<Cited>,
    /// Shown to the right of the line before, where there is room.
    pub is_beside: bool,
}

/// Minimum width for two lines side by side.
const SIDE_BY_SIDE: u16 = 64;
/// Width of the section names in cells, with the bar before and the gap after.
pub const LABEL: u16 = 15;
/// Minimum width for section names beside their lines instead of above.
const LABEL_BESIDE: u16 = 60;
/// Maximum number of rows per line of a section, unless it is selected.
const MOST_ROWS: usize = 3;

impl<A> Linked<A> {
    pub fn plain(indent: u16, text: Styled) -> Self {
        Self { label: "", indent, text, leads: None, sources: Vec::new(), is_beside: false }
    }

    /// With the quote that it shows or that supports it, if there is one.
    pub fn from<'a>(self, said: impl IntoIterator<Item = &'a Evidence>) -> Self {
        Self { sources: said.into_iter().map(Cited::from).collect(), ..self }
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
        self.leads.is_some() || !self.sources.is_empty()
    }
}

/// `“Hùng moved the deadline”  2026-09-14`, with a link to its entry.
pub fn quoted<A>(said: &Evidence, indent: u16, today: civil::Date) -> Linked<A> {
    let day = shown_day(said, today);
    let line = Styled::of(&said.quoted(), Role::Text).and(&format!("  {day}"), Role::Date);
    Linked::plain(indent, line).from([said])
}

/// `Tea at noon is harmless → Tea keeps me awake   contradicts  2026-11-20`, with a link to the record that says so.
pub fn record_link<A>(link: &Hop, indent: u16, today: civil::Date) -> Linked<A> {
    let mut line = Styled::of(&link.source, Role::Text).and(" → ", Role::Dim).and(&link.target, Role::Text);
    line.push(&format!("   {}", link.kind), Role::Dim);
    if let Some(said) = &link.evidence {
        line.push(&format!("  {}", shown_day(said, today)), Role::Date);
    }
    Linked::plain(indent, line).from(&link.evidence)
}

fn shown_day(said: &Evidence, today: civil::Date) -> &str {
    let day = said.time.get(..10).unwrap_or_default();
    if day == today.to_string() { "today" } else { day }
}

fn is_beside<A>(lines: &[Linked<A>], nth: usize, width: u16) -> bool {
    nth > 0 && width >= SIDE_BY_SIDE && lines.get(nth).is_some_and(|line| line.is_beside)
}

/// The lines with their selection. Only those on screen are wrapped.
#[derive(Debug)]
pub struct LinkedLines<A> {
    lines: Vec<Linked<A>>,
    list: List,
    /// The chosen source of the selected line.
    nth: usize,
    /// Of the last draw.
    area: Rect,
}

impl<A> Default for LinkedLines<A> {
    fn default() -> Self {
        Self { lines: Vec::new(), list: List::default(), nth: 0, area: Rect::default() }
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

    pub fn all(&self) -> &[Linked<A>] {
        &self.lines
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

    /// The chosen source of the selected line.
    pub fn cited(&self) -> Option<&Cited> {
        let sources = &self.lines.get(self.list.selected())?.sources;
        sources.get(self.nth).or(sources.last())
    }

    /// Opens the chosen source of the selected line in the journal.
    pub fn open_source(&self, cx: &mut UpdateContext<'_>) {
        self.cited().into_iter().for_each(|cited| cited.open(cx));
    }

    /// Whether the selected line has several sources.
    pub fn has_sources(&self) -> bool {
        self.lines.get(self.list.selected()).is_some_and(|line| line.sources.len() > 1)
    }

    /// Chooses another source of the selected line, in a circle.
    pub fn next_source(&mut self, by: isize) {
        let count = self.lines.get(self.list.selected()).map_or(1, |line| line.sources.len().max(1));
        self.nth = list::cycle(Some(self.nth.min(count - 1)), by, count);
    }

    pub fn is_on_link(&self) -> bool {
        self.lines.get(self.list.selected()).is_some_and(Linked::is_link)
    }

    /// Moves between lines with links; after the last one, to the end of the text.
    pub fn go(&mut self, motion: Motion) {
        self.nth = 0;
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
        let is_right = mouse.at.x >= self.area.x + self.area.width / 2;
        let row = row + usize::from(is_right && is_beside(&self.lines, row + 1, self.area.width));
        if !self.lines[row].is_link() {
            return false;
        }
        let was_selected = self.list.selected() == row;
        if !was_selected {
            self.nth = 0;
            self.list.select(row);
        }
        was_selected
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, focused: bool) {
        // For a screen reader nothing is beside another.
        let width = if context.settings.is_plain { area.width.min(SIDE_BY_SIDE - 1) } else { area.width };
        let area = Rect { width, ..area };
        self.area = area;
        let page = Page {
            lines: &self.lines,
            has_sections: self.lines.iter().any(|line| !line.label.is_empty()),
            width: area.width,
            selected: self.list.selected(),
            nth: self.nth,
        };
        let above = || (0..=page.selected).take(self.lines.len()).map(|nth| page.height(nth)).sum::<usize>();
        if self.list.page() == 0 && page.selected == self.nearest(0) && above() > area.height.into() {
            // A long text above the first link is read before it.
            self.list.rewind(0);
        }
        let is_all = self.list.draw(
            area,
            |nth| page.height(nth),
            |nth, place, _| {
                for (line, place) in page.places(nth, place) {
                    let text = page.paint(frame, line, place.intersection(area), context);
                    if focused && line == page.selected && page.lines[line].is_link() {
                        list::mark(frame, text, context, Role::Marker);
                    }
                }
            },
        );
        let ends = [(self.list.is_scrolled(), area.y, "↑"), (!is_all, area.bottom().saturating_sub(1), "↓")];
        for (is_more, y, arrow) in ends {
            if is_more && page.has_sections && !area.is_empty() {
                Pen::new(area.right() - 1, y, 1).say(frame, context, arrow, Role::Accent);
            }
        }
    }

    /// The nearest line with a link: this one, else below, else above.
    fn nearest(&self, line: usize) -> usize {
        let leads = |nth: &usize| self.lines[*nth].is_link();
        let below = (line..self.lines.len()).find(leads);
        below.or_else(|| (0..line.min(self.lines.len())).rev().find(leads)).unwrap_or(0)
    }
}

/// The lines at the width of a draw.
struct Page<'a, A> {
    lines: &'a [Linked<A>],
    has_sections: bool,
    width: u16,
    selected: usize,
    /// See [`LinkedLines::nth`].
    nth: usize,
}

impl<A> Page<'_, A> {
    /// The lines to draw in the place of a line, each with its area. One beside another has no rows of its own: both
    /// are drawn with the first one.
    fn places(&self, nth: usize, place: Rect) -> Vec<(usize, Rect)> {
        let half = self.width / 2;
        if is_beside(self.lines, nth, self.width) {
            Vec::new()
        } else if is_beside(self.lines, nth + 1, self.width) {
            let right = Rect { x: place.x + half, width: self.width - half, ..place };
            vec![(nth, Rect { width: half.saturating_sub(1), ..place }), (nth + 1, right)]
        } else {
            vec![(nth, place)]
        }
    }

    fn height(&self, nth: usize) -> usize {
        let places = self.places(nth, Rect { width: self.width, ..Rect::default() }).into_iter();
        places.map(|(line, place)| usize::from(self.above(line)) + self.rows(line, place.width)).max().unwrap_or(0)
    }

    /// Number of rows of a line's text.
    fn rows(&self, nth: usize, width: u16) -> usize {
        let most = if self.has_sections && nth != self.selected { MOST_ROWS } else { usize::MAX };
        self.text(nth).height(self.room(nth, width)).clamp(1, most)
    }

    /// Number of rows above a line, for the gap and the section name.
    fn above(&self, nth: usize) -> u16 {
        let is_first = u16::from(!self.lines[nth].label.is_empty());
        is_first * (u16::from(nth > 0) + u16::from(self.width < LABEL_BESIDE))
    }

    fn indent(&self, nth: usize) -> u16 {
        match self.has_sections {
            true if self.width < LABEL_BESIDE => 2,
            true => LABEL,
            false => self.lines[nth].indent + 1,
        }
    }

    fn room(&self, nth: usize, width: u16) -> u16 {
        let (right, most) = if self.has_sections { (1, MEASURE) } else { (0, u16::MAX) };
        width.saturating_sub(self.indent(nth) + right).clamp(1, most)
    }

    /// A line's text; with several sources, it shows which one is chosen.
    fn text(&self, nth: usize) -> Cow<'_, Styled> {
        let Linked { text, sources, .. } = &self.lines[nth];
        let count = sources.len();
        if count < 2 {
            return Cow::Borrowed(text);
        }
        let chosen = if nth == self.selected {
            format!("  ‹{} of {count}›", self.nth.min(count - 1) + 1)
        } else {
            format!("  {count}\u{a0}sources")
        };
        Cow::Owned(text.clone().and(&chosen, Role::Dim))
    }

    /// Draws the section name and the text; returns the rows of the text.
    fn paint(&self, frame: &mut Frame<'_>, nth: usize, place: Rect, context: &RenderContext<'_>) -> Rect {
        let rows = below(place, self.above(nth));
        if !self.lines[nth].label.is_empty() {
            let y = if self.width < LABEL_BESIDE { rows.y - 1 } else { rows.y };
            let label = Rect { y, height: 1, ..place }.intersection(place);
            if !label.is_empty() {
                let mut pen = Pen::new(place.x + 2, y, place.width.saturating_sub(2));
                pen.say(frame, context, self.lines[nth].label, Role::Heading);
            }
        }
        let text = Rect { x: rows.x + self.indent(nth), width: self.room(nth, place.width), ..rows };
        self.text(nth).paint(frame.buffer_mut(), text.intersection(rows), context, Role::Text);
        rows
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
        let quote = Evidence::new(time.as_str().into(), time, "words".to_owned(), Basis::Stated);
        lines.lines[2].sources = vec![Cited::from(&quote)];
        lines.go(Motion::Lines(2));
        assert_eq!((lines.line(), lines.cited()), (2, Some(&Cited::from(&quote))));
        assert_eq!(lines.selected_or_above(), Some(&1), "a quote belongs to what it supports");
    }
}
