//! A [`KeywordQuery`] as tantivy's query tree.
//!
//! | part | how it counts |
//! |---|---|
//! | a word | OR of its stem in the text, its exact spelling, its stem in mood and tags; function words are left out while another word remains |
//! | a word of several tokens (`well-being`, `怀孕了`) | each token, and a bonus where they are in order |
//! | the last word while typing | also the most frequent words with this prefix, at a lower weight |
//! | a misspelt word | words at an edit distance of one, only where the word itself is rare or absent and not in the English word list |
//! | a phrase | must be in the text, accents folded |
//! | an excluded word or phrase | must not |
//!
//! Prefixes and typos are expanded from the term dictionary into ordinary terms, because tantivy's own fuzzy query
//! gives every match the same score.

use std::collections::HashMap;

use tantivy::{
    Searcher, Term,
    query::{
        AllQuery, BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, PhrasePrefixQuery, PhraseQuery, Query, TermQuery,
    },
    schema::{Field, IndexRecordOption},
};

use super::{
    KeywordQuery,
    analyzer::{self, Kind, Token, stem},
    schema::Fields,
    stopwords::{is_joined, is_stop_word},
};
use crate::extract::is_spelt_right;

/// Bonus for the same spelling, accents included, on top of the same stem: decides between `ma` and `má`, and between
/// `run` and `running`, without outweighing a second word.
const EXACT: f32 = 0.35;
/// Weight of a word in mood or tags: it describes the entry, but most tags are common and short fields score high.
const HEAD: f32 = 1.0;
/// Weight of a word that matches as a prefix: below an exact match.
const PREFIX: f32 = 0.5;
/// Weight of a word at an edit distance of one: below all correct spellings.
const TYPO: f32 = 0.4;
/// Bonus where the tokens of one word are in order.
const IN_ORDER: f32 = 1.0;

/// Maximum number of words that a prefix expands to, the most frequent first.
const PREFIXES: usize = 32;
const TYPOS: usize = 8;
/// Maximum number of dictionary terms read for a prefix; a more common prefix is expanded from its first terms.
const DICTIONARY_STEPS: usize = 2_000;
/// Minimum length for typo correction: shorter words have too many neighbours.
const TYPO_LETTERS: usize = 5;
/// A word in this many entries or fewer may itself be a typo,
const RARE: u64 = 2;
/// if a neighbour is at least this many times more frequent.
const TYPO_RATIO: u64 = 10;

/// A word of the query that is searched.
pub struct Sought {
    /// Index into [`KeywordQuery::words`].
    pub word: usize,
    pub tokens: Vec<Token>,
    /// Still being typed.
    pub prefix: bool,
}

/// Another spelling that a word of the query also matches.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    pub word: usize,
    pub folded: String,
    weight: f32,
}

/// The words that are searched: all but function words, or all words if there are only function words.
pub fn sought(query: &KeywordQuery) -> Vec<Sought> {
    let last = query.words.len().wrapping_sub(1);
    let mut all: Vec<_> = query
        .words
        .iter()
        .enumerate()
        .map(|(word, text)| Sought {
            word,
            tokens: analyzer::tokens(text),
            prefix: query.last_is_prefix && word == last,
        })
        .filter(|sought| !sought.tokens.is_empty())
        .collect();
    let is_content = |at: usize| {
        let next = all.get(at + 1).and_then(|next| next.tokens.first()).map(|token| token.exact.as_str());
        all[at].tokens.iter().any(|token| !is_stop_word(&token.exact) && !is_joined(&token.exact, next))
    };
    let content: Vec<bool> = (0..all.len()).map(is_content).collect();
    if !query.phrases.is_empty() || content.contains(&true) {
        let mut content = content.into_iter();
        all.retain(|_| content.next().unwrap_or_default());
    }
    all
}

/// The tokens that represent a word or phrase: single characters only where no pair covers them, no parts of words.
pub fn bearing(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let covered = |at: usize| {
        tokens.iter().any(|token| token.kind == Kind::Pair && (token.position == at || token.position + 1 == at))
    };
    tokens.iter().filter(move |token| match token.kind {
        Kind::Word | Kind::Pair => true,
        Kind::Gram => !covered(token.position),
        Kind::Part | Kind::Joined => false,
    })
}

/// The tokens by which `co-worker` also finds "coworker".
pub fn joined(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    tokens.iter().filter(|token| token.kind == Kind::Joined)
}

