//! The models that come with kioku, inside the program: nothing to download, nothing to install.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use super::{
    EmbedError, Encoder, ModelStamp,
    reader::{self, ReaderCard},
    table::{self, TableCard, TableEncoder},
};

/// The table, for English and Vietnamese: the model in use until another is chosen.
pub const NAME: &str = "everyday-en-vi";
/// The encoder, for English: slower, and much better at questions in other words.
pub const READER: &str = "kioku-reader";
/// All of them. No other model can be installed under these names.
pub const NAMES: [&str; 2] = [NAME, READER];

static WEIGHTS: &[u8] = include_bytes!("../../models/table.safetensors");
static VOCABULARY: &str = include_str!("../../models/vocab.txt");
static CARD: &str = include_str!("../../models/kioku-table.json");

pub fn has(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The table's card: loads nothing.
pub(super) fn card() -> Result<TableCard, EmbedError> {
    TableCard::parse(CARD.as_bytes(), &origin(table::CARD))
}

/// The encoder's card: loads nothing.
pub(super) fn reader_card() -> Result<ReaderCard, EmbedError> {
    ReaderCard::parse(kioku_reader::CARD.as_bytes(), &origin(reader::CARD))
}

/// The stamp of one of [`NAMES`].
pub fn stamp(name: &str) -> Result<ModelStamp, EmbedError> {
    if name == READER { Ok(reader_card()?.stamp()) } else { Ok(card()?.stamp()) }
}

/// Bytes that one of [`NAMES`] takes up in the program.
pub fn size(name: &str) -> u64 {
    let bytes = match name {
        READER => kioku_reader::WEIGHTS.len() + kioku_reader::VOCABULARY.len() + kioku_reader::CARD.len(),
        _ => WEIGHTS.len() + VOCABULARY.len() + CARD.len(),
    };
    bytes as u64
}

/// Verifies one of [`NAMES`] by its checksum and makes it ready. The table's weights stay where they are; those of the encoder are
/// expanded to f32.
pub fn load(name: &str) -> Result<Arc<dyn Encoder>, EmbedError> {
    if name == READER {
        let vocabulary = kioku_reader::VOCABULARY.into();
        return Ok(Arc::new(reader::of_bytes(&reader_card()?, kioku_reader::WEIGHTS, vocabulary, &origin(""))?));
    }
    Ok(Arc::new(encoder()?))
}

/// It knows single words also where another model reads the texts: loaded at the first call, then kept.
pub(super) fn words() -> Option<&'static TableEncoder> {
    static LOADED: OnceLock<Option<TableEncoder>> = OnceLock::new();
    LOADED.get_or_init(|| encoder().ok()).as_ref()
}

pub(super) fn encoder() -> Result<TableEncoder, EmbedError> {
    TableEncoder::of_bytes(&card()?, WEIGHTS.into(), VOCABULARY.into(), &origin(""))
}

/// For messages: there is no file to point at.
fn origin(file: &str) -> std::path::PathBuf {
    Path::new("the model inside kioku").join(file)
}
