//! What is being typed and not yet saved.

use super::EntryId;

/// Names a draft's file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DraftId(pub String);

/// What is being typed and not yet saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    pub id: DraftId,
    /// The entry being edited; `None` for a new one.
    pub editing: Option<EntryId>,
    /// The three small fields, as typed (they need not parse).
    pub time: String,
    pub mood: String,
    pub tags: String,
    pub body: String,
}
