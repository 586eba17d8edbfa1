//! `kioku` without a command: opens the screens.

use std::{
    io::{self, IsTerminal},
    process::Command,
};

use super::{Context, Done, Outcome, Place, context::journals, editor, output, sync};
use crate::{
    config::{self, Journal, ModelChoice},
    journal::{Vault, watch},
    paths::{self, Paths},
    report::{Kind, Report},
    session::{CurationLog, QueryHistory, SessionWorkers},
    tui,
};

/// Opens the screens on the journal of the context.
pub fn open(context: &mut Context) -> Outcome {
    if !on_terminal() {
        return Err(Report::usage("needs a terminal")
            .hint("in a pipe or script use kioku add, kioku search, kioku timeline or kioku show")
            .hint("`kioku --help` lists every command")
            .into());
    }
    let Context { config, journal, list_faults, state, paths, .. } = &*context;
    let mut options = context.tui_options();
    options.faults.extend(list_faults.iter().cloned());
    options.faults.extend(editor::left_over(state));
    let session_options = context.session_options();
    if let Journal::Named(name) = journal {
        options.settings.journals = listed(journals(paths), name);
    }
    let vault = Vault::open(session_options.vault.clone())?;
    context.expect_journal(&vault, true)?;
    options.settings.folder = Some(vault.entries_folder().to_owned());
    options.settings.root = Some(vault.options().root.clone());
    context.sweep_state();
    let log = CurationLog::of(state, &session_options.vault.root);
    let history = QueryHistory::of(state, &session_options.vault.root);
    let mut session = SessionWorkers::start(session_options);
    session.keep_changes_in(log);
    if config.history {
        session.keep_queries_in(history);
    } else if let Err(error) = history.clear() {
        options.faults.push(format!("history = false, but the old query history could not be deleted: {error}"));
    }
    if let Some(llm) = config.llm.as_ref().filter(|llm| llm.enabled) {
        session.ask_model(llm.options());
    }
    // Follow `kioku model use` only if the configuration does not set the model.
    let _watching = (config.model == ModelChoice::Unsaid).then(|| follow_model_choice(paths, &session)).flatten();
    let mut ended = tui::run(options, session).map_err(|error| Report::of(Kind::Data, &error))?;
    ended.worker_panics.iter().for_each(output::warn);
    // A text that is in no file is printed before anything waits for a network.
    if ended.unsaved.is_empty() && context.config.sync_on_exit {
        sync::on_exit(context);
    }
    match (ended.unsaved.pop(), ended.switch_to) {
        // Another journal's screens would hide the message.
        (Some(last), _) => {
            ended.unsaved.iter().for_each(output::complain);
            Err(last.into())
        }
        (None, Some(name)) => switch(context, &name),
        (None, None) => Ok(Done::Done),
    }
}

/// Opens the screens on another journal, in a new process: word lists, state and workers are those of that journal.
fn switch(context: &Context, name: &str) -> Outcome {
    let failed = |error: io::Error| Report::data(format!("opening the journal `{name}`: {error}"));
    let mut command = Command::new(paths::program());
    command.args(Place { journal: Some(name.to_owned()), vault: None, ..context.place.clone() }.flags());
    #[cfg(unix)]
    {
        Err(failed(std::os::unix::process::CommandExt::exec(&mut command)).into())
    }
    #[cfg(not(unix))]
    {
        let status = command.status().map_err(failed)?;
        std::process::exit(status.code().unwrap_or(1))
    }
}

/// Watches the model choice, so that `kioku model use` in another terminal takes effect at once. If files cannot be
/// watched, it takes effect at the next start.
fn follow_model_choice(paths: &Paths, session: &SessionWorkers) -> Option<watch::Watcher> {
    let file = config::model_choice_file(paths);
    let choose = session.model_choice();
    watch::Watcher::of_file(&file.clone(), move || choose(config::chosen_model(&file))).ok()
}

/// Whether stdin and stdout are a terminal.
pub fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The journals to switch to, with the open one, whose folder is created by its first entry.
fn listed(mut names: Vec<String>, open: &str) -> Vec<String> {
    if !names.iter().any(|name| name == open) {
        names.push(open.to_owned());
        names.sort();
    }
    names
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_journal_without_entries_is_listed_too() {
        assert_eq!(super::listed(Vec::new(), "personal"), ["personal"]);
        assert_eq!(super::listed(vec!["work".into()], "personal"), ["personal", "work"]);
        assert_eq!(super::listed(vec!["work".into()], "work"), ["work"]);
    }
}
