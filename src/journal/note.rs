//! The note on an entity: its fields, and their syntax in a file.
//!
//! An edit changes only the lines of its own key.

use std::{fmt, ops::Range};

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use yaml_rust2::Yaml;

use super::{
    EntityKind, EntryId, RelationKind,
    day_file::BOM,
    head::{self, Line},
    value,
    words::words,
};

/// The user's decisions and notes on one entity.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct EntityNote {
    /// File name in `entities/`.
    pub file: String,
    /// The entity's name. The file name may differ, because some characters are not allowed there.
    pub name: String,
    pub kind: Option<EntityKind>,
    pub aliases: Vec<String>,
    /// Names of entities that were merged into this one.
    pub merged: Vec<String>,
    /// Names of similar entities that are not this one.
    pub distinct_from: Vec<String>,
    pub hidden: bool,
    pub accept: Vec<Verdict>,
    pub reject: Vec<Verdict>,
    /// The entity this one was merged into.
    pub merged_into: Option<String>,
    /// The text below the front matter.
    pub notes: String,
}

/// A relation that the user accepted or rejected: `causal -> stressed`, or with ` @ entry-id` for one entry only.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Verdict {
    pub kind: RelationKind,
    pub target: String,
    pub entry: Option<EntryId>,
}

impl EntityNote {
    /// Whether the note has no verdicts and no distinct names.
    pub fn judges_nothing(&self) -> bool {
        self.accept.is_empty() && self.reject.is_empty() && self.distinct_from.is_empty()
    }
}

impl Verdict {
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once(" -> ")?;
        let (target, entry) = match rest.rsplit_once(" @ ") {
            Some((target, entry)) => (target, Some(EntryId::from(entry.trim()))),
            None => (rest, None),
        };
        Some(Self { kind: RelationKind::parse(kind.trim())?, target: target.trim().to_owned(), entry })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.kind.word(), self.target)?;
        self.entry.as_ref().map_or(Ok(()), |entry| write!(f, " @ {entry}"))
    }
}

/// Keys with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteField {
    Name,
    Kind,
    Hidden,
    MergedInto,
}

/// Keys with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteList {
    Aliases,
    Merged,
    DistinctFrom,
    Accept,
    Reject,
}

/// One change of a note. Values are unquoted strings: the word of a kind, `true`, a name, a formatted [`Verdict`].
///
/// `Write` replaces the text below the front matter. If that text is no longer `base`, both texts are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteEdit {
    Set(NoteField, Option<String>),
    Add(NoteList, String),
    Take(NoteList, String),
    Write { base: String, text: String },
}

words! { NoteField: Name "name", Kind "type", Hidden "hidden", MergedInto "merged-into" }

words! {
    NoteList:
    Aliases "aliases", Merged "merged", DistinctFrom "distinct-from", Accept "accept", Reject "reject"
}

/// Finds the note on an entity: one with this kind, or else one without a kind.
pub fn note_on<'a>(notes: &'a [EntityNote], name: &str, kind: Option<EntityKind>) -> Option<&'a EntityNote> {
    let same_name = || notes.iter().filter(|note| note.name == name);
    same_name()
        .find(|note| kind.is_none() || note.kind == kind)
        .or_else(|| same_name().find(|note| note.kind.is_none()))
}

/// Splits `Hanoi (place)` into name and kind. List items, file names and links use this form to distinguish homonyms.
pub fn name_and_kind(text: &str) -> (&str, Option<EntityKind>) {
    let homonym = text
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
        .and_then(|(name, kind)| Some((name, Some(EntityKind::parse(kind)?))));
    homonym.unwrap_or((text, None))
}

/// All keys, in the order in which kioku writes them.
const KEYS: [&str; 9] =
    ["name", "type", "aliases", "merged", "distinct-from", "hidden", "accept", "reject", "merged-into"];

