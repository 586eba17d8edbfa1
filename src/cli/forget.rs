//! `kioku forget`: permanent deletion of an entry or a name, including all derived data.

use std::{fs, path::PathBuf};

use clap::Args;
use serde::Serialize;

use super::{
    Context, Failure, Outcome, Run,
    answer::Answer,
    context,
    output::{self, Output},
    prompt,
};
use crate::{
    arguments::located,
    journal::{Entry, Forgotten, Pass, Remains, SEARCHES_FILE, files},
    report::Report,
    session::json::EntryJson,
    session::{Forgetting, Located, Naming, QueryHistory, Session, Traces, Wanted},
    tui,
};

/// Delete an entry or a name permanently, with every copy
#[derive(Debug, Args)]
#[command(after_help = "This cannot be undone. `kioku rm` moves an entry to the trash instead.
Backups, other machines' copies and the history of a git repository keep what they have.

Examples:
  kioku forget 2026-02-22T15:30:00+07:00 --dry-run
  kioku forget --entity 'Linh Nguyễn' --redact")]
pub struct Forget {
    /// Id or time of an entry, also of a deleted one; `ID#2` as in `kioku trash`
    #[arg(required_unless_present = "entity")]
    id: Option<String>,
    /// List the entries that mention a name; with --redact, remove the name from them
    #[arg(long, value_name = "NAME", conflicts_with = "id")]
    entity: Option<String>,
    /// Keep the entry and replace the text or name with `[redacted]`
    #[arg(long)]
    redact: bool,
    /// Match the exact spelling only: no other case, no plural
    #[arg(long, requires = "entity")]
    exact: bool,
    /// Show what would be deleted; change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask for confirmation
    #[arg(long)]
    yes: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Forget {
    fn run(self, context: &mut Context) -> Outcome {
        match (&self.id, &self.entity) {
            (Some(id), _) => self.entry(context, id),
            (None, Some(name)) => self.name(context, name),
            (None, None) => Err(Report::usage("pass an entry's id, or --entity NAME").into()),
        }
    }
}

#[derive(Debug, Serialize)]
struct ForgottenAnswer<'a> {
    dry_run: bool,
    #[serde(flatten)]
    forgetting: &'a Forgetting,
    /// Number of files searched for traces afterwards; absent in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<Vec<String>>,
    /// Files that could not be searched, with the reason.
    #[serde(skip)]
    unread: Vec<String>,
}

#[derive(Serialize)]
struct NamingAnswer<'a> {
    names: &'a [String],
    /// Spellings in the entries, with counts.
    forms: &'a [(String, usize)],
    entries: Vec<EntryJson<'a>>,
    #[serde(skip)]
    naming: &'a Naming,
}

impl Forget {
    fn entry(&self, context: &mut Context, id: &str) -> Outcome {
        let mut session = context.reading_session()?;
        let found = session.locate(id)?;
        context::print_warnings(&mut session);
        let remains = if found == Located::Nothing { session.vault().remains(id)? } else { None };
        if let Some(remains) = remains {
            return self.remains(context, session, &remains);
        }
        let entry = located(&mut session, id)?;
        let would = session.vault().forget(&entry, Pass::Count)?;
        if self.dry_run {
            return self.report(context, &Forgetting { forgotten: would, ..Forgetting::default() }, None);
        }
        let what = if self.redact { "the text of " } else { "" };
        self.confirm(
            &format!("{what}{} ({})", entry.id, output::shorten(output::first_line(&entry.body), 40)),
            &would,
        )?;
        let texts = session.words_of(&entry, self.redact)?;
        let forgetting = session.forget(&entry, self.redact, &history(context, &session))?;
        for search in session.searches_like(&entry.body)? {
            output::note(format_args!(
                "the saved search `{}` shares words with it and is kept; edit {SEARCHES_FILE} to remove it",
                search.name
            ));
        }
        forget_left_over(context, &entry);
        context::print_warnings(&mut session);
        let traces = look_for(context, session, Wanted::sentences(texts.iter().map(String::as_str)))?;
        self.report(context, &forgetting, traces)
    }

