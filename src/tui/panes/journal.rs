//! The Journal pane: calendar and days beside the entries of one day, and the entry form.

mod beside;
mod cache;
mod commands;
mod day_notice;
mod days;
mod landing;
mod line;
mod links;
mod marking;
mod navigation;
mod offers;
mod openings;
mod proposals;
mod reading;
mod related;
mod replies;
mod saving;
mod screen;
#[cfg(test)]
mod session_tests;
mod templates;
#[cfg(test)]
mod tests;
mod writing;

use std::{rc::Rc, sync::Arc, time::Duration};

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use self::{
    cache::DayCache,
    days::Days,
    landing::Landing,
    line::Line,
    marking::Marks,
    offers::Offers,
    proposals::Proposals,
    reading::Reading,
    related::Related,
    saving::{Saving, is_provisional},
    templates::Picking,
};
use crate::{
    index::EntryKey,
    journal::{Draft, DraftId, EntryId},
    session::{DayLine, Reply, Request, Response, Ticket, View},
    tui::{
        Edited, Motion, Mouse, MouseKind, RenderContext, Screen, Target, TextInput, UpdateContext, composer::Composer,
        split_bottom,
    },
};

/// Minimum width of the pane for the calendar, unless it is switched on.
const WITH_CALENDAR: u16 = 120;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Focus {
    #[default]
    Days,
    Text,
    /// The column of related entries.
    Related,
}

/// Purpose of a text in the external editor.
#[derive(Debug)]
enum Handed {
    /// A new entry, or one to edit, saved at once.
    Entry(Box<Composer>),
    /// The open form.
    Composer,
}

/// The view's state when the day was last requested: it is read again only after a change.
#[derive(Debug, Clone, PartialEq, Default)]
struct Seen {
    days: Arc<Vec<DayLine>>,
    checkpoint: Option<u64>,
    /// The selected day's entries in the index: their names come with them.
    entries: Vec<(EntryKey, u64)>,
    /// Address of the graph: another graph may have other names for the same entries.
    graph: usize,
}

impl Seen {
    fn of(view: &View, day: Option<civil::Date>) -> Self {
        let snapshot = view.snapshot.as_ref();
        let catalog = snapshot.map(|snapshot| &snapshot.catalog);
        let entries = catalog.zip(day).into_iter().flat_map(|(catalog, day)| catalog.day(day));
        Self {
            days: Arc::clone(&view.days),
            checkpoint: snapshot.map(|snapshot| snapshot.checkpoint),
            entries: entries.map(|known| (known.key, known.fingerprint)).collect(),
            graph: snapshot.map_or(0, |snapshot| Arc::as_ptr(&snapshot.graph).addr()),
        }
    }
}

#[derive(Debug, Default)]
pub struct Journal {
    days: Days,
    reading: Reading,
    cache: DayCache,
    focus: Focus,
    landing: Landing,
    /// Another pane opened the entry on screen: Esc goes back there.
    is_visit: bool,
    /// Another pane opened the form: leaving it goes back there.
    is_form_visit: bool,
    /// The list of days is hidden.
    full: bool,
    waiting: Option<(Ticket, civil::Date)>,
    /// Why the selected day could not be read.
    unread: Option<String>,
    composer: Option<Composer>,
    /// The form has the whole screen (focus mode).
    alone: bool,
    picking: Picking,
    saving: Vec<Saving>,
    /// Closed forms whose draft is not on disk yet.
    left: Vec<Composer>,
    handed: Option<(Ticket, Handed)>,
    marks: Marks,
    /// A change of several entries that was sent.
    several: Option<Ticket>,
    exporting: Option<Ticket>,
    offers: Offers,
    /// The form of a new entry that was opened before the drafts were known.
    early: Option<DraftId>,
    proposals: Proposals,
    /// The draft of an edit, waiting for its entry to be read.
    resuming: Option<Draft>,
    /// Input typed in the meantime, for the form that opens then.
    typed_ahead: Vec<TextInput>,
    discarding: Option<(Ticket, Draft)>,
    /// The open input line at the bottom of the pane.
    line: Option<Line>,
    /// A filter was set: the first answer selects a day that passes.
    aims: bool,
    searching: bool,
    seen: Seen,
    /// Drafts of earlier sessions were requested.
    started: bool,
    /// Counts drafts and saves of this session, for their names.
    count: u64,
    days_area: Rect,
    related: Related,
    /// The link that was opened last, and its entry.
    opened_link: Option<(EntryId, usize)>,
    /// Of the last draw.
    size: (u16, u16),
}

// Conditions.
impl Journal {
    fn is_reading(&self) -> bool {
        self.composer.is_none() && self.line.is_none() && self.resuming.is_none()
    }

