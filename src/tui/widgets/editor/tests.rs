use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use super::*;
use crate::tui::key::Key;

fn press(editor: &mut Editor, keys: &str) {
    for key in keys.split_whitespace() {
        let key: Key = key.parse().unwrap();
        match key.typed() {
            Some(letter) => editor.insert(letter.encode_utf8(&mut [0; 4])),
            None => {
                editor.key(key);
            }
        }
    }
}

fn screen(editor: &mut Editor, width: u16, height: u16) -> (Vec<String>, Option<(u16, u16)>) {
    let area = Rect::new(0, 0, width, height);
    let mut cells = Cells::empty(area);
    let caret = editor.draw(&mut cells, area, &Theme::default());
    let rows =
        (0..height).map(|y| (0..width).map(|x| cells[(x, y)].symbol()).collect::<String>().trim_end().to_owned());
    (rows.collect(), caret.map(|at| (at.x, at.y)))
}

#[test]
fn the_caret_stands_after_wide_characters() {
    let mut editor = Editor::new("");
    editor.insert("漢字e\u{301}");
    let (rows, caret) = screen(&mut editor, 20, 2);
    assert_eq!(rows[0].replace(' ', ""), "漢字e\u{301}");
    assert_eq!(caret, Some((5, 0)));
    press(&mut editor, "backspace");
    assert_eq!(editor.text(), "漢字");
    press(&mut editor, "left");
    assert_eq!(screen(&mut editor, 20, 2).1, Some((2, 0)));
}

#[test]
fn a_combining_mark_typed_later_joins_its_letter() {
    let mut editor = Editor::new("e");
    editor.insert("\u{301}");
    assert_eq!(editor.caret.byte, 3);
    press(&mut editor, "backspace");
    assert_eq!(editor.text(), "");
}

#[test]
fn end_goes_behind_the_last_sign_of_a_row_without_a_space() {
    let mut editor = Editor::new("日日日日日日日日x");
    screen(&mut editor, 9, 5);
    press(&mut editor, "ctrl-home end");
    assert_eq!(screen(&mut editor, 9, 5).1, Some((8, 0)));
    press(&mut editor, "down");
    assert_eq!(screen(&mut editor, 9, 5).1, Some((8, 1)), "it keeps the column");
    press(&mut editor, "up X");
    assert_eq!(editor.text(), "日日日日X日日日日x");
    press(&mut editor, "ctrl-home end right");
    assert_eq!(editor.before_caret(), "日日日日X");
    press(&mut editor, "left home");
    assert_eq!(editor.before_caret(), "日日日日", "the same place is the start of the next row");
}

#[test]
fn up_and_down_move_by_visual_rows_and_keep_the_column() {
    let mut editor = Editor::new("the fog made the bridges float\nyes");
    let (rows, _) = screen(&mut editor, 13, 5);
    assert_eq!(rows, ["the fog made", "the bridges", "float", "yes", ""]);
    press(&mut editor, "ctrl-home right right right right right right");
    press(&mut editor, "down");
    assert_eq!(screen(&mut editor, 13, 5).1, Some((6, 1)));
    press(&mut editor, "down down");
    assert_eq!(screen(&mut editor, 13, 5).1, Some((3, 3)));
    press(&mut editor, "up up");
    assert_eq!(screen(&mut editor, 13, 5).1, Some((6, 1)));
    press(&mut editor, "end");
    assert_eq!(screen(&mut editor, 13, 5).1, Some((11, 1)));
}

#[test]
fn a_full_row_leaves_a_cell_for_the_caret() {
    let mut editor = Editor::new("abcdefghi");
    assert_eq!(screen(&mut editor, 10, 2).1, Some((9, 0)));
    let mut editor = Editor::new("abc    ");
    let (_, caret) = screen(&mut editor, 4, 2);
    assert_eq!(caret, Some((3, 0)));
}

#[test]
fn words_are_undone_one_by_one() {
    let mut editor = Editor::new("");
    for letter in "two words".chars() {
        editor.insert(&letter.to_string());
    }
    press(&mut editor, "ctrl-z");
    assert_eq!(editor.text(), "two ");
    press(&mut editor, "ctrl-z");
    assert_eq!(editor.text(), "");
    press(&mut editor, "ctrl-y ctrl-y");
    assert_eq!(editor.text(), "two words");
}

