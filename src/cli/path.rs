//! `kioku path`: the day files of an entry or of some days, for editors and scripts.

use std::{fs, path::PathBuf};

use clap::Args;
use serde::Serialize;

use super::{Context, Failure, Outcome, Run, context, output};
use crate::{
    arguments::{Asked, asked},
    journal::EntryId,
    report::Report,
    session::Session,
};

/// Print the path of the file of an entry, or of the files of a day or period
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  $EDITOR \"$(kioku path today)\"
  kioku path 'last week'")]
pub struct PathVerb {
    /// An entry's id or time, or a date: "2026-02-22", "yesterday", "last week"
    #[arg(value_name = "ID|DATE", required = true)]
    what: Vec<String>,
    /// One JSON object, with the line of each entry
    #[arg(long)]
    json: bool,
}

impl Run for PathVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let what = self.what.join(" ");
        let mut session = context.reading_session()?;
        let paths = match asked(&mut session, &what, &context.now)? {
            Asked::Entry(entry) => {
                files_of(&session, [(&*entry.place.file, entry.place.bytes.start, entry.id.clone())])?
            }
            Asked::Days(days) => {
                let catalog = session.listed()?;
                let entries = catalog.days(days.first, days.last);
                files_of(
                    &session,
                    entries.map(|entry| (&*entry.place.file, entry.place.bytes.start, entry.id.clone())),
                )?
            }
        };
        context::print_warnings(&mut session);
        if paths.is_empty() {
            output::note(format_args!("no entries on `{what}`"));
        }
        context.answer_list("paths", &paths, self.json, |out, paths| {
            paths.iter().for_each(|file| out.line(file.path.display()));
        })
    }
}

#[derive(Debug, Serialize)]
struct FileJson {
    path: PathBuf,
    entries: Vec<LineJson>,
}

#[derive(Debug, Serialize)]
struct LineJson {
    id: EntryId,
    /// Number of the first line of its head, from 1.
    line: usize,
}

/// The files with these entries (file, offset, id), in order.
fn files_of<'e>(
    session: &Session,
    entries: impl IntoIterator<Item = (&'e str, usize, EntryId)>,
) -> Result<Vec<FileJson>, Failure> {
    let mut files: Vec<(FileJson, Vec<u8>)> = Vec::new();
    for (file, offset, id) in entries {
        let path = session.vault().entries_folder().join(file);
        if files.last().is_none_or(|(last, _)| last.path != path) {
            let bytes = fs::read(&path).map_err(|error| Report::data(format!("read {}: {error}", path.display())))?;
            files.push((FileJson { path, entries: Vec::new() }, bytes));
        }
        let Some((file, bytes)) = files.last_mut() else { continue };
        let line = 1 + bytes.iter().take(offset).filter(|byte| **byte == b'\n').count();
        file.entries.push(LineJson { id, line });
    }
    Ok(files.into_iter().map(|(file, _)| file).collect())
}
