//! The Search pane: search as you type with all three legs, a list of hits, the entry of the selected hit, the
//! reasons for it, and facets of the hits to narrow the query by.

mod commands;
mod history;
mod legs;
mod narrowing;
mod preview;
mod prompt;
mod reasons;
mod screen;
#[cfg(test)]
mod session_tests;
#[cfg(test)]
mod tests;

use ratatui::{Frame, layout::Rect};

use self::{history::History, narrowing::Narrowing, prompt::Prompt};
use crate::{
    journal::EntryId,
    search::{Hit, LegId, Legs, narrow, sort::Sort},
    session::{Reply, Request, Stage},
    tui::{
        Completion, Input, List, Motion, Mouse, MouseKind, Pointed, RenderContext, Screen, Target, TextInput,
        UpdateContext, Width, query::day_of, update_context::Intent,
    },
};

/// State of the Search pane. The query and its answer belong to the application; this is only how they are shown.
#[derive(Default)]
pub struct Search {
    input: Input,
    /// The last query that was typed here: Esc clears no other one.
    own: String,
    focus: Focus,
    /// An input line for a name or a path is open.
    prompt: Option<Prompt>,
    history: History,
    sort: Sort,
    explain: bool,
    /// Positions of the hits in display order: strong ones first, then weak ones.
    order: Vec<usize>,
    /// Number of strong hits in `order`.
    sure: usize,
    /// The weak hits are listed too, not only counted.
    all: bool,
    /// Completions of the filter that is being typed.
    offers: Option<Completion>,
    /// The entry that the user selected; the first one otherwise.
    chosen: Option<EntryId>,
    list: List,
    preview: preview::Preview,
    narrowing: Narrowing,
    /// View state of the last draw.
    width: Option<Width>,
    field_area: Rect,
    text_area: Rect,
}

/// The part that keys act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Focus {
    /// The query field.
    Field,
    #[default]
    List,
    /// The text of the entry.
    Text,
    /// The facets of the hits.
    Facets,
}

impl Search {
    fn has_hit(&self) -> bool {
        !self.order.is_empty()
    }

    /// Whether keys act on the hits: not on an input line, nor on the facets.
    fn is_on_hits(&self) -> bool {
        self.has_hit() && self.prompt.is_none() && self.focus != Focus::Facets
    }

    fn is_typing(&self) -> bool {
        self.focus == Focus::Field && self.prompt.is_none()
    }

    /// Whether the last line of the list stands for the weak hits.
    fn is_folded(&self) -> bool {
        !self.all && self.sure > 0 && self.sure < self.order.len()
    }

    fn is_completing(&self) -> bool {
        self.is_typing() && self.offers.is_some()
    }

    fn is_reading(&self) -> bool {
        self.focus == Focus::Text && self.prompt.is_none()
    }

    fn is_narrowing(&self) -> bool {
        self.focus == Focus::Facets && self.prompt.is_none()
    }

    /// Whether the arrows recall earlier queries.
    fn is_recalling(&self) -> bool {
        self.is_typing() && !self.history.is_empty() && (self.input.is_empty() || self.history.is_at(self.input.text()))
    }

    fn choose(&mut self, cx: &mut UpdateContext<'_>) {
        self.chosen = self.hit(cx.query.hits()).map(|hit| hit.id.clone());
        self.preview.rewind();
    }

