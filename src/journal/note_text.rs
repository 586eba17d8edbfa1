//! The lines of a note: front matter between two fences, and the text below, changed one key at a time.

use std::ops::Range;

use super::{
    day_file::BOM,
    head::{self, Line},
    value,
};

/// The keys in the order kioku writes them.
const KEYS: [&str; 9] =
    ["name", "type", "aliases", "merged", "distinct-from", "hidden", "accept", "reject", "merged-into"];

/// Those of them that have a list.
const LISTS: [&str; 5] = ["aliases", "merged", "distinct-from", "accept", "reject"];

/// A note's lines, each with its ending.
pub(super) struct NoteText {
    mark: bool,
    /// Lines between the fences; `None` where there are no fences.
    front: Option<Vec<String>>,
    opening: String,
    closing: String,
    /// What stands below.
    pub notes: String,
}

impl NoteText {
    pub fn of(text: &str) -> Self {
        let (mark, text) = match text.strip_prefix('\u{feff}') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let bytes = text.as_bytes();
        let plain = |notes: &str| Self {
            mark,
            front: None,
            opening: "---\n".to_owned(),
            closing: "---\n".to_owned(),
            notes: notes.to_owned(),
        };
        let opening = Line::at(bytes, 0);
        if !opening.is_fence(bytes) {
            return plain(text);
        }
        let mut front = Vec::new();
        let mut at = opening.next;
        while at < bytes.len() {
            let line = Line::at(bytes, at);
            if line.is_fence(bytes) {
                return Self {
                    mark,
                    front: Some(front),
                    opening: text[..opening.next].to_owned(),
                    closing: text[at..line.next].to_owned(),
                    notes: text[line.next..].to_owned(),
                };
            }
            front.push(text[at..line.next].to_owned());
            at = line.next;
        }
        plain(text)
    }

    pub fn text(&self) -> String {
        let mark = if self.mark { std::str::from_utf8(BOM).unwrap_or_default() } else { "" };
        match &self.front {
            None => format!("{mark}{}", self.notes),
            Some(front) => format!("{mark}{}{}{}{}", self.opening, front.concat(), self.closing, self.notes),
        }
    }

    /// The front matter with its fences; empty where there is none.
    pub fn front_text(&self) -> String {
        let mut text = self.text();
        text.truncate(text.len() - self.notes.len());
        text
    }

    /// The lines of a key, each time it stands there: the key's own and the items below it. Merging by line can double a key.
    fn all_lines_of(&self, key: &str) -> Vec<Range<usize>> {
        let front = self.front.as_deref().unwrap_or_default();
        let is_key = |line: &String| {
            let line = Line::at(line.as_bytes(), 0).text(line.as_bytes());
            head::key_and_value(line).is_some_and(|(found, _)| found == key.as_bytes())
        };
        let starts = (0..front.len()).filter(|at| is_key(&front[*at]));
        starts
            .map(|at| at..at + 1 + front[at + 1..].iter().take_while(|line| item_of(line).is_some()).count())
            .collect()
    }

    fn lines_of(&self, key: &str) -> Option<Range<usize>> {
        self.all_lines_of(key).into_iter().next()
    }

    pub fn value(&self, key: &str) -> Option<String> {
        let front = self.front.as_ref()?;
        let (_, value) = front[self.lines_of(key)?.start].split_once(':')?;
        Some(value::unquote(value.trim())).filter(|value| !value.is_empty())
    }

    pub fn list(&self, key: &str) -> Vec<String> {
        let front = self.front.as_deref().unwrap_or_default();
        let mut list: Vec<String> = Vec::new();
        for lines in self.all_lines_of(key) {
            let (_, inline) = front[lines.start].split_once(':').unwrap_or_default();
            let below = front[lines.start + 1..lines.end].iter().filter_map(|line| item_of(line));
            for item in value::list(inline.trim()).into_iter().chain(below) {
                if !item.is_empty() && !list.contains(&item) {
                    list.push(item);
                }
            }
        }
        list
    }

