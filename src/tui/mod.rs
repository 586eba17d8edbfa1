//! The terminal application: everything that knows ratatui and crossterm.
//!
//! One thread owns the terminal in both directions: wait -> drain -> [`event::Event`] -> update -> [`effect::Effect`]
//! -> draw if anything changed. A pane is one file in [`panes`] and one line in its list. Uses the session's requests
//! and replies; never an index, a file or the environment.

pub mod app;
mod background;
mod bars;
mod closing;
pub mod command;
mod composer;
mod drafts;
pub mod effect;
pub mod event;
mod handoff;
mod handover;
#[cfg(any(test, feature = "lab"))]
pub mod harness;
mod history;
#[cfg(unix)]
mod input;
pub mod key;
pub mod keymap;
mod opener;
pub mod overlays;
pub mod pane;
pub mod panes;
mod pending;
mod plain_screen;
mod privacy_screen;
pub mod query;
pub mod render_context;
mod run;
pub mod shell;
mod source;
pub mod terminal;
pub mod theme;
pub mod update_context;
pub mod widgets;

pub(crate) use self::{
    command::Command,
    composer::head::{head_and_text, without_last_line_ending},
    event::{Edited, Motion, Mouse, MouseKind, TextInput},
    history::History,
    key::Key,
    pane::{Pane, Screen},
    pending::{AsyncQuery, Pending, QueryState},
    render_context::{MEASURE, RenderContext, Width},
    source::{Cited, SourceColumn},
    theme::{Role, Theme, kind_label},
    update_context::{Target, UpdateContext},
    widgets::{
        calendar::day_name,
        cells::{self, Pen},
        columns::{below, columns, inset, list_and_detail, rule, split_bottom},
        completion::Completion,
        input::Input,
        linked::{self, Linked, LinkedLines},
        list::{self, List, Picker, Pointed},
        markdown::Overlay,
        notice::{notice, query_notice},
        prompt_line::{PromptLine, Wording},
        reader::{Aim, Head, Reader},
        spots::Spots,
        styled::{self, Styled},
    },
};
pub(crate) use crate::spelling::counted;
pub use app::TuiOptions;
pub use drafts::name as draft_name;
pub use handoff::{Editor, HandedBack, HandoffError};
pub use keymap::{KeyOverrides, KeyRow, OwnKeys};
pub use run::{Ended, TuiError, faults, run};
pub use widgets::editor::EDITOR_KEYS;

/// Every command with its current keys, and the invalid lines of the user's keys: for `kioku keys`, `doctor`, the
/// README table.
pub fn key_table(overrides: &KeyOverrides) -> (Vec<KeyRow>, Vec<String>) {
    let tables = app::tables(panes::PANES);
    let (keymap, faults) = keymap::Keymap::new(&tables, overrides);
    (keymap.rows(&tables), faults)
}

#[cfg(test)]
mod app_tests;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod mouse_tests;
#[cfg(test)]
mod privacy_screen_tests;
#[cfg(test)]
mod screen_tests;
