//! The list of entries alone, for who shows a few of them: no other store is opened, nothing is written.

use std::{path::Path, thread};

use super::{Catalog, IndexError, end_of_thread, scan, stores};
use crate::journal::Vault;

/// The filed catalog with what was added to the day files since, without opening any other store. `None` where there is no such
/// catalog, or where the index has to take in what changed: much, or an entry that went or is other than it was, whose last text is
/// then kept.
///
/// Every day file is looked at, none but the changed ones are read: an entry of any day may have been added to any of them.
pub fn glance(dir: &Path, vault: &Vault) -> Result<Option<Catalog>, IndexError> {
    let (known, listed) = thread::scope(|scope| {
        let known = scope.spawn(|| stores::filed_catalog(dir));
        let listed = vault.files_and_notices();
        (end_of_thread(known), listed)
    });
    match known {
        Some(known) => scan::with_additions(vault, known, listed?),
        None => Ok(None),
    }
}
