//! The queue of texts without an answer, with retry and backoff.
//!
//! The queue itself is not stored: it is the texts of the journal without a file in `answers/`, so it is always
//! consistent. Only the retry states of the texts and the state of the service are stored, next to the answers. A
//! process that is killed loses at most the answer to the current request.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    extract::llm::{
        Answer, Dropped,
        question::{MOST_NAMES, holds_tag, may_go, question},
        service::{self, Fault, Service, ServiceError, ServiceOptions},
    },
    index::{Catalog, CatalogEntry, EntryKey, Snapshot},
    journal::{BodyHash, EntityKind, Entry, EntryId, Vault, files::Lock},
    session::{
        SessionError,
        entries::read_entries,
        protocol::{ModelReading, ModelState},
    },
};

/// Maximum number of requests for a text whose answers are unusable.
const MOST_TRIES: u32 = 4;
/// Pause before the first retry of a text; it grows fivefold each time.
const TEXT_PAUSE: Duration = Duration::from_secs(60);
/// Pause after the first failure of the service; it doubles each time.
const SERVICE_PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);
/// Maximum for a pause that the service asks for.
const LONGEST_WISH: Duration = Duration::from_secs(24 * 60 * 60);

/// The service, and the entries that are not sent to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LlmOptions {
    pub service: ServiceOptions,
    /// Entries with one of these tags are never sent.
    pub kept_back: Vec<String>,
}

/// Retry state of one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Tries {
    count: u32,
    not_before: Timestamp,
    why: String,
}

/// State of the service.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct Met {
    /// Number of failures since its last answer.
    failures: u32,
    not_before: Option<Timestamp>,
    why: Option<String>,
    /// Stopped by an error that only the user can fix.
    stopped: bool,
}

/// Result of one step.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// An answer was stored.
    Answered { entry: EntryId, statements: usize, dropped: Dropped },
    /// Nothing was sent: the entry has no content, is too long, or is kept back.
    PassedOver,
    /// The entry changed during the request; the answer was discarded.
    Outdated,
    /// No answer; the queue has scheduled a retry.
    Failed { entry: EntryId, why: String },
    /// Nothing may be sent before this time.
    Later(Timestamp),
    /// Nothing is sent until the user fixes this error.
    Stopped(String),
    /// Every text has an answer or was given up.
    Done,
    /// Another kioku process sends the requests.
    Elsewhere,
}

/// The texts of one journal, sent one at a time, newest first.
pub struct Queue {
    options: LlmOptions,
    service: Service,
    /// The lock of the process that sends requests.
    lock: Option<Lock>,
    catalog: Arc<Catalog>,
    answered: HashSet<BodyHash>,
    tries: HashMap<BodyHash, Tries>,
    /// Texts that are not sent, which only reading them shows.
    passed_over: HashSet<BodyHash>,
    met: Met,
    /// No request was sent yet by this process: the user may have fixed the error of an earlier one.
    fresh: bool,
    names: Option<(Arc<Snapshot>, Vec<String>)>,
}

impl Queue {
    /// Opens the queue: reads the existing answers, the retry states and the state of the service.
    pub fn open(vault: &Vault, options: LlmOptions) -> Result<Self, SessionError> {
        let met = vault.answering_service()?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let mut queue = Self {
            service: Service::new(options.service.clone()),
            options,
            lock: None,
            catalog: Arc::default(),
            answered: HashSet::new(),
            tries: HashMap::new(),
            passed_over: HashSet::new(),
            met: met.unwrap_or_default(),
            fresh: true,
            names: None,
        };
        queue.look(vault)?;
        Ok(queue)
    }

    /// Reads the existing answers and retry states again (another program may have added or removed some).
    pub fn look(&mut self, vault: &Vault) -> Result<(), SessionError> {
        self.answered = vault.answers()?.into_iter().map(|(hash, _)| hash).collect();
        let tries = vault.answer_tries()?.into_iter();
        self.tries = tries.filter_map(|(hash, bytes)| Some((hash, serde_json::from_slice(&bytes).ok()?))).collect();
        Ok(())
    }

