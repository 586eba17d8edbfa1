//! Parser for queries.
//!
//! | typed | meaning |
//! |---|---|
//! | `old knot` | words; an entry matches with any of them |
//! | `"old knot"` | a phrase; the entry must contain it in order. Unclosed, it runs to the end. Next to other words, a phrase that no entry contains is searched as words, see [`Query::notices`] |
//! | `-work` `-"project x"` | the entry must not contain it |
//! | `mood:calm` | this mood; several: any of them |
//! | `tag:work` | this tag; several: all of them |
//! | `from:2026-01` `to:yesterday` | on the first of these days or later; on the last or earlier |
//! | `after:` `before:` | later than the last of these days; earlier than the first |
//! | `on:"last week"` | on one of these days; several: on any |
//! | `person:Linh` `place:` `event:` `emotion:` `topic:` `product:` `organization:` | mentions an entity of this kind and name; several: all |
//! | `entity:"Project X"` | the same, of any kind |
//! | `kind:person` | mentions anything of this kind; several: all |
//! | `record:goal` `record:any` | a record of this kind; several: any of them; a record at all |
//! | `is:starred` `has:mood` `has:tag` `has:event` | properties of the head |
//! | `-tag:work` | negates any filter |
//!
//! Days named among the words (`what did Linh say last week`) are found too, see [`NamedDays`].
//!
//! A value with spaces is quoted. Moods, tags and names are compared without case and accents; days are parsed by
//! [`dates::range`]. An invalid filter is ignored, and [`Query::notices`] says so; a word before a colon that
//! is no filter (`re:invent`) is an ordinary word, with a notice where it is nearly one.

use std::ops::Range;

use jiff::{ToSpan, Zoned, civil::Date};

use super::{
    days::{self, NamedDays},
    query_prefix, question_features,
};
use crate::{
    extract::dates::{self, DayRange},
    index::keyword::KeywordQuery,
    journal::EntityKind,
    spelling::distance,
};

/// A condition on entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    pub test: Test,
    /// `-tag:work`: the entry must not match.
    pub negated: bool,
    /// Its byte range in the text; `None` for a filter given separately.
    pub span: Option<Range<usize>>,
}

/// Maximum length of a query in bytes; the rest is ignored.
const LONGEST: usize = 4_000;

/// The value of `record:` that any record passes.
pub const ANY_RECORD: &str = "any";

/// The kind and value of a filter.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    Mood(String),
    Tag(String),
    From(Date),
    To(Date),
    On(DayRange),
    /// Mentions an entity of this name, and of this kind if given.
    Named {
        kind: Option<EntityKind>,
        name: String,
    },
    Kind(EntityKind),
    /// A record of this kind; [`ANY_RECORD`] is a record at all.
    Record(String),
    Starred,
    HasMood,
    HasTag,
    HasEvent,
}

impl Test {
    fn is_of_days(&self) -> bool {
        matches!(self, Self::From(_) | Self::To(_) | Self::On(_))
    }
}

/// A parsed query.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    /// It is a question or a command to find something.
    pub asks: bool,
    /// How much it describes an event in a sentence, instead of naming or asking: from 0 to 1.
    pub tells: f32,
    /// It asks for the time of an event.
    pub asks_when: bool,
    /// It asks for several things.
    pub asks_several: bool,
    /// Words and phrases as typed, in order, without filters and exclusions.
    pub plain: String,
    pub words: Vec<String>,
    /// Number of leading words to ignore, see [`super::query_prefix`].
    frame: usize,
    /// Byte range of each word in the text; empty for an added word.
    spans: Vec<Range<usize>>,
    pub phrases: Vec<String>,
    pub excluded: Vec<String>,
    pub filters: Vec<Filter>,
    /// Days named by the words; none if there is a filter by day.
    pub days: Vec<NamedDays>,
    /// It has only punctuation: nothing to search for.
    is_punctuation: bool,
    /// Invalid filters, one sentence each.
    pub notices: Vec<String>,
    /// The text ends inside a word (not after a space or in a filter).
    pub ends_in_word: bool,
    /// The last phrase has no closing quote.
    pub ends_in_phrase: bool,
}

