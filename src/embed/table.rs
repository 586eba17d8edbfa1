//! A static table: one vector a piece of a word, added up. No network, no matrix product: microseconds a text.
//!
//! Eight bits a number with one scale a row (largest number / 127). A text in words the vocabulary does not know gets
//! no vector, rather than one made of splinters.

use std::{borrow::Cow, fmt, ops::Range, path::Path};

use half::f16;
use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::{
    Encoder, ModelStamp, Result, WordVectors, add_part,
    bilingual::{Pieces, Scratch},
    damaged, hex, normalise, read, read_text,
};

pub const WEIGHTS: &str = "table.safetensors";
pub const VOCABULARY: &str = "vocab.txt";
/// Name, sizes and checksum: what marks a folder as a table model.
pub const CARD: &str = "kioku-table.json";

const VERSION: u32 = 1;
/// Changes when the same files would give other vectors than before.
const RULES: &str = "kioku table 1";
/// The same for tables with Vietnamese rows.
const RULES_VIETNAMESE: &str = "kioku vietnamese 1";
/// Bytes of a text that are read: far more than a passage has.
const MAX_BYTES: usize = 1 << 16;
/// How much of a text must be in words the vocabulary has whole, see [`super::wordpiece::Coverage::share`].
///
/// Measured on the bundled model, see `models/README.md`: it leaves out next to no English and most of what is not.
const LEAST_KNOWN: f64 = 0.55;

/// `kioku-table.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableCard {
    pub version: u32,
    pub name: String,
    pub rows: usize,
    pub dimension: usize,
    /// The corpus writes words with accents: such a word counts as known although the vocabulary has no accents.
    /// Without this, "là" in a Vietnamese entry would pass for something English.
    pub accents: bool,
    /// Rows of Vietnamese words, after the English ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vietnamese: Option<VietnameseRows>,
    /// Lower-case hex of SHA-256 over weights, vocabulary and how they are read.
    pub checksum: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

/// How many rows are of Vietnamese words: those with accents, then the same as typed without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VietnameseRows {
    pub accented: usize,
    pub unaccented: usize,
}

/// A loaded table. The weights stay as they lie in the file.
pub struct TableEncoder {
    stamp: ModelStamp,
    vocabulary: Pieces,
    weights: Cow<'static, [u8]>,
    /// Where the rows lie in `weights`: one signed byte a number.
    rows: Range<usize>,
    scales: Vec<f32>,
    accents: bool,
}

impl fmt::Debug for TableEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableEncoder").field("stamp", &self.stamp).finish_non_exhaustive()
    }
}

impl TableEncoder {
    /// Loads a folder and verifies it by its checksum. About 10 ms for 8 MB.
    ///
    /// # Errors
    /// A file that is missing, damaged or not of this model is named.
    pub fn load(folder: &Path) -> Result<Self> {
        let card = read_card(folder)?;
        let weights = read(&folder.join(WEIGHTS))?;
        let vocabulary = read_text(&folder.join(VOCABULARY))?;
        Self::of_bytes(&card, weights.into(), vocabulary.into(), folder)
    }

    /// Makes an encoder of the bytes of the files and verifies them. `origin` is for messages.
    pub(super) fn of_bytes(
        card: &TableCard,
        weights: Cow<'static, [u8]>,
        vocabulary: Cow<'static, str>,
        origin: &Path,
    ) -> Result<Self> {
        if checksum(card, &weights, &vocabulary) != card.checksum {
            return Err(damaged(origin, "weights and vocabulary are not those that its checksum names"));
        }
        let path = origin.join(WEIGHTS);
        let (header, tensors) = SafeTensors::read_metadata(&weights).map_err(|error| damaged(&path, error))?;
        let place = |name: &str, dtype: Dtype, shape: &[usize]| -> Result<Range<usize>> {
            let tensor = tensors.info(name).filter(|info| info.dtype == dtype && info.shape == shape);
            let (start, end) =
                tensor.ok_or_else(|| damaged(&path, format!("no {name} as its card has them")))?.data_offsets;
            let data = size_of::<u64>() + header;
            Ok(data + start..data + end)
        };
        let rows = place("rows", Dtype::I8, &[card.rows, card.dimension])?;
        let scales = place("scales", Dtype::F16, &[card.rows])?;
        let scale = |two: &[u8]| f16::from_le_bytes([two[0], two[1]]).to_f32();
        let scales: Vec<f32> = weights[scales].chunks_exact(2).map(scale).collect();
        let vocabulary = Pieces::of_card(vocabulary, card.vietnamese, card.rows, origin)?;
        Ok(Self { stamp: card.stamp(), vocabulary, weights, rows, scales, accents: card.accents })
    }