    /// Sends at most one request. Blocks until the answer or the timeout of the service. `stopping` is checked before
    /// anything is written.
    ///
    /// # Errors
    /// Errors of the vault. A failure of the service is a [`Step`].
    pub fn step(
        &mut self,
        vault: &Vault,
        snapshot: &Arc<Snapshot>,
        now: Timestamp,
        stopping: &dyn Fn() -> bool,
    ) -> Result<Step, SessionError> {
        self.take_up(vault, snapshot)?;
        if self.lock.is_none() {
            let Some(lock) = vault.try_lock_answers()? else { return Ok(Step::Elsewhere) };
            self.lock = Some(lock);
        }
        if self.met.stopped && !self.fresh {
            return Ok(Step::Stopped(self.met.why.clone().unwrap_or_default()));
        }
        let (next, soonest) = self.next(now);
        let Some(known) = next else { return Ok(soonest.map_or(Step::Done, Step::Later)) };
        if let Some(until) = self.met.not_before.filter(|until| *until > now) {
            return Ok(Step::Later(until));
        }
        let Some(entry) = read_entries(vault, std::iter::once(known.as_ref()))?.pop().filter(|e| e.hash == known.hash)
        else {
            // Changed since the snapshot; the next snapshot has the new text.
            self.passed_over.insert(known.hash);
            return Ok(Step::Outdated);
        };
        let Some(question) = question(&entry, &self.names(snapshot), &self.options.kept_back) else {
            self.passed_over.insert(known.hash);
            return Ok(Step::PassedOver);
        };
        self.fresh = false;
        let asked = self.service.ask(&question, &entry, now);
        if stopping() {
            return Ok(Step::Outdated);
        }
        match asked {
            Ok(answer) => {
                let kept = vault.keep_answer(&entry, &answer.to_file())?;
                self.answered.insert(entry.hash);
                self.tries.remove(&entry.hash);
                self.meet(vault, Met::default())?;
                Ok(if kept { answered(entry.id, &answer) } else { Step::Outdated })
            }
            Err(error) => {
                self.note(vault, &entry, &error, now)?;
                Ok(match error.fault() {
                    Fault::Settings => Step::Stopped(error.to_string()),
                    _ => Step::Failed { entry: entry.id, why: error.to_string() },
                })
            }
        }
    }

    /// The progress for the texts in `snapshot`.
    pub fn reading(&self, snapshot: &Snapshot, now: Timestamp) -> ModelReading {
        let mut reading =
            ModelReading { done: 0, of: 0, given_up: 0, trouble: self.met.why.clone(), state: ModelState::Done };
        let mut seen = HashSet::new();
        let mut soonest: Option<(Timestamp, &str)> = None;
        for entry in snapshot.catalog.entries().iter().filter(|entry| self.is_asked_about(entry)) {
            if !seen.insert(entry.hash) {
                continue;
            }
            reading.of += 1;
            let tries = self.tries.get(&entry.hash);
            if self.answered.contains(&entry.hash) {
                reading.done += 1;
            } else if tries.is_some_and(|tries| tries.count >= MOST_TRIES) {
                reading.given_up += 1;
            } else if let Some(tries) = tries.filter(|tries| tries.not_before > now) {
                soonest = soonest.into_iter().chain([(tries.not_before, tries.why.as_str())]).min();
            } else {
                reading.state = ModelState::Reading;
            }
        }
        let waiting = |until: Timestamp, why: &str| ModelState::Waiting { until, why: why.to_owned() };
        let why = self.met.why.clone().unwrap_or_default();
        if reading.done + reading.given_up < reading.of {
            let service = self.met.not_before.filter(|until| *until > now);
            reading.state = match (self.met.stopped, service, soonest, &reading.state) {
                (true, ..) => ModelState::Stopped { why },
                (_, Some(until), ..) => waiting(until, &why),
                (_, _, Some((until, why)), ModelState::Done) => waiting(until, why),
                _ => ModelState::Reading,
            };
        }
        reading
    }

