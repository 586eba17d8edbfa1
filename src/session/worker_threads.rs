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

use super::{Request, Ticket, index_worker::IndexWorker, locks::lock, requests::Requests, shared_state::SharedState};
use crate::journal::watch;

/// Idle time before a checkpoint of the index.
const QUIET: Duration = Duration::from_secs(3);

/// The threads of a session.
pub(super) struct WorkerThreads {
    shared: Arc<SharedState>,
    index: Arc<IndexWorker>,
    find: Arc<Slot>,
    read: Arc<Slot>,
    list: Arc<Slot>,
    ask: Arc<Slot>,
    write: mpsc::Sender<Option<Write>>,
    drafts: mpsc::Sender<DraftJob>,
    work: mpsc::Sender<()>,
    threads: Vec<JoinHandle<()>>,
    /// Kept alive, because dropping a watcher stops it.
    _watchers: Arc<Mutex<Vec<watch::Watcher>>>,
}

/// A request in the write queue.
struct Write {
    ticket: Ticket,
    request: Request,
    /// Signalled when the drafts sent earlier are on disk: a save deletes its draft, and a late draft must not recreate
    /// it.
    drafts_are_kept: Option<mpsc::Receiver<()>>,
}

/// Drafts have a separate queue: a write may wait for another program's lock or rewrite many files, and the draft of
/// the text being typed must not wait for it.
enum DraftJob {
    Perform(Ticket, Box<Request>),
    Signal(mpsc::Sender<()>),
    Stop,
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
        let (shared, index) = (requests.shared.clone(), requests.index.clone());
        let (write, writes) = mpsc::channel();
        let (drafts, draft_jobs) = mpsc::channel();
        let (work, works) = mpsc::channel();
        let find = Arc::new(Slot::default());
        let read = Arc::new(Slot::default());
        let list = Arc::new(Slot::default());
        let ask = Arc::new(Slot::default());
        let watchers = Arc::new(Mutex::new(Vec::new()));
        let mut threads = Vec::new();
        for (name, slot) in [("find", &find), ("read", &read), ("list", &list), ("ask", &ask)] {
            let (requests, slot) = (requests.clone(), slot.clone());
            threads.push(spawn(name, move || {
                while let Some((ticket, request)) = slot.take() {
                    requests.perform(ticket, request, &|| slot.gives_up());
                }
            }));
        }
        threads.push(spawn("write", {
            let (requests, work) = (requests.clone(), work.clone());
            move || write_worker(&requests, &writes, &work)
        }));
        threads.push(spawn("drafts", {
            let (requests, work) = (requests.clone(), work.clone());
            move || draft_worker(&requests, &draft_jobs, &work)
        }));
        threads.push(spawn("work", {
            let (shared, index, work, watchers) = (shared.clone(), index.clone(), work.clone(), watchers.clone());
            move || {
                shared.open();
                watch_vault(&shared, &work, &watchers);
                index_worker(&shared, &index, &works);
            }
        }));
        Self { shared, index, find, read, list, ask, write, drafts, work, threads, _watchers: watchers }
    }

    pub(super) fn send(&self, ticket: Ticket, request: Request) {
        let replaced = match request {
            Request::Search(_) => self.find.put(ticket, request),
            Request::Day(_) => self.read.put(ticket, request),
            Request::Openings(_) | Request::CheckAttachments => self.list.put(ticket, request),
            Request::Ask(_) => self.ask.put(ticket, request),
            Request::Cancel(asked) => {
                if self.ask.cancel(asked) {
                    self.shared.settle();
                }
                true
            }
            Request::Sync => {
                self.shared.mark_dirty();
                let _ = self.work.send(());
                true
            }
            Request::KeepDraft(_) | Request::DropDraft(_) | Request::Drafts => {
                // Sending cannot fail: the worker lives as long as this handle.
                let _ = self.drafts.send(DraftJob::Perform(ticket, Box::new(request)));
                false
            }
            request => {
                let drafts_are_kept = request.drops_draft().then(|| {
                    let (signal, drafts_are_kept) = mpsc::channel();
                    let _ = self.drafts.send(DraftJob::Signal(signal));
                    drafts_are_kept
                });
                let _ = self.write.send(Some(Write { ticket, request, drafts_are_kept }));
                false
            }
        };
        if replaced {
            self.shared.settle();
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
        self.find.stop();
        self.read.stop();
        self.list.stop();
        self.ask.stop();
        let _ = self.write.send(None);
        let _ = self.drafts.send(DraftJob::Stop);
        self.shared.stopping.store(true, Ordering::SeqCst);
        let _ = self.work.send(());
        for thread in self.threads {
            // A panic of a worker was already reported.
            let _ = thread.join();
        }
        self.index.checkpoint();
    }
}

pub(super) fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().name(name.to_owned()).spawn(run).expect("the system gives a process a handful of threads")
}

fn write_worker(requests: &Requests, queue: &mpsc::Receiver<Option<Write>>, work: &mpsc::Sender<()>) {
    while let Ok(Some(Write { ticket, request, drafts_are_kept })) = queue.recv() {
        if let Some(kept) = drafts_are_kept {
            // An error means that the draft worker has ended, so no draft can follow.
            let _ = kept.recv();
        }
        requests.perform(ticket, request, &|| false);
        let _ = work.send(());
    }
}

fn draft_worker(requests: &Requests, queue: &mpsc::Receiver<DraftJob>, work: &mpsc::Sender<()>) {
    while let Ok(job) = queue.recv() {
        match job {
            DraftJob::Perform(ticket, request) => {
                requests.perform(ticket, *request, &|| false);
                let _ = work.send(());
            }
            DraftJob::Signal(signal) => {
                // Fails only if the write worker has ended.
                let _ = signal.send(());
            }
            DraftJob::Stop => return,
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
fn watch_vault(shared: &Arc<SharedState>, work: &mpsc::Sender<()>, watchers: &Mutex<Vec<watch::Watcher>>) {
    if !shared.options.watch {
        return;
    }
    let Ok(vault) = shared.vault() else { return };
    for folder in [vault.entries_folder(), &vault.notes_folder(), &vault.answers_folder()] {
        let (weak, work) = (Arc::downgrade(shared), work.clone());
        let changed = move || {
            if let Some(shared) = weak.upgrade() {
                shared.mark_dirty();
                let _ = work.send(());
            }
        };
        match watch::Watcher::start(folder, changed) {
            Ok(started) => lock(watchers).push(started),
            Err(error) => {
                return shared.notify(format!("changes by other programs show only after the next start: {error}"));
            }
        }
    }
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
