//! Notices: content of a vault file that is no entry, or an entry that cannot be edited.

use std::sync::Arc;

/// Something in a file that is no entry, or an entry that cannot be edited: counted, listed, never dropped.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Notice {
    pub file: Arc<str>,
    /// From 1.
    pub line: usize,
    pub kind: NoticeKind,
    /// A sentence for the reader.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NoticeKind {
    /// A `---` and a known key that make no head (a torn head, a pasted front matter).
    NoHead,
    /// The file or the entry holds bytes that are not UTF-8.
    NotUtf8,
    /// One id with two bodies.
    SameId,
    /// A file that could not be read.
    Unreadable,
    /// Git conflict markers that tear entries apart.
    SyncConflict,
    /// A copy of a day file made by a file-sync program.
    ConflictCopy,
    /// Text files whose names hold no date.
    Undated,
    /// A head without its opening fence: what a union merge leaves.
    TornHead,
    /// Git conflict markers within the text of one entry.
    MarkersInText,
}

impl NoticeKind {
    /// Whether [`super::Vault::repair`] can mend it.
    pub fn is_repairable(self) -> bool {
        matches!(self, Self::TornHead | Self::SyncConflict | Self::ConflictCopy)
    }
}
