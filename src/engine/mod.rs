//! Owns the threads; the one door for the command line, the screens and the MCP server.

mod desk;
pub mod protocol;

use std::{path::PathBuf, sync::Arc};

use crate::{index::vector::Ann, journal::VaultOptions};
pub use desk::{Desk, Located, SyncReport};
pub use protocol::{DayEntry, DayLine, Progress, Reply, Request, Stage, Ticket, View, Written};

/// What went wrong behind the door; [`crate::report`] turns it into words and hints.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Vault(#[from] crate::journal::VaultError),
    #[error(transparent)]
    Index(#[from] crate::index::IndexError),
    #[error(transparent)]
    Embed(#[from] crate::embed::EmbedError),
    #[error(transparent)]
    Search(#[from] crate::search::SearchError),
    /// A lane's code panicked; the others go on.
    #[error("an internal fault while {0}")]
    Fault(String),
}

/// What an engine works on.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    pub vault: VaultOptions,
    /// The folder of installed models.
    pub models: PathBuf,
    /// Which installed model embeds; `None` turns the meaning leg off.
    pub model: Option<String>,
    pub ann: Ann,
    /// Watch the vault for changes by other programs.
    pub watch: bool,
}

/// Threads over one journal.
pub struct Engine {
    _options: EngineOptions,
}

impl Engine {
    /// Returns at once: opening the vault, the index and the model happens on the lanes.
    pub fn start(options: EngineOptions) -> Self {
        Self { _options: options }
    }
    /// The same engine without threads, for tests: `send` does the work before it returns, replies queue up.
    pub fn inline(options: EngineOptions) -> Self {
        Self { _options: options }
    }
    /// Never blocks. The caller names the request, so that it can know the name before it sends: every reply
    /// to it carries `ticket`. Tickets of one engine must differ.
    pub fn send(&self, ticket: Ticket, request: Request) {
        let _ = (ticket, request);
        todo!()
    }
    /// Never blocks.
    pub fn try_recv(&self) -> Option<Reply> {
        todo!()
    }
    /// Whether replies to requests are still to come.
    pub fn in_flight(&self) -> bool {
        todo!()
    }
    /// Never blocks.
    pub fn view(&self) -> Arc<View> {
        todo!()
    }
    /// Finishes queued writes, stops the lanes. Indexing is cut at its next safe point.
    pub fn stop(self) {
        todo!()
    }
}
