//! `kioku forget`: a text, or a name, out of the journal and of everything that was made from it.

use std::{
    fs,
    io::{self, BufRead, IsTerminal},
};

use clap::Args;
use serde::Serialize;

use super::{
    Context, Done, Failure, Outcome, Run,
    json::{EntryJson, VERSION},
    output::{self, Set},
    write::located,
};
use crate::{
    engine::{Desk, Forgetting, QueryHistory},
    journal::{Entry, Forgotten, SEARCHES_FILE, files},
    report::Report,
};

/// Take an entry or a name out for good, from trash, copies, drafts and index too
#[derive(Debug, Args)]
#[command(after_help = "There is no way back. `kioku rm` moves an entry to the trash instead.
Backups, other machines' copies and the history of a git repository keep what they have.

Examples:
  kioku forget 2026-02-22T15:30:00+07:00 --dry-run
  kioku forget --entity 'Linh Nguyễn' --redact")]
pub struct Forget {
    /// The entry's id, or its time as written
    #[arg(required_unless_present = "entity")]
    id: Option<String>,
    /// The entries that name somebody; with --redact the name and its aliases go from them
    #[arg(long, value_name = "NAME", conflicts_with = "id")]
    entity: Option<String>,
    /// Keep the entry: `[redacted]` stands where the text or the name was
    #[arg(long)]
    redact: bool,
    /// Only tell what would go
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
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
            (None, None) => Err(Report::usage("say what to forget: an entry's id, or --entity NAME").into()),
        }
    }
}

#[derive(Debug, Serialize)]
struct ForgottenJson {
    v: u32,
    dry_run: bool,
    entries: usize,
    trashed: usize,
    second_copies: usize,
    drafts: usize,
    answers: usize,
    notes: usize,
    vectors: usize,
    queries: usize,
    searches: usize,
}

#[derive(Debug, Serialize)]
struct NamingJson<'a> {
    v: u32,
    names: &'a [String],
    entries: Vec<EntryJson<'a>>,
}

impl Forget {
    fn entry(&self, context: &mut Context, id: &str) -> Outcome {
        let mut desk = context.reading_desk()?;
        let entry = located(&mut desk, id)?;
        super::read::tell(&mut desk);
        let would = desk.vault().would_forget(&entry)?;
        if self.dry_run {
            return self.report(context, &Forgetting { forgotten: would, ..Forgetting::default() });
        }
        let what = if self.redact { "the text of " } else { "" };
        self.confirm(
            &format!("{what}{} ({})", entry.id, output::shorten(output::first_line(&entry.body), 40)),
            &would,
        )?;
        let forgetting = desk.forget(&entry, self.redact, &history(context, &desk))?;
        for search in desk.searches_like(&entry.body)? {
            output::note(format_args!(
                "the saved search `{}` shares words with it and stays; it is a line of {SEARCHES_FILE}",
                search.name
            ));
        }
        forget_left_over(context, &entry);
        super::read::tell(&mut desk);
        desk.close()?;
        self.report(context, &forgetting)
    }

    fn name(&self, context: &mut Context, name: &str) -> Outcome {
        let mut desk = context.reading_desk()?;
        let subject = desk.entity_called(name)?;
        let naming = desk.naming(&subject)?;
        super::read::tell(&mut desk);
        if !self.redact || self.dry_run {
            let entries: Vec<&Entry> = naming.entries.iter().map(|(entry, _)| entry).collect();
            self.list(context, naming.redaction.names(), &entries)?;
            let beside = counted(&desk.vault().would_forget_names(&naming.redaction)?);
            if self.redact && !beside.is_empty() {
                output::note(format_args!("beside the entries, the names are in {}", beside.join(", ")));
            }
            return Ok(if entries.is_empty() { Done::NothingMatched } else { Done::Done });
        }
        let beside = desk.vault().would_forget_names(&naming.redaction)?;
        let would = Forgotten { entries: naming.entries.len(), ..beside };
        self.confirm(&format!("the names {}", naming.redaction.names().join(", ")), &would)?;
        let log = super::entity::log(context, &desk);
        let forgetting = desk.forget_names(&naming, &log, &history(context, &desk))?;
        for (entry, _) in &naming.entries {
            forget_left_over(context, entry);
        }
        super::read::tell(&mut desk);
        desk.close()?;
        self.report(context, &forgetting)
    }