/// A note's lines, each with its ending.
pub(super) struct NoteText {
    /// The byte order mark, if the file has one.
    mark: String,
    /// Lines between the fences; `None` if there are no fences.
    front: Option<Vec<String>>,
    opening: String,
    closing: String,
    /// The text below the front matter.
    pub notes: String,
}

impl NoteText {
    pub fn of(text: &str) -> Self {
        let (mark, text) = text.split_at(if text.starts_with('\u{feff}') { BOM.len() } else { 0 });
        let mark = mark.to_owned();
        let Some((opening, front, closing)) = head::fenced(text.as_bytes()) else {
            let fence = || "---\n".to_owned();
            return Self { mark, front: None, opening: fence(), closing: fence(), notes: text.to_owned() };
        };
        let whole = |line: &Line| text[line.start..line.next].to_owned();
        Self {
            mark,
            front: Some(front.iter().map(whole).collect()),
            opening: whole(&opening),
            closing: whole(&closing),
            notes: text[closing.next..].to_owned(),
        }
    }

    pub fn text(&self) -> String {
        let mark = &self.mark;
        match &self.front {
            None => format!("{mark}{}", self.notes),
            Some(front) => format!("{mark}{}{}{}{}", self.opening, front.concat(), self.closing, self.notes),
        }
    }

    pub fn note(&self, file: &str) -> EntityNote {
        let (stem, stem_kind) = name_of_file(file);
        let verdicts = |key: &str| self.list(key).iter().filter_map(|item| Verdict::parse(item)).collect();
        let name = self.value("name");
        EntityNote {
            file: file.to_owned(),
            kind: match self.value("type") {
                Some(word) => EntityKind::parse(&word.to_lowercase()),
                None if name.is_none() => stem_kind,
                None => None,
            },
            name: name.unwrap_or(stem),
            aliases: self.list("aliases"),
            merged: self.list("merged"),
            distinct_from: self.list("distinct-from"),
            hidden: self.value("hidden").is_some_and(|value| value == "true"),
            accept: verdicts("accept"),
            reject: verdicts("reject"),
            merged_into: self.value("merged-into"),
            notes: self.notes.clone(),
        }
    }

    /// Applies an edit. Returns the inverse edit; `None` if the edit changes nothing.
    pub fn apply(&mut self, edit: &NoteEdit) -> Option<NoteEdit> {
        match edit {
            NoteEdit::Set(field, value) => {
                let before = self.value(field.word());
                if before == *value {
                    return None;
                }
                self.set(field.word(), value.as_deref());
                Some(NoteEdit::Set(*field, before))
            }
            NoteEdit::Add(list, item) => {
                if item.is_empty() || self.list(list.word()).contains(item) {
                    return None;
                }
                self.add(list.word(), item);
                Some(NoteEdit::Take(*list, item.clone()))
            }
            NoteEdit::Take(list, item) => {
                if !self.list(list.word()).contains(item) {
                    return None;
                }
                self.take(list.word(), item);
                Some(NoteEdit::Add(*list, item.clone()))
            }
            NoteEdit::Write { base, text } => {
                let before = std::mem::take(&mut self.notes);
                self.notes = if before == *base { text.clone() } else { both(&before, text) };
                (self.notes != before).then(|| NoteEdit::Write { base: self.notes.clone(), text: before })
            }
        }
    }

    /// The front matter without its fences.
    pub fn front_lines(&self) -> String {
        self.front.as_deref().unwrap_or_default().concat()
    }

    /// The front matter with its fences; empty if there is none.
    pub fn front_text(&self) -> String {
        let mut text = self.text();
        text.truncate(text.len() - self.notes.len());
        text
    }

    /// The line ranges of a key, each with the key's line and its items. There can be several, because a merge by line
    /// can duplicate a key.
    fn all_lines_of(&self, key: &str) -> Vec<Range<usize>> {
        let front = self.front.as_deref().unwrap_or_default();
        let is_key = |line: &String| {
            let line = Line::at(line.as_bytes(), 0).text(line.as_bytes());
            head::key_and_value(line).is_some_and(|(found, _)| found.eq_ignore_ascii_case(key.as_bytes()))
        };
        let starts = (0..front.len()).filter(|at| is_key(&front[*at]));
        starts
            .map(|at| at..at + 1 + front[at + 1..].iter().take_while(|line| item_of(line).is_some()).count())
            .collect()
    }

