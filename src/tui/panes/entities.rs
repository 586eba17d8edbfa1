//! Who and what the journal speaks of: names by kind, and a portrait of the selected one that can be walked from.

mod commands;
#[cfg(test)]
mod engine_tests;
mod listing;
mod naming;
mod portrait;
mod screen;
#[cfg(test)]
mod tests;
mod upkeep;
#[cfg(test)]
mod upkeep_tests;

use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use self::{
    listing::{Listing, Who},
    naming::{Naming, Saying},
    portrait::{Leads, Portrait},
    upkeep::{Chore, Chores},
};
use super::Pane;
use crate::{
    engine::{Answer, Ask, Reply},
    journal::EntityKind,
    tui::{
        command::Command,
        cx::{Cx, Target},
        event::{Edited, Mouse, MouseKind, TextInput},
        inquiry::{Inquiry, Stand},
        look::{Look, Width},
    },
};

/// State of the pane: the list of names, and the name looked at.
#[derive(Default)]
pub struct Entities {
    listing: Listing,
    /// For the list.
    inquiry: Inquiry,
    portrait: Portrait,
    /// What waits for the person's word; it may stand in the portrait's place.
    chores: Chores,
    /// The names walked over, the last one last.
    trail: Vec<Who>,
    naming: Naming,
    /// The filter has the focus.
    typing: bool,
    /// The portrait has the focus; with one column, it is shown instead of the list.
    reading: bool,
    /// In front.
    shown: bool,
    query_is_on: bool,
    /// View state of the last draw.
    width: Option<Width>,
    list_area: Rect,
    list_top: u16,
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

// Going about.
impl Entities {
    fn ask_list(&mut self, cx: &mut Cx<'_>) {
        let day = cx.seen_from();
        self.inquiry.renew(Ask::Names(day), cx);
    }

    /// Asks what is shown and not answered, one question at a time: the newest question replaces the one before.
    fn ask_what_is_due(&mut self, cx: &mut Cx<'_>) {
        if !self.listing.is_known() || self.inquiry.is_due(cx.view) {
            self.ask_list(cx);
        } else {
            self.ask_portrait(cx);
        }
    }

    /// Then what waits for the person's word, once the name is known.
    fn ask_portrait(&mut self, cx: &mut Cx<'_>) {
        if !self.inquiry.is_waiting() && !self.portrait.ask(cx) {
            self.chores.ask(cx);
        }
    }

    /// Looks at the selected name.
    fn look(&mut self, cx: &mut Cx<'_>) {
        self.trail.clear();
        self.leave_chore(cx);
        if self.portrait.turn_to(self.listing.selected()) {
            self.ask_portrait(cx);
        }
    }

    fn step(&mut self, by: isize, cx: &mut Cx<'_>) {
        // What is being said is said of the name on screen.
        self.naming.line = None;
        if self.is_at_chore() {
            self.chores.lines.step(by);
        } else if self.reading {
            self.portrait.lines.step(by);
        } else {
            self.listing.step(by);
            self.look(cx);
        }
    }

    fn page(&mut self, by: isize, cx: &mut Cx<'_>) {
        self.naming.line = None;
        if self.is_at_chore() {
            self.chores.lines.page(by);
        } else if self.reading {
            self.portrait.lines.page(by);
        } else {
            self.listing.page(by);
            self.look(cx);
        }
    }

    fn edge(&mut self, last: bool, cx: &mut Cx<'_>) {
        self.naming.line = None;
        if self.is_at_chore() {
            return if last { self.chores.lines.last() } else { self.chores.lines.first() };
        }
        match (self.reading, last) {
            (true, true) => self.portrait.lines.last(),
            (true, false) => self.portrait.lines.first(),
            (false, _) => {
                self.listing.edge(last);
                self.look(cx);
            }
        }
    }

    fn toggle_kind(&mut self, kind: EntityKind, cx: &mut Cx<'_>) {
        self.listing.toggle_kind(kind);
        self.look(cx);
    }

    fn swap(&mut self, _: &mut Cx<'_>) {
        self.reading = !self.reading;
        self.typing = false;
    }

    fn follow(&mut self, cx: &mut Cx<'_>) {
        match self.portrait.lines.selected().cloned() {
            Some(Leads::Source(quote)) => cx.open_source(&quote),
            Some(Leads::Name(who)) => self.walk(who, cx),
            None => {}
        }
    }

    fn walk(&mut self, who: Who, cx: &mut Cx<'_>) {
        if let Some(before) = self.portrait.who().cloned() {
            self.trail.push(before);
        }
        self.portrait.turn_to(Some(who));
        self.ask_portrait(cx);
    }

    fn back(&mut self, cx: &mut Cx<'_>) {
        match self.trail.pop() {
            Some(before) => {
                self.portrait.turn_to(Some(before));
                self.ask_portrait(cx);
            }
            None => self.reading = false,
        }
    }

    fn leave(&mut self, _: &mut Cx<'_>) {
        self.typing = false;
    }

    fn turn_to_chore(&mut self, chore: Chore, cx: &mut Cx<'_>) {
        self.chores.show(Some(chore), cx.now().date());
        self.reading = true;
    }

    fn leave_chore(&mut self, cx: &mut Cx<'_>) {
        if !self.looks_at_name() {
            self.chores.show(None, cx.now().date());
            self.reading = false;
        }
    }

