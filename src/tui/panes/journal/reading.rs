//! The right column: a day's entries as rendered markdown, one of them selected.

use std::{collections::HashMap, ops::Range, rc::Rc};

use jiff::civil;
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Position, Rect},
};

use super::{
    cache::DayText,
    links::{Link, links},
    marking::Marks,
};
use crate::{
    journal::{BodyHash, EntityKind, EntryId, RecordHead, RecordStatus, record_title},
    session::DayEntry,
    tui::{
        MEASURE, Motion, Overlay, Pen, RenderContext, Role, below, cells, counted, day_name, kind_label, list,
        widgets::markdown::{Layout, marks},
    },
};

/// Maximum number of cached layouts; then all are dropped.
const MOST_LAYOUTS: usize = 200;
/// Maximum number of names below an entry.
const MOST_CHIPS: usize = 5;
/// Width of the bar and the space left of the text.
pub(super) const INDENT: u16 = 2;

/// The layout of a body at one width, with its marks.
#[derive(Debug)]
pub(super) struct Laid {
    pub(super) layout: Layout,
    pub(super) marks: Vec<Overlay>,
}

/// Rows of an entry, as last drawn.
#[derive(Debug, Clone)]
pub(super) struct Block {
    rows: Range<usize>,
    pub(super) laid: Rc<Laid>,
    /// Names of the entry, by row.
    pub(super) names: Vec<Range<usize>>,
    /// Only its first line is shown, in the head: a record that is not selected.
    folded: bool,
}

/// The edge of the selected entry to scroll to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    Start,
    End,
}

#[derive(Debug, Default)]
pub struct Reading {
    selected: Option<EntryId>,
    /// Its last position, in case it disappears.
    at: usize,
    scroll: usize,
    follow: Option<Follow>,
    /// Bytes of the selected body to scroll to.
    span: Option<Range<usize>>,
    /// A quote in it to scroll to and to highlight, as long as it is selected.
    quote: Option<String>,
    /// Index of the chosen name in the selected entry.
    name: Option<usize>,
    /// By body, width, and whether it is folded.
    layouts: HashMap<(BodyHash, u16, bool), Rc<Laid>>,
    blocks: Vec<Block>,
    area: Rect,
    /// Of the last draw.
    is_plain: bool,
}

impl Reading {
    /// Switches to another day, at its top.
    pub fn turn(&mut self) {
        *self = Self { layouts: std::mem::take(&mut self.layouts), area: self.area, ..Self::default() };
    }

    /// Selects an entry, and scrolls to a part of it, or to a quote once its text is loaded.
    pub fn select(&mut self, id: EntryId, span: Option<Range<usize>>, quote: Option<String>) {
        (self.selected, self.span, self.quote) = (Some(id), span, quote);
        self.name = None;
        self.follow = Some(Follow::Start);
    }

    /// Position of the selected entry: by its id, else its last position.
    fn position(&self, day: &DayText) -> usize {
        let known = self.selected.as_ref();
        let found = known.and_then(|id| day.entries.iter().position(|entry| entry.entry.id == *id));
        found.unwrap_or(self.at).min(day.entries.len().saturating_sub(1))
    }

