//! Prose of markdown: the words of a text without the marks of emphasis, links, headings, lists and code.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Turns marks that are characters of a text into text: those of emphasis inside a word, as in `2*milk and 3*eggs`, a single `~`, and
/// character references. `event` and `span` are of a parser of `text`.
pub fn as_written<'t>(text: &'t str) -> impl FnMut((Event<'t>, Range<usize>)) -> (Event<'t>, Range<usize>) {
    move |(event, span)| {
        let part = &text[span.clone()];
        let width = match &event {
            Event::Text(_) if part.starts_with('&') => return (Event::Text(part.into()), span),
            Event::Start(Tag::Emphasis) | Event::End(TagEnd::Emphasis) => 1,
            Event::Start(Tag::Strong) | Event::End(TagEnd::Strong) => 2,
            Event::Start(Tag::Strikethrough) | Event::End(TagEnd::Strikethrough) => {
                1 + usize::from(part.starts_with("~~"))
            }
            _ => return (event, span),
        };
        let is_literal =
            width == 1 && part.starts_with('~') || is_in_word(text, span.start) || is_in_word(text, span.end - 1);
        let mark =
            if matches!(event, Event::Start(_)) { span.start..span.start + width } else { span.end - width..span.end };
        if is_literal { (Event::Text(text[mark.clone()].into()), mark) } else { (event, span) }
    }
}

/// Whether the marks around `at` have a letter or digit on both sides. Scripts without spaces have emphasis inside their lines.
fn is_in_word(text: &str, at: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() && c < '\u{2e80}';
    let is_mark = ['*', '_', '~'];
    text[..at].trim_end_matches(is_mark).ends_with(is_part)
        && text[at..].trim_start_matches(is_mark).starts_with(is_part)
}

/// The parts of a text that are no marks, in order. Numbers of list items, comments and link definitions stay,
/// because they are words of the writer; so does the dash between two list items.
pub fn prose_parts(text: &str) -> Vec<Range<usize>> {
    let options = Options::ENABLE_STRIKETHROUGH | Options::ENABLE_WIKILINKS;
    let mut parser = Parser::new_ext(text, options).into_offset_iter();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut is_numbered = Vec::new();
    for (event, span) in parser.by_ref().map(as_written(text)) {
        match event {
            Event::Start(Tag::List(first)) => is_numbered.push(first.is_some()),
            Event::End(pulldown_cmark::TagEnd::List(_)) => {
                is_numbered.pop();
            }
            Event::Start(Tag::Item) if is_numbered.last() == Some(&true) || !parts.is_empty() => {
                let end = text[span.clone()].find(char::is_whitespace).map_or(span.end, |end| span.start + end);
                parts.push(span.start..end);
            }
            Event::Code(code) => parts.extend(text[span.clone()].find(&*code).map(|at| {
                let start = span.start + at;
                start..start + code.len()
            })),
            Event::Text(_) | Event::Html(_) | Event::InlineHtml(_) => parts.push(span),
            _ => {}
        }
    }
    parts.extend(parser.reference_definitions().iter().map(|(_, definition)| definition.span.clone()));
    parts.sort_by_key(|part| part.start);
    parts
}

/// The text with what `change` makes of its parts that are no code.
pub fn outside_code(text: &str, change: impl Fn(&str) -> String) -> String {
    let (mut changed, mut at) = (String::with_capacity(text.len()), 0);
    for (event, span) in Parser::new(text).into_offset_iter() {
        if matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))) {
            changed.push_str(&change(&text[at..span.start]));
            changed.push_str(&text[span.clone()]);
            at = span.end;
        }
    }
    changed + &change(&text[at..])
}

/// The words on one line.
pub fn prose(text: &str) -> String {
    let mut line = String::new();
    let mut end = 0;
    for part in prose_parts(text) {
        if text.get(end..part.start).is_some_and(|marks| marks.contains(char::is_whitespace)) {
            line.push(' ');
        }
        line.push_str(&text[part.clone()]);
        end = part.end;
    }
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Length in bytes of the field lines at the beginning of a text, such as `trigger:: [[Demo]]`.
pub fn field_lines(text: &str) -> usize {
    let is_field = |line: &&str| line.trim().is_empty() || line.trim_end().ends_with("::") || line.contains(":: ");
    text.split_inclusive('\n').take_while(is_field).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_and_words_stay() {
        for (text, words) in [
            ("- a bicycle, *xanh ông Peugeot*\n- still **no** salt", "a bicycle, xanh ông Peugeot - still no salt"),
            ("# October\n\nThe [[Demo]] with [Ngân](https://a.example/x) ~~late~~", "October The Demo with Ngân late"),
            ("> said `x = 1`\n> twice", "said x = 1 twice"),
            ("so *very* **good**, (*not* ***so***) and 这是*重点*内容", "so very good, (not so) and 这是重点内容"),
            ("```\nbattery 21\n```", "battery 21"),
            ("trigger:: [[Budget]] again", "trigger:: Budget again"),
        ] {
            assert_eq!(prose(text), words);
        }
    }

    #[test]
    fn what_only_looks_like_a_mark_stays() {
        for text in [
            "12. Juni war schön",
            "5 * 3 * 2",
            "2*milk and 3*eggs, £5*3*2 = £30",
            "Dose 1*5mg am, 2*5mg pm; 2**10, 3**4; *3*4",
            "About ~10 mins there, ~20 back~ late",
            "AT&amp;T and 5 &lt; 6",
            "[note]: bought milk",
            "<!-- tired -->",
            "a_b_c",
            "#work @Khoa",
            "2 < 3",
        ] {
            assert_eq!(prose(text), text);
        }
    }

    proptest::proptest! {
        #[test]
        fn every_letter_of_plain_words_stays(words in proptest::collection::vec("[*_#>\\[\\]()`~-]{0,2}[a-zà-ỹ0-9]{1,6}[*_\\]()`~.:-]{0,2}", 1..12)) {
            let text = words.join(" ");
            let parts = prose_parts(&text);
            assert!(parts.windows(2).all(|two| two[0].end <= two[1].start), "{text:?}: {parts:?}");
            assert!(parts.iter().all(|part| text.get(part.clone()).is_some()));
        }
    }
}