impl Query {
    /// Parses a text; every text is a valid query.
    pub fn parse(text: &str, now: &Zoned) -> Self {
        let mut query = Self::default();
        let whole = text;
        let text = &whole[..whole.floor_char_boundary(LONGEST)];
        if text.len() < whole.len() {
            query.notices.push(format!("the query is too long: only its first {LONGEST} bytes are searched"));
        }
        let mut rest = Rest { text, at: 0 };
        while let Some(piece) = rest.next_piece() {
            let is_last = rest.left().trim().is_empty();
            query.take(piece, is_last, now);
        }
        query.drop_punctuation();
        query.asks = question_features::asks(text);
        query.asks_when = question_features::asks_when(text);
        query.asks_several = question_features::asks_several(text);
        query.frame = if query.phrases.is_empty() { query_prefix::length(&query.words) } else { 0 };
        if !query.filters.iter().any(|filter| filter.test.is_of_days()) {
            query.days = days::named(text, &query.spans, now);
        }
        query.tells = if query.asks { 0.0 } else { question_features::tells(&query.keyword_without_days(false).words) };
        query
    }

    /// Adds a filter that was given separately: `tag:project x` needs no quotes there.
    pub fn add_filter(&mut self, text: &str, now: &Zoned) {
        let negated = text.starts_with('-');
        let (key, value) = text.trim_start_matches('-').split_once(':').unwrap_or((text, ""));
        match read_filter(key, unquoted(value), now) {
            Reading::Test(test) => {
                if test.is_of_days() {
                    self.days.clear();
                }
                self.filters.push(Filter { test, negated, span: None });
            }
            Reading::Unread(notice) => self.notices.push(notice),
            Reading::NoFilter => self.add_word(text),
        }
    }

    /// Byte ranges of the filters in the text, in order.
    pub fn understood(&self) -> Vec<Range<usize>> {
        self.filters.iter().filter_map(|filter| filter.span.clone()).collect()
    }

    /// Whether the query has at most filters, and nothing to rank by.
    pub fn is_bare(&self) -> bool {
        self.words.is_empty() && self.phrases.is_empty() && self.excluded.is_empty()
    }

    /// Whether it consists of invalid filters only.
    pub fn is_unread(&self) -> bool {
        self.is_bare() && self.filters.is_empty() && !self.notices.is_empty()
    }

    /// Whether it asks for the last time that something was so: "when did I last sleep well".
    pub fn asks_last(&self) -> bool {
        self.words[..self.frame].iter().any(|word| word.eq_ignore_ascii_case("last"))
    }

    /// The text to embed: [`Self::plain`] without the ignored prefix.
    pub fn matter(&self) -> &str {
        let asking = self.words[..self.frame].iter().map(|word| word.len() + 1).sum::<usize>();
        self.plain.get(asking..).unwrap_or(&self.plain)
    }

    /// The query for the keyword index. `typing`: the last word may be incomplete.
    pub fn keyword(&self, typing: bool) -> KeywordQuery {
        KeywordQuery {
            words: self.words[self.frame..].to_vec(),
            last_is_prefix: typing && self.ends_in_word,
            phrases: self.phrases.clone(),
            phrase_is_prefix: typing && self.ends_in_phrase,
            excluded: self.excluded.clone(),
        }
    }

    /// The same without the words that name days, for the search within these days.
    pub fn keyword_without_days(&self, typing: bool) -> KeywordQuery {
        let mut keyword = self.keyword(typing);
        let last = self.words.len().wrapping_sub(1);
        let names = |place: usize| self.days.iter().any(|days| days.words.contains(&place));
        let kept = self.words.iter().enumerate().skip(self.frame).filter(|(place, _)| !names(*place));
        keyword.words = kept.map(|(_, word)| word.clone()).collect();
        keyword.last_is_prefix &= !names(last);
        keyword
    }

    fn take(&mut self, piece: Piece<'_>, is_last: bool, now: &Zoned) {
        (self.ends_in_word, self.ends_in_phrase) = (false, false);
        match piece.what {
            What::Phrase { inside, closed } => {
                if inside.trim().is_empty() {
                } else if piece.negated {
                    self.excluded.push(inside.to_owned());
                } else {
                    self.phrases.push(inside.to_owned());
                    self.add_plain(inside);
                    self.ends_in_phrase = !closed;
                }
            }
            // Its value is yet to be typed.
            What::Pair { key, value, .. } if is_last && value.trim().is_empty() && is_key(key) => {
                self.notices.push(format!("{key}: needs a value"));
            }
            What::Pair { key, value, word } => match read_filter(key, value, now) {
                Reading::Test(test) => {
                    self.filters.push(Filter { test, negated: piece.negated, span: Some(piece.span) });
                }
                Reading::Unread(notice) => self.notices.push(notice),
                Reading::NoFilter => self.take_word(word, &piece),
            },
            What::Word(word) => {
                if let Some((key, near)) = near_key(word) {
                    self.notices.push(format!("{key}: is no filter; did you mean {near}:"));
                }
                self.take_word(word, &piece);
            }
        }
    }

