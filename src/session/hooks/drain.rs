//! Work on the queue: events become `conversation` records of a journal.
//!
//! A turn is what happens between two prompts: its tool uses wait in the queue until the agent stops, the next prompt
//! comes or the session ends. Everything that is written is derived from the queued files and named by them, so that
//! work repeated after a crash finds its records there; the summary of a session without an end is known by its session.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::PathBuf,
};

use jiff::{SignedDuration, Timestamp};

use super::{
    event::{EventKind, without_private},
    queue::{HookQueue, Job},
    summary, turn,
};
use crate::{
    journal::{Entry, EntryTime, NewEntry, NewRecord, RecordHead, RecordKind, Vault, VaultError, files, random_id},
    session::SessionError,
};

/// What was done with the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drained {
    pub written: usize,
    /// Events that repeat the one before.
    pub folded: usize,
    /// Tool uses of turns that are not finished.
    pub waiting: usize,
}

/// Number of day files that are read for the records of a session.
const RECENT_FILES: usize = 3;
/// After this, the turn of an agent that never stopped is written.
const ABANDONED: SignedDuration = SignedDuration::from_hours(6);
/// After this without a record, a session of which no end is told is over when another one of its project begins.
const LEFT: SignedDuration = SignedDuration::from_mins(30);
/// How much of the end of a transcript is read for an outcome.
const TRANSCRIPT_END: u64 = 256 * 1024;

/// Works on the queue until it has nothing left to do. Waits for another process that does so.
pub fn drain(queue: &HookQueue, vault: &Vault) -> Result<Drained, SessionError> {
    let mut all = Drained::default();
    loop {
        let claim = queue.claim()?;
        let jobs = queue.jobs()?;
        if jobs.is_empty() {
            return Ok(all);
        }
        let recent = recent_records(vault)?;
        let plan = Plan::of(jobs, &recent, vault);
        let is_done = plan.done.is_empty();
        if !plan.entries.is_empty() {
            all.written += vault.append_all(plan.entries)?.added.len();
        }
        // In this order: what begins a record goes last.
        plan.done.iter().try_for_each(|path| files::remove(path))?;
        all.folded += plan.folded;
        all.waiting = plan.waiting;
        drop(claim);
        if is_done {
            return Ok(all);
        }
    }
}

/// The conversation records of the latest day files, oldest first.
fn recent_records(vault: &Vault) -> Result<Vec<Entry>, VaultError> {
    let files = vault.files()?;
    let days = files.iter().rev().take(RECENT_FILES).map(|stamp| vault.read_if_there(&stamp.file));
    let days: Vec<_> = days.collect::<Result<_, _>>()?;
    let days = days.into_iter().flatten();
    let mut entries: Vec<Entry> = days.flat_map(|day| day.entries).map(|written| written.entry).collect();
    entries.retain(|entry| entry.record().is_some_and(|record| record.known_kind() == Some(RecordKind::Conversation)));
    entries.sort_by_key(|entry| entry.time.at);
    Ok(entries)
}

/// The records to write, and the files that are then finished.
struct Plan<'v> {
    vault: &'v Vault,
    /// The records of the latest days, oldest first.
    recent: &'v [Entry],
    entries: Vec<NewEntry>,
    done: Vec<PathBuf>,
    folded: usize,
    waiting: usize,
    /// Role and body of the last record of each session.
    last: HashMap<String, (String, String)>,
}

/// The tool uses of an unfinished turn.
type Gathered = Vec<(PathBuf, Job)>;

impl<'v> Plan<'v> {
    fn of(jobs: Vec<(PathBuf, Job)>, recent: &'v [Entry], vault: &'v Vault) -> Self {
        let (entries, done, last) = (Vec::new(), Vec::new(), HashMap::new());
        let mut plan = Self { vault, recent, entries, done, folded: 0, waiting: 0, last };
        for entry in recent {
            let record = entry.record();
            let value = |key: &str| record.and_then(|record| record.value(key)).unwrap_or_default().to_owned();
            plan.last.insert(value("session"), (value("role"), entry.body.clone()));
        }
        let mut open: HashMap<String, Gathered> = HashMap::new();
        for (path, job) in jobs {
            let session = job.event.session.clone();
            let mut tools = || open.remove(&session).unwrap_or_default();
            let before: String = job.id.chars().rev().collect();
            match job.event.kind {
                EventKind::SessionStart => {}
                EventKind::ToolUse => {
                    open.entry(session).or_default().push((path, job));
                    continue;
                }
                EventKind::UserPrompt => {
                    plan.turn(tools(), None, &before, &job);
                    plan.left_sessions(&job);
                    if let Some(text) = job.event.text.clone() {
                        plan.record("user", text, job.id.clone(), &job);
                    }
                }
                EventKind::Stop => {
                    let outcome = job.event.text.clone().or_else(|| last_answer(job.event.transcript.as_deref()?));
                    plan.turn(tools(), outcome.as_deref(), &job.id, &job);
                }
                EventKind::SessionEnd => {
                    plan.turn(tools(), None, &before, &job);
                    plan.summary(&job);
                }
            }
            plan.done.push(path);
        }
        let now = vault.options().clock.now().timestamp();
        for tools in open.into_values() {
            let Some((_, last)) = tools.last().cloned() else { continue };
            if is_abandoned(&last, now) {
                let id: String = last.id.chars().rev().collect();
                plan.turn(tools, None, &id, &last);
            } else {
                plan.waiting += tools.len();
            }
        }
        plan
    }

