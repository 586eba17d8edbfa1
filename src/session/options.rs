//! Options of a session.

use std::{path::PathBuf, sync::Arc};

use crate::{embed::Encoder, index::vector::Ann, journal::VaultOptions};

/// Options of a session: the journal, its models and the watcher.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    pub vault: VaultOptions,
    /// The folder of installed models.
    pub models: PathBuf,
    /// The name of the embedding model; `None` turns the vector leg off.
    pub model: Option<String>,
    /// An encoder passed directly (tests, other programs); takes precedence over `model`.
    pub encoder: Option<Arc<dyn Encoder>>,
    pub ann: Ann,
    /// Whether to watch the vault for changes by other programs.
    pub watch: bool,
}
