//! Inline markup: `#tag`, `@person`, `[[Name]]`.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::{
    Marked, Mention, MentionSource, ORDINARY,
    code::{merge, within},
    fold_case, opens_phrase,
    text::{span, without_possessive},
};
use crate::journal::EntityKind;

/// A `[[Name]]`, `[[Name|shown]]`, `[[Name#part]]` or `[[Name (place)]]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link<'a> {
    pub name: &'a str,
    /// From the word in parentheses that distinguishes homonyms.
    pub kind: Option<EntityKind>,
    /// Including the brackets.
    pub span: Range<usize>,
}

const LONGEST_LINK: usize = 200;
const LONGEST_MARK: usize = 100;

/// All links outside `skipped`, in order. Embeds (`![[...]]`) and links to days (`[[2026-02-22]]`) are no names.
pub(super) fn links<'a>(body: &'a str, skipped: &[Range<usize>]) -> Vec<Link<'a>> {
    let mut links = Vec::new();
    let mut at = 0;
    while let Some(open) = body[at..].find("[[").map(|offset| at + offset) {
        at = open + 2;
        if within(skipped, open).is_some() || body[..open].ends_with('!') {
            continue;
        }
        let line = body[at..].split('\n').next().unwrap_or("");
        let Some(length) = line.find("]]").filter(|length| *length <= LONGEST_LINK) else { continue };
        let inside = &line[..length];
        if inside.contains("[[") {
            continue;
        }
        let end = at + length + 2;
        if let Some((name, kind)) = link_name(inside) {
            links.push(Link { name, kind, span: open..end });
        }
        at = end;
    }
    links
}

fn link_name(inside: &str) -> Option<(&str, Option<EntityKind>)> {
    let target = inside.split(['|', '#']).next().unwrap_or("").trim();
    let (name, kind) = match target.strip_suffix(')').and_then(|target| target.rsplit_once('(')) {
        Some((name, word)) => match EntityKind::parse(word.trim()) {
            Some(kind) => (name.trim(), Some(kind)),
            None => (target, None),
        },
        None => (target, None),
    };
    let is_day = name.parse::<jiff::civil::Date>().is_ok();
    (name.chars().any(char::is_alphanumeric) && !is_day).then_some((name, kind))
}

