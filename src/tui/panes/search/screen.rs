//! Layout of the Search pane, apart from the preview.

use std::ops::Range;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    text::{Line, Span},
};

use super::{
    Focus, Search,
    legs::{ROLES, TOGGLES},
    narrowing,
};
use crate::{
    index::LegHealth,
    journal::{field_lines, prose_parts},
    search::{Found, Hit, LegId, LegShare, Legs, legs, sort::Sort},
    session::Stage,
    tui::{
        RenderContext, Role, Styled, Width, below, cells, columns, counted, inset, list, list_and_detail,
        query::day_of, query_notice, styled, widgets::blocks::bar,
    },
};

impl Search {
    pub(super) fn draw_pane(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.width = Some(context.width);
        let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
        self.draw_head(frame, head, context);
        self.text_area = Rect::default();
        self.list.hide();
        self.narrowing.hide();
        let body = self.draw_prompt(frame, body, context);
        // A filter that is still being typed is completed, not complained about.
        let body = if self.is_completing() { body } else { query_notice(frame, body, context) };
        let narrows = self.focus == Focus::Facets;
        if !narrows && !self.has_hit() {
            return self.draw_list(frame, body, context);
        }
        let (body, facets) = match context.width {
            Width::Three => columns(frame, body, context, body.width.saturating_sub(narrowing::WIDTH + 1)),
            Width::One | Width::Two => (body, Rect::default()),
        };
        let share = (body.width * 2 / 5).clamp(34, 58);
        let (list, detail) = list_and_detail(frame, body, context, share, narrows || self.focus == Focus::Text);
        if !list.is_empty() {
            self.draw_list(frame, list, context);
        }
        let in_their_place = narrows && facets.is_empty();
        let (text, facets) = if in_their_place { (facets, detail) } else { (detail, facets) };
        self.draw_preview(frame, text, context);
        if !facets.is_empty() {
            self.narrowing.draw(frame, facets, context, narrows && context.focused);
        }
    }

    /// Draws the input line for a name or a path; returns the area below.
    fn draw_prompt(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let Some(prompt) = self.prompt.as_mut().filter(|_| !area.is_empty()) else { return area };
        prompt.draw(frame, Rect { height: 1, ..area }, context);
        below(area, 1)
    }

    fn draw_head(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let found = context.query.found().filter(|_| context.query.is_on());
        let stats = found.map(|found| stats(found, context, self.sort, self.explain));
        let room = usize::from(area.width).saturating_sub(30);
        let stats = stats.into_iter().flatten().find(|line| line.width() <= room).unwrap_or_default();
        let right = stats.width() as u16;
        let types = self.focus == Focus::Field && self.prompt.is_none();
        let prompt = if types { Role::Accent } else { Role::Dim };
        frame.render_widget(Span::styled(" > ", context.style(prompt)), area);
        let field = Rect {
            x: area.x + area.width.min(3),
            width: area.width.saturating_sub(3 + right + u16::from(right > 0)),
            ..area
        };
        self.field_area = field;
        // The spans belong to the answered text, which may be older than the typed one.
        let answered = context.query.stage().is_some() && context.query.text() == self.input.text();
        let understood = context.query.found().filter(|_| answered).map_or(&[][..], |found| &found.understood);
        let styled: Vec<_> = understood.iter().map(|span| (span.clone(), context.style(Role::Accent))).collect();
        let cursor = context.focused && types;
        self.input.draw(frame, field, context.style(Role::Text), &styled, cursor);
        let place = Rect { x: area.right() - right, width: right, ..area };
        frame.render_widget(stats, place);
    }

    /// Draws the completions below the field, over the list.
    pub(super) fn draw_offers(&self, frame: &mut Frame<'_>, context: &RenderContext<'_>) {
        if let Some(offers) = self.offers.as_ref().filter(|_| self.is_typing() && context.focused) {
            let column = cells::text_width(self.input.text()).saturating_sub(offers.replaces) as u16;
            let caret = Position::new(self.field_area.x + column.min(self.field_area.width), self.field_area.y);
            let area = frame.area();
            offers.draw(frame.buffer_mut(), caret, area, context.theme);
        }
    }

