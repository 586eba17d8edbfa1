//! kioku: a journal for the terminal, with search by word, meaning and connection.
//!
//! # Layers
//!
//! | layer | owns | must not know |
//! |---|---|---|
//! | [`cli`] | commands and their output | threads, files |
//! | [`config`] | `config.toml`, translated into the options of the layers below | what a pane draws |
//! | [`tui`] | terminal, event loop, keys, panes | tantivy, hnsw_rs, petgraph, files |
//! | [`mcp`] | Model Context Protocol server: tools, resources, prompts | the terminal, tantivy, hnsw_rs, petgraph |
//! | [`arguments`] | parsing of typed values: moments, periods, ids | where they are typed |
//! | [`report`] | errors as shown to the user: kind, causes, hints, exit code | where they are shown |
//! | [`session`] | access to one journal: [`session::Session`], and the worker threads of the screens | the terminal |
//! | [`insight`] | why, connect, related, reflect, review, stats | threads, files, the terminal |
//! | [`search`] | query syntax, search legs, fusion, rerank, snippets, reasons | threads, files |
//! | [`index`] | all data derived from the vault; may be deleted at any time | query syntax |
//! | [`extract`] | mentions, relations and dates of a text | other entries |
//! | [`embed`] | embedding of texts, installed models | entries |
//! | [`journal`] | the vault: the only source of truth | everything above |
//!
//! A layer may use those below it in this table, never one above; `extract` and `embed` do not know each other.
//! [`address`], [`clock`], [`fault`], [`paths`], [`sanitize`] and [`spelling`] are leaves that any layer may use.
//! `tests/it/layers.rs` enforces these rules.
//!
//! # The path of a save
//!
//! 1. The Journal pane sends [`session::Request::Append`]; the command line calls [`journal::Vault::append`] itself and skips to 3.
//! 2. The write worker takes it from its queue, after the drafts sent before it are on disk.
//! 3. [`journal::Vault::append`] locks the vault, appends the block to the day file, fsyncs, and writes a second copy
//!    to `recent/`.
//! 4. The draft is deleted, and the change is pushed on the undo stack.
//! 5. [`session::Response::Written`] wakes the event loop: the entry is durable.
//! 6. A snapshot with the entry in an in-memory word index is published: search by word finds the entry.
//! 7. The index worker scans that day file, compares it with the catalog and reads the new entry.
//! 8. [`extract`] finds its mentions and relations, [`index::passage`] splits it into passages.
//! 9. The graph, the vector store and tantivy's writer are updated; a new snapshot is published, uncommitted.
//! 10. The model embeds the passages in batches: search by meaning finds the entry. Then it reads their claims, and the graph
//!     takes up what it read.
//! 11. tantivy commits, after the answer of a command. After this, a restart does not index the entry for search by
//!     word again; it still reads it for the other stores, from the day file.
//! 12. After 256 changes, or 3 seconds without work, a checkpoint writes catalog, graph and vector tables. Of the
//!     commands, one in sixteen writes it, or each one in a small journal.
//!
//! # The path of a query
//!
//! 1. The shared query of the screens sends [`session::Request::Search`]; the command line calls [`session::Session::search`].
//! 2. The find worker takes the newest request and cancels the one before.
//! 3. [`search::Query`] is parsed: words, phrases, filters, days.
//! 4. The filters become an [`index::Scope`]; every leg looks only inside it.
//! 5. The keyword leg runs alone first, and its hits are sent ([`session::Stage::Words`]).
//! 6. The model embeds the query; the vector and graph legs run.
//! 7. The ranked lists are fused into one, by entry.
//! 8. The best are reranked: similar words, contextual similarity, temporal neighbours, question features, days named.
//! 9. [`search::confidence`] estimates how likely each hit answers, which separates strong from weak hits.
//! 10. Texts are read from the word index, and snippets and reasons are built.
//! 11. The final hits are sent ([`session::Stage::Fused`]).
//!
//! # Glossary
//!
//! | term | meaning |
//! |---|---|
//! | vault | the folder of markdown files: `memory/` (day files), `entities/`, `trash/`, `recent/`, `drafts/` |
//! | day file, block, head, body | `2026-11-20.md`; one entry in it; its `key: value` lines; its text |
//! | second copy | an entry as last written by kioku, kept in `recent/` for thirty days |
//! | vanished | in the index or a second copy, but in no day file: saved to the trash |
//! | stamp | size and modification time of a file, or checksum of a model |
//! | scan | comparison of the files' stamps with the catalog |
//! | catalog | the list of all entries without their texts |
//! | fingerprint | hash of everything that is shown of an entry |
//! | uncommitted | added to tantivy's writer but not committed; searched in memory |
//! | checkpoint | a consistent set of the files of all stores, named by tantivy's commit |
//! | snapshot, view | immutable state of all indices; the part of it that the screens show |
//! | leg | a search method: keyword, vector, graph |
//! | scope | the entries that pass the filters |
//! | fusion | merge of several ranked lists into one |
//! | passage | a part of an entry with its own vector |
//! | successor | the vectors of a newly chosen model, until they cover the journal |
//! | mention, entity | a name in a text; the person, place, event, emotion, topic, product or organization that it names |
//! | record | an entry with a `record:` key: a goal, a list item, a fact, a claim, a turn of a conversation |
//! | relation, evidence | a stated connection of two entities; the sentence that states it |
//! | claim, gate | a feeling or cause that the word lists or a reading propose; the classifier that accepts or rejects it |
//! | reading | what the model tells of the claims of one text |
//! | curation | the user's decisions on names and relations |
//! | ticket | id of a request, which its replies carry |
//! | pane, overlay | a screen; a dialog above it |
//!
//! # Extension points
//!
//! | extension | its own file | other places |
//! |---|---|---|
//! | leg | `search/legs/*.rs` | `search/leg_id.rs` (names), `search/legs/mod.rs`, `tui/panes/search/legs.rs` (key, colour) |
//! | command | `cli/*.rs` | `cli/mod.rs`: the `mod` line and the row in `verbs!` |
//! | tool of the protocol | `mcp/tools/*.rs` | `mcp/tools/mod.rs`: the `mod` line and the row in `TOOLS` |
//! | pane | `tui/panes/*.rs` | `tui/panes/mod.rs`: the `mod` line and the row in `PANES`; its digit among the application's commands |
//! | importer | `journal/exchange/*.rs` | `journal/exchange/mod.rs`: the `mod` line and the row in `IMPORTERS` |
//!
//! `tests/it/layers/places.rs` and `tests/it/panes.rs` check these lists.
#![forbid(unsafe_code)]

pub mod address;
pub mod arguments;
pub mod cli;
pub mod clock;
pub mod config;
pub mod embed;
pub mod extract;
pub mod fault;
pub mod index;
pub mod insight;
pub mod journal;
pub mod mcp;
pub mod paths;
pub mod report;
pub mod sanitize;
pub mod search;
pub mod session;
pub mod spelling;
pub mod tui;
