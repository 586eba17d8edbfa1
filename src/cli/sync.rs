//! `kioku sync`: the journal on several devices, through a git remote.

use clap::{Args, Subcommand};

use super::{Context, Done, Outcome, Output, Run, counted, output};
use crate::{
    journal::{Synced, Vault},
    paths,
    report::Report,
};

/// Commit, pull, merge and push the journal with git
#[derive(Debug, Args)]
#[command(
    after_help = "Entries written or changed on two devices are merged by entry; where both changed one line, both lines stay.
Nothing is ever forced or rewritten. Without a connection the changes are committed and go out next time.

Examples:
  kioku sync init git@example.org:me/journal.git
  kioku sync --dry-run
  kioku sync"
)]
pub struct SyncVerb {
    #[command(subcommand)]
    step: Option<Step>,
    /// Show what would be committed, received and sent; change nothing
    #[arg(long)]
    dry_run: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Make the journal a git repository that merges by entry
    Init {
        /// Address of the remote repository
        remote: Option<String>,
    },
}

#[derive(Debug, serde::Serialize)]
struct SyncAnswer {
    dry_run: bool,
    #[serde(flatten)]
    synced: Synced,
}

impl Run for SyncVerb {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        let vault = Vault::open(context.session_options().vault)?;
        context.expect_journal(&vault, true)?;
        if let Some(Step::Init { remote }) = self.step {
            let done = vault.init_sync(&paths::program(), remote.as_deref())?;
            done.iter().for_each(|line| context.out.line(line));
            if done.is_empty() {
                context.out.line("already set up");
            }
            return Ok(Done::Done);
        }
        let synced = if self.dry_run { vault.plan_sync()? } else { vault.sync(&paths::program(), true)? };
        let answer = SyncAnswer { dry_run: self.dry_run, synced };
        context.answer(&answer, self.json, print_synced)?;
        let offline = answer.synced.offline.as_deref().map(|reason| {
            let report = Report::data(format!("the remote was not reached: {reason}"));
            if self.dry_run {
                report
            } else {
                report.hint("everything is committed here; the next `kioku sync` sends it")
            }
        });
        context.end(offline)
    }
}

fn kept_both(clash: &str) -> String {
    format!("changed on two devices, both versions kept: {clash}")
}

fn returned(entry: &str) -> String {
    format!("deleted here, changed on another device and back: {entry} · delete or forget it again")
}

fn print_synced(out: &mut Output, answer: &SyncAnswer) {
    let Synced { committed, received, sent, clashes, returned: back, remote, .. } = &answer.synced;
    let files = counted(*committed, "file", "files");
    let name = remote.as_deref().unwrap_or_default();
    let commits = |n: &usize| counted(*n, "commit", "commits");
    match (answer.dry_run, remote) {
        (false, None) => {
            out.line(format_args!("committed {files}"));
            output::note("no remote to send to: run `kioku sync init ADDRESS`");
        }
        (false, Some(_)) => out.line(format_args!(
            "committed {files}, received {}, sent {} ({name})",
            commits(&received.unwrap_or_default()),
            commits(sent)
        )),
        (true, None) => out.line(format_args!("would commit {files}; no remote")),
        (true, Some(_)) => {
            let new = match received {
                None => "was not reached, so what it has is not known",
                Some(0) => "has nothing new",
                Some(_) => "has new commits",
            };
            out.line(format_args!("would commit {files} and send {}; {name} {new}", commits(sent)));
        }
    }
    clashes.iter().for_each(|clash| out.line(out.safe(&kept_both(clash))));
    back.iter().for_each(|entry| out.line(out.safe(&returned(entry))));
}

/// Synchronises when the screens close, if `sync.auto` is set and the journal is set up. Never asks for a password.
pub fn on_exit(context: &Context) {
    let Ok(vault) = Vault::open(context.session_options().vault) else { return };
    if !vault.has_sync() {
        return output::note("sync.auto is set, but the journal is not: run `kioku sync init`");
    }
    match vault.sync(&paths::program(), false) {
        Ok(Synced { offline: Some(reason), .. }) => output::note(format_args!("not sent yet: {reason}")),
        Ok(Synced { clashes, returned: back, .. }) => {
            clashes
                .iter()
                .map(|clash| kept_both(clash))
                .chain(back.iter().map(|entry| returned(entry)))
                .for_each(output::note);
        }
        Err(error) => output::warn(error),
    }
}
