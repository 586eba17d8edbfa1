//! The journal: calendar and days beside the entries of one day, and the place to write.

mod cache;
mod composer;
mod days;
mod offers;
mod reading;
mod saving;
#[cfg(test)]
mod tests;

use std::{rc::Rc, sync::Arc, time::Duration};

use jiff::civil;
use ratatui::{
    Frame,
    crossterm::event::KeyCode,
    layout::{Position, Rect},
};

use self::{
    cache::{DayCache, DayText},
    composer::{Composer, Save},
    days::{DayLook, Days, day_of},
    offers::Offers,
    reading::{Reading, below},
    saving::{Saving, is_provisional},
};
use super::Pane;
use crate::{
    engine::{DayEntry, EngineError, Reply, Request, Ticket, View, Written},
    extract::dates,
    journal::{Change, Draft, DraftId, Entry, Notice},
    tui::{
        command::Command,
        cx::{Cx, Target},
        event::{Edited, Mouse, MouseKind, TextInput},
        look::{Look, Width},
        theme::Role,
        widgets::{
            cells::{self, Pen},
            input::Input,
        },
    },
};

/// A draft is on disk at most this long after it was typed.
const KEEP_EVERY: Duration = Duration::from_secs(3);
/// Width of the column of days.
const DAYS_WIDTH: u16 = 31;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Focus {
    #[default]
    Days,
    Text,
}

/// What a text handed to the external editor becomes.
#[derive(Debug)]
enum Handed {
    New,
    Edit(Box<Entry>),
    /// The text of the open form.
    Composer,
}

/// The line that asks for a date.
#[derive(Debug, Default)]
struct GoTo {
    input: Input,
    fault: bool,
}

/// What the view showed when it was last looked at: a day is read again only when something new is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Seen {
    days: usize,
    generation: Option<u64>,
}

impl Seen {
    fn of(view: &View) -> Self {
        Self {
            days: Arc::as_ptr(&view.days) as usize,
            generation: view.snapshot.as_ref().map(|snapshot| snapshot.generation),
        }
    }
}

#[derive(Debug, Default)]
pub struct Journal {
    days: Days,
    reading: Reading,
    cache: DayCache,
    focus: Focus,
    /// The list is hidden.
    full: bool,
    waiting: Option<(Ticket, civil::Date)>,
    /// The selected day could not be read, in words.
    unread: Option<String>,
    composer: Option<Composer>,
    saving: Vec<Saving>,
    handed: Option<(Ticket, Handed)>,
    offers: Offers,
    /// A draft of an edit waits for its entry to be read.
    resuming: Option<Draft>,
    discarding: Option<(Ticket, Draft)>,
    goto: Option<GoTo>,
    searching: bool,
    seen: Seen,
    /// Drafts of earlier sessions were asked for.
    started: bool,
    /// Counts drafts and saves of this session, to name them.
    count: u64,
    days_area: Rect,
}

// Conditions.
impl Journal {
    fn is_reading(&self) -> bool {
        self.composer.is_none() && self.goto.is_none()
    }

    fn is_writing(&self) -> bool {
        self.composer.is_some() && self.goto.is_none()
    }

    fn in_days(&self) -> bool {
        self.is_reading() && self.focus == Focus::Days && !self.full
    }

    fn in_text(&self) -> bool {
        self.is_reading() && (self.focus == Focus::Text || self.full)
    }

    fn is_searching(&self) -> bool {
        self.is_reading() && self.searching
    }

    fn offers_draft(&self) -> bool {
        self.is_reading() && self.offers.first().is_some()
    }

    fn opens(&self) -> bool {
        self.in_days() && self.offers.first().is_none()
    }

    fn has_entry(&self) -> bool {
        self.is_reading() && self.entry().is_some_and(|known| !is_provisional(&known.entry.id))
    }

    fn can_go_back(&self) -> bool {
        self.goto.is_some() || self.in_text()
    }
}

