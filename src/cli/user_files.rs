//! Output files of `--out`: created, or replaced with `--force`, and never inside a journal.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{Context, Failure};
use crate::{
    journal::{
        VaultError, files,
        user_file::{self, Existing},
    },
    report::Report,
};

/// Writes one file.
pub fn write(context: &Context, path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    user_file::write(path, bytes, existing(force), &journals(context)).map_err(|error| refused(&error))
}

/// Writes one file with what `fill` writes.
pub fn fill(
    context: &Context,
    path: &Path,
    force: bool,
    fill: &mut dyn FnMut(&mut fs::File) -> io::Result<()>,
) -> Result<(), Failure> {
    user_file::fill(path, existing(force), &journals(context), fill).map_err(|error| refused(&error))
}

/// Writes several files into a folder, and copies others (`from`, `to`) below it: all of them, or none if one would be
/// refused.
pub fn write_all(
    context: &Context,
    folder: &Path,
    documents: &[(PathBuf, Vec<u8>)],
    copies: &[(PathBuf, PathBuf)],
    force: bool,
) -> Result<(), Failure> {
    let copied = copies.iter().map(|(_, to)| to.as_path());
    check(context, folder, documents.iter().map(|(path, _)| path.as_path()).chain(copied), force)?;
    files::create_dir(folder)?;
    let journals = journals(context);
    for (path, bytes) in documents {
        user_file::write(path, bytes, existing(force), &journals).map_err(|error| refused(&error))?;
    }
    for (from, to) in copies {
        files::create_dir(to.parent().unwrap_or(folder))?;
        user_file::copy(from, to, existing(force), &journals).map_err(|error| refused(&error))?;
    }
    Ok(())
}

/// Checks whether these files of a folder may be written, before any other work.
pub fn check<'p>(
    context: &Context,
    folder: &Path,
    paths: impl Iterator<Item = &'p Path>,
    force: bool,
) -> Result<(), Failure> {
    let journals = journals(context);
    let mut present = Vec::new();
    // Also check the folder itself, in case there are no files.
    let inside = user_file::check(&folder.join("any"), Existing::Replace, &journals);
    if let Err(VaultError::InsideJournal { journal, .. }) = inside {
        return Err(refused(&VaultError::InsideJournal { path: folder.to_path_buf(), journal }));
    }
    for path in paths {
        match user_file::check(path, existing(force), &journals) {
            Ok(()) => {}
            Err(VaultError::Exists { path }) => present.push(path),
            Err(error) => return Err(refused(&error)),
        }
    }
    match present.as_slice() {
        [] => Ok(()),
        [path] => Err(refused(&VaultError::Exists { path: path.clone() })),
        [first, ..] => {
            let message = format!(
                "{} of the files already exist in {}, such as {}; nothing was written",
                present.len(),
                folder.display(),
                first.file_name().unwrap_or_default().to_string_lossy()
            );
            Err(Report::data(message).hint("choose another folder, or pass --force to overwrite").into())
        }
    }
}

fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Refuse }
}

/// All known journals. Unknown ones are detected by their content.
fn journals(context: &Context) -> Vec<PathBuf> {
    let mut journals = vec![context.journal.root(&context.paths), context.paths.home.join("journals")];
    journals.extend(context.config.vault.clone());
    journals
}

fn refused(error: &VaultError) -> Failure {
    match error {
        VaultError::Exists { .. } => Report::of(crate::report::Kind::Data, error)
            .hint("choose another file, or pass --force to overwrite")
            .into(),
        error => Report::from(error).into(),
    }
}