    fn draw_list(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        if self.order.is_empty() {
            return self.draw_nothing(frame, area, context);
        }
        let hits = context.query.hits();
        let mut area = area;
        if self.sure == 0 {
            let line = Line::styled(" No strong matches", context.style(Role::Dim));
            frame.render_widget(line, Rect { height: area.height.min(1), ..area });
            area = below(area, 1);
        }
        let best = hits.iter().map(|hit| hit.score).fold(f32::MIN_POSITIVE, f32::max);
        let is_folded = self.is_folded();
        let Self { list, order, sure, explain, .. } = self;
        let weaker = counted(order.len() - *sure, "weaker match", "weaker matches");
        // The first weak hit has a separator above it, which stands for them all while they are not listed.
        let above = |row: usize| u16::from(row == *sure && *sure > 0);
        let paint = |row: usize, place: Rect, selected: bool| {
            if above(row) > 0 {
                let key = context.key(if is_folded { "search.open" } else { "search.weak" });
                let what = if is_folded { "shows" } else { "hides" };
                let line = Line::styled(format!(" ── {weaker} · {key} {what}"), context.style(Role::Dim));
                frame.render_widget(line, Rect { height: 1, ..place });
            }
            let place = below(place, above(row));
            if !place.is_empty() {
                draw_hit(frame, place, context, &hits[order[row]], best, *explain);
            }
            let place = if is_folded && above(row) > 0 { Rect { y: place.y - 1, height: 1, ..place } } else { place };
            if selected {
                list::mark(frame, place, context, Role::Marker);
            }
        };
        let height = |row| if is_folded && row == *sure { 1 } else { HEIGHT + usize::from(above(row)) };
        list.draw(area, height, paint);
    }

    fn draw_preview(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.text_area = area;
        if let Some(hit) = self.hit(context.query.hits()) {
            let focused = self.focus == Focus::Text && self.prompt.is_none();
            self.preview.draw(frame, area, context, hit, self.explain, focused);
        }
    }

    fn draw_nothing(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let mut lines: Vec<Styled> = Vec::new();
        if let Some(error) = context.query.error() {
            let again = format!(" · {} reload", context.key("search.again"));
            lines.push(Styled::of(&format!("✗ {error}"), Role::Error).and(&again, Role::Dim));
        } else if !context.query.is_on() {
            let ask = "Ask in your own words, or with filters:";
            lines.push(Styled::of(ask, Role::Text));
            for (example, meaning) in EXAMPLES {
                let meaning = if area.width < NARROW { "" } else { meaning };
                lines.push(Styled::of(&cells::pad(example, 30), Role::Accent).and(meaning, Role::Dim));
            }
            let (older, saved) = (context.key("search.older-query"), context.key("app.saved"));
            lines.push(Styled::default());
            let kept = format!("{older} recalls earlier queries, {saved} lists saved searches");
            lines.extend([Styled::of(&kept, Role::Dim), Styled::of(&context.tabs_in_field(), Role::Dim)]);
        } else if context.query.stage() != Some(Stage::Fused) {
            lines.push(Styled::of("Searching …", Role::Dim));
        } else {
            lines.push(Styled::of("No entries match.", Role::Text));
            lines.extend(missing_legs(context).iter().map(|text| Styled::of(text, Role::Dim)));
        }
        styled::paint_alone(&lines, frame.buffer_mut(), area, context);
    }
}

/// Below this width the examples are shown without their explanation.
const NARROW: u16 = 72;

const EXAMPLES: &[(&str, &str)] = &[
    ("a walk that cleared my head", "by meaning, in any words"),
    ("\"late demo\" -boss", "exactly these words, without that one"),
    ("person:Linh mood:calm", "only entries with this person and mood"),
    ("from:2026-01 tag:work", "only from then on, only with this tag"),
];

