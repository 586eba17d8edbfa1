//! Parts of a screen that several panes share.

pub mod cells;
pub mod markdown;
pub mod wrap;
