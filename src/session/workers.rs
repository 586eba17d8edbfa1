//! The interface of the screens to the worker threads: requests in, replies and views out.

use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use super::{
    CurationLog, QueryHistory, Reply, Request, SessionOptions, Ticket, View, llm, requests::Requests,
    shared_state::SharedState, worker_threads::WorkerThreads,
};

/// The worker threads of one journal.
pub struct SessionWorkers {
    pub(super) requests: Arc<Requests>,
    workers: Option<WorkerThreads>,
    replies: mpsc::Receiver<Reply>,
    model_worker: Option<llm::ModelWorker>,
}

impl SessionWorkers {
    /// Returns at once: the workers open the vault, the index and the model.
    pub fn start(options: SessionOptions) -> Self {
        let mut session = Self::new(options);
        session.workers = Some(WorkerThreads::start(&session.requests));
        session
    }

    /// A session without threads, for tests: `send` does the work before it returns, and replies queue up.
    #[cfg(any(test, feature = "lab"))]
    pub fn inline(options: SessionOptions) -> Self {
        let session = Self::new(options);
        session.requests.shared.open();
        session.requests.index.work_all();
        session
    }

    fn new(options: SessionOptions) -> Self {
        let (shared, replies) = SharedState::new(options);
        let requests = Arc::new(Requests::new(shared));
        Self { requests, workers: None, replies, model_worker: None }
    }

    /// Sets the undo log of curation (see [`CurationLog::of`]). Without it curation is refused.
    pub fn keep_changes_in(&self, log: CurationLog) {
        // Only the first call counts: a session has one journal.
        let _ = self.requests.writes.curation_log.set(log);
    }

    /// Sets the query history (see [`QueryHistory::of`]). Without it no query is stored.
    pub fn keep_queries_in(&self, history: QueryHistory) {
        let _ = self.requests.writes.query_history.set(history);
    }

    /// A function that switches to another model of [`SessionOptions::models`] while the journal is open (`None` turns
    /// search by meaning off). The old model answers until the new one has embedded everything.
    pub fn model_choice(&self) -> impl Fn(Option<String>) + Send + 'static {
        let shared = Arc::downgrade(&self.requests.shared);
        let wake = self.workers.as_ref().map(WorkerThreads::waker);
        move |name| {
            let Some(shared) = shared.upgrade() else { return };
            if shared.choose_model(name) {
                wake.iter().for_each(|wake| wake());
            }
        }
    }

    /// Starts the language model worker on a separate thread. From now on texts are sent to the service, so the user
    /// must have enabled it in the configuration. Only the first call has an effect, and none in a session without
    /// threads.
    pub fn ask_model(&mut self, options: llm::LlmOptions) {
        let Some(workers) = &self.workers else { return };
        self.model_worker
            .get_or_insert_with(|| llm::ModelWorker::start(self.requests.shared.clone(), options, workers.waker()));
    }

    /// Sets a callback that runs after each reply, on the worker's thread, for a caller that also waits for other
    /// events. Only the first call counts.
    pub fn wake_on_reply(&self, wake: impl Fn() + Send + Sync + 'static) {
        // A session has one reader of replies.
        let _ = self.requests.shared.wake.set(Box::new(wake));
        // Replies may have been sent before the callback was set.
        if let Some(wake) = self.requests.shared.wake.get() {
            wake();
        }
    }

    /// Sends a request. Never blocks. The caller chooses the ticket, so that it knows it before the first reply; every
    /// reply carries it. Tickets of one session must differ.
    pub fn send(&self, ticket: Ticket, request: Request) {
        self.requests.shared.expect_reply();
        if let Some(workers) = &self.workers {
            return workers.send(ticket, request);
        }
        self.requests.perform(ticket, request, &|| false);
        // Do only the work that the request made due. A scan after every request would publish a new view each time, and
        // a pane that sends a request for each new view would loop for ever.
        while self.requests.index.work_step() {}
    }

    /// Never blocks.
    pub fn try_recv(&self) -> Option<Reply> {
        self.replies.try_recv().ok()
    }

    /// Waits for a reply.
    pub fn recv_timeout(&self, limit: Duration) -> Option<Reply> {
        self.replies.recv_timeout(limit).ok()
    }

    /// Whether any request still waits for its last reply.
    #[cfg(any(test, feature = "lab"))]
    pub fn in_flight(&self) -> bool {
        self.requests.shared.in_flight()
    }

    /// Never blocks.
    pub fn view(&self) -> Arc<View> {
        self.requests.shared.view()
    }

    /// Finishes queued writes, stops the workers and saves the index. Indexing stops after its current step.
    pub fn stop(mut self) {
        if let Some(workers) = self.workers.take() {
            workers.stop();
        }
        if let Some(worker) = self.model_worker.take() {
            worker.stop();
        }
        self.requests.index.close();
    }
}
