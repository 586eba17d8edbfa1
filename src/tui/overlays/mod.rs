//! Overlays: panes with a box around them, drawn above another pane.

pub mod confirm;
pub mod help;
pub mod palette;
pub mod problems;
pub mod saved;
pub mod toasts;
pub mod trash;
pub mod which_key;

use super::{
    Pane,
    command::CommandInfo,
    pane::infos,
    widgets::popup::{clear, framed, popup},
};

/// The tables of all overlays, for the keymap, `kioku keys` and the tests over the whole table.
pub fn tables() -> Vec<(&'static str, Vec<&'static CommandInfo>)> {
    fn table<P: Pane>() -> (&'static str, Vec<&'static CommandInfo>) {
        (P::NAME, infos::<P>())
    }
    vec![
        table::<help::Help>(),
        table::<palette::Palette>(),
        table::<confirm::Confirm>(),
        table::<problems::Problems>(),
        table::<trash::TrashList>(),
        table::<saved::SavedList>(),
    ]
}
