//! The Entities pane: names by kind, and the profile of the selected one with links to others.

mod commands;
mod listing;
mod name_review;
#[cfg(test)]
mod name_review_tests;
mod naming;
mod portrait;
mod screen;
#[cfg(test)]
mod session_tests;
#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use ratatui::{Frame, layout::Rect};

use self::{
    listing::{Listing, Who},
    name_review::{Chores, SidePanel},
    naming::{CurationAction, Naming},
    portrait::Portrait,
};
use crate::{
    journal::EntityKind,
    session::{Answer, Ask, Reply},
    tui::{
        AsyncQuery, Cited, Edited, History, Motion, Mouse, MouseKind, Pointed, QueryState, RenderContext, Screen,
        SourceColumn, Spots, Target, TextInput, UpdateContext, split_bottom,
    },
};

/// State of the pane: the list of names, and the name shown.
#[derive(Default)]
pub struct Entities {
    listing: Listing,
    /// For the list.
    query_state: AsyncQuery,
    portrait: Portrait,
    /// Names that need a decision of the user; the list of them may replace the profile.
    chores: Chores,
    /// The names visited by following links.
    trail: History<Who>,
    naming: Naming,
    /// The entry that the selected line comes from.
    source: SourceColumn,
    /// The filter has the focus.
    typing: bool,
    /// Another pane opened the name on screen: Esc goes back there.
    is_visit: bool,
    /// The profile has the focus; with one column, it is shown instead of the list.
    reading: bool,
    spots: Spots<HitArea>,
}

/// Hit areas besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
    Filter,
    Kind(EntityKind),
    Waiting(SidePanel),
}

// Conditions.
impl Entities {
    fn in_list(&self) -> bool {
        !self.reading
    }

    /// Whether the profile is shown, not the list of names that need a decision.
    fn looks_at_name(&self) -> bool {
        self.chores.shown.is_none()
    }

    /// Whether commands on the name are available: nothing is being typed, and the profile is shown.
    fn asks_about(&self) -> bool {
        self.portrait.who().is_some() && self.looks_at_name()
    }

    fn has_doubts(&self) -> bool {
        !self.typing && !self.is_saying() && self.looks_at_name() && self.chores.merge_candidates() > 0
    }

    fn has_hidden(&self) -> bool {
        !self.typing && !self.is_saying() && self.looks_at_name() && self.chores.hidden() > 0
    }

    fn is_at_chore(&self) -> bool {
        self.reading && !self.looks_at_name()
    }

    fn opens(&self) -> bool {
        self.in_list() && !self.is_saying() && self.listing.selected().is_some()
    }

    fn is_looking(&self) -> bool {
        self.in_list() && !self.typing && !self.is_saying() && self.portrait.is_looking()
    }

    fn is_narrowed(&self) -> bool {
        self.in_list() && !self.typing && !self.is_saying() && self.listing.is_narrowed()
    }

    fn is_searching(&self) -> bool {
        self.listing.is_searching && self.in_list()
    }
}

