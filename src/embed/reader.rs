//! A BERT encoder in one small file: four bits a weight in groups of 32 (GGUF, Q4_0), with the vocabulary of a table, which
//! reads English and Vietnamese.
//!
//! A row of tokens is `[CLS]`, the pieces of the text, `[SEP]`; the two marks are the first rows of the embeddings, piece `n`
//! is row `n + 2`. A word without a known piece is left out, where BERT has `[UNK]`.

use std::{borrow::Cow, collections::HashMap, io::Cursor, ops::Range, path::Path};

use candle_core::{
    Device, Tensor,
    quantized::{GgmlDType, gguf_file},
};
use half::f16;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    BertEncoder, ModelStamp, Result, VietnameseRows, add_part,
    bert::{
        MAX_TOKENS, Model, Row, Tokens, Wanted,
        forward::{Bert, Inference},
    },
    bilingual::{Pieces, Scratch},
    damaged, hex, loaded, read, read_text,
    usage::{Pooling, Prefixes, Usage},
};

pub const WEIGHTS: &str = "reader.gguf";
pub const VOCABULARY: &str = "vocab.txt";
/// Name, sizes and checksum: what marks a folder as a model of this kind.
pub const CARD: &str = "kioku-reader.json";

pub(super) const VERSION: u32 = 1;
/// Changes when the same files would give other vectors than before.
const RULES: &str = "kioku reader 1";
/// A text of a few words or more is read if at least so much of it consists of whole words of the vocabulary: others are mostly of
/// other languages, whose vectors mean nothing. Refused are 62 of 70 sentences in seven of them, 5 in 8,000 lines of English small talk, 4 of 1,787 short
/// English sentences.
const LEAST_KNOWN: f64 = 0.4;
/// Fewer say nothing about the language: "hamster" is read by its pieces.
const ENOUGH_WORDS: usize = 3;
/// Numbers that share a scale, and their bytes.
const GROUP: usize = 32;
const BLOCK: usize = 2 + GROUP / 2;
/// The rows of the tokens in the file of the weights.
pub(super) const EMBEDDINGS: &str = "embeddings.word_embeddings.weight";
/// `[CLS]` and `[SEP]`.
pub(super) const MARKS: u32 = 2;

/// `kioku-reader.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReaderCard {
    pub version: u32,
    pub name: String,
    /// Numbers of a vector.
    pub dimension: usize,
    pub layers: usize,
    pub heads: usize,
    /// Numbers between the two products of a layer.
    pub inner: usize,
    /// The longest row of tokens.
    pub positions: usize,
    /// Pieces of the vocabulary, Vietnamese words among them.
    pub pieces: usize,
    /// Vietnamese words, after the English pieces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vietnamese: Option<VietnameseRows>,
    /// Lower-case hex of SHA-256 over weights, vocabulary and how they are used.
    pub checksum: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

impl ReaderCard {
    pub fn stamp(&self) -> ModelStamp {
        let Self { name, checksum, dimension, .. } = self;
        ModelStamp { name: name.clone(), checksum: checksum.clone(), dimension: *dimension, in_sentence: true }
    }

    pub(super) fn parse(text: &[u8], path: &Path) -> Result<Self> {
        let card: Self = serde_json::from_slice(text).map_err(|error| damaged(path, error))?;
        match card.version {
            VERSION
                if card.heads > 0
                    && card.dimension.is_multiple_of(card.heads)
                    && card.dimension.is_multiple_of(GROUP)
                    && card.positions >= 8 =>
            {
                Ok(card)
            }
            VERSION => Err(damaged(path, "its sizes do not fit together")),
            other => Err(damaged(path, format!("a reader of version {other}; this kioku reads version {VERSION}"))),
        }
    }

    /// Hex SHA-256 over everything that decides the vectors.
    pub(super) fn checksum_of(&self, weights: &[u8], vocabulary: &str) -> String {
        let Self { dimension, layers, heads, inner, positions, pieces, vietnamese, .. } = self;
        let mut sum = Sha256::new();
        sum.update(format!("{RULES}\n{dimension} {layers} {heads} {inner} {positions} {pieces} {vietnamese:?}\n"));
        [weights, vocabulary.as_bytes()].into_iter().for_each(|part| add_part(&mut sum, part));
        hex(&sum.finalize())
    }

