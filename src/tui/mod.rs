//! The terminal application: everything that knows ratatui and crossterm.
//!
//! One thread owns the terminal in both directions: wait -> drain -> [`event::Event`] -> update ->
//! [`effect::Effect`] -> draw if anything changed. A pane is one file in [`panes`] and one line in its list.
//! Knows the engine's requests and replies; never an index, a file or the environment.

pub mod command;
pub mod cx;
pub mod effect;
pub mod event;
pub mod key;
pub mod keymap;
pub mod look;
pub mod panes;
pub mod query;
pub mod theme;
pub mod widgets;