/// The positive and the excluded part of a query.
pub struct Tree {
    pub wanted: BooleanQuery,
    /// Separate, because tantivy's exclusion seeks backwards where the excluded side is a phrase that is already
    /// ahead.
    pub excluded: Option<BooleanQuery>,
}

/// The query tree; `None` where nothing can match.
pub fn build(query: &KeywordQuery, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Option<Tree>> {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    for sought in sought(query) {
        word_clauses(&sought, fields, &mut clauses);
    }
    for variant in variants(query, searcher, fields)? {
        clauses.push((Occur::Should, term(fields.words, &variant.folded, variant.weight)));
    }
    clauses.extend(phrases(query, searcher, fields)?.into_iter().map(|phrase| (Occur::Must, phrase)));
    if clauses.is_empty() {
        if !query.words.is_empty() || !query.phrases.is_empty() {
            return Ok(None);
        }
        clauses.push((Occur::Must, Box::new(AllQuery)));
    }
    let excluded = excluded(query, searcher, fields)?;
    Ok(Some(Tree { wanted: BooleanQuery::new(clauses), excluded }))
}

/// The required phrases; `None` where there are none.
pub fn required(query: &KeywordQuery, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Option<BooleanQuery>> {
    let phrases = phrases(query, searcher, fields)?;
    Ok((!phrases.is_empty()).then(|| BooleanQuery::intersection(phrases)))
}

fn phrases(query: &KeywordQuery, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Vec<Box<dyn Query>>> {
    let last = query.phrases.len().wrapping_sub(1);
    let mut all = Vec::new();
    for (number, text) in query.phrases.iter().enumerate() {
        all.extend(phrase(text, query.phrase_is_prefix && number == last, searcher, fields)?);
    }
    Ok(all)
}

/// The excluded words and phrases; `None` where there are none.
pub fn excluded(query: &KeywordQuery, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Option<BooleanQuery>> {
    let mut any = Vec::new();
    for text in &query.excluded {
        any.extend(phrase(text, false, searcher, fields)?);
        if let [only] = bearing(&analyzer::tokens(text)).collect::<Vec<_>>()[..] {
            any.push(term(fields.head, &stem(&only.folded), 1.0));
        }
    }
    Ok((!any.is_empty()).then(|| BooleanQuery::union(any)))
}

fn word_clauses(sought: &Sought, fields: &Fields, clauses: &mut Vec<(Occur, Box<dyn Query>)>) {
    let tokens: Vec<_> = bearing(&sought.tokens).collect();
    for token in &tokens {
        let stem = stem(&token.folded);
        clauses.push((Occur::Should, term(fields.stems, &stem, 1.0)));
        clauses.push((Occur::Should, term(fields.head, &stem, HEAD)));
        if token.kind == Kind::Word {
            clauses.push((Occur::Should, term(fields.exact, &token.exact, EXACT)));
        }
    }
    for joined in joined(&sought.tokens) {
        clauses.push((Occur::Should, term(fields.stems, &stem(&joined.folded), 1.0)));
    }
    if tokens.len() > 1 {
        let terms = tokens.iter().map(|token| (token.position, words_term(fields, &token.folded))).collect();
        let in_order = PhraseQuery::new_with_offset(terms);
        clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(in_order), IN_ORDER))));
    }
}

fn term(field: Field, text: &str, weight: f32) -> Box<dyn Query> {
    let term = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::WithFreqs);
    if weight == 1.0 { Box::new(term) } else { Box::new(BoostQuery::new(Box::new(term), weight)) }
}

fn words_term(fields: &Fields, folded: &str) -> Term {
    Term::from_field_text(fields.words, folded)
}

