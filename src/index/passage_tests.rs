use proptest::prelude::*;

use super::*;

fn cut(body: &str) -> Vec<&str> {
    passages(body).into_iter().map(|p| &body[p.span.start as usize..p.span.end as usize]).collect()
}

/// `n` words that end as one sentence.
fn sentence(word: &str, n: usize) -> String {
    let mut text = vec![word; n].join(" ");
    text.push('.');
    text
}

#[test]
fn a_short_entry_is_one_passage() {
    for body in [
        "Tea with Linh.",
        "# Sunday\n\nSlept late. Tea with Linh by the river.\n\n- bread\n- soap",
        "今日は東京タワーに行きました。楽しかった！",
        "🙂",
    ] {
        assert_eq!(cut(body), [body]);
    }
    assert_eq!(cut(" \n\t Tea.\r\n\r\n"), ["Tea."]);
}

#[test]
fn nothing_readable_gives_no_passage() {
    assert!(passages("").is_empty());
    assert!(passages(" \n\r\n\t\u{3000} ").is_empty());
}

#[test]
fn sentences_are_gathered_but_not_broken() {
    let (a, b, c) = (sentence("river", 25), sentence("tea", 25), sentence("walk", 10));
    let body = format!("{a} {b} {c}");
    assert_eq!(cut(&body), [a.clone(), format!("{b} {c}")]);
    // A short rest stays with its paragraph.
    let body = format!("{a} {c} {c}\n\n{b}");
    assert_eq!(cut(&body), [format!("{a} {c} {c}"), b]);
}

#[test]
fn paragraphs_and_items_are_boundaries_once_long_enough() {
    let (a, b) = (sentence("river", 20), sentence("tea", 22));
    assert_eq!(cut(&format!("{a}\n\n{b}")), [a.as_str(), &b]);
    assert_eq!(cut(&format!("- {a}\n- {b}")), [format!("- {a}"), format!("- {b}")]);
    // Short items share a passage.
    let list = "- bread\n- soap\n- tea\n";
    assert_eq!(cut(&format!("{list}{a} {b}")).len(), 2);
}

#[test]
fn a_heading_goes_with_what_follows() {
    let (a, b) = (sentence("river", 30), sentence("tea", 30));
    let body = format!("{a}\n\nShort end.\n## Evening\n\n{b}");
    assert_eq!(cut(&body), [a, "Short end.".into(), format!("## Evening\n\n{b}")]);
}

/// The sentences of one line.
fn sentences(text: &str) -> Vec<&str> {
    Cutter::default().sentences(text).into_iter().map(|unit| &text[unit.span]).collect()
}

#[test]
fn abbreviations_decimals_and_initials_end_no_sentence() {
    for whole in [
        "Dr. Tran met Prof. Ito at 3.5 km from St. Anne.",
        "We left at 5 p.m. and ran, e.g. to the lake.",
        "J. R. Lee wrote v1.2.3 of kioku.md today",
        "Paid 1.200,50 for no. 5 vs. no. 7",
        "1. Buy bread",
        "Wait... what",
    ] {
        let found = sentences(whole);
        if whole.starts_with("Wait") {
            assert_eq!(found.len(), 2);
        } else {
            assert_eq!(found, [whole]);
        }
    }
    assert_eq!(
        sentences("Did I. say so? No. Then \"go!\" he said."),
        ["Did I.", "say so?", "No.", "Then \"go!\"", "he said."]
    );
    assert_eq!(sentences("home at 5 p.m. Then bed"), ["home at 5 p.m.", "Then bed"]);
    assert_eq!(sentences("「行こう！」と言った。そして…帰った"), ["「行こう！」", "と言った。", "そして…帰った"]);
    assert_eq!(sentences("went home. ate. (slept well.) done"), ["went home.", "ate.", "(slept well.)", "done"]);
}

#[test]
fn lines_broken_at_a_margin_go_on_and_short_lines_stand_alone() {
    let wrapped = "Today we walked along the river for a long time and talked about\nthe plan for spring";
    assert_eq!(sentences(wrapped), [wrapped]);
    assert_eq!(sentences("slept badly\nlong walk\ntea"), ["slept badly", "long walk", "tea"]);
}

#[test]
fn a_run_without_end_is_cut_between_words_or_anywhere() {
    let text = vec!["word"; 1000].join(" ");
    let parts = cut(&text);
    assert!(parts.len() >= 1000 / 60 && parts.iter().all(|part| part.split(' ').all(|word| word == "word")));
    let solid = "x".repeat(5000);
    assert!(cut(&solid).iter().all(|part| part.len() <= LONGEST as usize));
    let kana = "あ".repeat(1000);
    assert!(cut(&kana).iter().all(|part| part.chars().count() <= 120));
    let clauses = vec!["one two three four five,"; 40].join(" ");
    assert!(cut(&clauses).iter().all(|part| part.ends_with(',')));
}

#[test]
/// Some 20 MB: a quadratic step would take hours.
fn a_megabyte_of_anything_is_cut_inside_its_bounds() {
    for piece in [
        ".", "a.", ". ", "x", " ", "\n", "a \n", "- a\n", "。", "あ", "\"", "#", "1", ",", "e\u{301}", "a::", "Dr. ",
        "!)", "🙂",
    ] {
        let body = piece.repeat((1 << 20) / piece.len());
        let found = passages(&body);
        assert!(found.iter().all(|passage| passage.span.end as usize <= body.len()), "{piece:?}");
        assert!(found.windows(2).all(|pair| pair[0].span.start < pair[1].span.start), "{piece:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_character_lies_in_exactly_one_passage(pieces in prop::collection::vec(prop_oneof![
        3 => "[a-zA-Z0-9]{1,9}",
        2 => Just(" ".to_string()),
        1 => prop::sample::select(vec![". ", ".", "! ", "…", "\n", "\r\n", "\n\n", "- ", "# ", "> ", "。", "、", "あ", "東京",
            "e\u{301}", "👩‍👩‍👧", "\u{a0}", "\u{3000}", "\t", "\u{200b}", "Dr. ", "::", "[[A]]", "\0", "      "]).prop_map(String::from),
        1 => (1usize..900).prop_map(|n| "x".repeat(n)),
        1 => (1usize..900).prop_map(|n| " ".repeat(n)),
        1 => "\\PC{0,12}",
    ], 0..120)) {
        let body = pieces.concat();
        let found = passages(&body);
        let mut end = 0;
        for passage in &found {
            let (from, to) = (passage.span.start as usize, passage.span.end as usize);
            prop_assert!(from < to && to <= body.len());
            prop_assert!(body.get(end..from).is_some_and(|between| between.chars().all(char::is_whitespace)));
            let text = &body[from..to];
            prop_assert_eq!(text, text.trim());
            prop_assert_eq!(passage.hash, PassageHash::of(text));
            prop_assert!(text.chars().count() <= 2 * LONGEST as usize, "{} characters", text.chars().count());
            end = to;
        }
        prop_assert!(body[end..].chars().all(char::is_whitespace));
    }
}
