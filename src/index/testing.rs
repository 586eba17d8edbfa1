//! Test fixtures: an empty journal at one fixed moment, and its index without a model.

use std::path::Path;

use super::{Index, IndexOptions, vector::Ann};
use crate::{
    clock::Clock,
    journal::{Vault, VaultOptions},
};

pub fn vault(root: &Path) -> Vault {
    Vault::open(VaultOptions::new(root, Clock::fixed("2026-11-20T12:00:00+00:00[UTC]".parse().unwrap()))).unwrap()
}

pub fn open(root: &Path) -> (Vault, Index) {
    let vault = vault(root);
    let options = IndexOptions { dir: vault.index_folder(), model: None, stand_in: None, ann: Ann::Auto };
    (vault, Index::open(options).unwrap().0)
}
