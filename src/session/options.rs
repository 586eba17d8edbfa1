//! Options of a session.

use std::{path::PathBuf, sync::Arc};

use crate::{embed::Encoder, index::vector::Ann, journal::VaultOptions};

/// Which journal a session works on, and how.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    pub vault: VaultOptions,
    /// The folder of installed models.
    pub models: PathBuf,
    /// Which installed model embeds; `None` turns the meaning leg off.
    pub model: Option<String>,
    /// An encoder given ready-made (tests, other programs); beats `model`.
    pub encoder: Option<Arc<dyn Encoder>>,
    pub ann: Ann,
    /// Watch the vault for changes by other programs.
    pub watch: bool,
}
