//! The list of entries alone, for who shows a few of them: no other store is opened, nothing is written.

use std::path::Path;

use super::{
    Catalog, IndexError, ScanScope,
    scan::{self, ScanOutcome},
    stores,
};
use crate::journal::Vault;

/// What the filed catalog and the files that changed since come to, without opening any other store; `None` where there is no
/// such catalog, or so much changed that the index has to take it in.
pub fn glance(dir: &Path, vault: &Vault) -> Result<Option<Catalog>, IndexError> {
    let Some(known) = stores::filed_catalog(dir) else { return Ok(None) };
    if scan::differing(&known, &vault.files()?) > scan::FEW {
        return Ok(None);
    }
    Ok(scan::scan(vault, &known, ScanScope::Everywhere, &mut |_| true)?.map(|scan| match scan {
        ScanOutcome::Unchanged => known,
        ScanOutcome::Newer(catalog) | ScanOutcome::Changed(catalog) => *catalog,
    }))
}