#[test]
fn a_selection_is_replaced_cut_and_pasted() {
    let mut editor = Editor::new("one two\nthree");
    press(&mut editor, "ctrl-home shift-right shift-right shift-right");
    assert_eq!(editor.selected_text().as_deref(), Some("one"));
    assert_eq!(editor.key("ctrl-x".parse().unwrap()), Some("one".to_owned()));
    press(&mut editor, "ctrl-end ctrl-v");
    assert_eq!(editor.text(), " two\nthreeone");
    press(&mut editor, "alt-a x");
    assert_eq!(editor.text(), "x");
    press(&mut editor, "ctrl-z");
    assert_eq!(editor.text(), " two\nthreeone");
}

#[test]
fn a_click_places_the_caret_and_a_drag_selects() {
    let mut editor = Editor::new("the fog made the bridges float");
    screen(&mut editor, 13, 5);
    editor.point((4, 1).into(), false);
    assert_eq!(editor.before_caret(), "the fog made the ");
    editor.point((11, 1).into(), true);
    assert_eq!(editor.selected_text().as_deref(), Some("bridges"));
    editor.point((50, 40).into(), false);
    assert_eq!(editor.caret, Pos { line: 0, byte: 30 });
}

#[test]
fn line_endings_of_the_file_are_given_back() {
    let mut editor = Editor::new("one\r\ntwo");
    editor.insert("\r\nthree\rfour");
    assert_eq!(editor.text(), "one\r\ntwo\r\nthree\r\nfour");
    assert_eq!(Editor::new("a\r\nb\nc\r").text(), "a\r\nb\nc\r");
}

#[test]
fn a_pasted_megabyte_is_there_whole_and_takes_what_is_typed() {
    // A quadratic step would take too long here.
    for text in ["Walked along the river before work. ".repeat(30_000), "漢字 and words\n".repeat(60_000)] {
        let mut editor = Editor::new("");
        editor.insert(&text);
        screen(&mut editor, 80, 24);
        for _ in 0..50 {
            editor.insert("~");
            screen(&mut editor, 80, 24);
            press(&mut editor, "up");
        }
        let written = editor.text();
        assert_eq!(written.matches('~').count(), 50);
        assert!(written.replace('~', "") == text, "nothing else changed");
    }
}

#[derive(Debug, Clone)]
enum Step {
    Put(String),
    Press(&'static str),
    Point(u16, u16, bool),
    Draw(u16, u16),
}

const KEYS: &[&str] = &[
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "ctrl-left",
    "ctrl-right",
    "shift-left",
    "shift-right",
    "shift-up",
    "shift-down",
    "pageup",
    "pagedown",
    "ctrl-home",
    "ctrl-end",
    "backspace",
    "delete",
    "ctrl-w",
    "alt-d",
    "ctrl-k",
    "ctrl-u",
    "ctrl-x",
    "ctrl-v",
    "ctrl-z",
    "ctrl-y",
    "enter",
    "alt-a",
];

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => "[a-c 漢é\u{301}👩\u{200d}\n\r\t]{1,8}".prop_map(Step::Put),
        5 => proptest::sample::select(KEYS).prop_map(Step::Press),
        1 => (0u16..30, 0u16..12, any::<bool>()).prop_map(|(x, y, drag)| Step::Point(x, y, drag)),
        1 => (1u16..25, 1u16..9).prop_map(|(width, height)| Step::Draw(width, height)),
    ]
}

fn act(editor: &mut Editor, step: &Step) {
    match step {
        Step::Put(text) => editor.insert(text),
        Step::Press(key) => press(editor, key),
        Step::Point(x, y, drag) => editor.point((*x, *y).into(), *drag),
        Step::Draw(width, height) => {
            screen(editor, *width, *height);
        }
    }
}

/// The caret's offset in the whole text.
fn offset(editor: &Editor) -> usize {
    editor.buffer.lines()[..editor.caret.line].iter().map(|line| line.len() + 1).sum::<usize>() + editor.caret.byte
}

#[test]
fn copied_text_is_pasted_and_with_nothing_copied_the_selection_stays() {
    let mut editor = Editor::new("one two");
    press(&mut editor, "shift-left shift-left shift-left ctrl-v");
    assert_eq!(editor.text(), "one two");
    assert_eq!(editor.key("ctrl-c".parse().unwrap()).as_deref(), Some("two"));
    press(&mut editor, "home ctrl-v");
    assert_eq!(editor.text(), "twoone two");
}