impl Screen for Entities {
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.listing.take_hits(cx);
        if !self.trail.has(false) {
            self.portrait.turn_to(self.listing.selected());
        }
        self.ask_what_is_due(cx);
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        let Some(name) = target.text.clone() else { return };
        self.leave_chore(cx);
        let graph = cx.view.snapshot.as_ref().map(|snapshot| &snapshot.graph);
        let by_name = || graph.and_then(|graph| Some(graph.entity(*graph.by_name(&name).first()?)));
        let who = match (target.kind, by_name()) {
            (Some(kind), _) => Who { name, kind },
            (None, Some(known)) => Who { name: known.name.clone(), kind: known.kind },
            (None, None) => return cx.done(format!("No entries mention “{name}” yet")),
        };
        if self.portrait.who() != Some(&who) {
            self.trail.clear();
        }
        if self.listing.selected().as_ref() != Some(&who) {
            self.listing.turn_to(who.clone());
        }
        self.is_visit = target.visit;
        self.reading = !target.listed;
        self.typing = false;
        self.naming.line = None;
        if self.portrait.turn_to(Some(who)) {
            self.ask_portrait(cx);
        }
    }

    fn place(&self) -> Target {
        let who = self.portrait.who();
        Target {
            text: who.map(|who| who.name.clone()),
            kind: who.map(|who| who.kind),
            listed: !self.reading,
            visit: self.is_visit,
            ..Target::default()
        }
    }

    fn has_trail(&self, forward: bool) -> bool {
        self.reading && self.trail.has(forward)
    }

    fn step(&mut self, forward: bool, cx: &mut UpdateContext<'_>) {
        let Some(next) = self.trail.step(forward, self.portrait.who().cloned()) else { return };
        self.portrait.turn_to(Some(next));
        self.ask_portrait(cx);
    }

    fn forget_ahead(&mut self) {
        self.trail.leave(None);
    }

    fn on_hide(&mut self) {
        self.is_visit = false;
        self.typing = false;
        self.naming.line = None;
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        // A hidden pane counts the hits when it becomes visible.
        if cx.in_front {
            self.listing.take_hits(cx);
            self.context(cx);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        if self.heard_of_names(reply, cx) {
            return;
        }
        let is_list = self.query_state.take(reply);
        if let Some(Answer::Names(names)) = self.query_state.known().filter(|_| is_list) {
            self.listing.set(Arc::clone(names), cx.view.noted);
            self.listing.take_hits(cx);
            // A name that the user followed a link to stays; else the selected one is shown.
            if !self.trail.has(false) {
                self.portrait.turn_to(self.listing.selected());
            }
        }
        let is_answer = is_list | self.portrait.take(reply, self.listing.busiest_month, cx);
        let is_news = self.chores.take(reply, cx) || matches!(reply, Reply::ViewChanged);
        if cx.in_front && (is_answer || is_news) {
            if self.query_state.is_behind(cx.view) {
                self.ask_list(cx);
            } else if is_answer {
                self.ask_portrait(cx);
            }
        }
    }

    fn on_edited(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>) {
        self.noted(edited, cx);
    }

    fn source(&mut self) -> Option<(&mut SourceColumn, Option<Cited>)> {
        // Of a pair where one is on screen, else of the profile.
        let cited = if self.looks_at_name() { self.portrait.lines.cited() } else { self.chores.lines.cited() };
        Some((&mut self.source, cited.cloned()))
    }

    fn wants_text(&self) -> bool {
        self.typing || self.is_saying()
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if self.type_saying(&input, cx) {
            return;
        }
        self.typing |= matches!(input, TextInput::Pasted(_));
        if self.typing && self.listing.filter(&input) {
            self.reading = false;
            self.context(cx);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        self.naming.line = None;
        match mouse.kind {
            MouseKind::Wheel(by) if self.listing.list.holds(mouse) => {
                self.listing.list.go(Motion::Lines(by));
                self.context(cx);
            }
            MouseKind::Wheel(by) => self.go_lines(Motion::Lines(by)),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        // An open input line belongs to the name on screen, so it is closed.
        self.naming.line = None;
        if !self.reading {
            self.listing.list.go(motion);
            self.context(cx);
        } else {
            self.go_lines(motion);
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.listing.list.hide();
        self.spots.clear();
        if area.is_empty() {
            return;
        }
        let foot = u16::from(self.is_saying() && self.portrait.who().is_some());
        let (names, line) = split_bottom(area, foot);
        self.draw_names(frame, names, context);
        // Drawn last, because its completions are drawn above it.
        self.draw_naming(frame, line, context);
    }
}

impl Entities {
    fn go_lines(&mut self, motion: Motion) {
        if self.looks_at_name() { self.portrait.lines.go(motion) } else { self.chores.lines.go(motion) }
    }

    fn ask_list(&mut self, cx: &mut UpdateContext<'_>) {
        let day = cx.seen_from();
        self.query_state.renew(Ask::Names(day), cx);
    }

    /// Sends the requests for what is missing or outdated, one at a time: in the worker a new request replaces the
    /// one before.
    fn ask_what_is_due(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.listing.is_known() || self.query_state.is_due(cx.view) {
            self.ask_list(cx);
        } else {
            self.ask_portrait(cx);
        }
    }

    /// Requests the profile; once it is there, the names that need a decision.
    fn ask_portrait(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.query_state.is_waiting() && !self.portrait.ask(cx) {
            self.chores.ask(cx);
        }
    }

    /// Shows the selected name.
    fn context(&mut self, cx: &mut UpdateContext<'_>) {
        self.trail.clear();
        self.leave_chore(cx);
        if self.portrait.turn_to(self.listing.selected()) {
            self.ask_portrait(cx);
        }
    }

    fn toggle_kind(&mut self, kind: EntityKind, cx: &mut UpdateContext<'_>) {
        self.listing.toggle_kind(kind);
        self.context(cx);
    }

    fn next_kind(&mut self, cx: &mut UpdateContext<'_>) {
        self.listing.next_kind();
        self.context(cx);
    }

    fn swap(&mut self, _: &mut UpdateContext<'_>) {
        self.is_visit = false;
        self.reading = !self.reading;
        self.typing = false;
    }

    fn follow(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.lines.selected().cloned() {
            self.trail.leave(self.portrait.who().cloned());
            self.portrait.turn_to(Some(who));
            self.ask_portrait(cx);
        } else {
            self.portrait.lines.open_source(cx);
        }
    }

    fn back(&mut self, cx: &mut UpdateContext<'_>) {
        match self.trail.has(false) {
            true => self.step(false, cx),
            false if self.is_visit => cx.travel(false),
            false => self.reading = false,
        }
    }

    fn show_panel(&mut self, chore: SidePanel, cx: &mut UpdateContext<'_>) {
        self.chores.show(Some(chore), cx.now().date());
        self.reading = true;
    }

    fn leave_chore(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.looks_at_name() {
            self.chores.show(None, cx.now().date());
            self.reading = false;
        }
    }

    fn narrow_no_more(&mut self, cx: &mut UpdateContext<'_>) {
        self.listing.narrow_no_more();
        self.context(cx);
    }

    fn only_hits(&mut self, cx: &mut UpdateContext<'_>) {
        self.listing.toggle_hits();
        self.context(cx);
    }

    /// Opens the journal filtered by the name.
    fn entries(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            let text = format!("{}:\"{}\"", who.kind.word(), who.name);
            let legs = cx.query.legs();
            // Opened first, so that going back brings back the query from before.
            cx.open(Target { only_hits: true, ..Target::journal() });
            cx.search(text, legs);
        }
    }

    fn connect(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            cx.open(Target { other: Some(String::new()), ..Target::why(who.name.clone()) });
        }
    }

    fn why(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            cx.open(Target::why(who.name.clone()));
        }
    }

    fn again(&mut self, cx: &mut UpdateContext<'_>) {
        if self.portrait.query_state.state() == QueryState::Stopped {
            self.portrait.renew(cx);
        } else {
            self.ask_list(cx);
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(spot) = self.spots.at(mouse.at).copied() {
            return self.press(spot, cx);
        }
        let pointed = self.listing.list.point(mouse);
        if pointed != Pointed::Away {
            self.typing = false;
            self.context(cx);
            self.reading = pointed == Pointed::Again;
        } else if self.looks_at_name() {
            self.click_portrait(mouse, cx);
        } else if self.chores.lines.click(mouse) {
            self.settle(cx);
        }
    }

    fn click_portrait(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let again = self.portrait.lines.click(mouse);
        if again && self.reading {
            self.follow(cx);
        } else {
            self.typing = false;
            self.reading |= self.portrait.lines.is_on_link();
        }
    }

    /// Enter on a name that needs a decision: opens a quote, merges a pair, or shows a hidden name again.
    fn settle(&mut self, cx: &mut UpdateContext<'_>) {
        match self.chores.lines.cited() {
            Some(cited) => cited.open(cx),
            None if self.chores.is_hidden_name() => self.unhide(cx),
            None => self.same(cx),
        }
    }

    fn press(&mut self, spot: HitArea, cx: &mut UpdateContext<'_>) {
        match spot {
            HitArea::Filter => (self.typing, self.reading) = (true, false),
            HitArea::Kind(kind) => self.toggle_kind(kind, cx),
            HitArea::Waiting(chore) => self.show_panel(chore, cx),
        }
    }
}
