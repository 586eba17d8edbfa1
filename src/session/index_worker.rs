//! The index worker: updates the index from the vault and embeds new passages. Works in small steps, so that a save
//! never waits for it and the program can end at any step.

use std::{
    sync::{Arc, Mutex, atomic::Ordering},
    time::{Duration, Instant},
};

use super::{
    Session, SessionError,
    batch_size::BatchSize,
    error::or_fault,
    shared_state::{SharedState, Throttle},
    view,
};
use crate::{
    fault::lock,
    index::{Index, Progress, ScanScope, Snapshot, graph::GraphView, vector::AnnWork},
    journal::EntityNote,
};

/// Minimum interval between snapshots while embedding.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// The same while claims are read: names and connections are decided on anew for each snapshot.
const PUBLISH_CLAIMS_EVERY: Duration = Duration::from_secs(5);
/// Entries whose claims are read in one step: .3 s of work.
const CLAIMS_STEP: usize = 8;

/// Runs a [`Session`] in steps and publishes its snapshots.
pub(super) struct IndexWorker {
    shared: Arc<SharedState>,
    work: Mutex<Work>,
}

/// State of the index worker between steps.
#[derive(Default)]
struct Work {
    /// Opened in the first step.
    session: Option<Session>,
    /// Passages are waiting to be embedded.
    embedding: bool,
    /// Claims are waiting to be read, after that, of at least so many entries.
    reading: Option<usize>,
    /// The published snapshot has uncommitted entries, and the counts of the view do not include them.
    uncommitted: bool,
    batch_size: BatchSize,
    published: Option<Instant>,
    /// Number of passages embedded since the last published snapshot.
    unpublished: usize,
}

impl Work {
    /// The index, if it is open.
    fn index(&mut self) -> Option<&mut Index> {
        self.session.as_mut()?.opened_index()
    }

    /// A snapshot of the index, to be published now; `None` if the index is not open.
    fn snapshot(&mut self) -> Option<Arc<Snapshot>> {
        let snapshot = Arc::new(self.index()?.snapshot());
        (self.published, self.unpublished) = (Some(Instant::now()), 0);
        Some(snapshot)
    }
}

impl IndexWorker {
    pub(super) fn new(shared: Arc<SharedState>) -> Self {
        Self { shared, work: Mutex::default() }
    }

    /// Closes the session. Errors are ignored: the index is derived from the vault and can be rebuilt.
    pub(super) fn close(&self) {
        let _ = lock(&self.work).session.take().map(Session::close);
    }

    /// Preview: the graph as it would be with these notes on entities. Waits for the current step.
    pub(super) fn graph_under(&self, notes: Vec<EntityNote>) -> Result<GraphView, SessionError> {
        let mut work = lock(&self.work);
        let index = work.index().ok_or_else(|| SessionError::Fault("previewing a change of names".into()))?;
        Ok(index.graph_under(notes))
    }

    /// Runs one step. True if there is more to do at once.
    pub(super) fn work_step(&self) -> bool {
        match or_fault("indexing", || self.step()) {
            Ok(more) => more,
            Err(error) => {
                self.shared.publish(|view| view.progress = None);
                self.shared.notify(format!("indexing stopped: {error}"));
                let mut work = lock(&self.work);
                (work.embedding, work.reading) = (false, None);
                false
            }
        }
    }

    /// Runs all steps (for a session without threads).
    #[cfg(any(test, feature = "lab"))]
    pub(super) fn work_all(&self) {
        self.shared.mark_dirty();
        while self.work_step() {}
    }

