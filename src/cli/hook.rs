//! `kioku hook`: events of a coding agent, and their installation in the agent's settings.
//!
//! An agent waits for its hooks, and takes exit code 2 for a refusal. An event therefore ends within [`LIMIT`] and with
//! exit code 0, whatever happens; faults go to the log of the queue.

mod client;
mod settings;

use std::{
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use serde_json::json;

use self::client::Client;
use super::{Context, Done, Failure, Outcome, Output, Place, Run, counted, output, prompt};
use crate::{
    config::Journal,
    journal::{Vault, files, random_id},
    paths,
    report::Report,
    session::{
        SessionError,
        hooks::{AgentEvent, EventKind, HookQueue, Job, drain, project_context},
    },
};

/// How long the agent waits for a slow disk: the start of the process takes some of its 50 ms.
const LIMIT: Duration = Duration::from_millis(35);
/// How long it waits for an event that is not in the queue yet: while the agent itself has not sent it, or no processor
/// is free.
const QUEUE_LIMIT: Duration = Duration::from_secs(2);
/// The part of it for reading earlier records.
const READ_LIMIT: Duration = Duration::from_millis(15);
/// Longest JSON of an event in bytes; more is not read.
const LONGEST: u64 = 16 * 1024 * 1024;

/// Record what a coding agent does; installed with `kioku hook install claude-code`
#[derive(Debug, Args)]
#[command(after_help = "Events, called by the agent with its JSON on stdin:
  session-start  user-prompt  tool-use  stop  session-end

Examples:
  kioku hook install claude-code
  kioku hook install codex
  kioku hook uninstall gemini-cli
  kioku hook drain
  kioku --journal agents timeline")]
pub struct HookVerb {
    /// An event, or: install, uninstall, drain
    #[arg(value_name = "EVENT")]
    what: String,
    /// The agent, for install and uninstall
    #[arg(value_enum)]
    client: Option<Client>,
    /// File with the agent's hooks [default: ~/.claude/settings.json, ~/.codex/hooks.json,
    /// ~/.gemini/settings.json]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Print the settings that would be written; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// Wait after failures, as after an event
    #[arg(long, hide = true)]
    background: bool,
}

impl Run for HookVerb {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        match (self.what.as_str(), self.client) {
            ("drain", None) => self.drain(context),
            ("install", Some(client)) => self.install(context, client, true),
            ("uninstall", Some(client)) => self.install(context, client, false),
            ("install" | "uninstall", None) => {
                let report = Report::usage(format!("`kioku hook {}` needs the name of an agent", self.what));
                let agents = Client::value_variants().iter().filter_map(|client| client.to_possible_value());
                let agents: Vec<String> = agents.map(|agent| agent.get_name().to_owned()).collect();
                Err(report.hint(format!("agents: {}", agents.join(", "))).into())
            }
            // Not a usage error: exit code 2 of a hook means a refusal to the agent.
            (other, _) => {
                let known = EventKind::ALL.map(EventKind::word).join(", ");
                Err(Report::data(format!("no event `{other}`")).hint(format!("events: {known}")).into())
            }
        }
    }
}

/// What the thread of an event has done.
enum Progress {
    /// The event survives a kill of this process.
    Queued,
    /// It is durable, or failed and was logged; with the answer to the start of a session.
    Done(Option<String>),
}

/// Takes an event of an agent; always exit code 0.
pub fn take(place: Place, kind: EventKind, commands: fn() -> clap::Command) -> u8 {
    crate::fault::record_panics();
    let (sender, receiver) = mpsc::channel();
    let work = move || {
        let mut json = Vec::new();
        let read = std::io::stdin().take(LONGEST).read_to_end(&mut json);
        if let Ok(context) = Context::new(place, commands) {
            let queue = HookQueue::of(&context.state);
            if kind == EventKind::SessionStart {
                // It has nothing to lose but the agent's time.
                drop(sender.send(Progress::Queued));
            }
            let taken = match read {
                Ok(_) => take_event(&context, &queue, kind, &json, || drop(sender.send(Progress::Queued))),
                Err(error) => Err(format!("reading stdin: {error}")),
            };
            let block = taken.unwrap_or_else(|why| {
                queue.log(&format!("{} {}: {why}", context.now, kind.word()));
                None
            });
            drop(sender.send(Progress::Done(block)));
        }
    };
    // Without a thread there is no time limit, and the agent is worth more than its record.
    if thread::Builder::new().name("hook".to_owned()).spawn(work).is_ok()
        && let Some(block) = awaited(&receiver)
    {
        let answer = json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": block}});
        let mut out = Output::stdout(true, None);
        out.json(&answer);
        let _ = out.flush();
    }
    0
}

/// Waits for the thread of an event as long as the agent can, and until the event cannot be lost.
fn awaited(receiver: &mpsc::Receiver<Progress>) -> Option<String> {
    let started = Instant::now();
    match receiver.recv_timeout(QUEUE_LIMIT) {
        Ok(Progress::Queued) => {}
        Ok(Progress::Done(block)) => return block,
        Err(_) => return None,
    }
    match receiver.recv_timeout(LIMIT.saturating_sub(started.elapsed()).max(READ_LIMIT)) {
        Ok(Progress::Done(block)) => block,
        _ => None,
    }
}

