//! The worker threads: four latest-wins slots, a queue of writes, a queue of drafts, and the index worker.

use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::Ordering,
        mpsc::{self, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use super::{Request, Ticket, index_worker::IndexWorker, requests::Requests, shared_state::SharedState};
use crate::{fault::lock, journal::watch};

/// Idle time before a checkpoint of the index.
const QUIET: Duration = Duration::from_secs(3);

/// The threads of a session.
pub(super) struct WorkerThreads {
    requests: Arc<Requests>,
    find: Arc<Slot>,
    read: Arc<Slot>,
    list: Arc<Slot>,
    ask: Arc<Slot>,
    write: mpsc::Sender<Job>,
    /// Drafts have a separate queue: a write may wait for another program's lock or rewrite many files, and the draft
    /// of the text being typed must not wait for it.
    drafts: mpsc::Sender<Job>,
    work: mpsc::Sender<()>,
    threads: Vec<JoinHandle<()>>,
}

/// A job of the write queue or the draft queue.
enum Job {
    Perform(Ticket, Box<Request>),
    /// Ends the wait of the other queue.
    Signal(mpsc::Sender<()>),
    /// Waits until the drafts sent earlier are on disk: a save deletes its draft, and a late draft must not recreate it.
    Wait(mpsc::Receiver<()>),
}

/// A latest-wins slot for one waiting request: a newer request replaces an older one.
#[derive(Default)]
struct Slot {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    request: Option<(Ticket, Request)>,
    /// The request that the worker is running.
    running: Option<Ticket>,
    /// The running request was cancelled.
    cancelled: bool,
    stopped: bool,
}

impl Slot {
    fn put(&self, ticket: Ticket, request: Request) -> bool {
        let replaced = lock(&self.waiting).request.replace((ticket, request)).is_some();
        self.changed.notify_one();
        replaced
    }

    fn take(&self) -> Option<(Ticket, Request)> {
        let mut waiting = lock(&self.waiting);
        (waiting.running, waiting.cancelled) = (None, false);
        loop {
            if waiting.stopped {
                return None;
            }
            if let Some((ticket, request)) = waiting.request.take() {
                waiting.running = Some(ticket);
                return Some((ticket, request));
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    /// Whether the running request should stop.
    fn gives_up(&self) -> bool {
        let waiting = lock(&self.waiting);
        waiting.stopped || waiting.cancelled || waiting.request.is_some()
    }

    /// Cancels a request. Returns whether it was still waiting.
    fn cancel(&self, ticket: Ticket) -> bool {
        let mut waiting = lock(&self.waiting);
        waiting.cancelled |= waiting.running == Some(ticket);
        waiting.request.take_if(|(waits, _)| *waits == ticket).is_some()
    }

    fn stop(&self) {
        lock(&self.waiting).stopped = true;
        self.changed.notify_all();
    }
}

impl WorkerThreads {
    pub(super) fn start(requests: &Arc<Requests>) -> Self {
        let (write, writes) = mpsc::channel();
        let (drafts, draft_jobs) = mpsc::channel();
        let (work, works) = mpsc::channel();
        let find = Arc::new(Slot::default());
        let read = Arc::new(Slot::default());
        let list = Arc::new(Slot::default());
        let ask = Arc::new(Slot::default());
        let mut threads = Vec::new();
        for (name, slot) in [("find", &find), ("read", &read), ("list", &list), ("ask", &ask)] {
            let (requests, slot) = (requests.clone(), slot.clone());
            threads.push(spawn(name, move || {
                while let Some((ticket, request)) = slot.take() {
                    requests.perform(ticket, request, &|| slot.gives_up());
                }
            }));
        }
        for (name, jobs) in [("write", writes), ("drafts", draft_jobs)] {
            let (requests, work) = (requests.clone(), work.clone());
            threads.push(spawn(name, move || queue_worker(&requests, &jobs, &work)));
        }
        threads.push(spawn("work", {
            let (requests, work) = (requests.clone(), work.clone());
            move || {
                requests.shared.open();
                // Dropping a watcher stops it.
                let _watchers = watch_vault(&requests.shared, &work);
                index_worker(&requests.shared, &requests.index, &works);
            }
        }));
        Self { requests: requests.clone(), find, read, list, ask, write, drafts, work, threads }
    }

    pub(super) fn send(&self, ticket: Ticket, request: Request) {
        let shared = &self.requests.shared;
        let replaced = match request {
            Request::Search(_) => self.find.put(ticket, request),
            Request::Day(_) => self.read.put(ticket, request),
            Request::Openings(_) | Request::CheckAttachments => self.list.put(ticket, request),
            Request::Ask(_) => self.ask.put(ticket, request),
            Request::Cancel(asked) => {
                if self.ask.cancel(asked) {
                    shared.settle();
                }
                true
            }
            Request::Sync => {
                shared.mark_dirty();
                let _ = self.work.send(());
                true
            }
            Request::KeepDraft(_) | Request::DropDraft(_) | Request::Drafts => {
                // Sending cannot fail: the worker lives as long as this handle.
                let _ = self.drafts.send(Job::Perform(ticket, Box::new(request)));
                false
            }
            request => {
                if request.drops_draft() {
                    let (signal, signalled) = mpsc::channel();
                    let _ = self.drafts.send(Job::Signal(signal));
                    let _ = self.write.send(Job::Wait(signalled));
                }
                let _ = self.write.send(Job::Perform(ticket, Box::new(request)));
                false
            }
        };
        if replaced {
            shared.settle();
        }
    }

    /// Wakes the index worker.
    pub(super) fn waker(&self) -> impl Fn() + Send + 'static {
        let work = self.work.clone();
        move || {
            // Fails only after the session has ended.
            let _ = work.send(());
        }
    }

    /// Finishes queued writes and cancels searches.
    pub(super) fn stop(self) {
        [self.find, self.read, self.list, self.ask].iter().for_each(|slot| slot.stop());
        // A queue ends with its last sender.
        drop((self.write, self.drafts));
        self.requests.shared.stopping.store(true, Ordering::SeqCst);
        let _ = self.work.send(());
        for thread in self.threads {
            // A panic of a worker was already reported.
            let _ = thread.join();
        }
        self.requests.index.checkpoint();
    }
}

pub(super) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().name(name.to_owned()).spawn(run).expect("the system gives a process a handful of threads")
}

fn queue_worker(requests: &Requests, queue: &mpsc::Receiver<Job>, work: &mpsc::Sender<()>) {
    while let Ok(job) = queue.recv() {
        match job {
            Job::Perform(ticket, request) => {
                requests.perform(ticket, *request, &|| false);
                let _ = work.send(());
            }
            // Both fail only if the other worker has ended.
            Job::Signal(signal) => drop(signal.send(())),
            Job::Wait(signalled) => drop(signalled.recv()),
        }
    }
}

fn index_worker(shared: &SharedState, index: &Arc<IndexWorker>, woken: &mpsc::Receiver<()>) {
    let mut ann: Option<JoinHandle<()>> = None;
    loop {
        if shared.stopping.load(Ordering::SeqCst) {
            if let Some(building) = ann {
                // It checks `stopping` between batches.
                let _ = building.join();
            }
            return;
        }
        if index.work_step() {
            continue;
        }
        if ann.as_ref().is_none_or(JoinHandle::is_finished)
            && let Some(work) = index.ann_due()
        {
            let index = index.clone();
            ann = Some(spawn("neighbours", move || index.build_ann(&work)));
        }
        match woken.recv_timeout(QUIET) {
            Ok(()) => while woken.try_recv().is_ok() {},
            Err(RecvTimeoutError::Timeout) => match index.follows_writer() {
                // What another process embeds changes no file that is watched.
                Some(true) => shared.mark_dirty(),
                Some(false) => {}
                None => {
                    index.checkpoint();
                    if woken.recv().is_err() {
                        return;
                    }
                }
            },
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Triggers a scan when a day file, an entity note or an answer of a language model changes.
fn watch_vault(shared: &Arc<SharedState>, work: &mpsc::Sender<()>) -> Vec<watch::Watcher> {
    let mut watchers = Vec::new();
    let Some(vault) = shared.options.watch.then(|| shared.vault().ok()).flatten() else { return watchers };
    for folder in [vault.entries_folder(), &vault.notes_folder(), &vault.answers_folder()] {
        let (weak, work) = (Arc::downgrade(shared), work.clone());
        let changed = move || {
            if let Some(shared) = weak.upgrade() {
                shared.mark_dirty();
                let _ = work.send(());
            }
        };
        match watch::Watcher::start(folder, changed) {
            Ok(started) => watchers.push(started),
            Err(error) => {
                shared.notify(format!("changes by other programs show only after the next start: {error}"));
                break;
            }
        }
    }
    watchers
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::session::Ask;

    fn ask() -> Request {
        Request::Ask(Ask::Stats(date(2026, 11, 20)))
    }

    #[test]
    fn what_runs_is_given_up_for_a_newer_request_or_where_it_is_cancelled() {
        let slot = Slot::default();
        slot.put(Ticket(1), ask());
        assert_eq!(slot.take().map(|(ticket, _)| ticket), Some(Ticket(1)));
        assert!(!slot.gives_up());
        assert!(!slot.cancel(Ticket(7)), "somebody else's");
        assert!(!slot.gives_up());
        assert!(!slot.cancel(Ticket(1)), "it does not wait any more");
        assert!(slot.gives_up());
        slot.put(Ticket(2), ask());
        assert_eq!(slot.take().map(|(ticket, _)| ticket), Some(Ticket(2)));
        assert!(!slot.gives_up(), "the one before was cancelled, not this one");
        slot.put(Ticket(3), ask());
        assert!(slot.gives_up());
    }

    #[test]
    fn what_waits_is_taken_back() {
        let slot = Slot::default();
        slot.put(Ticket(1), ask());
        slot.take();
        slot.put(Ticket(2), ask());
        assert!(slot.cancel(Ticket(2)));
        assert!(!slot.gives_up(), "what runs goes on");
    }
}
