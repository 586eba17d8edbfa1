//! Preview of a hit: its entry as markdown, the other entries of its day, and navigation through its matches.

use std::ops::Range;

use ratatui::{Frame, layout::Rect};

use super::reasons;
use crate::{
    index::keyword::analyzer::tokens,
    journal::EntryId,
    search::Hit,
    tui::{
        Aim, Head, MEASURE, Motion, Overlay, Reader, RenderContext, Role, Styled, Width, below, day_name, list,
        query::day_of, split_bottom,
    },
};

/// Below this number of rows the text gets more than half.
const LOW: u16 = 14;
/// Below this number of rows the text gets all of them but the place among the matches.
const LOWEST: u16 = 10;

/// The text of the last shown entry, and the current match.
#[derive(Default)]
pub struct Preview {
    reader: Reader,
    /// Index of the current match.
    at: Option<usize>,
    marked: Option<Marked>,
}

/// Words of an entry that are similar to words of the query.
struct Marked {
    id: EntryId,
    text: String,
    /// As in the hit.
    pairs: Vec<(String, String)>,
    alike: Vec<Overlay>,
}

impl Preview {
    pub fn rewind(&mut self) {
        self.reader.rewind();
        self.at = None;
    }

    pub fn go(&mut self, motion: Motion) {
        self.reader.go(motion);
    }

    /// Goes to the next or previous match, with wrap-around; `false` where there is none.
    pub fn go_to_match(&mut self, by: isize, hit: &Hit) -> bool {
        let count = marked(hit).len();
        if count == 0 {
            return false;
        }
        self.at = Some(match self.at {
            // The first one is in view from the start.
            None if by > 0 => usize::from(count > 1),
            at => list::cycle(at, by, count),
        });
        self.reader.aim();
        true
    }

    /// The span of the current match in the text of the hit.
    pub fn here(&self, hit: &Hit) -> Option<Range<usize>> {
        marked(hit).get(self.at?).cloned()
    }

    fn mark(&mut self, hit: &Hit) {
        let fits = |marked: &Marked| marked.id == hit.id && marked.text == hit.text && marked.pairs == hit.reason.alike;
        if !self.marked.as_ref().is_some_and(fits) {
            let pairs = hit.reason.alike.clone();
            self.marked = Some(Marked { id: hit.id.clone(), text: hit.text.clone(), pairs, alike: alike(hit) });
        }
    }

    pub fn draw(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        context: &RenderContext<'_>,
        hit: &Hit,
        explain: bool,
        focused: bool,
    ) {
        let inside = Rect { x: area.x + area.width.min(1), width: area.width.saturating_sub(2).min(MEASURE), ..area };
        if inside.width < 4 || inside.height < 2 {
            return;
        }
        let title = if focused && context.width != Width::One { Role::Selected } else { Role::Title };
        let head = head(frame, Rect { height: 2, ..inside }, context, hit, title);
        // Below the text: the reasons, and the other entries of the day. At most half of the space, on a low screen
        // less.
        let mut foot = if explain {
            context.query.found().map_or_else(Vec::new, |found| reasons::figures(hit, found))
        } else {
            vec![reasons::sentence(hit)]
        };
        foot.extend(same_day(context, hit));
        foot.splice(0..0, self.place(hit));
        let foot_height: usize = foot.iter().map(|line| line.height(inside.width)).sum();
        let share = match inside.height {
            ..LOWEST => u16::from(self.at.is_some()),
            LOWEST..LOW => inside.height / 3,
            LOW.. => inside.height / 2,
        };
        let foot_height = (foot_height as u16).min(share);
        let (text_area, _) = split_bottom(below(inside, head + 1), foot_height + u16::from(foot_height > 0));
        let used = self.draw_text(frame, text_area, context, hit);
        let mut y = (text_area.y + used + 1).min(inside.bottom() - foot_height);
        for line in &foot {
            let rest = Rect { y, height: inside.bottom().saturating_sub(y), ..inside };
            y += line.paint(frame.buffer_mut(), rest, context, Role::Dim);
        }
    }

    fn draw_text(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, hit: &Hit) -> u16 {
        let here = self.here(hit);
        let at = here.as_ref().or(marked(hit).first()).map_or(0, |range| range.start);
        let aim = Aim { at, holds: here.is_some() };
        self.mark(hit);
        let alike = self.marked.as_ref().map_or(&[][..], |marked| &marked.alike);
        let passage: Vec<_> =
            hit.reason.passage.iter().map(|span| Overlay { span: span.clone(), role: Role::Passage }).collect();
        let matches: Vec<_> =
            hit.matches.iter().map(|span| Overlay { span: span.clone(), role: Role::Match }).collect();
        let here: Vec<_> = here.map(|span| Overlay { span, role: Role::MatchHere }).into_iter().collect();
        self.reader.draw(frame, area, context, &hit.text, aim, &[&passage, alike, &matches, &here])
    }

    /// `match 2 of 5`.
    fn place(&self, hit: &Hit) -> Option<Styled> {
        let at = self.at?;
        Some(Styled::of(&format!("match {} of {}", at + 1, marked(hit).len()), Role::Dim))
    }
}

/// The highlighted spans: the matched words, or else the closest passage.
fn marked(hit: &Hit) -> &[Range<usize>] {
    match (&hit.matches[..], &hit.reason.passage) {
        ([], Some(passage)) => std::slice::from_ref(passage),
        (matches, _) => matches,
    }
}

/// Every span of the words that are similar to those of the query.
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

/// Draws the day and the head of the hit's entry; returns the number of rows.
fn head(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, hit: &Hit, role: Role) -> u16 {
    let day = day_of(hit, context.view);
    let day = day.map_or_else(|| hit.time.clone(), day_name);
    let known = context.view.snapshot.as_ref().and_then(|snapshot| snapshot.catalog.by_key(hit.key));
    let clock = match known {
        Some(known) => known.time.clock(),
        None => hit.time.get(11..16).unwrap_or_default().to_owned(),
    };
    let mood = known.and_then(|known| known.mood.as_deref());
    let tags = known.map_or(&[][..], |known| &known.tags);
    Head { day: &day, clock: &clock, mood, tags }.draw(frame, area, context, role)
}

/// `same day: 08:10 calm · 22:40 tired`.
fn same_day(context: &RenderContext<'_>, hit: &Hit) -> Option<Styled> {
    let catalog = &context.view.snapshot.as_ref()?.catalog;
    let day = catalog.by_key(hit.key)?.day;
    let mut line = Styled::default();
    for other in catalog.day(day).filter(|other| other.key != hit.key) {
        line.push(if line.is_empty() { "same day: " } else { " · " }, Role::Dim);
        line.push(&other.time.clock(), Role::Text);
        if let Some(mood) = &other.mood {
            line.push(&format!(" {mood}"), Role::Mood);
        }
    }
    (!line.is_empty()).then_some(line)
}