    fn hit<'a>(&self, hits: &'a [Hit]) -> Option<&'a Hit> {
        let row = self.list.selected();
        hits.get(*self.order.get(row).filter(|_| !self.is_folded() || row < self.sure)?)
    }

    /// Lists the weak hits, with the first one selected, or folds them into their line.
    fn toggle_weak(&mut self, cx: &mut UpdateContext<'_>) {
        self.all = !self.all;
        self.list.select(self.sure);
        self.chosen = None;
        if self.all {
            self.choose(cx);
        }
        self.arrange(cx);
        self.list.select(self.sure);
    }

    fn complete(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(text) = self.offers.as_ref().and_then(|offers| offers.completed(self.input.text())) {
            self.set(&(text + " "), cx);
        }
    }

    fn open(&mut self, cx: &mut UpdateContext<'_>) {
        self.keep(cx);
        if self.is_folded() && self.list.selected() == self.sure {
            return self.toggle_weak(cx);
        }
        if let Some(hit) = self.hit(cx.query.hits()) {
            let id = hit.id.clone();
            let here = self.preview.here(hit);
            let quoted = hit.matches.iter().find(|span| hit.snippet.contains(&span.start)).or(hit.matches.first());
            let span = here.or_else(|| quoted.cloned()).or_else(|| hit.reason.passage.clone());
            let day = day_of(hit, cx.view);
            cx.open(Target { day, entry: Some(id.clone()), span, ..Target::journal() });
            self.chosen = Some(id);
        }
    }

    /// Asks why about the selected entry.
    fn why(&mut self, cx: &mut UpdateContext<'_>) {
        self.keep(cx);
        if let Some(hit) = self.hit(cx.query.hits()) {
            cx.open(Target::why(hit.id.to_string()));
        }
    }

    fn copy(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(hit) = self.hit(cx.query.hits()) {
            let text = format!("{}\n\n{}\n", hit.time, hit.text.trim_end());
            cx.copy(text);
            cx.done("Copied the entry");
        }
    }

    fn next_match(&mut self, by: isize, cx: &mut UpdateContext<'_>) {
        if let Some(hit) = self.hit(cx.query.hits())
            && !self.preview.go_to_match(by, hit)
        {
            cx.done("No match in this entry");
        }
    }

    fn toggle(&mut self, cx: &mut UpdateContext<'_>, leg: LegId) {
        let legs = cx.query.legs();
        let legs = legs.set(leg, !legs.has(leg));
        if legs == Legs::NONE {
            return cx.done("Keep at least one search method on");
        }
        cx.search(self.input.text(), legs);
        if self.input.is_empty() {
            // Without a query the screen shows no counts of the legs, so a toast reports the change.
            let on: Vec<&str> = legs.iter().map(LegId::method).collect();
            cx.done(format!("Searching by {}", on.join(", ")));
        }
    }

    fn sort(&mut self, cx: &mut UpdateContext<'_>) {
        if self.focus == Focus::Text {
            // The selected entry stays selected.
            self.chosen = self.hit(cx.query.hits()).map(|hit| hit.id.clone());
        }
        self.sort = self.sort.next();
        self.arrange(cx);
        if !self.has_hit() {
            cx.done(format!("Sorted {}", self.sort.words()));
        }
    }

    /// Updates the order of the hits and the selection.
    fn arrange(&mut self, cx: &UpdateContext<'_>) {
        let hits = cx.query.hits();
        let catalog = cx.view.snapshot.as_ref().map(|snapshot| &*snapshot.catalog);
        self.order = self.sort.places(hits, catalog);
        self.sure = self.order.iter().filter(|nth| !hits[**nth].weak).count();
        let chosen = self.chosen.as_ref().and_then(|id| self.order.iter().position(|nth| hits[*nth].id == *id));
        if chosen.is_none() && cx.query.stage() == Some(Stage::Fused) {
            self.chosen = None;
        }
        self.all |= chosen.is_some_and(|row| row >= self.sure);
        self.list.set_len(if self.is_folded() { self.sure + 1 } else { self.order.len() });
        self.list.select(chosen.unwrap_or(0));
        self.count_shared(cx);
    }

    fn ask(&mut self, cx: &mut UpdateContext<'_>) {
        (self.chosen, self.all, self.offers) = (None, false, None);
        self.preview.rewind();
        let legs = cx.query.legs();
        self.input.text().clone_into(&mut self.own);
        cx.search(self.input.text(), legs);
    }

    /// Sets another query, as if it had been typed.
    fn set(&mut self, text: &str, cx: &mut UpdateContext<'_>) {
        self.input.set(text);
        self.ask(cx);
    }

    fn clear(&mut self, cx: &mut UpdateContext<'_>) {
        cx.out.intents.push(Intent::Run("app.clear-query"));
        self.input.set("");
        self.focus = Focus::Field;
    }

    /// Whether the last word is a filter with its colon, or one of the signs of a tag, a person or a name.
    fn is_in_filter(&self) -> bool {
        let word = self.input.text().rsplit(' ').next().unwrap_or_default().trim_start_matches('-');
        word.contains(':') || word.starts_with(['#', '@']) || word.starts_with("[[")
    }

    /// Moves the focus to the list.
    fn leave(&mut self, cx: &mut UpdateContext<'_>) {
        if self.offers.take().is_none() && self.prompt.take().is_none() {
            self.keep(cx);
            self.show_query(cx);
            self.focus = Focus::List;
        }
    }

    /// Begins a new query. The old one stays until something is typed, and in the history.
    fn begin(&mut self, cx: &mut UpdateContext<'_>) {
        self.keep(cx);
        self.input.set("");
        self.focus = Focus::Field;
    }

    /// Shows the shared query in the field. Without one the next keys are a new query.
    fn show_query(&mut self, cx: &UpdateContext<'_>) {
        if self.input.text() != cx.query.text() {
            self.input.set(cx.query.text());
            self.chosen = None;
        }
        if !cx.query.is_on() {
            self.focus = Focus::Field;
        }
    }

    fn swap(&mut self, cx: &mut UpdateContext<'_>) {
        self.keep(cx);
        self.focus = if self.focus == Focus::Text { Focus::List } else { Focus::Text };
    }

    fn recall(&mut self, older: bool, cx: &mut UpdateContext<'_>) {
        let query = if older { self.history.older() } else { self.history.newer() };
        let query = query.to_owned();
        self.set(&query, cx);
    }

    /// Adds the query to the history, because it was of use.
    fn keep(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(query) = self.history.push(self.input.text()) {
            cx.send(Request::KeepQuery(query));
        }
    }

    fn narrow(&mut self, cx: &mut UpdateContext<'_>) {
        self.keep(cx);
        self.focus = Focus::Facets;
        self.count_shared(cx);
    }

    /// Adds the chosen filter to the query, negated where `out`; or removes it again.
    fn pick(&mut self, out: bool, cx: &mut UpdateContext<'_>) {
        if let Some(text) = self.narrowing.pick(self.input.text(), out) {
            self.set(&text, cx);
        }
    }

    fn drop_filters(&mut self, cx: &mut UpdateContext<'_>) {
        let text = narrow::words(self.input.text(), &cx.now());
        self.set(&text, cx);
    }

    /// Counts the facets if they are on screen.
    fn count_shared(&mut self, cx: &UpdateContext<'_>) {
        if self.focus == Focus::Facets || self.width == Some(Width::Three) {
            self.narrowing.count(self.input.text(), cx);
        }
    }

    fn accept(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(prompt) = &mut self.prompt {
            prompt.send(self.input.text(), self.sort, &self.order, cx);
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if self.field_area.contains(mouse.at) {
            self.focus = Focus::Field;
        } else if self.list.holds(mouse) {
            let pointed = self.list.point(mouse);
            if pointed != Pointed::Nothing {
                self.focus = Focus::List;
                self.choose(cx);
            }
            if pointed == Pointed::Again {
                self.open(cx);
            }
        } else if let Some(again) = self.narrowing.click(mouse) {
            self.focus = Focus::Facets;
            if again {
                self.pick(false, cx);
            }
        } else if self.text_area.contains(mouse.at) {
            self.focus = Focus::Text;
        }
    }
}

