//! Verbs that move entries in and out: import, export.

use std::{io, path::PathBuf};

use clap::Args;

use super::{Context, Done, Failure, Outcome, Run, output, read};
use crate::{
    journal::{
        NewEntry,
        exchange::{self, EXPORTERS, ExchangeError, Exporter, IMPORTERS, ImportOptions, Imported, Importer},
        files,
    },
    report::{self, Report},
};

/// Take over entries from another program; twice is as good as once
#[derive(Debug, Args)]
#[command(after_help = importers())]
pub struct Import {
    /// One of the formats below
    format: String,
    /// The file or folder; it is only read
    path: PathBuf,
    /// Say what would come in, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// How the source writes its times, such as '%d/%m/%Y %H:%M'
    #[arg(long, value_name = "FORMAT")]
    time_format: Option<String>,
    /// The signs that start a tag in the source's text
    #[arg(long, value_name = "SIGNS")]
    tag_signs: Option<String>,
}

impl Run for Import {
    fn run(self, context: &mut Context) -> Outcome {
        let importer = exchange::importer(&self.format)
            .ok_or_else(|| no_format(&self.format, IMPORTERS.iter().map(|importer: &Importer| importer.name)))?;
        let options = ImportOptions {
            time_format: self.time_format,
            tag_signs: self.tag_signs,
            ..ImportOptions::new(context.config.clock().zone().clone())
        };
        let imported = (importer.read)(&self.path, &options).map_err(|error| read_failure(&error))?;
        report_losses(&imported);
        if self.dry_run {
            context.out.line(format_args!(
                "{} would be read{}; nothing was written",
                counted(imported.entries.len(), "entry", "entries"),
                span(&imported)
            ))?;
            return Ok(Done::Done);
        }
        let losses = imported.losses.len();
        let read = imported.entries.len();
        let span = span(&imported);
        let mut vault = context.desk()?;
        vault.expect_entries_folder()?;
        let notes = keep_notes(context, &imported)?;
        let done = vault.vault().append_all(imported.entries)?;
        for id in &done.differing {
            output::warn(format_args!("{id} is here already with another text: left as it is"));
        }
        if !done.completed.is_empty() {
            let entries = counted(done.completed.len(), "entry", "entries");
            output::note(format_args!("{entries} that an interrupted import left in part: completed"));
        }
        context.out.line(format_args!(
            "{read} read{span}: {} added, {} known already, {} left alone, {losses} with losses{notes}",
            done.added.len() + done.completed.len(),
            done.known,
            done.differing.len()
        ))?;
        Ok(Done::Done)
    }
}

/// Everything the source said that kioku does not keep, on stderr.
fn report_losses(imported: &Imported) {
    imported.losses.iter().for_each(output::warn);
    for (field, times) in &imported.not_kept {
        output::note(format_args!("`{field}` is not kept ({})", counted(*times, "time", "times")));
    }
}

fn span(imported: &Imported) -> String {
    let day = |entry: Option<&NewEntry>| Some(entry?.time.as_ref()?.local().date());
    match (day(imported.first()), day(imported.last())) {
        (Some(first), Some(last)) if first == last => format!(" ({first})"),
        (Some(first), Some(last)) => format!(" ({first} to {last})"),
        _ => String::new(),
    }
}

/// Writes the notes on people and things that are not there yet; says how many.
fn keep_notes(context: &Context, imported: &Imported) -> Result<String, Failure> {
    if imported.notes.is_empty() {
        return Ok(String::new());
    }
    let folder = context.journal.root(&context.paths).join("entities");
    let mut written = 0;
    files::create_dir(&folder)?;
    for note in &imported.notes {
        let path = folder.join(&note.file);
        match files::read(&path)? {
            None => {
                files::replace(&path, note.text.as_bytes())?;
                written += 1;
            }
            Some(present) if present == note.text.as_bytes() => {}
            Some(_) => {
                output::warn(format_args!("{} is there already with another text: left as it is", path.display()))
            }
        }
    }
    Ok(format!("; {} on people and things", counted(written, "note", "notes")))
}

/// Write all entries in another form
#[derive(Debug, Args)]
#[command(after_help = exporters())]
pub struct Export {
    /// One of the formats below
    format: String,
    /// The file (or, for some formats, the folder) to write; stdout without it
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// From this day on
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// Up to this day
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
}

impl Run for Export {
    fn run(self, context: &mut Context) -> Outcome {
        let exporter = exchange::exporter(&self.format)
            .ok_or_else(|| no_format(&self.format, EXPORTERS.iter().map(|exporter: &Exporter| exporter.name)))?;
        let (from, to) = super::arguments::period(self.from.as_deref(), self.to.as_deref(), &context.now)?;
        let mut desk = context.reading_desk()?;
        let entries = desk.entries(from, to)?;
        read::tell(&mut desk);
        let into_folder = |path: &PathBuf| path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        match (&self.out, exporter.folder) {
            (Some(path), Some(folder)) if into_folder(path) => {
                files::create_dir(path)?;
                let documents = folder(&entries);
                for (name, text) in &documents {
                    files::replace(&path.join(name), text.as_bytes())?;
                }
                output::note(format_args!(
                    "{} in {} of {}",
                    counted(entries.len(), "entry", "entries"),
                    counted(documents.len(), "file", "files"),
                    path.display()
                ));
            }
            (Some(path), _) if path.is_dir() => {
                return Err(Report::usage(format!(
                    "{} is a folder, and {} is one file",
                    path.display(),
                    exporter.name
                ))
                .hint("name a file with --out")
                .into());
            }
            (Some(path), _) => {
                let mut document = Vec::new();
                (exporter.document)(&entries, &mut document).map_err(|error| Failure::of_output(&error))?;
                files::replace(path, &document)?;
                output::note(format_args!("{} in {}", counted(entries.len(), "entry", "entries"), path.display()));
            }
            (None, _) => {
                let mut document = Vec::new();
                (exporter.document)(&entries, &mut document).map_err(|error| Failure::of_output(&error))?;
                context.out.bytes(&document)?;
            }
        }
        Ok(Done::Done)
    }
}

fn read_failure(error: &ExchangeError) -> Failure {
    let report = Report::of(report::Kind::Data, error);
    match error {
        ExchangeError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            report.hint("check the path; the formats of `kioku import --help` say what each expects").into()
        }
        _ => report.into(),
    }
}

fn no_format<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> Failure {
    let report = Report::usage(format!("there is no format `{typed}`"));
    match report::closest(typed, known.clone()) {
        Some(near) => report.hint(format!("did you mean `{near}`?")).into(),
        None => report.hint(format!("there is {}", known.collect::<Vec<_>>().join(", "))).into(),
    }
}

fn importers() -> String {
    formats(IMPORTERS.iter().map(|format| (format.name, format.about)))
}

fn exporters() -> String {
    formats(EXPORTERS.iter().map(|format| (format.name, format.about)))
}

fn formats(known: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    known.fold("Formats:".to_owned(), |text, (name, about)| format!("{text}\n  {name:<10} {about}"))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
