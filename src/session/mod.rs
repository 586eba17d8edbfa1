//! Owns the threads; the one door for the command line and the screens.
//!
//! Five workers, each a thread: *find*, *read* and *ask* are latest-wins (a newer request cancels an older one), *write* is
//! queued and never dropped, *work* (sync, embedding) runs when told that something changed. Where a language model reads
//! along, a sixth asks it. Searches and screens read one immutable [`View`]; only the index worker touches the index. A worker that
//! panics answers with a failure and goes on.

mod batch_size;
mod curation;
mod direct;
mod forget;
mod hits_file;
mod insight;
pub mod llm;
mod model;
pub mod protocol;
mod queries;
mod shared_state;
mod traces;
mod unreadable;
mod view;
mod work;
mod worker;
mod write;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc},
};

use self::shared_state::SharedState;
pub use crate::index::{ModelChange, Progress, SyncReport};
use crate::{embed::Encoder, index::vector::Ann, journal::VaultOptions};
pub use curation::{Curated, Curating, CurationError, CurationLog, Moved, Subject};
pub use direct::{Located, Session, within_meaning_budget};
pub use forget::{Forgetting, Naming};
pub use hits_file::HitsFile;
pub use protocol::{
    Answer, Ask, DayEntry, DayLine, EntryOperation, Hidden, ModelReading, ModelState, Reply, Request, Stage, Ticket,
    Upkeep, View, Written,
};
pub use queries::QueryHistory;
pub use traces::{Traces, Wanted};
use worker::WorkerThreads;

/// What went wrong behind the door; [`crate::report`] turns it into words and hints.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Vault(#[from] crate::journal::VaultError),
    #[error(transparent)]
    Index(#[from] crate::index::IndexError),
    #[error(transparent)]
    Embed(#[from] crate::embed::EmbedError),
    #[error(transparent)]
    Search(#[from] crate::search::SearchError),
    #[error(transparent)]
    Curation(#[from] CurationError),
    #[error("{} is there already: nothing was overwritten", .0.display())]
    Exists(PathBuf),
    /// The asker took the question back, or asked another one.
    #[error("the answer is no longer wanted")]
    Cancelled,
    /// A worker's code panicked; the others go on.
    #[error("an internal fault while {0}")]
    Fault(String),
}

/// What a session works on.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    pub vault: VaultOptions,
    /// The folder of installed models.
    pub models: PathBuf,
    /// Which installed model embeds; `None` turns the meaning leg off.
    pub model: Option<String>,
    /// An encoder given ready-made (tests, other programs); beats `model`.
    pub encoder: Option<Arc<dyn Encoder>>,
    pub ann: Ann,
    /// Watch the vault for changes by other programs.
    pub watch: bool,
}

/// Threads over one journal.
pub struct SessionWorkers {
    shared: Arc<SharedState>,
    workers: Option<WorkerThreads>,
    replies: Mutex<mpsc::Receiver<Reply>>,
    model_worker: Mutex<Option<llm::ModelWorker>>,
}

impl SessionWorkers {
    /// Returns at once: opening the vault, the index and the model happens on the workers.
    pub fn start(options: SessionOptions) -> Self {
        let (shared, replies) = SharedState::new(options);
        let workers = WorkerThreads::start(shared.clone());
        Self { shared, workers: Some(workers), replies: Mutex::new(replies), model_worker: Mutex::default() }
    }

    /// The same session without threads, for tests: `send` does the work before it returns, replies queue up.
    pub fn inline(options: SessionOptions) -> Self {
        let (shared, replies) = SharedState::new(options);
        shared.open();
        shared.work_all();
        Self { shared, workers: None, replies: Mutex::new(replies), model_worker: Mutex::default() }
    }

    /// Where changes of names can be taken back from (see [`CurationLog::of`]). Until this is known none is made.
    pub fn keep_changes_in(&self, log: CurationLog) {
        // The first one stays: a session has one journal.
        let _ = self.shared.curation_log.set(log);
    }

    /// Where the queries asked are kept (see [`QueryHistory::of`]); until this is known none is.
    pub fn keep_queries_in(&self, history: QueryHistory) {
        let _ = self.shared.query_history.set(history);
    }

    /// How to have another model of [`SessionOptions::models`] take over while the journal is open (`None`: search by meaning goes
    /// off). The one before serves until the new one has read everything.
    pub fn model_choice(&self) -> impl Fn(Option<String>) + Send + 'static {
        let shared = Arc::downgrade(&self.shared);
        let wake = self.workers.as_ref().map(WorkerThreads::waker);
        move |name| {
            let Some(shared) = shared.upgrade() else { return };
            if shared.choose_model(name) {
                wake.iter().for_each(|wake| wake());
            }
        }
    }

    /// Has a language model read the entries, on a thread of its own, from now until the end. Texts go to the service from here
    /// on: the user's word for that is in the configuration. Once; nothing on a session without threads.
    pub fn ask_model(&self, options: llm::LlmOptions) {
        let Some(workers) = &self.workers else { return };
        let mut worker = self.model_worker.lock().unwrap_or_else(PoisonError::into_inner);
        worker.get_or_insert_with(|| llm::ModelWorker::start(self.shared.clone(), options, workers.waker()));
    }

    /// Calls `wake` after each reply from now on, from the worker's thread: for who waits for something else too. Once.
    pub fn wake_on_reply(&self, wake: impl Fn() + Send + Sync + 'static) {
        // The first one stays: a session has one reader of replies.
        let _ = self.shared.wake.set(Box::new(wake));
        // What was sent before woke nobody.
        if let Some(wake) = self.shared.wake.get() {
            wake();
        }
    }

    /// Never blocks. The caller names the request, so that it can know the name before it sends: every reply
    /// to it carries `ticket`. Tickets of one session must differ.
    pub fn send(&self, ticket: Ticket, request: Request) {
        self.shared.expect_reply();
        match &self.workers {
            Some(workers) => workers.send(ticket, request),
            None => {
                self.shared.perform(ticket, request, &|| false);
                // Only what the request made due: a look at the vault after every question would announce a new
                // view each time, and whoever asks at a new view would never come to rest.
                while self.shared.work_step() {}
            }
        }
    }

    /// Never blocks.
    pub fn try_recv(&self) -> Option<Reply> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).try_recv().ok()
    }

    /// Whether replies to requests are still to come.
    pub fn in_flight(&self) -> bool {
        self.shared.in_flight()
    }

    /// Never blocks.
    pub fn view(&self) -> Arc<View> {
        self.shared.view()
    }

    /// Finishes queued writes, stops the workers, keeps what was indexed. Indexing is cut at its next safe point.
    pub fn stop(mut self) {
        if let Some(workers) = self.workers.take() {
            workers.stop();
        }
        if let Some(worker) = self.model_worker.lock().unwrap_or_else(PoisonError::into_inner).take() {
            worker.stop();
        }
        self.shared.close();
    }
}
