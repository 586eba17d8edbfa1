//! Dispatch of keys: to the focused text field, the top overlay or visible pane, or the application.

use ratatui::crossterm::event::KeyCode;

use super::App;
use crate::tui::{
    Key, TextInput, UpdateContext,
    command::CommandInfo,
    keymap::{Layer, Step, Table},
    pane::AnyPane,
    shell::{self, QUIT, Shell},
    update_context::ToastLevel,
};

impl App {
    pub(super) fn on_key(&mut self, key: Key) {
        if !self.privacy_screen.is_blurred() {
            self.toasts.acknowledge();
        }
        let types = self.pressed.is_empty() && self.focus().is_some_and(|focus| focus.wants_text());
        if let Some(letter) = key.typed().filter(|_| types) {
            self.on_text(TextInput::Typed(letter));
            return;
        }
        if let Some(nth) = self.over_all(key) {
            self.pressed.clear();
            self.run_shell(nth);
            return;
        }
        self.pressed.push(key);
        match self.step() {
            Step::Run { layer, nth } => {
                self.pressed.clear();
                self.run(layer, nth);
            }
            Step::Pending(_) => {}
            Step::Nothing => {
                let pressed = std::mem::take(&mut self.pressed);
                if types {
                    self.on_text(TextInput::Key(key));
                } else if let Some(letter) =
                    key.typed().filter(|_| self.focus().is_some_and(|focus| focus.wants_text()))
                {
                    // A broken sequence in a text field is typed text.
                    self.on_text(TextInput::Typed(letter));
                } else if let Some(told) = self.why_nothing(&pressed) {
                    self.toast(ToastLevel::Done, told);
                }
            }
        }
    }

    /// The message for keys without a command in a pane. None for Esc and for movement keys, which people press once
    /// too often without needing an explanation.
    fn why_nothing(&self, pressed: &[Key]) -> Option<String> {
        // Esc also gives up a sequence that was begun.
        let [.., key] = pressed else { return None };
        if pressed.len() == 1 && key.to_string() == "ctrl-c" {
            return Some(format!("{} quits", self.keymap.key_of("app.quit")?));
        }
        if !self.overlays.is_empty() || !matches!(key.code, KeyCode::Char(_) | KeyCode::Enter | KeyCode::F(_)) {
            return None;
        }
        let keys: Vec<String> = pressed.iter().map(ToString::to_string).collect();
        let keys = keys.join(" ");
        let focus = self.focus()?;
        // Of several commands on a key, the last one has the widest condition.
        let find = |context, commands: Vec<&'static CommandInfo>| {
            let is_on = |nth: usize| {
                let layer = Layer { context, enabled: &|other| other == nth };
                matches!(self.keymap.resolve(&[layer], pressed), Step::Run { .. })
            };
            (0..commands.len()).rev().find(|nth| is_on(*nth)).map(|nth| commands[nth])
        };
        let Table { context, commands } = focus.table();
        let command = find(context, commands)
            .or_else(|| find(shell::CONTEXT, Shell::COMMANDS.iter().map(|command| &command.info).collect()));
        Some(match command {
            Some(command) if !command.otherwise.is_empty() => command.otherwise.to_owned(),
            Some(command) => format!("{keys} isn't available here · {}", command.help),
            None => format!("No command on {keys} · {} keys", self.keymap.key_of("app.help")?),
        })
    }

    /// The top overlay, else the pane: the first to get keys.
    pub(super) fn focus(&self) -> Option<&dyn AnyPane> {
        self.overlays.last().or_else(|| self.panes.get(self.current)).map(AsRef::as_ref)
    }

    pub(super) fn step(&self) -> Step {
        let Some(focus) = self.focus() else { return Step::Nothing };
        let own = |nth| focus.is_enabled(nth);
        let (shell, is_overlay) = (self.shell(), !self.overlays.is_empty());
        let is_letter = is_overlay && self.pressed.iter().all(|key| key.typed().is_some());
        let shared =
            |nth: usize| shell.is_enabled(nth, is_overlay) && !(is_letter && Shell::COMMANDS[nth].info.name == QUIT);
        let layers = [
            Layer { context: focus.table().context, enabled: &own },
            Layer { context: shell::CONTEXT, enabled: &shared },
        ];
        self.keymap.resolve(&layers, &self.pressed)
    }

    pub(super) fn run(&mut self, layer: usize, nth: usize) {
        if layer == 1 {
            self.run_shell(nth);
        } else {
            self.with_focus(|focus, cx| focus.run(nth, cx));
        }
    }

    pub(super) fn run_shell(&mut self, nth: usize) {
        let (command, mut shell) = (&Shell::COMMANDS[nth], self.shell());
        match command.motion {
            Some(motion) => self.with_focus(|focus, cx| focus.go(motion, cx)),
            None => (command.run)(&mut shell, &mut self.world.cx(&mut self.out, true)),
        }
    }

    /// The command of a key that works everywhere, even in the middle of a sequence.
    pub(super) fn over_all(&self, key: Key) -> Option<usize> {
        let layer = Layer { context: shell::CONTEXT, enabled: &Shell::is_over_all };
        match self.keymap.resolve(&[layer], &[key]) {
            Step::Run { nth, .. } => Some(nth),
            _ => None,
        }
    }

    pub(super) fn with_focus(&mut self, act: impl FnOnce(&mut dyn AnyPane, &mut UpdateContext<'_>)) {
        if let Some(focus) = self.overlays.last_mut().or_else(|| self.panes.get_mut(self.current)) {
            act(focus.as_mut(), &mut self.world.cx(&mut self.out, true));
        }
    }

    pub(super) fn with_pane(&mut self, act: impl FnOnce(&mut dyn AnyPane, &mut UpdateContext<'_>)) {
        if let Some(pane) = self.panes.get_mut(self.current) {
            act(pane.as_mut(), &mut self.world.cx(&mut self.out, true));
        }
    }

    pub(super) fn on_text(&mut self, input: TextInput) {
        self.with_focus(|focus, cx| focus.on_text(input, cx));
    }
}
