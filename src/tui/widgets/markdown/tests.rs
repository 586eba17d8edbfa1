use proptest::prelude::*;
use ratatui::style::{Color, Modifier, Style};

use super::*;

fn shown(body: &str, width: u16) -> Vec<String> {
    let layout = Layout::of(body, width, false);
    (0..layout.height()).map(|row| layout.row_text(row)).collect()
}

#[test]
fn plain_writing_looks_as_typed() {
    let body = "Slept well.\nWalked along the river:\n   the fog\n\n\nHome by nine.  Tired";
    assert_eq!(shown(body, 60), body.split('\n').collect::<Vec<_>>());
}

#[test]
fn a_dose_and_a_sum_look_as_typed() {
    for body in ["Dose 1*5mg am, 2*5mg pm", "About ~10 mins there, ~20 back~ late", "£5*3*2 = £30 at AT&amp;T"] {
        assert_eq!(shown(body, 60), [body]);
    }
}

#[test]
fn a_paragraph_wraps_by_word() {
    assert_eq!(shown("the fog made the bridges float", 12), ["the fog made", "the bridges", "float"]);
}

#[test]
fn lists_keep_their_numbers_and_hang() {
    assert_eq!(
        shown("3. third thing here\n7. seventh\n- milk\n  - oat\n- [x] bread\n- [ ] eggs\n-\n", 14),
        ["3. third thing", "   here", "7. seventh", "• milk", "  • oat", "[x] bread", "[ ] eggs", "• "]
    );
}

#[test]
fn headings_rules_quotes_and_code() {
    assert_eq!(
        shown("# Today\nrain\n\n> she said\n> no\n\n---\n```sh\nls  -l\n\necho\n```\nend", 10),
        ["Today", "rain", "", "│ she said", "│ no", "", "──────────", "  sh", "  ls  -l", "  ", "  echo", "end"]
    );
}

#[test]
fn a_line_without_the_sign_is_not_in_the_quote_above_it() {
    assert_eq!(shown("> she said so\nI did not", 12), ["│ she said", "│ so", "I did not"]);
    assert_eq!(shown("- > her words\n  my words", 12), ["• │ her", "  │ words", "  my words"]);
    assert_eq!(shown("> > his\n> hers\nmine", 12), ["│ │ his", "│ hers", "mine"]);
    assert_eq!(shown("> - a\n> 5 > 3\n5 > 3", 12), ["│ • a", "│   5 > 3", "  5 > 3"]);
}

#[test]
fn character_references_are_shown_as_written() {
    assert_eq!(shown("AT&amp;T, R&D &c; `&lt;`", 40), ["AT&amp;T, R&D &c; &lt;"]);
}

#[test]
fn a_plain_screen_shows_the_markup() {
    let body = "# Today\n\n\n> She said I was lazy.\n\n  I ~~hate~~ *love* it.\n```sh\nls\n```";
    let layout = Layout::of(body, 40, true);
    assert_eq!(
        (0..layout.height()).map(|row| layout.row_text(row)).collect::<Vec<_>>(),
        body.split('\n').collect::<Vec<_>>()
    );
}

#[test]
fn what_the_syntax_swallows_is_shown() {
    assert_eq!(shown("[note]: buy-milk\n\ntext", 40), ["[note]: buy-milk", "", "text"]);
    assert_eq!(shown("text\n\n[note]: buy-milk", 40), ["text", "", "[note]: buy-milk"]);
    assert_eq!(shown("<div>\nhello <b>you</b>\n</div>", 40), ["<div>", "hello <b>you</b>", "</div>"]);
    assert_eq!(shown("Rest\n----\nmore", 40), ["Rest", "────────────────────────", "more"]);
}

#[test]
fn links_show_their_address() {
    assert_eq!(shown("see [the map](http://m.example \"Old\")", 60), ["see the map (http://m.example \"Old\")"]);
    assert_eq!(shown("<http://m.example>", 60), ["http://m.example"]);
    assert_eq!(shown("with [[Project X]] and [this]", 60), ["with [[Project X]] and [this]"]);
}

#[test]
fn tables_are_columns_or_as_typed() {
    let table = "| day | mood |\n|---|---|\n| Mo | calm |";
    assert_eq!(shown(table, 40), ["day │ mood", "────┼─────", "Mo  │ calm"]);
    assert_eq!(shown(table, 9)[0], "| day |");
}

fn styles(body: &str, layers: &[&[Overlay]]) -> Vec<(String, Style)> {
    let layout = Layout::of(body, 40, false);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
    let own = [("match", "red"), ("tag", "blue")].map(|(role, style)| (role.to_owned(), style.to_owned()));
    let theme = Theme::new("none", &own.into());
    layout.paint(&mut buffer, Rect::new(0, 0, 40, 1), 0, layers, &theme);
    let mut runs: Vec<(String, Style)> = Vec::new();
    for x in 0..40 {
        let cell = &buffer[(x, 0)];
        match runs.last_mut() {
            Some((text, style)) if *style == cell.style() => text.push_str(cell.symbol()),
            _ => runs.push((cell.symbol().to_owned(), cell.style())),
        }
    }
    runs
}

#[test]
fn a_match_is_painted_where_it_stands_in_the_source() {
    let body = "a **bold** word #tag";
    let hit = [Overlay { span: 4..6, role: Role::Match }];
    let marks = marks::marks(body);
    let runs = styles(body, &[&marks, &hit]);
    let red: Vec<_> = runs.iter().filter(|run| run.1.fg == Some(Color::Red)).collect();
    assert_eq!(red.len(), 1);
    assert_eq!(red[0].0, "bo");
    assert!(red[0].1.add_modifier.contains(Modifier::BOLD));
    assert!(runs.iter().any(|run| run.0 == "#tag" && run.1.fg == Some(Color::Blue)));
}

#[test]
fn the_row_of_a_byte_is_where_it_is_shown() {
    let body = "one two\nthree **four**";
    assert_eq!(Layout::of(body, 40, false).row_of(body.find("four").unwrap()), 1);
    assert_eq!(Layout::of(body, 40, false).row_of(0), 0);
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<_> =
        text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

proptest! {
    #[test]
    fn never_panics_and_fits(body in "([ \n\t*_`~#>|:<&;!\\[\\]()\\\\-]|[a-z1é漢👩]|\\PC){0,120}", width in 1u16..40) {
        let layout = Layout::of(&body, width, false);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 1));
        for row in 0..layout.height() {
            layout.paint(&mut buffer, Rect::new(0, 0, width, 1), row, &[], &Theme::default());
            let text = layout.row_text(row);
            let cells = cells::text_width(text.trim_end());
            prop_assert!(cells <= usize::from(width).max(2) || text.chars().count() < 12, "{:?} in {}", text, width);
        }
    }

    #[test]
    fn no_word_is_hidden(body in "([ \n*_`~#>|:.!\\[\\]()-]|[a-z]{1,3}|\n\n| {4}|- |1\\. |> |```\n){0,60}") {
        let shown = shown(&body, 1000).join("\n");
        for word in words(&body) {
            prop_assert!(shown.contains(&word), "{:?} of {:?} is not in {:?}", word, body, shown);
        }
    }
}

/// A quadratic step would take too long here.
#[test]
fn a_megabyte_is_laid_out_whole() {
    let body = "Walked **along** the river before #work; the fog made the bridges float.\n\n".repeat(14_000);
    assert_eq!(Layout::of(&body, 88, false).height(), 14_000 * 2 - 1, "a line for each paragraph and one between");
}
