//! The list of panes. A new pane is one file here and one line in [`PANES`].

mod entities;
mod journal;
mod reflect;
mod search;
mod stats;
mod why;

pub use super::pane::{AnyPane, Pane, PaneEntry, Screen, pane};

/// All panes, in the order of their tabs. Alt-1 opens the first.
pub const PANES: &[PaneEntry] = &[
    pane::<journal::Journal>(),
    pane::<search::Search>(),
    pane::<entities::Entities>(),
    pane::<why::Why>(),
    pane::<reflect::Reflect>(),
    pane::<stats::Stats>(),
];
