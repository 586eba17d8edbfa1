//! The threads over one journal, as the screens see them: requests go in, replies and views come out.

use std::sync::{Arc, Mutex, mpsc};

use super::{
    CurationLog, QueryHistory, SessionOptions,
    index_worker::IndexWorker,
    llm,
    locks::lock,
    protocol::{Reply, Request, Ticket, View},
    requests::Requests,
    shared_state::SharedState,
    worker_threads::WorkerThreads,
};

/// Threads over one journal.
pub struct SessionWorkers {
    pub(super) shared: Arc<SharedState>,
    pub(super) index: Arc<IndexWorker>,
    pub(super) requests: Arc<Requests>,
    workers: Option<WorkerThreads>,
    replies: Mutex<mpsc::Receiver<Reply>>,
    model_worker: Mutex<Option<llm::ModelWorker>>,
}

impl SessionWorkers {
    /// Returns at once: opening the vault, the index and the model happens on the workers.
    pub fn start(options: SessionOptions) -> Self {
        let mut session = Self::new(options);
        session.workers = Some(WorkerThreads::start(&session.requests));
        session
    }

    /// The same session without threads, for tests: `send` does the work before it returns, replies queue up.
    pub fn inline(options: SessionOptions) -> Self {
        let session = Self::new(options);
        session.shared.open();
        session.index.work_all();
        session
    }

    fn new(options: SessionOptions) -> Self {
        let (shared, replies) = SharedState::new(options);
        let index = Arc::new(IndexWorker::new(shared.clone()));
        let requests = Arc::new(Requests::new(shared.clone(), index.clone()));
        Self { shared, index, requests, workers: None, replies: Mutex::new(replies), model_worker: Mutex::default() }
    }

    /// Where changes of names can be taken back from (see [`CurationLog::of`]). Until this is known none is made.
    pub fn keep_changes_in(&self, log: CurationLog) {
        // The first one stays: a session has one journal.
        let _ = self.requests.curation_log.set(log);
    }

    /// Where the queries asked are kept (see [`QueryHistory::of`]); until this is known none is.
    pub fn keep_queries_in(&self, history: QueryHistory) {
        let _ = self.requests.writes.query_history.set(history);
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
        let mut worker = lock(&self.model_worker);
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
                self.requests.perform(ticket, request, &|| false);
                // Only what the request made due: a look at the vault after every question would announce a new
                // view each time, and whoever asks at a new view would never come to rest.
                while self.index.work_step() {}
            }
        }
    }

    /// Never blocks.
    pub fn try_recv(&self) -> Option<Reply> {
        lock(&self.replies).try_recv().ok()
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
        if let Some(worker) = lock(&self.model_worker).take() {
            worker.stop();
        }
        self.index.close();
    }
}
