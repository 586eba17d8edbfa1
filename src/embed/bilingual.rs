//! Text to rows of a table of English and Vietnamese: each word is read in the language of the words around it.
//!
//! "to", "me", "an", "con" are words of both languages, and most Vietnamese syllables are something else when typed without
//! accents. The cheapest sequence of languages decides (Viterbi): a word costs its rarity in a language, a change of language
//! a constant. A table without Vietnamese rows reads everything as English.

use std::{borrow::Cow, ops::Range, path::Path};

use super::{
    EmbedError, Result, VietnameseRows, damaged,
    vietnamese::{Vietnamese, Words, one_spelling, spelled_out, unaccented, without_marks},
    wordpiece::{self, Coverage, WordKind, WordPiece},
};

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Vietnamese,
    /// Vietnamese typed without accents.
    Unaccented,
}

const LANGUAGES: [Language; 3] = [Language::English, Language::Vietnamese, Language::Unaccented];
const VIETNAMESE: [Language; 2] = [Language::Vietnamese, Language::Unaccented];

/// The cost of a word of rank r, by Zipf's law: -ln p with p = 1 / (r + a) / b.
const ZIPF: [(f32, f32); 3] = [(50.0, 1.9), (10.0, 1.9), (10.0, 1.7)];
/// The cost of a word that a language does not have: about that of its rarest.
const UNKNOWN: f32 = 12.5;
/// The same where it has an accent that the language does not write.
const ACCENTED: f32 = 15.0;
/// What a change of language costs: one word alone changes nothing, two do.
const CHANGE: f32 = 4.5;
/// The same between both ways of writing Vietnamese.
const CHANGE_ACCENTS: f32 = 3.0;
/// What a text costs at the start that is typed without accents.
const START_UNACCENTED: f32 = 1.5;
/// What two syllables cost less that are one word.
const PAIR: f32 = 4.0;

/// The pieces of a table.
#[derive(Debug, Clone)]
pub struct Pieces {
    english: WordPiece,
    /// Pieces of one letter come first in a vocabulary and say nothing of frequency.
    letters: u32,
    vietnamese: Option<Vietnamese>,
    /// Each punctuation mark and symbol is a piece of its own, as in BERT.
    marks_apart: bool,
}

/// One run of a text.
#[derive(Debug, Clone)]
struct Run {
    kind: WordKind,
    stripped: bool,
    /// Bytes of the text.
    span: Range<usize>,
    /// In the buffer: without accents, with them, and as typed without accents.
    plain: Range<usize>,
    accented: Range<usize>,
    folded: Range<usize>,
    language: Language,
}

/// Memory that is used for many texts.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The rows of the text that was read last.
    pub rows: Vec<u32>,
    /// The bytes of the word of each row.
    pub spans: Vec<Range<usize>>,
    buffer: String,
    runs: Vec<Run>,
    steps: Vec<[Language; 3]>,
}

impl Pieces {
    /// Of the lines of a vocabulary: English pieces, then `accented` and `unaccented` Vietnamese words.
    pub fn new(text: Cow<'static, str>, accented: usize, unaccented: usize) -> Result<Self> {
        if accented + unaccented == 0 {
            return Ok(Self::of(WordPiece::new(text)?, None));
        }
        let lines = text.lines().count();
        let fault = || EmbedError::model("table", "the vocabulary has fewer lines than its card names");
        let english = lines.checked_sub(accented + unaccented).ok_or_else(fault)?;
        let ends = [english, english + accented].map(|lines| after_lines(&text, lines));
        let parts = [0..ends[0], ends[0]..ends[1], ends[1]..text.len()];
        let [english, accented, unaccented] = parts.map(|part| match &text {
            Cow::Borrowed(text) => Cow::Borrowed(&text[part]),
            Cow::Owned(text) => Cow::Owned(text[part].to_owned()),
        });
        let vietnamese = Vietnamese { accented: Words::new(accented)?, unaccented: Words::new(unaccented)? };
        Ok(Self::of(WordPiece::new(english)?, Some(vietnamese)))
    }

