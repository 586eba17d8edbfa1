//! Models of the BERT family (MiniLM, BGE, GTE, E5 small...) by candle, from a folder in the layout of
//! sentence-transformers: `config.json`, `tokenizer.json`, `model.safetensors` and, if there, `1_Pooling/config.json`.

use std::{fmt, path::Path};

use candle_core::{Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config, DTYPE};
use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};

use super::{
    AnswerReader, ClaimReader, EmbedError, Encoder, ModelStamp, Pieces, Reading, TokenVectors, WordVectors, add_part,
    bundled, damaged, hex, loaded, normalise, read,
    usage::{self, Pooling, Usage},
};

pub(super) mod forward;
mod tokens;
mod workers;

use tokens::FileTokens;
pub(super) use tokens::{MAX_TOKENS, Row, Tokens, Wanted};
pub(super) use workers::Workers;

/// Files that a model must have, in the order in which they enter the checksum.
pub(super) const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// Changes when the same files would give other vectors than before.
const RULES: &str = "kioku bert 2";
/// Padded tokens a batch: bounds memory to some 20 MB a worker for a model like MiniLM.
const BATCH_TOKENS: usize = 1024;
/// Bytes of a text that are looked at: far more than [`MAX_TOKENS`] tokens of any writing.
const MAX_BYTES: usize = 1 << 14;

/// Weights that can be run.
pub(super) trait Model: Send + Sync {
    /// The last layer's vectors of rows of tokens, each padded to the longest: rows x longest x dimension.
    fn hidden(&self, rows: &[&Row]) -> candle_core::Result<Vec<f32>>;
}

impl Model for BertModel {
    fn hidden(&self, rows: &[&Row]) -> candle_core::Result<Vec<f32>> {
        let longest = rows.iter().map(|row| row.ids.len()).max().unwrap_or(0);
        let padded = |value: fn(u32) -> u32| -> Vec<u32> {
            rows.iter().flat_map(|row| (0..longest).map(move |at| row.ids.get(at).map_or(0, |id| value(*id)))).collect()
        };
        let shape = (rows.len(), longest);
        let ids = Tensor::from_vec(padded(|id| id), shape, &Device::Cpu)?;
        let mask = Tensor::from_vec(padded(|_| 1), shape, &Device::Cpu)?;
        self.forward(&ids, &ids.zeros_like()?, Some(&mask))?.flatten_all()?.to_vec1()
    }
}

/// A loaded model. Calls from several threads run side by side.
pub struct BertEncoder {
    stamp: ModelStamp,
    model: Box<dyn Model>,
    tokens: Box<dyn Tokens>,
    usage: Usage,
    workers: Workers,
}

impl fmt::Debug for BertEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BertEncoder").field("stamp", &self.stamp).field("usage", &self.usage).finish_non_exhaustive()
    }
}

impl BertEncoder {
    /// Loads a folder and hashes its files.
    pub fn load(folder: &Path, name: &str) -> Result<Self, EmbedError> {
        Self::load_as(folder, name, checksum(folder, &usage::read(folder)?)?)
    }

    /// Loads a folder whose checksum is known: hashing 90 MB would take as long as all the rest.
    ///
    /// # Errors
    /// A file that is missing, damaged or of another kind of model is named.
    pub(super) fn load_as(folder: &Path, name: &str, checksum: String) -> Result<Self, EmbedError> {
        let config = read_config(&folder.join("config.json"))?;
        let tokenizer = read_tokenizer(&folder.join("tokenizer.json"), &config)?;
        let usage = usage::read(folder)?;
        let model = read_weights(&folder.join("model.safetensors"), &config)?;
        let stamp = ModelStamp { name: name.to_owned(), checksum, dimension: config.hidden_size, in_sentence: true };
        Ok(Self::of_parts(stamp, Box::new(model), Box::new(FileTokens::new(tokenizer)), usage))
    }

    /// A model whose parts were loaded elsewhere.
    pub(super) fn of_parts(stamp: ModelStamp, model: Box<dyn Model>, tokens: Box<dyn Tokens>, usage: Usage) -> Self {
        Self { stamp, model, tokens, usage, workers: Workers::default() }
    }

