//! A WordPiece vocabulary learned from a corpus: pairs of pieces are joined, the most frequent pair first.
//!
//! Byte-pair merging (Sennrich et al. 2016) with `##` marks. Ties are settled by the pieces' numbers, so the same
//! corpus always gives the same vocabulary.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap},
};

use crate::embed::wordpiece::{self, CONTINUES};

/// A pair that occurs less often is not joined, a letter that does is not in the alphabet.
const FEWEST: i64 = 2;
/// Other letters of a corpus with more are too rare to learn from.
const ALPHABET: usize = 1000;

type Pair = (u32, u32);

/// A word under construction: its pieces, and how often it occurs.
struct Word {
    pieces: Vec<u32>,
    count: i64,
}

#[derive(Default)]
struct Trainer {
    pieces: Vec<String>,
    numbers: HashMap<String, u32>,
    words: Vec<Word>,
    counts: HashMap<Pair, i64>,
    /// The words in which a pair occurs, or did.
    places: HashMap<Pair, BTreeSet<u32>>,
}

/// The pieces, at most `rows`: the alphabet first, then in the order in which they were joined.
pub fn learn(lines: &[String], rows: usize) -> Vec<String> {
    let words = count_words(lines);
    let mut trainer = Trainer::default();
    let alphabet = alphabet(&words);
    trainer.start(&words, &alphabet);
    trainer.join(rows);
    trainer.pieces.truncate(rows);
    trainer.pieces
}

fn count_words(lines: &[String]) -> BTreeMap<String, i64> {
    let mut words: HashMap<String, i64> = HashMap::new();
    for line in lines {
        wordpiece::words(line, |word| {
            // `#` could not be told from the mark.
            if !word.text.contains('#') {
                match words.get_mut(word.text) {
                    Some(count) => *count += 1,
                    None => _ = words.insert(word.text.to_owned(), 1),
                }
            }
        });
    }
    words.into_iter().collect()
}

fn alphabet(words: &BTreeMap<String, i64>) -> BTreeSet<char> {
    let mut letters: BTreeMap<char, i64> = BTreeMap::new();
    for (word, count) in words {
        word.chars().for_each(|c| *letters.entry(c).or_default() += count);
    }
    let mut letters: Vec<(char, i64)> = letters.into_iter().filter(|(_, count)| *count >= FEWEST).collect();
    letters.sort_by_key(|(c, count)| (Reverse(*count), *c));
    letters.into_iter().take(ALPHABET).map(|(c, _)| c).collect()
}

impl Trainer {
    fn number(&mut self, piece: String) -> u32 {
        if let Some(number) = self.numbers.get(&piece) {
            return *number;
        }
        let number = self.pieces.len() as u32;
        self.pieces.push(piece.clone());
        self.numbers.insert(piece, number);
        number
    }

    fn start(&mut self, words: &BTreeMap<String, i64>, alphabet: &BTreeSet<char>) {
        for c in alphabet {
            self.number(c.to_string());
            self.number(format!("{CONTINUES}{c}"));
        }
        for (word, count) in words {
            if !word.chars().all(|c| alphabet.contains(&c)) {
                continue;
            }
            let marks = std::iter::once("").chain(std::iter::repeat(CONTINUES));
            let pieces = word.chars().zip(marks).map(|(c, mark)| self.number(format!("{mark}{c}"))).collect();
            self.words.push(Word { pieces, count: *count });
        }
        for at in 0..self.words.len() {
            self.tally(at, 1);
        }
    }

    /// Adds (or takes away) the pairs of a word.
    fn tally(&mut self, at: usize, sign: i64) {
        let word = &self.words[at];
        for pair in word.pieces.windows(2).map(|two| (two[0], two[1])) {
            *self.counts.entry(pair).or_default() += sign * word.count;
            if sign > 0 {
                self.places.entry(pair).or_default().insert(at as u32);
            }
        }
    }

    fn join(&mut self, rows: usize) {
        let mut best: BinaryHeap<(i64, Reverse<Pair>)> =
            self.counts.iter().map(|(pair, count)| (*count, Reverse(*pair))).collect();
        while self.pieces.len() < rows {
            let Some((count, Reverse(pair))) = best.pop() else { return };
            let now = self.counts.get(&pair).copied().unwrap_or(0);
            if now != count {
                // Counted before an earlier join took some of it; what is left has been pushed anew.
                continue;
            }
            if count < FEWEST {
                return;
            }
            for changed in self.replace(pair) {
                if let Some(count) = self.counts.get(&changed) {
                    best.push((*count, Reverse(changed)));
                }
            }
        }
    }

    /// Joins a pair wherever it occurs. The answer: all pairs whose count has changed.
    fn replace(&mut self, pair: Pair) -> BTreeSet<Pair> {
        let right = self.pieces[pair.1 as usize].strip_prefix(CONTINUES).unwrap_or_default();
        let joined = format!("{}{right}", self.pieces[pair.0 as usize]);
        let joined = self.number(joined);
        let mut changed = BTreeSet::new();
        for at in self.places.remove(&pair).unwrap_or_default() {
            let at = at as usize;
            self.tally(at, -1);
            let old = &self.words[at].pieces;
            changed.extend(old.windows(2).map(|two| (two[0], two[1])));
            let mut new = Vec::with_capacity(old.len());
            let mut next = 0;
            while next < old.len() {
                if next + 1 < old.len() && (old[next], old[next + 1]) == pair {
                    new.push(joined);
                    next += 2;
                } else {
                    new.push(old[next]);
                    next += 1;
                }
            }
            changed.extend(new.windows(2).map(|two| (two[0], two[1])));
            self.words[at].pieces = new;
            self.tally(at, 1);
        }
        self.counts.retain_nonzero(&changed);
        changed
    }
}

trait RetainNonzero {
    fn retain_nonzero(&mut self, pairs: &BTreeSet<Pair>);
}

impl RetainNonzero for HashMap<Pair, i64> {
    /// Forgets pairs that no longer occur.
    fn retain_nonzero(&mut self, pairs: &BTreeSet<Pair>) {
        for pair in pairs {
            if self.get(pair) == Some(&0) {
                self.remove(pair);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn frequent_words_become_whole_pieces() {
        let corpus = lines(&"the river by the hill\nthe river runs\n".repeat(10));
        let pieces = learn(&corpus, 200);
        for word in ["the", "river", "hill", "runs", "by"] {
            assert!(pieces.iter().any(|piece| piece == word), "{word}");
        }
        let mut once = pieces.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), pieces.len());
        assert_eq!(learn(&corpus, 200), pieces);
    }

    #[test]
    fn the_most_frequent_pair_is_joined_first_and_the_size_is_kept() {
        let corpus = lines(&format!("{}{}", "ab\n".repeat(5), "cd\n".repeat(3)));
        let alphabet = 8;
        assert_eq!(learn(&corpus, alphabet + 1)[alphabet..], ["ab"]);
        assert_eq!(learn(&corpus, alphabet + 9)[alphabet..], ["ab", "cd"]);
        assert_eq!(learn(&corpus, 3).len(), 3);
    }

    #[test]
    fn what_occurs_once_is_not_learned() {
        let pieces = learn(&lines("aaaa bbbb\naaaa zq\n# ## ##a #\n"), 100);
        assert!(pieces.iter().any(|piece| piece == "aaaa"));
        assert!(pieces.iter().all(|piece| !piece.contains('z') && piece != "bbbb"));
        assert!(pieces.iter().all(|piece| !piece.trim_start_matches(CONTINUES).contains('#')));
    }
}
