//! What vim's commands do to the text.

use std::ops::Range;

use super::{
    Mode, Vim,
    motion::{self, Reach, Span, first_letter},
    parse::{Command, Motion, What},
};
use crate::tui::widgets::{
    cells,
    editor::{Editor, Outcome, Pos},
};

/// What `>` puts before a line.
const INDENT: &str = "  ";

/// Does one command.
pub fn run(vim: &mut Vim, editor: &mut Editor, command: &Command) -> Outcome {
    let count = command.count;
    match (command.operator, command.what) {
        (_, What::End(end)) => return if end == 'Z' { Outcome::Save } else { Outcome::Leave },
        (None, What::Act(letter)) => return act(vim, editor, letter, count),
        (None, What::Replace(letter)) => replace(vim, editor, letter, count.unwrap_or(1)),
        (None, What::Motion(motion)) => go(vim, editor, motion, count),
        (None, What::Object { around, of }) => {
            let (range, lines) = motion::object(&editor.buffer, editor.caret, around, of);
            vim.mode = Mode::Visual { from: range.start, lines };
            editor.go(editor.buffer.before(range.end).max(range.start), false);
        }
        (None, What::Lines) => {}
        (Some(operator), What::Lines) => {
            let last = (editor.caret.line + count.unwrap_or(1) - 1).min(editor.buffer.lines().len() - 1);
            return operate(vim, editor, operator, editor.caret..Pos { line: last, byte: 0 }, true);
        }
        (Some(operator), What::Object { around, of }) => {
            let (range, lines) = motion::object(&editor.buffer, editor.caret, around, of);
            return operate(vim, editor, operator, range, lines);
        }
        (Some(operator), What::Motion(motion)) => return over(vim, editor, operator, motion, count),
        (Some(_), What::Act(_) | What::Replace(_)) => {}
    }
    Outcome::Done
}

fn go(vim: &mut Vim, editor: &mut Editor, motion: Motion, count: Option<usize>) {
    let rows = count.unwrap_or(1) as isize;
    match motion {
        Motion::Plain('j') | Motion::Row('j') => return editor.vertical(rows, false),
        Motion::Plain('k') | Motion::Row('k') => return editor.vertical(-rows, false),
        _ => {}
    }
    if let Some(Reach { to, .. }) = motion::reach(vim, editor, motion, count) {
        editor.go(to, false);
        if motion == Motion::Plain('$') {
            editor.goal = Some(usize::MAX);
        }
    }
}

/// An operator over the way of a motion.
fn over(vim: &mut Vim, editor: &mut Editor, operator: char, motion: Motion, count: Option<usize>) -> Outcome {
    let from = editor.caret;
    let on_letter = editor.buffer.line(from.line)[from.byte..].chars().next().is_some_and(|c| !c.is_whitespace());
    // Changing a word leaves the blank behind it.
    let motion = match motion {
        Motion::Plain('w') if operator == 'c' && on_letter => Motion::OwnEnd { wide: false },
        Motion::Plain('W') if operator == 'c' && on_letter => Motion::OwnEnd { wide: true },
        motion => motion,
    };
    let Some(Reach { to, span }) = motion::reach(vim, editor, motion, count) else { return Outcome::Done };
    let (start, mut end) = (from.min(to), from.max(to));
    if span == Span::Inclusive {
        end = editor.buffer.after_in_line(end);
    }
    // Over the last word of a line, the line's end stays.
    let leads_over = matches!(motion, Motion::Plain('w' | 'W' | '}'));
    if leads_over && end.line > start.line && editor.buffer.line(end.line)[..end.byte].trim().is_empty() {
        let line = end.line - 1;
        let text_end = Pos { line, byte: editor.buffer.line(line).len() };
        end = if end == editor.buffer.end() && !editor.buffer.line(end.line).is_empty() { end } else { text_end };
        end = end.max(start);
    }
    operate(vim, editor, operator, start..end, span == Span::Lines)
}

/// An operator over a part of the text (its end exclusive), or over the lines that it touches.
fn operate(vim: &mut Vim, editor: &mut Editor, operator: char, range: Range<Pos>, lines: bool) -> Outcome {
    let (first, last) = (range.start.line, range.end.line);
    let whole = Pos { line: first, byte: 0 }..Pos { line: last, byte: editor.buffer.line(last).len() };
    if operator != 'y' {
        // Taken back, the caret stands where the change begins.
        editor.caret = range.start;
    }
    if matches!(operator, '>' | '<') {
        shift(editor, first, last, operator == '>');
        return Outcome::Done;
    }
    let range = if lines { whole } else { range };
    let mut text = editor.buffer.slice(range.clone());
    if lines {
        text.push('\n');
    }
    vim.register.text.clone_from(&text);
    vim.register.lines = lines;
    match operator {
        'y' => {
            if !lines {
                editor.go(range.start, false);
            } else if first < editor.caret.line {
                editor.go(Pos { line: first, ..editor.caret }, false);
            }
            return Outcome::Copied(text);
        }
        'c' => {
            editor.replace(range.start, range.end, "");
            vim.mode = Mode::Insert;
        }
        _ if lines => delete_lines(editor, first, last),
        _ => editor.replace(range.start, range.end, ""),
    }
    Outcome::Done
}

