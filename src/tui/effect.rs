//! What an update wants done to the world. Panes and the application only say so; [`super::run`] does it.

use crate::engine::{Request, Ticket};

#[derive(Debug, Clone)]
pub enum Effect {
    /// Asks the engine; replies carry this ticket.
    Send {
        ticket: Ticket,
        request: Request,
    },
    /// Opens the user's editor on a text; the answer is [`super::event::Event::Edited`] with this ticket.
    Edit {
        ticket: Ticket,
        text: String,
    },
    /// Puts a text on the clipboard (OSC 52, so that it works over ssh).
    Copy(String),
    Quit,
}
