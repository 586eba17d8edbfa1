//! Matches of a query's words in a text: with the same analyzer, stems, prefixes and typos as the search.

use std::{collections::HashMap, ops::Range};

use super::{
    KeywordQuery,
    analyzer::{self, Kind, Token, stem},
    query::{Variant, bearing, joined, sought},
};

/// A span of a text that matches a part of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Bytes of the text.
    pub span: Range<usize>,
    /// Index into [`KeywordQuery::words`]; `None` for a phrase.
    pub word: Option<usize>,
}

/// Finds a query's words in texts. Made by [`super::KeywordView::matcher`], once for many texts.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    /// Stem to word.
    stems: HashMap<String, usize>,
    /// Other spellings to word.
    variants: HashMap<String, usize>,
    prefix: Option<(String, usize)>,
    phrases: Vec<Phrase>,
    sought: Vec<usize>,
    /// First letters of `stems` and `variants`: most words of a text are ruled out without stemming.
    initials: Vec<char>,
}

#[derive(Debug, Clone)]
struct Phrase {
    /// Folded words by their distance from the first.
    words: Vec<(usize, String)>,
    /// The last word is a prefix.
    prefix: bool,
}

impl Matcher {
    pub(super) fn new(query: &KeywordQuery, variants: Vec<Variant>) -> Self {
        let mut matcher = Self::default();
        for sought in sought(query) {
            matcher.sought.push(sought.word);
            for token in bearing(&sought.tokens).chain(joined(&sought.tokens)) {
                matcher.stems.entry(stem(&token.folded).into_owned()).or_insert(sought.word);
            }
            if sought.prefix
                && let Some(last) = sought.tokens.iter().rev().find(|token| token.kind == Kind::Word)
            {
                matcher.prefix = Some((last.folded.clone(), sought.word));
            }
        }
        for variant in variants {
            matcher.variants.entry(variant.folded).or_insert(variant.word);
        }
        let spellings = matcher.stems.keys().chain(matcher.variants.keys());
        matcher.initials = spellings.filter_map(|spelling| spelling.chars().next()).collect();
        matcher.initials.sort_unstable();
        matcher.initials.dedup();
        let last = query.phrases.len().wrapping_sub(1);
        for (number, text) in query.phrases.iter().enumerate() {
            let tokens = analyzer::tokens(text);
            let bearing: Vec<_> = bearing(&tokens).collect();
            let Some(first) = bearing.first() else { continue };
            let words = bearing.iter().map(|token| (token.position - first.position, token.folded.clone())).collect();
            let prefix = query.phrase_is_prefix && number == last;
            matcher.phrases.push(Phrase { words, prefix });
        }
        matcher
    }

    /// The words of the query that are searched (function words mostly are not).
    pub fn sought(&self) -> &[usize] {
        &self.sought
    }

    /// All matches, in order of their start.
    pub fn find(&self, text: &str) -> Vec<Match> {
        let mut found = Vec::new();
        let mut tokens = Vec::new();
        analyzer::analyze(text, &mut |token| {
            if let Some(word) = self.word_of(token) {
                found.push(Match { span: token.span.clone(), word: Some(word) });
            }
            if !self.phrases.is_empty() {
                tokens.push(token.clone());
            }
        });
        for phrase in &self.phrases {
            let starts = (0..tokens.len()).filter_map(|start| phrase.at(&tokens[start..]));
            found.extend(starts.map(|span| Match { span, word: None }));
        }
        found.sort_by_key(|found| (found.span.start, found.span.end));
        found
    }

    /// The byte spans to highlight: sorted, without overlap, adjacent characters joined.
    pub fn joined(found: &[Match]) -> Vec<Range<usize>> {
        let mut joined: Vec<Range<usize>> = Vec::new();
        for span in found.iter().map(|found| &found.span) {
            match joined.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => joined.push(span.clone()),
            }
        }
        joined
    }

    /// The word of the query that a token matches, by stem, prefix or another spelling.
    pub fn word_of(&self, token: &Token) -> Option<usize> {
        if let Some((prefix, word)) = &self.prefix
            && token.kind != Kind::Pair
            && token.folded.starts_with(prefix.as_str())
        {
            return Some(*word);
        }
        // A stem has the same first letter as its word.
        if token.folded.chars().next().is_none_or(|initial| !self.initials.contains(&initial)) {
            return None;
        }
        self.variants.get(token.folded.as_str()).or_else(|| self.stems.get(&*stem(&token.folded))).copied()
    }
}

impl Phrase {
    /// The span of the phrase, if it begins with the first of `tokens`.
    fn at(&self, tokens: &[Token]) -> Option<Range<usize>> {
        let first = tokens.first()?;
        let mut end = first.span.end;
        let last = self.words.len() - 1;
        for (number, (distance, word)) in self.words.iter().enumerate() {
            let fits = |token: &&Token| {
                token.position == first.position + distance
                    && (token.folded == *word
                        || (self.prefix && number == last && token.folded.starts_with(word.as_str())))
            };
            let mut near = tokens.iter().take_while(|token| token.position <= first.position + distance);
            let token = if *distance == 0 { Some(first).filter(fits) } else { near.find(fits) }?;
            end = end.max(token.span.end);
        }
        Some(first.span.start..end)
    }
}
