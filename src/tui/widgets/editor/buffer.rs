//! Text buffer: lines, positions, insertion and removal.

use std::ops::Range;

use crate::{journal::word_count, tui::cells};

/// A position in the text, always on a grapheme boundary of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Pos {
    pub line: usize,
    /// Bytes from the start of the line.
    pub byte: usize,
}

/// A text as lines; there is always at least one.
#[derive(Debug, Clone)]
pub struct Buffer {
    lines: Vec<String>,
    /// All line endings of the file were CR LF; they are restored in the output.
    crlf: bool,
    words: usize,
}

impl Buffer {
    pub fn new(text: &str) -> Self {
        let newlines = text.matches('\n').count();
        let crlf = newlines > 0 && text.matches("\r\n").count() == newlines;
        let lines = text.split('\n').map(|line| if crlf { line.strip_suffix('\r').unwrap_or(line) } else { line });
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        let words = lines.iter().map(|line| word_count(line)).sum();
        Self { lines, crlf, words }
    }

    pub fn text(&self) -> String {
        self.lines.join(if self.crlf { "\r\n" } else { "\n" })
    }

    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    pub fn line(&self, line: usize) -> &str {
        self.lines.get(line).map_or("", String::as_str)
    }

    /// Number of words, updated incrementally.
    pub fn words(&self) -> usize {
        self.words
    }

    pub fn is_empty(&self) -> bool {
        self.lines.len() == 1 && self.lines[0].is_empty()
    }

    pub fn end(&self) -> Pos {
        let line = self.lines.len() - 1;
        Pos { line, byte: self.lines[line].len() }
    }

    /// The nearest valid position at or before `pos`.
    pub fn clamp(&self, pos: Pos) -> Pos {
        if pos.line >= self.lines.len() {
            return self.end();
        }
        Pos { line: pos.line, byte: cells::floor(&self.lines[pos.line], pos.byte) }
    }

    /// Inserts `text` at `pos`; returns its end. Cost: linear in `text` and (to move it) the line, plus one move of
    /// the lines after.
    pub fn insert(&mut self, pos: Pos, text: &str) -> Pos {
        let line = &mut self.lines[pos.line];
        let Some((first, rest)) = text.split_once('\n') else {
            self.words -= word_count(around(line, pos.byte..pos.byte));
            line.insert_str(pos.byte, text);
            self.words += word_count(around(line, pos.byte..pos.byte + text.len()));
            return Pos { line: pos.line, byte: pos.byte + text.len() };
        };
        self.words -= word_count(line);
        let tail = line.split_off(pos.byte);
        line.push_str(first);
        let mut added: Vec<String> = rest.split('\n').map(str::to_owned).collect();
        let end = Pos { line: pos.line + added.len(), byte: added.last().map_or(0, String::len) };
        if let Some(last) = added.last_mut() {
            last.push_str(&tail);
        }
        self.words += word_count(line) + added.iter().map(|line| word_count(line)).sum::<usize>();
        self.lines.splice(pos.line + 1..pos.line + 1, added);
        end
    }

    /// Removes a range and returns it.
    pub fn remove(&mut self, range: Range<Pos>) -> String {
        let Range { start, end } = range;
        let removed = self.slice(start..end);
        if start.line == end.line {
            let line = &mut self.lines[start.line];
            self.words -= word_count(around(line, start.byte..end.byte));
            line.replace_range(start.byte..end.byte, "");
            self.words += word_count(around(line, start.byte..start.byte));
        } else {
            self.words -= self.lines[start.line..=end.line].iter().map(|line| word_count(line)).sum::<usize>();
            let tail = self.lines[end.line].split_off(end.byte);
            self.lines.drain(start.line + 1..=end.line);
            let line = &mut self.lines[start.line];
            line.truncate(start.byte);
            line.push_str(&tail);
            self.words += word_count(&self.lines[start.line]);
        }
        removed
    }

    pub fn slice(&self, range: Range<Pos>) -> String {
        let Range { start, end } = range;
        if start.line == end.line {
            return self.lines[start.line][start.byte..end.byte].to_owned();
        }
        let mut text = self.lines[start.line][start.byte..].to_owned();
        for line in &self.lines[start.line + 1..end.line] {
            text.push('\n');
            text.push_str(line);
        }
        text.push('\n');
        text.push_str(&self.lines[end.line][..end.byte]);
        text
    }

    /// The position one grapheme back; line ends count as one.
    pub fn before(&self, pos: Pos) -> Pos {
        if pos.byte > 0 {
            Pos { line: pos.line, byte: cells::grapheme_start(&self.lines[pos.line], pos.byte) }
        } else if pos.line > 0 {
            Pos { line: pos.line - 1, byte: self.lines[pos.line - 1].len() }
        } else {
            pos
        }
    }

    /// The position one grapheme forward; line ends count as one.
    pub fn after(&self, pos: Pos) -> Pos {
        let line = &self.lines[pos.line];
        if pos.byte < line.len() {
            Pos { line: pos.line, byte: cells::grapheme_end(line, pos.byte) }
        } else if pos.line + 1 < self.lines.len() {
            Pos { line: pos.line + 1, byte: 0 }
        } else {
            pos
        }
    }

    /// The start of the word at or before `pos`.
    pub fn word_before(&self, pos: Pos) -> Pos {
        if pos.byte == 0 {
            return self.before(pos);
        }
        let line = &self.lines[pos.line][..pos.byte];
        let word = unicode_words(line).last().map_or(0, |word| word.start);
        Pos { line: pos.line, byte: word }
    }

    /// The end of the word at or after `pos`.
    pub fn word_after(&self, pos: Pos) -> Pos {
        let line = &self.lines[pos.line];
        if pos.byte == line.len() {
            return self.after(pos);
        }
        let word = unicode_words(&line[pos.byte..]).next().map_or(line.len(), |word| pos.byte + word.end);
        self.clamp(Pos { line: pos.line, byte: word })
    }
}

fn unicode_words(text: &str) -> impl Iterator<Item = Range<usize>> {
    use unicode_segmentation::UnicodeSegmentation as _;
    text.unicode_word_indices().map(|(start, word)| start..start + word.len())
}

/// A part of a line, extended to whole words.
fn around(line: &str, part: Range<usize>) -> &str {
    let start = line[..part.start].rfind(char::is_whitespace).unwrap_or(0);
    let end = line[part.end..].find(char::is_whitespace).map_or(line.len(), |length| part.end + length);
    &line[start..end]
}
