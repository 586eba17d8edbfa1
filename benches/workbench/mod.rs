//! What every measurement needs: a journal of a given size in a throwaway folder, and a session over it.
// Each bench is a program of its own and uses a part of this.
#![allow(dead_code)]

use std::sync::Arc;

use jiff::{
    Zoned, civil,
    tz::{TimeZone, offset},
};
use kioku::{
    clock::Clock,
    embed::testing::HashEncoder,
    index::vector::Ann,
    journal::VaultOptions,
    search::{Legs, Search},
    session::{Session, SessionOptions},
};
use tempfile::TempDir;

#[path = "../corpus/mod.rs"]
pub mod corpus;

/// Sizes of journals in entries. A hundred thousand takes minutes to set up and is left out unless
/// `KIOKU_BENCH_LARGE` is set.
pub fn sizes() -> Vec<usize> {
    let large = std::env::var_os("KIOKU_BENCH_LARGE").is_some();
    [1_000, 10_000, 100_000].into_iter().filter(|size| large || *size < 100_000).collect()
}

/// When all measurements take place: the noon after the corpus ends.
pub fn now() -> Zoned {
    let zone = TimeZone::fixed(offset(7));
    civil::date(2026, 9, 1).at(12, 0, 0, 0).to_zoned(zone).expect("a fixed offset has no gaps")
}

/// A journal on the disk. The folder goes when this is dropped.
pub struct Journal {
    pub folder: TempDir,
    pub options: SessionOptions,
}

impl Journal {
    /// `count` entries of the corpus, nothing indexed. The encoder counts words: a model's own time is not measured here.
    pub fn new(count: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the measurement");
        corpus::write_vault(folder.path(), corpus::SEED, count).expect("the corpus is written");
        let options = SessionOptions {
            vault: VaultOptions::new(folder.path(), Clock::fixed(now())),
            models: folder.path().join("models"),
            model: None,
            encoder: Some(Arc::new(HashEncoder::new(256))),
            ann: Ann::default(),
            watch: false,
        };
        Self { folder, options }
    }

    pub fn session(&self) -> Session {
        Session::open(self.options.clone()).expect("the vault opens")
    }

    /// A session over the finished index.
    pub fn indexed(&self) -> Session {
        let mut session = self.session();
        sync(&mut session);
        session
    }

    /// Throws away everything derived.
    pub fn forget_index(&self) {
        let derived = self.folder.path().join(".index");
        if derived.exists() {
            std::fs::remove_dir_all(derived).expect("the index can be deleted at any time");
        }
    }
}

/// Brings words, connections and vectors up to date.
pub fn sync(session: &mut Session) {
    let report = session.sync(true, &mut |_| true).expect("the journal can be indexed");
    assert!(!report.stopped && !report.read_only);
}

/// A search as the search pane asks it.
pub fn ask(text: &str, legs: Legs) -> Search {
    Search { legs, ..Search::new(text, 50, now()) }
}
