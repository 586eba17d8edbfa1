//! Facets of the hits: each line is a filter that a key adds to the query or removes.

use std::ops::Range;

use ratatui::{Frame, layout::Rect};

use crate::{
    search::{
        Query,
        facets::{Facet, Facets, facets},
        narrow,
    },
    tui::{Linked, LinkedLines, Motion, Mouse, RenderContext, Role, Styled, UpdateContext, cells, counted},
};

/// Width of the column beside the text in cells.
pub(super) const WIDTH: u16 = 32;
const LABEL: usize = 18;
const BAR: usize = 6;
/// Maximum number of people, of tags and of moods; months are all listed.
const OFFERED: usize = 12;

#[derive(Default)]
pub(super) struct Narrowing {
    lines: LinkedLines<Pick>,
    /// The last added filter, which stays selected.
    picked: Option<String>,
    area: Rect,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pick {
    /// A filter to add.
    In(String),
    /// The bytes of a filter to remove.
    Out(Range<usize>),
}

impl Narrowing {
    /// Counts the facets again, for a query with an answer.
    pub fn count(&mut self, text: &str, cx: &UpdateContext<'_>) {
        let now = cx.now();
        let shared = cx.view.snapshot.as_ref().map(|snapshot| facets(snapshot, cx.query.hits(), &now));
        let mut lines = Vec::new();
        let filters = Query::parse(text, &now).filters;
        let said: Vec<_> = filters.iter().filter_map(|filter| filter.span.clone()).collect();
        if !said.is_empty() {
            lines.push(heading("in the query", ""));
        }
        for span in &said {
            let line = Styled::of("✓ ", Role::Accent).and(text.get(span.clone()).unwrap_or_default(), Role::Accent);
            lines.push(Linked::to(1, line, Pick::Out(span.clone())));
        }
        let Facets { of, people, tags, moods, months } = shared.unwrap_or_default();
        let is_new = |facet: &Facet| !filters.iter().any(|filter| narrow::says(filter, &facet.says));
        for (title, facets, role, most) in [
            ("who", people, Role::Person, OFFERED),
            ("tag", tags, Role::Tag, OFFERED),
            ("mood", moods, Role::Mood, OFFERED),
            ("month", months, Role::Date, usize::MAX),
        ] {
            let mut offered = facets.into_iter().filter(is_new).take(most).peekable();
            if offered.peek().is_none() {
                continue;
            }
            if !lines.is_empty() {
                lines.push(Linked::blank());
            }
            lines.push(heading(title, &format!("  of {}", counted(of, "hit", "hits"))));
            lines.extend(offered.map(|facet| line(&facet, of, role)));
        }
        let picked = self.picked.as_ref().and_then(|picked| said.iter().position(|span| text[span.clone()] == *picked));
        self.lines.set(lines);
        if let Some(nth) = picked {
            self.lines.select(1 + nth);
        }
    }

    /// The query with the selected filter added or removed.
    pub fn pick(&mut self, text: &str, out: bool) -> Option<String> {
        let picked = self.lines.selected()?.clone();
        self.picked = None;
        Some(match picked {
            Pick::Out(span) => narrow::without(text, &span),
            Pick::In(filter) => {
                let filter = if out { format!("-{filter}") } else { filter };
                self.picked = Some(filter.clone());
                narrow::with(text, &filter)
            }
        })
    }

    pub fn go(&mut self, motion: Motion) {
        self.picked = None;
        self.lines.go(motion);
    }

    pub fn holds(&self, mouse: Mouse) -> bool {
        self.area.contains(mouse.at)
    }

    /// Selects the line at a cell; returns whether it was selected before. `None` where there is no line.
    pub fn click(&mut self, mouse: Mouse) -> Option<bool> {
        self.holds(mouse).then(|| {
            self.picked = None;
            self.lines.click(mouse)
        })
    }

    pub fn hide(&mut self) {
        self.area = Rect::default();
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, focused: bool) {
        self.area = area;
        if self.lines.is_empty() {
            let line = ratatui::text::Line::styled(" No filters", context.style(Role::Dim));
            frame.render_widget(line, Rect { height: area.height.min(1), ..area });
            return;
        }
        self.lines.draw(frame, area, context, focused);
    }
}

fn heading(title: &str, more: &str) -> Linked<Pick> {
    let line = Styled::of(title, Role::Heading).and(more, Role::Dim);
    Linked::plain(0, line)
}

/// `Linh               12 ████▌`.
fn line(facet: &Facet, of: usize, role: Role) -> Linked<Pick> {
    let bar = (facet.count * BAR).div_ceil(of.max(1)).min(BAR);
    let line = Styled::of(&cells::pad(&facet.label, LABEL), role)
        .and(&format!("{:>4} ", facet.count), Role::Dim)
        .and(&"▪".repeat(bar), Role::Heat);
    Linked::to(1, line, Pick::In(facet.filter.clone()))
}
