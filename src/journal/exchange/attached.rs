//! Files of a source that become attachments: found while reading, copied with the import.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    ExchangeError, Imported, ImportedFile, LossKind,
    format::FileOrigin,
    records::Spot,
    source::{Files, MOST_EXPANDED, Source},
};
use crate::journal::{ATTACHMENTS, Vault, VaultError, attachment, attachments_in, files, folders::MEMORY, is_image};

/// Result of copying the files of an import.
#[derive(Debug, Default)]
pub struct CopiedFiles {
    pub copied: usize,
    /// Number of files that the journal has already.
    pub known: usize,
    /// Why files could not be copied. Their links stay.
    pub warnings: Vec<String>,
}

impl Imported {
    /// The path of an attachment for a file of the source, which will be copied. `label` is the user's name for the
    /// file. A file that cannot be read is an error.
    pub(super) fn attach(&mut self, files: &Files<'_>, name: &str, label: &str) -> Result<String, ExchangeError> {
        let mut digest = None;
        let path = files.path(name);
        files.open(name, &mut |from| {
            digest = files::hashed(from, &path, MOST_EXPANDED, &mut |_| Ok(()))?;
            Ok(())
        })?;
        let (digest, _) = digest.ok_or(VaultError::TooLarge { path, most: MOST_EXPANDED })?;
        let path = format!("{ATTACHMENTS}/{}", attachment::name_of(&digest, label));
        if !self.files.iter().any(|file| file.path == path) {
            self.files.push(ImportedFile { path: path.clone(), from: FileOrigin::Source(name.to_owned()) });
        }
        Ok(path)
    }

    /// Reports a file that an entry names and the source lacks.
    pub(super) fn lack(&mut self, file: &str, at: Spot<'_>) {
        self.lose(LossKind::Doubtful, at.path, at.line, format!("\"{file}\" is missing in the source"));
    }

    /// A text with links to files of an entry below it.
    pub(super) fn attach_below<'p>(
        &mut self,
        text: String,
        files: &Files<'_>,
        paths: impl IntoIterator<Item = &'p str>,
        at: Spot<'_>,
    ) -> String {
        let mut links = Vec::new();
        for path in paths {
            let own = path.rsplit('/').next().unwrap_or(path);
            let Some(name) = files.named(own) else {
                self.lack(own, at);
                continue;
            };
            let extension = own.rsplit_once('.').map_or("", |(_, extension)| extension);
            let label = if is_image(own) { format!("photo.{extension}") } else { own.to_owned() };
            match self.attach(files, name, &label) {
                Ok(path) => links.push(link_to(&path, &label)),
                Err(error) => self.lose(LossKind::Doubtful, at.path, at.line, format!("\"{name}\": {error}")),
            }
        }
        match (links.is_empty(), text.trim_end()) {
            (true, _) => text,
            (false, "") => links.join("\n"),
            (false, text) => format!("{text}\n\n{}", links.join("\n")),
        }
    }

    /// Whether a file of the source will be copied.
    pub(super) fn has_attached(&self, name: &str) -> bool {
        self.files.iter().any(|file| matches!(&file.from, FileOrigin::Source(own) if own == name))
    }

    /// Adds the files that the texts link and that are in `attachments/` beside the source, as another journal or an
    /// export to a folder has them. Links in the source's folder are not followed.
    pub(super) fn attach_linked(&mut self, source: &Source) {
        let folder = match (source.is_dir(), source.path().parent()) {
            (true, _) => source.path(),
            (false, Some(folder)) if !source.is_piped() => folder,
            _ => return,
        };
        // A day file in `memory/` has the attachments one folder above.
        let above = folder.parent().filter(|_| folder.ends_with(MEMORY));
        let places: Vec<&Path> = [folder].into_iter().chain(above).collect();
        let paths: Vec<String> = self.entries.iter().flat_map(|entry| attachments_in(&entry.body)).collect();
        for path in paths {
            let is_file = |from: &PathBuf| from.symlink_metadata().is_ok_and(|found| found.is_file());
            let from = places.iter().map(|place| place.join(&path)).find(is_file);
            if let Some(from) = from.filter(|_| self.files.iter().all(|file| file.path != path)) {
                self.files.push(ImportedFile { path, from: FileOrigin::Path(from) });
            }
        }
    }
}

impl Source {
    /// Copies files into a journal. A fault in one does not stop the others.
    pub fn copy_files(&self, found: &[ImportedFile], vault: &Vault) -> Result<CopiedFiles, ExchangeError> {
        let mut done = CopiedFiles::default();
        if found.is_empty() {
            return Ok(done);
        }
        let files = self.files()?;
        for file in found {
            let mut is_new = false;
            let mut keep = |from: &mut dyn Read| {
                is_new = vault.keep_imported(&file.path, from)?;
                Ok(())
            };
            let kept = match &file.from {
                FileOrigin::Source(name) => files.open(name, &mut keep),
                FileOrigin::Path(path) => files::open_plain(path)
                    .map_err(|error| VaultError::io("read", path, error))
                    .and_then(|mut file| keep(&mut file))
                    .map_err(ExchangeError::from),
            };
            match kept {
                Ok(()) if is_new => done.copied += 1,
                Ok(()) => done.known += 1,
                Err(error) => done.warnings.push(error.to_string()),
            }
        }
        Ok(done)
    }
}

/// The link to an attachment: an image without a label, another file by the user's name for it.
pub(super) fn link_to(path: &str, label: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    attachment::link(if is_image(name) { "" } else { label }, name)
}
