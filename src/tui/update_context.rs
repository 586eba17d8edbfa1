//! The context of an update: what a pane may read and request while it handles an event.
//!
//! A pane cannot reach the terminal, a file, another pane or the session: it leaves effects and intents here.

use std::{ops::Range, path::PathBuf, time::Duration};

use jiff::{ToSpan, Zoned, civil};

use super::{effect::Effect, query::SharedQuery};
use crate::{
    clock::Clock,
    insight::Evidence,
    journal::{EntityKind, EntryId},
    search::Legs,
    session::{Request, Ticket, View},
};

/// What the configuration says that panes need to know.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Name of the journal, for the top bar.
    pub journal: String,
    /// First column of a calendar.
    pub week_starts: civil::Weekday,
    /// When a day starts, for the day that a new entry belongs to.
    pub day_start: civil::Time,
    pub mouse: bool,
    /// Whether an external editor is known.
    pub has_editor: bool,
    /// What `~` means in a path that is typed.
    pub home: Option<PathBuf>,
    /// Without a key for so long, the screen goes blank; never where absent.
    pub blank_after: Option<Duration>,
    /// The text is blurred from the start.
    pub blurred: bool,
}

impl Settings {
    /// The path that is typed: a leading `~/` is the home folder, where that is known.
    pub fn path(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(typed),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            journal: "personal".to_owned(),
            week_starts: civil::Weekday::Monday,
            day_start: civil::Time::midnight(),
            mouse: true,
            has_editor: false,
            home: None,
            blank_after: None,
            blurred: false,
        }
    }
}

/// Typed text is sent to be kept as a draft this long after its first unsaved key, whether or not typing goes on. A draft is to
/// be durable within a second: the rest is for the disk.
pub const DRAFT_DELAY: Duration = Duration::from_millis(400);

/// The day that belongs to a moment, for a writer whose day starts later than midnight.
pub fn day_of(now: &Zoned, settings: &Settings) -> civil::Date {
    let day = now.date();
    if now.time() < settings.day_start { day.yesterday().unwrap_or(day) } else { day }
}

/// A journal whose last day is longer ago than this is looked at from there: what is counted over the last 30 days would be
/// nothing.
const LONG_AGO: i32 = 30;

/// The day that "lately" is counted up to: today, or the last day of a journal that ended long ago.
pub fn seen_from(now: &Zoned, settings: &Settings, view: &View) -> civil::Date {
    let today = day_of(now, settings);
    let last = view.days.first().map(|line| line.day);
    last.filter(|last| *last < today.saturating_sub(LONG_AGO.days())).unwrap_or(today)
}

/// Something to look at in a pane, usually another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// [`super::pane::Pane::NAME`].
    pub pane: &'static str,
    pub day: Option<civil::Date>,
    pub entry: Option<EntryId>,
    /// The bytes of the entry's body to bring into view.
    pub span: Option<Range<usize>>,
    /// Words of the entry's body to bring into view and to mark, where nobody knows their bytes.
    pub quote: Option<String>,
    /// A name or a question, for panes that are about one.
    pub text: Option<String>,
    /// What `text` is the name of; where it is not given, whatever goes by that name.
    pub kind: Option<EntityKind>,
    /// What lies between `text` and this name; empty: still to be named.
    pub other: Option<String>,
    /// Start writing a new entry there.
    pub compose: bool,
    /// Tags that the new entry begins with.
    pub tags: Vec<String>,
    /// The pane that it was opened from, if another one; the application fills it in.
    pub from: Option<&'static str>,
}

/// The panes that others open, each spelled here alone.
impl Target {
    pub fn to(pane: &'static str) -> Self {
        Self { pane, ..Self::default() }
    }

    pub fn journal() -> Self {
        Self::to("journal")
    }

    pub fn search() -> Self {
        Self::to("search")
    }

    pub fn entity(name: String, kind: Option<EntityKind>) -> Self {
        Self { text: Some(name), kind, ..Self::to("entities") }
    }

