//! Effects: the side effects an update asks for, and the one place that carries them out.
//!
//! Panes and the application only leave [`Effect`]s; [`perform`] carries them out on an [`Outside`], which is a
//! terminal with a session, or what a test puts in their place.

use super::event::Event;
use crate::{
    session::{Request, Ticket},
    tui::Edited,
};

#[derive(Debug, Clone)]
pub enum Effect {
    /// Asks the session; replies carry this ticket.
    Send {
        ticket: Ticket,
        request: Box<Request>,
    },
    /// Opens the user's editor on a text; the answer is [`Event::Edited`] with this ticket.
    Edit {
        ticket: Ticket,
        text: String,
    },
    /// Puts a text on the clipboard (OSC 52, so that it works over ssh).
    Copy(String),
    /// Forgets what is on the terminal and paints every cell at the next draw.
    Redraw,
    /// Gives the terminal back and stops until the shell wakes us.
    Sleep,
    Quit,
}

/// The world that effects change.
pub trait Outside {
    /// Never blocks.
    fn send(&mut self, ticket: Ticket, request: Request);
    /// Blocks until the editor ends. The text as saved, or what went wrong in words.
    fn edit(&mut self, text: &str) -> Result<String, String>;
    fn copy(&mut self, text: &str);
    fn redraw(&mut self);
    fn sleep(&mut self);
}

/// What performing left to handle.
#[derive(Debug, Default)]
pub struct Performed {
    pub events: Vec<Event>,
    pub quit: bool,
}

/// Does what was asked, in order.
pub fn perform(effects: Vec<Effect>, outside: &mut impl Outside) -> Performed {
    let mut performed = Performed::default();
    for effect in effects {
        match effect {
            Effect::Send { ticket, request } => outside.send(ticket, *request),
            Effect::Edit { ticket, text } => {
                let text = outside.edit(&text);
                performed.events.push(Event::Edited(Edited { ticket, text }));
            }
            Effect::Copy(text) => outside.copy(&text),
            Effect::Redraw => outside.redraw(),
            Effect::Sleep => outside.sleep(),
            Effect::Quit => performed.quit = true,
        }
    }
    performed
}