    /// A sentence of a pair opens; the pair itself is made one.
    fn settle_pair(&mut self, cx: &mut Cx<'_>) {
        match self.chores.said().cloned() {
            Some(said) => cx.open_source(&said),
            None => self.same(cx),
        }
    }

    fn narrow_no_more(&mut self, cx: &mut Cx<'_>) {
        self.listing.narrow_no_more();
        self.look(cx);
    }

    fn only_hits(&mut self, cx: &mut Cx<'_>) {
        self.listing.toggle_hits();
        self.look(cx);
    }

    /// All entries that mention the name, on the timeline.
    fn entries(&mut self, cx: &mut Cx<'_>) {
        if let Some(who) = self.portrait.who() {
            let text = format!("{}:\"{}\"", who.kind.word(), who.name);
            let legs = cx.query.legs();
            cx.search(text, legs);
            cx.open(Target { pane: "journal", ..Target::default() });
        }
    }

    fn connect(&mut self, cx: &mut Cx<'_>) {
        if let Some(who) = self.portrait.who() {
            let (text, other) = (Some(who.name.clone()), Some(String::new()));
            cx.open(Target { pane: "why", text, other, ..Target::default() });
        }
    }

    fn why(&mut self, cx: &mut Cx<'_>) {
        if let Some(who) = self.portrait.who() {
            cx.open(Target { pane: "why", text: Some(who.name.clone()), ..Target::default() });
        }
    }

    fn again(&mut self, cx: &mut Cx<'_>) {
        if self.portrait.stand() == Stand::Stopped {
            self.portrait.renew(cx);
        } else {
            self.ask_list(cx);
        }
    }
}

impl Pane for Entities {
    const NAME: &'static str = "entities";
    const TITLE: &'static str = "Entities";
    const COMMANDS: &'static [Command<Self>] = commands::COMMANDS;

    fn on_show(&mut self, cx: &mut Cx<'_>) {
        self.shown = true;
        self.listing.take_hits(cx);
        self.query_is_on = cx.query.is_on();
        if self.trail.is_empty() {
            self.portrait.turn_to(self.listing.selected());
        }
        self.ask_what_is_due(cx);
    }

    fn on_open(&mut self, target: &Target, cx: &mut Cx<'_>) {
        self.leave_chore(cx);
        let Some(name) = target.text.clone() else { return };
        let graph = cx.view.snapshot.as_ref().map(|snapshot| &snapshot.graph);
        let by_name = || graph.and_then(|graph| Some(graph.entity(*graph.by_name(&name).first()?)));
        let who = match (target.kind, by_name()) {
            (Some(kind), _) => Who { name, kind },
            (None, Some(known)) => Who { name: known.name.clone(), kind: known.kind },
            (None, None) => return cx.done(format!("“{name}” is not known yet")),
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

    fn on_query(&mut self, cx: &mut Cx<'_>) {
        self.query_is_on = cx.query.is_on();
        // The others are counted when the pane comes to the front.
        if self.shown {
            self.listing.take_hits(cx);
            self.look(cx);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut Cx<'_>) {
        if self.heard_of_names(reply, cx) {
            return;
        }
        let is_list = self.inquiry.take(reply);
        if let Some(Answer::Names(names)) = self.inquiry.answer().filter(|_| is_list) {
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
            if self.inquiry.is_behind(cx.view) {
                self.ask_list(cx);
            } else if is_answer {
                self.ask_portrait(cx);
            }
        }
    }

    fn on_edited(&mut self, edited: &Edited, cx: &mut Cx<'_>) {
        self.noted(edited, cx);
    }

    fn wants_text(&self) -> bool {
        self.typing || self.is_saying()
    }

    fn on_text(&mut self, input: TextInput, cx: &mut Cx<'_>) {
        if self.type_saying(&input, cx) {
            return;
        }
        self.typing |= matches!(input, TextInput::Pasted(_));
        if self.typing && self.listing.filter(&input) {
            self.reading = false;
            self.look(cx);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        self.naming.line = None;
        let in_list = self.list_area.contains(Position { x: mouse.column, y: mouse.row });
        match mouse.kind {
            MouseKind::WheelDown if in_list => {
                self.listing.step(1);
                self.look(cx);
            }
            MouseKind::WheelUp if in_list => {
                self.listing.step(-1);
                self.look(cx);
            }
            MouseKind::WheelDown if self.is_at_chore() => self.chores.lines.step(1),
            MouseKind::WheelUp if self.is_at_chore() => self.chores.lines.step(-1),
            MouseKind::WheelDown => self.portrait.lines.step(1),
            MouseKind::WheelUp => self.portrait.lines.step(-1),
            MouseKind::Click if in_list => {
                self.typing = false;
                self.reading = self.listing.click(mouse.row.saturating_sub(self.list_top));
                self.look(cx);
            }
            MouseKind::Click if self.is_at_chore() => {
                if self.chores.lines.click(mouse.column, mouse.row) && self.chores.is_pair() {
                    self.settle_pair(cx);
                }
            }
            MouseKind::Click => {
                let again = self.portrait.lines.click(mouse.column, mouse.row);
                if again && self.reading {
                    self.follow(cx);
                } else {
                    self.reading |= self.portrait.lines.selected().is_some();
                }
            }
            MouseKind::Drag => {}
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        self.paint(frame, area, look);
    }
}