    pub fn entry<'a>(&self, day: &'a DayText) -> Option<&'a DayEntry> {
        day.entries.get(self.position(day))
    }

    /// Chooses another name of the entry and scrolls to it; `false` if it has none.
    pub fn choose_name(&mut self, by: isize, day: &DayText) -> bool {
        let Some(entry) = self.entry(day) else { return false };
        let links = links(entry);
        if links.is_empty() {
            return false;
        }
        let next = list::cycle(self.name, by, links.len());
        self.span = links.get(next).and_then(|link| link.spans.first().cloned());
        self.follow = Some(if self.span.is_some() { Follow::Start } else { Follow::End });
        self.name = Some(next);
        true
    }

    /// Clears the chosen name; returns whether there was one.
    pub fn choose_no_name(&mut self) -> bool {
        self.name.take().is_some()
    }

    /// The chosen name.
    pub fn name(&self, day: &DayText) -> Option<Link> {
        links(self.entry(day)?).into_iter().nth(self.name?)
    }

    fn go(&mut self, at: usize, day: &DayText, follow: Follow) {
        self.at = at;
        self.name = None;
        self.selected = day.entries.get(at).map(|entry| entry.entry.id.clone());
        self.follow = Some(follow);
        self.span = None;
        self.quote = None;
    }

    pub fn motion(&mut self, motion: Motion, day: &DayText) {
        match motion {
            Motion::Lines(by) => self.step(by > 0, day),
            Motion::Pages(by) => self.page(by > 0, day),
            Motion::First | Motion::Last => self.edge(motion == Motion::Last, day),
        }
    }

    /// Goes to the next or previous entry; in an entry that is longer than the screen, to the next line.
    fn step(&mut self, down: bool, day: &DayText) {
        let at = self.position(day);
        let Some(block) = self.blocks.get(at) else { return };
        let bottom = self.scroll + usize::from(self.area.height);
        if down && block.rows.end > bottom + 1 {
            self.scroll += 1;
        } else if !down && block.rows.start < self.scroll {
            self.scroll -= 1;
        } else if down && at + 1 < day.entries.len() {
            self.go(at + 1, day, Follow::Start);
        } else if !down && at > 0 {
            self.go(at - 1, day, Follow::End);
        }
    }

    /// Scrolls by a page; the selection follows.
    fn page(&mut self, down: bool, day: &DayText) {
        let page = usize::from(self.area.height.saturating_sub(2).max(1));
        let before = self.scroll;
        self.scroll = if down { self.scroll + page } else { self.scroll.saturating_sub(page) };
        self.hold();
        let Some(last) = day.entries.len().checked_sub(1) else { return };
        let at = if self.scroll == before {
            if down { last } else { 0 }
        } else {
            self.blocks.partition_point(|block| block.rows.start < self.scroll).min(last)
        };
        self.go(at, day, Follow::Start);
        self.follow = None;
    }

    /// Goes to the first or last entry; the second time, to the end of a last entry that is longer than the screen.
    fn edge(&mut self, last: bool, day: &DayText) {
        let at = if last { day.entries.len().saturating_sub(1) } else { 0 };
        let again = last && self.position(day) == at;
        self.go(at, day, if again { Follow::End } else { Follow::Start });
    }

    /// Scrolls without moving the selection (mouse wheel).
    pub fn scroll(&mut self, rows: isize) {
        self.scroll = self.scroll.saturating_add_signed(rows);
        self.hold();
    }

    /// Selects the entry or name under the mouse. Returns whether that name was chosen already; `None` outside of the
    /// text.
    pub fn point(&mut self, place: Position, day: &DayText) -> Option<bool> {
        if !self.area.contains(place) {
            return None;
        }
        let line = self.scroll + usize::from(place.y - self.area.y);
        let Some(at) = self.blocks.iter().position(|block| block.rows.contains(&line)) else { return Some(false) };
        let before = self.name.filter(|_| at == self.at);
        self.go(at, day, Follow::Start);
        self.follow = None;
        self.name = self.name_at(at, line, place.x, day);
        Some(self.name.is_some() && self.name == before)
    }

    /// The link of an entry at a cell below its text.
    fn name_at(&self, at: usize, line: usize, column: u16, day: &DayText) -> Option<usize> {
        let (block, entry) = (self.blocks.get(at)?, day.entries.get(at)?);
        let row = (line - block.rows.start).checked_sub(1 + block.laid.layout.height())?;
        let (_, name) = name_in_row(entry, block.names.get(row)?.clone(), column.checked_sub(self.area.x + INDENT)?)?;
        links(entry).iter().position(|link| link.name == *name)
    }

    fn hold(&mut self) {
        let total = self.blocks.last().map_or(0, |block| block.rows.end.saturating_sub(1));
        self.scroll = self.scroll.min(total.saturating_sub(usize::from(self.area.height)));
    }

    /// `folded`: without its body.
    fn lay_out(&mut self, entry: &DayEntry, width: u16, folded: bool) -> Rc<Laid> {
        if self.layouts.len() > MOST_LAYOUTS {
            self.layouts.clear();
        }
        // The hash is of the file's bytes, while the layout is of the body on screen.
        let key = (entry.entry.hash, width, folded);
        let body = if folded { "" } else { entry.entry.body.as_str() };
        let lay_out = || Rc::new(Laid { layout: Layout::of(body, width, self.is_plain), marks: marks::marks(body) });
        Rc::clone(self.layouts.entry(key).or_insert_with(lay_out))
    }

    fn arrange(&mut self, day: &DayText, width: u16) {
        self.at = self.position(day);
        let chosen = self.name(day);
        let mut start = 0;
        let mut blocks = Vec::with_capacity(day.entries.len());
        // Records take a line each, so that they do not bury the entries of the day.
        let focused = self.at;
        let is_folded =
            |at: usize| at != focused && day.entries.get(at).is_some_and(|entry| entry.entry.record().is_some());
        for (at, entry) in day.entries.iter().enumerate() {
            let folded = is_folded(at);
            let laid = self.lay_out(entry, width, folded);
            let names = match at == focused {
                true => name_rows(entry, chips(entry, chosen.as_ref()), usize::from(width).saturating_sub(2)),
                false => Vec::new(),
            };
            let body = if folded { 0 } else { laid.layout.height() };
            let gap = usize::from(!folded || !is_folded(at + 1));
            let end = start + 1 + body + names.len() + gap;
            blocks.push(Block { rows: start..end, laid, names, folded });
            start = end;
        }
        self.blocks = blocks;
    }

    fn bring_into_view(&mut self, day: &DayText) {
        self.at = self.position(day);
        let height = usize::from(self.area.height);
        if let (Some(follow), Some(block)) = (self.follow.take(), self.blocks.get(self.at)) {
            let mut rows = block.rows.start..block.rows.end - 1;
            let body = day.entries.get(self.at).map_or("", |entry| &entry.entry.body);
            let found = self.quote.as_ref().and_then(|quote| body.find(quote));
            if let Some(start) = self.span.take().map(|span| span.start).or(found) {
                let row = block.rows.start + 1 + block.laid.layout.row_of(start);
                if row - rows.start >= height {
                    rows = row.saturating_sub(height / 3)..row + 1;
                }
            }
            if rows.len() > height {
                self.scroll = if follow == Follow::Start { rows.start } else { rows.end - height };
            } else if rows.start < self.scroll {
                self.scroll = rows.start;
            } else if rows.end > self.scroll + height {
                self.scroll = rows.end - height;
            }
        }
        self.hold();
    }

    /// Draws the day. `text` is `None` until it was read.
    pub fn draw(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        (day, text): (civil::Date, Option<&DayText>),
        marks: &Marks,
        context: &RenderContext<'_>,
        focused: bool,
    ) {
        draw_header(frame.buffer_mut(), area, day, text, context);
        let area = below(area, 2);
        (self.area, self.is_plain) = (area, context.settings.is_plain);
        let Some(text) = text else {
            self.blocks.clear();
            let mut pen = Pen::new(area.x + INDENT, area.y, area.width.saturating_sub(INDENT));
            return pen.say(frame, context, "reading …", Role::Dim);
        };
        let width = area.width.saturating_sub(INDENT + 1).clamp(1, MEASURE);
        self.arrange(text, width);
        self.bring_into_view(text);
        let buffer = frame.buffer_mut();
        for (nth, block) in self.blocks.iter().enumerate() {
            let visible = block.rows.start.max(self.scroll)..block.rows.end.min(self.scroll + usize::from(area.height));
            if visible.is_empty() {
                continue;
            }
            let entry = &text.entries[nth];
            let chosen = if nth == self.at { self.name(text) } else { None };
            let mut spans = entry_spans(entry, chosen.as_ref(), context);
            let quote = self.quote.as_ref().filter(|_| nth == self.at);
            if let Some((start, quote)) = quote.and_then(|quote| Some((entry.entry.body.find(quote)?, quote))) {
                spans[1] = vec![Overlay { span: start..start + quote.len(), role: Role::Passage }];
            }
            for row in visible {
                let line = Rect { y: area.y + (row - self.scroll) as u16, height: 1, ..area };
                if nth == self.at && row + 1 < block.rows.end {
                    let role = if focused { Role::Marker } else { Role::Dim };
                    Pen::new(line.x, line.y, 1).write(buffer, "▌", context.style(role));
                }
                if marks.has(&entry.entry.id) && row == block.rows.start {
                    Pen::new(line.x + 1, line.y, 1).write(buffer, "■", context.style(Role::Accent));
                }
                let line = Rect { x: line.x + INDENT, width: line.width.saturating_sub(INDENT), ..line };
                let name = chosen.as_ref().map(|link| link.name.as_str());
                draw_row(buffer, line, entry, block, row - block.rows.start, (&spans, name), context);
            }
        }
        self.draw_position(buffer, area, context);
    }

    /// `lines 12–40 of 96` above the text, for a selected entry that is longer than the screen.
    fn draw_position(&self, buffer: &mut Buffer, area: Rect, context: &RenderContext<'_>) {
        let height = usize::from(area.height);
        let Some(block) = self.blocks.get(self.at).filter(|block| block.rows.len() - 1 > height && height > 2) else {
            return;
        };
        let first = (self.scroll.max(block.rows.start) - block.rows.start) + 1;
        let last = (self.scroll + height).min(block.rows.end - 1).saturating_sub(block.rows.start);
        let text = format!("lines {first}–{last} of {}", block.rows.len() - 1);
        let cells = cells::text_width(&text) as u16;
        let right = area.x + area.width.min(MEASURE + INDENT);
        if cells < area.width {
            Pen::new(right - cells, area.y - 1, cells).write(buffer, &text, context.style(Role::Dim));
        }
    }
}

