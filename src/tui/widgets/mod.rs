//! Pieces of panes that know nothing of panes: they take text and state, and paint.

pub mod input;
pub mod list;
pub mod width;
