//! Dates in a text, resolved against the day of its entry.

use std::{borrow::Cow, cell::LazyCell, ops::Range};

use jiff::civil::Date;

use super::{
    Class, Shape, class,
    dates::{self, DayRange, Tense},
    forms::{base_form, sure_base_form},
    is_title, opens_phrase, sectioned,
    text::{Text, span},
};

/// A date in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventTime {
    /// Bytes of the body.
    pub span: Range<u32>,
    pub days: DayRange,
}

sectioned! {
    DateWords DATE_WORDS:
    opens closes ahead behind before since through goals counted counts units spans recurring continuing either blossom someday lengths within given
    named feasts ordinals present having unchanging past scheduled undated booked moving
}

/// Maximum distance in words from a verb of planning to a day.
const SCHEDULED_WITHIN: usize = 6;

/// All dates outside words that only look like one, in text order, relative to `today`.
pub(super) fn times(text: &Text<'_>, today: Date) -> Vec<EventTime> {
    let mut found = Vec::new();
    // The language of a sentence that is a number: one word in five has accents.
    let is_text_vietnamese =
        LazyCell::new(|| text.keys.iter().filter(|word| !word.is_ascii()).count() * 5 >= text.keys.len());
    for sentence in &text.sentences {
        let words = &text.keys[sentence.clone()];
        let is_number = words.iter().all(|word| !word.contains(char::is_alphabetic));
        let is_vietnamese = words.iter().any(|word| !word.is_ascii()) || is_number && *is_text_vietnamese;
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
                let tense = tense(text, sentence, at, is_vietnamese);
                // Unaccented text is read with the restored accents.
                let accented =
                    text.keys[at..end].iter().any(|key| !key.is_ascii()) && text.body[bytes.clone()].is_ascii();
                let said =
                    if accented { text.keys[at..end].join(" ").into() } else { Cow::from(&text.body[with_opener]) };
                let days = dates::spoken(&said, today, tense, is_vietnamese)?;
                let plain = plain_behind(text, bytes.end) && !is_no_date(text, sentence, at..end);
                plain.then_some((end, bytes, days))
            });
            at = match read {
                Some((end, bytes, days)) => {
                    found.push(EventTime { span: span(&bytes), days });
                    end
                }
                None => at + 1,
            };
        }
    }
    found
}

