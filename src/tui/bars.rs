//! The top bar (tabs, journal, query, state) and the hint line at the bottom.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::pane::PaneEntry;
use crate::{
    index::{LegHealth, Progress},
    session::{ModelReading, ModelState, Stage},
    tui::{RenderContext, Role, Spots, below, cells, counted, split_bottom},
};

/// Areas of top bar, pane and hint line. A very low terminal shows only the pane.
pub fn split(area: Rect) -> (Rect, Rect, Rect) {
    let top = Rect { height: area.height.min(1), ..area };
    let (pane, bottom) = split_bottom(below(area, 1), u16::from(area.height >= 5));
    (top, pane, bottom)
}

/// Hit areas of the bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
    /// The tab of the pane at this position.
    Tab(usize),
    /// A command on the hint line.
    Hint(&'static str),
    /// A command on the top bar: of the shared query, of the number of problems.
    Bar(&'static str),
}

/// Draws the top bar; returns the part behind the tabs.
pub fn draw_top(
    frame: &mut Frame<'_>,
    area: Rect,
    context: &RenderContext<'_>,
    panes: &[PaneEntry],
    current: usize,
    problems: usize,
    spots: &mut Spots<HitArea>,
) -> Rect {
    let total = usize::from(area.width);
    let shows_query = panes.get(current).is_some_and(|pane| pane.shows_query);
    let (rights, short) = right_forms(context, problems, shows_query);
    let forms = tab_forms(panes, current);
    let fits = |tabs: &[String], right: &Line<'_>| tabs_width(tabs) + right.width() + 2 <= total;
    let best = forms.iter().find_map(|tabs| Some((tabs, rights.iter().find(|right| fits(tabs, right))?)));
    let shortest = &forms[forms.len() - 1];
    let (tabs, right) = match best {
        Some((tabs, right)) => (tabs, Some(right)),
        None => (shortest, short.iter().find(|right| fits(shortest, right))),
    };
    let mut spans = Vec::new();
    let mut x = area.x;
    let name = " kioku  ";
    if right.is_some_and(|right| tabs_width(tabs) + name.len() + right.width() + 2 <= total) {
        spans.push(Span::styled(name, context.style(Role::Accent)));
        x += name.len() as u16;
    }
    for (nth, tab) in tabs.iter().enumerate() {
        let is_told = context.settings.is_plain && nth == current;
        let tab = if is_told { tab.replacen(' ', ">", 1) } else { tab.clone() };
        let style = if nth == current { context.style(Role::Title) } else { context.style(Role::Dim) };
        let cells = cells::text_width(&tab) as u16;
        spots.put(Rect { x, y: area.y, width: cells, height: 1 }.intersection(area), HitArea::Tab(nth));
        x = x.saturating_add(cells);
        spans.push(Span::styled(tab, style));
    }
    frame.render_widget(Line::from(spans), area);
    if let Some(right) = right {
        let cells = right.width() as u16;
        let place = Rect { x: area.right() - cells, width: cells, ..area };
        frame.render_widget(right.clone(), place);
        if context.query.is_on() && !shows_query {
            let chip = right.spans.iter().take(CHIP).map(|span| span.width() as u16).sum();
            spots.put(Rect { width: chip, ..place }, HitArea::Bar("app.clear-query"));
        }
    }
    let behind = Rect { x, width: area.right().saturating_sub(x), ..area }.intersection(area);
    if problems > 0 {
        // The number of problems is at the right end, and the rest of the line has no action of its own.
        spots.put(behind, HitArea::Bar("app.problems"));
    }
    behind
}

/// Number of spans of the shared query in the top bar: its text, the number of hits, the key that clears it.
const CHIP: usize = 3;

/// Tabs with spaces around them, from the longest form to the shortest.
fn tab_forms(panes: &[PaneEntry], current: usize) -> Vec<Vec<String>> {
    let long: Vec<String> =
        panes.iter().enumerate().map(|(nth, pane)| format!(" {} {} ", nth + 1, pane.title)).collect();
    let close = long.iter().map(|tab| tab.trim_end().to_owned()).collect();
    let short = panes.iter().enumerate().map(|(nth, pane)| {
        if nth == current { format!(" {} {} ", nth + 1, pane.title) } else { format!(" {} ", nth + 1) }
    });
    let short = short.collect();
    vec![long, close, short]
}

fn tabs_width(tabs: &[String]) -> usize {
    tabs.iter().map(|tab| cells::text_width(tab)).sum()
}

/// The right end of the bar, from the longest form to the shortest, and forms of the shared query without its key, for
/// the shortest tabs.
fn right_forms(
    context: &RenderContext<'_>,
    problems: usize,
    shows_query: bool,
) -> (Vec<Line<'static>>, Vec<Line<'static>>) {
    let dim = context.style(Role::Dim);
    let (state, state_role) = state(context);
    let state = Span::styled(state, context.style(state_role));
    let journal = Span::styled(context.settings.journal.clone(), dim);
    let entries = Span::styled(counted(context.view.entries, "entry", "entries"), dim);
    let dot = || Span::styled(" · ", dim);
    let mut tail = Vec::new();
    if problems > 0 {
        let key = context.key("app.problems");
        tail.push(dot());
        tail.push(Span::styled(format!("{problems} {key}"), context.style(Role::Warn)));
    }
    tail.push(Span::raw(" "));
    let line = |head: Vec<Span<'static>>| Line::from([head, tail.clone()].concat());
    if context.query.is_on() && !shows_query {
        let found = match context.query.found() {
            Some(_) if context.query.stage() == Some(Stage::Fused) => format!(" {}", context.query.sure()),
            _ => " …".to_owned(),
        };
        let (text, key) = (context.query.text().trim(), context.key("app.clear-query"));
        let chip = |cells, clears: String| -> Vec<Span<'static>> {
            let text = format!(" /{} ", cells::truncate(text, cells));
            let style = context.style(Role::Selected).patch(context.style(Role::Accent));
            vec![
                Span::styled(text, style),
                Span::styled(found.clone(), dim),
                Span::styled(clears, context.style(Role::Key)),
            ]
        };
        let clears = format!("  {key} clear");
        let full = [chip(40, clears.clone()), vec![dot(), journal, dot(), state.clone()]].concat();
        let short = [chip(30, clears.clone()), vec![dot(), state]].concat();
        let bare = || format!("  {key}");
        let chips = [chip(24, clears.clone()), chip(10, clears), chip(10, bare()), chip(6, bare())];
        let forms = [line(full), line(short)].into_iter().chain(chips.map(line)).collect();
        return (forms, [10, 4, 1].map(|cells| line(chip(cells, String::new()))).to_vec());
    }
    // Before the first scan it is unknown whether there are entries.
    let unknown = context.view.snapshot.is_none() || context.view.progress.is_some();
    let entries = if context.view.entries == 0 && unknown { vec![] } else { vec![entries, dot()] };
    let named = vec![journal, dot()];
    // Which journal it is matters more than how long it is.
    let forms = vec![
        line([named.clone(), entries, vec![state.clone()]].concat()),
        line([named, vec![state.clone()]].concat()),
        line(vec![state]),
    ];
    (forms, Vec::new())
}

