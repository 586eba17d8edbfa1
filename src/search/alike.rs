//! Word similarity: the similarity of each query word to the closest word of an entry. Reranks the best of the fused
//! list.
//!
//! Late interaction with the maximum similarity of each word, as in ColBERT (Khattab and Zaharia, SIGIR 2020), over
//! vectors of single words. One vector for a whole passage loses similarities of word pairs (`pup` and `dog` .78,
//! `film` and `movie` .89, `dog` and `park` .09). Pure; independent of the legs.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
    ops::Range,
};

use super::term_weights::TermWeights;
use crate::{
    embed::WordVectors,
    index::{
        keyword::{
            Matcher,
            analyzer::{self, Kind, Token},
            is_function_word,
        },
        passage::part_read,
    },
};

/// Number of words in a block. A long entry is compared in windows of two blocks that overlap by one block. From 40 to
/// 150 words per window the judged journals differ by a point.
const BLOCK: usize = 50;
/// Cosine of unrelated words.
const NOTHING: f32 = 0.2;
/// Minimum similarity to report a word pair: synonyms have cosines from .65 to .9, opposites .3, words of one topic
/// below .5.
const SAID: f32 = 0.5;

/// Minimum cosine of a nearest word: in a small journal the nearest animal to `zebra` has .38, chance words .3.
const CLOSE: f32 = 0.33;

/// A word of the entry that matches a query word by similarity.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// Index of the query word.
    pub word: usize,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Similarity, up to 1.
    pub alike: f32,
}

/// Similarity of a text to the query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Likeness {
    /// From 0 to 1: the mean over the query words, by weight, of the similarity to the closest word of the best window.
    pub score: f32,
    /// Words of the text that are not in the query but similar to one of its words, in query order.
    pub near: Vec<Near>,
}

/// The query words, prepared for comparison with many texts.
pub struct Alike<'a> {
    vectors: &'a dyn WordVectors,
    matcher: &'a Matcher,
    sought: Vec<Sought>,
    /// Cache of the words compared so far: texts repeat their words.
    known: HashMap<String, Known, BuildHasherDefault<WordHasher>>,
    /// Buffer for the vector of the current word.
    vector: Vec<f32>,
    /// The previous word: it may form a compound with the next.
    last: Last,
}

/// A word of the text: its spelling, position and start offset.
#[derive(Default)]
struct Last {
    exact: String,
    position: usize,
    start: usize,
    may_join: bool,
}