impl Pane for Journal {
    const NAME: &'static str = "journal";
    const TITLE: &'static str = "Journal";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("journal.continue-draft", &["enter"], "Go on with the draft on offer", Self::continue_draft)
            .when(Self::offers_draft)
            .hint("continue draft"),
        Command::new("journal.discard-draft", &["x"], "Discard the draft on offer", Self::discard_draft)
            .when(Self::offers_draft)
            .hint("discard"),
        Command::new("journal.save", &["ctrl-s"], "Save the entry", Self::save).when(Self::is_writing).hint("save"),
        Command::new("journal.leave", &["esc"], "Leave; what is being written is kept as a draft", Self::leave)
            .when(Self::is_writing)
            .hint("keep as draft"),
        Command::new("journal.next-field", &["tab"], "Take the offer, or go to the next field", Self::next_field)
            .when(Self::is_writing)
            .hint("field"),
        Command::new("journal.previous-field", &["backtab"], "Go to the field before", Self::previous_field)
            .when(Self::is_writing),
        Command::new("journal.write-outside", &["alt-e"], "Go on writing in $EDITOR", Self::write_outside)
            .when(Self::is_writing)
            .hint("$EDITOR"),
        Command::new("journal.new", &["n"], "Write a new entry", Self::new_entry).when(Self::is_reading).hint("new"),
        Command::new("journal.new-here", &["N"], "Write a new entry on the day looked at", Self::new_here)
            .when(Self::is_reading),
        Command::new("journal.edit", &["e"], "Edit the entry", Self::edit).when(Self::has_entry).hint("edit"),
        Command::new("journal.edit-outside", &["E"], "Edit the entry in $EDITOR", Self::edit_outside)
            .when(Self::is_reading)
            .hint("$EDITOR"),
        Command::new("journal.open", &["enter"], "Go to the day's text", Self::to_text).when(Self::opens).hint("open"),
        Command::new("journal.delete", &["d"], "Delete the entry; it goes to the trash", Self::delete)
            .when(Self::has_entry)
            .hint("delete"),
        Command::new("journal.today", &["t"], "Go to today", Self::today).when(Self::is_reading).hint("today"),
        Command::new("journal.goto", &["g"], "Go to a date, as in \"last friday\" or \"march 2024\"", Self::ask_date)
            .when(Self::is_reading)
            .hint("go to date"),
        Command::new("journal.only-hits", &["o"], "List only days that the query found, or all", Self::toggle_hits)
            .when(Self::is_searching)
            .hint("only hits"),
        Command::new("journal.next-hit", &["]"], "Go to the next older day that the query found", Self::older_hit)
            .when(Self::is_searching),
        Command::new("journal.previous-hit", &["["], "Go to the next newer day that the query found", Self::newer_hit)
            .when(Self::is_searching),
        Command::new("journal.copy", &["y"], "Copy the entry's text", Self::copy).when(Self::has_entry),
        Command::new("journal.older-day", &["j", "down"], "Next older day", Self::older).when(Self::in_days),
        Command::new("journal.newer-day", &["k", "up"], "Next newer day", Self::newer).when(Self::in_days),
        Command::new("journal.older-days", &["pagedown"], "A page of days down", Self::page_older).when(Self::in_days),
        Command::new("journal.newer-days", &["pageup"], "A page of days up", Self::page_newer).when(Self::in_days),
        Command::new("journal.newest", &["home"], "The newest day", Self::newest).when(Self::in_days),
        Command::new("journal.oldest", &["end", "G"], "The oldest day", Self::oldest).when(Self::in_days),
        Command::new("journal.next-entry", &["j", "down"], "Next entry, or further down a long one", Self::down)
            .when(Self::in_text),
        Command::new("journal.previous-entry", &["k", "up"], "Entry before, or further up a long one", Self::up)
            .when(Self::in_text),
        Command::new("journal.page-down", &["pagedown", "space"], "A page down", Self::page_down).when(Self::in_text),
        Command::new("journal.page-up", &["pageup"], "A page up", Self::page_up).when(Self::in_text),
        Command::new("journal.first-entry", &["home"], "The day's first entry", Self::first).when(Self::in_text),
        Command::new("journal.last-entry", &["end", "G"], "The day's last entry", Self::last).when(Self::in_text),
        Command::new("journal.older-day-text", &["J", "alt-down"], "Next older day", Self::older)
            .when(Self::is_reading),
        Command::new("journal.newer-day-text", &["K", "alt-up"], "Next newer day", Self::newer).when(Self::is_reading),
        Command::new("journal.month-back", &["<", "{"], "A month back", Self::month_back).when(Self::is_reading),
        Command::new("journal.month-on", &[">", "}"], "A month on", Self::month_on).when(Self::is_reading),
        Command::new("journal.to-text", &["l", "right"], "Go to the day's text", Self::to_text).when(Self::in_days),
        Command::new("journal.to-days", &["h", "left"], "Go to the list of days", Self::to_days).when(Self::in_text),
        Command::new("journal.swap", &["tab"], "Between days and text", Self::swap).when(Self::is_reading),
        Command::new("journal.full", &["f11", "alt-z"], "Hide or show the list of days", Self::toggle_full),
        Command::new("journal.back", &["esc"], "Back to the list of days", Self::back).when(Self::can_go_back),
        Command::new("journal.star", &["*"], "Mark the entry as a favourite, or no longer", Self::star)
            .when(Self::has_entry),
        Command::new("journal.again", &["R"], "Read the day again", Self::again).when(Self::is_reading),
    ];

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        if area.is_empty() {
            return;
        }
        if self.days.selected().is_none() {
            self.days.select(day_of(look.now, look.settings));
        }
        let (area, line) = self.split_goto(area);
        let (mut days, text) = self.split(area, look);
        if text.is_empty() {
            days = self.draw_offer(frame, days, look);
        }
        self.days_area = days;
        if !days.is_empty() {
            self.days.draw(frame, days, look, self.in_days());
        }
        if days.height > 0 && !text.is_empty() {
            draw_border(frame, Rect { x: text.x, width: 1, ..text }, look);
        }
        let text =
            if days.is_empty() { text } else { Rect { x: text.x + 1, width: text.width.saturating_sub(1), ..text } };
        if !text.is_empty() {
            self.draw_text(frame, text, look);
        }
        self.draw_goto(frame, line, look);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut Cx<'_>) {
        match reply {
            Reply::Day { ticket, day, entries, notices } => self.heard_day(*ticket, *day, entries, notices, cx),
            Reply::Written { ticket, done } => self.heard_written(*ticket, done, cx),
            Reply::Drafts { ticket, drafts } if Some(*ticket) == self.offers.asked => {
                self.offers.asked = None;
                self.offers.found(drafts, self.composer.as_ref().map(|composer| &composer.draft));
            }
            Reply::DraftKept { .. } => {
                if let Some(composer) = self.composer.as_mut().filter(|composer| !composer.is_unkept()) {
                    composer.is_durable = true;
                }
            }
            Reply::ViewChanged => {
                let seen = Seen::of(cx.view);
                if seen != self.seen {
                    self.seen = seen;
                    self.read(cx);
                }
            }
            Reply::Failed { ticket, error } => self.heard_failure(*ticket, error, cx),
            _ => {}
        }
    }

    fn wants_text(&self) -> bool {
        self.composer.is_some() || self.goto.is_some()
    }

    fn on_text(&mut self, input: TextInput, cx: &mut Cx<'_>) {
        if self.goto.is_some() {
            self.type_date(&input, cx);
        } else if let Some(composer) = &mut self.composer {
            composer.take(input, cx);
        } else if let TextInput::Pasted(text) = input {
            // A paste outside of any field becomes a new entry: nothing pasted is taken for commands, nothing is lost.
            self.new_entry(cx);
            if let Some(composer) = &mut self.composer {
                composer.take(TextInput::Pasted(text), cx);
            }
        }
    }

    fn on_show(&mut self, cx: &mut Cx<'_>) {
        if self.days.selected().is_none() {
            self.days.select(day_of(&cx.now(), cx.settings));
        }
        if !std::mem::replace(&mut self.started, true) {
            self.offers.asked = Some(cx.send(Request::Drafts));
        }
        self.seen = Seen::of(cx.view);
        self.searching = cx.query.is_on();
        self.read(cx);
    }

    fn on_open(&mut self, target: &Target, cx: &mut Cx<'_>) {
        if target.compose {
            self.new_entry(cx);
            if let (Some(text), Some(composer)) = (&target.text, &mut self.composer) {
                composer.take(TextInput::Pasted(text.clone()), cx);
            }
            return;
        }
        let known = || Some(cx.view.snapshot.as_ref()?.catalog.by_id(target.entry.as_ref()?)?.day);
        if let Some(day) = target.day.or_else(known) {
            self.turn_to(day, cx);
        }
        if let Some(entry) = &target.entry {
            self.reading.select(entry.clone(), target.span.clone());
            self.focus = Focus::Text;
        }
    }

    fn on_query(&mut self, cx: &mut Cx<'_>) {
        self.searching = cx.query.is_on();
        if !self.searching {
            self.days.only_hits = false;
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        let place = Position::new(mouse.column, mouse.row);
        if self.days_area.contains(place) && self.composer.is_none() {
            match mouse.kind {
                MouseKind::WheelUp => self.newer(cx),
                MouseKind::WheelDown => self.older(cx),
                MouseKind::Click => self.click_day(mouse, cx),
                MouseKind::Drag => {}
            }
        } else if let Some(composer) = &mut self.composer {
            composer.on_mouse(mouse);
        } else {
            match mouse.kind {
                MouseKind::WheelUp => self.reading.scroll(-3),
                MouseKind::WheelDown => self.reading.scroll(3),
                MouseKind::Click => {
                    if let Some(text) = self.text()
                        && self.reading.point(mouse.column, mouse.row, &text)
                    {
                        self.focus = Focus::Text;
                    }
                }
                MouseKind::Drag => {}
            }
        }
    }

    fn on_edited(&mut self, edited: &Edited, cx: &mut Cx<'_>) {
        let Some((_, handed)) = self.handed.take_if(|(ticket, _)| *ticket == edited.ticket) else { return };
        match &edited.text {
            Ok(text) => self.take_back(handed, text, cx),
            Err(message) => cx.error(message.clone()),
        }
    }

    fn on_tick(&mut self, cx: &mut Cx<'_>) -> Option<Duration> {
        let composer = self.composer.as_mut()?;
        if !composer.is_unkept() {
            composer.due = None;
            return None;
        }
        let due = *composer.due.get_or_insert(cx.elapsed + KEEP_EVERY);
        if cx.elapsed < due {
            return Some(due);
        }
        let draft = composer.keep();
        cx.send(Request::KeepDraft(draft));
        None
    }

    fn on_quit(&mut self, cx: &mut Cx<'_>) {
        if let Some(composer) = self.composer.as_mut().filter(|composer| composer.is_unkept()) {
            let draft = composer.keep();
            cx.send(Request::KeepDraft(draft));
        }
    }
}

