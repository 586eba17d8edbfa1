//! The index worker: keeps the index in step with the vault and embeds what is new, in small steps, so that a save never waits for
//! it and an end of the program finds it at a safe point.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, atomic::Ordering},
    time::{Duration, Instant},
};

use super::{
    Session, SessionError,
    batch_size::BatchSize,
    locks::lock,
    protocol::View,
    shared_state::{SharedState, Throttle},
    view,
};
use crate::{
    index::{Index, Progress, ScanScope, Snapshot, graph::GraphView, vector::AnnWork},
    journal::EntityNote,
};

/// While embedding, a new snapshot at most so often.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// Drives a [`Session`] in steps and publishes what it finds.
pub(super) struct IndexWorker {
    shared: Arc<SharedState>,
    work: Mutex<Work>,
}

/// What the index worker keeps between steps.
#[derive(Default)]
struct Work {
    /// Opened with the first step.
    session: Option<Session>,
    /// Passages wait to be embedded.
    embedding: bool,
    /// What is published was not committed, nor counted.
    uncommitted: bool,
    batch_size: BatchSize,
    published: Option<Instant>,
    /// Embedded since the last published snapshot.
    unpublished: usize,
}

impl Work {
    /// The index, where it is open.
    fn index(&mut self) -> Option<&mut Index> {
        self.session.as_mut()?.opened_index()
    }
}

impl IndexWorker {
    pub(super) fn new(shared: Arc<SharedState>) -> Self {
        Self { shared, work: Mutex::default() }
    }

    /// Ends the session: the vault is safe already, and what a failed end loses is derived and made again.
    pub(super) fn close(&self) {
        let _ = lock(&self.work).session.take().map(Session::close);
    }

    /// The graph as it would be with these notes on entities. Waits for the step under way.
    pub(super) fn graph_under(&self, notes: Vec<EntityNote>) -> Result<GraphView, SessionError> {
        let mut work = lock(&self.work);
        let index = work.index().ok_or_else(|| SessionError::Fault("weighing a change of names".into()))?;
        Ok(index.graph_under(notes))
    }

