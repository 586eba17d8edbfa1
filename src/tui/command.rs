//! Commands: name, keys, help, condition and function of one action in one table entry.
//!
//! Dispatch, hint line, help, palette, `kioku keys`, the README table and the names in the configuration all use
//! these tables.

use crate::tui::{Motion, UpdateContext};

/// The static data of a command, without its functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandInfo {
    /// `pane.verb`: the name in the configuration. Stable.
    pub name: &'static str,
    /// Default keys as [`super::key::Chord`] parses them. Empty: only in the palette.
    pub keys: &'static [&'static str],
    /// One line, such as "Delete the entry".
    pub help: &'static str,
    /// One or two words for the hint line; empty: not on the hint line. Earlier entries of the table come first.
    pub hint: &'static str,
    /// Whether it has a condition.
    pub conditional: bool,
    /// The message for its key while it is disabled; empty: one made of its help.
    pub otherwise: &'static str,
}

/// An action of the user on a `P` (a pane, an overlay, the application).
pub struct Command<P: 'static> {
    pub info: CommandInfo,
    /// Whether the command is enabled; a disabled command is neither run nor shown.
    pub when: fn(&P) -> bool,
    pub run: fn(&mut P, &mut UpdateContext<'_>),
    /// For a movement through a list or text: passed to [`super::pane::Screen::go`] instead of calling `run`.
    pub motion: Option<Motion>,
}

impl<P: 'static> Command<P> {
    pub const fn new(
        name: &'static str,
        keys: &'static [&'static str],
        help: &'static str,
        run: fn(&mut P, &mut UpdateContext<'_>),
    ) -> Self {
        Self {
            info: CommandInfo { name, keys, help, hint: "", conditional: false, otherwise: "" },
            when: |_| true,
            run,
            motion: None,
        }
    }

    /// A movement through the pane's content: see [`super::pane::Screen::go`].
    pub const fn go(name: &'static str, keys: &'static [&'static str], help: &'static str, motion: Motion) -> Self {
        Self { motion: Some(motion), ..Self::new(name, keys, help, |_, _| {}) }
    }

    /// Enabled only while `when` is true. Two commands may share a key if their conditions exclude each other.
    pub const fn when(mut self, when: fn(&P) -> bool) -> Self {
        self.when = when;
        self.info.conditional = true;
        self
    }

    /// What to do, or what is missing, while the command is disabled.
    pub const fn otherwise(mut self, message: &'static str) -> Self {
        self.info.otherwise = message;
        self
    }

    /// Puts the command on the hint line under this word.
    pub const fn hint(mut self, hint: &'static str) -> Self {
        self.info.hint = hint;
        self
    }
}
