//! Which entry goes by which name, over the whole vault (design 3, Identity).

use super::{BodyHash, EntryId};

/// What one entry has written of its own name. Give them in file-name order, then by position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The `id:` or else the `time:`, as written.
    pub written: &'a str,
    pub has_id: bool,
    pub hash: BodyHash,
}

/// The final name of each claim, in the same order; `None` for a later copy of an entry already named
/// (same written name and same body: one entry).
pub fn resolve(claims: &[Claim<'_>]) -> Vec<Option<EntryId>> {
    let _ = claims;
    todo!()
}