    fn step(&self) -> Result<bool, SessionError> {
        let mut work = lock(&self.work);
        self.open_session(&mut work)?;
        // Take the flag before the scan, so that changes during the scan cause another one.
        let added_to = std::mem::take(&mut lock(&self.shared.due).added_to);
        // A read-only index scans all files anyway, see below.
        let is_writer = work.index().is_some_and(|index| !index.read_only());
        if is_writer && !added_to.is_empty() {
            // The file of the new entry is known, so index it first. The scan of all files, which is also due, follows.
            self.update(&mut work, ScanScope::In(&added_to))?;
            return Ok(true);
        }
        if work.uncommitted {
            // Commit even if embedding fails.
            let embedded = if work.embedding { self.embed(&mut work) } else { Ok(()) };
            self.commit(&mut work)?;
            return embedded.map(|()| true);
        }
        if std::mem::take(&mut lock(&self.shared.due).vault) {
            self.update(&mut work, ScanScope::Everywhere)?;
            return Ok(true);
        }
        if work.embedding {
            self.embed(&mut work)?;
        } else if work.reading.is_some() {
            self.read_claims(&mut work)?;
        } else if std::mem::take(&mut lock(&self.shared.due).writing)
            && let Some(index) = work.index()
        {
            index.prepare();
        }
        Ok(work.embedding || work.reading.is_some())
    }

    /// Opens the index for the chosen model, if it is not open, and publishes its last commit.
    fn open_session(&self, work: &mut Work) -> Result<(), SessionError> {
        if std::mem::take(&mut lock(&self.shared.due).model)
            && let Some(session) = &mut work.session
            // The published snapshot still answers while the index is reopened below.
            && let Err(error) = session.close_index()
        {
            self.shared.notify(format!("the index could not be saved; updating it again: {error}"));
        }
        if work.index().is_some() {
            return Ok(());
        }
        let vault = self.shared.vault()?;
        let session = work
            .session
            .get_or_insert_with(|| Session::with(self.shared.options.clone(), vault, self.shared.models.clone()));
        session.index()?;
        session.warnings().into_iter().for_each(|text| self.shared.notify(text));
        // The last commit answers during the scan of the vault, with the progress shown.
        let files = self.shared.view().days.len();
        self.show(work, Some(Progress { what: "reading", done: 0, of: files }))
    }

    fn update(&self, work: &mut Work, scope: ScanScope<'_>) -> Result<(), SessionError> {
        let Some(session) = &mut work.session else { return Ok(()) };
        let throttle = Throttle::new();
        let mut progress = |progress: Progress| {
            if throttle.is_due() {
                self.shared.publish(|view| view.progress = Some(progress));
            }
            !self.shared.stopping.load(Ordering::SeqCst)
        };
        let report = session.update(scope, &mut progress)?;
        work.embedding = self.shared.models.any();
        work.reading = Some(0);
        let uncommitted = work.index().is_some_and(|index| index.is_uncommitted());
        let in_part = std::mem::replace(&mut work.uncommitted, uncommitted);
        report.warnings.into_iter().for_each(|text| self.shared.notify(text));
        if report.noted {
            self.shared.publish(|view| view.noted += 1);
        }
        if uncommitted {
            // Publish the snapshot first, so that new entries can be found. The counts over all entries and the commit
            // follow.
            return self.show_snapshot(work, None);
        }
        // If no file changed, the published view is still valid.
        if in_part || !report.unchanged {
            return self.show(work, None);
        }
        self.shared.publish(|view| view.progress = None);
        Ok(())
    }

    /// Commits the uncommitted entries, and publishes the full view.
    fn commit(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(session) = &mut work.session else { return Ok(()) };
        work.uncommitted = false;
        session.commit()?;
        if !lock(&self.shared.due).added_to.is_empty() {
            // The published snapshot has an entry, added meanwhile, that the index does not have yet: the next step
            // publishes both.
            work.uncommitted = true;
            return Ok(());
        }
        self.show(work, None)
    }

    fn embed(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(session) = &mut work.session else { return Ok(()) };
        let Some(waiting) = session.index()?.waiting() else { return self.embedded(work) };
        let Some(count) = session.embed_batch(&waiting, &mut work.batch_size)? else {
            session.warnings().into_iter().for_each(|text| self.shared.notify(text));
            return self.show(work, None);
        };
        work.unpublished += count;
        if session.index()?.waiting().is_none() {
            return self.embedded(work);
        }
        if work.published.is_none_or(|at| at.elapsed() >= PUBLISH_EVERY) {
            let progress = Progress { what: "indexing", done: waiting.done + count, of: waiting.of };
            self.show_snapshot(work, Some(progress))?;
        }
        Ok(())
    }

