//! Input events, and their sources: a terminal, or a script in a test.

use std::{io, time::Duration};

use super::key::Key;
use crate::session::{Reply, Ticket};

#[derive(Debug)]
pub enum Event {
    Key(Key),
    /// Pasted text arrives whole, so that no pasted letter is ever taken for a command.
    Paste(String),
    Mouse(Mouse),
    Resize,
    /// Somebody asked the process to end (a closed window, a shutdown).
    Terminate,
    FocusGained,
    FocusLost,
    Reply(Box<Reply>),
    /// The external editor ended.
    Edited(Edited),
}

/// What came back from `$EDITOR`.
#[derive(Debug)]
pub struct Edited {
    /// As [`super::update_context::UpdateContext::edit`] gave it.
    pub ticket: Ticket,
    /// The text as saved there, or what went wrong in words (the pane still has the old text).
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
    /// The left button went down.
    Click,
    /// Moved with the left button down.
    Drag,
    WheelUp,
    WheelDown,
}

/// Text for the field that has the focus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextInput {
    Typed(char),
    Pasted(String),
    /// A key that types nothing and is bound to nothing now: arrows, backspace, enter, ctrl-w...
    Key(Key),
}

/// Where events come from.
pub trait Source {
    /// Waits at most `timeout` for the next event; `None` when none came. A zero timeout only looks.
    fn next(&mut self, timeout: Duration) -> io::Result<Option<Event>>;
}