/// State of the index in a few words: a degraded state is always shown.
fn state(context: &RenderContext<'_>) -> (String, Role) {
    if let Some(progress) = &context.view.progress {
        let Progress { what, done, of } = progress;
        let is_counted = *of > 0 && !context.settings.reduced_motion;
        let state = if is_counted { format!("{what} {done}/{of}") } else { (*what).to_owned() };
        return (state, Role::Accent);
    }
    let Some(snapshot) = &context.view.snapshot else { return ("opening".to_owned(), Role::Dim) };
    let mut parts = match &snapshot.vector_health {
        LegHealth::Ready => Vec::new(),
        LegHealth::Building { done, of } => vec![format!("indexing {done}/{of}")],
        LegHealth::Off { .. } => vec!["meaning off".to_owned()],
    };
    let stopped =
        context.view.reading.as_ref().is_some_and(|reading| matches!(reading.state, ModelState::Stopped { .. }));
    let role = if parts.is_empty() && !stopped { Role::Dim } else { Role::Warn };
    parts.extend(context.view.reading.as_ref().and_then(reading));
    if parts.is_empty() { ("ready".to_owned(), Role::Dim) } else { (parts.join(", "), role) }
}

/// State of the language model that reads entries, where there is something to show.
fn reading(reading: &ModelReading) -> Option<String> {
    let ModelReading { done, of, state, .. } = reading;
    match state {
        ModelState::Reading => Some(format!("llm {done} of {of}")),
        ModelState::Waiting { .. } => Some(format!("llm waiting, {done} of {of}")),
        ModelState::Stopped { .. } => Some("llm stopped".to_owned()),
        ModelState::Elsewhere | ModelState::Done => None,
    }
}