    /// Ends a turn.
    fn turn(&mut self, tools: Gathered, outcome: Option<&str>, id: &str, end: &Job) {
        let (paths, jobs): (Vec<PathBuf>, Vec<Job>) = tools.into_iter().unzip();
        let text = turn::text(&jobs, outcome);
        let repeats = jobs.is_empty()
            && self.last.get(&end.event.session).is_some_and(|(role, body)| {
                role == "assistant" && outcome.is_some() && turn::outcome(body) == turn::outcome(&text)
            });
        match (text.is_empty(), repeats) {
            (true, _) => {}
            (false, true) => self.folded += 1,
            (false, false) => self.record("assistant", text, id.to_owned(), end),
        }
        self.done.extend(paths);
    }

    fn summary(&mut self, end: &Job) {
        let recent = self.recent.iter().map(|entry| (&entry.extra, entry.body.as_str()));
        let new = self.entries.iter().map(|new| (&new.extra, new.body.as_str()));
        let of_session = recent.chain(new).filter_map(|(extra, body)| {
            let record = RecordHead::of(extra).filter(|head| head.value("session") == Some(&end.event.session))?;
            Some((record.value("role")?, body))
        });
        let session: Vec<(&str, &str)> = of_session.collect();
        if self.last.get(&end.event.session).is_some_and(|(role, _)| role == "summary") {
            self.folded += 1;
        } else if let Some(text) = summary::summary(&session) {
            self.record("summary", text, end.id.clone(), end);
        }
    }

    /// Summarises the sessions of the project that nothing ended, as all of Codex, when another one begins.
    fn left_sessions(&mut self, begun: &Job) {
        if self.last.contains_key(&begun.event.session) {
            return;
        }
        let project = self.recent.iter().filter_map(|entry| Some((entry, entry.record()?)));
        let project = project.filter(|(_, record)| record.value("project") == Some(&begun.event.project));
        let ends: BTreeMap<&str, Timestamp> =
            project.filter_map(|(entry, record)| Some((record.value("session")?, entry.time.at))).collect();
        for (session, at) in ends {
            let is_over = begun.time.parse::<Timestamp>().is_ok_and(|now| now.duration_since(at) > LEFT);
            if is_over && self.last.get(session).is_some_and(|(role, _)| role != "summary") {
                let mut end = Job { id: random_id(), ..begun.clone() };
                end.event.session = session.to_owned();
                self.summary(&end);
            }
        }
    }

    /// Adds a record, unless it repeats the last one of its session.
    fn record(&mut self, role: &str, text: String, id: String, job: &Job) {
        let this = (role.to_owned(), text);
        if self.last.get(&job.event.session) == Some(&this) {
            self.folded += 1;
            return;
        }
        let event = &job.event;
        let mut new = NewRecord::new(RecordKind::Conversation, this.1.clone());
        new.id = Some(id);
        new.time = EntryTime::parse(&job.time, self.vault.options().clock.zone());
        new.role = Some(this.0.clone());
        new.project = Some(event.project.clone());
        new.session = Some(event.session.clone());
        self.entries.push(new.entry());
        self.last.insert(event.session.clone(), this);
    }
}

fn is_abandoned(job: &Job, now: Timestamp) -> bool {
    job.time.parse::<Timestamp>().is_ok_and(|at| now.duration_since(at) > ABANDONED)
}

/// The text of the last answer in a session file of the agent: one JSON object a line.
fn last_answer(transcript: &str) -> Option<String> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = fs::File::open(transcript).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TRANSCRIPT_END))).ok()?;
    let mut end = Vec::new();
    file.take(TRANSCRIPT_END).read_to_end(&mut end).ok()?;
    let end = String::from_utf8_lossy(&end);
    let mut lines = end.lines().rev().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let answer = lines.find_map(|line| {
        if line["type"] != "assistant" {
            return None;
        }
        let parts = line["message"]["content"].as_array()?.iter();
        let text: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
        Some(text.join("\n")).filter(|text| !text.trim().is_empty())
    })?;
    Some(without_private(&answer).trim().to_owned())
}
