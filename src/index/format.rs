//! The format number of the index.

/// Format of all derived files but the vectors, which cost the most and have a version of their own. Raise it with every change of
/// what is stored or of the rules that decide it, and with every minor version of tantivy. An older index is made anew from the vault;
/// a newer one is left alone, see [`super::IndexError::Newer`].
pub(super) const FORMAT: u32 = 7;