proptest! {
    /// Every edit gives the same result as on a plain string.
    #[test]
    fn edits_equal_those_of_a_plain_string(start in "[a-c 漢\n]{0,30}", steps in prop::collection::vec(step(), 0..60)) {
        let mut editor = Editor::new(&start);
        screen(&mut editor, 12, 5);
        for step in &steps {
            let before = editor.text();
            let at = offset(&editor);
            let selected = editor.selected_text().map(|text| {
                let anchor = editor.anchor.unwrap();
                if anchor < editor.caret { at - text.len()..at } else { at..at + text.len() }
            });
            act(&mut editor, step);
            let mut model = before.clone();
            match step {
                Step::Put(text) => {
                    let text = text.replace("\r\n", "\n").replace('\r', "\n");
                    model.replace_range(selected.unwrap_or(at..at), &text);
                }
                Step::Press("backspace") => {
                    let one = before[..at].graphemes(true).next_back().map_or(0, str::len);
                    model.replace_range(selected.unwrap_or(at - one..at), "");
                }
                Step::Press("delete") => {
                    let one = before[at..].graphemes(true).next().map_or(0, str::len);
                    model.replace_range(selected.unwrap_or(at..at + one), "");
                }
                Step::Press("enter") => model.replace_range(selected.unwrap_or(at..at), "\n"),
                Step::Press("ctrl-w" | "alt-d" | "ctrl-k" | "ctrl-u" | "ctrl-x" | "ctrl-v" | "ctrl-z" | "ctrl-y") => {
                    model = editor.text();
                }
                _ => {}
            }
            prop_assert_eq!(editor.text(), model);
            let line = editor.buffer.line(editor.caret.line);
            prop_assert_eq!(cells::floor(line, editor.caret.byte), editor.caret.byte);
            prop_assert_eq!(editor.words(), crate::journal::word_count(&editor.text()));
        }
    }

    #[test]
    fn undo_returns_to_the_start_and_redo_to_the_end(start in "[a-c 漢\n]{0,30}", steps in prop::collection::vec(step(), 0..40)) {
        let mut editor = Editor::new(&start);
        for step in steps.iter().filter(|step| !matches!(step, Step::Press("ctrl-z" | "ctrl-y"))) {
            act(&mut editor, step);
        }
        let end = editor.text();
        for _ in 0..200 {
            editor.undo();
        }
        prop_assert_eq!(editor.text(), start);
        for _ in 0..200 {
            editor.redo();
        }
        prop_assert_eq!(editor.text(), end);
    }

    #[test]
    fn the_caret_is_always_on_screen(steps in prop::collection::vec(step(), 0..40), width in 1u16..30, height in 1u16..9) {
        let mut editor = Editor::default();
        for step in &steps {
            act(&mut editor, step);
            if matches!(step, Step::Put(_) | Step::Press(_)) {
                let caret = screen(&mut editor, width, height).1;
                prop_assert!(caret.is_some_and(|(x, y)| x < width && y < height));
            }
        }
    }
}

fn found(editor: &mut Editor, backward: bool) -> (usize, usize) {
    assert!(editor.find_again(backward));
    (editor.caret.line, editor.caret.byte)
}

#[test]
fn a_text_is_found_without_its_accents_and_from_the_other_end() {
    let mut editor = Editor::new("Hùng met hung.\nNothing here\nHu\u{300}ngs dog, HƯNG too");
    let from = Pos { line: 0, byte: 1 };
    assert!(editor.find("hung", from, false));
    assert_eq!((editor.caret.line, editor.caret.byte), (0, 10));
    assert_eq!(found(&mut editor, false), (2, 0));
    assert_eq!(found(&mut editor, false), (2, 13));
    assert_eq!(found(&mut editor, false), (0, 0), "it goes on at the start");
    assert_eq!(found(&mut editor, true), (2, 13), "and back at the end");
    assert_eq!(found(&mut editor, true), (2, 0));
    assert!(editor.find("hungs", from, false), "with the mark inside a word");
    assert!(!editor.find("hung dog", from, false));
    let caret = editor.caret;
    assert!(!editor.find_again(false) && editor.caret == caret, "without a match the caret stays");
    assert_eq!(editor.revision(), 0);
}

#[test]
fn matches_are_highlighted_also_in_a_wrapped_row_of_a_long_line() {
    let theme = Theme::default();
    let mut editor = Editor::new(&format!("{}tea and more tea", "coffee ".repeat(4_000)));
    assert!(editor.find("more tea", Pos::default(), false));
    let area = Rect::new(0, 0, 10, 4);
    let mut cells = Cells::empty(area);
    editor.draw(&mut cells, area, &theme);
    let role = |role: Role| {
        let style = theme.style(role);
        let is = |cell: &&ratatui::buffer::Cell| Some(cell.fg) == style.fg && style.bg.is_none_or(|bg| bg == cell.bg);
        cells.content.iter().filter(is).map(|cell| cell.symbol()).collect::<String>()
    };
    assert_eq!(role(Role::MatchHere).split_whitespace().collect::<String>(), "moretea");
}
