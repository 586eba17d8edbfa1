//! The interface of a pane: its declaration, its methods, and the trait object that the application uses.
//!
//! Order of sections in a pane's file: state, commands, behaviour, drawing, tests.

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use super::{composer::Composer, keymap::Table};
use crate::{
    session::Reply,
    tui::{
        Cited, Command, Edited, Motion, Mouse, Picker, RenderContext, SourceColumn, Target, TextInput, UpdateContext,
    },
};

/// Declaration of a pane: name, title and commands, on top of its behaviour ([`Screen`]).
pub trait Pane: Screen + Sized + 'static {
    /// Such as `journal`: its table in the configuration, and the prefix of its commands' names.
    const NAME: &'static str;
    /// Such as `Journal`: the text on its tab.
    const TITLE: &'static str;
    /// Their order is the order on the hint line.
    const COMMANDS: &'static [Command<Self>];
    /// The pane shows the shared query itself, so the top bar leaves it out.
    const SHOWS_QUERY: bool = false;
    /// Signs that the pane shows without words, and their meaning, for the help.
    const SIGNS: &'static [(&'static str, &'static str)] = &[];
}

/// Behaviour of a pane or overlay.
///
/// A pane has only its own state: no colours, no handle on the session, no other pane. A draw may change only view
/// state (scroll, clamped selection, areas for the mouse).
pub trait Screen {
    /// Called for every frame while visible. Sets the hardware cursor where text is typed (if `context.focused`).
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>);

    /// What opens the pane as it is now, for the history of places; the application fills in the pane's name.
    fn place(&self) -> Target {
        Target::default()
    }

    /// Whether going back, or forward, first goes to another name or question of this pane: see [`Self::step`].
    fn has_trail(&self, _forward: bool) -> bool {
        false
    }

    fn step(&mut self, _forward: bool, _cx: &mut UpdateContext<'_>) {}

    /// A new place was opened: nothing lies ahead any more.
    fn forget_ahead(&mut self) {}

    /// Moves through the focused list or text, for the movement keys and a [`Command::go`].
    fn go(&mut self, motion: Motion, _cx: &mut UpdateContext<'_>) {
        self.picker().into_iter().for_each(|picker| picker.list.go(motion));
    }

    /// The list of an overlay that is one: movements and the mouse act on it.
    fn picker(&mut self) -> Option<&mut Picker> {
        None
    }

    /// The column with the entry behind the selected line, in a pane that has one, and that entry. The application
    /// passes it replies, ticks and the mouse.
    fn source(&mut self) -> Option<(&mut SourceColumn, Option<Cited>)> {
        None
    }

    /// Every pane gets every reply, including [`Reply::ViewChanged`]: use those with an own ticket.
    fn on_reply(&mut self, _reply: &Reply, _cx: &mut UpdateContext<'_>) {}

    /// True while a text field has the focus, from the frame on that shows it: characters, digits and spaces then go
    /// to [`Self::on_text`] and never run a command. Other keys run enabled commands of the pane, then of the
    /// application, and the remaining keys go to `on_text` too.
    fn wants_text(&self) -> bool {
        false
    }

    /// True while the pane needs the whole screen, without the bars.
    fn wants_screen(&self) -> bool {
        false
    }

    /// See [`Self::wants_text`]. Pasted text also arrives here without a text field.
    fn on_text(&mut self, _input: TextInput, _cx: &mut UpdateContext<'_>) {}

    /// The pane becomes visible (also at the start).
    fn on_show(&mut self, _cx: &mut UpdateContext<'_>) {}

    /// Another pane becomes visible.
    fn on_hide(&mut self) {}

    /// Another pane or the application opened a target in this pane, which is visible already.
    fn on_open(&mut self, _target: &Target, _cx: &mut UpdateContext<'_>) {}

    /// The shared query or its answer changed; read it from `cx.query`.
    fn on_query(&mut self, _cx: &mut UpdateContext<'_>) {}

    /// A click, drag or wheel inside the pane's area.
    fn on_mouse(&mut self, _mouse: Mouse, _cx: &mut UpdateContext<'_>) {}

    /// The external editor that this pane opened exited.
    fn on_edited(&mut self, _edited: &Edited, _cx: &mut UpdateContext<'_>) {}

    /// Called after every burst of events and at the returned time (as in `cx.elapsed`).
    fn on_tick(&mut self, _cx: &mut UpdateContext<'_>) -> Option<Duration> {
        None
    }

    /// Forms with text that must not be lost: the application quits only when it is on disk.
    fn forms(&mut self) -> Vec<&mut Composer> {
        Vec::new()
    }

    /// The application quits, and nothing can cancel that: the last chance to send a request. The session finishes queued writes.
    fn on_quit(&mut self, _cx: &mut UpdateContext<'_>) {}
}

/// A pane as the application stores it. Implemented only by the blanket implementation below.
pub trait AnyPane: Screen {
    fn table(&self) -> Table;
    fn title(&self) -> &'static str;
    fn signs(&self) -> &'static [(&'static str, &'static str)];
    fn is_enabled(&self, nth: usize) -> bool;
    fn run(&mut self, nth: usize, cx: &mut UpdateContext<'_>);
    /// Runs the command of Enter, for a click on the selected row of a list.
    fn choose(&mut self, cx: &mut UpdateContext<'_>);
}

impl<P: Pane> AnyPane for P {
    fn table(&self) -> Table {
        table::<P>()
    }
    fn title(&self) -> &'static str {
        P::TITLE
    }
    fn signs(&self) -> &'static [(&'static str, &'static str)] {
        P::SIGNS
    }
    fn is_enabled(&self, nth: usize) -> bool {
        (P::COMMANDS[nth].when)(self)
    }
    fn run(&mut self, nth: usize, cx: &mut UpdateContext<'_>) {
        match P::COMMANDS[nth].motion {
            Some(motion) => self.go(motion, cx),
            None => (P::COMMANDS[nth].run)(self, cx),
        }
    }
    fn choose(&mut self, cx: &mut UpdateContext<'_>) {
        let is_enter = |command: &&Command<P>| command.info.keys.contains(&"enter") && (command.when)(self);
        if let Some(command) = P::COMMANDS.iter().find(is_enter) {
            (command.run)(self, cx);
        }
    }
}

/// The commands of a pane or overlay.
pub fn table<P: Pane>() -> Table {
    Table { context: P::NAME, commands: P::COMMANDS.iter().map(|command| &command.info).collect() }
}

/// An element of the list of panes.
#[derive(Clone, Copy)]
pub struct PaneEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub shows_query: bool,
    pub table: fn() -> Table,
    pub make: fn() -> Box<dyn AnyPane>,
}

/// The list element of a pane.
pub const fn pane<P: Pane + Default>() -> PaneEntry {
    let make = || -> Box<dyn AnyPane> { Box::new(P::default()) };
    PaneEntry { name: P::NAME, title: P::TITLE, shows_query: P::SHOWS_QUERY, table: table::<P>, make }
}
