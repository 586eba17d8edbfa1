//! The end of a run: waits for the requests that were sent, and reports those that failed. The user can end the wait.

use std::{
    collections::BTreeMap,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use super::{
    app::App,
    effect::Effect,
    event::Event,
    handover::Handover,
    terminal::{self, Ending, TerminalSource},
};
use crate::{
    journal::Draft,
    report::Report,
    session::{Reply, Request, Response, SessionError, SessionWorkers, Ticket},
};

/// Time that a wait for the disk lasts in any case. Then the user is told what the program waits for, and may end it.
const SAVING: (Duration, &str) = (Duration::from_millis(700), "saving … (another program may be using the journal)");
/// The same for the index, which takes longer and can be built again.
const STOPPING: (Duration, &str) = (Duration::from_secs(3), "saving the index …");
/// Time without a reply after which none comes any more: a write waits 20 s for another program.
const LONGEST_SILENCE: Duration = Duration::from_secs(63);
/// Time between two looks at the keyboard.
const TICK: Duration = Duration::from_millis(50);

/// The session, and the requests that it must still answer.
pub struct Connection {
    pub session: SessionWorkers,
    pub handover: Handover,
    waiting: BTreeMap<Ticket, Request>,
}

impl Connection {
    pub fn new(session: SessionWorkers) -> Self {
        Self { session, handover: Handover::default(), waiting: BTreeMap::new() }
    }

    pub fn send(&mut self, ticket: Ticket, request: Request) {
        self.handover.sent(ticket, &request);
        if request.is_change() {
            self.waiting.insert(ticket, request.clone());
        }
        self.session.send(ticket, request);
    }

    /// Takes a reply; returns the request that failed.
    pub fn heard<'r>(&mut self, reply: &'r Reply) -> Option<(Ticket, Request, &'r SessionError)> {
        self.handover.heard(reply);
        let Reply::To(ticket, response) = reply else { return None };
        let request = self.waiting.remove(ticket)?;
        let Response::Failed(error) = response else { return None };
        Some((*ticket, request, error))
    }
}

/// A wait after the last frame.
struct Wait<'a> {
    source: &'a mut TerminalSource,
    ending: Ending,
    /// Once the user is told: before that, keys are left to the shell.
    reads_keys: bool,
    /// A key or a signal asked to end the wait.
    is_ended: bool,
    /// The time of the last reply.
    heard: Instant,
}

impl Wait<'_> {
    fn is_over(&mut self, app: &App, (least, purpose): (Duration, &str)) -> bool {
        if !self.reads_keys && self.heard.elapsed() >= least && enable_raw_mode().is_ok() {
            self.reads_keys = true;
            terminal::note(&format!("{purpose} · ctrl-c stops waiting\r"));
        }
        while self.reads_keys
            && let Ok(Some(event)) = self.source.next(Duration::ZERO)
        {
            self.is_ended |= matches!(event, Event::Key(key) if app.quits(key));
        }
        self.is_ended |= self.ending.is_asked();
        self.heard.elapsed() >= if self.is_ended { SAVING.0 } else { LONGEST_SILENCE }
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// Waits for the replies, after the terminal is restored, and stops the session. Returns what failed, and text that is
/// in no file.
pub fn finish(app: &mut App, mut here: Connection, source: &mut TerminalSource, started: Instant) -> Vec<Report> {
    let (ending, is_ended) = (Ending::watch(false).unwrap_or_default(), app.insists());
    let mut wait = Wait { source, ending, reads_keys: false, is_ended, heard: Instant::now() };
    let saves = app.saves();
    let (mut failed, mut unkept) = (Vec::new(), None);
    while !here.waiting.is_empty() && !wait.is_over(app, SAVING) {
        let Some(reply) = here.session.recv_timeout(TICK) else { continue };
        let waiting = here.waiting.len();
        match here.heard(&reply) {
            Some((_, Request::KeepDraft(_) | Request::DropDraft(_), error)) => unkept = Some(error.to_string()),
            Some((ticket, request, error)) => {
                let mut report = Report::from(error);
                report.chain.insert(0, unsaved(&request, "failed", app));
                failed.push((ticket, report));
            }
            None if matches!(reply, Reply::ViewChanged) => app.set_view(here.session.view()),
            None => {}
        }
        // A changed view is no answer.
        wait.heard = if here.waiting.len() < waiting { Instant::now() } else { wait.heard };
        for effect in app.update(Event::Reply(Box::new(reply)), started.elapsed()) {
            if let Effect::Send { ticket, request } = effect {
                here.send(ticket, *request);
            }
        }
    }
    let is_complete = here.waiting.is_empty();
    here.waiting.retain(|_, request| !matches!(request, Request::KeepDraft(_) | Request::DropDraft(_)));
    let stopped = |(ticket, request)| (ticket, Report::data(unsaved(&request, "was stopped", app)));
    failed.extend(here.waiting.into_iter().map(stopped));
    for (ticket, report) in &mut failed {
        if let Some((_, draft)) = saves.iter().find(|(save, draft)| save == ticket && app.has_draft(draft)) {
            let file = app.draft_file(draft);
            report.hints.push(format!("its text is in {}; kioku offers it at the next start", file.display()));
        }
    }
    let texts = app.unsaved().into_iter().map(|draft| in_no_file(&draft, unkept.clone()));
    let reports: Vec<_> = failed.into_iter().map(|(_, report)| report).chain(texts).collect();
    // Otherwise the editor's file may have the only copy.
    if reports.is_empty() {
        here.handover.finish();
    }
    let (session, (stopped, stops)) = (here.session, mpsc::channel::<()>());
    thread::spawn(move || (session.stop(), drop(stopped)));
    wait.heard = Instant::now();
    // Where the disk does not answer, the threads end with the process.
    while is_complete && stops.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) && !wait.is_over(app, STOPPING) {}
    reports
}

/// The message of a change that is not saved, with its file or its text.
fn unsaved(request: &Request, why: &str, app: &App) -> String {
    let lost = match request {
        Request::Append { new, .. } => app.day_file(new),
        Request::Edit { base, .. } | Request::Remove { base } => base.place.file.to_string(),
        Request::WriteFile { path, .. } => path.clone(),
        // It has no draft.
        Request::Remember(new) => new.text.clone(),
        _ => return format!("{} {why}", request.name()),
    };
    format!("{} {why}: {lost}", request.name())
}

fn in_no_file(draft: &Draft, why: Option<String>) -> Report {
    let fields = [("time", &draft.time), ("mood", &draft.mood), ("tags", &draft.tags)];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let fields: String = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
    let mut report = Report::data(format!("this text is in no file:\n\n{fields}{}\n", draft.body));
    report.chain.extend(why);
    report
}