    fn lines_of(&self, key: &str) -> Option<Range<usize>> {
        self.all_lines_of(key).into_iter().next()
    }

    fn value(&self, key: &str) -> Option<String> {
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
        self.set_line(key, value.map(|value| format!("{key}: {}", scalar(value))).as_deref());
    }

    /// Replaces the lines of a key by one, or removes them.
    pub fn set_line(&mut self, key: &str, line: Option<&str>) {
        let lines = self.lines_of(key);
        let old = lines.as_ref().and_then(|lines| self.front.as_ref()?.get(lines.start)).cloned().unwrap_or_default();
        let line = line.map(|line| value::like_before(&old, line) + self.ending());
        let at = lines.as_ref().map_or_else(|| self.place_for(key), |lines| lines.start);
        self.front_mut().splice(lines.unwrap_or(at..at), line);
    }

    fn add(&mut self, key: &str, item: &str) {
        let ending = self.ending();
        self.spread(key);
        let Some(lines) = self.lines_of(key) else {
            let at = self.place_for(key);
            self.front_mut().splice(at..at, [format!("{key}:{ending}"), format!("  - {}{ending}", scalar(item))]);
            return;
        };
        let front = self.front_mut();
        let last = &front[lines.end - 1];
        let indent = if lines.len() > 1 { last[..last.find('-').unwrap_or(0)].to_owned() } else { "  ".to_owned() };
        front.insert(lines.end, format!("{indent}- {}{ending}", scalar(item)));
    }

    fn take(&mut self, key: &str, item: &str) {
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

    /// Removes every value and item that is to be forgotten.
    pub fn forget_items(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        for key in NoteList::ALL.map(NoteList::word) {
            for item in self.list(key).into_iter().filter(|item| is_forgotten(item)) {
                self.take(key, &item);
            }
        }
        if self.value("merged-into").is_some_and(|value| is_forgotten(&value)) {
            self.set("merged-into", None);
        }
    }

    /// Rewrites `key: [a, b]` with one item per line.
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

    /// Insert position for a key: after the last key that kioku writes before it, and never between a key and its
    /// items.
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

/// A value as a plain YAML scalar if every program reads that back unchanged, else quoted. `true` stays a boolean.
pub(super) fn scalar(text: &str) -> String {
    let odd_start = text.starts_with(|c: char| c.is_whitespace() || "-?:,[]{}#&*!|>'\"%@`".contains(c));
    let odd = odd_start
        || text.is_empty()
        || text != "true" && !matches!(Yaml::from_str(text), Yaml::String(_))
        || ["yes", "no", "on", "off"].iter().any(|word| text.eq_ignore_ascii_case(word))
        || text.ends_with(|c: char| c.is_whitespace() || c == ':')
        || text.contains(": ")
        || text.contains(" #")
        || text.contains(|c: char| {
            c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
        });
    if odd { value::quoted(text) } else { text.to_owned() }
}

/// Both texts, one below the other; only the first if it already contains the second.
fn both(theirs: &str, mine: &str) -> String {
    match mine.trim() {
        mine if theirs.contains(mine) => theirs.to_owned(),
        mine if theirs.trim().is_empty() => format!("{mine}\n"),
        mine => format!("{}\n\n{mine}\n", theirs.trim_end()),
    }
}

/// Name and kind from a file name such as `Hanoi (place).md`. Characters are composed, as in texts.
pub(super) fn name_of_file(file: &str) -> (String, Option<EntityKind>) {
    let (name, kind) = name_and_kind(file.strip_suffix(".md").unwrap_or(file));
    (name.nfc().collect(), kind)
}