/// A fast hash, because the map is queried for every word of every text; the map lives for one search only.
#[derive(Default)]
struct WordHasher(u64);

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let rest = rest.iter().fold(1, |sum, byte| sum << 8 | u64::from(*byte));
        for part in words.iter().map(|word| u64::from_le_bytes(*word)).chain([rest]) {
            self.0 = (self.0.rotate_left(23) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

struct Known {
    /// Index in `sought` if it is one of the query words itself.
    own: Option<usize>,
    /// Similarity to each of `sought`; empty for a function word and for a word without a vector.
    alike: Box<[f32]>,
    /// It may form a compound with its neighbour.
    may_join: bool,
}

struct Sought {
    word: usize,
    /// The weights of all words sum to 1.
    weight: f32,
    vector: Option<Vec<f32>>,
}

/// The closest word to each query word in one block.
type Block = Vec<(f32, Range<usize>)>;

impl<'a> Alike<'a> {
    /// `None` if no query word has content.
    pub fn new(
        vectors: &'a dyn WordVectors,
        words: &[String],
        matcher: &'a Matcher,
        weights: &TermWeights,
    ) -> Option<Self> {
        let counts = |(word, text): &(usize, &String)| matcher.sought().contains(word) || says_something(text);
        let counting: Vec<_> = words.iter().enumerate().filter(counts).collect();
        let total: f32 = counting.iter().map(|(word, _)| weights.rarity(*word)).sum();
        let sought = counting.into_iter().map(|(word, text)| Sought {
            word,
            weight: weights.rarity(word) / total,
            vector: vectors.word_vector(text),
        });
        let mut sought: Vec<Sought> = sought.collect();
        join_pairs(vectors, words, &mut sought);
        (total > 0.0).then(|| Self {
            vectors,
            matcher,
            sought,
            known: HashMap::default(),
            vector: Vec::new(),
            last: Last::default(),
        })
    }

    /// Linear in the text; each distinct word costs one dot product per query word, once.
    pub fn of(&mut self, text: &str) -> Likeness {
        let mut blocks: Vec<Block> = Vec::new();
        let mut count = 0;
        self.last.exact.clear();
        analyzer::analyze(part_read(text), &mut |token| {
            if count % BLOCK == 0 && token.kind == Kind::Word || blocks.is_empty() {
                blocks.push(vec![(0.0, 0..0); self.sought.len()]);
            }
            count += usize::from(token.kind == Kind::Word);
            if let Some(block) = blocks.last_mut() {
                self.look_at(token, block);
            }
        });
        let stretches = (0..blocks.len()).map(|at| {
            let next = blocks.get(at + 1).unwrap_or(&blocks[at]);
            let closest = blocks[at].iter().zip(next).map(|(a, b)| if b.0 > a.0 { b } else { a }).cloned();
            closest.collect::<Block>()
        });
        let worth = |stretch: &Block| {
            let shares = stretch.iter().zip(&self.sought).map(|((alike, _), sought)| alike * sought.weight);
            shares.sum::<f32>()
        };
        let best = stretches.map(|stretch| (worth(&stretch), stretch)).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((score, stretch)) = best else { return Likeness::default() };
        let near = stretch.into_iter().zip(&self.sought).filter(|((alike, _), _)| (SAID..1.0).contains(alike));
        Likeness { score, near: near.map(|((alike, span), sought)| Near { word: sought.word, span, alike }).collect() }
    }

    fn look_at(&mut self, token: &Token, block: &mut Block) {
        // Characters of other scripts have no spelling; only the matcher knows which query word they match.
        if token.kind != Kind::Word {
            return mark(block, self.place_of(token), &[], token.span.clone());
        }
        if !self.known.contains_key(&token.exact) {
            let alike = if is_function_word(&token.exact) { Box::default() } else { self.alike(&token.exact) };
            self.known.insert(
                token.exact.clone(),
                Known { own: self.place_of(token), alike, may_join: self.vectors.may_join(&token.exact) },
            );
        }
        let mut may_join = false;
        if let Some(known) = self.known.get(&token.exact) {
            mark(block, known.own, &known.alike, token.span.clone());
            may_join = known.may_join;
        }
        self.look_at_pair(token, may_join, block);
    }

    /// Compares this word and the previous one as a compound, if they form one.
    fn look_at_pair(&mut self, token: &Token, may_join: bool, block: &mut Block) {
        let last = &self.last;
        if (may_join || last.may_join)
            && last.position + 1 == token.position
            && !last.exact.is_empty()
            && self.vectors.read_pair(&last.exact, &token.exact, &mut self.vector)
        {
            let span = last.start..token.span.end;
            let alike = self.alike_to_vector();
            mark(block, None, &alike, span);
        }
        self.last.exact.clone_from(&token.exact);
        self.last.position = token.position;
        self.last.start = token.span.start;
        self.last.may_join = may_join;
    }

    fn place_of(&self, token: &Token) -> Option<usize> {
        let own = self.matcher.word_of(token)?;
        self.sought.iter().position(|sought| sought.word == own)
    }

    fn alike(&mut self, word: &str) -> Box<[f32]> {
        match self.vectors.read_word(word, &mut self.vector) {
            true => self.alike_to_vector(),
            false => Box::default(),
        }
    }

    /// Below 1 for any other word: only the query word itself counts in full.
    fn alike_to_vector(&self) -> Box<[f32]> {
        const OTHER: f32 = 0.999;
        let vector = &self.vector;
        let cosine = |sought: &Sought| sought.vector.as_ref().map_or(0.0, |own| product(own, vector));
        let of = |sought: &Sought| ((cosine(sought) - NOTHING) / (1.0 - NOTHING)).clamp(0.0, OTHER);
        self.sought.iter().map(of).collect()
    }
}

/// Gives both parts of a compound in the query the vector of the compound.
fn join_pairs(vectors: &dyn WordVectors, words: &[String], sought: &mut [Sought]) {
    let mut vector = Vec::new();
    let mut at = 0;
    while at + 1 < words.len() {
        let may_join = vectors.may_join(&words[at]) || vectors.may_join(&words[at + 1]);
        if !(may_join && vectors.read_pair(&words[at], &words[at + 1], &mut vector)) {
            at += 1;
            continue;
        }
        for sought in sought.iter_mut().filter(|sought| (at..at + 2).contains(&sought.word)) {
            sought.vector = Some(vector.clone());
        }
        at += 2;
    }
}

/// Includes words that are not searched: a match of `go` by spelling decides nothing, but it is close to `travel`.
/// Without these words recall@10 on judged conversations is a point lower.
fn says_something(word: &str) -> bool {
    analyzer::tokens(word).iter().any(|token| token.kind == Kind::Word && !is_function_word(&token.exact))
}

/// Adds a word to a block: in full if it is the query word itself, else by its similarity.
fn mark(block: &mut Block, own: Option<usize>, alike: &[f32], span: Range<usize>) {
    for (best, alike) in block.iter_mut().zip(alike) {
        if *alike > best.0 {
            *best = (*alike, span.clone());
        }
    }
    if let Some(place) = own {
        block[place] = (1.0, span);
    }
}

/// The word of some texts that is closest in meaning to a word; `None` if none is near.
pub fn nearest_word<'t>(vectors: &dyn WordVectors, word: &str, texts: impl Iterator<Item = &'t str>) -> Option<String> {
    let (sought, mut vector) = (vectors.word_vector(word)?, Vec::new());
    let words = texts.flat_map(analyzer::tokens).map(|token| token.exact).filter(|word| !is_function_word(word));
    let mut cosine = |word: &String| vectors.read_word(word, &mut vector).then(|| product(&sought, &vector));
    let near = words.filter_map(|word| Some((cosine(&word)?, word))).filter(|(cosine, _)| *cosine >= CLOSE);
    near.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, word)| word)
}

