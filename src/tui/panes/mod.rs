//! The panes: what one is, and the list of them.
//!
//! A new pane is one file here and one line in [`PANES`]. Section order in a pane's file: state, commands,
//! behaviour, drawing, tests.

mod entities;
mod journal;
mod reflect;
mod search;
mod stats;
mod why;

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use super::{
    command::{Command, CommandInfo},
    event::{Edited, Mouse, TextInput},
    render_context::RenderContext,
    update_context::{Target, UpdateContext},
};
use crate::session::Reply;

/// All panes, in the order of their tabs. Alt-1 opens the first.
pub const PANES: &[PaneEntry] = &[
    pane::<journal::Journal>(),
    pane::<search::Search>(),
    pane::<entities::Entities>(),
    pane::<why::Why>(),
    pane::<reflect::Reflect>(),
    pane::<stats::Stats>(),
];

/// One screen of the application.
///
/// A pane keeps its own state and nothing else: no colours, no handle on the session, no other pane. A draw may
/// change only what is view state (scroll, clamped selection, areas for the mouse).
pub trait Pane: Sized + 'static {
    /// `journal`: its table in the configuration, the first part of its commands' names.
    const NAME: &'static str;
    /// `Journal`: on its tab.
    const TITLE: &'static str;
    /// The order is the order on the hint line.
    const COMMANDS: &'static [Command<Self>];

    /// Called for every frame while shown. Places the hardware cursor where text is typed (if `look.focused`).
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>);

    /// Every reply comes to every pane: keep what answers an own ticket. Also [`Reply::ViewChanged`].
    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let _ = (reply, cx);
    }

    /// True while a text field has the focus, from the frame on that shows it: characters, digits and blanks among them, then go
    /// to [`Pane::on_text`] and never run a command. Other
    /// keys run enabled commands of the pane, then of the application, and what is left comes to `on_text` too.
    fn wants_text(&self) -> bool {
        false
    }

    /// True while the pane is to have the whole screen, without the bars.
    fn wants_screen(&self) -> bool {
        false
    }

    /// See [`Pane::wants_text`]. Pasted text comes here also without a text field.
    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        let _ = (input, cx);
    }

    /// The pane came to the front (also at the start).
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        let _ = cx;
    }

    /// Another pane comes to the front.
    fn on_hide(&mut self) {}

    /// Somebody asked this pane to look at something; it is in front already.
    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        let _ = (target, cx);
    }

    /// The shared query or its answer changed; read it from `cx.query`.
    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        let _ = cx;
    }

    /// A click, drag or wheel inside the pane's area.
    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let _ = (mouse, cx);
    }

    /// The external editor that this pane opened ended.
    fn on_edited(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>) {
        let _ = (edited, cx);
    }

    /// Called after every burst of events and when the returned moment (as in `cx.elapsed`) has come.
    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        let _ = cx;
        None
    }

    /// The application is about to end: the last chance to send a draft. The session finishes queued writes.
    fn on_quit(&mut self, cx: &mut UpdateContext<'_>) {
        let _ = cx;
    }
}

/// A pane as the application holds it. Written only by the blanket implementation below.
pub trait AnyPane {
    fn name(&self) -> &'static str;
    fn commands(&self) -> Vec<&'static CommandInfo>;
    fn is_enabled(&self, nth: usize) -> bool;
    fn run(&mut self, nth: usize, cx: &mut UpdateContext<'_>);
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>);
    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>);
    fn wants_text(&self) -> bool;
    fn wants_screen(&self) -> bool;
    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>);
    fn on_show(&mut self, cx: &mut UpdateContext<'_>);
    fn on_hide(&mut self);
    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>);
    fn on_query(&mut self, cx: &mut UpdateContext<'_>);
    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>);
    fn on_edited(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>);
    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration>;
    fn on_quit(&mut self, cx: &mut UpdateContext<'_>);
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
        (P::COMMANDS[nth].run)(self, cx);
    }
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        Pane::draw(self, frame, area, context);
    }
    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        Pane::on_reply(self, reply, cx);
    }
    fn wants_text(&self) -> bool {
        Pane::wants_text(self)
    }
    fn wants_screen(&self) -> bool {
        Pane::wants_screen(self)
    }
    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        Pane::on_text(self, input, cx);
    }
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        Pane::on_show(self, cx);
    }
    fn on_hide(&mut self) {
        Pane::on_hide(self);
    }
    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        Pane::on_open(self, target, cx);
    }
    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        Pane::on_query(self, cx);
    }
    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        Pane::on_mouse(self, mouse, cx);
    }
    fn on_edited(&mut self, edited: &Edited, cx: &mut UpdateContext<'_>) {
        Pane::on_edited(self, edited, cx);
    }
    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        Pane::on_tick(self, cx)
    }
    fn on_quit(&mut self, cx: &mut UpdateContext<'_>) {
        Pane::on_quit(self, cx);
    }
}

fn infos<P: Pane>() -> Vec<&'static CommandInfo> {
    P::COMMANDS.iter().map(|command| &command.info).collect()
}

/// A line in the list of panes.
#[derive(Clone, Copy)]
pub struct PaneEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub commands: fn() -> Vec<&'static CommandInfo>,
    pub make: fn() -> Box<dyn AnyPane>,
}

/// The line for a pane.
pub const fn pane<P: Pane + Default>() -> PaneEntry {
    PaneEntry { name: P::NAME, title: P::TITLE, commands: infos::<P>, make: || Box::new(P::default()) }
}