    pub fn set(&mut self, key: &str, value: Option<&str>) {
        let lines = self.lines_of(key);
        let line = value.map(|value| format!("{key}: {}{}", scalar(value), self.ending()));
        let at = lines.as_ref().map_or_else(|| self.place_for(key), |lines| lines.start);
        self.front_mut().splice(lines.unwrap_or(at..at), line);
    }

    pub fn add(&mut self, key: &str, item: &str) {
        let ending = self.ending();
        let Some(lines) = self.lines_of(key) else {
            let at = self.place_for(key);
            self.front_mut().splice(at..at, [format!("{key}:{ending}"), format!("  - {}{ending}", scalar(item))]);
            return;
        };
        self.spread(key);
        let lines = self.lines_of(key).unwrap_or(lines);
        let front = self.front_mut();
        let last = &front[lines.end - 1];
        let indent = if lines.len() > 1 { last[..last.find('-').unwrap_or(0)].to_owned() } else { "  ".to_owned() };
        front.insert(lines.end, format!("{indent}- {}{ending}", scalar(item)));
    }

    pub fn take(&mut self, key: &str, item: &str) {
        self.spread(key);
        for lines in self.all_lines_of(key).into_iter().rev() {
            let front = self.front_mut();
            let items = front[lines.start + 1..lines.end].iter();
            let kept: Vec<String> = items.filter(|line| item_of(line).as_deref() != Some(item)).cloned().collect();
            if kept.is_empty() {
                front.drain(lines);
            } else {
                front.splice(lines.start + 1..lines.end, kept);
            }
        }
    }

    /// Takes out every value and item that is to be forgotten.
    pub fn forget_items(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        for key in LISTS {
            for item in self.list(key).into_iter().filter(|item| is_forgotten(item)) {
                self.take(key, &item);
            }
        }
        if self.value("merged-into").is_some_and(|value| is_forgotten(&value)) {
            self.set("merged-into", None);
        }
    }

    /// `key: [a, b]` becomes one item a line.
    fn spread(&mut self, key: &str) {
        let ending = self.ending();
        for lines in self.all_lines_of(key).into_iter().rev() {
            let front = self.front_mut();
            let (_, inline) = front[lines.start].split_once(':').unwrap_or_default();
            if inline.trim().is_empty() {
                continue;
            }
            let items = value::list(inline.trim());
            let items = items.iter().map(|item| format!("  - {}{ending}", scalar(item)));
            let spread: Vec<String> = std::iter::once(format!("{key}:{ending}")).chain(items).collect();
            front.splice(lines.start..=lines.start, spread);
        }
    }

    /// Behind the last key that kioku writes before this one; never between some key and its items.
    fn place_for(&self, key: &str) -> usize {
        let rank = KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len());
        let at = KEYS[..rank].iter().filter_map(|key| self.lines_of(key)).map(|lines| lines.end).max().unwrap_or(0);
        let front = self.front.as_deref().unwrap_or_default();
        at + front[at..].iter().take_while(|line| item_of(line).is_some()).count()
    }

    fn front_mut(&mut self) -> &mut Vec<String> {
        self.front.get_or_insert_default()
    }

    fn ending(&self) -> &'static str {
        if self.opening.ends_with("\r\n") { "\r\n" } else { "\n" }
    }
}

fn item_of(line: &str) -> Option<String> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    head::list_item(line.as_bytes()).map(|item| value::unquote(&String::from_utf8_lossy(item)))
}

/// A value as plain YAML where that reads back as itself, else in quotes.
fn scalar(text: &str) -> String {
    let odd_start = text.starts_with(|c: char| c.is_whitespace() || "-?:,[]{}#&*!|>'\"%@`".contains(c));
    let odd = odd_start
        || text.is_empty()
        || text.ends_with(|c: char| c.is_whitespace() || c == ':')
        || text.contains(": ")
        || text.contains(" #")
        || text.contains(|c: char| {
            c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        });
    if !odd {
        return text.to_owned();
    }
    let mut quoted = String::new();
    value::quote(&mut quoted, text);
    quoted
}
