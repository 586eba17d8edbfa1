//! Effects: the side effects that an update requests, and the one place that performs them.
//!
//! Panes and the application only record [`Effect`]s; [`perform`] performs them on an [`Outside`], which is a
//! terminal with a session, or a replacement in tests.

use std::collections::VecDeque;

use super::event::Event;
use crate::{
    session::{Request, Ticket},
    tui::Edited,
};

#[derive(Debug, Clone)]
pub enum Effect {
    /// Sends a request to the session; its replies have this ticket.
    Send {
        ticket: Ticket,
        request: Box<Request>,
    },
    /// Opens the user's editor on a text; the result is [`Event::Edited`] with this ticket.
    Edit {
        ticket: Ticket,
        text: String,
    },
    /// Copies a text to the clipboard (OSC 52, which works over ssh).
    Copy(String),
    /// Opens an address or a file with the system's opener.
    OpenOutside(String),
    /// Redraws every cell at the next draw.
    Redraw,
    /// Restores the terminal and suspends the process until the shell resumes it.
    Sleep,
    Quit,
}

/// The environment that effects act on.
pub trait Outside {
    /// Never blocks.
    fn send(&mut self, ticket: Ticket, request: Request);
    /// Blocks until the editor exits. Returns the saved text, or an error message.
    fn edit(&mut self, text: &str) -> Result<String, String>;
    fn copy(&mut self, text: &str);
    /// Never waits for the opened program.
    fn open_outside(&mut self, target: &str);
    fn redraw(&mut self);
    fn sleep(&mut self);
}

/// Performs effects in order, and then those of the events that they cause; returns whether to quit.
pub fn perform(effects: Vec<Effect>, outside: &mut impl Outside, mut update: impl FnMut(Event) -> Vec<Effect>) -> bool {
    let mut quit = false;
    let mut waiting = VecDeque::from(effects);
    while let Some(effect) = waiting.pop_front() {
        match effect {
            Effect::Send { ticket, request } => outside.send(ticket, *request),
            Effect::Edit { ticket, text } => {
                let text = outside.edit(&text);
                waiting.extend(update(Event::Edited(Edited { ticket, text })));
            }
            Effect::Copy(text) => outside.copy(&text),
            Effect::OpenOutside(target) => outside.open_outside(&target),
            Effect::Redraw => outside.redraw(),
            Effect::Sleep => outside.sleep(),
            Effect::Quit => quit = true,
        }
    }
    quit
}