    /// One step of work. True where more is to do at once.
    pub(super) fn work_step(&self) -> bool {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.step()))
            .unwrap_or_else(|_| Err(SessionError::Fault("indexing".to_owned())));
        match outcome {
            Ok(more) => more,
            Err(error) => {
                self.shared.publish(|view| view.progress = None);
                self.shared.tell(format!("indexing stopped: {error}"));
                lock(&self.work).embedding = false;
                false
            }
        }
    }

    /// Everything there is to do (for a session without threads).
    pub(super) fn work_all(&self) {
        self.shared.mark_dirty();
        while self.work_step() {}
    }

    fn step(&self) -> Result<bool, SessionError> {
        let mut work = lock(&self.work);
        self.open_session(&mut work)?;
        // Taken before the look: what changes during it is looked at again.
        let added_to = std::mem::take(&mut lock(&self.shared.due).added_to);
        // Who only reads the index looks at all files in any case, below.
        let is_writer = work.index().is_some_and(|index| !index.read_only());
        if is_writer && !added_to.is_empty() {
            // Where a new entry stands is known. That it can be found need not wait for a look at all files, which is due as well.
            self.update(&mut work, ScanScope::In(&added_to))?;
            return Ok(true);
        }
        if work.uncommitted {
            // An entry that cannot be embedded is committed all the same.
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
        } else if std::mem::take(&mut lock(&self.shared.due).writing)
            && let Some(index) = work.index()
        {
            index.prepare();
        }
        Ok(work.embedding)
    }

    /// Opens the index for the model that is chosen, where it is not open, and shows its last commit.
    fn open_session(&self, work: &mut Work) -> Result<(), SessionError> {
        if std::mem::take(&mut lock(&self.shared.due).model)
            && let Some(session) = &mut work.session
            // What is published goes on answering until the index is open again, which is at once.
            && let Err(error) = session.close_index()
        {
            self.shared.tell(format!("the index could not be saved and is brought up to date again: {error}"));
        }
        if work.index().is_some() {
            return Ok(());
        }
        let vault = self.shared.vault()?;
        let session = work
            .session
            .get_or_insert_with(|| Session::with(self.shared.options.clone(), vault, self.shared.models.clone()));
        session.index()?;
        session.warnings().into_iter().for_each(|text| self.shared.tell(text));
        // The last commit serves while the vault is looked through; until then it is not called ready.
        self.show_with(work, |snapshot| {
            let shown = view::shown(snapshot);
            move |view: &mut View| {
                let files = view.days.len();
                shown(view);
                view.progress = Some(Progress { what: "reading", done: 0, of: files });
            }
        })
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
        let uncommitted = work.index().is_some_and(|index| index.is_uncommitted());
        let in_part = std::mem::replace(&mut work.uncommitted, uncommitted);
        report.warnings.into_iter().for_each(|text| self.shared.tell(text));
        if report.noted {
            self.shared.publish(|view| view.noted += 1);
        }
        if uncommitted {
            // Found first: what is counted over all entries, and the disk, are waited for after that.
            return self.show_snapshot(work, None);
        }
        // What opening published, or the sync before, still holds where no file differed.
        if in_part || !report.unchanged {
            return self.show(work);
        }
        self.shared.publish(|view| view.progress = None);
        Ok(())
    }

    /// Commits what can be found already, and shows all that is counted of it.
    fn commit(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(session) = work.session.as_mut().filter(|_| work.uncommitted) else { return Ok(()) };
        work.uncommitted = false;
        session.commit()?;
        if !lock(&self.shared.due).added_to.is_empty() {
            // What is published holds an entry that was added meanwhile, and the index does not yet: the next step shows both.
            work.uncommitted = true;
            return Ok(());
        }
        self.show(work)
    }

    fn embed(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(session) = &mut work.session else { return Ok(()) };
        let Some(waiting) = session.index()?.waiting() else { return self.embedded(work) };
        let Some(count) = session.embed_batch(&waiting, &mut work.batch_size)? else {
            session.warnings().into_iter().for_each(|text| self.shared.tell(text));
            return self.show(work);
        };
        work.unpublished += count;
        if session.index()?.waiting().is_none() {
            return self.embedded(work);
        }
        if work.published.is_none_or(|at| at.elapsed() >= PUBLISH_EVERY) {
            let progress = Progress { what: waiting.what(), done: waiting.done + count, of: waiting.of };
            self.show_snapshot(work, Some(progress))?;
        }
        Ok(())
    }

    /// The snapshot alone: days and names have not changed, or are counted later.
    fn show_snapshot(&self, work: &mut Work, progress: Option<Progress>) -> Result<(), SessionError> {
        self.show_with(work, |snapshot| {
            move |view: &mut View| (view.snapshot, view.progress) = (Some(snapshot), progress)
        })
    }

    /// Nothing is left to embed: a model that was chosen meanwhile may take over.
    fn embedded(&self, work: &mut Work) -> Result<(), SessionError> {
        work.embedding = false;
        let Some(index) = work.index() else { return Ok(()) };
        let succeeded = index.succeed()?;
        if let Some(model) = &succeeded {
            self.shared.models.keep_only(model);
            self.shared.tell(format!("search by meaning goes by {} from now on", model.name));
        }
        if succeeded.is_some() {
            self.show(work)?;
        } else if work.unpublished > 0 {
            self.show_snapshot(work, None)?;
        } else if self.shared.view().progress.is_some() {
            self.shared.publish(|view| view.progress = None);
        }
        Ok(())
    }

    /// Publishes the index as it is now, with all that the screens show of it.
    fn show(&self, work: &mut Work) -> Result<(), SessionError> {
        self.show_with(work, |snapshot| {
            let shown = view::shown(snapshot);
            move |view: &mut View| {
                shown(view);
                view.progress = None;
            }
        })
    }

    /// `change` goes through the snapshot before the view is taken: the screens read that at every key.
    fn show_with<C: FnOnce(&mut View)>(
        &self,
        work: &mut Work,
        change: impl FnOnce(Arc<Snapshot>) -> C,
    ) -> Result<(), SessionError> {
        let Some(index) = work.index() else { return Ok(()) };
        let snapshot = Arc::new(index.snapshot()?);
        work.published = Some(Instant::now());
        work.unpublished = 0;
        self.shared.publish(change(snapshot));
        Ok(())
    }

    /// The neighbour graph to build on another thread, where it is time.
    pub(super) fn ann_due(&self) -> Option<AnnWork> {
        lock(&self.work).index()?.ann_due()
    }

    /// Builds the neighbour graph; minutes at a million passages. Searches scan exactly meanwhile.
    pub(super) fn build_ann(&self, work: &AnnWork) {
        let throttle = Throttle::new();
        let mut go_on = |done, of| {
            if throttle.is_due() {
                self.shared.publish(|view| view.progress = Some(Progress { what: "neighbours", done, of }));
            }
            !self.shared.stopping.load(Ordering::SeqCst)
        };
        if let Err(error) = work.build(&mut go_on) {
            self.shared.tell(format!("search by meaning goes on without its neighbour graph: {error}"));
        }
        self.shared.publish(|view| view.progress = None);
    }

    /// Makes permanent what the index has learned since its last checkpoint; called when nothing else is to do.
    pub(super) fn checkpoint(&self) {
        let mut work = lock(&self.work);
        if let Some(index) = work.index().filter(|index| index.unsaved() > 0)
            && let Err(error) = index.checkpoint()
        {
            self.shared.tell(format!(
                "the index could not be saved and will be brought up to date at the next start: {error}"
            ));
        }
    }
}
