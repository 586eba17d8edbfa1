//! Import and export of journals in other formats.
//!
//! An importer only reads: it turns a path into [`crate::journal::NewEntry`] values and a loss report.
//! [`super::Vault::append_all`] then writes them and skips duplicates. An exporter turns entries into text. A new
//! format is one file here and one line in [`IMPORTERS`] or [`EXPORTERS`].
//!
//! Rules for every importer:
//! - the source is never changed, and a bad record does not affect the others: it becomes a [`Loss`];
//! - reading the same source twice yields the same entries and ids, so that a second import adds nothing. Ids of the
//!   source are kept; an entry without one gets an id derived from its time and text;
//! - unknown fields are kept as extra keys of the entry if they fit in one line, otherwise they are counted in
//!   [`Imported::not_kept`];
//! - a date that could mean two days is never guessed.

mod apple_journal;
mod attached;
mod book;
mod claude_mem;
mod content;
mod csv_table;
mod database;
mod dated_text;
mod daylio;
mod dayone;
mod dayone_archive;
mod diarium;
mod epub;
mod format;
mod importer;
mod journey;
mod jrnl;
mod jrnl_dates;
mod jrnl_encrypted;
mod jrnl_exports;
mod jrnl_text;
mod jsonl;
mod keep;
mod kioku;
mod markdown;
mod my_kioku;
mod notes;
mod org_heading;
mod org_journal;
mod records;
mod rednotebook;
mod remy;
mod source;
mod tui_journal;

pub use attached::CopiedFiles;
use attached::link_to;
pub use format::{
    BookParts, ExchangeError, Exporter, ImportOptions, Imported, ImportedFile, ImportedNote, IndexedName, Loss,
    LossKind, ToArchive, ToBook, ToFolder,
};
pub use importer::Importer;
pub use kioku::{MAIN_USER, users};
pub use markdown::as_markdown;
use records::{
    Record, Spot, coordinates, degrees, either, flag, from_json, items, milliseconds, number, strings, text, time_in,
    zone_named,
};
pub use source::Source;
use source::{Files, files_below, html, made_id, read_text, title_lines, trimmed_block, wall_time};

impl Importer {
    /// Reads a source. Refuses one that is recognised as another format.
    pub fn import(&self, source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
        content::check(self.name, source)?;
        let mut imported = (self.read)(source, options)?;
        imported.attach_linked(source);
        Ok(imported)
    }
}

/// All import formats, in the order of the help.
pub const IMPORTERS: &[Importer] = &[
    jsonl::IMPORTER,
    kioku::IMPORTER,
    my_kioku::IMPORTER,
    jrnl::IMPORTER,
    dayone::IMPORTER,
    tui_journal::IMPORTER,
    journey::IMPORTER,
    diarium::IMPORTER,
    daylio::IMPORTER,
    rednotebook::IMPORTER,
    keep::IMPORTER,
    apple_journal::IMPORTER,
    notes::OBSIDIAN,
    notes::LOGSEQ,
    notes::NOTES,
    org_journal::IMPORTER,
    csv_table::IMPORTER,
    dated_text::IMPORTER,
    claude_mem::IMPORTER,
    remy::IMPORTER,
];

/// All export formats, in the order of the help.
pub const EXPORTERS: &[Exporter] = &[
    jsonl::EXPORTER,
    markdown::EXPORTER,
    book::EXPORTER,
    epub::EXPORTER,
    csv_table::EXPORTER,
    jrnl_text::EXPORTER,
    dayone::EXPORTER,
    org_journal::EXPORTER,
];

/// The importer with this name.
pub fn importer(name: &str) -> Option<&'static Importer> {
    IMPORTERS.iter().find(|importer| importer.name == name)
}

/// The importer for a source, recognised by its content.
pub fn recognised(source: &Source) -> Result<&'static Importer, ExchangeError> {
    let name = content::recognised(source)?;
    importer(name).ok_or_else(|| ExchangeError::NotRecognised { path: source.path().to_path_buf() })
}

/// The exporter with this name.
pub fn exporter(name: &str) -> Option<&'static Exporter> {
    EXPORTERS.iter().find(|exporter| exporter.name == name)
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
