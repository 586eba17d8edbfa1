//! Usage of a model, from the files of its folder: pooling of token vectors, and prefixes of questions and
//! passages.
//!
//! | file | says | whose |
//! |---|---|---|
//! | `kioku-card.json` | all of it, and name, licence, source | kioku's, written at a download or by the user |
//! | `1_Pooling/config.json` | the pooling | sentence-transformers |
//! | `config_sentence_transformers.json` | `prompts` by name | sentence-transformers |
//!
//! The first beats the others.

use std::{fs, io::ErrorKind, path::Path};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Result, damaged, io};

/// kioku's own card of a model.
pub const CARD: &str = "kioku-card.json";
const POOLING: &str = "1_Pooling/config.json";
const PROMPTS: &str = "config_sentence_transformers.json";
/// Any of these may be absent.
pub(super) const FILES: [&str; 3] = [POOLING, PROMPTS, CARD];

/// How the vectors of the tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    Mean,
    /// The vector of the first token.
    Cls,
}

impl Pooling {
    pub fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean of the tokens",
            Self::Cls => "first token",
        }
    }
}

/// What is put before a text, as it was in the model's training; blanks at the end count.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Prefixes {
    pub query: String,
    pub passage: String,
}

/// Pooling and prefixes together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub pooling: Pooling,
    pub prefixes: Prefixes,
}

/// `kioku-card.json`: what is not said is taken from the other files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Card {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Where its files came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooling: Option<Pooling>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query_prefix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passage_prefix: Option<String>,
}

#[derive(Deserialize)]
struct PoolingFile {
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_cls_token: bool,
}

#[derive(Deserialize)]
struct PromptsFile {
    #[serde(default)]
    prompts: std::collections::HashMap<String, String>,
}

/// What the folder says.
///
/// # Errors
/// A file that cannot be read as what it should be; a way of pooling that kioku does not know; layers after the pooling.
pub(super) fn read(folder: &Path) -> Result<Usage> {
    read_with(folder, &card(folder)?.unwrap_or_default())
}

/// The same with a card that does not lie in the folder yet.
pub(super) fn read_with(folder: &Path, card: &Card) -> Result<Usage> {
    let modules = folder.join("modules.json");
    if fs::read_to_string(&modules).is_ok_and(|modules| modules.contains("models.Dense")) {
        return Err(damaged(&modules, "models with a dense layer after pooling cannot be used"));
    }
    let prompts = read_file::<PromptsFile>(&folder.join(PROMPTS))?.map(|file| file.prompts).unwrap_or_default();
    let prompt = |names: &[&str]| names.iter().find_map(|name| prompts.get(*name)).cloned().unwrap_or_default();
    let prefixes = Prefixes {
        query: card.query_prefix.clone().unwrap_or_else(|| prompt(&["query"])),
        passage: card.passage_prefix.clone().unwrap_or_else(|| prompt(&["passage", "document"])),
    };
    let pooling = match card.pooling {
        Some(pooling) => pooling,
        None => pooling(folder)?,
    };
    Ok(Usage { pooling, prefixes })
}

/// What the pooling file says; the mean without one.
fn pooling(folder: &Path) -> Result<Pooling> {
    let path = folder.join(POOLING);
    let Some(file) = read_file::<PoolingFile>(&path)? else { return Ok(Pooling::Mean) };
    match (file.pooling_mode_mean_tokens, file.pooling_mode_cls_token) {
        (true, false) => Ok(Pooling::Mean),
        (false, true) => Ok(Pooling::Cls),
        _ => Err(damaged(&path, "only the mean of the tokens or the first token can be used")),
    }
}

pub(super) fn card(folder: &Path) -> Result<Option<Card>> {
    read_file(&folder.join(CARD))
}

/// `None` where there is no such file.
fn read_file<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        text => {
            serde_json::from_slice(&text.map_err(io("read", path))?).map(Some).map_err(|error| damaged(path, error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn usage(pooling: Pooling, query: &str, passage: &str) -> Usage {
        Usage { pooling, prefixes: Prefixes { query: query.to_owned(), passage: passage.to_owned() } }
    }

    #[test]
    fn a_bare_folder_means_the_mean_and_no_prefixes() {
        assert_eq!(read(folder(&[]).path()).unwrap(), usage(Pooling::Mean, "", ""));
    }

    #[test]
    fn the_files_of_sentence_transformers_are_understood() {
        let dir = folder(&[
            (POOLING, r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false, "other": 1}"#),
            (PROMPTS, r#"{"prompts": {"query": "Q: ", "document": "D: "}, "default_prompt_name": null}"#),
        ]);
        assert_eq!(read(dir.path()).unwrap(), usage(Pooling::Cls, "Q: ", "D: "));
    }

    #[test]
    fn the_card_beats_them() {
        let dir = folder(&[
            (POOLING, r#"{"pooling_mode_cls_token": true}"#),
            (PROMPTS, r#"{"prompts": {"query": "Q: ", "passage": "P: "}}"#),
            (CARD, r#"{"pooling": "mean", "query_prefix": ""}"#),
        ]);
        assert_eq!(read(dir.path()).unwrap(), usage(Pooling::Mean, "", "P: "));
    }

    #[test]
    fn what_cannot_be_done_is_an_error_that_names_the_file() {
        for (name, text) in [
            (POOLING, r#"{"pooling_mode_max_tokens": true}"#),
            (POOLING, "{"),
            (CARD, r#"{"pooling": "median"}"#),
            (CARD, r#"{"querry_prefix": "query: "}"#),
            ("modules.json", r#"[{"type": "sentence_transformers.models.Dense"}]"#),
        ] {
            let error = read(folder(&[(name, text)]).path()).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
