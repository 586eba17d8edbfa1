//! The entry of an import format in the list of formats.

use super::{ExchangeError, ImportOptions, Imported, Source};

/// A format that can be imported.
#[derive(Clone, Copy)]
pub struct Importer {
    /// The name on the command line: `kioku import jsonl PATH`.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    pub read: fn(&Source, &ImportOptions) -> Result<Imported, ExchangeError>,
}