    /// Those of a vocabulary as its card names them. `origin` is for messages.
    pub fn of_card(
        text: Cow<'static, str>,
        vietnamese: Option<VietnameseRows>,
        size: usize,
        origin: &Path,
    ) -> Result<Self> {
        let (accented, unaccented) = vietnamese.map_or((0, 0), |rows| (rows.accented, rows.unaccented));
        let pieces = Self::new(text, accented, unaccented)?;
        match pieces.size() == size {
            true => Ok(pieces),
            false => Err(damaged(origin, format!("{} pieces where {size} are named", pieces.size()))),
        }
    }

    fn of(english: WordPiece, vietnamese: Option<Vietnamese>) -> Self {
        let is_letter = |number: &u32| {
            let piece = english.piece(*number);
            piece.strip_prefix(wordpiece::CONTINUES).unwrap_or(piece).chars().count() <= 1
        };
        let letters = (0..english.size() as u32).take_while(is_letter).count() as u32;
        Self { english, letters, vietnamese, marks_apart: false }
    }

    /// The same with each punctuation mark as a piece of its own.
    pub fn with_marks_apart(self) -> Self {
        Self { marks_apart: true, ..self }
    }

    /// Rows in all.
    pub fn size(&self) -> usize {
        let of = |words: &Vietnamese| words.accented.size() + words.unaccented.size();
        self.english.size() + self.vietnamese.as_ref().map_or(0, of)
    }

    /// Reads a text into `scratch.rows`. With `accents`, an English word that lost one may still count as known.
    pub fn read(&self, text: &str, accents: bool, scratch: &mut Scratch) -> Coverage {
        scratch.take(text);
        if let Some(vietnamese) = &self.vietnamese {
            scratch.choose(&self.english, self.letters, vietnamese);
        }
        self.rows(accents, scratch)
    }

    /// The same where the language is known.
    #[cfg(feature = "lab")]
    pub fn read_as(&self, language: Language, text: &str, scratch: &mut Scratch) {
        scratch.take(text);
        scratch.runs.iter_mut().for_each(|run| run.language = language);
        self.rows(true, scratch);
    }

    /// The row of a word by itself, or of two that are one word: lower case, composed. With `accents`, that of the same word
    /// without accents will do.
    pub fn row_of(&self, word: &str, accents: bool) -> Option<u32> {
        let english = |word: &str| self.english.number(false, word);
        if let Some(number) = english(word) {
            return Some(number);
        }
        if self.vietnamese.is_none() {
            return accents.then(|| english(&without_marks(word))).flatten();
        }
        let word = one_spelling(word);
        VIETNAMESE.into_iter().find_map(|language| self.row(language, |words| words.number(&word)))
    }

    /// Whether a word is a Vietnamese syllable and no English word.
    pub fn is_syllable(&self, word: &str) -> bool {
        let Some(vietnamese) = &self.vietnamese else { return false };
        let is_known = vietnamese.accented.number(&one_spelling(word)).is_some()
            || word.is_ascii() && vietnamese.unaccented.number(word).is_some();
        is_known && self.english.number(false, word).is_none()
    }

    /// The row of the one Vietnamese word that two words are, of which one is [such a syllable](Self::is_syllable).
    pub fn row_of_pair(&self, first: &str, second: &str) -> Option<u32> {
        let (first, second) = (one_spelling(first), one_spelling(second));
        VIETNAMESE.into_iter().find_map(|language| self.row(language, |words| words.pair(&first, &second)))
    }

