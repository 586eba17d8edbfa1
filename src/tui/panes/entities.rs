//! Who and what the journal speaks of: names by kind, and a portrait of the selected one that can be walked from.

mod commands;
mod listing;
mod naming;
mod pointing;
mod portrait;
mod screen;
#[cfg(test)]
mod session_tests;
#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;
mod upkeep;
#[cfg(test)]
mod upkeep_tests;
mod walking;

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use self::{
    listing::{Listing, Who},
    naming::{CurationAction, Naming},
    pointing::HitArea,
    portrait::Portrait,
    upkeep::{Chores, SidePanel},
};
use super::{Pane, Screen};
use crate::{
    session::{Answer, Reply},
    tui::{
        command::Command,
        event::{Edited, Mouse, TextInput},
        pending::AsyncQuery,
        render_context::{RenderContext, Width},
        source::{Cited, Source},
        update_context::{Target, UpdateContext},
        widgets::{list::Motion, spots::Spots},
    },
};

/// State of the pane: the list of names, and the name looked at.
#[derive(Default)]
pub struct Entities {
    listing: Listing,
    /// For the list.
    query_state: AsyncQuery,
    portrait: Portrait,
    /// What waits for the person's word; it may stand in the portrait's place.
    chores: Chores,
    /// The names walked over, the last one last.
    trail: Vec<Who>,
    naming: Naming,
    /// The entry that the selected line comes from.
    source: Source,
    /// The filter has the focus.
    typing: bool,
    /// The portrait has the focus; with one column, it is shown instead of the list.
    reading: bool,
    /// In front.
    shown: bool,
    query_is_on: bool,
    /// View state of the last draw.
    width: Option<Width>,
    spots: Spots<HitArea>,
}

// Conditions.
impl Entities {
    fn in_list(&self) -> bool {
        !self.reading
    }

    fn has_name(&self) -> bool {
        self.portrait.who().is_some()
    }

    /// Whether the portrait is in its place, and not something that waits for the person's word.
    fn looks_at_name(&self) -> bool {
        self.chores.shown.is_none()
    }

    /// Nothing is typed, and no chore is in the way of what a name can be asked.
    fn asks_about(&self) -> bool {
        self.has_name() && self.looks_at_name()
    }

    fn has_doubts(&self) -> bool {
        !self.typing && !self.is_saying() && self.looks_at_name() && self.chores.doubts() > 0
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
        self.query_is_on && self.in_list()
    }
}

impl Pane for Entities {
    const NAME: &'static str = "entities";
    const TITLE: &'static str = "Entities";
    const COMMANDS: &'static [Command<Self>] = commands::COMMANDS;
}

impl Screen for Entities {
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.shown = true;
        self.listing.take_hits(cx);
        self.query_is_on = cx.query.is_on();
        if self.trail.is_empty() {
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
        self.listing.turn_to(who.clone());
        self.trail.clear();
        self.reading = true;
        self.typing = false;
        self.naming.line = None;
        if self.portrait.turn_to(Some(who)) {
            self.ask_portrait(cx);
        }
    }

    fn on_hide(&mut self) {
        self.shown = false;
        self.typing = false;
        self.naming.line = None;
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        self.query_is_on = cx.query.is_on();
        // The others are counted when the pane comes to the front.
        if self.shown {
            self.listing.take_hits(cx);
            self.context(cx);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        if self.heard_of_names(reply, cx) {
            return;
        }
        self.source.take(reply);
        let is_list = self.query_state.take(reply);
        if let Some(Answer::Names(names)) = self.query_state.answer().filter(|_| is_list) {
            self.listing.set(names.clone());
            self.listing.take_hits(cx);
            // Whom the person walked to stays; else the selected one.
            if self.trail.is_empty() {
                self.portrait.turn_to(self.listing.selected());
            }
        }
        let is_answer = is_list | self.portrait.take(reply, cx);
        let is_news = self.chores.take(reply, cx) || matches!(reply, Reply::ViewChanged);
        if self.shown && (is_answer || is_news) {
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

    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        if self.shown {
            self.source.turn_to(self.said_on_line().map(Cited::from), cx);
        }
        None
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
        self.point(mouse, cx);
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        // What is being said is said of the name on screen.
        self.naming.line = None;
        if !self.reading {
            self.listing.list.go(motion);
            self.context(cx);
        } else if self.looks_at_name() {
            self.portrait.lines.go(motion);
        } else {
            self.chores.lines.go(motion);
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.paint(frame, area, context);
    }
}
