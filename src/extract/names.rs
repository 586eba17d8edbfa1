//! Names by capitalisation: certain ones within a sentence, candidates at its start.
//!
//! The rules are for scripts with upper and lower case. A run of capitalised words is a name if the sentence did not
//! require the capital; otherwise it is a candidate, which other entries confirm.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::{
    CONNECTORS, GAZETTEER, Gap, LineStyle, Mention, MentionSource, NOT_NAMES, ORDINARY, Shape, TITLES, Word, base_form,
    feelings::may_name_feeling,
    fold,
    fold::is_vietnamese,
    fold_case, kind_votes,
    plain_names::is_event_phrase,
    text::{Text, span, without_possessive},
    times::DATE_WORDS,
    unaccented::{BARE, is_english},
    unaccented_names::{is_syllable, is_unaccented, unaccented_names},
};
use crate::journal::EntityKind;

/// Maximum number of capitalised words of a name; more are a heading or a list.
const MOST_WORDS: usize = 6;
/// Maximum length of an acronym; longer words in capitals are emphasis.
const LONGEST_SHORT_FORM: usize = 5;
/// Minimum length of a name in lower case.
const SHORTEST_LOWER_CASE: usize = 3;
/// Number of words to either side that tell of the language of one.
const NEARBY: usize = 3;

/// All names and candidates of a text, in order. A candidate of several words is followed by the same without its first
/// word, which may not be part of the name (`Thanked Linh`).
pub(super) fn names(text: &Text<'_>) -> Vec<Mention> {
    let reader = Reader { text, unaccented: is_unaccented(text) };
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.words.len() {
        at = match reader.run(at) {
            Some(run) => {
                reader.mentions(&run, &mut found);
                run.end
            }
            None => reader.lower_case(at, &mut found),
        };
    }
    found.extend(unaccented_names(text, &found, reader.unaccented));
    found
}

