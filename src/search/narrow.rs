//! Adding filters to a typed query and removing them. Keys and typing are equivalent: either can undo the other.

use std::ops::Range;

use jiff::Zoned;

use super::query::{Filter, Query, Test};
use crate::index::keyword::analyzer::fold;

/// `key:value` as typed; a value with spaces is quoted.
pub fn filter(key: &str, value: &str) -> String {
    let value = value.replace(['"', '“', '”', '„'], " ");
    let value = value.trim();
    if value.contains(char::is_whitespace) { format!("{key}:\"{value}\"") } else { format!("{key}:{value}") }
}

/// Inserts a filter at the start, so that the end of the text (half a word, an open quote) keeps its meaning.
pub fn with(text: &str, filter: &str) -> String {
    format!("{filter} {}", text.trim_start())
}

/// The text without the bytes of one filter and the space before it.
pub fn without(text: &str, span: &Range<usize>) -> String {
    let (Some(before), Some(after)) = (text.get(..span.start), text.get(span.end..)) else { return text.to_owned() };
    let (before, after) = (before.trim_end(), after.trim_start());
    if before.is_empty() || after.is_empty() { format!("{before}{after}") } else { format!("{before} {after}") }
}

/// The text without its filters.
pub fn words(text: &str, now: &Zoned) -> String {
    let spans = Query::parse(text, now).understood();
    spans.iter().rev().fold(text.to_owned(), |text, span| without(&text, span))
}

/// Whether two filters are equivalent, whatever their spelling.
pub fn says(one: &Filter, other: &Filter) -> bool {
    one.negated == other.negated && is_same(&one.test, &other.test)
}

/// The filter of a text that is exactly one filter.
pub fn read(filter: &str, now: &Zoned) -> Option<Filter> {
    let mut query = Query::parse(filter, now);
    let alone = query.is_bare() && query.filters.len() == 1;
    query.filters.pop().filter(|_| alone)
}

fn is_same(one: &Test, other: &Test) -> bool {
    match (one, other) {
        (Test::Mood(one), Test::Mood(other)) | (Test::Tag(one), Test::Tag(other)) => fold(one) == fold(other),
        (Test::Named { kind, name }, Test::Named { kind: other_kind, name: other }) => {
            kind == other_kind && fold(name) == fold(other)
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn now() -> Zoned {
        "2026-11-20T15:00:00+07:00[+07:00]".parse().unwrap()
    }

    /// The byte range of a filter in a text.
    fn find(text: &str, filter: &str) -> Option<Range<usize>> {
        let wanted = read(filter, &now()).unwrap();
        Query::parse(text, &now()).filters.into_iter().find(|one| says(one, &wanted))?.span
    }

    #[test]
    fn a_filter_with_blanks_stands_in_quotes() {
        assert_eq!(filter("tag", "project x"), "tag:\"project x\"");
        assert_eq!(filter("mood", "calm"), "mood:calm");
    }

    #[test]
    fn half_a_word_and_an_open_quote_stay_what_they_are() {
        assert_eq!(with("stressed about wor", "mood:calm"), "mood:calm stressed about wor");
        assert_eq!(with("\"the old kn", "person:Linh"), "person:Linh \"the old kn");
        assert_eq!(with("", "mood:calm"), "mood:calm ");
    }

    #[test]
    fn a_filter_is_found_however_it_is_spelled_and_taken_out_whole() {
        let text = "work  person:\"linh nguyen\" late";
        let span = find(text, "person:\"Linh Nguyễn\"").unwrap();
        assert_eq!(without(text, &span), "work late");
        assert_eq!(find(text, "-person:\"Linh Nguyễn\""), None);
        assert_eq!(find("on:2026-09-01", "on:2026-09"), None, "a day is not its month");
        assert_eq!(without("mood:calm ", &(0..9)), "");
        assert_eq!(without("ở", &(1..2)), "ở", "a place inside a letter is none");
    }

    #[test]
    fn all_filters_go_and_the_words_stay() {
        assert_eq!(words("mood:calm the old -tag:work \"long way\" from:2026-01", &now()), "the old \"long way\"");
        assert_eq!(words("re:invent", &now()), "re:invent");
    }

    proptest! {
        #[test]
        fn what_is_put_in_filters_and_taken_out_leaves_the_query_as_it_was(
            text in "([a-z\"ở-]{1,6}|mood:calm|from:2026|-tag:x| ){0,8}", value in "[a-zở]{1,8}( [a-z]{1,5})?",
        ) {
            let before = Query::parse(&text, &now());
            let filter = filter("tag", &value);
            let narrowed = with(&text, &filter);
            let query = Query::parse(&narrowed, &now());
            prop_assert_eq!(query.filters.len(), before.filters.len() + 1);
            prop_assert_eq!((&query.words, &query.phrases, &query.excluded), (&before.words, &before.phrases, &before.excluded));
            let span = find(&narrowed, &filter).unwrap();
            prop_assert_eq!(&without(&narrowed, &span), text.trim_start());
        }
    }
}