/// Overlays on a body besides its marks: names, the passage and words found by the query, the chosen name.
pub(super) type Spans = [Vec<Overlay>; 4];

pub(super) fn entry_spans(entry: &DayEntry, chosen: Option<&Link>, context: &RenderContext<'_>) -> Spans {
    let names = marks::names(&entry.spans, &entry.entry.body);
    let hit = context.query.hit(&entry.entry.id).filter(|hit| hit.text == entry.entry.body);
    let matches = hit.map_or(&[][..], |hit| &hit.matches);
    let matches = matches.iter().map(|span| Overlay { span: span.clone(), role: Role::Match }).collect();
    let passage = hit.and_then(|hit| hit.reason.passage.clone());
    let passage = passage.map(|span| Overlay { span, role: Role::Passage }).into_iter().collect();
    let chosen = chosen.map_or(&[][..], |link| &link.spans);
    let chosen = chosen.iter().map(|span| Overlay { span: span.clone(), role: Role::Selected }).collect();
    [names, passage, matches, chosen]
}

pub(super) fn draw_row(
    buffer: &mut Buffer,
    area: Rect,
    entry: &DayEntry,
    block: &Block,
    row: usize,
    (spans, chosen): (&Spans, Option<&str>),
    context: &RenderContext<'_>,
) {
    let body = 1..1 + if block.folded { 0 } else { block.laid.layout.height() };
    if row == 0 {
        draw_head(buffer, area, entry, block.folded, context);
    } else if body.contains(&row) {
        let [names, passage, matches, chosen] = spans;
        let layers: [&[Overlay]; 5] = [&block.laid.marks, names, passage, matches, chosen];
        block.laid.layout.paint(buffer, area, row - 1, &layers, context.theme);
    } else if let Some(names) = block.names.get(row - body.end) {
        let mut pen = Pen::new(area.x + 2, area.y, area.width.saturating_sub(2));
        for (nth, (kind, name)) in entry.names[names.clone()].iter().enumerate() {
            if nth > 0 {
                pen.write(buffer, "   ", context.style(Role::Dim));
            }
            let style = context.kind(*kind);
            let is_chosen = chosen == Some(name.as_str());
            pen.write(buffer, name, if is_chosen { style.patch(context.style(Role::Selected)) } else { style });
            pen.write(buffer, &format!(" {}", kind_label(*kind).0), context.style(Role::Dim));
        }
    }
}