/// A command on the hint line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub key: String,
    pub word: &'static str,
    /// Name of the command.
    pub command: &'static str,
}

impl Hint {
    fn cells(&self) -> usize {
        cells::text_width(&self.key) + cells::text_width(self.word) + 3
    }
}

/// Draws as many hints as fit. The last two, help and quit, are always shown. If
/// there is no room in a text field (`types`) for these and the first hint, the command that leaves the field
/// replaces the command list.
pub fn draw_hints(
    frame: &mut Frame<'_>,
    area: Rect,
    context: &RenderContext<'_>,
    hints: &[Hint],
    types: bool,
    spots: &mut Spots<HitArea>,
) {
    let width = usize::from(area.width).saturating_sub(1);
    let (others, last) = hints.split_at(hints.len().saturating_sub(2));
    let always = |kept: &[Hint]| kept.iter().map(Hint::cells).sum::<usize>();
    let crowds = |first: &Hint| always(last) + first.cells() > width && always(&last[1..]) + first.cells() <= width;
    let kept = if types && others.first().is_some_and(crowds) { &last[1..] } else { last };
    let mut room = width.saturating_sub(always(kept));
    let mut spans = vec![Span::raw(" ")];
    let fitting = others.iter().filter(|hint| {
        let fits = hint.cells() <= room;
        room -= if fits { hint.cells() } else { 0 };
        fits
    });
    let mut x = area.x + 1;
    for hint in fitting.chain(kept) {
        spans.push(Span::styled(hint.key.clone(), context.style(Role::Key)));
        spans.push(Span::styled(format!(" {}  ", hint.word), context.style(Role::Dim)));
        let cells = hint.cells() as u16;
        // The gap after a hint is not clickable.
        let place = Rect { x, width: cells - 2, ..area }.intersection(area);
        spots.put(place, HitArea::Hint(hint.command));
        x = x.saturating_add(cells);
    }
    frame.render_widget(Line::from(spans), area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_reads_along_says_how_far_it_is_and_nothing_when_it_is_done() {
        let told = |state| reading(&ModelReading { done: 12, of: 400, given_up: 1, trouble: None, state });
        let why = || "the service has too much to do (429)".to_owned();
        assert_eq!(told(ModelState::Reading).as_deref(), Some("llm 12 of 400"));
        let until = jiff::Timestamp::UNIX_EPOCH;
        assert_eq!(told(ModelState::Waiting { until, why: why() }).as_deref(), Some("llm waiting, 12 of 400"));
        assert_eq!(told(ModelState::Stopped { why: why() }).as_deref(), Some("llm stopped"));
        assert_eq!((told(ModelState::Done), told(ModelState::Elsewhere)), (None, None));
    }
}
