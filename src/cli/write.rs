//! Commands that change the journal: add, edit, rm, trash, restore.
//!
//! They write only the day files; the next reading command updates the index. `add` does not open the index.

use std::{
    io::{self, IsTerminal, Read},
    path::PathBuf,
};

use clap::Args;
use jiff::Span;
use serde::Serialize;

use super::{
    Context, Done, Failure, Outcome, Output, Run,
    arguments::{self, given},
    counted, editor, output, prompt,
    sheet::Sheet,
};
use crate::{
    arguments::located,
    insight::records,
    journal::{
        Attachment, Change, Draft, Edited, Emptied, Entry, EntryTime, Filled, LARGEST_ATTACHMENT, NewEntry,
        TrashReason, Trashed, Vault, VaultError, with_links,
    },
    report::Report,
    session::{json::EntryJson, take_images},
    tui::{draft_name, widgets::cells, without_last_line_ending},
};

/// Write a new entry and print its id
#[derive(Debug, Default, Args)]
#[command(after_help = "Without text, $EDITOR opens with time, mood, tags and event_time above the text.
Empty a value to remove it; a deleted line keeps its value.

Examples:
  kioku add --mood calm --tag walk 'Along the river before breakfast.'
  kioku add --at 'yesterday 3pm' 'The call with the bank.'
  kioku add --template evening
  kioku add --attach tickets.pdf --attach lake.jpg 'Two days at the lake.'
  git log -1 --format=%B | kioku add --tag work -")]
pub struct Add {
    /// Time of the entry: "yesterday 3pm", "2026-02-22 15:30" [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Mood, in a word
    #[arg(long)]
    mood: Option<String>,
    /// Tags, separated by commas; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Time of the event, if another: "2019", "last summer", "when I was small"
    #[arg(long, value_name = "WHEN")]
    event_time: Option<String>,
    /// Start from a template: day, evening, week, or a file in `templates/` of the journal
    #[arg(long, value_name = "NAME")]
    template: Option<String>,
    /// Copy a file into the journal and link it below the text; may be repeated
    #[arg(long, value_name = "PATH")]
    attach: Vec<PathBuf>,
    /// Attach files above 100 MB too
    #[arg(long, requires = "attach")]
    any_size: bool,
    /// Text of the entry; `-` reads stdin; without text, $EDITOR opens
    #[arg(value_parser = arguments::text)]
    text: Vec<String>,
}

impl Add {
    /// A text without flags, at a time if given.
    pub fn quick(at: Option<String>, text: String) -> Self {
        Self { at, text: vec![text], ..Self::default() }
    }
}

