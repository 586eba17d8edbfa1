//! Search for traces of a forgotten text in every file below some folders, including the compressed texts of the word
//! indexes.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::{
    index::keyword::KeywordView,
    journal::{Redaction, files, unescaped},
};

/// The texts to search for.
#[derive(Debug)]
pub enum Wanted {
    /// Sentences, matched exactly.
    Sentences(Vec<String>),
    Names(Redaction),
}

/// Result of the search for traces.
#[derive(Debug, Default)]
pub struct Traces {
    /// Number of files read.
    pub searched: usize,
    /// Files that still contain some of it, in their text or name, and folders so named.
    pub left: Vec<PathBuf>,
    /// Files that could not be read, with the reason.
    pub unread: Vec<String>,
}

/// Folders that are skipped: models are not derived from the journal, and git's objects are compressed.
const PASSED_OVER: [&str; 2] = ["models", ".git"];

/// Maximum number of sentences to search for; the longest are chosen.
const SENTENCES: usize = 64;

/// Minimum length of a sentence in bytes. Shorter ones occur in other texts by chance.
const TELLING: usize = 16;

/// Minimum length of a name in a binary file in bytes. Shorter ones occur there by chance.
const SHORTEST_NAME: usize = 3;

impl Wanted {
    /// Splits texts into sentences; `None` if the texts are too short to be distinctive.
    pub fn sentences<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let ends = |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '\n');
        let mut found: BTreeSet<String> = BTreeSet::new();
        for text in texts {
            let pieces = text.split_inclusive(ends).map(str::trim);
            found.extend(pieces.filter(|piece| piece.len() >= TELLING).map(str::to_owned));
            if text.trim().len() >= TELLING / 2 && !text.trim().contains('\n') {
                found.insert(text.trim().to_owned());
            }
        }
        let mut found: Vec<String> = found.into_iter().collect();
        found.sort_by_key(|sentence| std::cmp::Reverse(sentence.len()));
        found.truncate(SENTENCES);
        (!found.is_empty()).then_some(Self::Sentences(found))
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        let shortest = if std::str::from_utf8(bytes).is_ok() { 0 } else { SHORTEST_NAME };
        bytes.utf8_chunks().map(|chunk| chunk.valid()).filter(|text| text.len() >= shortest).any(|text| {
            // Escapes of JSON hide a text: the `n` of `\n` joins the name that follows it.
            let plain = unescaped(text).unwrap_or_default();
            [text, &plain].into_iter().any(|text| self.is_in_text(text, shortest))
        })
    }

    fn is_in_text(&self, text: &str, shortest: usize) -> bool {
        match self {
            Self::Sentences(sentences) => {
                sentences.iter().any(|sentence| memchr::memmem::find(text.as_bytes(), sentence.as_bytes()).is_some())
            }
            Self::Names(names) => names.places(text).into_iter().any(|place| place.len() >= shortest),
        }
    }
}

impl Traces {
    /// Searches every file below these folders. One folder may be inside another.
    pub fn look(wanted: &Wanted, folders: &[&Path]) -> Self {
        let mut traces = Self::default();
        let mut seen = BTreeSet::new();
        for folder in folders {
            traces.walk(wanted, folder, &mut seen);
        }
        traces.left.sort();
        traces
    }

    fn walk(&mut self, wanted: &Wanted, folder: &Path, seen: &mut BTreeSet<PathBuf>) {
        let Ok(real) = fs::canonicalize(folder) else { return };
        if !seen.insert(real) {
            return;
        }
        let listing = match fs::read_dir(folder) {
            Ok(listing) => listing,
            Err(error) => return self.unread.push(format!("{}: {error}", folder.display())),
        };
        let mut is_word_index = false;
        for item in listing.flatten() {
            let (path, name) = (item.path(), item.file_name());
            let Ok(kind) = item.file_type() else { continue };
            let is_named = wanted.is_in(name.as_encoded_bytes());
            if is_named {
                self.left.push(path.clone());
            }
            if kind.is_dir() {
                if !PASSED_OVER.iter().any(|passed| name == *passed) {
                    self.walk(wanted, &path, seen);
                }
            } else if kind.is_file() {
                is_word_index |= name == "meta.json" && folder.ends_with("words");
                self.file(wanted, &path, is_named);
            }
        }
        if is_word_index {
            self.word_index(wanted, folder);
        }
    }

    fn file(&mut self, wanted: &Wanted, path: &Path, is_named: bool) {
        match files::read(path) {
            Ok(Some(bytes)) => {
                self.searched += 1;
                if !is_named && wanted.is_in(&bytes) {
                    self.left.push(path.to_path_buf());
                }
            }
            Ok(None) => {}
            Err(error) => self.unread.push(error.to_string()),
        }
    }

    fn word_index(&mut self, wanted: &Wanted, folder: &Path) {
        let mut is_left = false;
        let read = KeywordView::open(folder)
            .and_then(|(view, _)| view.every_text(&mut |text| is_left |= wanted.is_in(text.as_bytes())));
        if let Err(error) = read {
            self.unread.push(format!("{}: {error}", folder.display()));
        }
        if is_left {
            self.left.push(folder.to_path_buf());
        }
    }
}
