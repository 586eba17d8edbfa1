//! `kioku import`: import of entries from other programs, with a report of losses.

use std::{
    io::{self, IsTerminal, Read},
    path::{Path, PathBuf},
};

use clap::Args;

use super::{
    Context, Done, Failure, Outcome, ProgressLine, Run, counted,
    exchange::{formats, no_format},
    losses, output, prompt,
};
use crate::{
    config::{self, Journal},
    index::BACKLOG,
    journal::{
        AddedNote, Vault, VaultError,
        exchange::{self, ExchangeError, IMPORTERS, ImportOptions, Imported, Importer, LossKind, MAIN_USER, Source},
    },
    report::{Kind, Report},
    session::Session,
};

/// Import entries from another program; a second import adds nothing
#[derive(Debug, Args)]
#[command(after_help = importers())]
pub struct Import {
    /// One of the formats below
    format: String,
    /// File or folder to import, never changed; `-` reads stdin
    path: PathBuf,
    /// Show what would be imported; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Time format of the source, such as '%d/%m/%Y %H:%M'
    #[arg(long, value_name = "FORMAT")]
    time_format: Option<String>,
    /// Characters that start a tag in the source
    #[arg(long, value_name = "SIGNS")]
    tag_signs: Option<String>,
    /// Import one user of a Kioku folder or of Remy; `memory` is the folder memory/ itself
    #[arg(long, value_name = "NAME", conflicts_with = "users_as_journals")]
    user: Option<String>,
    /// Import each user of a Kioku folder into a journal of that name
    #[arg(long)]
    users_as_journals: bool,
    /// Read the password of an encrypted source from stdin instead of asking for it
    #[arg(long)]
    password_stdin: bool,
    /// Print every warning, also repeated ones
    #[arg(long, short)]
    verbose: bool,
}

/// The format that stands for the one recognised by content.
const AUTO: &str = "auto";

/// How often a wrong password may be corrected.
const PASSWORD_TRIES: usize = 3;

/// The import into one journal.
struct Part {
    user: Option<String>,
    journal: Journal,
}

impl Run for Import {
    fn run(self, context: &mut Context) -> Outcome {
        let known = exchange::importer(&self.format);
        if known.is_none() && self.format != AUTO {
            let known = [AUTO].into_iter().chain(IMPORTERS.iter().map(|known| known.name));
            return Err(no_format(&self.format, known));
        }
        let source = self.source()?;
        let importer = match known {
            Some(importer) => importer,
            None => {
                let importer = exchange::recognised(&source).map_err(|error| read_failure(&error))?;
                output::note(format_args!("format: {}", importer.name));
                importer
            }
        };
        for part in self.parts(context, importer)? {
            self.part(context, importer, &source, part)?;
        }
        Ok(Done::Done)
    }
}

