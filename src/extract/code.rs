//! Code and addresses in a body. Marks and names in them are ignored.

use std::ops::Range;

/// Byte ranges of fenced code (with its fences), inline code, web and e-mail addresses; in order, without overlap.
/// Follows CommonMark; an unclosed fence runs to the end.
pub(super) fn skipped(body: &str) -> Vec<Range<usize>> {
    skipped_beside(body, &fenced(body))
}

/// Fenced code only.
pub(super) fn fenced(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if body.contains("```") || body.contains("~~~") {
        fences(body, &mut found);
    }
    found
}

/// Like [`skipped`], for a body whose fenced code is known.
pub(super) fn skipped_beside(body: &str, fenced: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = fenced.to_vec();
    if body.contains('`') {
        inline(body, &mut found);
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

fn fences(body: &str, found: &mut Vec<Range<usize>>) {
    let mut open: Option<(usize, u8, usize)> = None;
    let mut start = 0;
    for line in body.split_inclusive('\n') {
        let end = start + line.len();
        let fence = fence(line);
        match (open, fence) {
            (None, Some((sign, length, rest))) if sign == b'~' || !rest.contains('`') => {
                open = Some((start, sign, length));
            }
            (Some((from, sign, length)), Some((closing, count, rest)))
                if closing == sign && count >= length && rest.trim().is_empty() =>
            {
                found.push(from..end);
                open = None;
            }
            _ => {}
        }
        start = end;
    }
    if let Some((from, ..)) = open {
        found.push(from..body.len());
    }
}

/// Sign and length of a fence line, and the text after it.
fn fence(line: &str) -> Option<(u8, usize, &str)> {
    let text = line.trim_start_matches(' ');
    let sign = *text.as_bytes().first()?;
    let length = text.bytes().take_while(|byte| *byte == sign).count();
    (line.len() - text.len() <= 3 && matches!(sign, b'`' | b'~') && length >= 3)
        .then(|| (sign, length, &text[length..]))
}

fn inline(body: &str, found: &mut Vec<Range<usize>>) {
    let fenced = found.clone();
    let mut runs: Vec<Range<usize>> = Vec::new();
    let bytes = body.as_bytes();
    let mut at = 0;
    while let Some(next) = body[at..].find('`') {
        let start = at + next;
        let end = start + bytes[start..].iter().take_while(|byte| **byte == b'`').count();
        if within(&fenced, start).is_none() {
            runs.push(start..end);
        }
        at = end;
    }
    // For each length the run that waits for its partner; a run inside a completed span does not count.
    let mut next_of_length = std::collections::HashMap::new();
    let mut partner = vec![None; runs.len()];
    for (position, run) in runs.iter().enumerate().rev() {
        partner[position] = next_of_length.insert(run.len(), position);
    }
    let mut position = 0;
    while position < runs.len() {
        let start = runs[position].start;
        let closing = partner[position].filter(|at| !crosses_paragraph(&body[start..runs[*at].start]));
        position = match closing {
            Some(closing) => {
                found.push(start..runs[closing].end);
                closing + 1
            }
            None => position + 1,
        };
    }
}

fn crosses_paragraph(text: &str) -> bool {
    text.contains("\n\n") || text.contains("\n\r\n")
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
        assert_eq!(shown("x\n```rust\n#a\n```\ny"), ["```rust\n#a\n```\n"]);
        assert_eq!(shown("~~~\na\n```\nb"), ["~~~\na\n```\nb"], "an unclosed fence runs to the end");
        assert_eq!(shown("a lone ` here\n\nand ` there"), [] as [&str; 0], "never across a paragraph");
        assert_eq!(shown("    ```\nfour spaces"), [] as [&str; 0]);
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