/// The legs that did not run, and why: an empty result must not look more certain than it is.
fn missing_legs(context: &RenderContext<'_>) -> Vec<String> {
    let on = context.query.legs();
    let snapshot = context.view.snapshot.as_ref();
    let mut told = Vec::new();
    for leg in LegId::ALL {
        let name = leg.title();
        match snapshot.map(|snapshot| legs::leg(leg).health(snapshot)) {
            _ if !on.has(leg) => {
                let key = context.keys.key_of(TOGGLES[leg]).unwrap_or_else(|| "the palette".to_owned());
                told.push(format!("{name}: switched off ({key} switches it on)"));
            }
            Some(LegHealth::Off { why }) => told.push(format!("{name}: off, {why}")),
            Some(LegHealth::Building { done, of }) => told.push(format!("{name}: {done} of {of} indexed so far")),
            Some(LegHealth::Ready) | None => {}
        }
    }
    told
}

/// `12 strong · 19 weaker of 40 · newest first · 3.8 ms · k 30 m 30 c 14`, from the longest form to the shortest. The
/// order is shown if it is not the default.
fn stats(found: &Found, context: &RenderContext<'_>, sort: Sort, explain: bool) -> Vec<Line<'static>> {
    let dim = context.style(Role::Dim);
    let sure = found.hits.iter().filter(|hit| !hit.weak).count();
    let of = if found.total > found.hits.len() { format!(" of {}", found.total) } else { String::new() };
    let (counts, brief) = match (sure, found.hits.len() - sure) {
        (_, 0) if of.is_empty() => (counted(sure, "match", "matches"), sure.to_string()),
        (_, 0) => (format!("first {sure}{of} matches"), format!("{sure}{of}")),
        (0, weaker) => (format!("{weaker} weaker{of}"), format!("{weaker} weaker")),
        (_, weaker) => (format!("{sure} strong · {weaker} weaker{of}"), format!("{sure} strong")),
    };
    let [counts, brief] = [counts, brief + " "].map(|text| Span::styled(text, dim));
    let took = Span::styled(format!(" · {:.1} ms", found.took.as_secs_f64() * 1000.0), dim);
    let on = context.query.legs();
    let mut per_leg = vec![Span::styled(" ·", dim)];
    let snapshot = context.view.snapshot.as_ref();
    let is_off =
        |leg| snapshot.is_some_and(|snapshot| matches!(legs::leg(leg).health(snapshot), LegHealth::Off { .. }));
    for (leg, count) in found.counts.iter() {
        let role = ROLES[leg];
        let (count, role) = match (on.has(leg), *count) {
            (false, _) => ("–".to_owned(), Role::Dim),
            (true, Some(count)) => (count.to_string(), role),
            (true, None) if context.query.stage() == Some(Stage::Words) => ("…".to_owned(), role),
            (true, None) if is_off(leg) => ("off".to_owned(), Role::Warn),
            // Nothing to search for: only filters, or words that this leg ignores.
            (true, None) => ("–".to_owned(), Role::Dim),
        };
        per_leg.push(Span::styled(format!(" {}", leg.letter()), context.style(role)));
        per_leg.push(Span::styled(format!(" {count}"), dim));
    }
    let end = Span::raw(" ");
    let mut counts = vec![counts];
    if sort != Sort::Relevance {
        counts.push(Span::styled(format!(" · {}", sort.words()), context.style(Role::Accent)));
    }
    let short = [counts.clone(), vec![end.clone()]].concat();
    let middle = [counts.clone(), vec![took.clone(), end.clone()]].concat();
    let with_legs = [counts.clone(), per_leg.clone(), vec![end.clone()]].concat();
    let long = [counts, vec![took], per_leg, vec![end]].concat();
    // A leg that is off may hide hits.
    let is_partial = on != Legs::ALL || LegId::ALL.into_iter().any(is_off);
    let forms = match (explain, is_partial) {
        (true, _) => vec![long, middle, short],
        (false, true) => vec![with_legs, short],
        (false, false) => vec![short],
    };
    forms.into_iter().chain([vec![brief]]).map(Line::from).collect()
}

/// Number of lines per hit: one of numbers, two of text.
const HEIGHT: usize = 3;

/// Width of a mood in cells.
const MOOD: usize = 11;

/// Maximum width of a bar in cells.
const BAR: f32 = 6.0;

fn draw_hit(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, hit: &Hit, best: f32, explain: bool) {
    if area.is_empty() {
        return;
    }
    let head = Rect { height: 1, ..area };
    let day = day_of(hit, context.view).map_or_else(|| hit.time.clone(), |day| day.to_string());
    let mut spans = vec![Span::raw(" "), Span::styled(day, context.style(Role::Date)), Span::raw("  ")];
    let snapshot = context.view.snapshot.as_ref();
    let mood = snapshot.and_then(|snapshot| snapshot.catalog.by_key(hit.key)?.mood.as_deref());
    let mood = cells::truncate(mood.unwrap_or_default(), MOOD);
    let gap = " ".repeat(MOOD + 1 - cells::text_width(&mood));
    spans.extend([Span::styled(mood.clone(), context.style(Role::of_mood(&mood))), Span::raw(gap)]);
    // Without words to search for, no leg ranks the hits.
    if hit.legs.iter().any(|(_, share)| share.is_some()) {
        let mut taken = 0;
        for (text, role) in legs_of(hit, explain) {
            taken += cells::text_width(&text);
            spans.push(Span::styled(text, context.style(role)));
        }
        spans.push(Span::raw(" ".repeat(if explain { 12usize.saturating_sub(taken) } else { 2 })));
        let role = if hit.weak { Role::Dim } else { Role::Heat };
        spans.push(Span::styled(bar(hit.score / best, BAR), context.style(role)));
    }
    frame.render_widget(Line::from(spans), head);
    let text = inset(below(area, 1), 1, 1);
    snippet(hit).paint(frame.buffer_mut(), text, context, if hit.weak { Role::Dim } else { Role::Text });
}

/// `●·●`: whether words, meaning and connection found it, in this order. With `explain` `k1 m3 c2 `: the rank in each.
fn legs_of(hit: &Hit, explain: bool) -> Vec<(String, Role)> {
    let leg = |(leg, share): (LegId, &Option<LegShare>)| match share {
        Some(share) if explain => Some((format!("{}{} ", leg.letter(), share.rank), ROLES[leg])),
        None if explain => None,
        Some(_) => Some(("●".to_owned(), ROLES[leg])),
        None => Some(("·".to_owned(), Role::Dim)),
    };
    hit.legs.iter().filter_map(leg).collect()
}

/// The snippet on one line without marks, with its matched words and its closest passage highlighted.
fn snippet(hit: &Hit) -> Styled {
    let span = whole(&hit.text, &hit.snippet);
    let text = &hit.text[span.clone()];
    let base = if hit.weak { Role::Dim } else { Role::Text };
    let mut styled = Styled::of(if span.start > field_lines(&hit.text) { "… " } else { "" }, Role::Dim);
    // The parts without marks, each with its place on the line.
    let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
    for part in prose_parts(text) {
        let end = parts.last().map_or(0, |(before, _)| before.end);
        let is_apart = text.get(end..part.start).is_some_and(|marks| marks.contains(char::is_whitespace));
        if is_apart && !styled.text().ends_with(' ') {
            styled.push(" ", base);
        }
        parts.push((part.clone(), styled.text().len()));
        // Line breaks become spaces of the same length, so that the spans still fit.
        styled.push(&text[part].replace(['\n', '\t', '\r'], " "), base);
    }
    let moved = |range: &Range<usize>| {
        let (from, to) = (range.start.saturating_sub(span.start), range.end.saturating_sub(span.start));
        let first = parts.iter().find(|(part, _)| part.end > from);
        let last = parts.iter().rfind(|(part, _)| part.start < to);
        let (Some((first, start)), Some((last, end))) = (first, last) else { return 0..0 };
        let start = start + from.saturating_sub(first.start);
        start..(end + to.min(last.end) - last.start).max(start)
    };
    if let Some(passage) = &hit.reason.passage {
        styled.mark(moved(passage), Role::Passage);
    }
    for found in &hit.matches {
        styled.mark(moved(found), Role::Match);
    }
    styled
}

/// The range clamped to the text, at character boundaries.
fn whole(text: &str, range: &Range<usize>) -> Range<usize> {
    let end = text.floor_char_boundary(range.end);
    text.floor_char_boundary(range.start).min(end)..end
}