    fn rows(&self, accents: bool, scratch: &mut Scratch) -> Coverage {
        let Scratch { rows, spans, buffer, runs, .. } = scratch;
        rows.clear();
        spans.clear();
        let mut coverage = Coverage::default();
        let mut rest = &runs[..];
        while let [run, after @ ..] = rest {
            let next = after.first().filter(|next| next.kind == run.kind && next.language == run.language);
            let mut span = run.span.clone();
            rest = after;
            match (run.kind, &self.vietnamese, run.language) {
                (WordKind::Letters, Some(_), Language::Vietnamese | Language::Unaccented) => {
                    let written = |run: &Run| &buffer[run.written()];
                    let pair = |next: &Run| self.row(run.language, |words| words.pair(written(run), written(next)));
                    if let Some(next) = next
                        && let Some(row) = pair(next)
                    {
                        rows.push(row);
                        coverage.add(&buffer[run.plain.clone()], true);
                        coverage.add(&buffer[next.plain.clone()], true);
                        (span.end, rest) = (next.span.end, &after[1..]);
                    } else {
                        self.vietnamese_word(run, buffer, rows, accents, &mut coverage);
                    }
                }
                (WordKind::Letters, ..) => self.english_word(run, buffer, rows, accents, &mut coverage),
                (WordKind::Other, ..) if self.marks_apart => {
                    let mut mark = [0; 4];
                    buffer[run.plain.clone()]
                        .chars()
                        .for_each(|c| _ = self.english.cut(c.encode_utf8(&mut mark), rows));
                }
                _ => _ = self.english.cut(&buffer[run.plain.clone()], rows),
            }
            spans.resize(rows.len(), span);
        }
        coverage
    }

    /// The row of a Vietnamese word by its number among the words that are written like it.
    fn row(&self, language: Language, number: impl FnOnce(&Words) -> Option<u32>) -> Option<u32> {
        let Vietnamese { accented, unaccented } = self.vietnamese.as_ref()?;
        let (words, first) = match language {
            Language::Unaccented => (unaccented, self.english.size() + accented.size()),
            _ => (accented, self.english.size()),
        };
        Some(number(words)? + first as u32)
    }

    fn vietnamese_word(&self, run: &Run, buffer: &str, rows: &mut Vec<u32>, accents: bool, coverage: &mut Coverage) {
        let plain = &buffer[run.plain.clone()];
        let before = rows.len();
        match self.row(run.language, |words| words.number(&buffer[run.written()])) {
            Some(row) => rows.push(row),
            // A name, or a word of another language.
            None => _ = self.english.cut(plain, rows),
        }
        let is_own = || rows[before] >= self.english.size() as u32;
        coverage.add(plain, rows.len() == before + 1 && (accents || !run.stripped || is_own()));
    }

    fn english_word(&self, run: &Run, buffer: &str, rows: &mut Vec<u32>, accents: bool, coverage: &mut Coverage) {
        let plain = &buffer[run.plain.clone()];
        let before = rows.len();
        // A Vietnamese name among English words; it does not count as known.
        let accented = &buffer[run.accented.clone()];
        let name = if run.stripped { self.row(Language::Vietnamese, |words| words.number(accented)) } else { None };
        match name {
            Some(row) => rows.push(row),
            None => _ = self.english.cut(plain, rows),
        }
        coverage.add(plain, rows.len() == before + 1 && (accents || !run.stripped));
    }
}

impl Run {
    /// The bytes in the buffer as its language writes it.
    fn written(&self) -> Range<usize> {
        match self.language {
            Language::English => self.plain.clone(),
            Language::Vietnamese => self.accented.clone(),
            Language::Unaccented => self.folded.clone(),
        }
    }
}

/// Bytes of the first lines of a text.
fn after_lines(text: &str, lines: usize) -> usize {
    text.split_inclusive('\n').take(lines).map(str::len).sum()
}