/// Queues an event, or answers a start with the records of the project.
fn take_event(
    context: &Context,
    queue: &HookQueue,
    kind: EventKind,
    json: &[u8],
    queued: impl FnOnce(),
) -> Result<Option<String>, String> {
    let mut event = AgentEvent::parse(kind, json)?;
    match queue.scope(&event) {
        Ok(scope) => event.project = scope,
        Err(error) => queue.log(&format!("the project is called {}: {error}", event.project)),
    }
    if kind == EventKind::SessionStart {
        let vault = vault(context).map_err(|error| error.to_string())?;
        let block = project_context(&vault, &event.project, READ_LIMIT);
        if !queue.is_empty() {
            start_drain(&context.place);
        }
        return Ok(block);
    }
    let time = context.now.strftime("%Y-%m-%dT%H:%M:%S%.6f%:z").to_string();
    let in_queue = || {
        queued();
        if kind != EventKind::ToolUse {
            start_drain(&context.place);
        }
    };
    let job = Job { id: random_id(), time, event };
    queue.push(&job, context.now.timestamp(), in_queue).map_err(|error| error.to_string())?;
    Ok(None)
}

/// Starts a process of its own that works on the queue. If it cannot be started, the next event tries again.
fn start_drain(place: &Place) {
    let mut command = Command::new(paths::program());
    command.args(place.flags()).args(["hook", "drain", "--background"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let _ = command.spawn();
}

/// The journal of conversations: its own, unless another one is named.
fn vault(context: &Context) -> Result<Vault, SessionError> {
    let journal = match context.names_journal() {
        true => context.journal.clone(),
        false => Journal::Named(context.config.hooks_journal.clone()),
    };
    let options = context.config.session_options(&context.paths, &journal, &context.environment);
    Ok(Vault::open(options.vault)?)
}

impl HookVerb {
    /// The event, if it is one.
    pub fn event(&self) -> Option<EventKind> {
        EventKind::parse(&self.what)
    }

    fn drain(&self, context: &mut Context) -> Outcome {
        let queue = HookQueue::of(&context.state);
        if self.background && !queue.is_due(context.now.timestamp()) {
            return Ok(Done::Done);
        }
        match vault(context).and_then(|vault| drain(&queue, &vault)) {
            Ok(done) => {
                queue.succeeded();
                let written = counted(done.written, "record written", "records written");
                let waits = counted(
                    done.waiting,
                    "event waits for the end of its turn",
                    "events wait for the end of their turn",
                );
                context.out.line(format_args!("{written}, {} folded, {waits}", done.folded));
                Ok(Done::Done)
            }
            Err(error) => {
                queue.failed(context.now.timestamp(), &format!("{} drain: {error}", context.now));
                let log = queue.log_path();
                Err(Report::from(&error).hint(format!("nothing is lost; the log is {}", log.display())).into())
            }
        }
    }

    /// Adds kioku's hooks to the settings of the agent, or removes them.
    fn install(&self, context: &mut Context, client: Client, add: bool) -> Outcome {
        let path = match &self.settings {
            Some(path) => path.clone(),
            None => client.settings().ok_or_else(|| {
                Report::data("the home folder is unknown").hint("name the settings file with --settings FILE")
            })?,
        };
        let present = files::read(&path)?;
        let words = [paths::program().into_os_string()].into_iter().chain(context.place.flags());
        let words: Vec<String> = words.map(|word| settings::shell_quoted(&word.to_string_lossy())).collect();
        let program = words.join(" ");
        let change = |program: Option<&str>| {
            settings::change(client, present.as_deref(), program)
                .map_err(|why| Report::data(format!("{}: {why}", path.display())).hint("fix the file, then retry"))
        };
        let Some(text) = change(add.then_some(program.as_str()))? else {
            output::note(if add { "installed already" } else { "not installed" });
            return Ok(Done::Done);
        };
        if self.dry_run {
            context.out.bytes(&text);
            return Ok(Done::Done);
        }
        let what = if add { "add kioku's hooks to" } else { "remove kioku's hooks from" };
        if !self.yes {
            prompt::agree(format_args!("{what} {}? [y/N] ", path.display()), "nothing was changed")?;
        }
        let text = if add { text } else { restored(client, &path, &text)?.unwrap_or(text) };
        if let Some(folder) = path.parent() {
            files::create_dir(folder)?;
        }
        // With hooks of ours, the file is not the one from before the installation.
        if add
            && let Some(present) = &present
            && change(None)?.is_none()
        {
            files::replace(&backup(&path), present)?;
        }
        match (add, backup(&path).exists()) {
            // There was no file before.
            (false, false) if settings::is_nothing(&text) => files::remove(&path)?,
            _ => files::replace(&path, &text)?,
        }
        if !add {
            files::remove(&backup(&path))?;
        }
        output::note(format_args!("{} {}", if add { "installed in" } else { "removed from" }, path.display()));
        if let Some(advice) = client.advice().filter(|_| add) {
            output::note(advice);
        }
        Ok(Done::Done)
    }
}

/// Where the settings before the installation are kept.
fn backup(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".before-kioku");
    name.into()
}

/// The bytes from before the installation, unless the settings were changed since.
fn restored(client: Client, path: &Path, without: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
    let before = files::read(&backup(path))?;
    Ok(before.filter(|before| settings::is_unchanged(client, before, without)))
}
