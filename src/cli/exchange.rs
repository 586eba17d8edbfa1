//! `kioku export`: entries in another format, to stdout or files.

use std::{collections::BTreeMap, path::PathBuf};

use clap::Args;

use super::{
    Context, Done, Failure, Outcome, Run,
    output::{self, counted},
    user_files,
};
use crate::{
    index::{EntryKey, Snapshot},
    journal::{
        EntityKind, Entry,
        exchange::{self, EXPORTERS, Exporter, IndexedName},
    },
    report::Report,
};

/// Export entries as JSON lines, markdown, a book or for another program
#[derive(Debug, Args)]
#[command(after_help = exporters())]
pub struct Export {
    /// One of the formats below
    format: String,
    /// Output file, or folder (a name without an extension), outside every journal [default: stdout]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Replace files that exist already
    #[arg(long, requires = "out")]
    force: bool,
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
        let (entries, names) = context.ask(|session| {
            let entries = session.entries(from, to)?;
            let names = match exporter.with_names {
                Some(_) => names_in(&entries, session.snapshot()?.as_ref()),
                None => Vec::new(),
            };
            Ok((entries, names))
        })?;
        let document = || -> Result<Vec<u8>, Failure> {
            let mut document = Vec::new();
            match exporter.with_names {
                Some(with_names) => with_names(&entries, &names, &mut document),
                None => (exporter.document)(&entries, &mut document),
            }
            .map_err(|error| Failure::of_output(&error))?;
            Ok(document)
        };
        let into_folder = |path: &PathBuf| {
            let is_named_as_one = path.extension().is_none() || path.to_string_lossy().ends_with(['/', '\\']);
            path.is_dir() || is_named_as_one && !path.exists()
        };
        match (&self.out, exporter.folder) {
            (Some(path), Some(folder)) if into_folder(path) => {
                let documents: Vec<(PathBuf, Vec<u8>)> =
                    folder(&entries).into_iter().map(|(name, text)| (path.join(name), text.into_bytes())).collect();
                user_files::write_all(context, path, &documents, self.force)?;
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
                user_files::write(context, path, &document()?, self.force)?;
                output::note(format_args!("{} in {}", counted(entries.len(), "entry", "entries"), path.display()));
            }
            (None, _) => {
                context.out.bytes(&document()?);
            }
        }
        Ok(Done::Done)
    }
}

/// The people, places and other named things in the entries, sorted, with the positions of their entries.
fn names_in(entries: &[Entry], snapshot: &Snapshot) -> Vec<IndexedName> {
    let mut names: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (place, entry) in entries.iter().enumerate() {
        for (found, _) in snapshot.graph.of_entry(EntryKey::of(&entry.id)) {
            let entity = snapshot.graph.entity(found);
            if !matches!(entity.kind, EntityKind::Emotion | EntityKind::Topic) && !snapshot.graph.is_clause(found) {
                names.entry((entity.name.to_lowercase(), entity.name.to_string())).or_default().push(place);
            }
        }
    }
    names.into_iter().map(|((_, name), places)| (name, places)).collect()
}

pub fn no_format<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> Failure {
    let report = Report::usage(format!("unknown format `{typed}`"));
    let formats = format!("formats: {}", known.clone().collect::<Vec<_>>().join(", "));
    report.nearest(typed, known, formats).into()
}

fn exporters() -> String {
    formats(EXPORTERS.iter().map(|format| (format.name, format.about)))
}

pub fn formats(known: impl Iterator<Item = (&'static str, &'static str)>) -> String {
    known.fold("Formats:".to_owned(), |text, (name, about)| format!("{text}\n  {name:<10} {about}"))
}