// Days.
impl Journal {
    fn day(&self) -> Option<civil::Date> {
        self.days.selected()
    }

    /// What the selected day holds, if it was ever read.
    fn text(&self) -> Option<Rc<DayText>> {
        self.cache.day(self.day()?)
    }

    fn entry(&self) -> Option<DayEntry> {
        let text = self.text()?;
        self.reading.entry(&text).cloned()
    }

    /// Asks for the selected day; what is known of it stays on screen.
    fn read(&mut self, cx: &mut Cx<'_>) {
        if let Some(day) = self.day() {
            self.cache.touch(day);
            self.waiting = Some((cx.send(Request::Day(day)), day));
        }
    }

    fn turn_to(&mut self, day: civil::Date, cx: &mut Cx<'_>) {
        if self.day() != Some(day) {
            self.days.select(day);
            self.turned(cx);
        }
    }

    fn turned(&mut self, cx: &mut Cx<'_>) {
        self.reading.turn();
        self.unread = None;
        self.read(cx);
    }

    /// Moves the selection in the list and reads the day if it is another one.
    fn move_days(&mut self, cx: &mut Cx<'_>, step: impl FnOnce(&mut Days, &Cx<'_>)) {
        let before = self.day();
        step(&mut self.days, cx);
        if self.day() != before {
            self.turned(cx);
        }
    }

    fn older(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.step(1, cx.view, cx.query));
    }

    fn newer(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.step(-1, cx.view, cx.query));
    }

    fn page_older(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.step(days.page(), cx.view, cx.query));
    }

    fn page_newer(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.step(-days.page(), cx.view, cx.query));
    }

    fn newest(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.edge(false, cx.view, cx.query));
    }

    fn oldest(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.edge(true, cx.view, cx.query));
    }

    fn month_back(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.month(-1, cx.view));
    }

    fn month_on(&mut self, cx: &mut Cx<'_>) {
        self.move_days(cx, |days, cx| days.month(1, cx.view));
    }

    fn today(&mut self, cx: &mut Cx<'_>) {
        let today = day_of(&cx.now(), cx.settings);
        self.turn_to(today, cx);
    }

    fn older_hit(&mut self, cx: &mut Cx<'_>) {
        let Some(day) = self.day() else { return };
        let mut hits = cx.view.days.iter().map(|line| line.day).filter(|known| cx.query.hits_on(*known) > 0);
        let hit = hits.find(|known| *known < day);
        self.to_hit(hit, cx);
    }

    fn newer_hit(&mut self, cx: &mut Cx<'_>) {
        let Some(day) = self.day() else { return };
        let hits = cx.view.days.iter().map(|line| line.day).filter(|known| cx.query.hits_on(*known) > 0);
        let hit = hits.take_while(|known| *known > day).last();
        self.to_hit(hit, cx);
    }

    fn to_hit(&mut self, hit: Option<civil::Date>, cx: &mut Cx<'_>) {
        match hit {
            Some(day) => self.turn_to(day, cx),
            None => cx.done("No further day that the query found"),
        }
    }

    fn toggle_hits(&mut self, _: &mut Cx<'_>) {
        self.days.only_hits = !self.days.only_hits;
    }

    fn again(&mut self, cx: &mut Cx<'_>) {
        self.unread = None;
        self.read(cx);
    }

    fn click_day(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        let today = day_of(&cx.now(), cx.settings);
        let look = DayLook { today, settings: cx.settings, view: cx.view, query: cx.query };
        if let Some(day) = self.days.day_at(mouse.column, mouse.row, &look) {
            self.focus = Focus::Days;
            self.turn_to(day, cx);
        }
    }

    fn ask_date(&mut self, _: &mut Cx<'_>) {
        self.goto = Some(GoTo::default());
    }

    fn type_date(&mut self, input: &TextInput, cx: &mut Cx<'_>) {
        let Some(goto) = &mut self.goto else { return };
        if !matches!(input, TextInput::Key(key) if key.code == KeyCode::Enter) {
            if goto.input.take(input) {
                goto.fault = false;
            }
            return;
        }
        let typed = goto.input.text().trim().to_owned();
        let Some(range) = dates::range(&typed, &cx.now()) else {
            goto.fault = !typed.is_empty();
            if typed.is_empty() {
                self.goto = None;
            }
            return;
        };
        self.goto = None;
        // The newest day of the range on which something was written.
        let within = |day: &civil::Date| (range.first..=range.last).contains(day);
        let written = cx.view.days.iter().map(|line| line.day).find(within);
        self.turn_to(written.unwrap_or(range.first), cx);
    }
}