    fn is_writing(&self) -> bool {
        self.composer.is_some() && self.line.is_none() && !self.is_picking()
    }

    fn is_finding(&self) -> bool {
        self.is_writing() && self.composer.as_ref().is_some_and(Composer::is_finding)
    }

    fn in_days(&self) -> bool {
        self.is_reading() && self.focus == Focus::Days && !self.full
    }

    fn in_text(&self) -> bool {
        self.is_reading() && self.focus != Focus::Related && (self.focus == Focus::Text || self.full)
    }

    fn is_searching(&self) -> bool {
        self.is_reading() && self.searching
    }

    fn offers_draft(&self) -> bool {
        self.is_reading() && self.offers.first().is_some()
    }

    fn proposes(&self) -> bool {
        self.is_reading() && !self.proposals.is_empty()
    }

    fn has_entry(&self) -> bool {
        let written =
            |text: &Rc<cache::DayText>| self.reading.entry(text).is_some_and(|known| !is_provisional(&known.entry.id));
        self.is_reading() && self.text().as_ref().is_some_and(written)
    }

    /// Whether nothing was written on the selected day, as far as it was read.
    fn is_on_empty_day(&self) -> bool {
        self.text().is_some_and(|text| text.entries.is_empty() && text.notices.is_empty())
    }

    fn follows(&self) -> bool {
        self.in_text() && self.has_entry()
    }
}

impl Screen for Journal {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        if area.is_empty() {
            return;
        }
        let today = context.today();
        self.days.today = Some(today);
        if self.days.selected().is_none() {
            self.days.select(today);
        }
        let whole = area;
        self.size = (area.width, area.height);
        let (area, line) = split_bottom(area, u16::from(self.line.is_some()));
        let area = self.split_related(frame, area, context);
        let (mut days, text) = self.split(frame, area, context);
        if text.is_empty() {
            days = self.draw_notices(frame, days, context);
        }
        self.days_area = days;
        if !days.is_empty() {
            let focused = self.in_days();
            self.days.has_room = whole.width >= WITH_CALENDAR && !context.settings.is_plain;
            self.days.draw(frame, days, context, focused);
        }
        // Without room for a column, the list is in the place of the text.
        if self.in_related() && self.related.area.is_empty() {
            self.draw_related(frame, Rect { width: text.width.min(crate::tui::MEASURE + 2), ..text }, context);
        } else if !text.is_empty() {
            self.draw_text(frame, text, context);
        }
        if let Some(asked) = &mut self.line {
            asked.draw(frame, line, context);
        }
        if let Some(menu) = &mut self.picking.menu {
            menu.draw(frame, whole, context);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        self.proposals.take(reply, cx);
        self.heard_of_drafts(reply, cx);
        self.days.openings.take(reply);
        self.related.take(reply, cx.now().date());
        match reply {
            Reply::To(ticket, Response::Day { day, entries, notices }) => {
                self.heard_day(*ticket, *day, entries, notices, cx)
            }
            Reply::To(ticket, Response::Written(done)) => self.heard_written(*ticket, done, cx),
            Reply::To(ticket, Response::DraftDropped) => self.heard_discarded(*ticket, cx),
            Reply::To(ticket, Response::FileWritten { path, entries })
                if self.exporting.take_if(|own| own == ticket).is_some() =>
            {
                self.heard_exported(path, *entries, cx);
            }
            Reply::To(ticket, Response::Drafts(drafts)) if Some(*ticket) == self.offers.asked => {
                self.offers.found(drafts);
                self.resume_early(cx);
            }
            Reply::To(ticket, Response::Templates(templates)) => {
                self.picking.heard(*ticket, templates);
                self.ask_question(cx);
            }
            Reply::ViewChanged if self.unread.is_some() || Seen::of(cx.view, self.day()) != self.seen => {
                self.arrive(cx);
            }
            Reply::To(ticket, Response::Failed(error)) => self.heard_failure(*ticket, error, cx),
            _ => {}
        }
    }

    fn wants_text(&self) -> bool {
        self.composer.is_some() || self.line.is_some() || self.resuming.is_some()
    }

    fn wants_screen(&self) -> bool {
        self.alone && self.is_writing()
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if let Some(menu) = &mut self.picking.menu {
            menu.take(&input);
        } else if self.line.is_some() {
            self.type_line(&input, cx);
        } else if let Some(composer) = &mut self.composer {
            composer.take(input, cx);
        } else if self.resuming.is_some() {
            self.typed_ahead.push(input);
        } else if let TextInput::Pasted(text) = input {
            // A paste outside of any field becomes a new entry, so that it neither runs commands nor gets lost.
            self.new_entry(cx);
            self.in_form(|form| form.take(TextInput::Pasted(text), cx));
        }
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        if self.days.selected().is_none() {
            self.days.select(cx.today());
        }
        if !std::mem::replace(&mut self.started, true) {
            self.offers.asked = Some(cx.send(Request::Drafts));
            self.picking.ask(cx);
        }
        self.searching = cx.query.is_on();
        self.related.resume();
        self.arrive(cx);
    }