/// `in 2019`, `on Friday`: the preposition belongs to the pattern, not to the date.
fn opener_before(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> Option<usize> {
    let before = at.checked_sub(1).filter(|before| *before >= sentence.start && text.follows(at))?;
    DATE_WORDS.before.contains(text.keys[before].as_str()).then(|| text.words[before].span.start)
}

/// Whether a sentence is about the past or the future: by the nearest verb, else by its other words.
fn tense(text: &Text<'_>, sentence: &Range<usize>, at: usize, is_vietnamese: bool) -> Tense {
    if is_goal(text, sentence, at) {
        return Tense::Future;
    }
    let is_ahead = || text.keys[sentence.clone()].iter().any(|key| DATE_WORDS.ahead.contains(key.as_str()));
    // "Từ 29/1 đến 2/2" may be either.
    let is_range = || text.keys[at..sentence.end].iter().any(|key| DATE_WORDS.through.contains(key.as_str()));
    if at > sentence.start && DATE_WORDS.since.contains(text.keys[at - 1].as_str()) && !is_ahead() && !is_range() {
        return Tense::Past;
    }
    let without_verbs = is_vietnamese || text.bare.iter().any(|bare| bare.contains(&at));
    let (mut before, mut after) = ((sentence.start..at).rev(), at..sentence.end);
    let mut verb = || before.find_map(|at| tense_of(text, at)).or_else(|| after.find_map(|at| tense_of(text, at)));
    if !without_verbs && let Some(tense) = verb() {
        return tense;
    }
    let keys = &text.keys[sentence.clone()];
    // `hôm 12`, but also `hôm nay`.
    if text.keys[at] == "hôm" || keys.iter().any(|key| DATE_WORDS.behind.contains(key.as_str())) {
        return Tense::Past;
    }
    match () {
        () if is_ahead() => Tense::Future,
        () if without_verbs => Tense::Unknown,
        () => Tense::Note,
    }
}

/// The tense of a word, if it is a verb.
fn tense_of(text: &Text<'_>, at: usize) -> Option<Tense> {
    let key = text.keys[at].as_str();
    if DATE_WORDS.past.contains(key) {
        return Some(Tense::Past);
    }
    if DATE_WORDS.present.contains(key) || key.ends_with("'ll") {
        return Some(Tense::Future);
    }
    // "Interview's on Friday."
    let is_preposition = |at: usize| at < text.keys.len() && class(text, at) == Class::Preposition;
    let moves = |at: usize| text.keys.get(at).is_some_and(|key| DATE_WORDS.moving.contains(key.as_str()));
    if key.ends_with("'s") && text.follows(at + 1) && (is_preposition(at + 1) || moves(at + 1)) {
        return Some(Tense::Future);
    }
    let before = if at > 0 && text.follows(at) { text.keys[at - 1].as_str() } else { "" };
    if opens_phrase(before) {
        return None;
    }
    // "Mo's got finals".
    if key == "got" && (["'s", "'ve"].iter().any(|end| before.ends_with(end)) || DATE_WORDS.having.contains(before)) {
        return Some(Tense::Future);
    }
    if DATE_WORDS.unchanging.contains(key) && !before.is_empty() {
        let is_led = before == "to" || DATE_WORDS.present.contains(before) || class(text, at - 1) == Class::Auxiliary;
        return Some(if is_led { Tense::Future } else { Tense::Past });
    }
    let class = class(text, at);
    let is_form = sure_base_form(key) != key || class == Class::Verb && base_form(key) != key;
    match class {
        _ if is_form && key.ends_with('s') => Some(Tense::Future),
        _ if is_form => Some(Tense::Past),
        Class::Verb if key.ends_with("ed") && !key.ends_with("eed") => Some(Tense::Past),
        Class::Verb => Some(Tense::Future),
        _ => None,
    }
}

/// Whether the context excludes a date: `on the 2nd floor`, a Christmas cake, `hôm 12 người`, the third daughter.
fn is_no_date(text: &Text<'_>, sentence: &Range<usize>, words: Range<usize>) -> bool {
    let first = text.keys[words.start].as_str();
    let last = text.keys[words.end - 1].as_str();
    let before = words.start.checked_sub(1).filter(|before| *before >= sentence.start && text.follows(words.start));
    let before = before.map(|before| text.keys[before].as_str());
    let after = (words.end < sentence.end && text.follows(words.end)).then_some(words.end);
    let names_thing = after.is_some_and(|after| {
        matches!(class(text, after), Class::Word | Class::Adjective | Class::Either | Class::Plain)
    });
    if is_ordinal(last) && words.len() <= 2 {
        return names_thing;
    }
    if before.is_some_and(|before| DATE_WORDS.recurring.contains(before))
        || after.is_some_and(|after| DATE_WORDS.continuing.contains(text.keys[after].as_str()))
    {
        return true;
    }
    // A longer Vietnamese feast name needs no context.
    let may_name = words.len() == 1 || first.is_ascii() && first.starts_with(char::is_alphabetic) && first != "ba";
    let is_undated = |at: usize| at < sentence.end && DATE_WORDS.undated.contains(text.keys[at].as_str());
    if after.is_some_and(|after| is_undated(after) && is_undated(after + 1)) {
        return true;
    }
    // "Từ Noel tới Tết": until.
    let is_feast = || words.len() > 1 && DATE_WORDS.feasts.contains(text.keys[words.end - 2].as_str());
    if last == "tới" && is_feast() && after.is_some_and(|after| may_open(&text.keys[after])) {
        return true;
    }
    let is_within =
        |at: usize| at > sentence.start && DATE_WORDS.within.contains(text.keys[at - 1..=at].join(" ").as_str());
    let is_of_either_calendar =
        || (1..=2).any(|back| DATE_WORDS.either.contains(text.key_before(sentence, words.start, back)));
    let is_unit = DATE_WORDS.units.contains(first);
    let is_year = is_unit && first == "năm";
    match before {
        Some(before) if before.ends_with("'s") || before == "black" => true,
        // "The first time in three weeks", "ba chục năm rồi", "bà Năm qua đời".
        Some(_) if DATE_WORDS.lengths.contains(last) && (is_within(words.start) || is_within(words.start - 1)) => true,
        Some(before)
            if is_unit && (is_year || DATE_WORDS.spans.contains(last)) && DATE_WORDS.counts.contains(before) =>
        {
            true
        }
        // "Mấy tháng nay": how long. This month is `tháng này`.
        _ if is_unit && !is_year && last == "nay" => true,
        Some(before) if is_year && is_title(before) && text.words[words.start].shape == Shape::Capital => true,
        // "Little April": a name.
        Some(_) if words.len() == 1 && DATE_WORDS.given.contains(first) => {
            class(text, words.start - 1) == Class::Adjective
        }
        Some(_) if is_part_of_place(text, sentence, words.start) => true,
        Some(before) if first == "thứ" && DATE_WORDS.ordinals.contains(before) => true,
        // The second night.
        _ if first == "đêm" && text.key_in(&words, words.start + 1) == "thứ" => true,
        // "Mùng 4 tháng 1": of the moon or of the sun.
        Some(_) if is_of_either_calendar() => true,
        _ if first == "mai" && words.len() == 1 => {
            before.is_some_and(|before| DATE_WORDS.blossom.contains(before) || is_title(before))
                || after.is_some_and(|after| DATE_WORDS.someday.contains(text.keys[after].as_str()))
        }
        // Alone it means a fashion as often as the day after tomorrow.
        Some(_) if last == "mốt" && words.len() == 1 => true,
        _ if may_name && DATE_WORDS.feasts.contains(last) => names_thing,
        _ => {
            let counts = |after: usize| DATE_WORDS.counted.contains(text.keys[after].as_str());
            last.bytes().all(|byte| byte.is_ascii_digit()) && after.is_some_and(counts)
        }
    }
}

/// Whether a Vietnamese place is called by the date that begins here, or by it and the number before: `công viên 29 tháng
/// 3`, but not `đường 7h sáng mai`.
fn is_part_of_place(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> bool {
    let is_number = |at: usize| text.keys[at].bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
    let is_month = |at: usize| text.keys[at] == "tháng" && text.keys.get(at + 1).is_some_and(|_| is_number(at + 1));
    let first = match at.checked_sub(1) {
        Some(before) if is_month(at) && is_number(before) => before,
        _ if is_number(at)
            && (text.body[text.words[at].span.end..].starts_with('/')
                || text.keys.get(at + 1).is_some_and(|_| is_month(at + 1))) =>
        {
            at
        }
        _ => return false,
    };
    let place = first.checked_sub(1).filter(|place| *place >= sentence.start && text.follows(first));
    place.is_some_and(|place| DATE_WORDS.named.contains(text.keys[place].as_str()))
}

/// `22nd`.
fn is_ordinal(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    digits.len() < word.len() && ["st", "nd", "rd", "th"].contains(&digits)
}

/// `moved to Friday`, `the wedding is on 15 July`: a day still to come.
fn is_goal(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> bool {
    let before = |back: usize| text.key_before(sentence, at, back);
    match before(1) {
        before if DATE_WORDS.goals.contains(before) => true,
        "on" | "in" if matches!(before(2), "is" | "are" | "it's") => true,
        // "The list goes to the council on Friday".
        "on" => (2..=SCHEDULED_WITHIN).any(|back| DATE_WORDS.scheduled.contains(before(back))),
        // "Have booked the train for the 22nd".
        "for" => (2..=SCHEDULED_WITHIN).any(|back| DATE_WORDS.booked.contains(before(back))),
        _ => false,
    }
}

/// Whether nothing that continues the number follows: a unit, per cent, more digits.
fn plain_behind(text: &Text<'_>, end: usize) -> bool {
    let rest = &text.body[end..];
    let number = rest.strip_prefix(['/', ':']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    !(number || rest.starts_with(['%', '°']))
}

/// Whether a date may start with this word: most words are skipped without parsing. `mid-October` starts with `mid`.
fn may_open(word: &str) -> bool {
    let first = word.split('-').next().unwrap_or(word);
    word.starts_with(|c: char| c.is_ascii_digit()) || DATE_WORDS.opens.contains(first)
}

/// Whether a date may end with this word.
fn may_close(word: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    let last = word.rsplit('-').next().unwrap_or(word);
    word.starts_with(digit) || word.ends_with(digit) || DATE_WORDS.closes.contains(last)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::extract::extract_text;

    #[test]
    fn what_only_looks_like_a_date_is_none() {
        for text in [
            "No stress for the first time in three weeks.",
            "Mất ba chục năm rồi.",
            "Bà Năm qua đời.",
            "Trực đêm thứ ba liên tiếp.",
            "Every Sunday we go to the mill.",
            "Thứ bảy nào cũng đi chợ.",
            "Chủ nhật hàng tuần đi lễ.",
            "Bà huyết áp 15/9.",
            "Nhà mình ở số 8/3 Lạch Tray.",
            "Tay áo thứ hai cho Bin.",
            "Đêm thứ hai ở bệnh viện.",
            "Nghiệm thu trước lễ.",
            "Mấy tháng nay má bỏ thuốc.",
            "Hơn hai tháng rồi ảnh không nói.",
            "Mùng 4 tháng 1 đi Huế.",
            "Nhà có cây mai.",
            "Để mai mốt.",
        ] {
            assert_eq!(extract_text(text, date(2026, 3, 2)).times, [], "{text}");
        }
    }

    #[test]
    fn the_words_around_a_date_say_which_one_it_is() {
        let wednesday = date(2026, 6, 17);
        for (text, first) in [
            ("£212 left til the 28th.", date(2026, 6, 28)),
            ("He gave us til friday.", date(2026, 6, 19)),
            ("My appointment is on 9 June.", date(2026, 6, 9)),
            ("Mo's got finals until the 21st.", date(2026, 6, 21)),
            ("The kid quit in April.", date(2026, 4, 1)),
            ("I will put it up in April.", date(2027, 4, 1)),
            ("Need to order 300 litres before Friday.", date(2026, 6, 19)),
            ("Rent is 200 more from April.", date(2027, 4, 1)),
            ("Hẹn thứ hai chở thầy đi khám.", date(2026, 6, 22)),
            ("Tiệc dời qua thứ ba.", date(2026, 6, 23)),
            ("So với hồi tháng sáu thì đỡ.", date(2026, 6, 1)),
            ("Xin hoãn sang tháng 9 năm sau.", date(2027, 9, 1)),
            ("Thôi tháng 3 sang năm đi.", date(2027, 3, 1)),
            ("Tái khám thứ ba tuần sau nữa.", date(2026, 6, 30)),
            ("Ba mươi Tết về quê.", date(2026, 2, 16)),
            ("27 Tết đi chợ hoa.", date(2026, 2, 14)),
            ("Hai mươi ba tháng Chạp đưa ông Táo.", date(2026, 2, 10)),
            ("Mùng 1 tháng 6 dẫn con đi chơi.", date(2026, 6, 1)),
            ("Mùng 5 tháng 5 ăn rượu nếp.", date(2026, 6, 19)),
            ("Mổ mùng 10 dương.", date(2026, 6, 10)),
            ("Quên rồi, mai trả nó.", date(2026, 6, 18)),
            ("Đầu tháng sau bà tái khám.", date(2026, 7, 1)),
            ("Chủ nhật định đi Đồ Sơn.", date(2026, 6, 21)),
            ("Tháng Mười âm giỗ cụ.", date(2026, 11, 9)),
            ("Từ 29/6 đến 2/7 mình ở trong Sài Gòn.", date(2026, 6, 29)),
        ] {
            let days: Vec<_> = extract_text(text, wednesday).times.iter().map(|time| time.days.first).collect();
            assert_eq!(days, [first], "{text}");
        }
        let in_tet = extract_text("Mùng 4 mở hàng.", date(2026, 2, 19)).times;
        assert_eq!(in_tet[0].days.first, date(2026, 2, 20));
        assert_eq!(extract_text("Mùng 9 tái khám.", wednesday).times, []);
    }

    #[test]
    fn a_note_of_a_weekday_written_on_it_is_of_that_day() {
        let sunday = date(2026, 3, 1);
        let times = extract_text("Sunday roast at the mill.", sunday).times;
        assert_eq!(times[0].days.only_day(), Some(sunday));
    }
}
