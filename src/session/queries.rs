//! Query history of the screens, stored outside the vault.
//!
//! A query may contain words of an entry, so permanent deletion includes the history: see
//! [`QueryHistory::forget_text`].

use std::{collections::HashSet, path::Path};

use super::{SessionError, state_lines::StateLines};
use crate::{
    index::keyword::{
        analyzer::{fold, tokens},
        is_stop_word,
    },
    journal::{Pass, Redaction},
};

/// Maximum number of queries, without duplicates.
const DEPTH: usize = 200;

/// One query per line.
#[derive(Debug, Clone)]
pub struct QueryHistory(StateLines);

impl QueryHistory {
    /// The history of the vault at `root`. Reads and creates nothing.
    pub fn of(state: &Path, root: &Path) -> Self {
        Self(StateLines::of(state, "queries", root, "txt"))
    }

    /// All queries, oldest first.
    pub fn queries(&self) -> Result<Vec<String>, SessionError> {
        self.0.read()
    }

    /// Adds a query as the newest, and drops the oldest beyond the maximum.
    pub fn keep(&self, query: &str) -> Result<(), SessionError> {
        let query = query.split_whitespace().collect::<Vec<_>>().join(" ");
        if query.is_empty() {
            return Ok(());
        }
        self.0.change(DEPTH, |queries| {
            queries.retain(|known| *known != query);
            queries.push(query);
        })?;
        Ok(())
    }

    /// Removes every query that shares a word, other than a function word, with a forgotten text. This may remove
    /// unrelated queries, but leaves no trace of the text. Returns the number removed.
    pub fn forget_text(&self, text: &str, pass: Pass) -> Result<usize, SessionError> {
        let words = telling_words(text);
        self.0.forget(DEPTH, pass, |query| !telling_words(query).is_disjoint(&words))
    }

    /// Removes every query that contains one of these names, in any case and form, with or without accents.
    /// Returns the number removed.
    pub fn forget_names(&self, names: &[String], pass: Pass) -> Result<usize, SessionError> {
        self.0.forget(DEPTH, pass, |query| holds_name(query, names))
    }

    /// Deletes the history.
    pub fn clear(&self) -> Result<(), SessionError> {
        self.0.clear()
    }
}

/// Whether a query contains one of the names as whole words, in any case and form, with or without accents.
pub(super) fn holds_name(query: &str, names: &[String]) -> bool {
    let names = names.iter().map(|name| fold(name)).collect();
    !Redaction::new(names, Vec::new(), |_| false).places(&fold(query)).is_empty()
}

/// The words of a text without accents and without function words.
pub(super) fn telling_words(text: &str) -> HashSet<String> {
    tokens(text).into_iter().filter(|token| !is_stop_word(&token.exact)).map(|token| fold(&token.exact)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> (tempfile::TempDir, QueryHistory) {
        let folder = tempfile::tempdir().unwrap();
        let history = QueryHistory::of(folder.path(), Path::new("/journals/personal"));
        (folder, history)
    }

    #[test]
    fn each_query_is_kept_once_and_the_oldest_go() {
        let (_folder, history) = history();
        for nth in 0..DEPTH + 3 {
            history.keep(&format!("query {nth}")).unwrap();
        }
        history.keep("query 10\n").unwrap();
        let kept = history.queries().unwrap();
        assert_eq!((kept.len(), kept[0].as_str(), kept[DEPTH - 1].as_str()), (DEPTH, "query 3", "query 10"));
        history.clear().unwrap();
        assert_eq!(history.queries().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_query_with_a_word_of_a_forgotten_text_goes_and_others_stay() {
        let (_folder, history) = history();
        for query in ["the hung deadline", "mood:calm", "a walk by the lake", "what was there"] {
            history.keep(query).unwrap();
        }
        assert_eq!(
            history
                .forget_text("What Hùng said about the walks is not for anyone; there was a walk.", Pass::Delete)
                .unwrap(),
            2
        );
        assert_eq!(history.queries().unwrap(), ["mood:calm", "what was there"]);
    }

    #[test]
    fn a_forgotten_name_is_matched_as_whole_words() {
        let (_folder, history) = history();
        let stay = ["plan and landing", "Anna", "tag:linhda"];
        let go = ["entity:an", "AN's plan", "the Ans", "dinner, Đỗ  an", "person:\"an\""];
        for query in stay.iter().chain(&go) {
            history.keep(query).unwrap();
        }
        assert_eq!(history.forget_names(&["Linh".into(), "Đỗ Anh".into()], Pass::Delete).unwrap(), 0);
        assert_eq!(history.forget_names(&["Ân".into()], Pass::Delete).unwrap(), go.len());
        assert_eq!(history.queries().unwrap(), stay);
        for query in ["linh's dog", "the Linhs", "nguyen  LINH", "the linh nguyens", "Linh Nguyễn's"] {
            history.keep(query).unwrap();
        }
        assert_eq!(history.forget_names(&["Linh Nguyễn".into()], Pass::Delete).unwrap(), 2);
        assert_eq!(history.forget_names(&["linh".into()], Pass::Delete).unwrap(), 3);
    }

    #[test]
    fn a_forgotten_name_goes_however_it_was_typed() {
        let (folder, history) = history();
        history.keep("person:\"linh nguyen\" lake").unwrap();
        assert_eq!(history.forget_names(&["Linh Nguyễn".into(), " ".into()], Pass::Delete).unwrap(), 1);
        let left = std::fs::read_dir(folder.path().join("queries")).unwrap();
        let left: Vec<_> = left.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
        assert_eq!(left, [""], "nothing but the empty lock");
    }
}
