//! `kioku llm run` and `kioku llm show`: sending requests now, and previewing one.

use std::{
    thread,
    time::{Duration, Instant},
};

use jiff::Timestamp;

use super::{RunNow, Show, status};
use crate::{
    arguments::located,
    cli::{Context, Done, Failure, Outcome, ProgressLine, Run, context, counted, output},
    report::Report,
    session::llm::{self, LlmOptions, Queue, Step, service::ServiceError},
};

/// Maximum pause that the command waits for. After a longer one the user repeats the command, which continues.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// The options of the configured service.
fn options(context: &Context) -> Result<LlmOptions, Failure> {
    let path = context.paths.config.display();
    match &context.config.llm {
        Some(config) => Ok(config.options()),
        None => Err(Report::data(format!("{path} names no language model"))
            .hint("add a table [llm] with `enabled`, `kind` and `model`")
            .into()),
    }
}

fn expect_yes(context: &Context) -> Result<(), Failure> {
    if context.config.llm.as_ref().is_some_and(|config| config.enabled) {
        return Ok(());
    }
    let path = context.paths.config.display();
    Err(Report::data(format!("the language model is off in {path}"))
        .hint("set `enabled = true` under [llm]; `kioku llm show` prints what would be sent")
        .into())
}

impl Run for RunNow {
    fn run(self, context: &mut Context) -> Outcome {
        let options = options(context)?;
        expect_yes(context)?;
        if !cfg!(feature = "network") {
            let report = Report::data(ServiceError::NoNetwork.to_string());
            return Err(report.hint("`cargo build --release` builds one with it").into());
        }
        let mut session = context.reading_session()?;
        let vault = session.vault().clone();
        let snapshot = session.snapshot()?;
        if self.again {
            vault.drop_answer_tries()?;
        }
        let (address, model) = (llm::service::address(&options.service), options.service.model.clone());
        let mut queue = Queue::open(&vault, options)?;
        queue.look_through(&vault, &snapshot, usize::MAX)?;
        let mut clock = Moving { now: context.now.timestamp(), since: Instant::now() };
        let before = queue.reading(&snapshot, clock.now());
        let left = before.of - before.done - before.given_up;
        let left = self.limit.map_or(left, |limit| limit.min(left));
        if left > 0 {
            output::note(format_args!("{} to {address} ({model})", counted(left, "text goes", "texts go")));
        }
        let mut line = ProgressLine::stderr();
        let mut asked = RunTotals::default();
        let ended = loop {
            if self.limit.is_some_and(|limit| asked.answers + asked.failures.len() >= limit) {
                break None;
            }
            let reading = queue.reading(&snapshot, clock.now());
            line.show(format_args!("reading {} of {}", reading.done + 1, reading.of));
            match queue.step(&vault, &snapshot, clock.now(), &|| false)? {
                Step::Answered { statements, dropped, .. } => {
                    asked.answers += 1;
                    asked.statements += statements;
                    asked.dropped += dropped.count();
                }
                Step::Failed { entry, why } => asked.failures.push(format!("{entry}: {why}")),
                Step::PassedOver | Step::Outdated => {}
                Step::Later(until) => match clock.until(until) {
                    Some(pause) if pause <= LONGEST_WAIT => {
                        line.show(format_args!("waiting {} s", pause.as_secs() + 1));
                        clock.pass(pause, until);
                    }
                    _ => {
                        break Some(
                            Report::data("the service asks to wait").hint("repeat the command later; it continues"),
                        );
                    }
                },
                Step::Stopped(why) => {
                    break Some(Report::data(why).hint("see service and key with `kioku llm status`"));
                }
                Step::Elsewhere => {
                    break Some(
                        Report::data("another kioku is running the language model").hint("wait for it, or close it"),
                    );
                }
                Step::Done => break None,
            }
        };
        drop(line);
        asked.failures.iter().for_each(output::warn);
        let reading = queue.reading(&snapshot, clock.now());
        drop(queue);
        context.out.line(format_args!(
            "{} with {}, {} left out; {}",
            counted(asked.answers, "answer", "answers"),
            counted(asked.statements, "statement", "statements"),
            asked.dropped,
            status::reading_line(&reading)
        ));
        // Read the answers into the graph now, so that the next command uses them.
        session.sync(false, &mut |_| true)?;
        context::print_warnings(&mut session);
        session.close()?;
        context.end(ended)
    }
}

#[derive(Default)]
struct RunTotals {
    answers: usize,
    statements: usize,
    dropped: u32,
    failures: Vec<String>,
}

/// A clock that starts at the time of the command and advances, also if the clock is fixed.
struct Moving {
    now: Timestamp,
    since: Instant,
}

impl Moving {
    fn now(&self) -> Timestamp {
        self.now.saturating_add(self.since.elapsed()).unwrap_or(Timestamp::MAX)
    }

    fn until(&self, until: Timestamp) -> Option<Duration> {
        Duration::try_from(until.duration_since(self.now())).ok()
    }

    fn pass(&mut self, pause: Duration, until: Timestamp) {
        thread::park_timeout(pause);
        (self.now, self.since) = (self.now().max(until), Instant::now());
    }
}

impl Run for Show {
    fn run(self, context: &mut Context) -> Outcome {
        let options = options(context)?;
        let mut session = context.reading_session()?;
        let snapshot = session.snapshot()?;
        let newest = snapshot.catalog.entries().last().map(|entry| entry.id.to_string());
        let Some(id) = self.id.or(newest) else { return Ok(Done::NothingMatched) };
        let entry = located(&mut session, &id)?;
        let Some(body) = llm::preview(&options, &snapshot, &entry) else {
            output::note("nothing is sent for this entry: it is kept back, empty or too long");
            return Ok(Done::NothingMatched);
        };
        output::note(format_args!("to {}", llm::service::address(&options.service)));
        context.out.line(format_args!("{body:#}"));
        Ok(Done::Done)
    }
}
