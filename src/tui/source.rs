//! The source column: the entry behind the selected line of a pane, shown beside the lines on a wide screen.

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use super::widgets::markdown::marks;
use crate::{
    insight::Evidence,
    journal::EntryId,
    session::{DayEntry, Reply, Request, Response, Ticket},
    tui::{
        Aim, Head, MEASURE, Mouse, MouseKind, Overlay, Reader, RenderContext, Role, Styled, Target, UpdateContext,
        Width, below, columns, day_name,
    },
};

/// An entry, and the quote from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    pub id: EntryId,
    pub quote: Option<String>,
    /// The day of an entry that is no longer in the index.
    day: Option<civil::Date>,
}

impl Cited {
    pub fn of(id: &EntryId, quote: &str) -> Self {
        Self { id: id.clone(), quote: Some(quote.to_owned()).filter(|quote| !quote.is_empty()), day: None }
    }

    /// Opens the entry in the journal, at the quote.
    pub fn open(&self, cx: &mut UpdateContext<'_>) {
        let (entry, quote) = (Some(self.id.clone()), self.quote.clone());
        cx.open(Target { day: cx.day_of(&self.id).or(self.day), entry, quote, ..Target::journal() });
    }
}

impl From<&Evidence> for Cited {
    fn from(said: &Evidence) -> Self {
        Self { day: said.time.get(..10).and_then(|day| day.parse().ok()), ..Self::of(&said.id, &said.text) }
    }
}

/// The loaded entry.
#[derive(Debug)]
struct Read {
    cited: Cited,
    /// `None` where its day no longer has the entry.
    entry: Option<Box<DayEntry>>,
    marks: Vec<Overlay>,
    names: Vec<Overlay>,
}

/// The column. It requests its content itself: one day file per selection, from the worker that reads days.
#[derive(Debug, Default)]
pub struct SourceColumn {
    /// The source of the selected line.
    cited: Option<Cited>,
    asked: Option<Ticket>,
    /// The journal has changed since it was read.
    is_old: bool,
    /// The content on screen: the previous one until the current one is loaded, so that nothing flickers.
    read: Option<Read>,
    reader: Reader,
    /// The first click was on it: the second one opens it.
    is_pointed: bool,
    area: Rect,
}

impl SourceColumn {
    /// Switches to the source of the selected line, and reads it if the column is on screen.
    pub fn turn_to(&mut self, cited: Option<Cited>, cx: &mut UpdateContext<'_>) {
        if self.cited != cited {
            let is_other = self.cited.as_ref().map(|cited| &cited.id) != cited.as_ref().map(|cited| &cited.id);
            self.is_old |= is_other;
            self.asked = self.asked.filter(|_| !is_other);
            self.is_pointed = false;
            self.cited = cited;
            // Another quote in the same entry.
            if let (Some(read), Some(cited)) = (&mut self.read, &self.cited)
                && read.cited.id == cited.id
            {
                read.cited = cited.clone();
                self.reader.rewind();
            }
        }
        let Some(cited) = &self.cited else {
            self.read = None;
            return;
        };
        let is_due = self.is_old && self.asked.is_none() && !self.area.is_empty();
        if let Some(day) = cx.day_of(&cited.id).filter(|_| is_due) {
            self.is_old = false;
            self.asked = Some(cx.send(Request::Day(day)));
        }
    }

    /// Takes the requested day.
    pub fn take(&mut self, reply: &Reply) {
        match reply {
            Reply::ViewChanged => self.is_old = true,
            // A newer request replaced this one in the worker.
            Reply::To(ticket, Response::Day { .. }) if self.asked.is_some_and(|asked| asked.0 < ticket.0) => {
                (self.asked, self.is_old) = (None, true);
            }
            _ => match reply.settles(&mut self.asked) {
                Some(Response::Day { entries, .. }) => self.show(entries),
                // The application has shown the error; the request is repeated after the view changes.
                Some(Response::Failed(_) | Response::NotYet) => self.read = None,
                _ => {}
            },
        }
    }

    fn show(&mut self, entries: &[DayEntry]) {
        let Some(cited) = self.cited.clone() else { return };
        let entry = entries.iter().find(|known| known.entry.id == cited.id).cloned().map(Box::new);
        let is_same = self.read.as_ref().is_some_and(|read| read.cited == cited);
        if !is_same {
            self.reader.rewind();
        }
        let (marks, names) = entry.as_ref().map_or_else(Default::default, |known| {
            (marks::marks(&known.entry.body), marks::names(&known.spans, &known.entry.body))
        });
        self.read = Some(Read { cited, entry, marks, names });
    }

    pub fn scroll(&mut self, by: isize) {
        self.reader.scroll(by);
    }

    /// Handles a mouse event in the column; returns whether it was one. The second click on the entry opens it.
    pub fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) -> bool {
        if !self.area.contains(mouse.at) {
            return false;
        }
        match mouse.kind {
            MouseKind::Wheel(by) => self.scroll(3 * by),
            MouseKind::Click => {
                let is_again = std::mem::replace(&mut self.is_pointed, true) && self.read.is_some();
                if let Some(cited) = self.cited.as_ref().filter(|_| is_again) {
                    cited.open(cx);
                }
            }
            MouseKind::Drag => {}
        }
        true
    }

    /// Splits a column off at the right of the area, if the screen is wide enough; returns the rest, at least `lines`
    /// cells wide.
    pub fn beside(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, lines: u16) -> Rect {
        self.area = Rect::default();
        if context.width < Width::Three || area.width <= lines {
            return area;
        }
        let (left, right) = columns(frame, area, context, lines);
        self.area = right;
        self.draw(frame, right, context);
        left
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let inside = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2).min(MEASURE), ..area };
        let Some(read) = self.read.as_ref().filter(|_| inside.width > 3 && inside.height > 2) else { return };
        let Some(known) = &read.entry else {
            let gone = "This entry is gone";
            Styled::of(gone, Role::Dim).paint(frame.buffer_mut(), inside, context, Role::Dim);
            return;
        };
        let entry = &known.entry;
        let (day, clock) = (day_name(entry.day), entry.time.clock());
        let head = Head { day: &day, clock: &clock, mood: entry.mood.as_deref(), tags: &entry.tags };
        let role = if self.is_pointed { Role::Selected } else { Role::Title };
        let used = head.draw(frame, inside, context, role) + 1;
        let quoted = read.cited.quote.as_ref().and_then(|quote| {
            let start = entry.body.find(quote)?;
            Some(Overlay { span: start..start + quote.len(), role: Role::Passage })
        });
        let aim = Aim { at: quoted.as_ref().map_or(0, |quoted| quoted.span.start), holds: false };
        let quoted: Vec<Overlay> = quoted.into_iter().collect();
        self.reader.draw(frame, below(inside, used), context, &entry.body, aim, &[&read.marks, &read.names, &quoted]);
    }
}
