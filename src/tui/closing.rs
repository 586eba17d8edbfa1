//! The end of a run: waits for the requests that were sent, and reports those that failed.

use std::{collections::BTreeMap, time::Duration};

use super::{app::App, effect::Effect, event::Event, handover::Handover, terminal};
use crate::{
    journal::Draft,
    report::Report,
    session::{Reply, Request, Response, SessionError, SessionWorkers, Ticket},
};

/// Time without a reply after which the user is told what the program waits for.
const SILENCE: Duration = Duration::from_millis(700);
/// Number of such times in a row after which no reply comes any more: a write waits 20 s for another program.
const MOST_SILENCES: usize = 90;

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

/// Waits for the replies, after the terminal is restored. Returns what failed, and text that is in no file.
pub fn finish(app: &mut App, here: &mut Connection, elapsed: impl Fn() -> Duration) -> Vec<Report> {
    let saves = app.saves();
    let (mut failed, mut unkept, mut is_told, mut silences) = (Vec::new(), None, false, 0);
    while !here.waiting.is_empty() && silences < MOST_SILENCES {
        let Some(reply) = here.session.recv_timeout(SILENCE) else {
            if !std::mem::replace(&mut is_told, true) {
                terminal::note("saving … (another program may be using the journal)");
            }
            silences += 1;
            continue;
        };
        let waiting = here.waiting.len();
        let failure_heard = here.heard(&reply);
        // A changed view is no answer.
        silences = if here.waiting.len() < waiting { 0 } else { silences };
        match failure_heard {
            Some((_, Request::KeepDraft(_) | Request::DropDraft(_), error)) => unkept = Some(error.to_string()),
            Some((ticket, request, error)) => {
                let draft = saves.iter().find(|(save, _)| *save == ticket).map(|(_, draft)| draft);
                failed.push((failure(&request, error), draft));
            }
            None if matches!(reply, Reply::ViewChanged) => app.set_view(here.session.view()),
            None => {}
        }
        for effect in app.update(Event::Reply(Box::new(reply)), elapsed()) {
            if let Effect::Send { ticket, request } = effect {
                here.send(ticket, *request);
            }
        }
    }
    let unsaved = app.unsaved();
    let reports = failed.into_iter().map(|(report, draft)| match draft {
        Some(id) if app.has_draft(id) => {
            report.hint(format!("its text is in {}; kioku offers it at the next start", app.draft_file(id).display()))
        }
        _ => report,
    });
    reports.chain(unsaved.iter().map(|draft| in_no_file(draft, unkept.clone()))).collect()
}

fn failure(request: &Request, error: &SessionError) -> Report {
    let mut report = Report::from(error);
    let message = match request {
        // It has no draft.
        Request::Remember(new) => format!("{} failed: {}", request.name(), new.text),
        _ => format!("{} failed", request.name()),
    };
    report.chain.insert(0, message);
    report
}

fn in_no_file(draft: &Draft, why: Option<String>) -> Report {
    let fields = [("time", &draft.time), ("mood", &draft.mood), ("tags", &draft.tags)];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let fields: String = fields.map(|(name, value)| format!("{name}: {value}\n")).collect();
    let mut report = Report::data(format!("this text is in no file:\n\n{fields}{}\n", draft.body));
    report.chain.extend(why);
    report
}
