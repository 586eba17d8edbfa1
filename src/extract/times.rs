//! The dates a text speaks of, resolved against the day of its entry.

use std::ops::Range;

use jiff::civil::Date;

use super::{
    dates::{self, DayRange},
    text::Text,
};

/// A date in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTime {
    /// Bytes of the body.
    pub span: Range<u32>,
    pub days: DayRange,
}

/// Every date outside the words that only look like one, in text order, as seen from `today`.
pub(super) fn times(text: &Text<'_>, today: Date) -> Vec<EventTime> {
    let mut found = Vec::new();
    for sentence in &text.sentences {
        let ahead = text.keys[sentence.clone()].iter().any(|word| looks_ahead(word));
        let mut at = sentence.start;
        while at < sentence.end {
            if !may_open(text, at) {
                at += 1;
                continue;
            }
            let longest = (at + dates::MOST_WORDS).min(sentence.end);
            let read = (at + 1..=longest).rev().filter(|end| may_close(&text.keys[end - 1])).find_map(|end| {
                let bytes = text.bytes(&(at..end));
                let opener = opener_before(text, sentence, at);
                let with_opener = opener.unwrap_or(bytes.start)..bytes.end;
                let goal = at > sentence.start && matches!(text.keys[at - 1].as_str(), "to" | "until" | "by");
                let days = dates::spoken(&text.body[with_opener], today, ahead || goal).filter(|_| plain_behind(text, bytes.end))?;
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

fn looks_ahead(word: &str) -> bool {
    matches!(word, "will" | "'ll" | "until" | "by" | "deadline" | "due" | "upcoming" | "tomorrow" | "sẽ" | "going" | "next" | "till")
        || word.ends_with("'ll")
}

/// A date runs into nothing: no unit, per cent or rest of a number behind it.
fn plain_behind(text: &Text<'_>, end: usize) -> bool {
    let rest = &text.body[end..];
    !rest.starts_with(['/', '%', '°', ':']) && !rest.starts_with("'s edition")
}

/// Whether a date may end with this word.
fn may_close(key: &str) -> bool {
    key.ends_with(|c: char| c.is_ascii_digit())
        || key.starts_with(|c: char| c.is_ascii_digit())
        || matches!(
            key,
            "yesterday" | "today" | "tomorrow" | "ago" | "now" | "week" | "weeks" | "weekend" | "month" | "months" | "year" | "years"
                | "day" | "days" | "night" | "morning" | "afternoon" | "evening" | "monday" | "tuesday" | "wednesday" | "thursday"
                | "friday" | "saturday" | "sunday" | "january" | "february" | "march" | "april" | "may" | "june" | "july" | "august"
                | "september" | "october" | "november" | "december" | "jan" | "feb" | "mar" | "apr" | "jun" | "jul" | "aug" | "sep"
                | "sept" | "oct" | "nov" | "dec" | "summer" | "winter" | "spring" | "autumn" | "fall" | "quarter" | "nay" | "qua"
                | "kia" | "mai" | "trước" | "ngoái" | "rồi" | "này" | "tới" | "sau" | "đây" | "nữa" | "tuần" | "tháng" | "năm" | "hai"
                | "ba" | "tư" | "sáu" | "bảy" | "nhật" | "một" | "bốn" | "tám" | "chín" | "mười" | "hè" | "đông" | "xuân" | "thu"
        )
}

/// Whether a date may begin with this word: most words are passed over without reading.
fn may_open(text: &Text<'_>, at: usize) -> bool {
    let key = text.keys[at].as_str();
    key.starts_with(|c: char| c.is_ascii_digit())
        || matches!(
            key,
            "yesterday" | "today" | "tomorrow" | "last" | "this" | "next" | "the" | "a" | "an" | "one" | "two" | "three" | "four"
                | "five" | "six" | "seven" | "eight" | "nine" | "ten" | "in" | "monday" | "tuesday" | "wednesday" | "thursday"
                | "friday" | "saturday" | "sunday" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "january" | "february"
                | "march" | "april" | "may" | "june" | "july" | "august" | "september" | "october" | "november" | "december"
                | "jan" | "feb" | "mar" | "apr" | "jun" | "jul" | "aug" | "sep" | "sept" | "oct" | "nov" | "dec" | "summer"
                | "winter" | "spring" | "autumn" | "day" | "hôm" | "ngày" | "tháng" | "năm" | "tuần" | "thứ" | "chủ" | "sáng"
                | "chiều" | "tối" | "đêm" | "trưa" | "hồi" | "cách" | "mùa" | "cuối" | "hai" | "ba" | "vài" | "mấy" | "một"
        )
}
