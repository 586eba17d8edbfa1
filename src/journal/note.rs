//! What a note on an entity says, apart from how its file spells it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{EntityKind, EntryId, RelationKind};

/// The user's word on one entity.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Verdict {
    pub kind: RelationKind,
    pub target: String,
    pub entry: Option<EntryId>,
}

impl EntityNote {
    /// Whether it says nothing of relations and of who is somebody else.
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

/// A key with one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteField {
    Name,
    Kind,
    Hidden,
    MergedInto,
}

/// A key with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteList {
    Aliases,
    Merged,
    DistinctFrom,
    Accept,
    Reject,
}

/// One change of a note. Values are as they read: a kind's word, `true`, a name, a [`Verdict`] in its own spelling.
///
/// `Write` puts another text below the front matter. Where somebody else wrote there since `base`, both texts stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteEdit {
    Set(NoteField, Option<String>),
    Add(NoteList, String),
    Take(NoteList, String),
    Write { base: String, text: String },
}

impl NoteField {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Kind => "type",
            Self::Hidden => "hidden",
            Self::MergedInto => "merged-into",
        }
    }
}

impl NoteList {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Aliases => "aliases",
            Self::Merged => "merged",
            Self::DistinctFrom => "distinct-from",
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

/// The note on an entity: of its kind, or else of none.
pub fn note_on<'a>(notes: &'a [EntityNote], name: &str, kind: Option<EntityKind>) -> Option<&'a EntityNote> {
    let same_name = || notes.iter().filter(|note| note.name == name);
    same_name()
        .find(|note| kind.is_none() || note.kind == kind)
        .or_else(|| same_name().find(|note| note.kind.is_none()))
}

/// `Hanoi (place)` as name and kind: how an item of a list tells homonyms apart, like a file's name and a link do.
pub fn name_and_kind(text: &str) -> (&str, Option<EntityKind>) {
    let homonym = text
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
        .and_then(|(name, kind)| Some((name, Some(EntityKind::parse(kind)?))));
    homonym.unwrap_or((text, None))
}
