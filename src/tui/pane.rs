//! The interface of a pane: its declaration, its methods, and how the application holds it.
//!
//! Section order in a pane's file: state, commands, behaviour, drawing, tests.

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use super::command::CommandInfo;
use crate::{
    session::Reply,
    tui::{Command, Edited, Motion, Mouse, RenderContext, Target, TextInput, UpdateContext},
};

/// A pane, declared: its name, title and commands beside what it does ([`Screen`]).
pub trait Pane: Screen + Sized + 'static {
    /// `journal`: its table in the configuration, the first part of its commands' names.
    const NAME: &'static str;
    /// `Journal`: on its tab.
    const TITLE: &'static str;
    /// The order is the order on the hint line.
    const COMMANDS: &'static [Command<Self>];
    /// The query that all panes share stands on it: the bar at the top leaves it out.
    const SHOWS_QUERY: bool = false;
}

/// What a pane or overlay does.
///
/// A pane keeps its own state and nothing else: no colours, no handle on the session, no other pane. A draw may
/// change only what is view state (scroll, clamped selection, areas for the mouse).
pub trait Screen {
    /// Called for every frame while shown. Places the hardware cursor where text is typed (if `look.focused`).
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>);

    /// Goes through what has the focus, at the word of a [`Command::go`].
    fn go(&mut self, _motion: Motion, _cx: &mut UpdateContext<'_>) {}

    /// Every reply comes to every pane: keep what answers an own ticket. Also [`Reply::ViewChanged`].
    fn on_reply(&mut self, _reply: &Reply, _cx: &mut UpdateContext<'_>) {}

    /// True while a text field has the focus, from the frame on that shows it: characters, digits and blanks among them, then go
    /// to [`Self::on_text`] and never run a command. Other
    /// keys run enabled commands of the pane, then of the application, and what is left comes to `on_text` too.
    fn wants_text(&self) -> bool {
        false
    }

    /// True while the pane is to have the whole screen, without the bars.
    fn wants_screen(&self) -> bool {
        false
    }

    /// See [`Self::wants_text`]. Pasted text comes here also without a text field.
    fn on_text(&mut self, _input: TextInput, _cx: &mut UpdateContext<'_>) {}

    /// The pane came to the front (also at the start).
    fn on_show(&mut self, _cx: &mut UpdateContext<'_>) {}

    /// Another pane comes to the front.
    fn on_hide(&mut self) {}

    /// Somebody asked this pane to look at something; it is in front already.
    fn on_open(&mut self, _target: &Target, _cx: &mut UpdateContext<'_>) {}

    /// The shared query or its answer changed; read it from `cx.query`.
    fn on_query(&mut self, _cx: &mut UpdateContext<'_>) {}

    /// A click, drag or wheel inside the pane's area.
    fn on_mouse(&mut self, _mouse: Mouse, _cx: &mut UpdateContext<'_>) {}

    /// The external editor that this pane opened ended.
    fn on_edited(&mut self, _edited: &Edited, _cx: &mut UpdateContext<'_>) {}

    /// Called after every burst of events and when the returned moment (as in `cx.elapsed`) has come.
    fn on_tick(&mut self, _cx: &mut UpdateContext<'_>) -> Option<Duration> {
        None
    }

    /// The application is about to end: the last chance to send a draft. The session finishes queued writes.
    fn on_quit(&mut self, _cx: &mut UpdateContext<'_>) {}
}

/// A pane as the application holds it. Written only by the blanket implementation below.
pub trait AnyPane: Screen {
    fn name(&self) -> &'static str;
    fn commands(&self) -> Vec<&'static CommandInfo>;
    fn is_enabled(&self, nth: usize) -> bool;
    fn run(&mut self, nth: usize, cx: &mut UpdateContext<'_>);
}

impl<P: Pane> AnyPane for P {
    fn name(&self) -> &'static str {
        P::NAME
    }
    fn commands(&self) -> Vec<&'static CommandInfo> {
        infos::<P>()
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
}

/// The words of a pane's commands.
pub fn infos<P: Pane>() -> Vec<&'static CommandInfo> {
    P::COMMANDS.iter().map(|command| &command.info).collect()
}

/// A line in the list of panes.
#[derive(Clone, Copy)]
pub struct PaneEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub shows_query: bool,
    pub commands: fn() -> Vec<&'static CommandInfo>,
    pub make: fn() -> Box<dyn AnyPane>,
}

/// The line for a pane.
pub const fn pane<P: Pane + Default>() -> PaneEntry {
    let make = || -> Box<dyn AnyPane> { Box::new(P::default()) };
    PaneEntry { name: P::NAME, title: P::TITLE, shows_query: P::SHOWS_QUERY, commands: infos::<P>, make }
}
