//! What the workers share: the vault, the model, the published view, the way back to the asker.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
};

use jiff::civil;

use super::{
    CurationLog, QueryHistory, SessionError, SessionOptions,
    model::{self, Models},
    protocol::{DayEntry, Reply, Request, Stage, Ticket, View, Written},
    view,
    work::Work,
    write::Writes,
};
use crate::{
    index::{EntryKey, Snapshot},
    journal::{Entry, Vault},
    search::{Asked, LegId, Search},
};

/// Shared by all workers of one session.
pub(super) struct SharedState {
    pub(super) options: SessionOptions,
    pub(super) models: Models,
    pub(super) vault: Mutex<Option<Vault>>,
    view: Mutex<Arc<View>>,
    replies: mpsc::Sender<Reply>,
    waiting: AtomicUsize,
    pub(super) stopping: AtomicBool,
    /// The vault may have changed since the last sync began.
    pub(super) dirty: AtomicBool,
    /// Day files to which entries were added here since the last sync began: looked at before all others.
    pub(super) added_to: Mutex<Vec<Arc<str>>>,
    /// Somebody writes: an entry is to come.
    pub(super) writing: AtomicBool,
    /// Another model was chosen since the index was opened.
    pub(super) chosen_anew: AtomicBool,
    pub(super) work: Mutex<Work>,
    pub(super) writes: Mutex<Writes>,
    /// How changes of names are taken back; without it none is made.
    pub(super) curation_log: OnceLock<CurationLog>,
    /// Where queries are kept; without it they are not.
    pub(super) query_history: OnceLock<QueryHistory>,
    /// New entries that the index does not know yet.
    pub(super) pending: Mutex<Vec<(EntryKey, Entry)>>,
}