    /// Reads the claims of a few entries: a save waits for none of the others.
    fn read_claims(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(session) = &mut work.session else { return Ok(()) };
        let of = session.index()?.unread().max(work.reading.unwrap_or(0));
        let left = session.read_batch(CLAIMS_STEP)?;
        work.reading = left.filter(|left| *left > 0).map(|_| of);
        match left {
            Some(0) => self.show(work, None),
            Some(left) if work.published.is_none_or(|at| at.elapsed() >= PUBLISH_CLAIMS_EVERY) => {
                self.show_snapshot(work, Some(Progress { what: "causes", done: of - left, of }))
            }
            _ => Ok(()),
        }
    }

    /// Publishes only the snapshot: days and names have not changed, or are counted later.
    fn show_snapshot(&self, work: &mut Work, progress: Option<Progress>) -> Result<(), SessionError> {
        let Some(snapshot) = work.snapshot() else { return Ok(()) };
        self.shared.publish(|view| (view.snapshot, view.progress) = (Some(snapshot), progress));
        Ok(())
    }

    /// Ends embedding: a newly chosen model can now replace the old one.
    fn embedded(&self, work: &mut Work) -> Result<(), SessionError> {
        work.embedding = false;
        let Some(index) = work.index() else { return Ok(()) };
        let is_news = !index.is_standing_in();
        let succeeded = index.succeed()?;
        if let Some(model) = &succeeded {
            self.shared.models.keep_only(model);
        }
        if let Some(model) = succeeded.as_ref().filter(|_| is_news) {
            self.shared.notify(format!("search by meaning now uses {}", model.name));
        }
        if succeeded.is_some() {
            self.show(work, None)?;
        } else if work.unpublished > 0 {
            self.show_snapshot(work, None)?;
        } else if self.shared.view().progress.is_some() {
            self.shared.publish(|view| view.progress = None);
        }
        Ok(())
    }

    /// Publishes the current index, with everything that the screens show of it.
    fn show(&self, work: &mut Work, progress: Option<Progress>) -> Result<(), SessionError> {
        let Some(snapshot) = work.snapshot() else { return Ok(()) };
        // The expensive part, before the view is locked: the screens read it at every key.
        let shown = view::shown(snapshot);
        self.shared.publish(|view| {
            shown(view);
            view.progress = progress;
        });
        Ok(())
    }

    /// The neighbour graph to build on another thread, if one is due.
    pub(super) fn ann_due(&self) -> Option<AnnWork> {
        lock(&self.work).index()?.ann_due()
    }

    /// Builds the neighbour graph (minutes for a million passages). Meanwhile searches use the exact scan.
    pub(super) fn build_ann(&self, work: &AnnWork) {
        let throttle = Throttle::new();
        let mut go_on = |done, of| {
            if throttle.is_due() {
                self.shared.publish(|view| view.progress = Some(Progress { what: "neighbours", done, of }));
            }
            !self.shared.stopping.load(Ordering::SeqCst)
        };
        if let Err(error) = work.build(&mut go_on) {
            self.shared.notify(format!(
                "the neighbour graph could not be built; search by meaning uses the exact scan: {error}"
            ));
        }
        self.shared.publish(|view| view.progress = None);
    }

    /// See [`Index::follows_writer`].
    pub(super) fn follows_writer(&self) -> Option<bool> {
        lock(&self.work).index()?.follows_writer()
    }

    /// Writes a checkpoint if there are changes; called when idle.
    pub(super) fn checkpoint(&self) {
        let mut work = lock(&self.work);
        if let Some(index) = work.index()
            && let Err(error) = index.save()
        {
            self.shared.notify(format!("the index could not be saved; the next start updates it: {error}"));
        }
    }
}