    fn verify(&self, weights: &[u8], vocabulary: &str, origin: &Path) -> Result<()> {
        match self.checksum_of(weights, vocabulary) == self.checksum {
            true => Ok(()),
            false => Err(damaged(origin, "weights and vocabulary are not those that its checksum names")),
        }
    }
}

/// Loads a folder and verifies it by its checksum.
///
/// # Errors
/// A file that is missing, damaged or not of this model is named.
pub fn load(folder: &Path) -> Result<BertEncoder> {
    let (card, weights, vocabulary) = read_files(folder)?;
    of_verified(&card, &weights, vocabulary.into(), folder)
}

/// The checksum of the files in a folder, verified; expands no weights.
pub(super) fn checksum(folder: &Path) -> Result<String> {
    Ok(read_files(folder)?.0.checksum)
}

fn read_files(folder: &Path) -> Result<(ReaderCard, Vec<u8>, String)> {
    let card = read_card(folder)?;
    let (weights, vocabulary) = (read(&folder.join(WEIGHTS))?, read_text(&folder.join(VOCABULARY))?);
    card.verify(&weights, &vocabulary, folder)?;
    Ok((card, weights, vocabulary))
}

pub fn read_card(folder: &Path) -> Result<ReaderCard> {
    let path = folder.join(CARD);
    ReaderCard::parse(&read(&path)?, &path)
}

/// Makes an encoder of the bytes of the files, expanded to f32. `origin` is for messages.
pub(super) fn of_bytes(
    card: &ReaderCard,
    weights: &[u8],
    vocabulary: Cow<'static, str>,
    origin: &Path,
) -> Result<BertEncoder> {
    card.verify(weights, &vocabulary, origin)?;
    of_verified(card, weights, vocabulary, origin)
}

pub(super) fn of_verified(
    card: &ReaderCard,
    weights: &[u8],
    vocabulary: Cow<'static, str>,
    origin: &Path,
) -> Result<BertEncoder> {
    let tokens = tokens(card, vocabulary, origin)?;
    let load = || ReaderModel::new(card, weights);
    let path = origin.join(WEIGHTS);
    let model = loaded(&path, "its card", load)?;
    let usage = Usage { pooling: Pooling::Mean, prefixes: Prefixes::default() };
    Ok(BertEncoder::of_parts(card.stamp(), Box::new(model), Box::new(tokens), usage))
}

pub(super) fn tokens(card: &ReaderCard, vocabulary: Cow<'static, str>, origin: &Path) -> Result<ReaderTokens> {
    let pieces = Pieces::of_card(vocabulary, card.vietnamese, card.pieces, origin)?.with_marks_apart();
    Ok(ReaderTokens { pieces, longest: card.positions.min(MAX_TOKENS) })
}

/// All weights by name, as f32, but the rows of the tokens.
pub(super) fn tensors(weights: &[u8]) -> candle_core::Result<HashMap<String, Tensor>> {
    let content = gguf_file::Content::read(&mut Cursor::new(weights))?;
    let expanded = |name: &String| {
        let tensor = content.tensor(&mut Cursor::new(weights), name, &Device::Cpu)?;
        Ok((name.clone(), tensor.dequantize(&Device::Cpu)?))
    };
    content.tensor_infos.keys().filter(|name| *name != EMBEDDINGS).map(expanded).collect()
}

/// The rows of all tokens at four bits: 18 bytes for 32 numbers.
pub(super) struct TokenRows {
    blocks: Vec<u8>,
    pub(super) dimension: usize,
}

impl TokenRows {
    pub(super) fn of_card(card: &ReaderCard, weights: &[u8]) -> candle_core::Result<Self> {
        Self::of(weights, card.pieces + MARKS as usize, card.dimension)
    }

