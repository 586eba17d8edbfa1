//! The journal that a server answers from.

use std::{sync::Arc, time::Duration};

use jiff::{Zoned, civil};

use super::{ServeOptions, worker::State};
use crate::{
    journal::{EntryTime, Vault, VaultOptions},
    report::Report,
    session::{CurationLog, Session, Traces, Wanted},
};

/// Whether a request is cancelled.
pub type Cancelled = Arc<dyn Fn() -> bool + Send + Sync>;

/// The session, opened when a client is connected.
pub struct Journal {
    pub options: ServeOptions,
    session: Option<Session>,
    /// Whether there was a request since the index was opened: only then it is completed.
    is_asked: bool,
    /// Whether the request under way is cancelled.
    cancelled: Cancelled,
}

/// After this pause the index is closed, so that other programs may write it.
const RELEASE: Duration = Duration::from_secs(10);

impl Journal {
    pub fn new(options: ServeOptions) -> Self {
        Self { options, session: None, is_asked: false, cancelled: Arc::new(|| false) }
    }

    /// Sets the request for the calls that follow.
    pub fn begin(&mut self, cancelled: Cancelled) {
        self.cancelled = cancelled;
        self.is_asked = true;
    }

    /// The session, up to date with the vault.
    pub fn session(&mut self) -> Result<&mut Session, Report> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Session::open(self.options.session.clone())?,
        };
        let session = self.session.insert(session);
        session.look_again();
        let cancelled = self.cancelled.clone();
        session.cancel_when(move || cancelled());
        Ok(session)
    }

    /// Opens the index and loads the model, so that the first request need not wait for them. It does the rest itself,
    /// so that one that comes at once waits no longer than without. An error shows in its answer.
    pub fn warm_up(&mut self) {
        if let Ok(session) = self.session() {
            session.prepare_search();
            let _ = session.open_index();
        }
    }

    /// Searches the files of the home folder and of the journal for traces of a forgotten text.
    pub fn traces(&mut self, wanted: &Wanted) -> Result<Traces, Report> {
        self.session()?;
        let session = self.session.take().ok_or_else(|| Report::data("the journal is closed"))?;
        Ok(session.traces(wanted, &self.options.home)?)
    }

    /// See [`Vault::write_warnings`].
    pub fn write_warnings(&self) -> Vec<String> {
        self.session.as_ref().map_or_else(Vec::new, |session| session.vault().write_warnings())
    }

    pub fn now(&self) -> Zoned {
        self.options.session.vault.clock.now()
    }

    pub fn today(&self) -> civil::Date {
        today(&self.options.session.vault)
    }

    /// Its own changes of names, which `kioku entity undo` reads.
    pub fn curation_log(&self) -> CurationLog {
        CurationLog::of(&self.options.state, &self.options.session.vault.root)
    }
}

impl State for Journal {
    /// Completes the index at once, and closes it later.
    fn idle(&mut self, idle: Duration, is_wanted: &dyn Fn() -> bool) -> Option<Duration> {
        let session = self.session.as_mut()?;
        if idle >= RELEASE {
            // What could not be saved is read again at the next start.
            let _ = session.rest();
            self.is_asked = false;
            return None;
        }
        if self.is_asked {
            // Errors show in the answers of the requests.
            let _ = session.complete(&mut |_| !is_wanted());
        }
        Some(RELEASE)
    }

    fn recover(&mut self) {
        self.session = None;
    }

    fn close(self) {
        if let Some(session) = self.session {
            let _ = session.leave();
        }
    }
}

/// The current day, by the start of days that the user set.
pub fn today(vault: &VaultOptions) -> civil::Date {
    EntryTime::of(&vault.clock.now()).day(vault.day_start)
}

/// For writes that need no index.
impl State for Vault {}
