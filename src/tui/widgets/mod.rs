//! Pieces of panes that know nothing of panes: they take text and state, and paint.

pub mod cells;
pub mod markdown;
pub mod width;
pub mod wrap;