    fn on_hide(&mut self) {
        (self.is_visit, self.is_form_visit) = (false, false);
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        self.landing = Landing::Done;
        if target.compose {
            let is_new = self.composer.is_none();
            self.is_form_visit |= is_new && target.visit;
            if target.text.is_none() && target.tags.is_empty() {
                return self.new_or_draft(cx);
            }
            self.new_entry(cx);
            if let Some(composer) = &mut self.composer {
                composer.add_tags(&target.tags);
                if let Some(text) = &target.text {
                    composer.take(TextInput::Pasted(text.clone()), cx);
                }
                if is_new {
                    composer.begins_here();
                }
            }
            return;
        }
        let known = || Some(cx.view.snapshot.as_ref()?.catalog.by_id(target.entry.as_ref()?)?.day);
        if let Some(day) = target.day.or_else(known) {
            self.turn_to(day, cx);
            self.focus = Focus::Days;
        }
        self.is_visit = target.visit;
        if target.only_hits {
            (self.days.only_hits, self.aims, self.focus) = (true, true, Focus::Days);
        }
        if let Some(entry) = &target.entry {
            self.reading.select(entry.clone(), target.span.clone(), target.quote.clone());
            self.focus = Focus::Text;
        }
    }

    fn place(&self) -> Target {
        if self.composer.is_some() {
            return Target::default();
        }
        let entry = self.entry().filter(|_| self.in_text() || self.in_related()).map(|known| known.entry.id);
        Target { day: self.day(), entry, visit: self.is_visit, only_hits: self.days.only_hits, ..Target::default() }
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        self.searching = cx.query.is_on();
        self.days.only_hits &= self.searching;
        self.days.is_blank &= self.days.only_hits && cx.query.sure() == 0;
        self.aim(cx);
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        if let Some(menu) = &mut self.picking.menu {
            menu.picker.list.go(motion);
        } else if self.in_days() {
            self.go_days(motion, cx);
        } else if self.in_related() {
            self.related.lines.go(motion);
        } else if let Some(text) = self.text() {
            self.reading.motion(motion, &text);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if self.is_picking() {
            self.point_in_menu(mouse, cx);
        } else if self.related.area.contains(mouse.at) && self.composer.is_none() {
            match mouse.kind {
                MouseKind::Wheel(by) => self.related.lines.go(Motion::Lines(by)),
                MouseKind::Click => {
                    self.focus = Focus::Related;
                    if self.related.lines.click(mouse) {
                        self.related.lines.open_source(cx);
                    }
                }
                MouseKind::Drag => {}
            }
        } else if self.resuming.is_some() {
            // The form is about to open over this area.
        } else if self.days_area.contains(mouse.at) && self.composer.is_none() {
            match mouse.kind {
                MouseKind::Wheel(by) => self.go_days(Motion::Lines(by), cx),
                MouseKind::Click => self.click_day(mouse, cx),
                MouseKind::Drag => {}
            }
        } else if let Some(composer) = &mut self.composer {
            composer.on_mouse(mouse);
        } else {
            match mouse.kind {
                MouseKind::Wheel(by) => self.reading.scroll(3 * by),
                MouseKind::Click => {
                    if let Some(text) = self.text()
                        && let Some(again) = self.reading.point(mouse.at, &text)
                    {
                        self.focus = Focus::Text;
                        if again {
                            self.follow(cx);
                        }
                    }
                }
                MouseKind::Drag => {}
            }
        }
    }

    fn on_edited(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>) {
        let Some((_, handed)) = self.handed.take_if(|(ticket, _)| *ticket == edited.ticket) else { return };
        match &edited.text {
            Ok(text) => self.finish_external_edit(handed, text, cx),
            Err(message) => {
                self.put_back(handed);
                cx.error(message.clone());
            }
        }
    }

    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        if cx.in_front {
            self.days.ask_openings(cx);
        }
        let related = self.ask_related(cx);
        self.keep_drafts(cx).into_iter().chain(related).min()
    }

    fn forms(&mut self) -> Vec<&mut Composer> {
        let saving = self.saving.iter_mut().filter_map(|saving| saving.composer.as_mut());
        self.composer.iter_mut().chain(saving).chain(&mut self.left).collect()
    }
}
