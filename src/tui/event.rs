//! Input events, and their sources: a terminal, or a script in a test.

use ratatui::{crossterm::event::KeyCode, layout::Position};

use super::key::Key;
use crate::session::{Reply, Ticket};

#[derive(Debug)]
pub enum Event {
    Key(Key),
    /// Pasted text arrives as one event, so that no pasted letter is taken for a command.
    Paste(String),
    Mouse(Mouse),
    /// The size changed, or the focus of the window: a new frame is due.
    Resize,
    /// The process was asked to exit (a closed window, a shutdown).
    Terminate,
    /// The terminal reported its background colour.
    Background {
        is_light: bool,
    },
    Reply(Box<Reply>),
    /// A link or a file could not be opened outside, with the message.
    NotOpened(String),
    /// The external editor exited.
    Edited(Edited),
}

/// The result of an external editor.
#[derive(Debug)]
pub struct Edited {
    /// As returned by [`super::update_context::UpdateContext::edit`].
    pub ticket: Ticket,
    /// The saved text, or an error message (the pane still has the old text).
    pub text: Result<String, String>,
}

/// A mouse event in screen cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub kind: MouseKind,
    pub at: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    /// Left button pressed.
    Click,
    /// Moved with the left button pressed.
    Drag,
    /// Turns down, or where negative up.
    Wheel(isize),
}

/// A movement through a list or a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    Lines(isize),
    Pages(isize),
    First,
    Last,
}

impl Motion {
    pub const DOWN: Self = Self::Lines(1);
    pub const UP: Self = Self::Lines(-1);
    pub const PAGE_DOWN: Self = Self::Pages(1);
    pub const PAGE_UP: Self = Self::Pages(-1);

    /// Number of lines for scrolling a text; the ends are farther away than any text is long.
    pub fn lines(self, page: usize) -> isize {
        match self {
            Self::Lines(by) => by,
            Self::Pages(by) => by * page.max(1) as isize,
            Self::First => isize::MIN / 2,
            Self::Last => isize::MAX / 2,
        }
    }
}

/// Input for the focused text field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextInput {
    Typed(char),
    Pasted(String),
    /// A key that types no character and has no command here: arrows, backspace, enter, ctrl-w...
    Key(Key),
}

impl TextInput {
    pub fn is_enter(&self) -> bool {
        matches!(self, Self::Key(key) if key.code == KeyCode::Enter)
    }
}
