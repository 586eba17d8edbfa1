//! Pieces of panes that know nothing of panes: they take text and state, and paint.

pub mod cells;
pub mod editor;
pub mod markdown;
pub mod width;
pub mod wrap;
