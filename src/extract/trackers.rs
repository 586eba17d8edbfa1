//! Trackers: numbers in the head (`sleep: 6.5`), of a tag (`#run: 5km`), in a field line (`run:: 5km`).

use super::{
    code,
    fields::{is_name, is_part_of_name},
    fold_case,
};
use crate::journal::{Entry, measured};

/// Maximum length of a number with its unit in bytes.
const LONGEST_VALUE: usize = 16;

/// All numbers with their names in lower case, in order: first those of the head. Linear in the body.
pub fn trackers(entry: &Entry) -> Vec<(String, f64)> {
    let mut found: Vec<(String, f64)> = entry.trackers().map(|(name, value)| (fold_case(name), value)).collect();
    let body = entry.body.as_str();
    if !body.contains('#') && !body.contains("::") {
        return found;
    }
    let skipped = code::skipped(body);
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        if line.contains("::") && code::within(&skipped, start).is_none() {
            found.extend(of_line(line));
        }
        for (sign, _) in line.match_indices('#') {
            if code::within(&skipped, start + sign).is_none() {
                found.extend(of_tag(line, sign));
            }
        }
        start += line.len();
    }
    found
}

/// `run:: 5 km`, alone in its line.
fn of_line(line: &str) -> Option<(String, f64)> {
    let line = line.trim().trim_start_matches(['-', '*', '+']).trim_start();
    let (name, value) = line.split_once("::")?;
    let name = name.trim_end().trim_start_matches('#');
    (is_name(name) && value.len() <= LONGEST_VALUE).then(|| Some((fold_case(name), measured(value)?)))?
}

/// `#run: 5km` and `#run=5km` anywhere.
fn of_tag(line: &str, sign: usize) -> Option<(String, f64)> {
    if line[..sign].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '#' | '&' | '/' | '_')) {
        return None;
    }
    let rest = &line[sign + 1..];
    let name = &rest[..rest.find(|c: char| !is_part_of_name(c))?];
    let value = rest[name.len()..].strip_prefix([':', '='])?.trim_start();
    // "#run: 5 km of mud": the number with the word after it, else alone.
    let mut words = value.split_whitespace().map(|word| word.trim_end_matches([',', '.', ';', ')', '!']));
    let number = words.next()?;
    let with_unit = words.next().filter(|unit| unit.len() <= 3).map(|unit| format!("{number} {unit}"));
    let value = with_unit.and_then(|value| measured(&value)).or_else(|| measured(number));
    (is_name(name) && number.len() <= LONGEST_VALUE).then(|| Some((fold_case(name), value?)))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{BodyHash, EntryTime, Place};

    fn entry(extra: &[(&str, &str)], body: &str) -> Entry {
        Entry {
            id: "x".into(),
            time: EntryTime { written: String::new(), at: jiff::Timestamp::UNIX_EPOCH, offset_seconds: 0 },
            day: jiff::civil::date(2026, 2, 22),
            mood: None,
            tags: Vec::new(),
            event_time: None,
            body: body.to_owned(),
            hash: BodyHash::of(body.as_bytes()),
            extra: extra.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
            place: Place { file: "a.md".into(), position: 0, bytes: 0..0 },
        }
    }

    #[test]
    fn numbers_of_head_tags_and_lines_are_measures() {
        let head = [("Sleep", "4h"), ("weight", "71.5 kg"), ("bed", "11pm"), ("weather", "rain"), ("nap", "1h30")];
        let body = "run:: 5 km\nSaid nothing. (#coffee: 3) and #pages=12, #work: late\n`#no: 7` a#b: 2";
        let found = trackers(&entry(&head, body));
        let found: Vec<(&str, f64)> = found.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let expected = [("sleep", 4.0), ("weight", 71.5), ("nap", 1.5), ("run", 5.0), ("coffee", 3.0), ("pages", 12.0)];
        assert_eq!(found, expected);
    }

    #[test]
    fn dates_ranks_and_words_are_none() {
        for value in ["2026-02-22", "1st", "5pm", "", "4 or 5 hours", "3/4", "12:30", "nan", "inf", "-"] {
            assert_eq!(trackers(&entry(&[("x", value)], "")), [], "{value}");
        }
    }
}