// Reading.
impl Journal {
    fn with_text(&mut self, act: impl FnOnce(&mut Reading, &DayText)) {
        if let Some(text) = self.text() {
            act(&mut self.reading, &text);
        }
    }

    fn down(&mut self, _: &mut Cx<'_>) {
        self.with_text(|reading, text| reading.step(true, text));
    }

    fn up(&mut self, _: &mut Cx<'_>) {
        self.with_text(|reading, text| reading.step(false, text));
    }

    fn page_down(&mut self, _: &mut Cx<'_>) {
        self.with_text(|reading, text| reading.page(true, text));
    }

    fn page_up(&mut self, _: &mut Cx<'_>) {
        self.with_text(|reading, text| reading.page(false, text));
    }

    fn first(&mut self, _: &mut Cx<'_>) {
        self.with_text(|reading, text| reading.edge(false, text));
    }

    fn last(&mut self, _: &mut Cx<'_>) {
        self.with_text(|reading, text| reading.edge(true, text));
    }

    fn to_text(&mut self, _: &mut Cx<'_>) {
        self.focus = Focus::Text;
    }

    fn to_days(&mut self, _: &mut Cx<'_>) {
        self.focus = Focus::Days;
        self.full = false;
    }

    fn swap(&mut self, cx: &mut Cx<'_>) {
        if self.in_text() { self.to_days(cx) } else { self.to_text(cx) }
    }

