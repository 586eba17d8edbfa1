//! kioku: a journal in the terminal that remembers with you.
//!
//! # The house
//!
//! | layer | owns | must not know |
//! |---|---|---|
//! | [`cli`] | verbs, printing | threads, files |
//! | [`config`] | `config.toml` turned into the options of the layers below | what a pane draws |
//! | [`tui`] | terminal, keys, panes | tantivy, hnsw_rs, petgraph, files |
//! | [`report`] | an error at the edge: kind, chain, hints, exit code | where it is shown |
//! | [`session`] | threads; the one door for the three above | the terminal |
//! | [`insight`] | why, connect, related, reflect, review, stats: what may be claimed | threads, files, the terminal |
//! | [`search`] | query syntax, the three legs, fusion, snippets, reasons | threads, files |
//! | [`index`] | everything derived from the vault; may be deleted at any time | queries as typed |
//! | [`extract`] | text to mentions and relations, natural dates | other entries |
//! | [`embed`] | text to vector, installed models | entries |
//! | [`journal`] | the vault: the only truth | everything above |
//!
//! A layer may use those below it in this table, never one above; `extract` and `embed` do not
//! know each other. [`clock`], [`fault`], [`paths`] and [`sanitize`] are leaves that anyone may use.
//! `tests/it/layers.rs` scans the sources and holds the rule.
//!
//! # The life of an entry
//!
//! typed -> draft -> [`journal::Vault::append`] (durable from here on) -> [`extract`] and
//! [`embed`] -> the three indices -> one [`index::Snapshot`] that every search reads.
//!
//! # The life of a query
//!
//! text -> [`search::Query`] (filters and words) -> three legs inside the filters -> fusion by
//! entry -> snippets and the reason for each hit. The CLI and every pane show the same list.
//!
//! # What an extension touches outside its own file
//!
//! | extension | its own file | other places |
//! |---|---|---|
//! | leg | `search/legs/*.rs` | `search/leg_id.rs` (names), `search/legs/mod.rs`, `tui/panes/search/commands.rs` (key, colour) |
//! | verb | `cli/*.rs` | `cli/mod.rs`: the `mod` line and the row in `verbs!` |
//! | importer | `journal/exchange/*.rs` | `journal/exchange/mod.rs`: the `mod` line and the row in `IMPORTERS` |
//!
//! `tests/it/layers/places.rs` counts them.
#![forbid(unsafe_code)]

pub mod cli;
pub mod clock;
pub mod config;
pub mod embed;
pub mod extract;
pub mod fault;
pub mod index;
pub mod insight;
pub mod journal;
pub mod paths;
pub mod report;
pub mod sanitize;
pub mod search;
pub mod session;
pub mod tui;