impl Run for Add {
    fn run(self, context: &mut Context) -> Outcome {
        let time = given(self.at.as_deref(), |at| arguments::moment(at, &context.now))?;
        let own_time = time.as_ref().map_or_else(|| context.now.clone(), arguments::zoned);
        let mut new = NewEntry {
            time,
            mood: arguments::optional_line("--mood", self.mood.as_deref())?,
            tags: arguments::typed_tags(&self.tags)?,
            event_time: given(self.event_time.as_deref(), |text| arguments::event_time(text, &own_time))?
                .filter(|text| !text.is_empty()),
            ..NewEntry::default()
        };
        let begun = self.template.as_deref().map(|name| begin(context, name, &mut new)).transpose()?;
        // Before the editor opens: a missing file must not cost a text.
        let attachments = match self.attach.is_empty() {
            true => Vec::new(),
            false => received(context, &self.attach, self.any_size)?,
        };
        let from_editor =
            self.text.is_empty() && io::stdin().is_terminal() && (attachments.is_empty() || begun.is_some());
        let entry = if from_editor {
            new.body = begun.map_or(String::new(), |begun| begun.text);
            let sheet = Sheet::begun(&new, &context.now);
            let written = editor::edit(context, "new", &sheet.to_string())?;
            let changed = sheet.parse(written.text());
            let change = changed.and_then(|changed| sheet.change(&changed, &own_time, &context.now));
            let change = change.map_err(|report| written.kept(report))?;
            let is_untouched = change == Change::default();
            new.time = change.time.or(new.time);
            new.mood = change.mood.unwrap_or(new.mood);
            new.tags = change.tags.unwrap_or(new.tags);
            new.event_time = change.event_time.unwrap_or(new.event_time);
            new.body = change.body.unwrap_or_default();
            if new.body.trim().is_empty() {
                let nothing = Report::data("empty text: nothing saved");
                // What was typed into the head exists nowhere else.
                if !is_untouched {
                    return Err(written.kept(nothing));
                }
                written.done();
                return Err(nothing.into());
            }
            let entry = append(context, new, attachments, true).map_err(|failure| written.kept(failure))?;
            written.done();
            entry
        } else {
            let is_typed = !self.text.is_empty() && self.text != ["-"];
            new.body = match is_typed {
                true => self.text.join(" "),
                false if self.text.is_empty() && io::stdin().is_terminal() => String::new(),
                false => stdin_text()?,
            };
            if new.body.trim().is_empty() && attachments.is_empty() {
                return Err(Report::usage("no text to save")
                    .hint("kioku add 'TEXT', or pipe it in, or no text on a terminal for $EDITOR")
                    .into());
            }
            if let Some(begun) = begun {
                let (before, after) = begun.text.split_at(begun.cursor);
                new.body = format!("{before}{}{after}", new.body);
            }
            let piped = (!is_typed).then(|| new.body.clone());
            append(context, new, attachments, is_typed).map_err(|failure| kept_as_draft(context, failure, piped))?
        };
        if context.config.propose_records {
            for new in records::proposed(&entry.body, context.now.date()) {
                let text = new.text.replace('\'', r"'\''");
                output::note(format_args!("{}? `kioku record {} '{text}'`", new.kind.with_article(), new.kind.word()));
            }
        }
        context.out.line(context.out.id(entry.id.as_str()));
        Ok(Done::Done)
    }
}

/// Fills in a template for the time of the entry. Its mood and tags are used in addition to those of the flags.
fn begin(context: &Context, name: &str, new: &mut NewEntry) -> Result<Filled, Failure> {
    let templates = context.session()?.vault().templates()?;
    let Some(template) = templates.named(name) else {
        let names: Vec<&str> = templates.all.iter().map(|template| template.name.as_str()).collect();
        let report = Report::usage(format!("unknown template `{name}`"));
        return Err(report.hint(format!("templates: {}", names.join(", "))).into());
    };
    if new.mood.is_none() {
        new.mood.clone_from(&template.mood);
    }
    let missing = template.tags.iter().filter(|tag| !new.tags.contains(tag)).cloned();
    new.tags.extend(missing.collect::<Vec<_>>());
    let when = new.time.as_ref().map_or_else(|| context.now.datetime(), EntryTime::local);
    Ok(templates.fill(template, when))
}

/// Copies files of the user, before the text that links them is written.
pub fn received(context: &Context, paths: &[PathBuf], any_size: bool) -> Result<Vec<Attachment>, Failure> {
    let mut session = context.session()?;
    session.expect_entries_folder()?;
    Ok(session.vault().receive(paths, if any_size { u64::MAX } else { LARGEST_ATTACHMENT })?)
}

/// Writes an entry with its attachments, and with the images of a text that the user has typed.
fn append(
    context: &Context,
    mut new: NewEntry,
    mut attachments: Vec<Attachment>,
    is_typed: bool,
) -> Result<Entry, Failure> {
    let mut session = context.session()?;
    session.expect_entries_folder().map_err(unsaved)?;
    new.body = with_links(&new.body, &attachments);
    if is_typed {
        attachments.extend(take_images(session.vault(), &mut new.body, "", output::warn));
    }
    let entry = session.vault().append_with(new, attachments).map_err(unsaved)?;
    session.vault().write_warnings().iter().for_each(output::warn);
    Ok(entry)
}

/// The error of a write that saved nothing.
fn unsaved(error: impl Into<Report>) -> Report {
    let mut report = error.into();
    report.chain[0].insert_str(0, "not saved, and saved entries are unchanged: ");
    report
}

