//! `kioku export`: entries in another format, to stdout or files.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use clap::Args;

use super::{Context, Done, Failure, Outcome, Run, counted, output, user_files};
use crate::{
    index::{EntryKey, Snapshot},
    journal::{
        EntityKind, Entry, Vault,
        exchange::{self, BookParts, EXPORTERS, Exporter, IndexedName},
        files,
    },
    report::Report,
};

/// Export entries as JSON lines, markdown, a book or for another program
#[derive(Debug, Args)]
#[command(after_help = exporters())]
pub struct Export {
    /// One of the formats below
    format: String,
    /// Output file, or a folder for the attachments too (FOLDER/), outside every journal [default: stdout]
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

/// A file in `attachments/`, and its path relative to the journal's folder.
type Attached = (PathBuf, String);

impl Run for Export {
    fn run(self, context: &mut Context) -> Outcome {
        let exporter = exchange::exporter(&self.format)
            .ok_or_else(|| no_format(&self.format, EXPORTERS.iter().map(|exporter: &Exporter| exporter.name)))?;
        let (from, to) = super::arguments::period(self.from.as_deref(), self.to.as_deref(), &context.now)?;
        let (entries, names, attached) = context.ask(|session| {
            let mut entries = session.entries(from, to)?;
            // Between zones the order of the days is not that of the instants.
            entries.sort_by_key(|entry| entry.day);
            let names = match exporter.book {
                Some(_) => names_in(&entries, session.snapshot()?.as_ref()),
                None => Vec::new(),
            };
            let attached = attached(&entries, session.vault());
            Ok((entries, names, attached))
        })?;
        if entries.is_empty() {
            output::note(match (from, to) {
                (None, None) => "no entries yet; nothing was written",
                _ => "no entries in this period; nothing was written",
            });
            return Ok(Done::NothingMatched);
        }
        let document = || document(exporter, &entries, &names, &attached);
        let folder = self.out.as_ref().filter(|path| is_folder(path, exporter));
        let is_zip = self.out.as_ref().and_then(|path| path.extension()).is_some_and(|zip| zip == "zip");
        let archive = exporter.archive.filter(|_| is_zip);
        match (&self.out, folder, archive) {
            (_, Some(path), _) => {
                let documents: Vec<(PathBuf, Vec<u8>)> = match exporter.folder {
                    Some(pages) => {
                        pages(&entries).into_iter().map(|(name, text)| (path.join(name), text.into_bytes())).collect()
                    }
                    None => vec![(path.join(format!("journal.{}", exporter.extension)), document()?.bytes)],
                };
                let copies: Vec<(PathBuf, PathBuf)> =
                    attached.iter().map(|(file, name)| (file.clone(), path.join(name))).collect();
                user_files::write_all(context, path, &documents, &copies, self.force)?;
                output::note(format_args!(
                    "{} in {} of {}{}",
                    counted(entries.len(), "entry", "entries"),
                    counted(documents.len(), "file", "files"),
                    path.display(),
                    match copies.len() {
                        0 => String::new(),
                        several => format!(", with {}", counted(several, "attachment", "attachments")),
                    }
                ));
            }
            (Some(path), None, Some(archive)) => {
                let mut files = 0;
                let file = |path: &str| Some(attached.iter().find(|(_, name)| name == path)?.0.clone());
                user_files::fill(context, path, self.force, &mut |out| {
                    files = archive(&entries, &file, out)?;
                    Ok(())
                })?;
                let entries = counted(entries.len(), "entry", "entries");
                let files = counted(files, "attachment", "attachments");
                output::note(format_args!("{entries} with {files} in {}", path.display()));
            }
            (Some(path), None, None) => {
                let document = document()?;
                user_files::write(context, path, &document.bytes, self.force)?;
                output::note(format_args!("{} in {}", counted(entries.len(), "entry", "entries"), path.display()));
                document.note_left_out();
            }
            (None, None, _) => {
                let document = document()?;
                context.out.bytes(&document.bytes);
                document.note_left_out();
            }
        }
        Ok(Done::Done)
    }
}

/// Whether an output path is a folder. Where the format is one file, a new path is a folder only if it ends so.
fn is_folder(path: &Path, exporter: &Exporter) -> bool {
    let ends_so = path.to_string_lossy().ends_with(['/', '\\']);
    let is_new_folder = ends_so || exporter.folder.is_some() && path.extension().is_none();
    path.is_dir() || is_new_folder && !path.exists()
}

/// The files that the entries link, each once.
fn attached(entries: &[Entry], vault: &Vault) -> Vec<Attached> {
    let paths: BTreeSet<String> = entries.iter().flat_map(Entry::attachments).collect();
    paths.into_iter().filter_map(|path| Some((vault.attached(&path)?, path))).collect()
}

struct Document {
    bytes: Vec<u8>,
    /// Number of attachments that are not part of it.
    left_out: usize,
}

fn document(
    exporter: &Exporter,
    entries: &[Entry],
    names: &[IndexedName],
    attached: &[Attached],
) -> Result<Document, Failure> {
    let mut bytes = Vec::new();
    let shown = RefCell::new(BTreeSet::new());
    let image = |path: &str, most: u64| {
        let (file, name) = attached.iter().find(|(_, name)| name == path)?;
        let is_small = file.metadata().is_ok_and(|found| found.len() <= most);
        let image = files::read(file).ok().flatten().filter(|_| is_small)?;
        shown.borrow_mut().insert(name.as_str());
        Some(image)
    };
    match exporter.book {
        Some(book) => book(entries, &BookParts { names, image: &image }, &mut bytes),
        None => (exporter.document)(entries, &mut bytes),
    }
    .map_err(|error| Failure::of_output(&error))?;
    Ok(Document { bytes, left_out: attached.len() - shown.into_inner().len() })
}

impl Document {
    fn note_left_out(&self) {
        if self.left_out > 0 {
            let files = counted(self.left_out, "attachment", "attachments");
            output::note(format_args!("without {files}; `--out FOLDER/` copies the files too"));
        }
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
