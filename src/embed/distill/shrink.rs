//! Makes a small reader of a large BERT model: the pieces that a corpus uses most, the weights at four bits.
//!
//! Q4_0 of GGUF: 32 weights share one f16 scale, 4.5 bits a weight. Positions are cut to the tokens that kioku reads.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    io::Cursor,
    path::Path,
};

use candle_core::{
    Device, Tensor,
    quantized::{GgmlDType, QTensor, gguf_file},
};
use tokenizers::Tokenizer;

use super::{Progress, Report, card_text, fault, write_files};
use crate::embed::{
    Result, damaged, io, read,
    reader::{CARD, EMBEDDINGS, ReaderCard, VERSION, VOCABULARY, WEIGHTS},
    wordpiece::CONTINUES,
};

/// Tokens of a row, at most.
const POSITIONS: usize = 256;
/// Weights that share a scale.
const GROUP: usize = 32;
const POSITION_ROWS: &str = "embeddings.position_embeddings.weight";

/// What to make.
#[derive(Debug, Clone)]
pub struct ReaderRecipe {
    pub name: String,
    pub licence: Option<String>,
    /// English pieces.
    pub pieces: usize,
}

/// The parts of a reader before its weights are rounded.
pub struct Parts {
    pub card: ReaderCard,
    /// One piece a line.
    pub vocabulary: Vec<String>,
    pub tensors: HashMap<String, Tensor>,
}

/// Cuts the vocabulary of the model in the folder `teacher` to the pieces that occur most in `lines`.
pub fn shrink(teacher: &Path, lines: &[String], recipe: &ReaderRecipe, report: Report<'_>) -> Result<Parts> {
    let failed = |error: candle_core::Error| fault(&recipe.name, error);
    let path = teacher.join("tokenizer.json");
    let tokenizer = Tokenizer::from_bytes(read(&path)?).map_err(|error| damaged(&path, error))?;
    let kept = frequent(&tokenizer, lines, recipe.pieces, report)?;
    let marks = ["[CLS]", "[SEP]"].iter().filter_map(|mark| tokenizer.token_to_id(mark));
    let rows: Vec<u32> = marks.chain(kept.iter().map(|(id, _)| *id)).collect();
    let path = teacher.join("model.safetensors");
    let mut tensors =
        candle_core::safetensors::load_buffer(&read(&path)?, &Device::Cpu).map_err(|error| damaged(&path, error))?;
    for tensor in tensors.values_mut() {
        *tensor = tensor.to_dtype(candle_core::DType::F32).map_err(failed)?;
    }
    tensors.retain(|name, tensor| tensor.rank() > 0 && !name.contains("position_ids") && !name.contains("pooler"));
    let count = rows.len();
    let rows = Tensor::from_vec(rows, count, &Device::Cpu).map_err(failed)?;
    let words = tensor(&tensors, EMBEDDINGS, &path)?.index_select(&rows, 0).map_err(failed)?;
    let all = tensor(&tensors, POSITION_ROWS, &path)?;
    let longest = all.dim(0).map_err(failed)?.min(POSITIONS);
    let first = Tensor::arange(0, longest as u32, &Device::Cpu).map_err(failed)?;
    let positions = all.index_select(&first, 0).map_err(failed)?;
    let inner = tensor(&tensors, "encoder.layer.0.intermediate.dense.weight", &path)?.dim(0).map_err(failed)?;
    let layer = |name: &String| name.strip_prefix("encoder.layer.")?.split('.').next()?.parse::<usize>().ok();
    let layers = tensors.keys().filter_map(layer).max().map_or(0, |last| last + 1);
    let dimension = words.dim(1).map_err(failed)?;
    tensors.insert(EMBEDDINGS.to_owned(), words);
    tensors.insert(POSITION_ROWS.to_owned(), positions);
    let path = teacher.join("config.json");
    let config: serde_json::Value = serde_json::from_slice(&read(&path)?).map_err(|error| damaged(&path, error))?;
    let heads = config["num_attention_heads"].as_u64().ok_or_else(|| damaged(&path, "no number of heads"))?;
    let card = ReaderCard {
        version: VERSION,
        name: recipe.name.clone(),
        dimension,
        layers,
        heads: heads as usize,
        inner,
        positions: longest,
        pieces: kept.len(),
        vietnamese: None,
        checksum: String::new(),
        licence: recipe.licence.clone(),
    };
    Ok(Parts { card, vocabulary: kept.into_iter().map(|(_, piece)| piece).collect(), tensors })
}

fn tensor<'t>(tensors: &'t HashMap<String, Tensor>, name: &str, path: &Path) -> Result<&'t Tensor> {
    tensors.get(name).ok_or_else(|| damaged(path, format!("it has no {name}")))
}