    fn toggle_full(&mut self, _: &mut Cx<'_>) {
        self.full = !self.full;
    }

    fn copy(&mut self, cx: &mut Cx<'_>) {
        if let Some(known) = self.entry() {
            cx.copy(known.entry.body);
            cx.done("Copied");
        }
    }

    fn delete(&mut self, cx: &mut Cx<'_>) {
        if let Some(known) = self.entry() {
            cx.send(Request::Remove { base: known.entry });
        }
    }

    fn back(&mut self, cx: &mut Cx<'_>) {
        if self.goto.take().is_none() {
            self.to_days(cx);
        }
    }

    fn star(&mut self, cx: &mut Cx<'_>) {
        if let Some(known) = self.entry() {
            let star = (!known.entry.starred()).then(|| "true".to_owned());
            let change = Change { extra: vec![("star".to_owned(), star)], ..Change::default() };
            cx.send(Request::Edit { base: known.entry, change, draft: None });
        }
    }
}

// Writing.
impl Journal {
    /// Esc closes open offers first.
    fn leave(&mut self, cx: &mut Cx<'_>) {
        if self.composer.as_mut().is_some_and(|composer| !composer.close_offers()) {
            self.leave_composer(cx);
        }
    }

    fn draft_name(&mut self, cx: &Cx<'_>) -> DraftId {
        self.count += 1;
        offers::name(&cx.now(), self.count)
    }

    fn new_entry(&mut self, cx: &mut Cx<'_>) {
        if self.composer.is_none() {
            let draft = self.draft_name(cx);
            self.composer = Some(Composer::new(draft, ""));
        }
    }

    /// A new entry on the selected day; today it is simply now.
    fn new_here(&mut self, cx: &mut Cx<'_>) {
        let today = day_of(&cx.now(), cx.settings);
        let time = self.day().filter(|day| *day != today).map_or(String::new(), |day| format!("{day} 12:00"));
        let draft = self.draft_name(cx);
        self.composer = Some(Composer::new(draft, &time));
    }

    fn edit(&mut self, cx: &mut Cx<'_>) {
        if let Some(known) = self.entry() {
            let draft = self.draft_name(cx);
            self.composer = Some(Composer::edit(draft, known.entry));
        }
    }

    fn next_field(&mut self, _: &mut Cx<'_>) {
        if let Some(composer) = &mut self.composer {
            composer.next();
        }
    }

    fn previous_field(&mut self, _: &mut Cx<'_>) {
        if let Some(composer) = &mut self.composer {
            composer.previous();
        }
    }

    /// Keeps what was written as a draft and offers it; what is not worth keeping goes.
    fn leave_composer(&mut self, cx: &mut Cx<'_>) {
        let Some(mut composer) = self.composer.take() else { return };
        if !composer.is_worth_keeping() {
            if composer.was_kept() {
                cx.send(Request::DropDraft(composer.draft));
            }
            return;
        }
        if composer.is_unkept() {
            let draft = composer.keep();
            cx.send(Request::KeepDraft(draft));
        }
        self.offers.left(composer.as_draft());
        cx.done("Kept as a draft");
    }

