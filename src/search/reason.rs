//! Reason of a hit: the parts of its score.

use std::ops::Range;

use super::{alike::Near, answer::Reason};
use crate::index::keyword::{Match, Matcher, analyzer::fold};

/// Maximum number of words in a reason; a line shows no more.
const WORDS: usize = 8;

/// The places of the query's words in an entry.
#[derive(Debug, Default)]
pub struct Found {
    /// In the body, by start.
    pub body: Vec<Match>,
    /// In mood and tags: the spelling, and the index of the query word.
    pub head: Vec<(String, usize)>,
}

impl Found {
    /// Searches the body and the values of the head.
    pub fn new<'a>(matcher: &Matcher, body: &str, head: impl Iterator<Item = &'a String>) -> Self {
        let head = head.flat_map(|text| {
            matcher.find(text).into_iter().filter_map(|found| Some((text[found.span].to_owned(), found.word?)))
        });
        Self { body: matcher.find(body), head: head.collect() }
    }

    /// Indices of the query words that were found.
    pub fn words(&self) -> impl Iterator<Item = usize> {
        self.body.iter().filter_map(|found| found.word).chain(self.head.iter().map(|(_, word)| *word))
    }
}

/// The reason with the entry's own words.
pub fn reason(found: &Found, body: &str, passage: Option<Range<usize>>, path: Vec<String>) -> Reason {
    let mut words: Vec<String> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    let spelt = found.body.iter().filter_map(|found| body.get(found.span.clone()));
    for word in spelt.chain(found.head.iter().map(|(word, _)| word.as_str())) {
        let folded = fold(word);
        if words.len() < WORDS && !seen.contains(&folded) {
            words.push(word.to_owned());
            seen.push(folded);
        }
    }
    Reason { words, passage: passage.filter(|span| body.get(span.clone()).is_some()), path, ..Reason::default() }
}

/// The query's words with their matching words in the entry.
pub fn alike(near: &[Near], words: &[String], body: &str) -> Vec<(String, String)> {
    let pair = |near: &Near| Some((words.get(near.word)?.clone(), body.get(near.span.clone())?.to_owned()));
    near.iter().filter_map(pair).take(WORDS).collect()
}
