//! The text to learn from: lines, and the training texts drawn from them.

use sha2::{Digest, Sha256};

use super::random::Random;
use crate::embed::hex;

/// One training text in so many is a short passage of neighbouring lines: entries are longer than sentences.
const PASSAGE_EVERY: usize = 8;
const PASSAGE_WORDS: usize = 70;
const LONGEST_LINE: usize = 1000;

/// Lines of plain text: one sentence, clause or dictionary line each.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    lines: Vec<String>,
    shuffled: bool,
}

impl Corpus {
    /// Adds the lines of a text; empty ones are left out, endless ones are cut.
    pub fn add(&mut self, text: &str) {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        self.lines.extend(lines.map(|line| line[..line.floor_char_boundary(LONGEST_LINE)].to_owned()));
    }

    /// Marks the lines as being in no order: neighbours make no passage.
    pub fn shuffled(self) -> Self {
        Self { shuffled: true, ..self }
    }

    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Hex SHA-256 of the lines.
    pub fn checksum(&self) -> String {
        let mut sum = Sha256::new();
        for line in &self.lines {
            sum.update(line);
            sum.update("\n");
        }
        hex(&sum.finalize())
    }

    /// At most `count` texts in random order, all sources mixed. A greater `count` gives the same texts and more.
    pub fn texts(&self, count: usize, seed: u64) -> Vec<String> {
        let mut random = Random::new(seed);
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        random.shuffle(&mut order);
        let texts = order.into_iter().take(count).enumerate();
        texts
            .map(|(at, line)| match at % PASSAGE_EVERY {
                0 if !self.shuffled => self.passage(line, 2 + random.below(4)),
                _ => self.lines[line].clone(),
            })
            .collect()
    }

    /// Up to `sentences` lines from `first` on.
    fn passage(&self, first: usize, sentences: usize) -> String {
        let mut passage = String::new();
        let mut words = 0;
        for line in self.lines[first..].iter().take(sentences) {
            words += line.split_whitespace().count();
            if words > PASSAGE_WORDS && !passage.is_empty() {
                break;
            }
            if !passage.is_empty() {
                passage.push(' ');
            }
            passage.push_str(line);
        }
        passage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        let mut corpus = Corpus::default();
        corpus.add(&(0..200).map(|at| format!("line {at}\n\n")).collect::<String>());
        corpus
    }

    #[test]
    fn more_texts_begin_with_the_same_texts() {
        let corpus = corpus();
        let some = corpus.texts(40, 1);
        assert_eq!(corpus.texts(120, 1)[..40], some);
        assert_ne!(corpus.texts(40, 2), some);
        assert_eq!(corpus.texts(1000, 1).len(), 200);
    }

    #[test]
    fn one_text_in_eight_is_a_passage_of_neighbours() {
        let texts = corpus().texts(160, 7);
        let passages: Vec<&String> = texts.iter().filter(|text| text.matches("line").count() > 1).collect();
        assert!((15..=20).contains(&passages.len()), "{}", passages.len());
        let numbers: Vec<usize> = passages[0].split(' ').filter_map(|word| word.parse().ok()).collect();
        assert!(numbers.windows(2).all(|two| two[1] == two[0] + 1));
    }

    #[test]
    fn shuffled_lines_make_no_passages() {
        assert!(corpus().shuffled().texts(160, 7).iter().all(|text| text.matches("line").count() == 1));
    }

    #[test]
    fn long_lines_do_not_make_long_passages() {
        let mut corpus = Corpus::default();
        corpus.add(&format!("{}\n", "word ".repeat(40)).repeat(20));
        assert!(corpus.texts(20, 1).iter().all(|text| text.split_whitespace().count() <= PASSAGE_WORDS));
    }
}