    /// The same model under another name.
    pub(super) fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.stamp.name);
        self
    }

    fn fault(&self, reason: impl fmt::Display) -> EmbedError {
        EmbedError::model(&self.stamp.name, reason)
    }

    /// The tokens of a text behind a prefix; `None` where the model knows no piece of the text itself.
    fn tokens(&self, prefix: &str, text: &str, wanted: Wanted) -> Result<Option<Row>, EmbedError> {
        self.tokens.row(prefix, &text[..text.floor_char_boundary(MAX_BYTES)], wanted).map_err(|why| self.fault(why))
    }

    /// One reading for each row of tokens.
    fn forward(&self, rows: &[&Row]) -> Result<Vec<Reading>, EmbedError> {
        let hidden = self.model.hidden(rows).map_err(|error| self.fault(error))?;
        let dimension = self.stamp.dimension;
        let of_row = hidden.chunks_exact(hidden.len() / rows.len());
        let reading = |(row, hidden): (&&Row, &[f32])| {
            let hidden = &hidden[..row.ids.len() * dimension];
            Ok(Reading { vector: self.pooled(hidden)?, pieces: row.pieces(hidden, dimension) })
        };
        rows.iter().zip(of_row).map(reading).collect()
    }

    fn pooled(&self, tokens: &[f32]) -> Result<Vec<f32>, EmbedError> {
        let dimension = self.stamp.dimension;
        let mut vector = match self.usage.pooling {
            Pooling::Cls => tokens[..dimension].to_vec(),
            // The length does not matter, so the sum is as good as the mean.
            Pooling::Mean => tokens.chunks_exact(dimension).fold(vec![0f32; dimension], |mut sum, token| {
                sum.iter_mut().zip(token).for_each(|(sum, x)| *sum += x);
                sum
            }),
        };
        if vector.iter().any(|x| !x.is_finite()) {
            return Err(self.fault("it computes no numbers: its weights are damaged"));
        }
        normalise(&mut vector);
        Ok(vector)
    }

    /// One reading for each text, behind a prefix.
    fn read_behind(&self, prefix: &str, texts: &[&str], wanted: Wanted) -> Result<Vec<Reading>, EmbedError> {
        let nothing = || Reading { vector: vec![0f32; self.stamp.dimension], pieces: Pieces::default() };
        let mut readings: Vec<Reading> = texts.iter().map(|_| nothing()).collect();
        let mut rows: Vec<(usize, Row)> = Vec::with_capacity(texts.len());
        for (at, text) in texts.iter().enumerate() {
            rows.extend(self.tokens(prefix, text, wanted)?.map(|tokens| (at, tokens)));
        }
        // Texts of one length need no padding.
        rows.sort_by_key(|(_, row)| row.ids.len());
        let batches = batches(&rows);
        let done = self.workers.each(&self.stamp.name, &batches, |batch| {
            self.forward(&batch.iter().map(|(_, row)| row).collect::<Vec<_>>())
        })?;
        let places = batches.iter().flat_map(|batch| batch.iter().map(|(at, _)| *at));
        places.zip(done.into_iter().flatten()).for_each(|(at, reading)| readings[at] = reading);
        Ok(readings)
    }

    fn embed_behind(&self, prefix: &str, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let readings = self.read_behind(prefix, texts, Wanted::Vector)?;
        Ok(readings.into_iter().map(|reading| reading.vector).collect())
    }
}

impl TokenVectors for BertEncoder {
    fn read(&self, texts: &[&str]) -> Result<Vec<Reading>, EmbedError> {
        self.read_behind(&self.usage.prefixes.passage, texts, Wanted::Pieces)
    }

    fn read_queries(&self, queries: &[&str]) -> Result<Vec<Reading>, EmbedError> {
        self.read_behind(&self.usage.prefixes.query, queries, Wanted::Pieces)
    }
}

impl Encoder for BertEncoder {
    fn stamp(&self) -> &ModelStamp {
        &self.stamp
    }

    /// Of words out of any sentence the bundled table knows as much, for nothing: it stands in until the words of the journal
    /// are read in theirs.
    fn word_vectors(&self) -> Option<&dyn WordVectors> {
        bundled::words().map(|words| words as _)
    }

    fn token_vectors(&self) -> Option<&dyn TokenVectors> {
        Some(self)
    }

    fn answer_reader(&self) -> Option<&AnswerReader> {
        bundled::answer_reader()
    }