/// All `#tag` and `@person` outside `skipped` and outside `links`, in order.
pub(super) fn tags_and_people(body: &str, skipped: &[Range<usize>], links: &[Link<'_>]) -> Vec<Mention> {
    let closed = merge(skipped.iter().cloned().chain(links.iter().map(|link| link.span.clone())).collect());
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(sign) = body[at..].find(['#', '@']).map(|offset| at + offset) {
        at = sign + 1;
        if let Some(range) = within(&closed, sign) {
            at = range.end;
            continue;
        }
        let (name, kind, source) = match body.as_bytes()[sign] {
            b'#' => (tag_name(body, sign), EntityKind::Topic, MentionSource::Tag),
            _ => {
                let name = person_name(body, sign).or_else(|| spaced_handle(body, sign));
                (name, EntityKind::Person, MentionSource::At)
            }
        };
        if let Some(name) = name {
            let space = usize::from(body[at..].starts_with(' '));
            at += space + name.len();
            found.push(Mention::new(name, kind, span(&(sign..at)), source));
        }
    }
    found
}

/// Every mark of a text, in order, for display: code and fields are marked too.
pub fn marks(body: &str) -> Vec<Mention> {
    let links = links(body, &[]);
    let named = |link: &Link<'_>| Mention::new(link.name, link.kind, span(&link.span), MentionSource::Link);
    let mut marks: Vec<Mention> = links.iter().map(named).chain(tags_and_people(body, &[], &links)).collect();
    marks.sort_by_key(|mark| mark.span.start);
    marks
}

/// The marks that are words of their sentences, in order, and the byte ranges of the others: persons and links always
/// are, a tag only after a word that requires a noun ("because of #work"), because most tags are outside the sentence.
pub(super) fn in_sentences(body: &str, mentions: &[Mention]) -> (Vec<Marked>, Vec<Range<usize>>) {
    let (mut words, mut passed) = (Vec::new(), Vec::new());
    for mention in mentions {
        let span = mention.span.start as usize..mention.span.end as usize;
        let is_word = match mention.source {
            MentionSource::At | MentionSource::Link => true,
            MentionSource::Tag => asks_for_thing(&body[..span.start]),
            _ => false,
        };
        match body[span.clone()].find(&mention.name).filter(|_| is_word) {
            Some(offset) => {
                let start = span.start + offset;
                words.push(Marked { span, name: start..start + mention.name.len() });
            }
            None => passed.push(span),
        }
    }
    words.sort_by_key(|mark| mark.span.start);
    (words, passed)
}

/// Whether a text ends with a word that requires a noun after it.
fn asks_for_thing(before: &str) -> bool {
    let last = before.trim_end_matches(' ');
    let word = last.rsplit(char::is_whitespace).next().unwrap_or("").trim_start_matches(['(', '*', '_', '"', '“']);
    last.len() < before.len() && opens_phrase(&fold_case(word))
}

/// Letters of any script, digits, `_`, `-`, `/`; not only digits. Not a tag after a letter, digit, `#`, `&` or `/`.
fn tag_name(body: &str, sign: usize) -> Option<&str> {
    let before = body[..sign].chars().next_back();
    if before.is_some_and(|c| is_letter(c) || matches!(c, '#' | '&' | '/' | '_')) {
        return None;
    }
    let name = run(&body[sign + 1..], |c| is_letter(c) || matches!(c, '_' | '-' | '/'));
    let name = name.trim_end_matches(['-', '/', '_']);
    let named = name.starts_with(|c| is_letter(c) || c == '_') && name.chars().any(|c| c.is_alphabetic());
    (named && name.len() <= LONGEST_MARK).then_some(name)
}

/// Starts with a letter; letters, digits, `_`, and `-`, `.`, `'` between letters. Excludes a possessive 's.
fn person_name(body: &str, sign: usize) -> Option<&str> {
    let before = body[..sign].chars().next_back();
    if before.is_some_and(|c| is_letter(c) || matches!(c, '@' | '/' | '_' | '.' | '-')) {
        return None;
    }
    let rest = run(&body[sign + 1..], |c| is_letter(c) || matches!(c, '_' | '-' | '.' | '\'' | '’'));
    let mut end = 0;
    let mut joined = true;
    for (at, c) in rest.char_indices() {
        if is_letter(c) || c == '_' {
            end = at + c.len_utf8();
            joined = true;
        } else if joined {
            joined = false;
        } else {
            break;
        }
    }
    let name = without_possessive(&rest[..end]).trim_end_matches('_');
    (name.starts_with(char::is_alphabetic) && name.len() <= LONGEST_MARK).then_some(name)
}

/// `@ some_body`, as in pasted messages: only if it is written like an account name. `lunch @ Luigi` and `@ home` are
/// places.
fn spaced_handle(body: &str, sign: usize) -> Option<&str> {
    let rest = body[sign + 1..].strip_prefix(' ')?;
    let handle = run(rest, |c| c.is_ascii_alphanumeric() || c == '_');
    let opens = body[..sign].trim_end_matches([' ', '"', '“', '.']);
    let opens = opens.is_empty() || opens.ends_with(['\n', '@']) || opens.ends_with("RT");
    let inner = handle.chars().skip(1).any(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && !handle.chars().all(|c| c.is_ascii_uppercase());
    let addressed = opens || rest[handle.len()..].starts_with(" :");
    let unknown = addressed && !ORDINARY.has(&handle.to_ascii_lowercase());
    let letters = handle.chars().filter(char::is_ascii_alphabetic).count() >= 3
        && !handle.starts_with(|c: char| c.is_ascii_digit());
    (letters && handle.len() <= LONGEST_MARK && (inner || unknown)).then_some(handle)
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !belongs(c)).unwrap_or(text.len());
    &text[..end]
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(body: &str) -> Vec<(String, Range<u32>)> {
        tags_and_people(body, &[], &[]).into_iter().map(|mention| (mention.name, mention.span)).collect()
    }

    fn names(body: &str) -> Vec<String> {
        marks(body).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn tags_of_any_script() {
        assert_eq!(names("#work/client-a, #công_việc. (#日記) #a1"), ["work/client-a", "công_việc", "日記", "a1"]);
        assert_eq!(names("# heading\n## two\nC# and a#b, &#39; #2026 ##x #- page/#top"), [] as [&str; 0]);
        assert_eq!(marks("é #té!"), [("té".to_owned(), 3..7)]);
    }

    #[test]
    fn people_without_what_clings_to_them() {
        assert_eq!(
            names("@Linh's dog, @Hùng. @j.doe: (@Anne-Marie) @O'Brien’s"),
            ["Linh", "Hùng", "j.doe", "Anne-Marie", "O'Brien"]
        );
        assert_eq!(names("a@b @ Linh @3pm @@x"), [] as [&str; 0]);
    }

    #[test]
    fn links_name_what_stands_before_the_bar() {
        let body = "[[Linh|my friend]] ![[cat.png]] [[Washington (place)]] [[2026-02-22]] [[a [[b]] [[ ]] [[Note#Part]] [[open";
        let found: Vec<_> = links(body, &[]).into_iter().map(|link| (link.name, link.kind)).collect();
        let expected = [("Linh", None), ("Washington", Some(EntityKind::Place)), ("b", None), ("Note", None)];
        assert_eq!(found, expected);
    }
}
