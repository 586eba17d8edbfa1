//! What the user decided about names and relations: the front matter of `entities/<Name>.md` (design 3, Curated entities).
//!
//! Lists stand one item a line, so that git merges them by line. Whatever kioku does not know, and the notes below, are kept as they
//! are: a change touches the lines of its own key only.

use std::fmt;

use super::{EntityKind, EntryId, RelationKind, Vault, VaultError, files, note_text::NoteText, vault::names_in};

/// The user's word on one entity.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntityNote {
    /// The file's name in `entities/`.
    pub file: String,
    /// The real name, which the file's name may only resemble.
    pub name: String,
    pub kind: Option<EntityKind>,
    pub aliases: Vec<String>,
    /// Entities that are this one under other names.
    pub merged: Vec<String>,
    /// Entities that look alike and are not this one.
    pub distinct_from: Vec<String>,
    pub hidden: bool,
    pub accept: Vec<Verdict>,
    pub reject: Vec<Verdict>,
    /// The entity this one was merged into.
    pub merged_into: Option<String>,
    /// What the user wrote below.
    pub notes: String,
}

/// A relation the user judged: `causal -> stressed`, or with ` @ entry-id` only as that entry states it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Verdict {
    pub kind: RelationKind,
    pub target: String,
    pub entry: Option<EntryId>,
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

/// A key with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteField {
    Kind,
    Hidden,
    MergedInto,
}

/// A key with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteList {
    Aliases,
    Merged,
    DistinctFrom,
    Accept,
    Reject,
}

/// One change of a note. Values are as they read: a kind's word, `true`, a name, a [`Verdict`] in its own spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteEdit {
    Set(NoteField, Option<String>),
    Add(NoteList, String),
    Take(NoteList, String),
}

const FOLDER: &str = "entities";

impl NoteField {
    fn key(self) -> &'static str {
        match self {
            Self::Kind => "type",
            Self::Hidden => "hidden",
            Self::MergedInto => "merged-into",
        }
    }
}

impl NoteList {
    fn key(self) -> &'static str {
        match self {
            Self::Aliases => "aliases",
            Self::Merged => "merged",
            Self::DistinctFrom => "distinct-from",
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

impl Vault {
    /// Every note, by file name.
    pub fn entity_notes(&self) -> Result<Vec<EntityNote>, VaultError> {
        let folder = self.options().root.join(FOLDER);
        let mut names: Vec<String> = names_in(&folder)?.into_iter().filter(|name| name.ends_with(".md")).collect();
        names.sort();
        let mut notes = Vec::with_capacity(names.len());
        for name in names {
            let Some(bytes) = files::read(&folder.join(&name))? else { continue };
            notes.push(NoteText::of(&String::from_utf8_lossy(&bytes)).note(&name));
        }
        Ok(notes)
    }

    /// Changes the note on `name` (of that kind, where homonyms have notes), which is made where there is none. Answers the note
    /// and the edits that undo these.
    pub fn curate(
        &self,
        name: &str,
        kind: Option<EntityKind>,
        edits: &[NoteEdit],
    ) -> Result<(EntityNote, Vec<NoteEdit>), VaultError> {
        let _lock = self.lock()?;
        let notes = self.entity_notes()?;
        let same_name = || notes.iter().filter(|note| note.name == name);
        let found = same_name()
            .find(|note| kind.is_none() || note.kind == kind)
            .or_else(|| same_name().find(|note| note.kind.is_none()));
        let file = found.map_or_else(|| new_file(name, kind, &notes), |note| note.file.clone());
        let path = self.options().root.join(FOLDER).join(&file);
        let present = files::read(&path)?.unwrap_or_default();
        let text = String::from_utf8(present).map_err(|_| VaultError::Refused {
            path: path.clone(),
            line: 1,
            reason: "it holds bytes that are not UTF-8".to_owned(),
        })?;
        let mut note = NoteText::of(&text);
        if found.is_none() && name_of_file(&file).0 != name {
            note.set("name", Some(name));
        }
        if found.is_none()
            && let Some(kind) = kind
        {
            note.set("type", Some(kind.word()));
        }
        let mut undo: Vec<NoteEdit> = edits.iter().filter_map(|edit| note.apply(edit)).collect();
        undo.reverse();
        let changed = note.text();
        if changed != text {
            files::create_dir(&self.options().root.join(FOLDER))?;
            files::replace(&path, changed.as_bytes())?;
        }
        Ok((NoteText::of(&changed).note(&file), undo))
    }
}

impl NoteText {
    fn note(&self, file: &str) -> EntityNote {
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

    /// The edit that undoes this one; `None` where nothing was to be done.
    fn apply(&mut self, edit: &NoteEdit) -> Option<NoteEdit> {
        match edit {
            NoteEdit::Set(field, value) => {
                let before = self.value(field.key());
                if before == *value {
                    return None;
                }
                self.set(field.key(), value.as_deref());
                Some(NoteEdit::Set(*field, before))
            }
            NoteEdit::Add(list, item) => {
                if item.is_empty() || self.list(list.key()).contains(item) {
                    return None;
                }
                self.add(list.key(), item);
                Some(NoteEdit::Take(*list, item.clone()))
            }
            NoteEdit::Take(list, item) => {
                if !self.list(list.key()).contains(item) {
                    return None;
                }
                self.take(list.key(), item);
                Some(NoteEdit::Add(*list, item.clone()))
            }
        }
    }
}

/// The name a file's name stands for, and the kind in its brackets.
fn name_of_file(file: &str) -> (String, Option<EntityKind>) {
    let stem = file.strip_suffix(".md").unwrap_or(file);
    let homonym = stem
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
        .and_then(|(name, kind)| Some((name.to_owned(), Some(EntityKind::parse(kind)?))));
    homonym.unwrap_or_else(|| (stem.to_owned(), None))
}

/// A file name nobody has, not even in other case: some systems take both for one file.
fn new_file(name: &str, kind: Option<EntityKind>, notes: &[EntityNote]) -> String {
    let safe = safe_stem(name);
    let free = |file: &String| notes.iter().all(|note| note.file.to_lowercase() != file.to_lowercase());
    let homonym = kind.map(|kind| format!("{safe} ({}).md", kind.word()));
    let numbered = (2..).map(|n| format!("{safe} {n}.md"));
    let mut candidates = std::iter::once(format!("{safe}.md")).chain(homonym).chain(numbered);
    candidates.find(free).expect("there are more numbers than files")
}

/// Characters that some system forbids in a file name become `_`.
fn safe_stem(name: &str) -> String {
    const LONGEST: usize = 200;
    let unsafe_char = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    let mut stem: String = name.chars().map(|c| if unsafe_char(c) { '_' } else { c }).collect();
    stem.truncate(stem.floor_char_boundary(LONGEST));
    let trimmed = stem.trim_matches([' ', '.']);
    let reserved = ["con", "prn", "aux", "nul"].contains(&trimmed.to_lowercase().as_str());
    if trimmed.is_empty() || reserved { format!("_{trimmed}") } else { trimmed.to_owned() }
}

#[cfg(test)]
#[path = "curation_tests.rs"]
mod tests;