    fn save(&mut self, cx: &mut Cx<'_>) {
        let Some(composer) = &mut self.composer else { return };
        match composer.save(&cx.now()) {
            Err(_) => {}
            Ok(None) => {
                self.leave_composer(cx);
                cx.done("Nothing to save");
            }
            Ok(Some(save)) => {
                let composer = self.composer.take();
                self.send_save(save, composer, cx);
            }
        }
    }

    /// Sends a save and shows it at once.
    fn send_save(&mut self, save: Save, composer: Option<Composer>, cx: &mut Cx<'_>) {
        self.count += 1;
        let entry = saving::expected(&save, &cx.now(), cx.settings.day_start, self.count);
        let draft = composer.as_ref().filter(|composer| composer.was_kept()).map(|composer| composer.draft.clone());
        let ticket = match save {
            Save::Append(new) => cx.send(Request::Append { new, draft }),
            Save::Edit(base, change) => cx.send(Request::Edit { base: *base, change, draft }),
        };
        self.show(&entry, cx);
        self.saving.push(Saving { ticket, entry, composer });
    }

    /// Turns to an entry, which stands in the cache from now on.
    fn show(&mut self, entry: &Entry, cx: &mut Cx<'_>) {
        self.cache.show(entry);
        self.turn_to(entry.day, cx);
        self.reading.select(entry.id.clone(), None);
    }

    fn edit_outside(&mut self, cx: &mut Cx<'_>) {
        match self.entry().filter(|known| !is_provisional(&known.entry.id)) {
            Some(known) => self.hand_over(known.entry.body.clone(), Handed::Edit(Box::new(known.entry)), cx),
            None => self.hand_over(String::new(), Handed::New, cx),
        }
    }

    fn write_outside(&mut self, cx: &mut Cx<'_>) {
        if let Some(composer) = &self.composer {
            self.hand_over(composer.body(), Handed::Composer, cx);
        }
    }

    fn hand_over(&mut self, text: String, handed: Handed, cx: &mut Cx<'_>) {
        if cx.settings.has_editor {
            self.handed = Some((cx.edit(text), handed));
        } else {
            cx.error("No editor is known: set $VISUAL or $EDITOR, or `editor` in the configuration");
        }
    }

    fn take_back(&mut self, handed: Handed, text: &str, cx: &mut Cx<'_>) {
        match handed {
            Handed::Composer => {
                if let Some(composer) = &mut self.composer {
                    let ended = composer.body().ends_with('\n');
                    composer.replace_body(if ended { text } else { without_last_newline(text) });
                }
            }
            Handed::New => {
                if text.trim().is_empty() {
                    return;
                }
                let draft = self.draft_name(cx);
                let mut composer = Composer::new(draft, "");
                composer.replace_body(without_last_newline(text));
                self.composer = Some(composer);
                self.save(cx);
            }
            Handed::Edit(base) => {
                let body = if base.body.ends_with('\n') { text } else { without_last_newline(text) };
                if body == base.body {
                    return cx.done("Nothing changed");
                }
                let draft = self.draft_name(cx);
                let mut composer = Composer::edit(draft, *base);
                composer.replace_body(body);
                self.composer = Some(composer);
                self.save(cx);
            }
        }
    }
}

// Drafts on offer.
impl Journal {
    fn continue_draft(&mut self, cx: &mut Cx<'_>) {
        let Some(draft) = self.offers.take() else { return };
        let Some(id) = draft.editing.clone() else {
            self.composer = Some(Composer::resume(&draft, None));
            return;
        };
        let catalog = cx.view.snapshot.as_ref().map(|snapshot| &snapshot.catalog);
        let day = catalog.and_then(|catalog| catalog.by_id(&id)).map(|known| known.day);
        let day = day.or_else(|| Some(dates::moment(&draft.time, &cx.now())?.date()));
        self.resuming = Some(draft);
        match day {
            Some(day) => {
                self.days.select(day);
                self.turned(cx);
            }
            None => self.resume(None, cx),
        }
    }

    /// Opens the draft that waited for its entry. Where the entry is gone, the text becomes a new one.
    fn resume(&mut self, base: Option<Entry>, cx: &mut Cx<'_>) {
        let Some(draft) = self.resuming.take() else { return };
        if base.is_none() {
            cx.done("The entry is not there any more: saving makes a new one");
        }
        self.composer = Some(Composer::resume(&draft, base));
    }

    fn discard_draft(&mut self, cx: &mut Cx<'_>) {
        let (Some(draft), Some(sentence)) = (self.offers.first().cloned(), self.offers.sentence()) else { return };
        let ticket = cx.confirm(format!("Discard {sentence}?"), "Discard", Request::DropDraft(draft.id.clone()));
        self.discarding = Some((ticket, draft));
    }
}