    /// Deletes the remains of an entry that was deleted, vanished or lost.
    fn remains(&self, context: &mut Context, mut session: Session, remains: &Remains) -> Outcome {
        let entry = &remains.entry;
        if self.redact {
            return Err(Report::usage("the entry is in no day file: nothing to redact")
                .hint("without --redact, its remaining copies are deleted")
                .into());
        }
        let would = session.vault().forget_remains(remains, Pass::Count)?;
        if self.dry_run {
            return self.report(context, &Forgetting { forgotten: would, ..Forgetting::default() }, None);
        }
        let text = output::shorten(output::first_line(&entry.body), 40);
        self.confirm(&format!("the remaining copies of {} ({text})", entry.id), &would)?;
        let texts = if remains.only_text { vec![entry.body.clone()] } else { session.words_of(entry, false)? };
        let forgetting = session.forget_remains(remains, &history(context, &session))?;
        forget_left_over(context, entry);
        context::print_warnings(&mut session);
        let traces = look_for(context, session, Wanted::sentences(texts.iter().map(String::as_str)))?;
        self.report(context, &forgetting, traces)
    }

    fn name(&self, context: &mut Context, name: &str) -> Outcome {
        if self.yes && !self.redact && !self.dry_run {
            let message = format!("--entity {name} alone only lists the entries; nothing deleted");
            return Err(Report::usage(message)
                .hint("--redact removes the name and its aliases; `kioku forget ID` deletes an entry")
                .into());
        }
        let mut session = context.reading_session()?;
        let subject = session.entity_called(name)?;
        let naming = session.naming(&subject, self.exact)?;
        context::print_warnings(&mut session);
        let kept: Vec<&str> = naming.redaction.kept().collect();
        if !kept.is_empty() {
            output::note(format_args!("longer names stay: {}", output::one_line(&kept.join(", "))));
        }
        let beside = session.vault().forget_names(&naming.redaction, &[], Pass::Count)?;
        if !self.redact || self.dry_run {
            let (names, forms) = (naming.redaction.names(), naming.forms.as_slice());
            let entries = naming.entries.iter().map(|(entry, _)| EntryJson::from(entry)).collect();
            let done = context.answer(&NamingAnswer { names, forms, entries, naming: &naming }, self.json);
            if self.redact && beside != Forgotten::default() {
                output::note(format_args!("the names also occur in {}", counted_parts(&beside).join(", ")));
            }
            return done;
        }
        let would = Forgotten { entries: naming.entries.len(), ..beside };
        self.confirm(&format!("the names {}", spelled(&naming)), &would)?;
        let log = super::entity::log(context, &session);
        let forgetting = session.forget_names(&naming, &log, &history(context, &session))?;
        for (entry, _) in &naming.entries {
            forget_left_over(context, entry);
        }
        context::print_warnings(&mut session);
        let traces = look_for(context, session, Some(Wanted::Names(naming.redaction)))?;
        self.report(context, &forgetting, traces)
    }

    /// Requires a confirmation or `--yes`, because this cannot be undone.
    fn confirm(&self, what: &str, would: &Forgotten) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let what = output::one_line(what);
        let what = format!("delete permanently: {what}; {}", counted_parts(would).join(", "));
        Ok(prompt::confirm(&what, "nothing deleted")?)
    }

    fn report(&self, context: &mut Context, forgetting: &Forgetting, traces: Option<Traces>) -> Outcome {
        let answer = ForgottenAnswer {
            dry_run: self.dry_run,
            forgetting,
            searched: traces.as_ref().map(|traces| traces.searched),
            left: traces.as_ref().map(|traces| traces.left.iter().map(|path| path.display().to_string()).collect()),
            unread: traces.map_or_else(Vec::new, |traces| traces.unread),
        };
        context.answer(&answer, self.json)
    }
}