    /// What led to a name, an entry, a day.
    pub fn why(text: String) -> Self {
        Self { text: Some(text), ..Self::to("why") }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastLevel {
    /// Goes away by itself.
    Done,
    /// Stays until a key is pressed.
    Error,
}

/// What a pane wants of the application around it.
#[derive(Debug, Clone)]
pub enum Intent {
    Toast(ToastLevel, String),
    Open(Target),
    Query {
        text: String,
        legs: Legs,
    },
    /// Asks first; yes sends the request under the ticket.
    Confirm {
        question: String,
        yes: &'static str,
        ticket: Ticket,
        request: Box<Request>,
    },
    Overlay(OverlayName),
    /// Closes the overlay in front.
    Close,
    /// Shows the pane at this position.
    Tab(usize),
    /// Runs a command by name, as the palette does.
    Run(&'static str),
    /// Shows every letter as a block, or as it is again.
    Blur,
    /// Shows nothing until a key is pressed.
    Blank,
    /// Draws every cell anew.
    Redraw,
    Quit,
}

/// Overlays that a command can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayName {
    Help,
    Palette,
    Problems,
    Trash,
    Saved,
}

/// What an update leaves behind.
#[derive(Debug, Default)]
pub struct Effects {
    pub effects: Vec<Effect>,
    pub intents: Vec<Intent>,
    last_ticket: u64,
}

impl Effects {
    /// Tickets are given out here, so that a pane knows its ticket before the session has the request.
    pub fn ticket(&mut self) -> Ticket {
        self.last_ticket += 1;
        Ticket(self.last_ticket)
    }

    pub fn send(&mut self, request: Request) -> Ticket {
        let ticket = self.ticket();
        self.effects.push(Effect::Send { ticket, request: Box::new(request) });
        ticket
    }
}

/// The world as a pane sees it while it handles an event.
pub struct UpdateContext<'a> {
    pub clock: &'a Clock,
    /// Since the application started, monotonic: what deadlines are counted in.
    pub elapsed: Duration,
    pub settings: &'a Settings,
    pub view: &'a View,
    pub query: &'a SharedQuery,
    /// The pane is the one on screen: others ask when they come to the front.
    pub in_front: bool,
    /// While a pane comes to the front: it is opened on a target, which follows at once. Who would ask for what was looked at
    /// last, asks for the target alone.
    pub opening: bool,
    pub out: &'a mut Effects,
}

impl UpdateContext<'_> {
    pub fn now(&self) -> Zoned {
        self.clock.now()
    }

    /// See [`seen_from`].
    pub fn seen_from(&self) -> civil::Date {
        seen_from(&self.now(), self.settings, self.view)
    }

    /// Sends a request; its replies come to [`super::pane::Screen::on_reply`] with this ticket.
    pub fn send(&mut self, request: Request) -> Ticket {
        self.out.send(request)
    }

    /// Asks the person first ("Delete the entry of 15:30?", "Delete"); the request goes out if they agree.
    pub fn confirm(&mut self, question: impl Into<String>, yes: &'static str, request: Request) -> Ticket {
        let ticket = self.out.ticket();
        self.out.intents.push(Intent::Confirm { question: question.into(), yes, ticket, request: Box::new(request) });
        ticket
    }

    /// Opens the user's editor on a text; the answer comes to [`super::pane::Screen::on_edited`].
    pub fn edit(&mut self, text: impl Into<String>) -> Ticket {
        let ticket = self.out.ticket();
        self.out.effects.push(Effect::Edit { ticket, text: text.into() });
        ticket
    }

    pub fn copy(&mut self, text: impl Into<String>) {
        self.out.effects.push(Effect::Copy(text.into()));
    }

    /// Shows a pane, looking at the target.
    pub fn open(&mut self, target: Target) {
        self.out.intents.push(Intent::Open(target));
    }

    /// The day of an entry. One that no index knows yet may go by its time, which has the day in it.
    pub fn day_of(&self, entry: &EntryId) -> Option<civil::Date> {
        let known = self.view.snapshot.as_ref().and_then(|snapshot| Some(snapshot.catalog.by_id(entry)?.day));
        known.or_else(|| entry.as_str().get(..10)?.parse().ok())
    }

    /// Opens the entry that a quote comes from, at the quote.
    pub fn open_source(&mut self, quote: &Evidence) {
        let day = self.day_of(&quote.id).or_else(|| quote.time.get(..10)?.parse().ok());
        let (entry, quote) = (Some(quote.id.clone()), Some(quote.text.clone()));
        self.open(Target { day, entry, quote, ..Target::journal() });
    }

    /// Sets the query that all panes share; an empty text clears it.
    pub fn search(&mut self, text: impl Into<String>, legs: Legs) {
        self.out.intents.push(Intent::Query { text: text.into(), legs });
    }

    /// A short word that something worked.
    pub fn done(&mut self, text: impl Into<String>) {
        self.out.intents.push(Intent::Toast(ToastLevel::Done, text.into()));
    }

    /// A failed action: stays on screen until a key is pressed.
    pub fn error(&mut self, text: impl Into<String>) {
        self.out.intents.push(Intent::Toast(ToastLevel::Error, text.into()));
    }

    pub fn show(&mut self, overlay: OverlayName) {
        self.out.intents.push(Intent::Overlay(overlay));
    }

    /// Closes the overlay in front.
    pub fn close(&mut self) {
        self.out.intents.push(Intent::Close);
    }

    pub fn quit(&mut self) {
        self.out.intents.push(Intent::Quit);
    }
}
