//! Import and export: readers of other journals' files, writers of this one's.
//!
//! An importer only reads: it turns a path into [`crate::journal::NewEntry`] values and a loss report. Writing them is
//! [`super::Vault::append_all`], which skips what is already there. An exporter turns entries into text.
//! A new format is one file here and one line in [`IMPORTERS`] or [`EXPORTERS`].
//!
//! Rules that hold for every importer:
//! - the source is never written to, and one bad record never stops the others: it becomes a [`Loss`];
//! - reading the same source twice yields the same entries, ids included, so that importing twice adds nothing.
//!   A source with ids of its own keeps them; one without gets an id made from its time and text;
//! - unknown fields are kept as extra keys of the entry where they are one line of text, otherwise they are
//!   counted in [`Imported::not_kept`];
//! - a date that could mean two days is never guessed.

mod content;
mod format;
mod jrnl;
mod jrnl_dates;
mod jsonl;
mod kioku;
mod markdown;
mod my_kioku;
mod source;

use std::path::Path;

use super::{Entry, Vault, VaultError, user_file::Existing};
pub use format::{ExchangeError, Exporter, ImportOptions, Imported, ImportedNote, Importer, Loss, LossKind, ToFolder};

impl Importer {
    /// Reads a source that may well be of this format: one that is recognised as something else is refused.
    pub fn import(&self, path: &Path, options: &ImportOptions) -> Result<Imported, ExchangeError> {
        content::check(self.name, path)?;
        (self.read)(path, options)
    }
}

/// Every format that can be read, in the order of the help.
pub const IMPORTERS: &[Importer] = &[jsonl::IMPORTER, kioku::IMPORTER, my_kioku::IMPORTER, jrnl::IMPORTER];

/// Every format that can be written, in the order of the help.
pub const EXPORTERS: &[Exporter] = &[jsonl::EXPORTER, markdown::EXPORTER];

/// The importer called `name`.
pub fn importer(name: &str) -> Option<&'static Importer> {
    IMPORTERS.iter().find(|importer| importer.name == name)
}

/// Whose entries a folder in Kioku's format holds, the name of `memory/` itself first; more than one must not be mixed.
pub fn users(path: &Path) -> Result<Vec<String>, ExchangeError> {
    kioku::users(path)
}

/// What [`users`] calls those of `memory/` itself.
pub const MAIN_USER: &str = kioku::MAIN;

/// The exporter called `name`.
pub fn exporter(name: &str) -> Option<&'static Exporter> {
    EXPORTERS.iter().find(|exporter| exporter.name == name)
}

/// Writes entries as one readable markdown document to a file that is not there yet, outside every journal.
pub fn write_markdown(entries: &[Entry], path: &Path, vault: &Vault) -> Result<(), VaultError> {
    let mut document = Vec::new();
    (markdown::EXPORTER.document)(entries, &mut document).map_err(|error| VaultError::io("export to", path, error))?;
    vault.write_user_file(path, &document, Existing::Refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_own_name() {
        let mut names: Vec<&str> = IMPORTERS.iter().map(|importer| importer.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), IMPORTERS.len());
        assert!(IMPORTERS.iter().all(|format| importer(format.name).is_some()));
        assert!(EXPORTERS.iter().all(|format| exporter(format.name).is_some()));
        assert!(importer("nothing").is_none());
    }
}