/// "15:30   stressed   #work", and the rest of the head.
fn draw_head(buffer: &mut Buffer, area: Rect, known: &DayEntry, folded: bool, context: &RenderContext<'_>) {
    let entry = &known.entry;
    let mut pen = Pen::new(area.x, area.y, area.width);
    let time = entry.time.local();
    let clock = entry.time.clock();
    pen.write(buffer, if clock.is_empty() { "all day" } else { &clock }, context.style(Role::Date));
    if time.date() != entry.day {
        pen.write(buffer, &format!(" ({})", time.date()), context.style(Role::Dim));
    }
    if entry.starred() {
        pen.write(buffer, " ★", context.style(Role::Accent));
    }
    if let Some(record) = entry.record() {
        draw_record(buffer, &mut pen, &record, folded.then_some(entry.body.as_str()), context);
        return;
    }
    if let Some(mood) = entry.mood.as_deref().filter(|mood| !mood.is_empty()) {
        pen.write(buffer, "   ", context.style(Role::Dim));
        pen.write(buffer, mood, context.style(Role::of_mood(mood)));
    }
    for (nth, tag) in entry.tags.iter().enumerate() {
        pen.write(buffer, if nth == 0 { "   " } else { " " }, context.style(Role::Dim));
        pen.write(buffer, &format!("#{tag}"), context.style(Role::Tag));
    }
    if let Some(when) = entry.event_time.as_deref().filter(|when| !when.is_empty()) {
        pen.write(buffer, &format!("   about {when}"), context.style(Role::Dim));
    }
    for (name, value) in entry.trackers() {
        pen.write(buffer, &format!("   {name} {value}"), context.style(Role::Dim));
    }
    if context.query.is_sure_of(&entry.id) {
        pen.write(buffer, "   match", context.style(Role::Match));
    }
    if super::saving::is_unwritten(entry) {
        pen.write(buffer, "   saving …", context.style(Role::Dim));
    }
}

