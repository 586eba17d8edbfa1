//! The catalog alone, for commands that show a few entries: opens no other store, writes nothing.

use std::{path::Path, thread};

use super::{Catalog, Result, end_of_thread, scan, stores};
use crate::journal::Vault;

/// The saved catalog, plus entries appended to the day files since, without opening any other store. `None` where
/// there is no such catalog, or where the index has to be synced first: many changes, or an entry that was deleted or
/// edited, whose last text must be saved first.
///
/// Stamps of all day files are compared, but only changed files are read: any day file may contain an entry of any
/// day.
pub fn catalog_only(dir: &Path, vault: &Vault) -> Result<Option<Catalog>> {
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

/// Like [`catalog_only`], but an outdated catalog is better than none: for completion of typed words.
pub fn saved_catalog(dir: &Path, vault: &Vault) -> Option<Catalog> {
    catalog_only(dir, vault).ok().flatten().or_else(|| stores::filed_catalog(dir))
}
