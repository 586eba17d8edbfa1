//! Keys in, text and caret out. The caret is written as `|`, before the letter it stands on.

use proptest::prelude::*;

use super::*;

/// An editor on a text with a caret in it, in the normal mode.
fn at(marked: &str) -> Editor {
    let caret = marked.find('|').unwrap();
    let before = &marked[..caret];
    let mut editor = Editor::new(&marked.replace('|', ""));
    editor.use_vim(false);
    let byte = before.len() - before.rfind('\n').map_or(0, |newline| newline + 1);
    editor.caret = Pos { line: before.matches('\n').count(), byte };
    editor
}

/// `<esc>` is a named key, every other letter is pressed as it is.
fn press(editor: &mut Editor, keys: &str) -> Outcome {
    let mut outcome = Outcome::Done;
    let mut rest = keys;
    while let Some(letter) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let known = named.and_then(|(name, after)| Some((name.parse::<Key>().ok()?, after)));
        let (key, after) = match known {
            Some((key, after)) if key.typed().is_none() || key.to_string() == "space" => (key, after),
            _ => (Key::plain(KeyCode::Char(letter)), &rest[letter.len_utf8()..]),
        };
        outcome = editor.stroke(Stroke::Key(key));
        rest = after;
    }
    outcome
}

fn shown(editor: &Editor) -> String {
    let lines = editor.buffer.lines().iter().enumerate();
    let marked = lines.map(|(nth, line)| {
        if nth == editor.caret.line {
            format!("{}|{}", &line[..editor.caret.byte], &line[editor.caret.byte..])
        } else {
            line.clone()
        }
    });
    marked.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn table(rows: &[(&str, &str, &str)]) {
    for (text, keys, expected) in rows {
        let mut editor = at(text);
        press(&mut editor, keys);
        assert_eq!(shown(&editor), *expected, "{keys} on {text:?}");
    }
}

#[test]
fn motions() {
    table(&[
        ("|one two", "w", "one |two"),
        ("|one two, three", "2w", "one two|, three"),
        ("|one two, three", "2W", "one two, |three"),
        ("one |two", "b", "|one two"),
        ("one two|, x", "B", "one |two, x"),
        ("|one two", "e", "on|e two"),
        ("on|e two", "e", "one tw|o"),
        ("|a\n\nb", "w", "a\n|\nb"),
        ("|a\n\nb", "ww", "a\n\n|b"),
        ("  one| x", "0", "|  one x"),
        ("  one| x", "^", "  |one x"),
        ("|one", "$", "on|e"),
        ("|a\nb\nc", "G", "a\nb\n|c"),
        ("a\nb\n|c", "gg", "|a\nb\nc"),
        ("|a\nb\nc", "2G", "a\n|b\nc"),
        ("|abc", "9l", "ab|c"),
        ("ab|c", "9h", "|abc"),
        ("a|bc\nd", "j", "abc\n|d"),
        ("|a, b, c", "f,", "a|, b, c"),
        ("|a, b, c", "t,;", "a, |b, c"),
        ("|a, b, c", "2f,", "a, b|, c"),
        ("a, b, |c", "F,,", "a, b|, c"),
        ("a, b, |c", "F,;", "a|, b, c"),
        ("|a\nb\n\nc", "}", "a\nb\n|\nc"),
        ("a\n\nb\nc|c", "{", "a\n|\nb\ncc"),
        ("|漢字 é👩‍👩‍👧x", "wll", "漢字 é👩‍👩‍👧|x"),
    ]);
}

#[test]
fn deleting() {
    table(&[
        ("|one two", "dw", "|two"),
        ("one |two\nthree", "dw", "one| \nthree"),
        ("|one two three", "d2w", "|three"),
        ("|one two three four", "2d1w", "|three four"),
        ("one two| x", "db", "one | x"),
        ("o|ne two", "de", "o| two"),
        ("one |two\nx", "D", "one| \nx"),
        ("a\n|b\nc", "dd", "a\n|c"),
        ("a\nb\n|c", "dd", "a\n|b"),
        ("|a\nb\nc", "2dd", "|c"),
        ("|only", "dd", "|"),
        ("|a\nb\nc", "dj", "|c"),
        ("a\nb\n|c", "dgg", "|"),
        ("a\n|b\nc", "dG", "|a"),
        ("|abc", "x", "|bc"),
        ("ab|c", "x", "a|b"),
        ("|abc", "2x", "|c"),
        ("ab|c", "X", "a|c"),
        ("|a, b", "dt,", "|, b"),
        ("|a, b", "df,", "| b"),
        ("one tw|o three", "diw", "one | three"),
        ("one tw|o three", "daw", "one |three"),
        ("one tw|o", "daw", "on|e"),
        ("a\nb|b\n\nc", "dap", "|c"),
        ("|漢字x", "2x", "|x"),
        ("a👩‍👩‍👧|b", "X", "a|b"),
    ]);
}

#[test]
fn changing_and_inserting() {
    table(&[
        ("|one two", "cwsix<esc>", "si|x two"),
        ("one |two", "C2<esc>", "one |2"),
        ("a\n|b\nc", "ccx<esc>", "a\n|x\nc"),
        ("one |two", "ciwx<esc>", "one |x"),
        ("|b", "ia<esc>", "|ab"),
        ("|a", "ab<esc>", "a|b"),
        ("  a|b", "I-<esc>", "  |-ab"),
        ("a|b", "A!<esc>", "ab|!"),
        ("|a", "ob<esc>", "a\n|b"),
        ("|a", "Ob<esc>", "|b\na"),
        ("|abc", "sx<esc>", "|xbc"),
        ("a|bc\nd", "Sx<esc>", "|x\nd"),
        ("|abc", "rx", "|xbc"),
        ("|abc", "3rx", "xx|x"),
        ("|abc", "4rx", "|abc"),
        ("|abC", "3~", "AB|c"),
        ("|a\n  b", "J", "a| b"),
        ("|a\nb\nc", "3J", "a b| c"),
        ("|a\nb", ">>", "  |a\nb"),
        ("    |a", "<<", "  |a"),
        ("|- milk", "A<enter>bread<esc>", "- milk\n- brea|d"),
    ]);
}

#[test]
fn yanking_and_putting() {
    table(&[
        ("|one two", "ywP", "one| one two"),
        ("|a\nb", "yyp", "a\n|a\nb"),
        ("a\n|b", "yyP", "a\n|b\nb"),
        ("|a\nb\nc", "ddp", "b\n|a\nc"),
        ("|ab", "xp", "b|a"),
        ("|a\nb", "2yyGp", "a\nb\n|a\nb"),
        ("|a\nb", "yy3p", "a\n|a\na\na\nb"),
        ("|ab", "x3p", "baa|a"),
        ("|one two", "yiwwviwp", "one on|e"),
    ]);
}

#[test]
fn selecting() {
    table(&[
        ("|one two", "vey", "|one two"),
        ("|one two", "ved", "| two"),
        ("o|ne two", "vbd", "|e two"),
        ("a\n|b\nc", "Vd", "a\n|c"),
        ("|a\nb\nc", "Vjd", "|c"),
        ("a|b\nc", "VjcX<esc>", "|X"),
        ("|one", "vlcx<esc>", "|xe"),
        ("|one two", "vwrx", "|xxxxxwo"),
        ("|abc", "vl~", "|ABc"),
        ("one| two", "viwod", "one|two"),
        ("|a\nb\nc", "VG>", "  |a\n  b\n  c"),
        ("|a\nb\nc", "VjJ", "a| b\nc"),
        ("|a", "v<esc>x", "|"),
    ]);
}

#[test]
fn the_dot_does_the_last_change_again() {
    table(&[
        ("|a b c d", "dw.", "|c d"),
        ("|a b c d", "dw2.", "|d"),
        ("|a b c", "cwx<esc>w.", "x |x c"),
        ("|a\nb", "A!<esc>j.", "a!\nb|!"),
        ("|a", "ob<esc>..", "a\nb\nb\n|b"),
        ("|a b c", "xu.", "| b c"),
        ("|aaaa", "x.u.", "|aa"),
        ("|a\nb\nc", "ddyy.", "|c"),
    ]);
}

#[test]
fn the_dot_takes_as_much_as_was_selected() {
    table(&[
        ("|abcdef", "vld.", "|ef"),
        ("|abcdefgh", "vlcx<esc>l.", "x|xefgh"),
        ("|a\nb\nc\nd", "Vd.", "|c\nd"),
        ("|a\nb\nc\nd\ne", "Vjd.", "|e"),
        ("|a\nb\nc\nd", "Vyjp.", "a\nb\na\n|a\nc\nd"),
        ("|ab\ncd\nef\ngh", "vjd.", "|f\ngh"),
        ("|abcd", "vlrxll.", "xx|xx"),
        ("|abcd", "vl~ll.", "AB|CD"),
        ("|a\nb\nc", "V>j.", "  a\n  |b\nc"),
        ("|a\nb\nc\nd", "VjJj.", "a b\nc| d"),
        ("|abc", "vlly.", "|abc"),
        ("|abc\nx", "vlldj.", "\n|"),
        ("|a b c d", "viwdw.", " | c d"),
        ("|áé́b", "vd.", "|b"),
        ("|", "vd.", "|"),
    ]);
}

#[test]
fn one_command_is_one_step_of_undo() {
    table(&[
        ("|a b c", "dwdwu", "|b c"),
        ("|a", "A one two three<esc>u", "|a"),
        ("|a\nb\nc", "VG>u", "|a\nb\nc"),
        ("|a b c", "3xu<ctrl-r>", "| c"),
        ("|a", "ob<esc>oc<esc>2u", "|a"),
        ("|x", "uuu", "|x"),
    ]);
}

#[test]
fn a_first_text_is_taken_back_and_given_again() {
    let mut editor = Editor::new("");
    editor.use_vim(true);
    press(&mut editor, "Rain all day.<esc>u");
    assert_eq!(editor.text(), "");
    press(&mut editor, "<ctrl-r>");
    assert_eq!(editor.text(), "Rain all day.");
}

#[test]
fn saving_and_leaving_are_told_and_a_yank_is_copied() {
    let mut editor = at("|one two");
    assert_eq!(press(&mut editor, "ZZ"), Outcome::Save);
    assert_eq!(press(&mut editor, "ZQ"), Outcome::Leave);
    assert_eq!(press(&mut editor, "yiw"), Outcome::Copied("one".to_owned()));
    assert_eq!(press(&mut editor, "dd"), Outcome::Done);
}

#[test]
fn a_paste_is_never_taken_for_commands() {
    let mut editor = at("one |two");
    editor.stroke(Stroke::Text("dd ".to_owned()));
    assert_eq!(editor.text(), "one dd two");
    press(&mut editor, "d");
    editor.stroke(Stroke::Text("w".to_owned()));
    press(&mut editor, "w");
    assert_eq!(editor.text(), "one dd wtwo");
}

#[test]
fn letters_of_other_scripts_are_never_altered_by_going_over_them() {
    let text = "שלום עולם, مرحبا بالعالم\nnikud: שָׁלוֹם";
    let mut editor = at(&format!("|{text}"));
    press(&mut editor, "wwwbeE$0jGggvG$<esc>{}");
    assert_eq!(editor.text(), text);
    press(&mut editor, "Gyyp");
    assert_eq!(editor.text(), format!("{text}\nnikud: שָׁלוֹם"));
}

const KEYS: &[&str] = &[
    "<esc>",
    "<enter>",
    "<backspace>",
    "<delete>",
    "<left>",
    "<up>",
    "<down>",
    "<home>",
    "<end>",
    "<ctrl-r>",
    "<ctrl-d>",
    "<ctrl-u>",
    "<ctrl-w>",
    "<tab>",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_keys_keep_the_caret_on_a_letter_and_undo_gives_the_text_back(
        text in "[a-c ,\n漢é👩-]{0,40}",
        keys in prop::collection::vec(
            prop_oneof![
                "[hjklwbeWBE0^$GgfFtT;,{}dcyxXsSDCYJpPrviIaAoOVu~.Z1-4><]".prop_map(|letter| letter),
                prop::sample::select(KEYS).prop_map(str::to_owned),
            ],
            0..60,
        ),
    ) {
        let mut editor = Editor::new(&text);
        editor.use_vim(false);
        editor.caret = Pos::default();
        for key in keys {
            press(&mut editor, &key);
            let line = editor.buffer.line(editor.caret.line);
            prop_assert_eq!(cells_floor(line, editor.caret.byte), editor.caret.byte);
            if editor.vim_mode() != Some(Mode::Insert) {
                prop_assert!(editor.caret.byte < line.len().max(1));
            }
            if let Some(range) = editor.shown_selection() {
                editor.buffer.slice(range);
            }
        }
        press(&mut editor, "<esc><esc>");
        for _ in 0..200 {
            press(&mut editor, "u");
        }
        prop_assert_eq!(editor.text(), text);
    }
}

fn cells_floor(line: &str, byte: usize) -> usize {
    crate::tui::widgets::cells::floor(line, byte)
}
