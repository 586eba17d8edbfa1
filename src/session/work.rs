//! The work worker: keeps the index in step with the vault and embeds what is new, in small steps, so that a save
//! never waits for it and an end of the program finds it at a safe point.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use super::{
    SessionError,
    batch_size::BatchSize,
    direct::{self, open_index},
    protocol::View,
    shared_state::{SharedState, lock},
    view,
};
use crate::index::{Embedded, Index, Progress, ScanScope, Snapshot, vector::AnnWork};

/// Progress is shown at most so often.
pub(super) const SHOW_EVERY: Duration = Duration::from_millis(100);

/// While embedding, a new snapshot at most so often.
const PUBLISH_EVERY: Duration = Duration::from_secs(1);

/// What the index worker knows between steps.
#[derive(Default)]
pub(super) struct Work {
    pub(super) index: Option<Index>,
    /// Passages wait to be embedded.
    embedding: bool,
    /// What is published was not committed, nor counted.
    unsettled: bool,
    pace: BatchSize,
    published: Option<Instant>,
    /// Embedded since the last published snapshot.
    unpublished: usize,
}

impl SharedState {
    /// One step of work. True where more is to do at once.
    pub(super) fn work_step(&self) -> bool {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.step()))
            .unwrap_or_else(|_| Err(SessionError::Fault("indexing".to_owned())));
        match outcome {
            Ok(more) => more,
            Err(error) => {
                self.publish(|view| view.progress = None);
                self.tell(format!("indexing stopped: {error}"));
                lock(&self.work).embedding = false;
                false
            }
        }
    }

    /// Everything there is to do (for a session without threads).
    pub(super) fn work_all(&self) {
        self.due();
        while self.work_step() {}
    }

    fn step(&self) -> Result<bool, SessionError> {
        let mut work = lock(&self.work);
        if self.chosen_anew.swap(false, Ordering::SeqCst)
            && let Some(index) = work.index.take()
        {
            // What is published goes on answering until the index is open again, which is at once.
            self.put_away(index);
        }
        if work.index.is_none() {
            let (index, warnings) = open_index(&self.options, &self.models, &self.vault()?)?;
            warnings.into_iter().for_each(|text| self.tell(text));
            work.index = Some(index);
            // The last commit serves while the vault is looked through; until then it is not called ready.
            self.show_with(&mut work, |snapshot| {
                let shown = view::shown(snapshot);
                move |view: &mut View| {
                    let files = view.days.len();
                    shown(view);
                    view.progress = Some(Progress { what: "reading", done: 0, of: files });
                }
            })?;
        }
        // Cleared before the look, as is `dirty`: what changes during it is looked at again.
        let added_to = std::mem::take(&mut *lock(&self.added_to));
        // Who only reads the index looks at all files in any case, below.
        let is_writer = work.index.as_ref().is_some_and(|index| !index.read_only());
        if is_writer && !added_to.is_empty() {
            // Where a new entry stands is known. That it can be found need not wait for a look at all files, which is due as well.
            self.sync(&mut work, ScanScope::In(&added_to))?;
            return Ok(true);
        }
        if work.unsettled {
            // An entry that cannot be embedded is committed all the same.
            let embedded = if work.embedding { self.embed(&mut work) } else { Ok(()) };
            self.make_permanent(&mut work)?;
            return embedded.map(|()| true);
        }
        if self.dirty.swap(false, Ordering::SeqCst) {
            self.sync(&mut work, ScanScope::Everywhere)?;
            return Ok(true);
        }
        if work.embedding {
            self.embed(&mut work)?;
        } else if self.writing.swap(false, Ordering::SeqCst)
            && let Some(index) = &mut work.index
        {
            index.prepare();
        }
        Ok(work.embedding)
    }

    fn put_away(&self, mut index: Index) {
        let kept = if index.unsaved() > 0 { index.checkpoint() } else { Ok(()) };
        if let Err(error) = kept.and_then(|()| index.close()) {
            self.tell(format!("the index could not be saved and is brought up to date again: {error}"));
        }
    }

    fn sync(&self, work: &mut Work, look: ScanScope<'_>) -> Result<(), SessionError> {
        let vault = self.vault()?;
        let Some(index) = &mut work.index else { return Ok(()) };
        let mut shown = Instant::now();
        let mut progress = |progress: Progress| {
            if shown.elapsed() >= SHOW_EVERY {
                shown = Instant::now();
                self.publish(|view| view.progress = Some(progress));
            }
            !self.stopping.load(Ordering::SeqCst)
        };
        let report = index.take_in(&vault, look, &mut progress)?;
        work.embedding = self.models.any();
        let unsettled = index.unsettled().map(<[_]>::to_vec);
        let in_part = std::mem::replace(&mut work.unsettled, unsettled.is_some());
        *lock(&self.pending) = unsettled.unwrap_or_default();
        report.warnings.into_iter().for_each(|text| self.tell(text));
        if report.noted {
            self.publish(|view| view.noted += 1);
        }
        if work.unsettled {
            // Found first: what is counted over all entries, and the disk, are waited for after that.
            return self.show_snapshot(work, None);
        }
        // What opening published, or the sync before, still holds where no file differed.
        if in_part || !report.unchanged {
            return self.show(work);
        }
        self.publish(|view| view.progress = None);
        Ok(())
    }

    /// Commits what can be found already, and shows all that is counted of it.
    fn make_permanent(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(index) = work.index.as_mut().filter(|_| work.unsettled) else { return Ok(()) };
        work.unsettled = false;
        index.settle()?;
        if !lock(&self.added_to).is_empty() {
            // What is published holds an entry that was added meanwhile, and the index does not yet: the next step shows both.
            work.unsettled = true;
            return Ok(());
        }
        lock(&self.pending).clear();
        self.show(work)
    }

    fn embed(&self, work: &mut Work) -> Result<(), SessionError> {
        let Some(index) = &mut work.index else { return Ok(()) };
        let Some(waiting) = index.waiting() else { return self.embedded(work) };
        let encoder = self.models.encoder(&waiting.model);
        let started = Instant::now();
        let embedded = match encoder {
            Ok(encoder) => index.embed(encoder.as_ref(), work.pace.passages())?,
            Err(why) => Embedded::Fault(why),
        };
        work.pace.learn(started.elapsed());
        let count = match embedded {
            Embedded::Passages(count) => count,
            Embedded::Fault(why) => {
                self.tell(direct::fault(&waiting, &why));
                index.give_up(&waiting.model, why);
                return self.show(work);
            }
        };
        work.unpublished += count;
        if index.waiting().is_none() {
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
        let Some(index) = &mut work.index else { return Ok(()) };
        let succeeded = index.succeed()?;
        if let Some(model) = &succeeded {
            self.models.keep_only(model);
            self.tell(format!("search by meaning goes by {} from now on", model.name));
        }
        if succeeded.is_some() {
            self.show(work)?;
        } else if work.unpublished > 0 {
            self.show_snapshot(work, None)?;
        } else if self.view().progress.is_some() {
            self.publish(|view| view.progress = None);
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
        let Some(index) = &mut work.index else { return Ok(()) };
        let snapshot = Arc::new(index.snapshot()?);
        work.published = Some(Instant::now());
        work.unpublished = 0;
        self.publish(change(snapshot));
        Ok(())
    }

    /// The neighbour graph to build on another thread, where it is time.
    pub(super) fn ann_due(&self) -> Option<AnnWork> {
        lock(&self.work).index.as_ref()?.ann_due()
    }

    /// Builds the neighbour graph; minutes at a million passages. Searches scan exactly meanwhile.
    pub(super) fn build_ann(&self, work: &AnnWork) {
        let mut shown = Instant::now();
        let mut go_on = |done, of| {
            if shown.elapsed() >= SHOW_EVERY {
                shown = Instant::now();
                self.publish(|view| view.progress = Some(Progress { what: "neighbours", done, of }));
            }
            !self.stopping.load(Ordering::SeqCst)
        };
        if let Err(error) = work.build(&mut go_on) {
            self.tell(format!("search by meaning goes on without its neighbour graph: {error}"));
        }
        self.publish(|view| view.progress = None);
    }

    /// Makes permanent what the index has learned since its last checkpoint; called when nothing else is to do.
    pub(super) fn checkpoint(&self) {
        let mut work = lock(&self.work);
        if let Some(index) = work.index.as_mut().filter(|index| index.unsaved() > 0)
            && let Err(error) = index.checkpoint()
        {
            self.tell(format!(
                "the index could not be saved and will be brought up to date at the next start: {error}"
            ));
        }
    }
}