/// "[ ] goal   run a half marathon", or for an unfolded one "[ ] goal   due 2027-05-31".
fn draw_record(
    buffer: &mut Buffer,
    pen: &mut Pen,
    record: &RecordHead<'_>,
    folded: Option<&str>,
    context: &RenderContext<'_>,
) {
    let status = record.status();
    let mark = status.mark(record.known_kind()).map(|mark| format!("{mark} ")).unwrap_or_default();
    pen.write(buffer, &format!("   {mark}"), context.style(Role::Accent));
    pen.write(buffer, &record.kind.to_lowercase(), context.style(Role::Dim));
    if let Some(body) = folded {
        let title = record_title(body);
        let room = usize::from(pen.right.saturating_sub(pen.x)).saturating_sub(3);
        let role = if status == RecordStatus::Open { Role::Text } else { Role::Dim };
        pen.write(buffer, &format!("   {}", cells::truncate(title, room)), context.style(role));
        return;
    }
    for key in ["due", "list", "subject", "category", "project", "role"] {
        if let Some(value) = record.value(key) {
            pen.write(buffer, &format!("   {key} {value}"), context.style(Role::Dim));
        }
    }
}

pub(super) fn draw_header(
    buffer: &mut Buffer,
    area: Rect,
    day: civil::Date,
    text: Option<&DayText>,
    context: &RenderContext<'_>,
) {
    let width = area.width.min(MEASURE + INDENT);
    let mut pen = Pen::new(area.x + INDENT, area.y, width.saturating_sub(INDENT));
    pen.write(buffer, &day_name(day), context.style(Role::Title));
    let line = context.view.line(day);
    let counts = match text {
        Some(text) => Some((text.counts, text.entries.len() - text.counts.0)),
        None => line.map(|line| {
            let words = line.words.iter().map(|words| *words as usize).sum();
            ((line.words.len(), words), line.records)
        }),
    };
    let Some(((entries, words), records)) = counts else { return };
    let mut parts = Vec::new();
    if entries > 0 {
        parts.extend([counted(entries, "entry", "entries"), counted(words, "word", "words")]);
    }
    parts.extend((records > 0).then(|| counted(records, "record", "records")));
    let counts = parts.join(" · ");
    let x = (area.x + width).saturating_sub(cells::text_width(&counts) as u16);
    if x > pen.x {
        Pen::new(x, area.y, area.width).write(buffer, &counts, context.style(Role::Dim));
    }
}

/// The name at a column of one of these rows.
pub(super) fn name_in_row(entry: &DayEntry, row: Range<usize>, column: u16) -> Option<&(EntityKind, String)> {
    let mut left = 2;
    entry.names.get(row)?.iter().find(|(kind, name)| {
        let cells = chip_width(*kind, name);
        let is_here = (left..left + cells).contains(&usize::from(column));
        left += cells + 3;
        is_here
    })
}

/// Width of a name with its kind.
fn chip_width(kind: EntityKind, name: &str) -> usize {
    cells::text_width(name) + 1 + kind_label(kind).0.len()
}

/// The names shown below an entry: a few, with the chosen one among them.
pub(super) fn chips(entry: &DayEntry, chosen: Option<&Link>) -> Range<usize> {
    let chosen = chosen.and_then(|link| entry.names.iter().position(|(_, name)| *name == link.name));
    let start = chosen.map_or(0, |nth| (nth + 1).saturating_sub(MOST_CHIPS));
    start..entry.names.len().min(start + MOST_CHIPS)
}

/// Some names in rows of at most `width` cells.
pub(super) fn name_rows(entry: &DayEntry, shown: Range<usize>, width: usize) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut column = 0;
    for (nth, (kind, name)) in entry.names.iter().enumerate().skip(shown.start).take(shown.len()) {
        let cells = chip_width(*kind, name);
        match rows.last_mut() {
            Some(row) if column + 3 + cells <= width => {
                row.end = nth + 1;
                column += 3 + cells;
            }
            _ => {
                rows.push(nth..nth + 1);
                column = cells;
            }
        }
    }
    rows
}