impl Answer for ForgottenAnswer<'_> {
    fn print(&self, out: &mut Output) {
        let done = if self.dry_run { "would be forgotten" } else { "forgotten" };
        let Forgetting { forgotten, vectors, queries, searches, logged } = self.forgetting;
        let mut parts = counted_parts(forgotten);
        parts.extend(part(*vectors, "vector", "vectors"));
        parts.extend(part(*queries, "query of the history", "queries of the history"));
        parts.extend(part(*searches, "saved search", "saved searches"));
        parts.extend(part(*logged, "undo step", "undo steps"));
        let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        out.line(format_args!("{done}: {parts}"));
        if let (Some(searched), Some(left)) = (self.searched, &self.left) {
            let found = if left.is_empty() { ": nothing left" } else { "; still contained in" };
            out.line(format_args!("searched {searched} files{found}"));
            left.iter().for_each(|path| out.line(format_args!("  {path}")));
        }
        self.unread.iter().for_each(|why| output::warn(format_args!("not searched: {why}")));
    }
}

impl Answer for NamingAnswer<'_> {
    fn print(&self, out: &mut Output) {
        output::note(format_args!("spelled {}", output::one_line(&spelled(self.naming))));
        for (entry, _) in &self.naming.entries {
            let when = entry.time.day_and_clock();
            let text = output::shorten(&out.safe(naming_line(self.naming, entry)), 72);
            out.line(format_args!("{}  {text}  {}", out.bold(&when), out.dim(&out.id(entry.id.as_str()))));
        }
    }

    fn is_nothing(&self) -> bool {
        self.entries.is_empty()
    }
}

fn counted_parts(forgotten: &Forgotten) -> Vec<String> {
    [
        part(forgotten.entries, "entry", "entries"),
        part(forgotten.trashed, "older version in the trash", "older versions in the trash"),
        part(forgotten.second_copies, "second copy", "second copies"),
        part(forgotten.conflict_copies, "text in a conflict copy", "texts in conflict copies"),
        part(forgotten.drafts, "draft", "drafts"),
        part(forgotten.answers, "kept answer", "kept answers"),
        part(forgotten.notes, "note", "notes"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn part(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| output::counted(count, one, many))
}

fn history(context: &Context, session: &Session) -> QueryHistory {
    QueryHistory::of(&context.state, &session.vault().options().root)
}

/// The spellings of the names with counts.
fn spelled(naming: &Naming) -> String {
    let names = naming.redaction.names().iter();
    let names = names.filter(|name| naming.forms.iter().all(|(form, _)| form != *name)).cloned();
    let forms = naming.forms.iter().map(|(form, count)| format!("{form} ({count})"));
    forms.chain(names).collect::<Vec<_>>().join(", ")
}

/// The first line of an entry that contains one of the names.
fn naming_line<'e>(naming: &Naming, entry: &'e Entry) -> &'e str {
    let is_naming = |line: &&str| !naming.redaction.places(line).is_empty();
    entry.body.lines().find(is_naming).unwrap_or_else(|| output::first_line(&entry.body))
}

/// Searches every file of the home folder and of the journal for traces. `None` if the text is too short to be
/// distinctive.
fn look_for(context: &Context, session: Session, wanted: Option<Wanted>) -> Result<Option<Traces>, Failure> {
    let root = session.vault().options().root.clone();
    // Close the index first, so that its files are complete on disk.
    session.close()?;
    let Some(wanted) = wanted else {
        output::note("the text is too short to search other files for");
        return Ok(None);
    };
    if root.join(".git").exists() {
        output::note("git history was not searched; it keeps old versions");
    }
    Ok(Some(Traces::look(&wanted, &[&context.paths.home, &root])))
}

/// Removes temporary files of interrupted editors that belong to the entry or contain its text.
fn forget_left_over(context: &Context, entry: &Entry) {
    /// A shorter text may occur in any file by chance.
    const TELLING: usize = 24;
    let body = entry.body.trim();
    let named = format!("{}-", entry.id);
    for left in tui::left_over(&context.state) {
        let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&named));
        let is_of = left.of.as_deref().map_or_else(|| left.files.iter().any(is_named), |of| of == entry.id.as_str());
        let reads = |path: &PathBuf| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).contains(body));
        let holds = || body.len() >= TELLING && left.files.iter().any(|path| reads(path).unwrap_or(false));
        if !is_of && !holds() {
            continue;
        }
        for path in &left.files {
            if let Err(error) = files::remove(path) {
                output::warn(format_args!("{error}"));
            }
        }
    }
}
