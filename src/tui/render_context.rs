//! The context of a draw: theme, width, focus and what the screens may read. Panes never keep any of it.

use jiff::Zoned;
use ratatui::{layout::Rect, style::Style};

use super::{
    query::SharedQuery,
    theme::{Role, Theme},
    update_context::Settings,
};
use crate::{journal::EntityKind, session::View};

/// How much fits side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One column: list or text, Tab swaps. Below 100 cells.
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

/// A text is set at most this wide, whatever the terminal's width.
pub const MEASURE: u16 = 88;

/// Everything a draw may read.
#[derive(Clone, Copy)]
pub struct RenderContext<'a> {
    pub theme: &'a Theme,
    /// Of the whole screen, so that panes agree with each other.
    pub width: Width,
    /// False while an overlay lies above: then do not place the cursor.
    pub focused: bool,
    pub view: &'a View,
    pub query: &'a SharedQuery,
    pub settings: &'a Settings,
    pub now: &'a Zoned,
    /// The present keys of commands, for empty states that teach.
    pub keys: &'a dyn KeyNames,
}

/// Which key runs a command now, after the user's changes.
pub trait KeyNames {
    fn key_of(&self, command: &str) -> Option<String>;
}

impl RenderContext<'_> {
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    pub fn kind(&self, kind: EntityKind) -> Style {
        self.theme.style(Role::of_kind(kind))
    }

    /// The key of a command as written on screen, or `-` where the user took it away.
    pub fn key(&self, command: &str) -> String {
        self.keys.key_of(command).unwrap_or_else(|| "-".to_owned())
    }
}
