//! The entry behind a hit, as markdown, in its day; its matches can be gone through.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::why;
use crate::{
    index::keyword::analyzer::tokens,
    journal::EntryId,
    search::Hit,
    tui::{
        look::{Look, MEASURE, Width},
        query::day_of,
        theme::Role,
        widgets::{
            markdown::{Layout, Overlay},
            styled::Styled,
        },
    },
};

/// Rows below which the text takes more than half.
const LOW: u16 = 14;

/// Scroll, and the laid-out text of the entry last shown.
#[derive(Default)]
pub struct Preview {
    scroll: usize,
    /// Whether the person scrolled; before that the match is brought into view.
    scrolled: bool,
    /// Which of the entry's matches the keys stand at.
    at: Option<usize>,
    /// Rows of text at the last draw.
    space: usize,
    laid: Option<Laid>,
}

struct Laid {
    id: EntryId,
    text: String,
    width: u16,
    layout: Layout,
    /// As the hit had them.
    pairs: Vec<(String, String)>,
    /// Where words stand that are alike to the query's.
    alike: Vec<Overlay>,
}

impl Preview {
    pub fn rewind(&mut self) {
        self.scroll = 0;
        self.scrolled = false;
        self.at = None;
    }

    pub fn scroll(&mut self, by: isize) {
        self.scroll = self.scroll.saturating_add_signed(by);
        self.scrolled = true;
    }

    pub fn page(&mut self, by: isize) {
        self.scroll(by * self.space.saturating_sub(1).max(1) as isize);
    }

    /// Goes to the next or the previous match, round and round; `false` where there is none.
    pub fn go(&mut self, by: isize, hit: &Hit) -> bool {
        let count = marked(hit).len();
        if count == 0 {
            return false;
        }
        self.at = Some(match self.at {
            Some(at) => (at as isize + by).rem_euclid(count as isize) as usize,
            // The first one is in view from the start.
            None if by > 0 => usize::from(count > 1),
            None => count - 1,
        });
        self.scrolled = false;
        true
    }

    /// Where the keys stand in the text of the hit.
    pub fn here(&self, hit: &Hit) -> Option<Range<usize>> {
        marked(hit).get(self.at?).cloned()
    }

    fn lay_out(&mut self, hit: &Hit, width: u16) -> &Laid {
        let fits = |laid: &Laid| {
            laid.id == hit.id && laid.width == width && laid.text == hit.text && laid.pairs == hit.reason.alike
        };
        if !self.laid.as_ref().is_some_and(fits) {
            self.laid = None;
        }
        self.laid.get_or_insert_with(|| Laid {
            id: hit.id.clone(),
            text: hit.text.clone(),
            width,
            layout: Layout::of(&hit.text, width),
            pairs: hit.reason.alike.clone(),
            alike: alike(hit),
        })
    }

    pub fn draw(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        look: &Look<'_>,
        hit: &Hit,
        explain: bool,
        focused: bool,
    ) {
        let inside = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2).min(MEASURE), ..area };
        if inside.width < 4 || inside.height < 2 {
            return;
        }
        let title = if focused && look.width != Width::One { Role::Selected } else { Role::Title };
        head(frame, Rect { height: 1, ..inside }, look, hit, title);
        // Below the text: why, and what else the day has. At most half of what there is, on a low screen less.
        let mut foot = if explain {
            look.query.found().map_or_else(Vec::new, |found| why::figures(hit, found))
        } else {
            vec![why::sentence(hit)]
        };
        foot.extend(same_day(look, hit));
        foot.splice(0..0, self.place(hit));
        let foot_height: usize = foot.iter().map(|line| line.height(inside.width)).sum();
        let share = if inside.height < LOW { inside.height / 3 } else { inside.height / 2 };
        let foot_height = (foot_height as u16).min(share);
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
        self.space = space;
        let here = self.here(hit);
        let wanted = here.as_ref().or(marked(hit).first()).map_or(0, |range| range.start);
        let (scroll, scrolled, moved) = (self.scroll, self.scrolled, here.is_some());
        let Laid { layout, alike, .. } = self.lay_out(hit, area.width);
        let last = layout.height().saturating_sub(space);
        let row = layout.row_of(wanted);
        let in_view = moved && (scroll..scroll + space).contains(&row);
        let wanted = if scrolled || in_view { scroll } else { row.saturating_sub(space / 3) };
        let top = if layout.height() <= space { 0 } else { wanted.min(last) };
        let passage: Vec<_> =
            hit.reason.passage.iter().map(|span| Overlay { span: span.clone(), role: Role::Passage }).collect();
        let matches: Vec<_> =
            hit.matches.iter().map(|span| Overlay { span: span.clone(), role: Role::Match }).collect();
        let here: Vec<_> = here.map(|span| Overlay { span, role: Role::MatchHere }).into_iter().collect();
        let rows = layout.height().min(top + space);
        for (line, row) in (top..rows).enumerate() {
            let place = Rect { y: area.y + line as u16, height: 1, ..area };
            layout.paint(frame.buffer_mut(), place, row, &[&passage, alike, &matches, &here], &|role| look.style(role));
        }
        self.scroll = top;
        (rows - top) as u16
    }

    /// `match 2 of 5`.
    fn place(&self, hit: &Hit) -> Option<Styled> {
        let at = self.at?;
        let mut line = Styled::default();
        line.push(&format!("match {} of {}", at + 1, marked(hit).len()), Role::Dim);
        Some(line)
    }
}

/// What is marked in the text: the words that matched, or else the closest passage.
fn marked(hit: &Hit) -> &[Range<usize>] {
    match (&hit.matches[..], &hit.reason.passage) {
        ([], Some(passage)) => std::slice::from_ref(passage),
        (matches, _) => matches,
    }
}

/// Every place where one of the words stands that are alike to the query's.
fn alike(hit: &Hit) -> Vec<Overlay> {
    let words: Vec<String> = hit.reason.alike.iter().map(|(_, there)| there.to_lowercase()).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let found = tokens(&hit.text).into_iter().filter(|token| {
        let word = hit.text.get(token.span.clone()).map(str::to_lowercase);
        word.is_some_and(|word| words.contains(&word))
    });
    found.map(|token| Overlay { span: token.span, role: Role::Alike }).collect()
}

/// `Monday 14 September 2026   15:30  stressed  #work`.
fn head(frame: &mut Frame<'_>, area: Rect, look: &Look<'_>, hit: &Hit, role: Role) {
    let day = day_of(hit, look.view);
    let title = day.map_or_else(|| hit.time.clone(), |day| day.strftime("%A %-d %B %Y").to_string());
    frame.render_widget(Line::styled(title.clone(), look.style(Role::Title).patch(look.style(role))), area);
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