impl Screen for Search {
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.history.ask(cx);
        self.show_query(cx);
        self.keep(cx);
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        self.focus = Focus::List;
        self.show_query(cx);
        if target.compose {
            self.begin(cx);
        }
        if let Some(text) = &target.text {
            self.set(text, cx);
            self.keep(cx);
        }
        if let Some(entry) = &target.entry {
            self.chosen = Some(entry.clone());
            self.arrange(cx);
        }
    }

    fn place(&self) -> Target {
        Target { entry: self.chosen.clone(), ..Target::default() }
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        // A new query was begun over the answer of the old one.
        if !(cx.in_front && self.is_typing() && self.input.is_empty()) {
            self.show_query(cx);
        }
        self.arrange(cx);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let wished = self.history.take(reply).map(str::to_owned);
        if let Some(query) = wished.filter(|_| self.is_recalling() && self.input.is_empty()) {
            self.set(&query, cx);
        }
        let done = self.prompt.as_mut().and_then(|prompt| prompt.take(reply));
        if let Some(done) = done {
            self.prompt = None;
            cx.done(done);
        }
    }

    fn wants_text(&self) -> bool {
        self.prompt.is_some() || self.focus == Focus::Field
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if let Some(prompt) = &mut self.prompt {
            prompt.line.take(&input, |_| None);
            return;
        }
        // Pasted text goes into the query, wherever the focus is.
        if matches!(input, TextInput::Pasted(_)) {
            self.focus = Focus::Field;
        }
        if self.input.take(&input) {
            self.ask(cx);
            let completes = self.is_in_filter();
            self.offers = completes.then(|| Completion::in_filters(self.input.text(), cx.view)).flatten();
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        match mouse.kind {
            MouseKind::Wheel(by) if self.list.holds(mouse) => {
                self.list.go(Motion::Lines(by));
                self.choose(cx);
            }
            MouseKind::Wheel(by) if self.narrowing.holds(mouse) => self.narrowing.go(Motion::Lines(by)),
            MouseKind::Wheel(by) => self.preview.go(Motion::Lines(3 * by)),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        match (self.focus, motion) {
            (Focus::Text, _) => self.preview.go(motion),
            (Focus::Facets, _) => self.narrowing.go(motion),
            (Focus::Field, Motion::Lines(by)) if self.input.is_empty() && self.history.is_awaited() => {
                self.history.wish(by < 0);
            }
            (Focus::Field, Motion::Lines(by)) if self.offers.is_some() => {
                self.offers.iter_mut().for_each(|offers| offers.step(by));
            }
            (Focus::Field | Focus::List, _) => {
                self.list.go(motion);
                self.choose(cx);
            }
        }
    }

    fn on_quit(&mut self, cx: &mut UpdateContext<'_>) {
        self.keep(cx);
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.draw_pane(frame, area, context);
        self.draw_offers(frame, context);
    }
}