struct Reader<'a> {
    text: &'a Text<'a>,
    /// Vietnamese without accents.
    unaccented: bool,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &Word {
        &self.text.words[at]
    }

    fn written(&self, at: usize) -> &str {
        self.text.written(at)
    }

    /// Without a possessive ending, for lookup in the lists.
    fn key(&self, at: usize) -> &str {
        self.text.bare_key(at)
    }

    fn style(&self, at: usize) -> LineStyle {
        self.text.lines.get(self.word(at).line as usize).copied().unwrap_or_default()
    }

    /// The longest run of words that starts at `first`.
    fn run(&self, first: usize) -> Option<Range<usize>> {
        if !self.may_begin(first) {
            return None;
        }
        let mut end = first + 1;
        while end - first < MOST_WORDS
            && (!self.text.is_possessive(end - 1) || self.ends_place(end) || self.is_of_many(end - 1))
        {
            match self.next_part(end) {
                Some(next) => end = next,
                None => break,
            }
        }
        let only_initial = end == first + 1 && self.word(first).shape == Shape::Initial;
        (!only_initial).then_some(first..end)
    }

    fn may_begin(&self, at: usize) -> bool {
        let word = self.word(at);
        let capital = match word.shape {
            _ if self.text.is_marked(at) => false,
            Shape::Capital => true,
            Shape::AllCapitals => self.is_short_form(at),
            Shape::Initial => self.text.words.get(at + 1).is_some_and(|next| next.gap == Gap::Space),
            Shape::Lower | Shape::Other => false,
        };
        if !capital || self.style(at).shouts() {
            return false;
        }
        let key = self.key(at);
        let next = self.text.words.get(at + 1).filter(|next| next.gap == Gap::Space);
        let before_capital = next.is_some_and(|next| next.shape == Shape::Capital);
        let title = TITLES.any.contains(key) && next.is_some() || TITLES.short.contains(key) && before_capital;
        let ranked = TITLES.part.contains(key) && before_capital;
        let at_start = word.gap == Gap::Sentence && !ranked;
        let starter =
            at_start && (NOT_NAMES.starts(key) || NOT_NAMES.alone.contains(key) || self.is_lower_title(at, key));
        // "Tiếng Anh": English.
        let is_language = at > 0 && self.key(at - 1) == "tiếng" && NOT_NAMES.languages.contains(key);
        let is_month = NOT_NAMES.months.contains(key) && at > 0 && DATE_WORDS.before.contains(self.key(at - 1));
        !(title
            || starter
            || is_language
            || is_month
            || self.is_break(at)
            || is_event_phrase(self.text, at)
            || self.opens_compound(at))
    }

    /// "Giao thừa", "Lương tháng": the capital of a sentence on an ordinary word of two syllables.
    fn opens_compound(&self, at: usize) -> bool {
        let next = self.text.words.get(at + 1).filter(|next| next.gap == Gap::Space && next.shape == Shape::Lower);
        self.word(at).gap == Gap::Sentence
            && next.is_some_and(|_| BARE.compounds.contains(&format!("{} {}", self.key(at), self.key(at + 1))))
    }

    /// `Anh Hùng` at the start of a sentence: the first word is only a title.
    fn is_lower_title(&self, at: usize, key: &str) -> bool {
        TITLES.lower.contains(key)
            && self.text.words.get(at + 1).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Capital)
    }

    /// The end of the name's continuation: one more capitalised word, with up to two connecting words before it.
    fn next_part(&self, at: usize) -> Option<usize> {
        let word = self.text.words.get(at)?;
        match word.gap {
            Gap::Space => {}
            Gap::Ampersand => return self.continues(at).then_some(at + 1),
            Gap::Break | Gap::Sentence => return None,
        }
        if self.continues(at) {
            return Some(at + 1);
        }
        let mut next = at;
        while next < at + 2 && self.text.words.get(next)?.shape == Shape::Lower && self.connects(next, next > at) {
            next += 1;
        }
        let joined = next > at && self.text.words.get(next)?.gap == Gap::Space && self.continues(next);
        joined.then_some(next + 1)
    }

    fn connects(&self, at: usize, second: bool) -> bool {
        let word = self.written(at);
        self.word(at).gap == Gap::Space && (CONNECTORS.contains(word) || (second && word == "the"))
    }

    fn continues(&self, at: usize) -> bool {
        let word = self.word(at);
        let capital = match word.shape {
            _ if self.text.is_marked(at) => false,
            Shape::Capital => true,
            Shape::Initial => self.written(at) != "I",
            Shape::AllCapitals => self.is_short_form(at),
            Shape::Lower | Shape::Other => false,
        };
        capital && !self.is_break(at)
    }

    /// Whether the word is never part of a name. An English one may be a Vietnamese name inside a Vietnamese sentence:
    /// `với My`, `Hà My`.
    fn is_break(&self, at: usize) -> bool {
        let key = self.key(at);
        let vietnamese = is_english(key)
            && self.word(at).gap == Gap::Space
            && self.word(at).shape == Shape::Capital
            && at > 0
            && is_vietnamese(&self.text.keys[at - 1]);
        is_break(key) && !vietnamese
    }

    /// A few words in capitals among others.
    fn is_short_form(&self, at: usize) -> bool {
        let shouted = |word: Option<&Word>| word.is_some_and(|word| word.shape == Shape::AllCapitals);
        let before = at.checked_sub(1).and_then(|before| self.text.words.get(before));
        let text = without_possessive(self.written(at));
        text.chars().count() <= LONGEST_SHORT_FORM
            && !shouted(before.filter(|_| self.word(at).gap < Gap::Break))
            && !shouted(self.text.words.get(at + 1).filter(|next| next.gap < Gap::Break))
            && !NOT_NAMES.starts(&fold_case(text))
    }

    /// "Lincoln's Inn", "St. James's Park": a possessive within the name of a place.
    fn ends_place(&self, at: usize) -> bool {
        self.text.words.get(at).is_some_and(|word| word.gap == Gap::Space && word.shape == Shape::Capital)
            && GAZETTEER.ends.get(self.key(at)) == Some(&EntityKind::Place)
    }

    /// Whether a word is an irregular plural, which names no person: "Men's Shed", "Children's Hospital".
    fn is_of_many(&self, at: usize) -> bool {
        base_form(self.key(at)) != self.key(at)
    }

    fn mentions(&self, run: &Range<usize>, found: &mut Vec<Mention>) {
        let kind = self.titled(run.start).then_some(EntityKind::Person);
        let guess = kind_votes::kind(self.text, run);
        let asked_for = self.word(run.start).gap == Gap::Sentence || self.style(run.start).is_title();
        let key = self.key(run.start);
        if asked_for
            && self.unaccented
            && run.len() == 1
            && (BARE.syllables.contains(key) || BARE.also_names.contains(key))
        {
            return;
        }
        if !asked_for || kind.is_some() || self.stands_out(run) {
            self.mention(run.clone(), kind, guess, MentionSource::Capitals, found);
            return;
        }
        // "Kids ran home": what an ordinary word does is no evidence of a name.
        let is_given = GAZETTEER.first_names.contains(key) && !self.beside_accents(run.start);
        let guess = guess.filter(|_| run.len() > 1 || is_given || !ORDINARY.names_nobody(key));
        self.mention(run.clone(), None, guess, MentionSource::SentenceStart, found);
        let rest = run.start + 1..run.end;
        if !rest.is_empty() && self.text.follows(rest.start) && self.word(rest.start).shape == Shape::Capital {
            let source = if self.stands_out(&rest) { MentionSource::Capitals } else { MentionSource::SentenceStart };
            self.mention(rest.clone(), None, kind_votes::kind(self.text, &rest), source, found);
        }
    }

    /// A name even at the start of a sentence: a well-known one, or one whose first word is no ordinary word.
    fn stands_out(&self, run: &Range<usize>) -> bool {
        let key = self.key(run.start);
        if GAZETTEER.names.at(self.text, run.start).is_some_and(|(words, _)| words == run.len()) && !ORDINARY.has(key) {
            return true;
        }
        let known_phrase =
            run.len() > 1 && GAZETTEER.names.at(self.text, run.start).is_some_and(|(words, _)| words == run.len());
        // "Rang Mum": a form of an ordinary word.
        let is_ordinary = ORDINARY.names_nobody(key)
            || ORDINARY.has(base_form(key))
            || may_name_feeling(key)
            || ORDINARY.has_past(key);
        let english = key.is_ascii() && key.len() > 2 && !self.beside_accents(run.start);
        let unknown = english && !is_ordinary && self.word(run.start).shape == Shape::Capital;
        known_phrase || ((unknown || GAZETTEER.first_names.contains(key)) && !ORDINARY.has(key))
    }

    /// `Dr. Chen`, `aunt May`, `anh Hùng`: the word before marks a person.
    fn titled(&self, first: usize) -> bool {
        let Some(before) = first.checked_sub(1).filter(|_| self.text.follows(first)) else { return false };
        let key = self.key(before);
        let word = self.word(before);
        let lower = word.shape == Shape::Lower || word.gap == Gap::Sentence;
        TITLES.comes_before(key) || (lower && TITLES.lower.contains(key))
    }

    /// The title before a surname that is part of the name.
    fn kept_title(&self, surname: usize) -> Option<usize> {
        let before = surname.checked_sub(1).filter(|_| self.text.follows(surname))?;
        // "Miss Anna so much": a verb.
        let is_verb = self.key(before) == "miss" && self.word(before).gap == Gap::Sentence;
        let is_title = self.word(before).shape == Shape::Capital && TITLES.kept.contains(self.key(before));
        // "Chú Năm", "thím Năm": an uncle and an aunt.
        let is_numbered = TITLES.lower.contains(self.key(before)) && TITLES.before_a_name.contains(self.key(surname));
        (is_title && !is_verb || is_numbered).then_some(before)
    }

    fn mention(
        &self,
        run: Range<usize>,
        kind: Option<EntityKind>,
        guess: Option<EntityKind>,
        source: MentionSource,
        found: &mut Vec<Mention>,
    ) {
        let mut start = self.word(run.start).span.start;
        let last = &self.word(run.end - 1).span;
        let end = last.start + without_possessive(&self.text.body[last.clone()]).len();
        let single = run.len() == 1;
        let nameless = run.clone().all(|at| NOT_NAMES.alone.contains(self.key(at)));
        if end <= start || (nameless && kind.is_none()) || (single && self.is_bare_title(run.start)) {
            return;
        }
        if single && source == MentionSource::SentenceStart && self.also_lower_case(run.start) {
            return;
        }
        let mut name = spelled(&self.text.body[start..end]);
        if single
            && source == MentionSource::Capitals
            && let Some(title) = self.kept_title(run.start)
        {
            start = self.word(title).span.start;
            // One name in and at the start of a sentence.
            let is_lower = TITLES.lower.contains(self.key(title));
            let written = if is_lower { self.key(title) } else { self.written(title).trim_end_matches('.') };
            name = format!("{written} {name}");
        }
        found.push(Mention { name, kind, guess, span: span(&(start..end)), source });
    }

    /// "My Lady", "Captain": a title without a name, unless it is a unique office ("the King").
    fn is_bare_title(&self, at: usize) -> bool {
        let key = self.key(at);
        TITLES.has(key) && !(TITLES.office.contains(key) && kind_votes::is_behind_the(self.text, at))
    }

    /// Whether the same entry has the word in lower case: then its capital is due to the sentence.
    fn also_lower_case(&self, at: usize) -> bool {
        let key = self.key(at);
        self.text.keys.iter().zip(&self.text.words).any(|(other, word)| word.shape == Shape::Lower && other == key)
    }

    /// A name in lower case: no ordinary word, or several words of a well-known name. Returns the position to continue
    /// at.
    fn lower_case(&self, at: usize, found: &mut Vec<Mention>) -> usize {
        let word = self.word(at);
        let key = self.key(at);
        if word.shape != Shape::Lower || self.style(at).shouts() {
            return at + 1;
        }
        // In lower case a Vietnamese brand or feast is as often what it means: "ngôi sao", "rước dâu".
        let known = GAZETTEER.names.at(self.text, at).filter(|(_, kind)| key.is_ascii() || **kind == EntityKind::Place);
        let known = known.filter(|(words, _)| {
            if *words == 1 && self.beside_syllables(at) {
                return false;
            }
            let ordinary = (at..at + words).all(|at| ORDINARY.names_nobody(self.key(at)));
            !ordinary && (at..at + words).all(|at| self.word(at).shape == Shape::Lower)
        });
        if let Some((words, kind)) = known {
            self.mention(at..at + words, None, Some(*kind), MentionSource::LowerCase, found);
            return at + words;
        }
        if let Some(before) = at.checked_sub(1).filter(|_| !key.is_ascii() && self.is_titled_syllable(at)) {
            let phrase = format!("{} {key}", self.key(before));
            let plain = fold(key);
            let everyday =
                BARE.syllables.contains(&plain) && !BARE.also_names.contains(plain.as_str()) || ORDINARY.has(key);
            if !BARE.compounds.contains(&phrase) && !everyday {
                self.mention(at..at + 1, None, None, MentionSource::LowerCase, found);
            }
            return at + 1;
        }
        // Among Vietnamese syllables any word may be an ordinary one.
        let plain = key.is_ascii() && !self.unaccented && key.len() >= SHORTEST_LOWER_CASE;
        let is_foreign = || self.beside_accents(at) || self.beside_syllables(at);
        if plain && key.chars().all(char::is_alphabetic) && !ORDINARY.names_nobody(key) && !is_foreign() {
            let given = GAZETTEER.first_names.contains(key);
            self.mention(at..at + 1, None, given.then_some(EntityKind::Person), MentionSource::LowerCase, found);
        }
        at + 1
    }

    /// `cô hạnh`: a word behind a title, both in lower case.
    fn is_titled_syllable(&self, at: usize) -> bool {
        let before = &self.text.words[at - 1];
        self.text.follows(at) && before.shape == Shape::Lower && TITLES.lower.contains(self.key(at - 1))
    }

    /// Whether a word nearby in the sentence is Vietnamese: then the English word lists are no evidence.
    fn beside_accents(&self, at: usize) -> bool {
        self.nearby(at).any(|near| is_vietnamese(&self.text.keys[near]))
    }

    /// Whether a syllable is among those of Vietnamese without accents, also in a text too short to tell its language.
    fn beside_syllables(&self, at: usize) -> bool {
        let is_sure = |near: usize| is_syllable(self.key(near)) && !ORDINARY.has(self.key(near));
        is_syllable(self.key(at))
            && !self.nearby(at).any(|near| is_english(self.key(near)))
            && self.nearby(at).any(is_sure)
    }

    fn nearby(&self, at: usize) -> impl Iterator<Item = usize> {
        let in_sentence = |at: &usize| self.word(*at).gap < Gap::Sentence;
        let behind = (at + 1..self.text.words.len()).take_while(in_sentence).take(NEARBY);
        behind.chain((0..=at).rev().take_while(in_sentence).map(|at| at - 1).take(NEARBY))
    }
}

fn is_break(key: &str) -> bool {
    NOT_NAMES.breaks.contains(key) || key.split_once('-').is_some_and(|(first, _)| NOT_NAMES.breaks.contains(first))
}

/// The name as text: composed, single spaces, without emphasis.
fn spelled(text: &str) -> String {
    let plain = !text.contains(['*', '_', '\\', '\t']) && !text.contains("  ");
    if plain && (text.is_ascii() || unicode_normalization::is_nfc(text)) {
        return text.to_owned();
    }
    let composed: String = text.nfc().filter(|c| !matches!(c, '*' | '_' | '\\')).collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}