    fn list(&self, context: &mut Context, names: &[String], entries: &[&Entry]) -> Result<(), Failure> {
        if self.json {
            let entries = entries.iter().map(|entry| EntryJson::from(*entry)).collect();
            return context.out.json(&NamingJson { v: VERSION, names, entries });
        }
        output::note(format_args!("goes by {}", names.join(", ")));
        for entry in entries {
            let when = entry.time.day_and_clock();
            let out = &context.out;
            let text = output::shorten(&out.safe(output::first_line(&entry.body)), 72);
            let line = format!("{}  {text}  {}", out.set(Set::Bold, &when), out.set(Set::Dim, entry.id.as_str()));
            context.out.line(line)?;
        }
        Ok(())
    }

    /// There is no way back: a person says yes, a script says --yes.
    fn confirm(&self, what: &str, would: &Forgotten) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            return Err(Report::usage("there is nobody to ask").hint("--yes says that it is meant").into());
        }
        let what = output::one_line(what);
        output::note(format_args!("to be forgotten for good: {what}; {}", counted(would).join(", ")));
        output::note("type `yes` to go on");
        let mut answer = String::new();
        io::stdin()
            .lock()
            .read_line(&mut answer)
            .map_err(|error| Report::data(format!("reading the answer: {error}")))?;
        if answer.trim().eq_ignore_ascii_case("yes") {
            return Ok(());
        }
        Err(Report::data("nothing was forgotten").into())
    }

    fn report(&self, context: &mut Context, forgetting: &Forgetting) -> Outcome {
        let Forgotten { entries, trashed, second_copies, drafts, answers, notes, .. } = forgetting.forgotten;
        let Forgetting { vectors, queries, searches, .. } = *forgetting;
        if self.json {
            let dry_run = self.dry_run;
            context.out.json(&ForgottenJson {
                v: VERSION,
                dry_run,
                entries,
                trashed,
                second_copies,
                drafts,
                answers,
                notes,
                vectors,
                queries,
                searches,
            })?;
            return Ok(Done::Done);
        }
        let mut parts = counted(&forgetting.forgotten);
        parts.extend(part(vectors, "vector", "vectors"));
        parts.extend(part(queries, "query of the history", "queries of the history"));
        parts.extend(part(searches, "saved search", "saved searches"));
        parts.extend(part(forgetting.logged, "change that could be taken back", "changes that could be taken back"));
        let done = if self.dry_run { "would be forgotten" } else { "forgotten" };
        context.out.line(format_args!("{done}: {}", parts.join(", ")))?;
        Ok(Done::Done)
    }
}

fn counted(forgotten: &Forgotten) -> Vec<String> {
    [
        part(forgotten.entries, "entry", "entries"),
        part(forgotten.trashed, "older version in the trash", "older versions in the trash"),
        part(forgotten.second_copies, "second copy", "second copies"),
        part(forgotten.drafts, "draft", "drafts"),
        part(forgotten.answers, "kept answer", "kept answers"),
        part(forgotten.notes, "note", "notes"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn part(count: usize, one: &str, many: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
}

fn history(context: &Context, desk: &Desk) -> QueryHistory {
    QueryHistory::of(&context.state, &desk.vault().options().root)
}

/// What an editor that was cut off left of the entry in the state folder: by the entry's name, or with its text in it.
fn forget_left_over(context: &Context, entry: &Entry) {
    /// A shorter text may stand in anything.
    const TELLING: usize = 24;
    let Ok(listing) = fs::read_dir(&context.state) else { return };
    let named = format!("{}-", entry.id);
    let body = entry.body.trim();
    for path in listing.flatten().map(|file| file.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let holds = || body.len() >= TELLING && fs::read_to_string(&path).is_ok_and(|text| text.contains(body));
        if name.ends_with(".md")
            && (name.starts_with(&named) || holds())
            && let Err(error) = files::remove(&path)
        {
            output::warn(format_args!("{error}"));
        }
    }
}
