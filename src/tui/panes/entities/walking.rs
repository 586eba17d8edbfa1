//! Going from name to name: the list, the portrait of the one looked at, the names walked over, and out to the other panes.

use super::{Entities, listing::Who, portrait::Leads, upkeep::SidePanel};
use crate::{
    insight::Evidence,
    journal::EntityKind,
    session::Ask,
    tui::{
        pending::QueryState,
        update_context::{Target, UpdateContext},
    },
};

impl Entities {
    pub(super) fn ask_list(&mut self, cx: &mut UpdateContext<'_>) {
        let day = cx.seen_from();
        self.query_state.renew(Ask::Names(day), cx);
    }

    /// Asks what is shown and not answered, one question at a time: the newest question replaces the one before.
    pub(super) fn ask_what_is_due(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.listing.is_known() || self.query_state.is_due(cx.view) {
            self.ask_list(cx);
        } else {
            self.ask_portrait(cx);
        }
    }

    /// Then what waits for the person's word, once the name is known.
    pub(super) fn ask_portrait(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.query_state.is_waiting() && !self.portrait.ask(cx) {
            self.chores.ask(cx);
        }
    }

    /// Looks at the selected name.
    pub(super) fn context(&mut self, cx: &mut UpdateContext<'_>) {
        self.trail.clear();
        self.leave_chore(cx);
        if self.portrait.turn_to(self.listing.selected()) {
            self.ask_portrait(cx);
        }
    }

    pub(super) fn toggle_kind(&mut self, kind: EntityKind, cx: &mut UpdateContext<'_>) {
        self.listing.toggle_kind(kind);
        self.context(cx);
    }

    pub(super) fn swap(&mut self, _: &mut UpdateContext<'_>) {
        self.reading = !self.reading;
        self.typing = false;
    }

    pub(super) fn follow(&mut self, cx: &mut UpdateContext<'_>) {
        match self.portrait.lines.selected().cloned() {
            Some(Leads::Source(quote)) => cx.open_source(&quote),
            Some(Leads::Name { who, .. }) => self.walk(who, cx),
            None => {}
        }
    }

    pub(super) fn walk(&mut self, who: Who, cx: &mut UpdateContext<'_>) {
        if let Some(before) = self.portrait.who().cloned() {
            self.trail.push(before);
        }
        self.portrait.turn_to(Some(who));
        self.ask_portrait(cx);
    }

    pub(super) fn back(&mut self, cx: &mut UpdateContext<'_>) {
        match self.trail.pop() {
            Some(before) => {
                self.portrait.turn_to(Some(before));
                self.ask_portrait(cx);
            }
            None => self.reading = false,
        }
    }

    pub(super) fn leave(&mut self, _: &mut UpdateContext<'_>) {
        self.typing = false;
    }

    pub(super) fn turn_to_chore(&mut self, chore: SidePanel, cx: &mut UpdateContext<'_>) {
        self.chores.show(Some(chore), cx.now().date());
        self.reading = true;
    }

    pub(super) fn leave_chore(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.looks_at_name() {
            self.chores.show(None, cx.now().date());
            self.reading = false;
        }
    }

    /// A sentence of a pair opens; the pair itself is made one.
    pub(super) fn settle_pair(&mut self, cx: &mut UpdateContext<'_>) {
        match self.chores.said().cloned() {
            Some(said) => cx.open_source(&said),
            None => self.same(cx),
        }
    }

    /// The sentence of the selected line: of a pair where one is on screen, else of the name looked at.
    pub(super) fn said_on_line(&self) -> Option<&Evidence> {
        if self.looks_at_name() { self.portrait.lines.selected()?.said() } else { self.chores.said() }
    }

    pub(super) fn narrow_no_more(&mut self, cx: &mut UpdateContext<'_>) {
        self.listing.narrow_no_more();
        self.context(cx);
    }

    pub(super) fn only_hits(&mut self, cx: &mut UpdateContext<'_>) {
        self.listing.toggle_hits();
        self.context(cx);
    }

    /// All entries that mention the name, on the timeline.
    pub(super) fn entries(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            let text = format!("{}:\"{}\"", who.kind.word(), who.name);
            let legs = cx.query.legs();
            cx.search(text, legs);
            cx.open(Target::journal());
        }
    }

    pub(super) fn connect(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            cx.open(Target { other: Some(String::new()), ..Target::why(who.name.clone()) });
        }
    }

    pub(super) fn why(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(who) = self.portrait.who() {
            cx.open(Target::why(who.name.clone()));
        }
    }

    pub(super) fn again(&mut self, cx: &mut UpdateContext<'_>) {
        if self.portrait.stand() == QueryState::Stopped {
            self.portrait.renew(cx);
        } else {
            self.ask_list(cx);
        }
    }
}