    /// Reads up to `most` texts without an answer, to exclude those that are never sent from the count. [`Queue::step`]
    /// does this as it goes.
    pub fn look_through(&mut self, vault: &Vault, snapshot: &Snapshot, most: usize) -> Result<(), SessionError> {
        let left = snapshot.catalog.entries().iter().rev().map(AsRef::as_ref);
        let left = left.filter(|entry| !self.answered.contains(&entry.hash) && self.is_asked_about(entry)).take(most);
        for entry in read_entries(vault, left)? {
            if !may_go(&entry, &self.options.kept_back) {
                self.passed_over.insert(entry.hash);
            }
        }
        Ok(())
    }

    /// Whether an entry may be sent, judged without its text.
    fn is_asked_about(&self, entry: &CatalogEntry) -> bool {
        let kept = |tag: &String| holds_tag(&self.options.kept_back, tag);
        let is_text = entry.words > 1 && !entry.is_record();
        is_text && !self.passed_over.contains(&entry.hash) && !entry.tags.iter().any(kept)
    }

    /// The newest entry that may be sent now; or else the time of the next retry, if any.
    fn next(&self, now: Timestamp) -> (Option<Arc<CatalogEntry>>, Option<Timestamp>) {
        let mut soonest = None;
        for entry in self.catalog.entries().iter().rev() {
            if self.answered.contains(&entry.hash) || !self.is_asked_about(entry) {
                continue;
            }
            match self.tries.get(&entry.hash) {
                Some(tries) if tries.count >= MOST_TRIES => {}
                Some(tries) if tries.not_before > now => {
                    soonest = soonest.into_iter().chain([tries.not_before]).min();
                }
                _ => return (Some(entry.clone()), None),
            }
        }
        (None, soonest)
    }

    /// Switches to the catalog of a new snapshot.
    fn take_up(&mut self, vault: &Vault, snapshot: &Arc<Snapshot>) -> Result<(), SessionError> {
        if !Arc::ptr_eq(&self.catalog, &snapshot.catalog) {
            self.catalog = snapshot.catalog.clone();
            self.passed_over.clear();
            self.look(vault)?;
        }
        Ok(())
    }

    fn names(&mut self, snapshot: &Arc<Snapshot>) -> Vec<String> {
        match &self.names {
            Some((of, names)) if Arc::ptr_eq(of, snapshot) => names.clone(),
            _ => {
                let names = names(snapshot, &self.options.kept_back);
                self.names = Some((snapshot.clone(), names.clone()));
                names
            }
        }
    }

    fn note(&mut self, vault: &Vault, entry: &Entry, error: &ServiceError, now: Timestamp) -> Result<(), SessionError> {
        let (fault, why) = (error.fault(), error.to_string());
        if matches!(fault, Fault::Text | Fault::Either) {
            let count = self.tries.get(&entry.hash).map_or(0, |tries| tries.count) + 1;
            let pause = pause(TEXT_PAUSE, 5, count, &entry.hash.0);
            let tries = Tries { count, not_before: after(now, pause), why: why.clone() };
            vault.keep_answer_tries(entry, &json(&tries))?;
            self.tries.insert(entry.hash, tries);
        }
        let failures = self.met.failures.saturating_add(1);
        let seed = vault.options().machine.as_bytes();
        let wanted = match error {
            ServiceError::Busy { after: Some(wish), .. } => (*wish).min(LONGEST_WISH),
            _ => Duration::ZERO,
        };
        let met = match fault {
            Fault::Settings => Met { failures, not_before: None, why: Some(why), stopped: true },
            // A single bad text is not a failure of the service, but a series of them is.
            Fault::Text if failures <= MOST_TRIES => Met { failures, ..Met::default() },
            _ => {
                let until = after(now, pause(SERVICE_PAUSE, 2, failures, seed).max(wanted));
                Met { failures, not_before: Some(until), why: Some(why), stopped: false }
            }
        };
        self.meet(vault, met)
    }

