//! The model that comes with kioku, inside the program: nothing to download, nothing to install.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use super::{
    EmbedError, Encoder, ModelStamp,
    table::{self, TableCard, TableEncoder},
};

/// Its name, taken: no other model can be installed under it.
pub const NAME: &str = "everyday-en-vi";

static WEIGHTS: &[u8] = include_bytes!("../../models/table.safetensors");
static VOCABULARY: &str = include_str!("../../models/vocab.txt");
static CARD: &str = include_str!("../../models/kioku-table.json");

/// What is known of it without loading it.
pub fn card() -> Result<TableCard, EmbedError> {
    TableCard::parse(CARD.as_bytes(), &origin(table::CARD))
}

pub fn stamp() -> Result<ModelStamp, EmbedError> {
    Ok(card()?.stamp())
}

/// Bytes that it takes up in the program.
pub fn size() -> u64 {
    (WEIGHTS.len() + VOCABULARY.len() + CARD.len()) as u64
}

/// Verifies it by its checksum and makes it ready; the weights stay where they are.
pub fn load() -> Result<Arc<dyn Encoder>, EmbedError> {
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
