//! Where vim's motions lead, and what its objects take in. Nothing is changed here.

use std::ops::Range;

use super::{Vim, parse::Motion};
use crate::tui::widgets::{
    cells,
    editor::{Editor, Pos, buffer::Buffer},
};

/// What an operator takes of the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// Not the letter reached.
    Exclusive,
    Inclusive,
    /// Whole lines.
    Lines,
}

/// Where a motion leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    pub to: Pos,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Letter,
    Sign,
}

/// Where it leads from the caret; `None` where it leads nowhere. Remembers what was looked for.
pub fn reach(vim: &mut Vim, editor: &Editor, motion: Motion, count: Option<usize>) -> Option<Reach> {
    let (buffer, from, times) = (&editor.buffer, editor.caret, count.unwrap_or(1));
    let last = buffer.lines().len() - 1;
    let lines = |line: usize| Reach { to: first_letter(buffer, line.min(last)), span: Span::Lines };
    let on = |to, span| Some(Reach { to, span });
    match motion {
        Motion::Plain('h') => on(again(times, from, |pos| buffer.before_in_line(pos)), Span::Exclusive),
        Motion::Plain('l') => on(again(times, from, |pos| buffer.after_in_line(pos)), Span::Exclusive),
        Motion::Plain('j') | Motion::Row('j') => (from.line < last).then(|| Reach {
            to: buffer.clamp(Pos { line: (from.line + times).min(last), ..from }),
            span: Span::Lines,
        }),
        Motion::Plain('k') | Motion::Row('k') => (from.line > 0).then(|| Reach {
            to: buffer.clamp(Pos { line: from.line.saturating_sub(times), ..from }),
            span: Span::Lines,
        }),
        Motion::Plain('+') => Some(lines(from.line + times)),
        Motion::Plain('-') => Some(lines(from.line.saturating_sub(times))),
        Motion::Plain('0') => on(Pos { byte: 0, ..from }, Span::Exclusive),
        Motion::Plain('^') => on(first_letter(buffer, from.line), Span::Exclusive),
        Motion::Plain('$') => {
            let line = (from.line + times - 1).min(last);
            on(Pos { line, byte: buffer.line(line).len() }, Span::Exclusive)
        }
        Motion::Plain('G') => Some(lines(count.map_or(last, |line| line - 1))),
        Motion::Top => Some(lines(times - 1)),
        Motion::Plain(letter @ ('w' | 'W')) => {
            on(again(times, from, |pos| word_start(buffer, pos, letter == 'W')), Span::Exclusive)
        }
        Motion::Plain(letter @ ('b' | 'B')) => {
            on(again(times, from, |pos| word_before(buffer, pos, letter == 'B')), Span::Exclusive)
        }
        Motion::Plain(letter @ ('e' | 'E')) => {
            on(again(times, from, |pos| word_end(buffer, pos, letter == 'E')), Span::Inclusive)
        }
        Motion::OwnEnd { wide } => {
            let own = end_of_run(buffer, from, wide);
            on(again(times - 1, own, |pos| word_end(buffer, pos, wide)), Span::Inclusive)
        }
        Motion::Plain('}') => on(again(times, from, |pos| paragraph(buffer, pos, true)), Span::Exclusive),
        Motion::Plain('{') => on(again(times, from, |pos| paragraph(buffer, pos, false)), Span::Exclusive),
        Motion::Find(how, letter) => {
            vim.find = Some((how, letter));
            find(buffer, from, how, letter, times, false)
        }
        Motion::Plain(sign @ (';' | ',')) => {
            let (how, letter) = vim.find?;
            let how = match (sign, how.is_lowercase()) {
                (';', _) => how,
                (_, true) => how.to_ascii_uppercase(),
                (_, false) => how.to_ascii_lowercase(),
            };
            find(buffer, from, how, letter, times, true)
        }
        Motion::Plain(_) | Motion::Row(_) => None,
    }
}

fn again(times: usize, from: Pos, step: impl Fn(Pos) -> Pos) -> Pos {
    let mut at = from;
    for _ in 0..times {
        let next = step(at);
        if next == at {
            break;
        }
        at = next;
    }
    at
}

/// The first letter of a line that is no blank.
pub fn first_letter(buffer: &Buffer, line: usize) -> Pos {
    let text = buffer.line(line);
    let byte = text.len() - text.trim_start().len();
    Pos { line, byte: if byte == text.len() { 0 } else { byte } }
}

fn class(buffer: &Buffer, pos: Pos, wide: bool) -> Class {
    match buffer.line(pos.line)[pos.byte..].chars().next() {
        None => Class::Blank,
        Some(letter) if letter.is_whitespace() => Class::Blank,
        Some(letter) if wide || letter.is_alphanumeric() || letter == '_' => Class::Letter,
        Some(_) => Class::Sign,
    }
}

fn is_empty_line(buffer: &Buffer, pos: Pos) -> bool {
    buffer.line(pos.line).is_empty()
}

/// The start of the next word; an empty line is one.
fn word_start(buffer: &Buffer, from: Pos, wide: bool) -> Pos {
    let mut at = from;
    let own = class(buffer, at, wide);
    while own != Class::Blank && class(buffer, at, wide) == own && at.line == from.line {
        let next = buffer.after(at);
        if next == at {
            return at;
        }
        at = next;
    }
    while class(buffer, at, wide) == Class::Blank && (at == from || !is_empty_line(buffer, at)) {
        let next = buffer.after(at);
        if next == at {
            return at;
        }
        at = next;
    }
    at
}