/// Several partial sums, which the compiler can vectorise.
fn product(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0f32; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::keyword::{KeywordQuery, KeywordView};

    /// Three topics; `film` and `movie` are close.
    #[derive(Debug)]
    struct Matters;

    impl WordVectors for Matters {
        fn read_word(&self, word: &str, vector: &mut Vec<f32>) -> bool {
            *vector = match word {
                "film" => vec![1.0, 0.0, 0.0],
                "movie" => vec![0.8, 0.6, 0.0],
                "evening" => vec![0.0, 0.6, 0.8],
                "rain" => vec![0.0, 0.0, 1.0],
                _ => return false,
            };
            true
        }

        fn may_join(&self, word: &str) -> bool {
            word == "ảnh"
        }

        fn read_pair(&self, first: &str, second: &str, vector: &mut Vec<f32>) -> bool {
            let film = (first, second) == ("phim", "ảnh") || (first, second) == ("điện", "ảnh");
            if film {
                *vector = vec![1.0, 0.0, 0.0];
            }
            film
        }
    }

    #[test]
    fn the_nearest_word_of_some_texts_is_found_and_a_distant_one_is_none() {
        let near = |word, texts: &[&str]| nearest_word(&Matters, word, texts.iter().copied());
        assert_eq!(near("film", &["An evening with a movie", "rain"]).as_deref(), Some("movie"));
        assert_eq!(near("evening", &["A movie in the rain."]).as_deref(), Some("rain"));
        assert_eq!(near("film", &["rain"]), None);
        assert_eq!(near("unknown", &["rain"]), None);
    }

    fn likenesses(words: &[&str], texts: &[&str]) -> Vec<Likeness> {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        let query = KeywordQuery { words: words.clone(), ..KeywordQuery::default() };
        let matcher = KeywordView::in_memory([]).unwrap().matcher(&query);
        let rarities = words.iter().map(|word| (word.clone(), 1)).collect();
        let weights = TermWeights::new(&words, matcher.sought(), &rarities, 100);
        let mut alike = Alike::new(&Matters, &words, &matcher, &weights).unwrap();
        texts.iter().map(|text| alike.of(text)).collect()
    }

    #[test]
    fn the_word_itself_counts_most_and_a_like_word_more_than_another() {
        let found = likenesses(&["film"], &["The film was long.", "A movie!", "Rain all day.", "", "Xyzzy."]);
        let scores: Vec<f32> = found.iter().map(|found| found.score).collect();
        assert!((scores[1] - 0.75).abs() < 1e-5, "{scores:?}");
        assert_eq!([scores[0], scores[2], scores[3], scores[4]], [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(
            found[1].near,
            [Near { word: 0, span: 2..7, alike: found[1].near[0].alike }],
            "the word that stands for it is named"
        );
        assert!(found[0].near.is_empty(), "the word itself needs no naming");
    }

    #[test]
    fn two_syllables_that_are_one_word_are_compared_as_one() {
        let found = likenesses(&["film"], &["Hôm qua xem phim ảnh.", "Phim hay, ảnh xấu."]);
        assert!(found[0].score > 0.99 && found[0].near[0].span == (13..23), "{found:?}");
        assert_eq!(found[1].score, 0.0, "words between them");
        assert!(likenesses(&["điện", "ảnh"], &["A movie."])[0].score > 0.7);
    }

    #[test]
    fn every_word_of_the_query_has_its_say() {
        let found = likenesses(&["film", "rain"], &["The movie in the rain.", "Rain.", "Film."]);
        assert!(found[0].score > found[1].score && (found[0].score - 0.875).abs() < 1e-5, "{found:?}");
        assert_eq!(found[1].score, found[2].score);
    }

    #[test]
    fn what_lies_far_apart_does_not_count_together() {
        let far = format!("Film. {} Rain.", "Xyzzy ".repeat(3 * BLOCK));
        let near = format!("Film. {} Rain.", "Xyzzy ".repeat(BLOCK / 2));
        let found = likenesses(&["film", "rain"], &[&far, &near]);
        assert_eq!(found[0].score, 0.5);
        assert_eq!(found[1].score, 1.0);
    }

    #[test]
    fn function_words_alone_are_compared_by_spelling() {
        assert_eq!(likenesses(&["xyzzy"], &["movie xyzzy"])[0].score, 1.0);
    }
}
