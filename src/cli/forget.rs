//! `kioku forget`: permanent deletion of an entry or a name, including all derived data.

use clap::Args;
use serde::Serialize;

use super::{Context, Failure, Outcome, Output, Run, context, output, prompt};
use crate::{
    arguments::forgettable,
    journal::{Entry, Pass, SEARCHES_FILE},
    report::{Kind, Report},
    session::json::{EntryJson, ForgottenJson},
    session::{Forgettable, Forgetting, Naming, Session, Traces, Wanted},
    tui::widgets::cells,
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

#[derive(Serialize)]
struct NamingAnswer<'a> {
    names: &'a [String],
    /// Spellings in the entries, with counts.
    forms: &'a [(String, usize)],
    entries: Vec<EntryJson<'a>>,
}

impl Forget {
    fn entry(&self, context: &mut Context, id: &str) -> Outcome {
        let mut session = context.reading_session()?;
        let what = match forgettable(&mut session, id, self.redact) {
            // With --json, stdout is an object in any case.
            Err(unknown) if self.json && unknown.kind == Kind::NotFound => {
                self.report(context, &Forgetting::default(), None)?;
                return context.end(Some(unknown));
            }
            what => what?,
        };
        context::print_warnings(&mut session);
        let would = session.forget(&what, self.redact, &context.state, Pass::Count)?;
        if self.dry_run {
            return self.report(context, &would, None);
        }
        let entry = what.entry();
        let part = match what {
            Forgettable::Remains(_) => "the remaining copies of ",
            Forgettable::Entry(_) if self.redact => "the text of ",
            Forgettable::Entry(_) => "",
        };
        let text = cells::truncate(output::first_line(&entry.body), 40);
        self.confirm(&format!("{part}{} ({text})", entry.id), &would)?;
        let forgetting = session.forget(&what, self.redact, &context.state, Pass::Delete)?;
        for name in &forgetting.similar_searches {
            output::note(format_args!(
                "the saved search `{name}` shares words with it and is kept; edit {SEARCHES_FILE} to remove it"
            ));
        }
        context::print_warnings(&mut session);
        let wanted = Wanted::sentences(forgetting.texts.iter().map(String::as_str));
        let traces = look_for(context, session, wanted)?;
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
        let catalog = session.listed()?;
        context::print_warnings(&mut session);
        let kept: Vec<&str> = naming.redaction.kept().collect();
        if !kept.is_empty() {
            output::note(format_args!("longer names stay: {}", output::one_line(&kept.join(", "))));
        }
        let would = match self.redact {
            true => session.forget_names(&naming, &context.state, Pass::Count)?,
            false => Forgetting::default(),
        };
        if !self.redact || self.dry_run {
            let (names, forms) = (naming.redaction.names(), naming.forms.as_slice());
            let entries = naming.entries.iter().map(|(entry, _)| EntryJson::of(entry, &catalog)).collect();
            let answer = NamingAnswer { names, forms, entries };
            let done = context.answer_query(!naming.entries.is_empty(), &answer, self.json, |out, _| {
                print_naming(out, &naming);
            });
            let parts = counted_parts(&would);
            if !parts.is_empty() {
                output::note(format_args!("would be changed or deleted: {}", parts.join(", ")));
            }
            return done;
        }
        self.confirm(&format!("the names {}", spelled(&naming)), &would)?;
        let forgetting = session.forget_names(&naming, &context.state, Pass::Delete)?;
        context::print_warnings(&mut session);
        let traces = look_for(context, session, Some(Wanted::Names(naming.redaction)))?;
        self.report(context, &forgetting, traces)
    }

    /// Requires a confirmation or `--yes`, because this cannot be undone.
    fn confirm(&self, what: &str, would: &Forgetting) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let what = output::one_line(what);
        let what = format!("delete permanently: {what}; {}", counted_parts(would).join(", "));
        Ok(prompt::confirm(&what, "nothing deleted")?)
    }

    fn report(&self, context: &mut Context, forgetting: &Forgetting, traces: Option<Traces>) -> Outcome {
        context.answer(&ForgottenJson::new(self.dry_run, forgetting, traces), self.json, print_forgotten)
    }
}

fn print_forgotten(out: &mut Output, answer: &ForgottenJson) {
    let done = if answer.dry_run { "would be forgotten" } else { "forgotten" };
    let parts = counted_parts(answer.forgetting);
    let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
    out.line(format_args!("{done}: {parts}"));
    if let (Some(searched), Some(left)) = (answer.searched, &answer.left) {
        let found = if left.is_empty() { ": nothing left" } else { "; still contained in" };
        out.line(format_args!("searched {searched} files{found}"));
        left.iter().for_each(|path| out.line(format_args!("  {path}")));
    }
    answer.unread.iter().for_each(|why| output::warn(format_args!("not searched: {why}")));
}

fn print_naming(out: &mut Output, naming: &Naming) {
    output::note(format_args!("spelled {}", output::one_line(&spelled(naming))));
    for (entry, _) in &naming.entries {
        let when = entry.time.day_and_clock();
        let line = out.safe(naming_line(naming, entry));
        let text = cells::truncate(&line, 72);
        out.line(format_args!("{}  {text}  {}", out.bold(&when), out.dim(&out.id(entry.id.as_str()))));
    }
}

fn counted_parts(forgetting: &Forgetting) -> Vec<String> {
    let Forgetting { forgotten, .. } = forgetting;
    [
        part(forgotten.entries, "entry", "entries"),
        part(forgotten.trashed, "older version in the trash", "older versions in the trash"),
        part(forgotten.second_copies, "second copy", "second copies"),
        part(forgotten.conflict_copies, "text in a conflict copy", "texts in conflict copies"),
        part(forgotten.drafts, "draft", "drafts"),
        part(forgotten.answers, "kept answer", "kept answers"),
        part(forgotten.notes, "note", "notes"),
        part(forgotten.attachments, "attachment", "attachments"),
        part(forgetting.vectors, "vector", "vectors"),
        part(forgetting.queries, "query of the history", "queries of the history"),
        part(forgetting.searches, "saved search", "saved searches"),
        part(forgetting.editor_texts, "text of an editor", "texts of an editor"),
        part(forgetting.logged, "undo step", "undo steps"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn part(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| output::counted(count, one, many))
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

/// Searches for traces. `None` if the text is too short to be distinctive.
fn look_for(context: &Context, session: Session, wanted: Option<Wanted>) -> Result<Option<Traces>, Failure> {
    let Some(wanted) = wanted else {
        session.close()?;
        output::note("the text is too short to search other files for");
        return Ok(None);
    };
    if session.vault().is_tracked(".") {
        output::note("git history was not searched; it keeps old versions");
    }
    Ok(Some(session.traces(&wanted, &context.paths.home)?))
}
