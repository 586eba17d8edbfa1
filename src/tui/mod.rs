//! The terminal application: everything that knows ratatui and crossterm.

pub mod widgets;
