//! The format number of the index.

/// Format of all derived files except the vectors, which are the most expensive and have a version of their own.
/// Raise it when the stored data changes, when the rules that produce it change, and with every minor version of
/// tantivy. An older index is rebuilt from the vault; a newer one is left alone, see [`super::IndexError::Newer`].
pub(super) const FORMAT: u32 = 10;