fn delete_lines(editor: &mut Editor, first: usize, last: usize) {
    let count = editor.buffer.lines().len();
    let end_of = |editor: &Editor, line: usize| Pos { line, byte: editor.buffer.line(line).len() };
    let (start, end) = if last + 1 < count {
        (Pos { line: first, byte: 0 }, Pos { line: last + 1, byte: 0 })
    } else if first > 0 {
        (end_of(editor, first - 1), end_of(editor, last))
    } else {
        (Pos::default(), end_of(editor, last))
    };
    editor.replace(start, end, "");
    let line = first.min(editor.buffer.lines().len() - 1);
    editor.caret = first_letter(&editor.buffer, line);
}

fn shift(editor: &mut Editor, first: usize, last: usize, right: bool) {
    for line in first..=last {
        let text = editor.buffer.line(line);
        let start = Pos { line, byte: 0 };
        if right {
            if !text.is_empty() {
                editor.replace(start, start, INDENT);
            }
        } else {
            let blanks = text.bytes().take(INDENT.len()).take_while(|byte| *byte == b' ').count();
            let byte = if text.starts_with('\t') { 1 } else { blanks };
            if byte > 0 {
                editor.replace(start, Pos { line, byte }, "");
            }
        }
    }
    editor.caret = first_letter(&editor.buffer, first);
}

fn act(vim: &mut Vim, editor: &mut Editor, letter: char, count: Option<usize>) -> Outcome {
    let times = count.unwrap_or(1);
    if let Mode::Visual { from, lines } = vim.mode {
        return on_selection(vim, editor, letter, from, lines);
    }
    let line_end = editor.line_end();
    match letter {
        'i' => vim.mode = Mode::Insert,
        'a' => insert_at(vim, editor, editor.buffer.after_in_line(editor.caret)),
        'I' => insert_at(vim, editor, first_letter(&editor.buffer, editor.caret.line)),
        'A' => insert_at(vim, editor, line_end),
        'o' => {
            insert_at(vim, editor, line_end);
            editor.insert("\n");
        }
        'O' => {
            let start = editor.line_start();
            insert_at(vim, editor, start);
            editor.insert("\n");
            editor.go(start, false);
        }
        'v' | 'V' => vim.mode = Mode::Visual { from: editor.caret, lines: letter == 'V' },
        'x' => return over(vim, editor, 'd', Motion::Plain('l'), count),
        'X' => return over(vim, editor, 'd', Motion::Plain('h'), count),
        's' => return over(vim, editor, 'c', Motion::Plain('l'), count),
        'D' => return over(vim, editor, 'd', Motion::Plain('$'), count),
        'C' => return over(vim, editor, 'c', Motion::Plain('$'), count),
        'S' | 'Y' => {
            let operator = if letter == 'S' { 'c' } else { 'y' };
            return run(vim, editor, &Command { count, operator: Some(operator), what: What::Lines });
        }
        'J' => {
            for _ in 0..times.max(2) - 1 {
                join(editor);
            }
        }
        'p' | 'P' => put(vim, editor, letter == 'p', times),
        '~' => {
            let end = (0..times).fold(editor.caret, |at, _| editor.buffer.after_in_line(at));
            turn_case(editor, editor.caret..end);
            editor.go(end, false);
        }
        'u' => {
            // The command itself is no step.
            editor.history.release();
            (0..times).for_each(|_| editor.undo());
        }
        _ => {}
    }
    Outcome::Done
}

