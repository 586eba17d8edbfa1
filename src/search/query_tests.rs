use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;

fn now() -> Zoned {
    "2026-11-20T15:00:00+07:00[+07:00]".parse().unwrap()
}

fn parse(text: &str) -> Query {
    Query::parse(text, &now())
}

fn tests(text: &str) -> Vec<Test> {
    parse(text).filters.into_iter().map(|filter| filter.test).collect()
}

fn days(first: Date, last: Date) -> DayRange {
    DayRange { first, last }
}

#[test]
fn words_phrases_and_exclusions() {
    let query = parse("stressed \"old knot\" -work -\"project x\" about");
    assert_eq!(query.words, ["stressed", "about"]);
    assert_eq!(query.phrases, ["old knot"]);
    assert_eq!(query.excluded, ["work", "project x"]);
    assert_eq!(query.plain, "stressed old knot about");
    assert!(query.filters.is_empty() && query.notices.is_empty() && query.ends_in_word);
}

#[test]
fn filters_are_taken_out_and_their_places_told() {
    let text = "knot mood:calm tag:#Work entity:\"Project X\" person:Linh";
    let query = parse(text);
    assert_eq!(query.words, ["knot"]);
    assert_eq!(
        query.understood().iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(),
        ["mood:calm", "tag:#Work", "entity:\"Project X\"", "person:Linh"]
    );
    assert_eq!(
        tests(text),
        [
            Test::Mood("calm".into()),
            Test::Tag("Work".into()),
            Test::Named { kind: None, name: "Project X".into() },
            Test::Named { kind: Some(EntityKind::Person), name: "Linh".into() },
        ]
    );
    assert!(!query.ends_in_word);
}

#[test]
fn a_kind_may_be_named_as_on_the_screens() {
    let kinds = [Test::Kind(EntityKind::Emotion), Test::Kind(EntityKind::Organization)];
    assert_eq!(tests("kind:feeling kind:group"), kinds);
}

#[test]
fn days_are_read_as_people_say_them() {
    let january = [Test::From(date(2026, 1, 1)), Test::To(date(2026, 1, 31))];
    assert_eq!(tests("from:2026-01 to:2026-01"), january);
    assert_eq!(tests("after:2025 before:2026-02-01"), january);
    let yesterday = days(date(2026, 11, 19), date(2026, 11, 19));
    assert_eq!(tests("on:yesterday"), [Test::On(yesterday)]);
    assert_eq!(tests("before:\"last week\""), tests("before:last-week"));
    assert_eq!(tests("before:\"last week\"").len(), 1);
}

#[test]
fn any_filter_may_be_turned_round() {
    let query = parse("-tag:work is:starred");
    assert_eq!(query.filters[0], Filter { test: Test::Tag("work".into()), negated: true, span: Some(0..9) });
    assert_eq!(query.filters[1], Filter { test: Test::Starred, negated: false, span: Some(10..20) });
    assert!(query.excluded.is_empty() && query.is_bare());
}

#[test]
fn an_invalid_filter_is_ignored_with_a_notice() {
    let query = parse("mood: from:soonish kind:thing foo:bar");
    assert_eq!(query.words, ["foo:bar"]);
    assert!(query.filters.is_empty() && query.understood().is_empty());
    assert_eq!(query.notices.len(), 3, "an unknown key is no notice: {:?}", query.notices);
    assert!(query.notices[0].starts_with("mood: needs a value"));
    assert!(query.notices[1].contains("soonish"));
}

#[test]
fn a_misspelt_filter_is_searched_as_a_word_with_a_suggestion() {
    for (typed, told) in [
        ("mod:calm", Some("mod: is no filter; did you mean mood:")),
        ("form:2026-01", Some("form: is no filter; did you mean from:")),
        ("persn:Linh", Some("persn: is no filter; did you mean person:")),
        ("re:invent", None),
        ("foo:bar", None),
        ("mod:", None),
    ] {
        let query = parse(typed);
        assert_eq!((query.words.len(), query.notices.first().map(String::as_str)), (1, told), "{typed}");
    }
}

#[test]
fn punctuation_alone_is_nothing_to_search_for() {
    assert!(parse("?").is_wordless() && parse(" - ! ").is_wordless());
    assert!(parse("mood:calm ?").is_bare() && !parse("mood:calm ?").is_wordless());
    assert_eq!(parse("c++ - go").words, ["c++", "-", "go"]);
    assert!(!parse("🙂").is_wordless() && !parse("").is_wordless());
}

#[test]
fn a_filter_whose_value_is_yet_to_be_typed_searches_nothing_else() {
    let query = parse("river mood:");
    assert_eq!(
        (&query.words[..], &query.notices[..]),
        (&["river".to_owned()][..], &["mood: needs a value".to_owned()][..])
    );
    assert!(parse("mood: ").is_bare() && !parse("foo:").is_bare());
}

#[test]
fn an_unclosed_quote_is_a_phrase_to_the_end() {
    let query = parse("knot \"project x is la");
    assert_eq!((&query.words[..], &query.phrases[..]), (&["knot".to_owned()][..], &["project x is la".to_owned()][..]));
    assert!(query.ends_in_phrase && query.keyword(true).phrase_is_prefix && !query.keyword(false).phrase_is_prefix);
    assert_eq!(tests("entity:\"Project"), [Test::Named { kind: None, name: "Project".into() }]);
}

#[test]
fn only_the_word_being_typed_is_a_prefix() {
    assert!(parse("old kno").keyword(true).last_is_prefix);
    assert!(!parse("old knot ").keyword(true).last_is_prefix);
    assert!(!parse("kno tag:work").keyword(true).last_is_prefix);
    assert!(!parse("old kno").keyword(false).last_is_prefix);
}

#[test]
fn a_long_query_is_cut_and_says_so() {
    let query = parse(&"river ".repeat(10_000));
    assert!((500..1_000).contains(&query.words.len()));
    assert!(query.notices[0].contains("too long"), "{:?}", query.notices);
}

#[test]
fn dashes_inside_and_alone_are_ordinary() {
    let query = parse("well-being - -- 5:30pm");
    assert_eq!(query.words, ["well-being", "-", "--", "5:30pm"]);
    assert!(query.excluded.is_empty());
}

#[test]
fn filters_beside_the_text_need_no_quotes() {
    let mut query = parse("knot");
    query.add_filter("tag:project x", &now());
    query.add_filter("nonsense", &now());
    assert_eq!(query.filters[0].test, Test::Tag("project x".into()));
    assert_eq!(query.words, ["knot", "nonsense"]);
}

proptest! {
    #[test]
    fn any_text_is_a_query(text in "\\PC{0,40}|((-?(mood|tag|from|on|person|is|kind)?:?\"?)?[a-z0-9 “”\"đ怀:-]{0,6}){0,6}") {
        let query = parse(&text);
        let mut last = 0;
        for span in query.understood() {
            prop_assert!(span.start >= last && span.start < span.end);
            prop_assert!(text.get(span.clone()).is_some());
            last = span.end;
        }
        prop_assert_eq!(query.filters.len(), query.understood().len());
        prop_assert!(query.phrases.iter().chain(&query.excluded).all(|part| text.contains(part.as_str())));
    }
}
