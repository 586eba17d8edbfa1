//! The word index as this process may use it: for writing, or read-only.

use std::path::Path;

use super::{
    IndexError, Result,
    keyword::{KeywordStore, KeywordView},
};

/// The folder of the word index.
pub(super) const WORDS: &str = "words";

/// See the module header.
pub(super) enum Words {
    Writer(Box<KeywordStore>),
    /// Another kioku writes, or the disk is read-only. New entries of this process are in memory.
    Reader(KeywordView),
}

impl Words {
    /// A view of the last commit.
    pub fn view(&self) -> KeywordView {
        match self {
            Self::Writer(store) => store.view(),
            Self::Reader(view) => view.clone(),
        }
    }

    pub fn close(self) -> Result<()> {
        match self {
            Self::Writer(store) => store.close(),
            Self::Reader(_) => Ok(()),
        }
    }
}

/// The word index, its payload, and a warning.
pub(super) type OpenedWords = (Words, Option<String>, Option<String>);

pub(super) fn open_words(dir: &Path) -> Result<OpenedWords> {
    match KeywordStore::open(dir) {
        Ok((store, complaint)) => {
            let payload = store.payload();
            Ok((Words::Writer(Box::new(store)), payload, complaint))
        }
        Err(IndexError::Busy { .. }) => {
            let (view, payload) = match KeywordView::open(dir) {
                // The writing process is rebuilding it: until that is done everything is searched in memory.
                Err(IndexError::Damaged { .. }) => (KeywordView::in_memory([])?, None),
                opened => opened?,
            };
            Ok((Words::Reader(view), payload, None))
        }
        Err(error) => Err(error),
    }
}

/// The word index read-only: if it is damaged or cannot be read, everything is searched in memory.
pub(super) fn words_to_read(dir: &Path) -> Result<OpenedWords> {
    let (view, payload) = match KeywordView::open_verified(dir) {
        Ok(opened) => opened,
        Err(_) => (KeywordView::in_memory([])?, None),
    };
    Ok((Words::Reader(view), payload, None))
}