/// Keeps a piped text, which may exist nowhere else: as a draft, or else in the error.
fn kept_as_draft(context: &Context, failure: Failure, text: Option<String>) -> Failure {
    let Some(body) = text else { return failure };
    let Failure::Report(report) = failure else { return failure };
    let draft = Draft { id: draft_name(&context.now, std::process::id().into()), body, ..Draft::default() };
    let keeps = |vault: &Vault| matches!(vault.unclaimed(), Ok(None)) && vault.keep_draft(&draft).is_ok();
    let hint = match Vault::open(context.session_options().vault).ok().filter(keeps) {
        Some(vault) => format!("the text is a draft in {}", vault.options().root.join(draft.id.file()).display()),
        None => format!("the text is kept nowhere: {}", draft.body),
    };
    report.hint(hint).into()
}

/// Edit an entry in $EDITOR or by flags, and print its id
#[derive(Debug, Args)]
pub struct Edit {
    /// The entry's id, or its time as written
    id: String,
    /// New time; the entry moves to that day
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// New mood; '' removes it
    #[arg(long)]
    mood: Option<String>,
    /// New tags, separated by commas; '' removes all
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// New event time; '' removes it
    #[arg(long, value_name = "WHEN")]
    event_time: Option<String>,
    /// New text; `-` reads stdin
    #[arg(long, value_parser = arguments::text)]
    text: Option<String>,
}

impl Run for Edit {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.session()?;
        let base = located(&mut session, &self.id)?;
        let is_typed = self.text.as_deref() != Some("-");
        let edited = if let Some(change) = self.change(context, &base)? {
            edit(session.vault(), &base, change, is_typed, Vec::new())?
        } else {
            if !editor::is_named(context) && !io::stdin().is_terminal() {
                return Err(Report::usage("needs a terminal")
                    .hint("pass the change as flags: --text, --mood, --tag, --at, --event-time")
                    .into());
            }
            let sheet = Sheet::of(&base);
            let written = editor::edit(context, base.id.as_str(), &sheet.to_string())?;
            let edited = sheet
                .parse(written.text())
                .and_then(|changed| sheet.change(&changed, &arguments::zoned(&base.time), &context.now))
                .map_err(Failure::from)
                .and_then(|change| edit(session.vault(), &base, change, true, Vec::new()))
                .map_err(|failure| written.kept(failure))?;
            written.done();
            edited
        };
        print_edited(context, edited);
        Ok(Done::Done)
    }
}

/// Edits an entry, with the new images of a text that the user has typed, and prints the warnings.
pub fn edit(
    vault: &Vault,
    base: &Entry,
    mut change: Change,
    is_typed: bool,
    mut attachments: Vec<Attachment>,
) -> Result<Edited, Failure> {
    if change.body.as_deref().is_some_and(|body| body.trim().is_empty()) {
        return Err(Report::usage("an entry needs text").hint("use `kioku rm` to delete an entry").into());
    }
    let text = change.body.as_mut().filter(|_| is_typed);
    attachments.extend(text.map_or_else(Vec::new, |text| take_images(vault, text, &base.body, output::warn)));
    let edited = vault.edit_with(base, change, attachments).map_err(unsaved)?;
    vault.write_warnings().iter().for_each(output::warn);
    Ok(edited)
}

pub fn print_edited(context: &mut Context, edited: Edited) {
    match edited {
        Edited::Saved(entry) => context.out.line(context.out.id(entry.id.as_str())),
        Edited::Unchanged(entry) => {
            output::note("no changes");
            context.out.line(context.out.id(entry.id.as_str()));
        }
        Edited::KeptBoth { theirs, mine } => {
            output::warn(format_args!(
                "{} was changed by another program: its text is kept, yours is saved as {}",
                theirs.id, mine.id
            ));
            context.out.line(context.out.id(mine.id.as_str()));
        }
    }
}

impl Edit {
    /// The change of the flags; `None` without any.
    fn change(&self, context: &Context, base: &Entry) -> Result<Option<Change>, Failure> {
        let or_none = |text: String| Some(text).filter(|text| !text.is_empty());
        let time = given(self.at.as_deref(), |at| arguments::moment(at, &context.now))?;
        let own_time = arguments::zoned(time.as_ref().unwrap_or(&base.time));
        let change = Change {
            time,
            mood: given(self.mood.as_deref(), |mood| arguments::one_line("--mood", mood))?.map(or_none),
            tags: (!self.tags.is_empty()).then(|| arguments::typed_tags(&self.tags)).transpose()?,
            event_time: given(self.event_time.as_deref(), |text| arguments::event_time(text, &own_time))?.map(or_none),
            body: match self.text.as_deref() {
                Some("-") => Some(stdin_text()?),
                text => text.map(str::to_owned),
            },
            ..Change::default()
        };
        Ok((change != Change::default()).then_some(change))
    }
}

