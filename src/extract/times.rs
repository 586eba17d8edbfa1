//! The dates a text speaks of, resolved against the day of its entry.

use std::{borrow::Cow, collections::HashSet, ops::Range, sync::LazyLock};

use jiff::civil::Date;

use super::{
    dates::{self, DayRange},
    language::List,
    lexicon::listed_words,
    text::Text,
};

/// A date in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTime {
    /// Bytes of the body.
    pub span: Range<u32>,
    pub days: DayRange,
}

struct DateWords {
    opens: HashSet<&'static str>,
    closes: HashSet<&'static str>,
    ahead: HashSet<&'static str>,
    scheduled: HashSet<&'static str>,
}

static DATE_WORDS: LazyLock<DateWords> = LazyLock::new(|| {
    let mut sections = listed_words(List::DateWords);
    let mut take = |name| sections.remove(name).unwrap_or_default();
    DateWords { opens: take("opens"), closes: take("closes"), ahead: take("ahead"), scheduled: take("scheduled") }
});

/// How far before a day the verb of a plan may stand, in words.
const SCHEDULED_WITHIN: usize = 6;

/// Every date outside the words that only look like one, in text order, as seen from `today`.
pub(super) fn times(text: &Text<'_>, today: Date) -> Vec<EventTime> {
    let mut found = Vec::new();
    for sentence in &text.sentences {
        let ahead = text.keys[sentence.clone()].iter().any(|word| looks_ahead(word));
        let mut at = sentence.start;
        while at < sentence.end {
            if !may_open(&text.keys[at]) {
                at += 1;
                continue;
            }
            let longest = (at + dates::MOST_WORDS).min(sentence.end);
            let read = (at + 1..=longest).rev().filter(|end| may_close(&text.keys[end - 1])).find_map(|end| {
                let bytes = text.bytes(&(at..end));
                let opener = opener_before(text, sentence, at);
                let with_opener = opener.unwrap_or(bytes.start)..bytes.end;
                let goal = is_goal(text, sentence, at);
                // What is typed without accents is read with those it was given.
                let accented =
                    text.keys[at..end].iter().any(|key| !key.is_ascii()) && text.body[bytes.clone()].is_ascii();
                let said =
                    if accented { text.keys[at..end].join(" ").into() } else { Cow::from(&text.body[with_opener]) };
                let days = dates::spoken(&said, today, ahead || goal).filter(|_| plain_behind(text, bytes.end))?;
                Some((end, bytes, days))
            });
            at = match read {
                Some((end, bytes, days)) => {
                    found.push(EventTime { span: bytes.start as u32..bytes.end as u32, days });
                    end
                }
                None => at + 1,
            };
        }
    }
    found
}

/// `in 2019`, `on Friday`: the word before belongs to the reading, not to the date.
fn opener_before(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).filter(|before| *before >= sentence.start && text.follows(at))?;
    let opener = matches!(text.keys[before].as_str(), "in" | "since" | "on" | "until" | "by" | "of" | "from" | "hồi");
    opener.then(|| text.words[before].span.start)
}

/// `moved to Friday`, `the wedding is on 15 July`: a day still to come.
fn is_goal(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> bool {
    let before = |back: usize| {
        at.checked_sub(back).filter(|before| *before >= sentence.start).map_or("", |before| text.keys[before].as_str())
    };
    match before(1) {
        "to" | "until" | "by" => true,
        "on" | "in" if matches!(before(2), "is" | "are" | "it's") => true,
        // "The list goes to the council on Friday".
        "on" => (2..=SCHEDULED_WITHIN).any(|back| DATE_WORDS.scheduled.contains(before(back))),
        _ => false,
    }
}

fn looks_ahead(word: &str) -> bool {
    DATE_WORDS.ahead.contains(word) || word.ends_with("'ll")
}

/// A date runs into nothing: no unit, per cent or rest of a number behind it.
fn plain_behind(text: &Text<'_>, end: usize) -> bool {
    !text.body[end..].starts_with(['/', '%', '°', ':'])
}

/// Whether a date may begin with this word: most words are passed over without reading.
fn may_open(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || DATE_WORDS.opens.contains(word)
}

/// Whether a date may end with this word.
fn may_close(word: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    word.starts_with(digit) || word.ends_with(digit) || DATE_WORDS.closes.contains(word)
}