    fn meet(&mut self, vault: &Vault, met: Met) -> Result<(), SessionError> {
        if self.met != met {
            vault.keep_answering_service(&json(&met))?;
            self.met = met;
        }
        Ok(())
    }
}

fn answered(entry: EntryId, answer: &Answer) -> Step {
    let statements = answer.entities.len() + answer.relations.len() + usize::from(answer.event_time.is_some());
    Step::Answered { entry, statements, dropped: answer.dropped }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).expect("numbers and texts are always JSON");
    bytes.push(b'\n');
    bytes
}

fn after(now: Timestamp, pause: Duration) -> Timestamp {
    now.saturating_add(pause).unwrap_or(Timestamp::MAX)
}

/// The pause after the `count`th failure: exponential backoff by `factor`, at most an hour, with a jitter of a quarter
/// from the seed, so that several processes do not retry at the same time.
pub(in crate::session) fn pause(first: Duration, factor: u32, count: u32, seed: &[u8]) -> Duration {
    let grown = first.saturating_mul(factor.saturating_pow(count.saturating_sub(1))).min(LONGEST_PAUSE);
    let digest = Sha256::new().chain_update(seed).chain_update(count.to_le_bytes()).finalize();
    let share = f64::from(u16::from_le_bytes([digest[0], digest[1]])) / f64::from(u16::MAX);
    grown.mul_f64(0.75 + share / 2.0)
}

/// The request body for an entry; `None` if the entry is not sent.
pub fn preview(options: &LlmOptions, snapshot: &Snapshot, entry: &Entry) -> Option<serde_json::Value> {
    let names = names(snapshot, &options.kept_back);
    let question = question(entry, &names, &options.kept_back)?;
    Some(service::body(&options.service, &question))
}

/// The most mentioned names, without feelings and without names that occur only in entries that are kept back.
fn names(snapshot: &Snapshot, kept_back: &[String]) -> Vec<String> {
    let graph = &snapshot.graph;
    let is_kept = |tag: &String| holds_tag(kept_back, tag);
    let mut closed: HashSet<EntryKey> = HashSet::new();
    closed.extend(snapshot.catalog.entries().iter().filter(|entry| entry.tags.iter().any(is_kept)).map(|e| e.key));
    // Entries with such a tag in their text. Equal words count too, to be on the safe side.
    let tagged = kept_back.iter().flat_map(|tag| graph.by_name(tag)).flat_map(|entity| graph.entries(entity));
    closed.extend(tagged);
    let open = graph.entity_refs().filter(|entity| {
        let is_tag = is_kept(&graph.entity(*entity).name);
        let feels = graph.entity(*entity).kind == EntityKind::Emotion;
        !is_tag && !feels && graph.entries(*entity).iter().any(|entry| !closed.contains(entry))
    });
    open.take(MOST_NAMES).map(|entity| graph.entity(entity).name.clone()).collect()
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn pauses_grow_are_bounded_and_differ_by_their_seed() {
        let of = |count, seed: &[u8]| pause(SERVICE_PAUSE, 2, count, seed).as_secs_f64();
        for count in 1..40 {
            let plain = (5.0 * 2f64.powi(count as i32 - 1)).min(3600.0);
            assert!((0.75 * plain..=1.25 * plain).contains(&of(count, b"a")), "{count}: {}", of(count, b"a"));
        }
        assert_ne!(of(3, b"a"), of(3, b"b"));
        assert_eq!(of(3, b"a"), of(3, b"a"));
    }
}
