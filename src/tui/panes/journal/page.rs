//! How a day is painted: its title, the head of an entry, a row of its text, the names in it.

use std::ops::Range;

use jiff::civil;
use ratatui::{buffer::Buffer, layout::Rect};

use super::{
    cache::DayText,
    links::Link,
    reading::{Block, INDENT},
};
use crate::{
    journal::EntityKind,
    session::DayEntry,
    tui::{
        render_context::{MEASURE, RenderContext},
        theme::Role,
        widgets::{
            calendar::day_name,
            cells::{self, Pen},
            markdown::{Overlay, marks},
        },
    },
};

/// What is painted over a body and its marks: names, the passage and the words that the query found, the chosen name.
pub(super) type Spans = [Vec<Overlay>; 4];

pub(super) fn entry_spans(entry: &DayEntry, chosen: Option<&Link>, context: &RenderContext<'_>) -> Spans {
    let names = marks::names(&entry.spans);
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
    let body = 1..1 + block.laid.layout.height();
    if row == 0 {
        draw_head(buffer, area, entry, context);
    } else if body.contains(&row) {
        let [names, passage, matches, chosen] = spans;
        let layers: [&[Overlay]; 5] = [&block.laid.marks, names, passage, matches, chosen];
        block.laid.layout.paint(buffer, area, row - 1, &layers, &|role| context.style(role));
    } else if let Some(names) = block.names.get(row - body.end) {
        let mut pen = Pen::new(area.x + 2, area.y, area.width.saturating_sub(2));
        for (nth, (kind, name)) in entry.names[names.clone()].iter().enumerate() {
            if nth > 0 {
                pen.write(buffer, "   ", context.style(Role::Dim));
            }
            pen.write(buffer, &format!("{} ", kind.letter()), context.style(Role::Dim));
            let style = context.kind(*kind);
            let is_chosen = chosen == Some(name.as_str());
            pen.write(buffer, name, if is_chosen { style.patch(context.style(Role::Selected)) } else { style });
        }
    }
}

/// "15:30   stressed   #work", and what else the head says.
fn draw_head(buffer: &mut Buffer, area: Rect, known: &DayEntry, context: &RenderContext<'_>) {
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
        pen.write(buffer, "   •", context.style(Role::Match));
    }
    if super::saving::is_provisional(&entry.id) {
        pen.write(buffer, "   saving …", context.style(Role::Dim));
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
        Some(text) => Some((text.entries.len(), text.words)),
        None => line
            .filter(|line| !line.words.is_empty())
            .map(|line| (line.words.len(), line.words.iter().map(|words| *words as usize).sum())),
    };
    let Some((entries, words)) = counts.filter(|(entries, _)| *entries > 0) else { return };
    let entries = if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") };
    let words = if words == 1 { "1 word".to_owned() } else { format!("{words} words") };
    let counts = format!("{entries} · {words}");
    let x = (area.x + width).saturating_sub(cells::text_width(&counts) as u16);
    if x > pen.x {
        Pen::new(x, area.y, area.width).write(buffer, &counts, context.style(Role::Dim));
    }
}

/// The name at a column of one of these rows.
pub(super) fn name_in_row(entry: &DayEntry, row: Range<usize>, column: u16) -> Option<&(EntityKind, String)> {
    let mut left = 2;
    entry.names.get(row)?.iter().find(|(_, name)| {
        let cells = 2 + cells::text_width(name);
        let is_here = (left..left + cells).contains(&usize::from(column));
        left += cells + 3;
        is_here
    })
}

/// Names in rows of at most `width` cells.
pub(super) fn name_rows(entry: &DayEntry, width: usize) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut column = 0;
    for (nth, (_, name)) in entry.names.iter().enumerate() {
        let cells = 2 + cells::text_width(name);
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