    /// The same table under another name.
    pub(super) fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.stamp.name);
        self
    }

    fn one(&self, text: &str, scratch: &mut Scratch) -> Vec<f32> {
        let text = &text[..text.floor_char_boundary(MAX_BYTES)];
        let coverage = self.vocabulary.read(text, self.accents, scratch);
        let mut vector = vec![0f32; self.stamp.dimension];
        if coverage.share() < LEAST_KNOWN {
            return vector;
        }
        for row in &scratch.rows {
            let scale = self.scales[*row as usize];
            vector.iter_mut().zip(self.row(*row)).for_each(|(sum, x)| *sum += scale * f32::from(*x as i8));
        }
        normalise(&mut vector);
        vector
    }

    /// Signed bytes.
    fn row(&self, number: u32) -> &[u8] {
        let start = self.rows.start + number as usize * self.stamp.dimension;
        &self.weights[start..start + self.stamp.dimension]
    }

    /// A row at length 1; false for one of zeros.
    fn read_row(&self, number: u32, vector: &mut Vec<f32>) -> bool {
        // The scale goes with the length.
        let row = self.row(number);
        let squares: i32 = row.iter().map(|x| i32::from(*x as i8) * i32::from(*x as i8)).sum();
        let length = (squares as f32).sqrt();
        vector.clear();
        vector.extend(row.iter().map(|x| f32::from(*x as i8) / length));
        squares > 0
    }

    /// The whole table as it is added up.
    #[cfg(feature = "lab")]
    pub(super) fn values(&self) -> Vec<f32> {
        let row = |number: usize| {
            let scale = self.scales[number];
            self.row(number as u32).iter().map(move |x| scale * f32::from(*x as i8))
        };
        (0..self.scales.len()).flat_map(row).collect()
    }
}

impl Encoder for TableEncoder {
    /// Sums of word vectors are close to one another by what all texts share. `models/README.md` has what other thresholds cost.
    fn sure_cosine(&self) -> f32 {
        0.64
    }

    fn stamp(&self) -> &ModelStamp {
        &self.stamp
    }

    fn word_vectors(&self) -> Option<&dyn WordVectors> {
        Some(self)
    }

    /// The first 64 kB of each text. All zeros where about half of a text is in words it does not know: another
    /// language, bare numbers, emoji. Some 7 microseconds for a query, 100 for 80 words.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut scratch = Scratch::default();
        Ok(texts.iter().map(|text| self.one(text, &mut scratch)).collect())
    }
}

impl WordVectors for TableEncoder {
    /// False for a word that the vocabulary does not have whole: splinters make names and words of other languages alike that
    /// are not. A tenth of a microsecond.
    fn read_word(&self, word: &str, vector: &mut Vec<f32>) -> bool {
        let is_lower = |byte: u8| byte.is_ascii_lowercase() || byte == b' ';
        let number = match word.bytes().all(is_lower) {
            true => self.vocabulary.row_of(word, false),
            false if word.chars().all(|c| c.is_alphabetic() || c == ' ') => {
                self.vocabulary.row_of(&word.nfc().collect::<String>().to_lowercase(), self.accents)
            }
            false => None,
        };
        number.is_some_and(|number| self.read_row(number, vector))
    }

    fn may_join(&self, word: &str) -> bool {
        self.vocabulary.is_syllable(word)
    }

