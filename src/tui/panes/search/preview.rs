//! The entry behind a hit, as markdown, in its day.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::why;
use crate::{
    journal::EntryId,
    search::Hit,
    tui::{
        look::{Look, MEASURE},
        query::day_of,
        theme::Role,
        widgets::{
            markdown::{Layout, Overlay},
            styled::Styled,
        },
    },
};

/// Scroll, and the laid-out text of the entry last shown.
#[derive(Default)]
pub struct Preview {
    scroll: usize,
    /// Whether the person scrolled; before that the match is brought into view.
    scrolled: bool,
    laid: Option<Laid>,
}

struct Laid {
    id: EntryId,
    text: String,
    width: u16,
    layout: Layout,
}

impl Preview {
    pub fn rewind(&mut self) {
        self.scroll = 0;
        self.scrolled = false;
    }

    pub fn scroll(&mut self, by: isize) {
        self.scroll = self.scroll.saturating_add_signed(by);
        self.scrolled = true;
    }

    fn layout(&mut self, hit: &Hit, width: u16) -> &Layout {
        let fits = |laid: &Laid| laid.id == hit.id && laid.width == width && laid.text == hit.text;
        if !self.laid.as_ref().is_some_and(fits) {
            self.laid = None;
        }
        let laid = self.laid.get_or_insert_with(|| Laid {
            id: hit.id.clone(),
            text: hit.text.clone(),
            width,
            layout: Layout::of(&hit.text, width),
        });
        &laid.layout
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>, hit: &Hit, explain: bool) {
        let inside = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2).min(MEASURE), ..area };
        if inside.width < 4 || inside.height < 2 {
            return;
        }
        head(frame, Rect { height: 1, ..inside }, look, hit);
        // Below the text: why, and what else the day has. At most half of what there is.
        let mut foot = if explain {
            look.query.found().map_or_else(Vec::new, |found| why::figures(hit, found))
        } else {
            vec![why::sentence(hit)]
        };
        foot.extend(same_day(look, hit));
        let foot_height: usize = foot.iter().map(|line| line.height(inside.width)).sum();
        let foot_height = (foot_height as u16).min(inside.height / 2);
        let text_area = Rect { y: inside.y + 2, height: inside.height.saturating_sub(foot_height + 3), ..inside };
        let used = self.draw_text(frame, text_area, look, hit);
        let mut y = (text_area.y + used + 1).min(inside.bottom() - foot_height);
        for line in &foot {
            let rest = Rect { y, height: inside.bottom().saturating_sub(y), ..inside };
            y += line.paint(frame.buffer_mut(), rest, look, Role::Dim);
        }
    }

    fn draw_text(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>, hit: &Hit) -> u16 {
        let space = usize::from(area.height);
        let first = hit.matches.first().or(hit.reason.passage.as_ref()).map_or(0, |range| range.start);
        let (scroll, scrolled) = (self.scroll, self.scrolled);
        let layout = self.layout(hit, area.width);
        let last = layout.height().saturating_sub(space);
        let wanted = if scrolled { scroll } else { layout.row_of(first).saturating_sub(space / 3) };
        let top = if layout.height() <= space { 0 } else { wanted.min(last) };
        let passage: Vec<_> =
            hit.reason.passage.iter().map(|span| Overlay { span: span.clone(), role: Role::Passage }).collect();
        let matches: Vec<_> =
            hit.matches.iter().map(|span| Overlay { span: span.clone(), role: Role::Match }).collect();
        let rows = layout.height().min(top + space);
        for (line, row) in (top..rows).enumerate() {
            let place = Rect { y: area.y + line as u16, height: 1, ..area };
            layout.paint(frame.buffer_mut(), place, row, &[&passage, &matches], &|role| look.style(role));
        }
        self.scroll = top;
        (rows - top) as u16
    }
}

/// `Monday 14 September 2026   15:30  stressed  #work`.
fn head(frame: &mut Frame<'_>, area: Rect, look: &Look<'_>, hit: &Hit) {
    let day = day_of(hit, look.view);
    let title = day.map_or_else(|| hit.time.clone(), |day| day.strftime("%A %-d %B %Y").to_string());
    frame.render_widget(Line::styled(title.clone(), look.style(Role::Title)), area);
    let known = look.view.snapshot.as_ref().and_then(|snapshot| snapshot.catalog.by_key(hit.key));
    let mut spans = Vec::new();
    let clock = match known {
        Some(known) => known.time.local().strftime("%H:%M").to_string(),
        None => hit.time.get(11..16).unwrap_or_default().to_owned(),
    };
    spans.push(Span::styled(clock, look.style(Role::Dim)));
    if let Some(known) = known {
        if let Some(mood) = &known.mood {
            spans.push(Span::styled(format!("  {mood}"), look.style(Role::Mood)));
        }
        for tag in &known.tags {
            spans.push(Span::styled(format!("  #{tag}"), look.style(Role::Tag)));
        }
    }
    let line = Line::from(spans);
    let room = usize::from(area.width).saturating_sub(title.chars().count() + 2);
    if line.width() <= room {
        let cells = line.width() as u16;
        frame.render_widget(line, Rect { x: area.right() - cells, width: cells, ..area });
    }
}

/// `same day: 08:10 calm · 22:40 tired`.
fn same_day(look: &Look<'_>, hit: &Hit) -> Option<Styled> {
    let catalog = &look.view.snapshot.as_ref()?.catalog;
    let day = catalog.by_key(hit.key)?.day;
    let mut line = Styled::default();
    for other in catalog.day(day).filter(|other| other.key != hit.key) {
        line.push(if line.is_empty() { "same day: " } else { " · " }, Role::Dim);
        line.push(&other.time.local().strftime("%H:%M").to_string(), Role::Text);
        if let Some(mood) = &other.mood {
            line.push(&format!(" {mood}"), Role::Mood);
        }
    }
    (!line.is_empty()).then_some(line)
}