/// A phrase query; `None` where the text has no words.
fn phrase(text: &str, prefix: bool, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Option<Box<dyn Query>>> {
    let tokens = analyzer::tokens(text);
    let bearing: Vec<_> = bearing(&tokens).collect();
    let prefix = prefix && bearing.last().is_some_and(|token| token.kind == Kind::Word);
    Ok(match bearing[..] {
        [] => None,
        [only] if prefix => {
            let mut any = vec![term(fields.words, &only.folded, 1.0)];
            let more = beginning_with(&only.folded, searcher, fields.words)?;
            any.extend(more.iter().map(|folded| term(fields.words, folded, PREFIX)));
            Some(Box::new(BooleanQuery::union(any)))
        }
        [only] => Some(term(fields.words, &only.folded, 1.0)),
        _ => {
            let terms = bearing.iter().map(|token| (token.position, words_term(fields, &token.folded))).collect();
            Some(if prefix {
                Box::new(PhrasePrefixQuery::new_with_offset(terms))
            } else {
                Box::new(PhraseQuery::new_with_offset(terms))
            })
        }
    })
}

/// The other spellings of the query's words in this index.
pub fn variants(query: &KeywordQuery, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Vec<Variant>> {
    let mut variants = Vec::new();
    for sought in sought(query) {
        let Some(last) = sought.tokens.iter().rev().find(|token| token.kind == Kind::Word) else { continue };
        let mut longer = Vec::new();
        if sought.prefix {
            longer = beginning_with(&last.folded, searcher, fields.words)?;
        }
        // `parrot` is no typo of `carrot`, even if the journal has no parrots.
        let may_be_typo = longer.is_empty() && bearing(&sought.tokens).count() == 1 && !is_spelt_right(&last.exact);
        let of = |weight| move |folded| Variant { word: sought.word, folded, weight };
        variants.extend(longer.into_iter().map(of(PREFIX)));
        if may_be_typo {
            variants.extend(typos(last, sought.prefix, searcher, fields)?.into_iter().map(of(TYPO)));
        }
    }
    Ok(variants)
}

/// The most frequent words of the index that begin with `prefix` (and are longer), without function words.
fn beginning_with(prefix: &str, searcher: &Searcher, field: Field) -> tantivy::Result<Vec<String>> {
    let mut found = HashMap::new();
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(field)?;
        let mut stream = inverted.terms().range().gt(prefix).into_stream()?;
        for _ in 0..DICTIONARY_STEPS {
            if !stream.advance() || !stream.key().starts_with(prefix.as_bytes()) {
                break;
            }
            count(&mut found, stream.key(), stream.value().doc_freq);
        }
    }
    Ok(commonest(found, PREFIXES))
}

/// The most frequent words of the index at an edit distance of one (or one swap) from a word that is rare or absent
/// itself.
fn typos(token: &Token, prefix: bool, searcher: &Searcher, fields: &Fields) -> tantivy::Result<Vec<String>> {
    let letters = token.folded.chars().count();
    if letters < TYPO_LETTERS || !token.folded.chars().all(char::is_alphabetic) {
        return Ok(Vec::new());
    }
    let own = searcher
        .doc_freq(&Term::from_field_text(fields.stems, &stem(&token.folded)))?
        .max(searcher.doc_freq(&words_term(fields, &token.folded))?);
    if own > RARE {
        return Ok(Vec::new());
    }
    let term = words_term(fields, &token.folded);
    let fuzzy = if prefix { FuzzyTermQuery::new_prefix(term, 1, true) } else { FuzzyTermQuery::new(term, 1, true) };
    let mut found = HashMap::new();
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(fields.words)?;
        let mut stream = inverted.terms().search(fuzzy.automaton()?).into_stream()?;
        for _ in 0..DICTIONARY_STEPS {
            if !stream.advance() {
                break;
            }
            count(&mut found, stream.key(), stream.value().doc_freq);
        }
    }
    found.retain(|folded, frequency| *folded != token.folded && *frequency >= own * TYPO_RATIO);
    Ok(commonest(found, TYPOS))
}

fn count(found: &mut HashMap<String, u64>, key: &[u8], doc_freq: u32) {
    if let Ok(word) = std::str::from_utf8(key) {
        match found.get_mut(word) {
            Some(frequency) => *frequency += u64::from(doc_freq),
            None => drop(found.insert(word.to_owned(), u64::from(doc_freq))),
        }
    }
}

fn commonest(mut found: HashMap<String, u64>, limit: usize) -> Vec<String> {
    found.retain(|word, _| !is_stop_word(word));
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(limit);
    found.into_iter().map(|(word, _)| word).collect()
}

/// Number of entries with a word (text, mood or tags, by stem): of its tokens, the rarest counts.
pub fn frequency(word: &str, searcher: &Searcher, fields: &Fields) -> tantivy::Result<u64> {
    let mut least = None;
    for token in bearing(&analyzer::tokens(word)) {
        let stem = stem(&token.folded);
        let mut frequency = 0;
        for field in [fields.stems, fields.head] {
            frequency = frequency.max(searcher.doc_freq(&Term::from_field_text(field, &stem))?);
        }
        least = Some(least.map_or(frequency, |least: u64| least.min(frequency)));
    }
    Ok(least.unwrap_or(0))
}