    /// Whether nothing is left to search for: neither words nor filters, but signs.
    pub fn is_wordless(&self) -> bool {
        self.is_punctuation && self.is_bare() && self.filters.is_empty()
    }

    /// Drops the words where they are only punctuation: every entry is a little like these.
    fn drop_punctuation(&mut self) {
        let is_sign = |word: &String| word.chars().all(|c| c.is_ascii_punctuation());
        if self.words.is_empty() || !self.phrases.is_empty() || !self.words.iter().all(is_sign) {
            return;
        }
        self.words.clear();
        self.spans.clear();
        self.plain.clear();
        self.is_punctuation = true;
    }

    fn take_word(&mut self, word: &str, piece: &Piece<'_>) {
        if piece.negated {
            self.excluded.push(word.to_owned());
        } else {
            self.add_word(word);
            if let Some(span) = self.spans.last_mut() {
                *span = piece.span.clone();
            }
            self.ends_in_word = piece.last;
        }
    }

    /// Adds a word to search for.
    pub fn add_word(&mut self, word: &str) {
        self.words.push(word.to_owned());
        self.spans.push(0..0);
        self.add_plain(word);
    }

    /// Searches the words of the phrases that no entry contains (`nowhere`, such as a half remembered title), with a
    /// notice.
    pub fn loosen_phrases(&mut self, nowhere: &[bool]) {
        let mut all = std::mem::take(&mut self.phrases).into_iter().zip(nowhere.iter().copied()).peekable();
        while let Some((phrase, loose)) = all.next() {
            if !loose {
                self.phrases.push(phrase);
                continue;
            }
            self.notices.push(format!("nothing holds “{}” word for word; searched as words", phrase.trim()));
            for word in phrase.split_whitespace() {
                self.words.push(word.to_owned());
                self.spans.push(0..0);
            }
            // The last typed part is now the last word, or a word before it.
            let typed_last = all.peek().is_none() && self.ends_in_phrase;
            (self.ends_in_word, self.ends_in_phrase) = (typed_last, self.ends_in_phrase && !typed_last);
        }
    }

    fn add_plain(&mut self, text: &str) {
        if !self.plain.is_empty() {
            self.plain.push(' ');
        }
        self.plain.push_str(text);
    }
}

/// A token of the text: a word, a phrase, or `key:value`.
struct Piece<'a> {
    span: Range<usize>,
    negated: bool,
    what: What<'a>,
    /// It is at the very end of the text.
    last: bool,
}

enum What<'a> {
    Word(&'a str),
    Phrase {
        inside: &'a str,
        closed: bool,
    },
    /// `word` is the whole token as typed.
    Pair {
        key: &'a str,
        value: &'a str,
        word: &'a str,
    },
}

struct Rest<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    fn next_piece(&mut self) -> Option<Piece<'a>> {
        self.at += self.left().len() - self.left().trim_start().len();
        let start = self.at;
        let mut left = self.left();
        if left.is_empty() {
            return None;
        }
        // A dash alone or before a space is no negation.
        let negated =
            left.strip_prefix('-').is_some_and(|after| after.starts_with(|c: char| !c.is_whitespace() && c != '-'));
        if negated {
            self.at += 1;
            left = self.left();
        }
        let what = match self.quoted() {
            Some((inside, closed)) => What::Phrase { inside, closed },
            None => self.word_or_pair(left),
        };
        Some(Piece { span: start..self.at, negated, what, last: self.at == self.text.len() })
    }

    fn word_or_pair(&mut self, left: &'a str) -> What<'a> {
        let begin = self.at;
        let space = left.find(char::is_whitespace).unwrap_or(left.len());
        let Some((key, after)) = left[..space].split_once(':').filter(|(key, _)| is_key(key)) else {
            self.at += space;
            return What::Word(&left[..space]);
        };
        self.at += key.len() + 1;
        let value = match self.quoted() {
            Some((inside, _)) => inside,
            None => {
                self.at += after.len();
                after
            }
        };
        What::Pair { key, value, word: &self.text[begin..self.at] }
    }

    /// A quoted part at the current position; without a closing quote it runs to the end.
    fn quoted(&mut self) -> Option<(&'a str, bool)> {
        let left = self.left();
        let open = left.chars().next().filter(|c| is_quote(*c))?;
        let inside = &left[open.len_utf8()..];
        if let Some((length, close)) = inside.char_indices().find(|(_, c)| is_quote(*c)) {
            self.at += open.len_utf8() + length + close.len_utf8();
            return Some((&inside[..length], true));
        }
        self.at = self.text.len();
        Some((inside, false))
    }

    fn left(&self) -> &'a str {
        &self.text[self.at..]
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„')
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_matches(is_quote).trim()
}