// Replies.
impl Journal {
    fn heard_day(
        &mut self,
        ticket: Ticket,
        day: civil::Date,
        entries: &[DayEntry],
        notices: &[Notice],
        cx: &mut Cx<'_>,
    ) {
        if !self.waiting.is_some_and(|(waiting, _)| waiting == ticket) && self.cache.day(day).is_none() {
            return;
        }
        self.cache.keep(day, DayText { entries: entries.to_vec(), notices: notices.to_vec() });
        for saving in &self.saving {
            if saving.entry.day == day {
                self.cache.show(&saving.entry);
            }
        }
        if self.waiting.is_some_and(|(waiting, _)| waiting == ticket) {
            self.waiting = None;
            self.unread = None;
            let id = self.resuming.as_ref().and_then(|draft| draft.editing.clone());
            if let Some(id) = id {
                let base = entries.iter().find(|known| known.entry.id == id).map(|known| known.entry.clone());
                self.resume(base, cx);
            }
        }
    }

    fn heard_written(&mut self, ticket: Ticket, done: &Written, cx: &mut Cx<'_>) {
        let own = self.saving.iter().position(|saving| saving.ticket == ticket).map(|at| self.saving.remove(at));
        if let Some(own) = &own {
            self.cache.take_off(own.entry.day, &own.entry.id);
        }
        match done {
            Written::Added(entry) | Written::Edited(entry) | Written::Unchanged(entry) | Written::Restored(entry) => {
                self.cache.show(entry);
                if own.is_some() || matches!(done, Written::Restored(_)) {
                    self.show(entry, cx);
                }
                if own.is_some() {
                    cx.done(if matches!(done, Written::Unchanged(_)) { "Nothing changed" } else { "Saved" });
                }
            }
            Written::KeptBoth { theirs, mine } => {
                self.cache.show(theirs);
                self.show(mine, cx);
                cx.error(
                    "Somebody changed this entry meanwhile: their text stands, and yours beside it as a second entry",
                );
            }
            Written::Removed(trashed) => {
                self.cache.take_off(trashed.entry.day, &trashed.entry.id);
                let time = trashed.entry.time.local();
                cx.done(format!(
                    "The entry of {:02}:{:02} is in the trash; u brings it back",
                    time.hour(),
                    time.minute()
                ));
            }
            Written::DraftDropped => {
                if let Some((_, draft)) = self.discarding.take_if(|(discarding, _)| *discarding == ticket) {
                    self.offers.remove(&draft.id);
                }
                return;
            }
            Written::Undone(_) | Written::NothingToUndo => {}
        }
        self.read(cx);
    }

    fn heard_failure(&mut self, ticket: Ticket, error: &EngineError, cx: &mut Cx<'_>) {
        if self.waiting.take_if(|(waiting, _)| *waiting == ticket).is_some() {
            self.unread = Some(error.to_string());
            if self.resuming.is_some() {
                self.resume(None, cx);
            }
        }
        let Some(at) = self.saving.iter().position(|saving| saving.ticket == ticket) else { return };
        let lost = self.saving.remove(at);
        self.cache.take_off(lost.entry.day, &lost.entry.id);
        if let Some(mut composer) = lost.composer {
            cx.error("Not saved. The text is still here");
            if self.composer.is_none() {
                self.composer = Some(composer);
            } else {
                let draft = composer.keep();
                self.offers.left(draft.clone());
                cx.send(Request::KeepDraft(draft));
            }
        }
        self.read(cx);
    }
}

// Drawing.
impl Journal {
    /// The line for a date takes the last row.
    fn split_goto(&self, area: Rect) -> (Rect, Rect) {
        let rows = u16::from(self.goto.is_some()).min(area.height);
        let line = Rect { y: area.bottom() - rows, height: rows, ..area };
        (Rect { height: area.height - rows, ..area }, line)
    }

    /// Nothing was ever written, as far as is known.
    fn is_new(&self, view: &View) -> bool {
        view.days.is_empty() && self.text().is_some_and(|text| text.entries.is_empty())
    }

    /// Days and text; where there is one column, the one with the keyboard.
    fn split(&self, area: Rect, look: &Look<'_>) -> (Rect, Rect) {
        let (width, nothing) = (look.width, Rect { width: 0, height: 0, ..area });
        let writing = self.composer.is_some();
        let text_first = writing || self.focus == Focus::Text || self.is_new(look.view);
        if self.full || (width == Width::One && text_first) {
            return (nothing, area);
        }
        if width == Width::One {
            return (area, nothing);
        }
        let days = Rect { width: DAYS_WIDTH.min(area.width), ..area };
        (days, Rect { x: days.right(), width: area.width - days.width, ..area })
    }

