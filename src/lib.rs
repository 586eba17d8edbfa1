//! kioku: a journal in the terminal that remembers with you.
//!
//! # Layers
//!
//! | layer | owns | must not know |
//! |---|---|---|
//! | [`cli`] | commands, printing | threads, files |
//! | [`config`] | `config.toml` turned into the options of the layers below | what a pane draws |
//! | [`tui`] | terminal, event loop, keys, panes | tantivy, hnsw_rs, petgraph, files |
//! | [`report`] | an error at the edge: kind, chain, hints, exit code | where it is shown |
//! | [`session`] | access to one journal: [`session::Session`], and the worker threads of the screens | the terminal |
//! | [`insight`] | why, connect, related, reflect, review, stats | threads, files, the terminal |
//! | [`search`] | query syntax, the search legs, fusion, snippets, reasons | threads, files |
//! | [`index`] | everything derived from the vault; may be deleted at any time | queries as typed |
//! | [`extract`] | text to mentions and relations, dates | other entries |
//! | [`embed`] | text to vector, installed models | entries |
//! | [`journal`] | the vault: the only source of truth | everything above |
//!
//! A layer may use those below it in this table, never one above; `extract` and `embed` do not
//! know each other. [`clock`], [`fault`], [`paths`] and [`sanitize`] are leaves that anyone may use.
//! `tests/it/layers.rs` scans the sources and holds the rule.
//!
//! # The path of a save
//!
//! 1. The Journal pane sends [`session::Request::Append`]; the command line calls [`journal::Vault::append`] itself and skips to 3.
//! 2. The write worker takes it from its queue, after the drafts sent before it are on disk.
//! 3. [`journal::Vault::append`] locks the vault, writes a second copy to `recent/`, appends the block to the day file and fsyncs.
//! 4. The draft is deleted and the change is pushed on the undo stack.
//! 5. [`session::Reply::Written`] wakes the event loop: the entry is durable.
//! 6. A snapshot with the entry in an in-memory word index is published: it is found by word.
//! 7. The index worker scans the day file that was added to, compares it with the catalog and reads the new entry.
//! 8. [`extract`] finds its mentions and relations, [`index::passage`] cuts it into passages.
//! 9. The graph, the vector store and tantivy's writer get their parts; a new snapshot is published, not yet committed.
//! 10. The model embeds the passages in batches; the entry is found by meaning.
//! 11. tantivy commits. From here on a restart does not read the entry again by word.
//! 12. After 256 changes, or 3 seconds without work, a checkpoint writes catalog, graph and vector tables.
//!
//! # The path of a query
//!
//! 1. The shared query of the screens sends [`session::Request::Search`]; the command line calls [`session::Session::search`].
//! 2. The find worker takes the newest request and cancels the one before.
//! 3. [`search::Query`] is parsed: words, phrases, filters, days.
//! 4. The filters become an [`index::Scope`]; every leg looks only inside it.
//! 5. The keyword leg runs alone first, and its hits are sent ([`session::Stage::Words`]).
//! 6. The model embeds the query; the vector and graph legs run.
//! 7. The ranked lists are fused by entry.
//! 8. The best are reranked: similar words, contextual similarity, temporal neighbours, question features, days named.
//! 9. [`search::confidence`] says how likely each hit answers; the line between strong and weak is drawn.
//! 10. Texts are read from the word index, snippets and reasons are made.
//! 11. The final order is sent ([`session::Stage::Fused`]).
//!
//! # Glossary
//!
//! | term | meaning |
//! |---|---|
//! | vault | the folder of markdown files: `memory/` (day files), `entities/`, `trash/`, `recent/`, `drafts/` |
//! | day file, block, head, body | `2026-11-20.md`; one entry in it; its `key: value` lines; its text |
//! | second copy | an entry as last written, kept in `recent/` until the index has seen it |
//! | vanished | in the index or a second copy, and in no day file: moved to the trash |
//! | stamp | size and modification time of a file, or checksum of a model |
//! | scan | comparison of the files' stamps with the catalog |
//! | catalog | the list of all entries without their texts |
//! | fingerprint | hash of all that is shown of an entry |
//! | uncommitted | given to tantivy's writer and not committed; searched in memory |
//! | checkpoint | the files of all stores at one state, named by tantivy's commit |
//! | snapshot, view | immutable state of all indices; what the screens show of it |
//! | leg | one way to search: keyword, vector, graph |
//! | scope | the entries that pass the filters |
//! | fusion | several ranked lists made one |
//! | passage | a piece of an entry that gets a vector of its own |
//! | successor | vectors of a newly chosen model, until they cover the journal |
//! | mention, entity | a name in a text; the person, place, event, emotion, topic it names |
//! | relation, evidence | a stated connection of two entities; the sentence that states it |
//! | curation | the user's decisions on names and relations |
//! | ticket | the number that a request and its replies share |
//! | pane, overlay | a screen; a box above it |
//!
//!
//! # What an extension touches outside its own file
//!
//! | extension | its own file | other places |
//! |---|---|---|
//! | leg | `search/legs/*.rs` | `search/leg_id.rs` (names), `search/legs/mod.rs`, `tui/panes/search/legs.rs` (key, colour) |
//! | verb | `cli/*.rs` | `cli/mod.rs`: the `mod` line and the row in `verbs!` |
//! | pane | `tui/panes/*.rs` | `tui/panes/mod.rs`: the `mod` line and the row in `PANES`; its digit among the application's commands |
//! | importer | `journal/exchange/*.rs` | `journal/exchange/mod.rs`: the `mod` line and the row in `IMPORTERS` |
//!
//! `tests/it/layers/places.rs` and `tests/it/panes.rs` count them.
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