    fn claim_reader(&self) -> Option<&'static ClaimReader> {
        bundled::claim_reader()
    }

    /// .4 suits all-MiniLM-L6-v2: of 3,680 questions about what three journals never mention 4.3 in a hundred come out as sure, and who
    /// reads only sure answers loses 1.9 points of recall@10 on conversations. (.38: 5.4 in a hundred, 1.6 points.)
    /// Models with prefixes are trained at a low temperature, which puts every pair of texts close
    /// together (multilingual-e5: between .7 and 1, says its card): until one is measured, words alone make a hit sure.
    fn sure_cosine(&self) -> f32 {
        if self.usage.prefixes == usage::Prefixes::default() { 0.4 } else { f32::INFINITY }
    }

    /// Each text is read up to 256 tokens (or the model's limit). A text without a piece that the model knows (empty,
    /// one emoji) is all zeros. 30 ms of CPU for 80 words with all-MiniLM-L6-v2.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embed_behind(&self.usage.prefixes.passage, texts)
    }

    fn embed_queries(&self, queries: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embed_behind(&self.usage.prefixes.query, queries)
    }
}

/// Cuts rows, sorted by length, into batches of at most [`BATCH_TOKENS`] tokens with padding (or one row).
fn batches(rows: &[(usize, Row)]) -> Vec<&[(usize, Row)]> {
    let mut batches = Vec::new();
    let mut start = 0;
    for end in 1..=rows.len() {
        let next_is_too_much = rows.get(end).is_none_or(|(_, next)| next.ids.len() * (end - start + 1) > BATCH_TOKENS);
        if next_is_too_much {
            batches.push(&rows[start..end]);
            start = end;
        }
    }
    batches
}

fn read_config(path: &Path) -> Result<Config, EmbedError> {
    let text = read(path)?;
    let kind: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| damaged(path, format!("it is damaged: {error}")))?;
    let kind = kind.get("model_type").and_then(|kind| kind.as_str()).unwrap_or("bert");
    if kind != "bert" {
        return Err(damaged(path, format!("a model of type {kind}; only bert models can be used")));
    }
    let config: Config = serde_json::from_slice(&text).map_err(|error| damaged(path, error))?;
    let sound = config.num_attention_heads > 0
        && config.hidden_size > 0
        && config.hidden_size.is_multiple_of(config.num_attention_heads)
        && config.max_position_embeddings >= 8
        && config.layer_norm_eps >= 0.0;
    if sound { Ok(config) } else { Err(damaged(path, "its sizes do not fit together")) }
}

fn read_tokenizer(path: &Path, config: &Config) -> Result<Tokenizer, EmbedError> {
    let mut tokenizer = Tokenizer::from_bytes(read(path)?).map_err(|error| damaged(path, error))?;
    let max_length = MAX_TOKENS.min(config.max_position_embeddings);
    // Files as published often pad every text to 128 tokens and cut there.
    tokenizer.with_padding(None);
    tokenizer
        .with_truncation(Some(TruncationParams { max_length, ..TruncationParams::default() }))
        .map_err(|error| damaged(path, error))?;
    let size = tokenizer.get_vocab_size(true);
    if size > config.vocab_size {
        return Err(damaged(path, format!("{size} pieces where the model has {}", config.vocab_size)));
    }
    Ok(tokenizer)
}

fn read_weights(path: &Path, config: &Config) -> Result<BertModel, EmbedError> {
    let bytes = read(path)?;
    let load = || -> candle_core::Result<BertModel> {
        BertModel::load(VarBuilder::from_buffered_safetensors(bytes, DTYPE, &Device::Cpu)?, config)
    };
    loaded(path, "config.json", load)
}

/// SHA-256 over what decides the vectors: the files, how they are used, and by which rules.
pub(super) fn checksum(folder: &Path, usage: &Usage) -> Result<String, EmbedError> {
    let mut digest = Sha256::new();
    let mut add = |part: &[u8]| add_part(&mut digest, part);
    let Usage { pooling, prefixes } = usage;
    [RULES, pooling.word(), &prefixes.query, &prefixes.passage].iter().for_each(|part| add(part.as_bytes()));
    for name in FILES {
        add(&read(&folder.join(name))?);
    }
    Ok(hex(&digest.finalize()))
}

#[cfg(test)]
#[path = "bert_tests.rs"]
pub(super) mod tests;
