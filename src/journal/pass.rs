//! The two passes of a permanent deletion: the preview and the deletion itself count the same way.

/// Whether a deletion is carried out or only counted, for a preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    Count,
    Delete,
}