enum Reading {
    Test(Test),
    /// A notice about a known filter with an invalid value.
    Unread(String),
    NoFilter,
}

/// The filter keys.
const KEYS: [&str; 14] =
    ["mood", "tag", "from", "to", "after", "before", "on", "since", "until", "entity", "kind", "record", "is", "has"];

fn is_key(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    KEYS.contains(&lower.as_str()) || EntityKind::parse(&lower).is_some()
}

/// What is before the colon of `key:value`, and the filter key one misspelling away. The shortest keys are near too many
/// words.
fn near_key(word: &str) -> Option<(&str, &'static str)> {
    let (typed, _) = word.split_once(':').filter(|(key, value)| key.len() > 2 && !value.is_empty())?;
    let letters: Vec<char> = typed.to_lowercase().chars().collect();
    let mut keys = KEYS.into_iter().chain(EntityKind::ALL.map(EntityKind::word)).filter(|key| key.len() > 3);
    let near = keys.find(|key| distance(&letters, &key.chars().collect::<Vec<_>>(), 1).is_some())?;
    Some((typed, near))
}

fn read_filter(key: &str, value: &str, now: &Zoned) -> Reading {
    let key = key.to_ascii_lowercase();
    if !is_key(&key) {
        return Reading::NoFilter;
    }
    let value = value.trim();
    if value.is_empty() {
        return Reading::Unread(format!("{key}: needs a value"));
    }
    match read_test(&key, value, now) {
        Ok(test) => Reading::Test(test),
        Err(reason) => Reading::Unread(format!("{key}:{value} is ignored: {reason}")),
    }
}

fn read_test(key: &str, value: &str, now: &Zoned) -> Result<Test, String> {
    let unread = || "needs a day, a month, a year or words such as “last week”".to_owned();
    let days = || read_days(value, now).ok_or_else(|| days::two_readings(value, now.date()).unwrap_or_else(unread));
    Ok(match key {
        "mood" => Test::Mood(value.to_owned()),
        "tag" => Test::Tag(value.trim_start_matches('#').to_owned()),
        "from" | "since" => Test::From(days()?.first),
        "to" | "until" => Test::To(days()?.last),
        "after" => Test::From(days()?.last.saturating_add(1.day())),
        "before" => Test::To(days()?.first.saturating_sub(1.day())),
        "on" => Test::On(days()?),
        "kind" => match EntityKind::typed(&value.to_lowercase()) {
            Some(kind) => Test::Kind(kind),
            None => return Err(format!("use {}", EntityKind::ALL.map(EntityKind::word).join(", "))),
        },
        "record" => Test::Record(value.to_lowercase()),
        "is" => match value.to_lowercase().as_str() {
            "starred" | "star" => Test::Starred,
            _ => return Err("use is:starred".into()),
        },
        "has" => match value.to_lowercase().as_str() {
            "mood" => Test::HasMood,
            "tag" | "tags" => Test::HasTag,
            "event" | "event_time" => Test::HasEvent,
            _ => return Err("use has:mood, has:tag or has:event".into()),
        },
        kind => Test::Named { kind: EntityKind::parse(kind), name: value.trim_start_matches('@').to_owned() },
    })
}

/// The days of a value; `last-week` and `last_week` are accepted for `"last week"`.
fn read_days(value: &str, now: &Zoned) -> Option<DayRange> {
    dates::range(value, now).or_else(|| dates::range(&value.replace(['-', '_'], " "), now))
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