    fn read_pair(&self, first: &str, second: &str, vector: &mut Vec<f32>) -> bool {
        self.vocabulary.row_of_pair(first, second).is_some_and(|number| self.read_row(number, vector))
    }
}

impl TableCard {
    pub fn stamp(&self) -> ModelStamp {
        ModelStamp {
            name: self.name.clone(),
            checksum: self.checksum.clone(),
            dimension: self.dimension,
            in_sentence: false,
        }
    }

    pub(super) fn parse(text: &[u8], path: &Path) -> Result<Self> {
        let card: Self = serde_json::from_slice(text).map_err(|error| damaged(path, error))?;
        match card.version {
            VERSION if card.dimension > 0 && card.rows > 0 => Ok(card),
            VERSION => Err(damaged(path, "its sizes are no sizes")),
            other => Err(damaged(path, format!("a table of version {other}; this kioku reads version {VERSION}"))),
        }
    }
}

pub(super) fn read_card(folder: &Path) -> Result<TableCard> {
    let path = folder.join(CARD);
    TableCard::parse(&read(&path)?, &path)
}

/// Hex SHA-256 over all that decides the vectors.
fn checksum(card: &TableCard, weights: &[u8], vocabulary: &str) -> String {
    let mut sum = Sha256::new();
    sum.update(format!("{RULES}\n{} {} {}\n", card.rows, card.dimension, card.accents));
    if let Some(VietnameseRows { accented, unaccented }) = card.vietnamese {
        sum.update(format!("{RULES_VIETNAMESE}\n{accented} {unaccented}\n"));
    }
    [weights, vocabulary.as_bytes()].into_iter().for_each(|part| add_part(&mut sum, part));
    hex(&sum.finalize())
}

/// The three files of a table, ready to be written.
#[cfg(any(test, feature = "lab"))]
pub(super) struct TableFiles {
    pub card: TableCard,
    pub weights: Vec<u8>,
    pub vocabulary: String,
}

#[cfg(any(test, feature = "lab"))]
impl TableFiles {
    /// Cuts a table of `pieces.len()` rows to eight bits a number.
    pub fn new(
        name: &str,
        licence: Option<&str>,
        pieces: &[String],
        table: &[f32],
        accents: bool,
        vietnamese: Option<VietnameseRows>,
    ) -> Self {
        let dimension = table.len() / pieces.len().max(1);
        let (rows, scales) = quantised(table, dimension);
        let header = serde_json::json!({
            "rows": {"dtype": "I8", "shape": [pieces.len(), dimension], "data_offsets": [0, rows.len()]},
            "scales": {
                "dtype": "F16", "shape": [pieces.len()],
                "data_offsets": [rows.len(), rows.len() + scales.len()],
            },
        });
        let mut header = header.to_string().into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let weights = [&(header.len() as u64).to_le_bytes()[..], &header, &rows, &scales].concat();
        let vocabulary: String = pieces.iter().flat_map(|piece| [piece, "\n"]).collect();
        let mut card = TableCard {
            version: VERSION,
            name: name.to_owned(),
            rows: pieces.len(),
            dimension,
            accents,
            vietnamese,
            checksum: String::new(),
            licence: licence.map(str::to_owned),
        };
        card.checksum = checksum(&card, &weights, &vocabulary);
        Self { card, weights, vocabulary }
    }
}

/// Rows as signed bytes, and their scales as little-endian f16.
#[cfg(any(test, feature = "lab"))]
fn quantised(table: &[f32], dimension: usize) -> (Vec<u8>, Vec<u8>) {
    let mut rows = Vec::with_capacity(table.len());
    let mut scales = Vec::new();
    for row in table.chunks_exact(dimension.max(1)) {
        let largest = row.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        let scale = f16::from_f32(largest / 127.0);
        scales.extend(scale.to_le_bytes());
        let scale = scale.to_f32();
        let byte = |x: &f32| if scale > 0.0 { (x / scale).round().clamp(-127.0, 127.0) as i8 as u8 } else { 0 };
        rows.extend(row.iter().map(byte));
    }
    (rows, scales)
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