impl Scratch {
    /// Cuts a text into runs.
    fn take(&mut self, text: &str) {
        let Self { buffer, runs, .. } = self;
        buffer.clear();
        runs.clear();
        wordpiece::words(text, |word| {
            let mut keep = |text: &str| {
                let start = buffer.len();
                buffer.push_str(text);
                start..buffer.len()
            };
            let plain = keep(word.text);
            let (accented, folded) = if word.kind != WordKind::Letters {
                (plain.clone(), plain.clone())
            } else if let Some(whole) = spelled_out(word.text) {
                (keep(whole), keep(&unaccented(whole)))
            } else {
                let accented = if word.stripped { keep(&one_spelling(word.accented)) } else { plain.clone() };
                let folded = if word.text.is_ascii() { plain.clone() } else { keep(&word.text.replace('đ', "d")) };
                (accented, folded)
            };
            let (kind, stripped) = (word.kind, word.stripped);
            runs.push(Run { kind, stripped, span: word.span, plain, accented, folded, language: Language::English });
        });
    }

    /// Gives every run its language.
    fn choose(&mut self, english: &WordPiece, letters: u32, vietnamese: &Vietnamese) {
        let Self { buffer, runs, steps, .. } = self;
        let of = |rank: Option<u32>, language: usize| match rank {
            Some(rank) => (rank as f32 + ZIPF[language].0).ln() + ZIPF[language].1,
            None => UNKNOWN,
        };
        steps.clear();
        let mut costs = [0.0, 0.0, START_UNACCENTED];
        let mut before: Option<&Run> = None;
        for run in runs.iter() {
            let mut from = LANGUAGES;
            let mut next = costs;
            if run.kind != WordKind::Letters {
                before = None;
                steps.push(from);
                continue;
            }
            for (to, cost) in next.iter_mut().enumerate() {
                for (other, reached) in costs.iter().enumerate() {
                    let change = if to != 0 && other != 0 { CHANGE_ACCENTS } else { CHANGE };
                    if reached + change < *cost {
                        *cost = reached + change;
                        from[to] = LANGUAGES[other];
                    }
                }
            }
            let plain = &buffer[run.plain.clone()];
            let (accented, folded) = (&buffer[run.accented.clone()], &buffer[run.folded.clone()]);
            let foreign = run.stripped || !plain.is_ascii();
            let own = [
                if foreign { ACCENTED } else { of(english.number(false, plain).map(|n| n.saturating_sub(letters)), 0) },
                of(vietnamese.accented.number(accented), 1),
                if foreign { ACCENTED } else { of(vietnamese.unaccented.number(folded), 2) },
            ];
            next.iter_mut().zip(own).for_each(|(cost, own)| *cost += own);
            if let Some(before) = before {
                let pair =
                    |words: &Words, first: &Range<usize>, second: &str| words.pair(&buffer[first.clone()], second);
                if from[1] == Language::Vietnamese && pair(&vietnamese.accented, &before.accented, accented).is_some() {
                    next[1] -= PAIR;
                }
                if from[2] == Language::Unaccented && pair(&vietnamese.unaccented, &before.folded, folded).is_some() {
                    next[2] -= PAIR;
                }
            }
            before = Some(run);
            costs = next;
            steps.push(from);
        }
        let cheapest = (0..3).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).unwrap_or(0);
        let mut language = LANGUAGES[cheapest];
        for (run, from) in runs.iter_mut().zip(steps.iter()).rev() {
            run.language = language;
            language = from[language as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: [&str; 14] =
        ["t", "##o", "the", "to", "me", "an", "big", "dog", "and", "old", "tree", "do", "coffee", "con"];
    const ACCENTED: [&str; 10] = ["con", "to", "rất", "mèo", "cây", "hòa", "bình", "không", "hạnh phúc", "cà phê"];
    const UNACCENTED: [&str; 9] = ["con", "to", "rat", "meo", "cay", "hoa", "binh", "khong", "ca phe"];

    fn pieces() -> Pieces {
        let lines = [&ENGLISH[..], &ACCENTED, &UNACCENTED].concat();
        Pieces::new(lines.join("\n").into(), ACCENTED.len(), UNACCENTED.len()).unwrap()
    }

    /// The rows of a text as its words, with a mark for the language.
    fn read(text: &str) -> Vec<String> {
        let mut scratch = Scratch::default();
        pieces().read(text, false, &mut scratch);
        let word = |row: &u32| {
            let row = *row as usize;
            match row.checked_sub(ENGLISH.len()) {
                None => ENGLISH[row].to_owned(),
                Some(row) if row < ACCENTED.len() => format!("vi:{}", ACCENTED[row]),
                Some(row) => format!("un:{}", UNACCENTED[row - ACCENTED.len()]),
            }
        };
        scratch.rows.iter().map(word).collect()
    }

    fn share(text: &str) -> f64 {
        pieces().read(text, false, &mut Scratch::default()).share()
    }

    #[test]
    fn a_word_of_both_languages_is_read_in_the_language_around_it() {
        assert_eq!(read("the big dog and to me"), ["the", "big", "dog", "and", "to", "me"]);
        assert_eq!(read("con mèo rất to"), ["vi:con", "vi:mèo", "vi:rất", "vi:to"]);
        assert_eq!(read("con meo rat to"), ["un:con", "un:meo", "un:rat", "un:to"]);
        let mixed = read("con mèo rất to, and the old dog do the big tree");
        assert_eq!(mixed[..5], ["vi:con", "vi:mèo", "vi:rất", "vi:to", "and"]);
    }

    #[test]
    fn two_syllables_are_read_as_one_word_and_abbreviations_are_spelled_out() {
        assert_eq!(read("rất hạnh phúc, cà phê"), ["vi:rất", "vi:hạnh phúc", "vi:cà phê"]);
        assert_eq!(read("rất cà, phê"), ["vi:rất"], "not across a comma");
        assert_eq!(read("con mèo ko to"), ["vi:con", "vi:mèo", "vi:không", "vi:to"]);
        assert_eq!(read("hoà bình rất"), read("hòa bình rất"));
    }

    #[test]
    fn an_english_word_in_vietnamese_takes_its_english_row() {
        assert_eq!(read("con mèo rất coffee"), ["vi:con", "vi:mèo", "vi:rất", "coffee"]);
        assert_eq!(read("the dog and cây"), ["the", "dog", "and", "vi:cây"], "a Vietnamese name in English");
    }

    #[test]
    fn words_of_neither_language_count_as_unknown() {
        assert_eq!(share("con mèo rất to"), 1.0);
        assert_eq!(share("the big dog"), 1.0);
        assert!(share("der große hund schläft unter einem baum") < 0.1);
        assert!(share("the dog and xyzzy") < 1.0);
    }

    #[test]
    fn a_word_alone_has_a_row_of_the_language_that_knows_it() {
        let pieces = pieces();
        let first = ENGLISH.len() as u32;
        assert_eq!(pieces.row_of("con", false), Some(13), "English first");
        assert_eq!(pieces.row_of("mèo", false), Some(first + 3));
        assert_eq!(pieces.row_of("hoà", false), Some(first + 5));
        assert_eq!(pieces.row_of("meo", false), Some(first + ACCENTED.len() as u32 + 3));
        assert_eq!(pieces.row_of("xyzzy", false), None);
        assert_eq!(pieces.row_of_pair("hạnh", "phúc"), Some(first + 8));
        assert_eq!(pieces.row_of_pair("ca", "phe"), Some(first + ACCENTED.len() as u32 + 8));
        assert_eq!(pieces.row_of_pair("the", "dog"), None);
    }

    #[test]
    fn a_vocabulary_shorter_than_its_card_says_is_refused() {
        assert!(Pieces::new("a\nb\n".into(), 2, 1).is_err());
        assert_eq!(Pieces::new("a\nb\n".into(), 0, 0).unwrap().size(), 2);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_within_the_table(text in "(con |mèo|ca |phe |the |[a-zđạ ]{0,9}|, |12|🙂){0,20}") {
            let pieces = pieces();
            let mut scratch = Scratch::default();
            let coverage = pieces.read(&text, false, &mut scratch);
            proptest::prop_assert!(scratch.rows.iter().all(|row| (*row as usize) < pieces.size()));
            proptest::prop_assert!((0.0..=1.0).contains(&coverage.share()));
        }
    }
}
