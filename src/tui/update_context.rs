//! The context of an update: what a pane may read and request while it handles an event.
//!
//! A pane cannot access the terminal, a file, another pane or the session: it records effects and intents here.

use std::{ops::Range, path::PathBuf, time::Duration};

use jiff::{ToSpan, Zoned, civil};

use super::{effect::Effect, query::SharedQuery};
use crate::{
    clock::Clock,
    journal::{EntityKind, EntryId},
    search::Legs,
    session::{Request, Ticket, View},
};

/// Settings from the configuration that panes use.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Name of the journal, for the top bar.
    pub journal: String,
    /// Journals to switch to, by name; none where the folder was given.
    pub journals: Vec<String>,
    /// The folder of the day files: links to files are relative to these.
    pub folder: Option<PathBuf>,
    /// The folder of the journal, which has the attachments.
    pub root: Option<PathBuf>,
    /// First column of a calendar.
    pub week_starts: civil::Weekday,
    /// The time at which a day starts, for the day of a new entry.
    pub day_start: civil::Time,
    pub mouse: bool,
    /// Whether an external editor is configured.
    pub has_editor: bool,
    /// A typed path may start with `~`.
    pub has_home: bool,
    /// Time without input until the screen goes blank; `None`: never.
    pub blank_after: Option<Duration>,
    /// The text is blurred from the start.
    pub blurred: bool,
    /// Whether the words of a new entry may propose a record.
    pub propose_records: bool,
    /// For screen readers: see `plain_screen`.
    pub is_plain: bool,
    /// Nothing changes by itself: messages stay until a key is pressed, progress has no figures.
    pub reduced_motion: bool,
}

impl Settings {
    /// Where a file is exported to: into the home folder, unless its name says another one.
    pub fn export_path(&self, name: &str) -> String {
        let is_bare = self.has_home && !name.starts_with('~') && std::path::Path::new(name).is_relative();
        format!("{}{name}", if is_bare { "~/" } else { "" })
    }
}

#[cfg(any(test, feature = "lab"))]
impl Default for Settings {
    fn default() -> Self {
        Self {
            journal: "personal".to_owned(),
            journals: Vec::new(),
            folder: None,
            root: None,
            week_starts: civil::Weekday::Monday,
            day_start: civil::Time::midnight(),
            mouse: true,
            has_editor: false,
            has_home: false,
            blank_after: None,
            blurred: false,
            propose_records: false,
            is_plain: false,
            reduced_motion: false,
        }
    }
}

/// Delay between the first unsaved key and the draft that saves it, whether or not typing continues. A draft must be
/// durable within a second: the rest of the time is for the disk.
pub const DRAFT_DELAY: Duration = Duration::from_millis(400);

/// The day of a moment, for a day that starts later than midnight.
pub fn day_of(now: &Zoned, settings: &Settings) -> civil::Date {
    let day = now.date();
    if now.time() < settings.day_start { day.yesterday().unwrap_or(day) } else { day }
}

/// If the last day with entries is longer ago than this, statistics count from there, because the last 30 days would
/// be empty.
const LONG_AGO: i32 = 30;

/// The last day of "recent" statistics: today, or the last day of a journal that ended long ago.
pub fn seen_from(now: &Zoned, settings: &Settings, view: &View) -> civil::Date {
    let today = day_of(now, settings);
    let last = view.days.first().map(|line| line.day);
    last.filter(|last| *last < today.saturating_sub(LONG_AGO.days())).unwrap_or(today)
}

/// A target to open in a pane, usually another one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// [`super::pane::Pane::NAME`].
    pub pane: &'static str,
    pub day: Option<civil::Date>,
    pub entry: Option<EntryId>,
    /// The bytes of the entry's body to scroll to.
    pub span: Option<Range<usize>>,
    /// A quote from the entry's body to scroll to and to highlight, where its bytes are unknown.
    pub quote: Option<String>,
    /// A name or a question, for panes that show one.
    pub text: Option<String>,
    /// The kind of `text` as a name; if `None`, any kind.
    pub kind: Option<EntityKind>,
    /// The second name for chains from `text`; empty: to be typed.
    pub other: Option<String>,
    /// Start a new entry there.
    pub compose: bool,
    /// Tags of the new entry.
    pub tags: Vec<String>,
    /// Select it in the list, without opening it.
    pub listed: bool,
    /// Only the days with hits of the shared query, the nearest one selected.
    pub only_hits: bool,
    /// Another pane opened it: Esc goes back there. Set by the application.
    pub visit: bool,
}