/// Delete an entry and print the handle that restores it from the trash
#[derive(Debug, Args)]
pub struct Rm {
    /// The entry's id, or its time as written
    id: String,
}

impl Run for Rm {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.session()?;
        let entry = located(&mut session, &self.id)?;
        let trashed = session.vault().remove(&entry)?;
        if context.out.is_terminal() {
            output::note(format_args!("deleted; undo with `kioku restore {}`", trashed.handle));
        }
        context.out.line(context.out.id(&trashed.handle));
        session.vault().write_warnings().iter().for_each(output::warn);
        Ok(Done::Done)
    }
}

/// List deleted, replaced and vanished texts, newest first, or empty the trash
#[derive(Debug, Args)]
pub struct Trash {
    /// Delete everything in the trash permanently
    #[arg(long)]
    empty: bool,
    /// Delete only what is older: 30d, 2w, 6mo, 1y
    #[arg(long, value_name = "SPAN", requires = "empty", value_parser = span)]
    older_than: Option<Span>,
    /// Do not ask for confirmation
    #[arg(long, requires = "empty")]
    yes: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn span(text: &str) -> Result<Span, &'static str> {
    text.parse().map_err(|_| "use a span such as 30d, 2w, 6mo or 1y")
}

impl Trash {
    fn empty(&self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let before = self.older_than.as_ref().map(|span| context.now.checked_sub(span.abs())).transpose();
        let before = before.map_err(|error| Report::usage(format!("--older-than: {error}")))?.map(|at| at.timestamp());
        let would = session.vault().would_empty_trash(before)?;
        let parts = [
            (would.pieces > 0).then(|| counted(would.pieces, "piece of trash", "pieces of trash")),
            (would.attachments > 0).then(|| counted(would.attachments, "attachment", "attachments")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let told = parts.join(", ");
        if !parts.is_empty() && !self.yes {
            prompt::confirm(&format!("delete permanently: {told}"), "nothing deleted")?;
        }
        let emptied = if parts.is_empty() { Emptied::default() } else { session.empty_trash(before)? };
        let told = if parts.is_empty() { "nothing to remove".to_owned() } else { format!("removed: {told}") };
        context.answer(&emptied, self.json, |out, _| out.line(told))
    }
}

impl Run for Trash {
    fn run(self, context: &mut Context) -> Outcome {
        if self.empty {
            return self.empty(context);
        }
        let session = context.reading_session()?;
        match session.vault().keep_all_missing() {
            Err(error @ VaultError::FolderGone { .. }) => return Err(error.into()),
            // The trash may be readable although it cannot be written.
            Err(error) => {
                output::warn(format_args!("entries that vanished recently are missing from the list: {error}"))
            }
            Ok(_) => {}
        }
        let trash = session.vault().trash()?;
        let pieces: Vec<TrashedPiece<'_>> = trash.iter().map(TrashedPiece::from).collect();
        context.answer_list("trash", &pieces, self.json, |out, _| print_trash(out, &trash))?;
        Ok(Done::Done)
    }
}

#[derive(Debug, Serialize)]
struct TrashedPiece<'a> {
    handle: &'a str,
    trashed: &'a str,
    why: TrashReason,
    entry: EntryJson<'a>,
}

impl<'a> From<&'a Trashed> for TrashedPiece<'a> {
    fn from(piece: &'a Trashed) -> Self {
        let (handle, trashed, why) = (&piece.handle, &piece.trashed.written, piece.why);
        Self { handle, trashed, why, entry: EntryJson::from(&piece.entry) }
    }
}

fn print_trash(out: &mut Output, trash: &[Trashed]) {
    if trash.is_empty() {
        output::note("the trash is empty");
    }
    for piece in trash {
        let (handle, why) = (out.id(&piece.handle), piece.why.word());
        let when = piece.trashed.local().strftime("%Y-%m-%d %H:%M");
        let text = out.safe(output::first_line(&piece.entry.body));
        out.line(format_args!("{}  {why} {when}  {text}", out.bold(&handle)));
    }
}

