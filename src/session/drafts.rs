//! The drafts of this session: other windows neither offer them nor have them removed.

use std::{collections::HashMap, sync::Mutex};

use crate::{
    fault::lock,
    journal::{Draft, DraftId, Vault, VaultError, files::Lock},
};

/// The drafts that this session typed or offers.
#[derive(Default)]
pub(super) struct OpenDrafts(Mutex<HashMap<DraftId, OpenDraft>>);

struct OpenDraft {
    /// The system frees it when the process ends. `None` on a file system without locks.
    claim: Option<Lock>,
    /// The draft as last written or read.
    known: Option<Draft>,
}

impl OpenDrafts {
    pub(super) fn keep(&self, vault: &Vault, draft: &Draft) -> Result<(), VaultError> {
        let mut open = lock(&self.0);
        // Without a claim the text is written all the same.
        let claim = || OpenDraft { claim: vault.claim_draft(&draft.id).ok().flatten(), known: None };
        let known = &mut open.entry(draft.id.clone()).or_insert_with(claim).known;
        vault.keep_draft(draft)?;
        *known = Some(draft.clone());
        Ok(())
    }

    /// Claims the drafts that no other window has, and returns them with those of this session.
    pub(super) fn list(&self, vault: &Vault) -> Result<Vec<Draft>, VaultError> {
        let mut open = lock(&self.0);
        let mut own = Vec::new();
        for Draft { id, .. } in vault.drafts()? {
            let claim = if open.contains_key(&id) { Ok(None) } else { vault.claim_draft(&id) };
            if matches!(claim, Ok(None)) && !open.contains_key(&id) {
                continue;
            }
            let claim = claim.ok().flatten();
            // Read after the claim: its window may have changed or removed it just before it closed.
            let known = vault.draft(&id)?;
            own.extend(known.clone());
            open.entry(id).or_insert(OpenDraft { claim, known });
        }
        Ok(own)
    }

    /// Removes a draft whose text is saved or not wanted; returns whether it did. A text that this session does not
    /// know stays.
    pub(super) fn drop(&self, vault: &Vault, id: &DraftId) -> Result<bool, VaultError> {
        let mut open = lock(&self.0);
        let known = open.get(id).and_then(|draft| draft.known.as_ref());
        let is_known = vault.draft(id)?.as_ref() == known;
        if is_known {
            vault.drop_draft(id)?;
            vault.release_draft(id, open.remove(id).and_then(|draft| draft.claim));
        }
        Ok(is_known)
    }
}