impl Import {
    fn source(&self) -> Result<Source, Failure> {
        if self.path != Path::new("-") {
            let failed = |source| read_failure(&VaultError::io("read", &self.path, source).into());
            self.path.metadata().map_err(failed)?;
            return Ok(Source::at(&self.path));
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(|error| Report::data(format!("reading stdin: {error}")))?;
        Ok(Source::piped(bytes))
    }

    /// Reads the source. Asks for the password of an encrypted one.
    fn read(&self, importer: &Importer, source: &Source, mut options: ImportOptions) -> Result<Imported, Failure> {
        let mut tries = 0;
        loop {
            match importer.import(source, &options) {
                Err(ExchangeError::Encrypted { .. }) if self.password_stdin => {
                    options.password = Some(prompt::line()?);
                }
                Err(error @ (ExchangeError::Encrypted { .. } | ExchangeError::WrongPassword { .. }))
                    if !self.password_stdin && tries < PASSWORD_TRIES =>
                {
                    if tries > 0 {
                        output::warn(&error);
                    }
                    tries += 1;
                    options.password =
                        Some(prompt::password(format_args!("Password of {}: ", source.path().display()))?);
                }
                read => return read.map_err(|error| read_failure(&error)),
            }
        }
    }

    fn part(&self, context: &mut Context, importer: &Importer, source: &Source, part: Part) -> Result<(), Failure> {
        let options = ImportOptions {
            time_format: self.time_format.clone(),
            tag_signs: self.tag_signs.clone(),
            user: part.user.clone(),
            ..ImportOptions::new(context.config.clock().zone().clone())
        };
        let imported = self.read(importer, source, options)?;
        losses::report(&imported, self.verbose);
        if imported.is_empty() && (!imported.losses.is_empty() || source.has_content()) {
            let hint = match importer.name {
                "csv" | "text" => "give the form of its dates, such as --time-format '%d.%m.%Y %H:%M'",
                _ => "see the formats in `kioku import --help`",
            };
            return Err(Report::data(format!("no entries found in {}", source.path().display())).hint(hint).into());
        }
        let into = match part.journal == context.journal {
            true => String::new(),
            false => format!(" into the journal `{}`", part.journal.name()),
        };
        let read = imported.entries.len();
        let span = span(&imported);
        let options = context.config.session_options(&context.paths, &part.journal, &context.environment);
        let left_out = imported.losses.iter().filter(|loss| loss.kind == LossKind::Skipped).count();
        let losses = imported.losses.len() - left_out;
        let left_out = if left_out == 0 { String::new() } else { format!(", {left_out} left out") };
        if self.dry_run {
            let files = match imported.files.len() {
                0 => String::new(),
                count => format!(" with {}", counted(count, "attachment", "attachments")),
            };
            let done = Vault::open(options.vault)?.would_append(imported.entries)?;
            losses::report_differing(&done.differing, self.verbose);
            context.out.line(format_args!(
                "{}{files} would be read{span}{into}: {} added, {} already known, {} conflicting{left_out}; nothing was written",
                counted(read, "entry", "entries"),
                done.added.len() + done.completed.len(),
                done.known,
                done.differing.len()
            ));
            return Ok(());
        }
        let mut session = match part.journal == context.journal {
            true => context.session()?,
            false => Session::open(options)?,
        };
        session.expect_entries_folder()?;
        let notes = keep_notes(&session, &imported)?;
        // Before the entries that link them.
        let files = source.copy_files(&imported.files, session.vault()).map_err(|error| read_failure(&error))?;
        files.warnings.iter().for_each(output::warn);
        let files = match files.copied {
            0 => String::new(),
            copied => format!("; {} copied", counted(copied, "attachment", "attachments")),
        };
        let done = session.vault().append_all(imported.entries)?;
        losses::report_differing(&done.differing, self.verbose);
        if !done.completed.is_empty() {
            let entries = counted(done.completed.len(), "entry", "entries");
            output::note(format_args!("{entries} of an interrupted import completed"));
        }
        context.out.line(format_args!(
            "{read} read{span}{into}: {} added, {} already known, {} conflicting, {losses} with losses{left_out}{notes}{files}",
            done.added.len() + done.completed.len(),
            done.known,
            done.differing.len()
        ));
        // The next search indexes a few. The word lists are those of the open journal.
        if part.journal == context.journal && done.added.len() + done.completed.len() > BACKLOG {
            index(&mut session);
        }
        Ok(())
    }

    /// The journals to import into. Entries of several people are never mixed: the user selects one, or each gets a
    /// journal.
    fn parts(&self, context: &Context, importer: &Importer) -> Result<Vec<Part>, Failure> {
        let one = |user: Option<String>| vec![Part { user, journal: context.journal.clone() }];
        let chosen = self.user.is_some() || self.users_as_journals;
        if importer.name == "remy" && !self.users_as_journals {
            return Ok(one(self.user.clone()));
        }
        if importer.name != "kioku" || !self.path.is_dir() {
            if chosen {
                return Err(Report::usage("only a Kioku folder and a database of Remy can hold several users").into());
            }
            return Ok(one(None));
        }
        let users = exchange::users(&self.path).map_err(|error| read_failure(&error))?;
        if self.users_as_journals {
            return Ok(as_journals(context, users)?);
        }
        if self.user.is_some() || users.len() < 2 {
            return Ok(one(self.user.clone()));
        }
        let several = ExchangeError::SeveralUsers { path: self.path.clone(), users: users.clone() };
        if !io::stdin().is_terminal() {
            return Err(read_failure(&several));
        }
        output::note(several);
        let which = prompt::answer("import which user? (name, `all` for one journal each, enter to cancel): ")?;
        match which.as_str() {
            "" => Err(Report::data("nothing imported").into()),
            "all" => Ok(as_journals(context, users)?),
            name => Ok(one(Some(name.to_owned()))),
        }
    }
}

/// Assigns [`MAIN_USER`] to the open journal, and every other user to a journal of that name.
fn as_journals(context: &Context, users: Vec<String>) -> Result<Vec<Part>, Report> {
    let taken = |journal: &Journal| *journal == context.journal;
    let part = |user: String| {
        let journal = match user.as_str() {
            MAIN_USER => context.journal.clone(),
            name if config::is_journal_name(name) && !taken(&Journal::Named(name.to_owned())) => {
                Journal::Named(name.to_owned())
            }
            name => {
                let why =
                    if config::is_journal_name(name) { "is the open journal" } else { "is not a valid journal name" };
                return Err(Report::usage(format!("`{name}` {why}"))
                    .hint(format!("import it alone with --user {name} --journal OTHER")));
            }
        };
        Ok(Part { user: Some(user), journal })
    };
    users.into_iter().map(part).collect()
}

/// Indexes the imported entries. They are safe, so a fault is a warning.
fn index(session: &mut Session) {
    let mut line = ProgressLine::stderr();
    let done = session.index_imported(&mut |now| line.step(now));
    drop(line);
    session.warnings().iter().for_each(output::warn);
    match done.and_then(|()| session.model()) {
        Ok(Some(model)) if model.in_sentence => {
            output::note("search finds them now; `kioku index` or the open screens improve the search by meaning");
        }
        Ok(_) => {}
        Err(error) => output::warn(format_args!("the new entries are not indexed yet: {error}")),
    }
}

fn span(imported: &Imported) -> String {
    match imported.span().map(|(first, last)| (first.local().date(), last.local().date())) {
        Some((first, last)) if first == last => format!(" ({first})"),
        Some((first, last)) => format!(" ({first} to {last})"),
        None => String::new(),
    }
}

/// Writes new entity notes and keeps existing ones. Returns the text for the report.
fn keep_notes(session: &Session, imported: &Imported) -> Result<String, Failure> {
    if imported.notes.is_empty() {
        return Ok(String::new());
    }
    let mut written = 0;
    for note in &imported.notes {
        match session.vault().add_note(&note.file, note.text.as_bytes())? {
            AddedNote::Added => written += 1,
            AddedNote::Same => {}
            AddedNote::Differs(path) => output::warn(format_args!("{} exists with another text: kept", path.display())),
        }
    }
    Ok(format!("; {} on people and things", counted(written, "note", "notes")))
}

fn read_failure(error: &ExchangeError) -> Failure {
    let report = |kind| Report::of(kind, error);
    match error {
        ExchangeError::File(VaultError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            report(Kind::Data).hint("check the path; see the formats in `kioku import --help`").into()
        }
        ExchangeError::WrongFormat { hint, .. } => report(Kind::Data).hint(*hint).into(),
        ExchangeError::SeveralUsers { path, .. } if !path.is_dir() => {
            report(Kind::Usage).hint("--user NAME imports one").into()
        }
        ExchangeError::SeveralUsers { .. } => report(Kind::Usage)
            .hint(format!("--user NAME imports one (`{MAIN_USER}` is the folder memory/ itself)"))
            .hint("--users-as-journals creates one journal per user")
            .into(),
        ExchangeError::NotRecognised { .. } => report(Kind::Data)
            .hint("name the format, such as `text` for a text with dates; `kioku import --help` lists all")
            .into(),
        ExchangeError::NoSuchUser { .. } => report(Kind::Usage).into(),
        ExchangeError::TimeFormat { .. } => report(Kind::Usage).hint("--time-format '%d/%m/%Y %H:%M'").into(),
        _ => report(Kind::Data).into(),
    }
}

fn importers() -> String {
    let auto = (AUTO, "recognise the format by the content");
    formats([auto].into_iter().chain(IMPORTERS.iter().map(|format| (format.name, format.about))))
}
