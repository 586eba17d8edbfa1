//! One hit in the list: when, by which legs, how strongly, and the words around the match.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    search::Hit,
    tui::{RenderContext, Role, Styled, cells, query::day_of, widgets::blocks::bar},
};

/// Lines of a hit: one of figures, two of text.
pub const HEIGHT: usize = 3;

/// Cells of the longest bar.
const BAR: f32 = 6.0;

pub fn draw(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, hit: &Hit, best: f32) {
    if area.is_empty() {
        return;
    }
    let head = Rect { height: 1, ..area };
    let day = day_of(hit, context.view).map_or_else(|| hit.time.clone(), |day| day.to_string());
    let mut spans = vec![Span::raw(" "), Span::styled(day, context.style(Role::Date)), Span::raw("  ")];
    let legs = legs(hit);
    let mut taken = 0;
    for (text, role) in &legs {
        taken += cells::text_width(text) + 1;
        spans.push(Span::styled(format!("{text} "), context.style(*role)));
    }
    spans.push(Span::raw(" ".repeat(12usize.saturating_sub(taken))));
    spans.push(Span::styled(bar(hit.score / best, BAR), context.style(if hit.weak { Role::Dim } else { Role::Heat })));
    frame.render_widget(Line::from(spans), head);
    let text = Rect { x: area.x + 1, y: area.y + 1, width: area.width.saturating_sub(2), height: area.height - 1 };
    snippet(hit).paint(frame.buffer_mut(), text, context, if hit.weak { Role::Dim } else { Role::Text });
}

/// `k1`, `m3`, `c2`: the legs that found it, with its rank there.
pub fn legs(hit: &Hit) -> Vec<(String, Role)> {
    let all = [
        ('k', hit.legs.keyword, Role::LegKeyword),
        ('m', hit.legs.vector, Role::LegMeaning),
        ('c', hit.legs.graph, Role::LegConnection),
    ];
    all.into_iter().filter_map(|(letter, share, role)| Some((format!("{letter}{}", share?.rank), role))).collect()
}

/// The snippet on one flowing line, its matched words and its closest passage marked.
fn snippet(hit: &Hit) -> Styled {
    let span = whole(&hit.text, &hit.snippet);
    let mut styled = Styled::default();
    let shift = if span.start > 0 {
        styled.push("… ", Role::Dim);
        styled.text().len()
    } else {
        0
    };
    // Line breaks become blanks of the same length, so that the spans still fit.
    let flowing = hit.text[span.clone()].replace(['\n', '\t', '\r'], " ");
    let base = if hit.weak { Role::Dim } else { Role::Text };
    styled.push(&flowing, base);
    let moved = |range: &Range<usize>| {
        let start = range.start.clamp(span.start, span.end) - span.start;
        let end = range.end.clamp(span.start, span.end) - span.start;
        start + shift..end + shift
    };
    if let Some(passage) = &hit.reason.passage {
        styled.mark(moved(passage), Role::Passage);
    }
    for found in &hit.matches {
        styled.mark(moved(found), Role::Match);
    }
    styled
}

/// The range inside the text, at character boundaries.
fn whole(text: &str, range: &Range<usize>) -> Range<usize> {
    let end = text.floor_char_boundary(range.end);
    text.floor_char_boundary(range.start).min(end)..end
}
