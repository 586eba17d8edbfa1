//! Field lines: `verb:: [[A]], [[B]]`, `[[A]] verb:: [[B]]`, `mood:: calm`, `tags:: a, b`.
//!
//! The format is strict: a line with anything else is prose.

use std::ops::Range;

use super::{
    code::within,
    inline_markup::{Link, links},
};

/// A field line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field<'a> {
    /// As written.
    pub verb: &'a str,
    pub subject: Option<Link<'a>>,
    pub value: Value<'a>,
    /// The line without the white space around it.
    pub line: Range<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value<'a> {
    Links(Vec<Link<'a>>),
    /// Comma-separated words, with their byte ranges.
    Moods(Vec<(&'a str, Range<usize>)>),
    Tags(Vec<(&'a str, Range<usize>)>),
}

const LONGEST_NAME: usize = 40;
const LONGEST_WORD: usize = 40;

/// All field lines outside `skipped`, in order.
pub(super) fn fields<'a>(body: &'a str, skipped: &[Range<usize>]) -> Vec<Field<'a>> {
    if !body.contains("::") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        if line.contains("::") && within(skipped, start).is_none() {
            found.extend(field(body, start, line));
        }
        start += line.len();
    }
    found
}

fn field<'a>(body: &'a str, start: usize, line: &'a str) -> Option<Field<'a>> {
    let text = line.trim_start();
    let from = start + (line.len() - text.len());
    let range = from..from + text.trim_end().len();
    let text = &body[range.clone()];
    let bullet = ["- ", "* ", "+ "].iter().find(|bullet| text.starts_with(*bullet)).map_or(0, |bullet| bullet.len());
    let (before, after) = text[bullet..].split_once("::")?;
    let value_start = range.end - after.len();
    let (subject, verb) = match before.rfind("]]") {
        Some(close) => {
            let mut link = links(before, &[]).into_iter().next().filter(|link| link.span == (0..close + 2))?;
            link.span = range.start + bullet..range.start + bullet + close + 2;
            (Some(link), before[close + 2..].trim())
        }
        None => (None, before),
    };
    if !is_name(verb) {
        return None;
    }
    let value = match (subject.is_some(), verb.to_ascii_lowercase().as_str()) {
        (false, "mood") => Value::Moods(words(after, value_start)?),
        (false, "tags" | "tag") => Value::Tags(words(after, value_start)?),
        _ => Value::Links(only_links(body, value_start..range.end)?),
    };
    Some(Field { verb, subject, value, line: range })
}

/// Whether a field or a tracker may have this name.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(char::is_alphabetic) && name.len() <= LONGEST_NAME && name.chars().all(is_part_of_name)
}

pub(super) fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-') || unicode_normalization::char::is_combining_mark(c)
}

/// Links separated by commas only.
fn only_links(body: &str, range: Range<usize>) -> Option<Vec<Link<'_>>> {
    let text = &body[range.clone()];
    let mut found = links(text, &[]);
    let mut end = 0;
    for link in &found {
        text[end..link.span.start].chars().all(|c| c == ',' || c.is_whitespace()).then_some(())?;
        end = link.span.end;
    }
    text[end..].chars().all(|c| matches!(c, ',' | '.') || c.is_whitespace()).then_some(())?;
    for link in &mut found {
        link.span = range.start + link.span.start..range.start + link.span.end;
    }
    (!found.is_empty()).then_some(found)
}

/// Comma-separated short items, without a leading `#` and a strength such as `/4`.
fn words(text: &str, offset: usize) -> Option<Vec<(&str, Range<usize>)>> {
    let mut found = Vec::new();
    let mut at = offset;
    for piece in text.split(',') {
        let word = piece.trim().trim_start_matches('#');
        let word = without_strength(word);
        let start = at + piece.find(word).unwrap_or(0);
        at += piece.len() + 1;
        if word.is_empty() {
            continue;
        }
        if word.len() > LONGEST_WORD || word.split_whitespace().count() > 4 || word.contains(['.', ':', '[', ';']) {
            return None;
        }
        found.push((word, start..start + word.len()));
    }
    (!found.is_empty()).then_some(found)
}

/// `sad/4` is `sad`.
pub fn without_strength(mood: &str) -> &str {
    match mood.rsplit_once('/') {
        Some((word, strength)) if strength.trim().bytes().all(|byte| byte.is_ascii_digit()) => word.trim_end(),
        _ => mood,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(body: &str) -> Vec<String> {
        fields(body, &[])
            .iter()
            .map(|field| {
                let names = match &field.value {
                    Value::Links(links) => {
                        links
                            .iter()
                            .all(|link| body[link.span.clone()].contains(link.name))
                            .then_some(())
                            .expect("spans hold the names");
                        links.iter().map(|link| link.name).collect::<Vec<_>>()
                    }
                    Value::Moods(words) | Value::Tags(words) => {
                        words.iter().map(|(_, range)| &body[range.clone()]).collect()
                    }
                };
                let subject = field.subject.as_ref().map_or("", |link| &body[link.span.clone()]);
                format!("{subject} {} {}", field.verb, names.join("+")).trim().to_owned()
            })
            .collect()
    }

    #[test]
    fn fields_are_whole_lines() {
        let body = "mood:: lo lắng/4, tired\ntrigger:: [[Deadline]], [[Sếp|boss]]\r\n  - eases:: [[Running]]\ntags:: #work, home\n";
        assert_eq!(shown(body), ["mood lo lắng+tired", "trigger Deadline+Sếp", "eases Running", "tags work+home"]);
        assert_eq!(shown("[[Linh]] teaches:: [[Mai]]"), ["[[Linh]] teaches Mai"]);
    }

    #[test]
    fn anything_else_is_prose() {
        let prose = [
            "trigger:: the [[Deadline]] again",
            "std::fmt is a module",
            "I wrote joy:: [[Linh]]",
            "mood:: I was fine. Then I was not",
            "joy::",
            "x [[Linh]] teaches:: [[Mai]]",
            "mood: calm",
        ];
        for line in prose {
            assert_eq!(shown(line), [] as [&str; 0], "{line}");
        }
    }
}
