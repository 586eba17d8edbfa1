//! Text to the tokens of a BERT model: by the tokenizer file of an installed model.

use std::ops::Range;

use tokenizers::Tokenizer;

use crate::{
    embed::{Pieces, normalise},
    fault,
};

/// Tokens of a text that are read; passages are shorter.
pub const MAX_TOKENS: usize = 256;

/// Cuts texts into tokens.
pub trait Tokens: Send + Sync {
    /// The tokens of a text behind a prefix; `None` where the model knows no piece of the text itself.
    ///
    /// # Errors
    /// Why the tokenizer failed.
    fn row(&self, prefix: &str, text: &str, wanted: Wanted) -> Result<Option<Row>, String>;
}

/// What to compute for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Vector,
    /// And the vector of each piece.
    Pieces,
}

/// The tokens of one text.
pub struct Row {
    pub ids: Vec<u32>,
    /// The span of each token in the text; `None` for special tokens and those of a prefix. Empty for [`Wanted::Vector`].
    pub places: Vec<Option<Range<usize>>>,
}

impl Row {
    /// The pieces of the text itself, from the hidden states of all tokens in the last layer.
    pub fn pieces(&self, hidden: &[f32], dimension: usize) -> Pieces {
        let mut pieces = Pieces::default();
        for (place, vector) in self.places.iter().zip(hidden.chunks_exact(dimension)) {
            let Some(span) = place else { continue };
            pieces.spans.push(span.clone());
            let start = pieces.vectors.len();
            pieces.vectors.extend(vector);
            normalise(&mut pieces.vectors[start..]);
        }
        pieces
    }
}

/// By the file `tokenizer.json`.
pub struct FileTokens {
    tokenizer: Tokenizer,
    /// Pieces without meaning: the unknown one, and the mark of a word's beginning where it stands alone.
    empty: Vec<u32>,
}

impl FileTokens {
    pub fn new(tokenizer: Tokenizer) -> Self {
        let empty = ["[UNK]", "<unk>", "\u{2581}"].iter().filter_map(|piece| tokenizer.token_to_id(piece)).collect();
        Self { tokenizer, empty }
    }

    fn encode(&self, text: &str, wanted: Wanted) -> Result<tokenizers::Encoding, String> {
        let encode = || match wanted {
            Wanted::Vector => self.tokenizer.encode_fast(text, true),
            Wanted::Pieces => self.tokenizer.encode(text, true),
        };
        fault::caught(encode).map_err(|why| format!("the tokenizer failed: {why}"))?.map_err(|error| error.to_string())
    }
}

impl Tokens for FileTokens {
    fn row(&self, prefix: &str, text: &str, wanted: Wanted) -> Result<Option<Row>, String> {
        let encoding = self.encode(text, wanted)?;
        let mut pieces = encoding.get_ids().iter().zip(encoding.get_special_tokens_mask());
        if !pieces.any(|(id, special)| *special == 0 && !self.empty.contains(id)) {
            return Ok(None);
        }
        let encoding = if prefix.is_empty() { encoding } else { self.encode(&format!("{prefix}{text}"), wanted)? };
        let ids = encoding.get_ids().to_vec();
        let places = match wanted {
            Wanted::Vector => Vec::new(),
            Wanted::Pieces => {
                let own = |(special, (start, end)): (&u32, &(usize, usize))| {
                    (*special == 0 && *start >= prefix.len() && start < end)
                        .then(|| start - prefix.len()..end - prefix.len())
                };
                encoding.get_special_tokens_mask().iter().zip(encoding.get_offsets()).map(own).collect()
            }
        };
        Ok(Some(Row { ids, places }))
    }
}