/// The pieces of one letter, then the most frequent ones, most frequent first, with their numbers in the teacher.
fn frequent(tokenizer: &Tokenizer, lines: &[String], pieces: usize, report: Report<'_>) -> Result<Vec<(u32, String)>> {
    let mut counts: HashMap<u32, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        if at % 20_000 == 0 && !report(Progress { what: "pieces", done: at, of: lines.len() }) {
            return Err(fault("reader", "stopped"));
        }
        let encoding = tokenizer.encode_fast(line.as_str(), false).map_err(|error| fault("reader", error))?;
        encoding.get_ids().iter().for_each(|id| *counts.entry(*id).or_default() += 1);
    }
    let letters = |piece: &str| piece.strip_prefix(CONTINUES).unwrap_or(piece).chars().count();
    // In the order of the teacher's numbers, so that equal counts always give the same order.
    let all: BTreeMap<u32, String> = tokenizer.get_vocab(false).into_iter().map(|(piece, id)| (id, piece)).collect();
    let usable =
        all.into_iter().filter(|(_, piece)| !(piece.starts_with('[') && piece.ends_with(']') && piece.len() > 1));
    let mut usable: Vec<(u32, String)> =
        usable.filter(|(id, piece)| counts.contains_key(id) || piece.is_ascii() && letters(piece) == 1).collect();
    usable.sort_by_key(|(id, piece)| (letters(piece) > 1, Reverse(counts.get(id).copied().unwrap_or(0))));
    usable.truncate(pieces);
    Ok(usable)
}

impl Parts {
    /// Rounds the weights and writes the three files. Returns the card and the bytes of all files.
    pub fn write(mut self, out: &Path) -> Result<(ReaderCard, usize)> {
        let weights = self.rounded().map_err(|error| fault(&self.card.name, error))?;
        let vocabulary: String = self.vocabulary.iter().flat_map(|piece| [piece.as_str(), "\n"]).collect();
        self.card.checksum = self.card.checksum_of(&weights, &vocabulary);
        let card = card_text(&self.card.name, &self.card)?;
        std::fs::create_dir_all(out).map_err(io("create folder", out))?;
        let files = [(WEIGHTS, &weights[..]), (VOCABULARY, vocabulary.as_bytes()), (CARD, &card)];
        let size = write_files(out, files)?;
        Ok((self.card, size))
    }

    /// The weights as a GGUF file: matrices at four bits where a row has whole groups, the rest at sixteen.
    pub(super) fn rounded(&self) -> candle_core::Result<Vec<u8>> {
        let kind = |name: &str, tensor: &Tensor| match tensor.rank() {
            2 if name != POSITION_ROWS && !name.contains("token_type") => match tensor.dim(1) {
                Ok(columns) if columns.is_multiple_of(GROUP) => GgmlDType::Q4_0,
                _ => GgmlDType::F16,
            },
            _ => GgmlDType::F16,
        };
        let sorted: BTreeMap<&String, &Tensor> = self.tensors.iter().collect();
        let rounded = |(name, tensor): (&&String, &&Tensor)| {
            Ok(((*name).clone(), QTensor::quantize(tensor, kind(name, tensor))?))
        };
        let rounded: Vec<(String, QTensor)> = sorted.iter().map(rounded).collect::<candle_core::Result<_>>()?;
        let tensors: Vec<(&str, &QTensor)> = rounded.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let mut file = Cursor::new(Vec::new());
        gguf_file::write(&mut file, &[], &tensors)?;
        Ok(file.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::{BertEncoder, Encoder, bert::tests::write_tiny_model, reader};

    fn small(lines: &[&str], pieces: usize) -> (tempfile::TempDir, ReaderCard) {
        let dir = tempfile::tempdir().unwrap();
        write_tiny_model(&dir.path().join("teacher"), 32);
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let recipe = ReaderRecipe { name: "small".to_owned(), licence: None, pieces };
        let parts = shrink(&dir.path().join("teacher"), &lines, &recipe, &mut |_| true).unwrap();
        let (card, _) = parts.write(&dir.path().join("small")).unwrap();
        (dir, card)
    }

    #[test]
    fn the_small_model_reads_as_its_teacher_does() {
        let (dir, card) = small(&["rain by the river", "the river walk", "a tea", "walks"], 100);
        assert_eq!((card.layers, card.dimension, card.pieces, card.positions), (1, 32, 8, 64));
        let teacher = BertEncoder::load(&dir.path().join("teacher"), "teacher").unwrap();
        let small = reader::load(&dir.path().join("small")).unwrap();
        let texts = ["the river walks", "tea", "rain by a river"];
        let both = teacher.embed(&texts).unwrap().into_iter().zip(small.embed(&texts).unwrap());
        for (one, other) in both {
            let cosine: f32 = one.iter().zip(&other).map(|(a, b)| a * b).sum();
            assert!(cosine > 0.97, "{cosine}");
        }
    }

    #[test]
    fn the_pieces_that_a_corpus_uses_most_are_kept() {
        let (dir, card) = small(&["river river river", "tea tea", "rain"], 3);
        let vocabulary = std::fs::read_to_string(dir.path().join("small").join(VOCABULARY)).unwrap();
        let lines: Vec<&str> = vocabulary.lines().collect();
        assert_eq!((card.pieces, &lines[..]), (3, &["##s", "a", "river"][..]), "single letters, then by use");
    }
}
