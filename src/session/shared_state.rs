//! State shared by the workers: vault, models, published view, reply channel and due work.

use std::{
    cell::Cell,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use super::{Reply, SessionError, SessionOptions, View, model::Models, view};
use crate::{
    fault::lock,
    index::{IndexError, Snapshot},
    journal::Vault,
};

/// State shared by all workers of one session.
///
/// Lock order: first the index worker's session, which is held for a whole step (up to minutes), then `due` or `view`,
/// which are held briefly. The undo stack is never locked together with another lock.
pub(super) struct SharedState {
    pub(super) options: SessionOptions,
    pub(super) models: Models,
    vault: OnceLock<Vault>,
    view: Mutex<Arc<View>>,
    replies: mpsc::Sender<Reply>,
    /// Called after each reply.
    pub(super) wake: OnceLock<Box<dyn Fn() + Send + Sync>>,
    /// Number of requests without their last reply.
    waiting: AtomicUsize,
    pub(super) stopping: AtomicBool,
    pub(super) due: Mutex<Due>,
}

/// Work that is due for the index worker.
#[derive(Default)]
pub(super) struct Due {
    /// The vault may have changed since the last sync began.
    pub(super) vault: bool,
    /// Day files to which this session added entries since the last sync began; scanned first.
    pub(super) added_to: Vec<Arc<str>>,
    /// An entry is being typed, so the index prepares for its save.
    pub(super) writing: bool,
    /// Another model was chosen after the index was opened.
    pub(super) model: bool,
}

/// Minimum interval between progress updates.
const SHOW_EVERY: Duration = Duration::from_millis(100);

/// Limits how often progress is published. The first update also waits for the interval.
pub(super) struct Throttle(Cell<Instant>);

impl Throttle {
    pub(super) fn new() -> Self {
        Self(Cell::new(Instant::now()))
    }

    /// Whether an update is due. If so, restarts the interval.
    pub(super) fn is_due(&self) -> bool {
        let is_due = self.0.get().elapsed() >= SHOW_EVERY;
        if is_due {
            self.0.set(Instant::now());
        }
        is_due
    }
}

impl SharedState {
    pub(super) fn new(options: SessionOptions) -> (Arc<Self>, mpsc::Receiver<Reply>) {
        let (replies, receiver) = mpsc::channel();
        let shared = Self {
            models: Models::new(&options),
            options,
            vault: OnceLock::new(),
            view: Mutex::default(),
            replies,
            wake: OnceLock::new(),
            waiting: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            due: Mutex::new(Due { vault: true, ..Due::default() }),
        };
        (Arc::new(shared), receiver)
    }

    /// Opens the vault and publishes its days, taken from the file names, before the index is open.
    pub(super) fn open(&self) {
        match self.vault() {
            Ok(vault) => {
                if let Ok(files) = vault.files() {
                    self.publish(|view| view.days = Arc::new(view::days_by_name(&files)));
                }
            }
            Err(error) => self.notify(error.to_string()),
        }
    }

    pub(super) fn vault(&self) -> Result<Vault, SessionError> {
        if let Some(vault) = self.vault.get() {
            return Ok(vault.clone());
        }
        let opened = Vault::open(self.options.vault.clone())?;
        Ok(self.vault.get_or_init(|| opened).clone())
    }

    /// An error if the folder of the day files is missing although entries are known.
    pub(super) fn expect_folder(&self, vault: &Vault) -> Result<(), SessionError> {
        let knows = self.snapshot().is_some_and(|snapshot| !snapshot.catalog.files.is_empty());
        match knows && !vault.entries_folder().is_dir() {
            true => Err(IndexError::FolderGone { path: vault.entries_folder().to_path_buf() }.into()),
            false => Ok(()),
        }
    }

    pub(super) fn view(&self) -> Arc<View> {
        lock(&self.view).clone()
    }

    /// The published snapshot; `None` until the index is open.
    pub(super) fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.view().snapshot.clone()
    }

    /// Chooses another model, for which the index worker reopens the index. Returns whether the choice changed.
    pub(super) fn choose_model(&self, name: Option<String>) -> bool {
        let differs = self.models.choose(name);
        if differs {
            lock(&self.due).model = true;
            self.mark_dirty();
        }
        differs
    }

    /// Changes the view and sends [`Reply::ViewChanged`].
    pub(super) fn publish(&self, change: impl FnOnce(&mut View)) {
        self.publish_where(|_| true, change);
    }

    /// Publishes a snapshot that was made from another, if that one is still the published one. Returns whether it was.
    pub(super) fn publish_after(&self, before: &Arc<Snapshot>, after: Arc<Snapshot>) -> bool {
        let is_shown = |view: &View| view.snapshot.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, before));
        self.publish_where(is_shown, |view| view.snapshot = Some(after))
    }

    fn publish_where(&self, holds: impl FnOnce(&View) -> bool, change: impl FnOnce(&mut View)) -> bool {
        let mut view = lock(&self.view);
        if !holds(&view) {
            return false;
        }
        let mut after = View::clone(&view);
        change(&mut after);
        let before = std::mem::replace(&mut *view, Arc::new(after));
        drop(view);
        self.reply(Reply::ViewChanged);
        // Dropping the last reference to a snapshot takes a while: do it without the lock.
        drop(before);
        true
    }

    pub(super) fn reply(&self, reply: Reply) {
        // Sending fails only when the program is ending.
        let _ = self.replies.send(reply);
        if let Some(wake) = self.wake.get() {
            wake();
        }
    }

    pub(super) fn notify(&self, text: String) {
        self.reply(Reply::Notification(text));
    }

    pub(super) fn expect_reply(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
    }

    /// Marks a request as done: it got its last reply or was replaced by a newer one.
    pub(super) fn settle(&self) {
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    #[cfg(any(test, feature = "lab"))]
    pub(super) fn in_flight(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Tells the index worker that the vault has changed. Does not wait for its current step.
    pub(super) fn mark_dirty(&self) {
        lock(&self.due).vault = true;
    }
}
