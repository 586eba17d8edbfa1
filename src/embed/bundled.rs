//! The models that come with kioku, inside the program: nothing to download, nothing to install.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use sha2::{Digest, Sha256};

use super::{
    AnswerReader, ClaimReader, Encoder, ModelStamp, Result,
    adapted_reader::{AdaptedReader, Head},
    reader::{self, ReaderCard},
    table::{self, TableCard, TableEncoder},
};

/// Name of the model in use until another is chosen.
pub const DEFAULT: &str = Bundled::Reader.name();

/// A model inside the program. No other can be installed under its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundled {
    /// Reads a journal in seconds.
    Table,
    /// Slower, and better at questions in other words.
    Reader,
}

static WEIGHTS: &[u8] = include_bytes!("../../models/table.safetensors");
static VOCABULARY: &str = include_str!("../../models/vocab.txt");
static CARD: &str = include_str!("../../models/kioku-table.json");

impl Bundled {
    pub const ALL: [Self; 2] = [Self::Table, Self::Reader];

    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "everyday-en-vi",
            Self::Reader => "kioku-reader",
        }
    }

    /// From the card: loads nothing.
    pub fn stamp(self) -> Result<ModelStamp> {
        Ok(match self {
            Self::Table => card()?.stamp(),
            Self::Reader => reader_card()?.stamp(),
        })
    }

    pub fn licence(self) -> Result<Option<String>> {
        Ok(match self {
            Self::Table => card()?.licence,
            Self::Reader => reader_card()?.licence,
        })
    }

    /// Bytes in the program.
    pub fn size(self) -> u64 {
        let parts = match self {
            Self::Table => [WEIGHTS.len(), VOCABULARY.len(), CARD.len()],
            Self::Reader => {
                use kioku_adapters::{ANSWERS, CLAIMS};
                use kioku_reader::{CARD, VOCABULARY, WEIGHTS};
                [WEIGHTS.len() + ANSWERS.len() + CLAIMS.len(), VOCABULARY.len(), CARD.len()]
            }
        };
        parts.iter().sum::<usize>() as u64
    }

    /// Verifies the model by its checksum and makes it ready. The table's weights stay where they are; those of the encoder
    /// are expanded to f32.
    pub fn load(self) -> Result<Arc<dyn Encoder>> {
        match self {
            Self::Table => Ok(Arc::new(encoder()?)),
            Self::Reader => {
                let vocabulary = kioku_reader::VOCABULARY.into();
                let reader = reader::of_bytes(&reader_card()?, kioku_reader::WEIGHTS, vocabulary, &origin(""))?;
                Ok(Arc::new(reader))
            }
        }
    }
}

fn card() -> Result<TableCard> {
    TableCard::parse(CARD.as_bytes(), &origin(table::CARD))
}

pub(super) fn reader_card() -> Result<ReaderCard> {
    ReaderCard::parse(kioku_reader::CARD.as_bytes(), &origin(reader::CARD))
}

/// It knows single words also where another model reads the texts: loaded at the first call, then kept.
pub(super) fn words() -> Option<&'static TableEncoder> {
    static LOADED: OnceLock<Option<TableEncoder>> = OnceLock::new();
    LOADED.get_or_init(|| encoder().ok()).as_ref()
}

/// Loaded at the first call, in a tenth of a second, then kept: 43 MB.
pub(super) fn answer_reader() -> Option<&'static AnswerReader> {
    static LOADED: OnceLock<Option<AnswerReader>> = OnceLock::new();
    LOADED.get_or_init(|| adapted("answers.gguf", kioku_adapters::ANSWERS)).as_ref()
}

/// The same for the reader of claims.
pub fn claim_reader() -> Option<&'static ClaimReader> {
    static LOADED: OnceLock<Option<ClaimReader>> = OnceLock::new();
    LOADED.get_or_init(|| adapted("claims.gguf", kioku_adapters::CLAIMS)).as_ref()
}

/// Another one for other weights of the reader of claims: all of them change with every training, and some are enough.
pub(crate) fn claims_version() -> u64 {
    let some = &kioku_adapters::CLAIMS[..CLAIMS_SAMPLE.min(kioku_adapters::CLAIMS.len())];
    Sha256::digest(some).iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Bytes of the weights that tell versions apart.
const CLAIMS_SAMPLE: usize = 1 << 14;

/// The encoder with these adapters; `file` is for messages.
fn adapted<H: Head>(file: &str, changes: &[u8]) -> Option<AdaptedReader<H>> {
    let card = reader_card().ok()?;
    let tokens = reader::tokens(&card, kioku_reader::VOCABULARY.into(), &origin("")).ok()?;
    AdaptedReader::of_bytes(&card, kioku_reader::WEIGHTS, changes, tokens, &origin(file)).ok()
}

pub(super) fn encoder() -> Result<TableEncoder> {
    TableEncoder::of_bytes(&card()?, WEIGHTS.into(), VOCABULARY.into(), &origin(""))
}

/// For messages: there is no file to point at.
fn origin(file: &str) -> std::path::PathBuf {
    Path::new("the model inside kioku").join(file)
}