    fn draw_text(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        if let Some(composer) = &mut self.composer {
            return composer.draw(frame, area, look);
        }
        let area = self.draw_offer(frame, area, look);
        let Some(day) = self.day() else { return };
        let text = self.text();
        let empty = text.as_ref().is_some_and(|text| text.entries.is_empty());
        let focused = self.in_text();
        self.reading.draw(frame, area, day, text.as_deref(), look, focused);
        if let Some(error) = &self.unread {
            let again = look.key("journal.again");
            say(frame, below(area, 2), &[&format!("✗ {error}"), &format!("{again}  try again")], look, Role::Error);
        } else if self.is_new(look.view) {
            draw_welcome(frame, below(area, 2), look);
        } else if empty {
            let day_is_today = day == day_of(look.now, look.settings);
            let key = look.key(if day_is_today { "journal.new" } else { "journal.new-here" });
            let what = if day_is_today { "write about today" } else { "write about this day" };
            say(frame, below(area, 2), &["Nothing written.", "", &format!("{key}  {what}")], look, Role::Dim);
        }
        if let Some(text) = text.filter(|text| !text.notices.is_empty()) {
            let notices = match text.notices.len() {
                1 => "! 1 problem in this day's file".to_owned(),
                n => format!("! {n} problems in this day's file"),
            };
            let y = area.bottom().saturating_sub(1);
            Pen::new(area.x + 2, y, area.width.saturating_sub(2)).write(
                frame.buffer_mut(),
                &notices,
                look.style(Role::Warn),
            );
        }
    }

    /// The draft on offer, above the day.
    fn draw_offer(&self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) -> Rect {
        let Some(sentence) = self.offers.sentence().filter(|_| area.height > 4) else { return area };
        let (go_on, discard) = (look.key("journal.continue-draft"), look.key("journal.discard-draft"));
        let mut pen = Pen::new(area.x + 2, area.y, area.width.saturating_sub(2));
        pen.write(frame.buffer_mut(), &sentence, look.style(Role::Warn));
        pen.write(frame.buffer_mut(), ": ", look.style(Role::Dim));
        for (key, what) in [(go_on, " continues, "), (discard, " discards")] {
            pen.write(frame.buffer_mut(), &key, look.style(Role::Key));
            pen.write(frame.buffer_mut(), what, look.style(Role::Dim));
        }
        below(area, 2)
    }

    fn draw_goto(&mut self, frame: &mut Frame<'_>, line: Rect, look: &Look<'_>) {
        let Some(goto) = self.goto.as_mut().filter(|_| !line.is_empty()) else { return };
        let mut pen = Pen::new(line.x + 1, line.y, line.width.saturating_sub(1));
        pen.write(frame.buffer_mut(), "go to ", look.style(Role::Accent));
        let field = Rect { x: pen.x, width: line.right().saturating_sub(pen.x).min(30), ..line };
        goto.input.draw(frame, field, look.style(Role::Text).underlined(), &[], look.focused);
        let (hint, role) = if goto.fault {
            ("✗ no date; try “last friday” or “2024-03”", Role::Error)
        } else {
            ("yesterday, last friday, march 2024 …", Role::Dim)
        };
        let x = field.right() + 2;
        if x < line.right() {
            let room = line.right() - x;
            Pen::new(x, line.y, room).write(frame.buffer_mut(), &cells::truncate(hint, room.into()), look.style(role));
        }
    }
}

fn draw_border(frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
    for y in area.y..area.bottom() {
        Pen::new(area.x, y, 1).write(frame.buffer_mut(), "│", look.style(Role::Border));
    }
}

/// An empty journal says what to press.
fn draw_welcome(frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
    let (new, help) = (look.key("journal.new"), look.key("app.help"));
    let find = look.key("app.find");
    let lines = [
        "This journal is empty.".to_owned(),
        String::new(),
        format!("{new}  write the first entry"),
        format!("{find}  search, once there is something to find"),
        format!("{help}  see every key"),
        String::new(),
        "To look around first: leave and run `kioku demo`.".to_owned(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    say(frame, area, &lines, look, Role::Text);
}

fn say(frame: &mut Frame<'_>, area: Rect, lines: &[&str], look: &Look<'_>, role: Role) {
    for (nth, line) in lines.iter().enumerate().take(usize::from(area.height)) {
        let y = area.y + nth as u16;
        for x in area.x..area.right() {
            frame.buffer_mut()[(x, y)].reset();
        }
        let room = area.width.saturating_sub(2);
        let line = cells::truncate(line, room.into());
        Pen::new(area.x + 2, y, room).write(frame.buffer_mut(), &line, look.style(role));
    }
}

/// Editors end a file with a line break that nobody typed.
fn without_last_newline(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}
