//! Code and addresses in a body. Marks and names in them are ignored.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

/// Byte ranges of fenced code (with its fences), inline code, web and e-mail addresses; in order, without overlap. An
/// unclosed fence runs to the end.
pub(super) fn skipped(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if body.contains('`') || body.contains("~~~") {
        let is_code = |event: &Event<'_>| {
            matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))))
        };
        let code = Parser::new(body).into_offset_iter().filter(|(event, _)| is_code(event));
        found.extend(code.map(|(_, span)| span));
    }
    if body.contains("://") || body.contains("www.") || body.contains('@') {
        addresses(body, &mut found);
    }
    merge(found)
}

/// Sorts ranges and merges touching and overlapping ones.
pub(super) fn merge(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// The parts of sorted ranges within a piece of the body, relative to the piece.
pub(super) fn inside(ranges: &[Range<usize>], piece: &Range<usize>) -> Vec<Range<usize>> {
    let first = ranges.partition_point(|range| range.end <= piece.start);
    let here = ranges[first..].iter().take_while(|range| range.start < piece.end);
    here.map(|range| range.start.max(piece.start) - piece.start..range.end.min(piece.end) - piece.start).collect()
}

/// Whether a position is in one of the sorted ranges.
pub(super) fn within(ranges: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).filter(|range| range.start <= at)
}

fn addresses(body: &str, found: &mut Vec<Range<usize>>) {
    let mut at = 0;
    for word in body.split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        let word = word.trim_end();
        if let Some(colon) = word.find("://") {
            let scheme = word[..colon].bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
            if scheme > 0 {
                found.push(start + colon - scheme..start + word.len());
            }
        } else if let Some(www) = word.find("www.") {
            found.push(start + www..start + word.len());
        } else if let Some(sign) = word.find('@')
            && is_mail_address(&word[..sign], &word[sign + 1..])
        {
            found.push(start..start + word.len());
        }
    }
}

/// `a@b.c`: a letter or digit before, a dot between letters or digits after.
fn is_mail_address(before: &str, after: &str) -> bool {
    let host = after
        .split_once('.')
        .is_some_and(|(host, rest)| host.starts_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric));
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+')) && host
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(body: &str) -> Vec<&str> {
        skipped(body).into_iter().map(|range| &body[range]).collect()
    }

    #[test]
    fn code_is_found_as_markdown_has_it() {
        assert_eq!(shown("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
        assert_eq!(shown("x\n```rust\n#a\n```\ny"), ["```rust\n#a\n```"]);
        assert_eq!(shown("~~~\na\n```\nb"), ["~~~\na\n```\nb"], "an unclosed fence runs to the end");
        assert_eq!(shown("a lone ` here\n\nand ` there"), [] as [&str; 0], "never across a paragraph");
        assert_eq!(shown("    ```\nfour spaces"), [] as [&str; 0]);
        assert_eq!(shown("- a\n\n  ```\n  b\n  ```"), ["```\n  b\n  ```"], "in a list item");
        assert_eq!(shown("an escaped \\` and ` here"), [] as [&str; 0]);
    }

    #[test]
    fn addresses_are_found() {
        assert_eq!(shown("see https://a.b/#c, or"), ["https://a.b/#c,"]);
        assert_eq!(shown("[x](http://a.b/@me)"), ["http://a.b/@me)"]);
        assert_eq!(shown("write linh@example.org or @linh"), ["linh@example.org"]);
        assert_eq!(shown("www.example.org"), ["www.example.org"]);
    }

    #[test]
    fn many_unmatched_backticks_cost_little() {
        let body: String = (1..600).map(|n| "`".repeat(n) + "x").collect();
        assert!(skipped(&body).is_empty());
    }
}