/// Constructors for the panes that others open, so that each name is spelled once.
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

    /// The causes of a name, an entry, a day.
    pub fn why(text: String) -> Self {
        Self { text: Some(text), ..Self::to("why") }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToastLevel {
    /// About the last action: disappears after a time, or with the next one.
    Done,
    /// About something else: disappears after a time.
    Notice,
    /// Stays until a key is pressed.
    Error,
}

/// A request of a pane to the application.
#[derive(Debug, Clone)]
pub enum Intent {
    Toast(ToastLevel, String),
    Open(Target),
    /// Goes back or forward in the history of places.
    Travel {
        forward: bool,
    },
    Query {
        text: String,
        legs: Legs,
    },
    /// Clears the shared query; going back brings it back.
    ClearQuery,
    /// Asks for confirmation first; yes sends the request under the ticket.
    Confirm {
        question: String,
        yes: &'static str,
        ticket: Ticket,
        request: Box<Request>,
    },
    Overlay(OverlayName),
    /// Closes the top overlay.
    Close,
    /// Shows the pane at this position.
    Tab(usize),
    /// Runs a command by name, as the palette does.
    Run(&'static str),
    /// Switches the theme.
    Theme(&'static str),
    /// Shows the effect of a command before it is run, if it is a theme.
    Preview(&'static str),
    /// Toggles the blur.
    Blur,
    /// Blanks the screen until a key is pressed.
    Blank,
    /// Quits, to open another journal.
    Switch(String),
    Quit,
}

/// Overlays that a command can open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayName {
    Help,
    Palette,
    Problems,
    Trash,
    Records,
    Saved,
    Journals,
}

/// Results of an update.
#[derive(Debug, Default)]
pub struct Effects {
    pub effects: Vec<Effect>,
    pub intents: Vec<Intent>,
    last_ticket: u64,
}

impl Effects {
    /// Tickets are created here, so that a pane knows its ticket before the session has the request.
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

/// The state that a pane may read while it handles an event.
pub struct UpdateContext<'a> {
    pub clock: &'a Clock,
    /// Monotonic time since the application started: the time base of deadlines.
    pub elapsed: Duration,
    pub settings: &'a Settings,
    pub view: &'a View,
    pub query: &'a SharedQuery,
    /// The pane is visible: others send requests when they become visible.
    pub in_front: bool,
    /// The pane becomes visible because it opens a target, which follows at once: the pane should not request its
    /// previous content first.
    pub opening: bool,
    pub out: &'a mut Effects,
}

impl UpdateContext<'_> {
    pub fn now(&self) -> Zoned {
        self.clock.now()
    }

    /// The day of an entry that is written now.
    pub fn today(&self) -> civil::Date {
        day_of(&self.now(), self.settings)
    }

    /// See [`seen_from`].
    pub fn seen_from(&self) -> civil::Date {
        seen_from(&self.now(), self.settings, self.view)
    }

    /// Sends a request; its replies come to [`super::pane::Screen::on_reply`] with this ticket.
    pub fn send(&mut self, request: Request) -> Ticket {
        self.out.send(request)
    }

    /// Asks for confirmation first ("Delete the entry of 15:30?", "Delete"); the request is sent if the user agrees.
    pub fn confirm(&mut self, question: impl Into<String>, yes: &'static str, request: Request) -> Ticket {
        let ticket = self.out.ticket();
        self.out.intents.push(Intent::Confirm { question: question.into(), yes, ticket, request: Box::new(request) });
        ticket
    }

    /// Opens the user's editor on a text; the result comes to [`super::pane::Screen::on_edited`].
    pub fn edit(&mut self, text: impl Into<String>) -> Ticket {
        let ticket = self.out.ticket();
        self.out.effects.push(Effect::Edit { ticket, text: text.into() });
        ticket
    }

    pub fn copy(&mut self, text: impl Into<String>) {
        self.out.effects.push(Effect::Copy(text.into()));
    }

    /// Shows a pane with the target.
    pub fn open(&mut self, target: Target) {
        self.out.intents.push(Intent::Open(target));
    }

    /// Goes back or forward in the history of places.
    pub fn travel(&mut self, forward: bool) {
        self.out.intents.push(Intent::Travel { forward });
    }

    /// The day of an entry. If it is not indexed yet, its id may start with the day.
    pub fn day_of(&self, entry: &EntryId) -> Option<civil::Date> {
        let known = self.view.snapshot.as_ref().and_then(|snapshot| Some(snapshot.catalog.by_id(entry)?.day));
        known.or_else(|| entry.as_str().get(..10)?.parse().ok())
    }

    /// Sets the shared query; an empty text clears it.
    pub fn search(&mut self, text: impl Into<String>, legs: Legs) {
        self.out.intents.push(Intent::Query { text: text.into(), legs });
    }

    /// Shows a short success message.
    pub fn done(&mut self, text: impl Into<String>) {
        self.out.intents.push(Intent::Toast(ToastLevel::Done, text.into()));
    }

    /// Shows an error, which stays on screen until a key is pressed.
    pub fn error(&mut self, text: impl Into<String>) {
        self.out.intents.push(Intent::Toast(ToastLevel::Error, text.into()));
    }

    pub fn show(&mut self, overlay: OverlayName) {
        self.out.intents.push(Intent::Overlay(overlay));
    }

    /// Closes the top overlay.
    pub fn close(&mut self) {
        self.out.intents.push(Intent::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_folder_goes_to_the_home_folder() {
        let settings = Settings { has_home: true, ..Settings::default() };
        assert_eq!(settings.export_path("page.md"), "~/page.md");
        assert_eq!(settings.export_path("~/notes/page.md"), "~/notes/page.md");
        assert_eq!(Settings::default().export_path("page.md"), "page.md", "no home folder is known");
    }
}