fn on_selection(vim: &mut Vim, editor: &mut Editor, letter: char, from: Pos, lines: bool) -> Outcome {
    let range = editor.visual(from, lines);
    vim.mode = Mode::Normal;
    match letter {
        'v' | 'V' => {
            let wants_lines = letter == 'V';
            if lines != wants_lines {
                vim.mode = Mode::Visual { from, lines: wants_lines };
            }
        }
        'o' | 'O' => {
            vim.mode = Mode::Visual { from: editor.caret, lines };
            editor.go(from, false);
        }
        'x' => return operate(vim, editor, 'd', range, lines),
        's' => return operate(vim, editor, 'c', range, lines),
        'X' | 'D' => return operate(vim, editor, 'd', range, true),
        'C' => return operate(vim, editor, 'c', range, true),
        'Y' => return operate(vim, editor, 'y', range, true),
        'J' => {
            editor.go(range.start, false);
            let last = editor.visual(from, true).end.line.max(range.end.line);
            for _ in range.start.line..last.max(range.start.line + 1) {
                join(editor);
            }
        }
        '~' => {
            turn_case(editor, range.clone());
            editor.go(range.start, false);
        }
        'I' => insert_at(vim, editor, range.start),
        'p' => {
            let register = vim.register.clone();
            operate(vim, editor, 'd', range, lines);
            let taken = std::mem::replace(&mut vim.register, register);
            put(vim, editor, false, 1);
            vim.register = taken;
        }
        operator => return operate(vim, editor, operator, range, lines),
    }
    Outcome::Done
}

fn insert_at(vim: &mut Vim, editor: &mut Editor, at: Pos) {
    editor.go(at, false);
    vim.mode = Mode::Insert;
}

/// `r`: other letters in the place of as many; none where there are too few.
fn replace(vim: &mut Vim, editor: &mut Editor, letter: char, times: usize) {
    let range = match vim.mode {
        Mode::Visual { from, lines } => editor.visual(from, lines),
        _ => {
            let end = (0..times).fold(editor.caret, |at, _| editor.buffer.after_in_line(at));
            editor.caret..end
        }
    };
    let visual = matches!(vim.mode, Mode::Visual { .. });
    vim.mode = Mode::Normal;
    let old = editor.buffer.slice(range.clone());
    let mut new = String::with_capacity(old.len());
    let mut count = 0;
    let mut at = 0;
    while at < old.len() {
        let end = cells::grapheme_end(&old, at);
        if &old[at..end] == "\n" {
            new.push('\n');
        } else {
            new.push(letter);
            count += 1;
        }
        at = end;
    }
    if count == 0 || (!visual && count < times) {
        return;
    }
    editor.replace(range.start, range.end, &new);
    if visual {
        editor.go(range.start, false);
    } else {
        editor.go(editor.buffer.before_in_line(editor.caret), false);
    }
}

fn turn_case(editor: &mut Editor, range: Range<Pos>) {
    let old = editor.buffer.slice(range.clone());
    let turned = |letter: char| -> String {
        if letter.is_lowercase() { letter.to_uppercase().collect() } else { letter.to_lowercase().collect() }
    };
    let new: String = old.chars().map(turned).collect();
    if new != old {
        editor.replace(range.start, range.end, &new);
    }
}

/// The next line at the end of this one, with one blank between.
fn join(editor: &mut Editor) {
    let line = editor.caret.line;
    if line + 1 >= editor.buffer.lines().len() {
        return;
    }
    let (own, next) = (editor.buffer.line(line), editor.buffer.line(line + 1));
    let own_end = own.trim_end().len();
    let skipped = next.len() - next.trim_start().len();
    let blank = if own_end == 0 || skipped == next.len() { "" } else { " " };
    let start = Pos { line, byte: own_end };
    editor.replace(start, Pos { line: line + 1, byte: skipped }, blank);
    editor.go(start, false);
}

fn put(vim: &mut Vim, editor: &mut Editor, after: bool, times: usize) {
    let register = &vim.register;
    // Some thousand copies of a long text would be no slip of the hand's wish.
    let times = times.min(10_000_000 / register.text.len().max(1)).max(1);
    if register.text.is_empty() {
        return;
    }
    let text = register.text.repeat(times);
    if register.lines {
        let line = editor.caret.line;
        let text = text.trim_end_matches('\n').to_owned() + &"\n".repeat(trailing(&text) - 1);
        let (at, text, first) = if after {
            (editor.line_end(), format!("\n{text}"), line + 1)
        } else {
            (editor.line_start(), format!("{text}\n"), line)
        };
        editor.replace(at, at, &text);
        editor.go(first_letter(&editor.buffer, first), false);
        return;
    }
    let at = if after { editor.buffer.after_in_line(editor.caret) } else { editor.caret };
    editor.replace(at, at, &text);
    let end = editor.caret;
    let to = if text.contains('\n') { at } else { editor.buffer.before_in_line(end) };
    editor.go(to, false);
}

/// How many line ends a text ends in.
fn trailing(text: &str) -> usize {
    text.len() - text.trim_end_matches('\n').len()
}
