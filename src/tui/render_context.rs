//! The context of a draw: theme, width, focus and the data that screens may read. Panes must not keep any of it.

use jiff::{Zoned, civil};
use ratatui::{layout::Rect, style::Style};

use super::{
    keymap::Keymap,
    query::SharedQuery,
    theme::{Role, Theme},
    update_context::{Settings, day_of},
};
use crate::{journal::EntityKind, session::View};

/// Number of columns that fit side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One column: list or text, Tab switches. Below 100 cells.
    One,
    /// A list beside a text. From 100 cells on.
    Two,
    /// A third column where it helps. From 140 cells on.
    Three,
}

impl Width {
    pub fn of(area: Rect) -> Self {
        match area.width {
            0..100 => Self::One,
            100..140 => Self::Two,
            _ => Self::Three,
        }
    }
}

/// Maximum width of a text, whatever the terminal's width.
pub const MEASURE: u16 = 88;

/// The data that a draw may read.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    pub theme: &'a Theme,
    /// Of the whole screen, so that all panes agree.
    pub width: Width,
    /// False while an overlay is on top: then do not set the cursor.
    pub focused: bool,
    pub view: &'a View,
    pub query: &'a SharedQuery,
    pub settings: &'a Settings,
    pub now: &'a Zoned,
    /// The current keys of commands, for hints in empty states.
    pub keys: &'a Keymap,
}

impl RenderContext<'_> {
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// The day of an entry that is written now.
    pub fn today(&self) -> civil::Date {
        day_of(self.now, self.settings)
    }

    pub fn kind(&self, kind: EntityKind) -> Style {
        self.theme.style(Role::of_kind(kind))
    }

    /// How to change the pane where a field takes the digits.
    pub fn tabs_in_field(&self) -> String {
        format!("{} … {} change the pane while you type", self.key("app.tab-1"), self.key("app.tab-6"))
    }

    /// The key of a command for display; if it has none, the palette's key and what to type there.
    pub fn key(&self, command: &str) -> String {
        // The last key of the palette works in text fields, too.
        let palette = || self.keys.keys_of("app.palette").last();
        let typed = || Some(format!("{} “{}”", palette()?, command.rsplit('.').next()?));
        self.keys.key_of(command).or_else(typed).unwrap_or_else(|| "-".to_owned())
    }
}
