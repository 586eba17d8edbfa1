//! Notices: problems in vault files, such as content that is not an entry or an entry that cannot be edited.

use std::sync::Arc;

/// A problem in a file, reported to the user. Reading a damaged file never fails: what cannot be read becomes a notice.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Notice {
    pub file: Arc<str>,
    /// Line number, from 1.
    pub line: usize,
    pub kind: NoticeKind,
    /// One sentence for the user.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NoticeKind {
    /// A `---` and a known key that do not form a head (a torn head, a pasted front matter).
    NoHead,
    /// The file or the entry contains bytes that are not UTF-8.
    NotUtf8,
    /// Two entries have the same id, or several files hold the same entry.
    SameId,
    /// A file that could not be read.
    Unreadable,
    /// Git conflict markers that split heads.
    SyncConflict,
    /// A copy of a day file made by a file-sync program.
    ConflictCopy,
    /// Text files without a date in their names, and names that are not UTF-8.
    Undated,
    /// A head without its opening fence, as a union merge leaves it.
    TornHead,
    /// Git conflict markers within the text of one entry.
    MarkersInText,
    /// A folder that could not be read, or a link to one that is not followed.
    UnreadableFolder,
}

impl NoticeKind {
    /// Whether it is surely damage, to be repaired without looking. Markers in a text may be a quotation.
    pub fn is_surely_damage(self) -> bool {
        self.is_repairable() && self != Self::MarkersInText
    }

    /// Whether a file or a folder could not be read.
    pub fn is_unreadable(self) -> bool {
        matches!(self, Self::Unreadable | Self::UnreadableFolder)
    }

    /// Whether [`super::Vault::repair`] can repair it.
    pub fn is_repairable(self) -> bool {
        matches!(self, Self::TornHead | Self::SyncConflict | Self::ConflictCopy | Self::MarkersInText)
    }
}