    pub(super) fn of(weights: &[u8], rows: usize, dimension: usize) -> candle_core::Result<Self> {
        let mut file = Cursor::new(weights);
        let tensor = gguf_file::Content::read(&mut file)?.tensor(&mut file, EMBEDDINGS, &Device::Cpu)?;
        match (tensor.dtype(), tensor.shape().dims()) {
            (GgmlDType::Q4_0, [all, numbers]) if (*all, *numbers) == (rows, dimension) => {
                Ok(Self { blocks: tensor.data()?.into_owned(), dimension })
            }
            (kind, shape) => Err(candle_core::Error::Msg(format!("rows of tokens are {kind:?} {shape:?}"))),
        }
    }

    /// Writes the vector of a token into `out`. Q4_0 of GGUF: a scale at sixteen bits, then two numbers a byte, of which the
    /// lower halves come first.
    pub(super) fn expand(&self, token: u32, out: &mut [f32]) {
        let bytes = self.dimension / GROUP * BLOCK;
        let row = self.blocks.get(token as usize * bytes..).unwrap_or_default();
        for (block, out) in row.chunks_exact(BLOCK).zip(out.chunks_exact_mut(GROUP)) {
            let scale = f16::from_le_bytes([block[0], block[1]]).to_f32();
            for (at, byte) in block[2..].iter().enumerate() {
                out[at] = (f32::from(byte & 15) - 8.0) * scale;
                out[at + GROUP / 2] = (f32::from(byte >> 4) - 8.0) * scale;
            }
        }
    }
}

/// Ready to run: the rows of the tokens stay at four bits, for a text needs only its own.
struct ReaderModel {
    rows: TokenRows,
    bert: Bert,
}

impl ReaderModel {
    fn new(card: &ReaderCard, weights: &[u8]) -> candle_core::Result<Self> {
        let rows = TokenRows::of_card(card, weights)?;
        let bert = Bert::new(card.heads, card.layers, &tensors(weights)?)?;
        Ok(Self { rows, bert })
    }
}

impl Model for ReaderModel {
    fn hidden(&self, rows: &[&Row]) -> candle_core::Result<Vec<f32>> {
        let lengths: Vec<usize> = rows.iter().map(|row| row.ids.len()).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let dimension = self.rows.dimension;
        let mut vectors = vec![0f32; rows.len() * longest * dimension];
        for (row, vectors) in rows.iter().zip(vectors.chunks_exact_mut(longest * dimension)) {
            for (id, vector) in row.ids.iter().zip(vectors.chunks_exact_mut(dimension)) {
                self.rows.expand(*id, vector);
            }
        }
        let vectors = Tensor::from_vec(vectors, (rows.len(), longest, dimension), &Device::Cpu)?;
        self.bert.hidden::<Inference>(&vectors, &lengths)?.flatten_all()?.to_vec1()
    }
}

/// Cuts texts by the vocabulary of a reader.
pub(super) struct ReaderTokens {
    pieces: Pieces,
    /// Tokens of a row, marks included.
    pub(super) longest: usize,
}

impl Tokens for ReaderTokens {
    fn row(&self, prefix: &str, text: &str, wanted: Wanted) -> Result<Option<Row>, String> {
        let mut scratch = Scratch::default();
        let coverage = self.pieces.read(&format!("{prefix}{text}"), false, &mut scratch);
        if coverage.words >= ENOUGH_WORDS && coverage.share() < LEAST_KNOWN {
            return Ok(None);
        }
        let count = scratch.rows.len().min(self.longest - MARKS as usize);
        let is_own = |span: &Range<usize>| span.start >= prefix.len();
        if !scratch.spans[..count].iter().any(is_own) {
            return Ok(None);
        }
        let pieces = scratch.rows[..count].iter().map(|row| row + MARKS);
        let ids = std::iter::once(0).chain(pieces).chain([1]).collect();
        let places = match wanted {
            Wanted::Vector => Vec::new(),
            Wanted::Pieces => {
                let own =
                    |span: &Range<usize>| is_own(span).then(|| span.start - prefix.len()..span.end - prefix.len());
                let spans = scratch.spans[..count].iter().map(own);
                std::iter::once(None).chain(spans).chain([None]).collect()
            }
        };
        Ok(Some(Row { ids, places }))
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
