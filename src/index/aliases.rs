//! Aliases and declared names, from the entity notes to the entries that contain them.
//!
//! The words of an alias count as a mention wherever they appear, so the extract of an entry is a function of its
//! text and of the aliases. When an alias is added or removed, the entries that contain its words are ingested again;
//! the word index finds them.

use std::collections::BTreeSet;

use super::{
    Catalog, EntryKey, Index, Result, Scope,
    graph::{Curation, GraphView},
    keyword::{
        KeywordQuery,
        analyzer::{self, Token},
        is_stop_word,
    },
};
use crate::extract::{Aliases, Extractor, Rules};

impl Index {
    /// The entries of `wanted` that may contain an alias that was added or removed since they were extracted. `now`:
    /// the new aliases.
    pub(super) fn touched_by_aliases(&self, wanted: &Catalog, now: &[String]) -> Result<Vec<EntryKey>> {
        let all = || wanted.entries().iter().map(|entry| entry.key).collect();
        if self.read_only() || !self.words_known {
            return Ok(all());
        }
        let view = self.words.view();
        let (mut words, mut touched) = (Vec::new(), Vec::new());
        for alias in self.changed_aliases(now) {
            // One word of the alias is enough: it finds more entries than needed, and never fewer.
            if let Some(word) = rarest_word(alias) {
                words.push(word);
                continue;
            }
            if analyzer::tokens(alias).is_empty() {
                return Ok(all());
            }
            // Function words alone appear in half of all entries, so all words are searched as a phrase.
            let query = KeywordQuery { phrases: vec![alias.to_owned()], ..KeywordQuery::default() };
            let holding = view.restriction(&query, None)?;
            let entries = wanted.entries().iter().map(|entry| entry.key);
            touched.extend(entries.filter(|key| holding.allows(*key)));
        }
        if !words.is_empty() {
            let query = KeywordQuery { words, ..KeywordQuery::default() };
            let scope = Scope::all(self.catalog.clone());
            let hits = view.find(&query, &scope, scope.len().max(1), None)?.hits;
            touched.extend(hits.into_iter().map(|hit| hit.key).filter(|key| wanted.row(*key).is_some()));
        }
        touched.sort_unstable();
        touched.dedup();
        Ok(touched)
    }

    /// The aliases of `now` that entries were not extracted with, and those they were extracted with that are not in
    /// `now`.
    fn changed_aliases<'a>(&'a self, now: &'a [String]) -> Vec<&'a str> {
        let now: BTreeSet<&String> = now.iter().collect();
        let before: BTreeSet<&String> = self.graph.aliases_used().iter().collect();
        now.symmetric_difference(&before).map(|alias| alias.as_str()).collect()
    }

    /// The graph under other aliases: the entries that contain a changed alias are extracted again. What a language
    /// model answered to a text is not read again.
    pub(super) fn read_under(&self, curation: &Curation) -> Result<GraphView> {
        let aliases = curation.aliases();
        let touched = self.touched_by_aliases(&self.catalog, &aliases)?;
        let texts = self.texts(&touched)?;
        let changed = Aliases::new(self.changed_aliases(&aliases));
        let aliases = Aliases::new(aliases.iter().map(String::as_str));
        let known = touched.iter().zip(texts).filter_map(|(key, text)| Some((self.catalog.by_key(*key)?, text?)));
        let read = known
            .filter(|(known, text)| !self.answers.has(&known.hash) && changed.may_stand_in(text))
            .map(|(known, text)| (known, Rules(None).extract(&known.with_body(text), &aliases)));
        Ok(self.graph.view_with(curation, read.map(|(known, extract)| (known.key, known.day, extract))))
    }
}

/// The longest word of a name that is not a function word, as the analyzer tokenizes it; `None` where there is none.
fn rarest_word(alias: &str) -> Option<String> {
    let tells = |word: &&str| {
        let telling = |token: &Token| token.exact.chars().count() > 1 && !is_stop_word(&token.exact);
        analyzer::tokens(word).iter().any(telling)
    };
    alias.split_whitespace().filter(tells).max_by_key(|word| word.chars().count()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alias_is_looked_for_as_the_word_index_has_it() {
        for (alias, word) in
            [("Qur'an", "Qur'an"), ("the Older Man", "Older"), ("Xi’an", "Xi’an"), ("ba Ngoại", "Ngoại")]
        {
            assert_eq!(rarest_word(alias).as_deref(), Some(word));
        }
        assert_eq!((rarest_word("May"), rarest_word("?!")), (None, None), "function words stand everywhere");
    }
}
