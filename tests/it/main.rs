//! One binary for all integration tests, so that candle and tantivy are linked once.
#![allow(clippy::unwrap_used)]

mod absent;
mod agent_stores;
mod answers;
mod attachments;
mod cli;
mod complete;
mod damage;
mod entity;
mod escapes;
mod exchange;
mod export;
mod extraction;
mod first_answers;
mod foreign;
#[cfg(feature = "lab")]
mod gate;
mod graph_query;
mod hooks;
mod import;
mod in_sentence;
mod insight;
mod journals;
#[cfg(feature = "lab")]
mod journeys;
mod json;
mod keys;
mod kill;
#[cfg(feature = "lab")]
mod lab;
mod layers;
mod lexicon;
#[cfg(feature = "network")]
mod llm;
mod long_entry;
mod mcp;
mod meaning;
mod model_change;
mod own_questions;
mod panes;
#[cfg(feature = "lab")]
mod pictures;
mod pty;
mod readme;
mod records;
mod repair;
#[cfg(feature = "lab")]
mod screens;
mod scripting;
mod search;
mod security;
mod spoken_dates;
mod sync;
mod two_devices;
mod typing;
mod upgrade;
mod vanished;
mod vault;
mod vietnamese;
mod why_questions;
mod words;
