//! Carries out what panes wish of the application around them.

use super::App;
use crate::tui::{
    effect::Effect,
    overlays::confirm::Confirm,
    panes::AnyPane,
    shell::Shell,
    update_context::{Intent, Target},
};

impl App {
    /// Carries out what panes wished for until nothing is left; returns the effects.
    pub(super) fn settle(&mut self) -> Vec<Effect> {
        // An intent may leave others. Bounded: two panes that open each other must not hang the keyboard.
        for _ in 0..64 {
            let intents = std::mem::take(&mut self.out.intents);
            if intents.is_empty() {
                break;
            }
            self.dirty = true;
            for intent in intents {
                self.carry_out(intent);
            }
        }
        std::mem::take(&mut self.out.effects)
    }

    pub(super) fn carry_out(&mut self, intent: Intent) {
        match intent {
            Intent::Toast(level, text) => self.toast(level, text),
            Intent::Open(target) => self.open(&target),
            Intent::Query { text, legs } => {
                let now = self.world.clock.now();
                self.world.query.ask(text, legs, now, &self.world.view, &mut self.out);
                self.tell_query();
            }
            Intent::Confirm { question, yes, ticket, request } => {
                self.lay_over(Box::new(Confirm::new(question, yes, ticket, request)));
            }
            Intent::Overlay(name) => self.lay_over(self.overlay(name)),
            Intent::Close => {
                self.overlays.pop();
            }
            Intent::Tab(nth) => self.show(nth),
            Intent::Run(name) => self.run_by_name(name),
            Intent::Blur => self.privacy_screen.toggle_blur(),
            Intent::Blank => self.privacy_screen.go_blank(),
            Intent::Redraw => self.out.effects.push(Effect::Redraw),
            Intent::Quit => {
                for pane in &mut self.panes {
                    pane.on_quit(&mut self.world.cx(&mut self.out));
                }
                self.out.effects.push(Effect::Quit);
            }
        }
    }

    pub(super) fn open(&mut self, target: &Target) {
        if let Some(nth) = self.entries.iter().position(|entry| entry.name == target.pane) {
            let from = (nth != self.current).then(|| self.pane());
            self.world.opening = true;
            self.show(nth);
            self.world.opening = false;
            let target = Target { from, ..target.clone() };
            self.with_pane(|pane, cx| pane.on_open(&target, cx));
        }
    }

    pub(super) fn show(&mut self, nth: usize) {
        if nth < self.panes.len() && nth != self.current {
            // A sequence begun in one pane must not take the first letter typed into a field of another.
            self.pressed.clear();
            self.with_pane(|pane, _| pane.on_hide());
            self.current = nth;
            self.with_pane(|pane, cx| pane.on_show(cx));
        }
    }

    pub(super) fn lay_over(&mut self, mut overlay: Box<dyn AnyPane>) {
        self.pressed.clear();
        overlay.on_show(&mut self.world.cx(&mut self.out));
        self.overlays.push(overlay);
    }

    pub(super) fn run_by_name(&mut self, name: &str) {
        self.shell.query_is_on = self.world.query.is_on();
        let own = self.panes.get(self.current).and_then(|pane| pane.commands().iter().position(|i| i.name == name));
        if let Some(nth) = own {
            self.with_pane(|pane, cx| {
                if pane.is_enabled(nth) {
                    pane.run(nth, cx);
                }
            });
        } else if let Some(command) = Shell::COMMANDS.iter().find(|command| command.info.name == name)
            && (command.when)(&self.shell)
        {
            (command.run)(&mut self.shell, &mut self.world.cx(&mut self.out));
        }
    }
}
