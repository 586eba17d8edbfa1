//! Overlays: panes in a box, drawn above another pane.

pub mod confirm;
pub mod help;
pub mod journals;
pub mod palette;
pub mod problems;
pub mod records;
pub mod saved;
pub mod toasts;
pub mod trash;
pub mod which_key;

use super::{
    keymap::Table,
    pane::table,
    widgets::popup::{clear, framed, is_in_box, popup},
};

/// The command tables of all overlays, for the keymap, `kioku keys` and tests.
pub fn tables() -> Vec<Table> {
    vec![
        table::<help::Help>(),
        table::<palette::Palette>(),
        table::<confirm::Confirm>(),
        table::<problems::Problems>(),
        table::<trash::TrashList>(),
        table::<saved::SavedList>(),
        table::<records::RecordList>(),
        table::<journals::JournalList>(),
    ]
}