/// Restore from the trash and print the entries' ids
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kioku restore o4i5oh7qge
  kioku restore --day 'last week' --dry-run
  kioku restore --all")]
pub struct Restore {
    /// As `kioku trash` shows it: the entry's id, with #2, #3 for older ones
    #[arg(required_unless_present_any = ["all", "day"])]
    handle: Option<String>,
    /// Restore every entry that is gone: deleted, or removed by another program
    #[arg(long, conflicts_with_all = ["handle", "day"])]
    all: bool,
    /// Restore those of a day or period: "2026-02-22", "yesterday", "last week"
    #[arg(long, value_name = "DATE", conflicts_with = "handle")]
    day: Option<String>,
    /// List what would be restored; change nothing
    #[arg(long, conflicts_with = "handle")]
    dry_run: bool,
}

impl Run for Restore {
    fn run(self, context: &mut Context) -> Outcome {
        let Some(handle) = &self.handle else { return self.several(context) };
        let session = context.session()?;
        let vault = session.vault();
        let restored = match vault.restore(handle) {
            // The entry may have vanished since the last scan: save vanished entries from the second copies and retry.
            Err(VaultError::Absent { .. }) if vault.keep_all_missing()? > 0 => vault.restore(handle),
            restored => restored,
        };
        let entry = restored.map_err(|error| Report::from(&error).hint("`kioku trash` lists what can be restored"))?;
        context.out.line(context.out.id(entry.id.as_str()));
        vault.write_warnings().iter().for_each(output::warn);
        Ok(Done::Done)
    }
}

impl Restore {
    fn several(&self, context: &mut Context) -> Outcome {
        let days = given(self.day.as_deref(), |day| arguments::days(day, &context.now))?;
        let days = days.map(|days| days.first..=days.last);
        let session = context.reading_session()?;
        // Include entries that vanished since the last scan.
        session.vault().keep_all_missing()?;
        let done = session.vault().restore_all(days, self.dry_run)?;
        for piece in &done.pieces {
            let out = &context.out;
            let mut line = out.id(piece.entry.id.as_str()).into_owned();
            if self.dry_run {
                line = format!("{}  {}  {}", out.bold(&line), piece.entry.day, summary(out, piece));
            }
            context.out.line(line);
        }
        let put = if self.dry_run { "would be restored" } else { "restored" };
        output::note(format_args!("{} {put}", counted(done.pieces.len(), "entry", "entries")));
        if done.older > 0 {
            output::note(format_args!(
                "{} in the trash; `kioku restore HANDLE` restores one",
                counted(done.older, "older version of a current entry stays", "older versions of current entries stay")
            ));
        }
        if let Some(newest) = done.overwritten.first() {
            let texts = counted(done.overwritten.len(), "text", "texts");
            let (handle, text) = (&newest.handle, summary(&context.out, newest));
            output::note(format_args!("{texts} overwritten by another program, see `kioku trash`; the newest: {text}"));
            output::note(format_args!("`kioku restore {handle}` swaps it with the present text"));
        }
        done.failed.iter().for_each(output::warn);
        match (done.failed.is_empty(), done.pieces.is_empty()) {
            (false, _) => {
                Err(Report::data(format!("{} could not be restored", counted(done.failed.len(), "day", "days"))).into())
            }
            (true, true) => Ok(Done::NothingMatched),
            (true, false) => Ok(Done::Done),
        }
    }
}

fn summary(out: &output::Output, piece: &Trashed) -> String {
    let text = out.safe(output::first_line(&piece.entry.body));
    format!("{}  {}", piece.why.word(), cells::truncate(&text, 72))
}

/// Reads stdin, without the last line ending.
pub(super) fn stdin_text() -> Result<String, Report> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(|error| Report::data(format!("reading stdin: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        Report::data(format!("stdin is not UTF-8 (byte {})", error.utf8_error().valid_up_to() + 1))
            .hint("convert it first, for example with iconv")
    })?;
    Ok(without_last_line_ending(&text).to_owned())
}