/// A poisoned lock means that a worker panicked while it held it; the data is replaced whole or rebuilt, never half.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SharedState {
    pub(super) fn new(options: SessionOptions) -> (Arc<Self>, mpsc::Receiver<Reply>) {
        let (replies, receiver) = mpsc::channel();
        let shared = Self {
            models: Models::new(&options),
            options,
            vault: Mutex::new(None),
            view: Mutex::default(),
            replies,
            waiting: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            dirty: AtomicBool::new(true),
            added_to: Mutex::default(),
            writing: AtomicBool::new(false),
            chosen_anew: AtomicBool::new(false),
            work: Mutex::default(),
            writes: Mutex::default(),
            curation_log: OnceLock::new(),
            query_history: OnceLock::new(),
            pending: Mutex::default(),
        };
        (Arc::new(shared), receiver)
    }

    /// Opens the vault and shows its days by the names of their files, before any index is open.
    pub(super) fn open(&self) {
        match self.vault() {
            Ok(vault) => {
                if let Ok(files) = vault.files() {
                    self.publish(|view| view.days = Arc::new(view::days_by_name(&files)));
                }
            }
            Err(error) => self.tell(error.to_string()),
        }
    }

    pub(super) fn vault(&self) -> Result<Vault, SessionError> {
        let mut vault = lock(&self.vault);
        if let Some(vault) = vault.as_ref() {
            return Ok(vault.clone());
        }
        Ok(vault.insert(Vault::open(self.options.vault.clone())?).clone())
    }

    pub(super) fn view(&self) -> Arc<View> {
        lock(&self.view).clone()
    }

    /// Another model is to read the journal: the index worker opens the index for it. Whether it is another one.
    pub(super) fn choose_model(&self, name: Option<String>) -> bool {
        let differs = self.models.choose(name);
        if differs {
            self.chosen_anew.store(true, Ordering::SeqCst);
            self.due();
        }
        differs
    }

    /// Changes the view and says so.
    pub(super) fn publish(&self, change: impl FnOnce(&mut View)) {
        self.publish_where(|_| true, change);
    }

    /// Publishes a snapshot made from another, unless that one is shown no longer. Whether it was.
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
        // The last holder of a snapshot takes it apart, which takes a while: not under the lock.
        drop(before);
        true
    }

    pub(super) fn reply(&self, reply: Reply) {
        // Nobody listens any more: the program is ending.
        let _ = self.replies.send(reply);
    }

    pub(super) fn tell(&self, text: String) {
        self.reply(Reply::Told(text));
    }

    pub(super) fn expect_reply(&self) {
        self.waiting.fetch_add(1, Ordering::SeqCst);
    }

    /// A request has had its last reply, or was replaced by a newer one.
    pub(super) fn settle(&self) {
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    pub(super) fn in_flight(&self) -> bool {
        self.waiting.load(Ordering::SeqCst) > 0
    }

    /// Does one request and settles it. A panic becomes a failure reply.
    pub(super) fn perform(&self, ticket: Ticket, request: Request, cancelled: &dyn Fn() -> bool) {
        let name = request.name();
        let outcome = catch_unwind(AssertUnwindSafe(|| self.answer(ticket, request, cancelled)))
            .unwrap_or_else(|_| Err(SessionError::Fault(name.to_owned())));
        match outcome {
            Ok(Some(reply)) => self.reply_and_follow(reply),
            Ok(None) => {}
            Err(error) => self.reply(Reply::Failed { ticket, error }),
        }
        self.settle();
    }

    /// That an entry is safe is said before it can be found: the first is waited for, and the second goes through all entries.
    fn reply_and_follow(&self, reply: Reply) {
        let added = match &reply {
            Reply::Written { done: Written::Added(entry), .. } => Some(entry.clone()),
            _ => None,
        };
        self.reply(reply);
        if let Some(entry) = added {
            // Whatever goes wrong here, the next look at the vault finds it.
            drop(catch_unwind(AssertUnwindSafe(|| self.find_at_once(&entry))));
        }
    }

    fn answer(
        &self,
        ticket: Ticket,
        request: Request,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Reply>, SessionError> {
        match request {
            Request::Search(ask) => self.find(ticket, &ask, cancelled),
            Request::Day(day) => self.read_day(ticket, day).map(Some),
            Request::Ask(ask) => self.think(ticket, &ask, cancelled),
            // What was asked is answered already: where it is not, the worker never hears of this.
            Request::Cancel(_) => Ok(None),
            Request::Sync => {
                self.due();
                Ok(Some(Reply::ViewChanged))
            }
            Request::SaveText { path, text } => self.save_text(ticket, &path, &text).map(Some),
            Request::WeighCuration(_) | Request::Curate(_) | Request::Uncurate => {
                self.curation(ticket, &request).map(Some)
            }
            write => self.write(ticket, write).map(Some),
        }
    }

    /// Words at once, the final order when the other legs are done.
    fn find(&self, ticket: Ticket, ask: &Search, cancelled: &dyn Fn() -> bool) -> Result<Option<Reply>, SessionError> {
        let Some(snapshot) = self.view().snapshot.clone() else {
            return Ok(Some(Reply::NotYet { ticket }));
        };
        let asked = Asked::new(&snapshot, ask)?;
        let can_run = |leg: &LegId| *leg != LegId::Vector || snapshot.vectors.is_some();
        if ask.legs.has(LegId::Keyword) && ask.legs.iter().filter(can_run).count() > 1 {
            let words = asked.by_words()?;
            self.reply(Reply::Found { ticket, stage: Stage::Words, found: Box::new(words) });
            if cancelled() {
                return Ok(None);
            }
        }
        let (encoder, why) = self.models.for_search(&snapshot, ask);
        let mut found = asked.by_all_legs(encoder.as_deref(), cancelled)?;
        found.iter_mut().zip(&why).for_each(|(found, why)| model::say_left_out(found, why));
        Ok(found.map(|found| Reply::Found { ticket, stage: Stage::Fused, found: Box::new(found) }))
    }

    fn read_day(&self, ticket: Ticket, day: civil::Date) -> Result<Reply, SessionError> {
        let vault = self.vault()?;
        let snapshot = self.view().snapshot.clone();
        // What the index knows of the day, and the day's own file: a new entry is there before the index knows it.
        let own = format!("{day}.md");
        let mut files: Vec<String> = snapshot
            .iter()
            .flat_map(|snapshot| snapshot.catalog.day(day))
            .map(|entry| entry.place.file.to_string())
            .filter(|file| *file != own)
            .collect();
        files.dedup();
        files.push(own);
        let mut entries = Vec::new();
        let mut notices = Vec::new();
        for file in files {
            let Some(read) = vault.read_if_there(&file)? else { continue };
            notices.extend(read.notices);
            for written in read.entries.into_iter().filter(|written| written.entry.day == day) {
                entries.push(known_as(snapshot.as_deref(), written.entry));
            }
        }
        entries.sort_by(|a, b| (a.entry.time.at, &a.entry.id).cmp(&(b.entry.time.at, &b.entry.id)));
        Ok(Reply::Day { ticket, day, entries, notices })
    }

    pub(super) fn close(&self) {
        if let Some(index) = lock(&self.work).index.take() {
            // The vault is safe already; what a failed close loses is derived and made again.
            let _ = index.close();
        }
    }
}

/// The entry under its final name, with the names the graph found in it.
fn known_as(snapshot: Option<&Snapshot>, entry: Entry) -> DayEntry {
    let known = snapshot.and_then(|snapshot| {
        let mut same = snapshot.catalog.day(entry.day).filter(|known| known.hash == entry.hash);
        let known = same.find(|known| known.written_name() == entry.id.as_str())?;
        Some((snapshot, known))
    });
    let Some((snapshot, known)) = known else {
        return DayEntry { entry, names: Vec::new(), spans: Vec::new() };
    };
    let mut names = Vec::new();
    let mut spans = Vec::new();
    for (nth, (entity, mentions)) in snapshot.graph.of_entry(known.key).into_iter().enumerate() {
        let entity = snapshot.graph.entity(entity);
        names.push((entity.kind, entity.name.clone()));
        let shown = mentions.iter().filter(|span| span.end > span.start);
        spans.extend(shown.map(|span| (nth, entity.kind, span.start as usize..span.end as usize)));
    }
    spans.sort_by_key(|(.., span)| span.start);
    DayEntry { entry: Entry { id: known.id.clone(), ..entry }, names, spans }
}
