//! Input events, and their sources: a terminal, or a script in a test.

use ratatui::crossterm::event::KeyCode;

use super::key::Key;
use crate::session::{Reply, Ticket};

#[derive(Debug)]
pub enum Event {
    Key(Key),
    /// Pasted text arrives as one event, so that no pasted letter is taken for a command.
    Paste(String),
    Mouse(Mouse),
    Resize,
    /// The process was asked to exit (a closed window, a shutdown).
    Terminate,
    FocusGained,
    FocusLost,
    /// The terminal reported its background colour.
    Background {
        is_light: bool,
    },
    Reply(Box<Reply>),
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
    pub column: u16,
    pub row: u16,
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