fn word_before(buffer: &Buffer, from: Pos, wide: bool) -> Pos {
    let mut at = buffer.before(from);
    while class(buffer, at, wide) == Class::Blank && !is_empty_line(buffer, at) {
        let next = buffer.before(at);
        if next == at {
            return at;
        }
        at = next;
    }
    let own = class(buffer, at, wide);
    while at.byte > 0 && own != Class::Blank {
        let next = buffer.before(at);
        if class(buffer, next, wide) != own {
            break;
        }
        at = next;
    }
    at
}

fn word_end(buffer: &Buffer, from: Pos, wide: bool) -> Pos {
    let mut at = buffer.after(from);
    while class(buffer, at, wide) == Class::Blank {
        let next = buffer.after(at);
        if next == at {
            return at;
        }
        at = next;
    }
    end_of_run(buffer, at, wide)
}

/// The last letter of the run of one class that `at` stands in.
fn end_of_run(buffer: &Buffer, at: Pos, wide: bool) -> Pos {
    let own = class(buffer, at, wide);
    let mut at = at;
    loop {
        let next = buffer.after_in_line(at);
        if next == at || next.byte >= buffer.line(at.line).len() || class(buffer, next, wide) != own {
            return at;
        }
        at = next;
    }
}

/// The next empty line, or the end of the text.
fn paragraph(buffer: &Buffer, from: Pos, on: bool) -> Pos {
    let is_empty = |line: usize| buffer.line(line).trim().is_empty();
    let last = buffer.lines().len() - 1;
    let mut line = from.line;
    let mut seen_text = !is_empty(line);
    loop {
        if on && line == last {
            return buffer.end();
        }
        if !on && line == 0 {
            return Pos::default();
        }
        line = if on { line + 1 } else { line - 1 };
        if is_empty(line) && seen_text {
            return Pos { line, byte: 0 };
        }
        seen_text |= !is_empty(line);
    }
}

/// `again`: repeated by `;`, so that `t` does not stay before the letter it stands before.
fn find(buffer: &Buffer, from: Pos, how: char, letter: char, times: usize, again: bool) -> Option<Reach> {
    let line = buffer.line(from.line);
    let before = matches!(how, 't' | 'T');
    let mut left = times;
    let mut at = from;
    if again && before {
        let beside = if how == 't' { buffer.after_in_line(at) } else { buffer.before_in_line(at) };
        if line[beside.byte..].starts_with(letter) {
            at = beside;
        }
    }
    while left > 0 {
        let next = if how.is_lowercase() { buffer.after_in_line(at) } else { buffer.before_in_line(at) };
        if next == at || next.byte >= line.len() {
            return None;
        }
        at = next;
        if line[at.byte..].starts_with(letter) {
            left -= 1;
        }
    }
    let to = match how {
        't' => buffer.before_in_line(at),
        'T' => buffer.after_in_line(at),
        _ => at,
    };
    Some(Reach { to, span: if how.is_lowercase() { Span::Inclusive } else { Span::Exclusive } })
}

/// The word or paragraph around a place (the end is exclusive), and whether it is whole lines.
pub fn object(buffer: &Buffer, at: Pos, around: bool, of: char) -> (Range<Pos>, bool) {
    if of == 'p' {
        (paragraph_around(buffer, at.line, around), true)
    } else {
        (word_around(buffer, at, around, of == 'W'), false)
    }
}

fn word_around(buffer: &Buffer, at: Pos, around: bool, wide: bool) -> Range<Pos> {
    let line = buffer.line(at.line);
    let pos = |byte| Pos { byte, ..at };
    let grow = |from: usize| {
        if from < line.len() { cells::grapheme_end(line, end_of_run(buffer, pos(from), wide).byte) } else { from }
    };
    let own = class(buffer, at, wide);
    let mut start = at.byte;
    while start > 0 && class(buffer, buffer.before(pos(start)), wide) == own {
        start = buffer.before(pos(start)).byte;
    }
    let mut end = grow(at.byte);
    if around {
        let blank = |byte: usize| byte < line.len() && class(buffer, pos(byte), wide) == Class::Blank;
        if own == Class::Blank || blank(end) {
            end = grow(end);
        } else {
            while start > 0 && class(buffer, buffer.before(pos(start)), wide) == Class::Blank {
                start = buffer.before(pos(start)).byte;
            }
        }
    }
    pos(start)..pos(end)
}

fn paragraph_around(buffer: &Buffer, line: usize, around: bool) -> Range<Pos> {
    let is_empty = |line: usize| buffer.line(line).trim().is_empty();
    let last = buffer.lines().len() - 1;
    let own = is_empty(line);
    let mut first = line;
    while first > 0 && is_empty(first - 1) == own {
        first -= 1;
    }
    let mut end = line;
    while end < last && is_empty(end + 1) == own {
        end += 1;
    }
    while around && end < last && is_empty(end + 1) != own {
        end += 1;
    }
    Pos { line: first, byte: 0 }..Pos { line: end, byte: buffer.line(end).len() }
}
