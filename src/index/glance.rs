//! The list of entries alone, for who shows a few of them: no other store is opened, nothing is written.

use std::path::Path;

use super::{
    Catalog, IndexError, Look, stores,
    survey::{self, Survey},
};
use crate::journal::Vault;

/// What the filed catalog and the files that changed since come to, without opening any other store; `None` where there is no
/// such catalog, or so much changed that the index has to take it in.
pub fn glance(dir: &Path, vault: &Vault) -> Result<Option<Catalog>, IndexError> {
    let Some(known) = stores::filed_catalog(dir) else { return Ok(None) };
    if survey::differing(&known, &vault.files()?) > survey::FEW {
        return Ok(None);
    }
    Ok(survey::survey(vault, &known, Look::Everywhere, &mut |_| true)?.map(|survey| match survey {
        Survey::Unchanged => known,
        Survey::Newer(catalog) | Survey::Changed(catalog) => *catalog,
    }))
}
