//! Command, key and problem lists of the application itself.

use std::collections::BTreeSet;

use super::{App, Shell};
use crate::tui::{
    bars::Hint,
    command::CommandInfo,
    key::Chord,
    keymap::Table,
    overlays::{
        self,
        help::{Help, HelpLine},
        journals::JournalList,
        palette::{Palette, PaletteLine},
        problems::{Problem, Problems},
        records::RecordList,
        saved::SavedList,
        trash::TrashList,
    },
    pane::{AnyPane, PaneEntry},
    shell,
    update_context::OverlayName,
};

/// Number of commands with which the help begins: the first that the hint line shows.
const ESSENTIAL: usize = 5;

impl App {
    pub(super) fn overlay(&self, name: OverlayName) -> Box<dyn AnyPane> {
        match name {
            OverlayName::Help => Box::new(Help::new(self.help())),
            OverlayName::Palette => Box::new(Palette::new(self.palette())),
            OverlayName::Problems => Box::new(Problems::new(self.problems())),
            OverlayName::Trash => Box::new(TrashList::default()),
            OverlayName::Records => Box::new(RecordList::default()),
            OverlayName::Journals => Box::new(JournalList::new(&self.world.settings)),
            OverlayName::Saved => Box::new(SavedList::default()),
        }
    }

    /// Commands of the overlay or pane with the focus, then of the application, and whether each is enabled.
    fn commands(&self) -> Vec<(&'static CommandInfo, bool)> {
        let own = self.focus().into_iter().flat_map(|focus| {
            focus.commands().into_iter().enumerate().map(|(nth, info)| (info, focus.is_enabled(nth)))
        });
        let (shell, is_overlay) = (self.shell(), !self.overlays.is_empty());
        let shared = Shell::COMMANDS.iter().enumerate();
        own.chain(shared.map(|(nth, command)| (&command.info, shell.is_enabled(nth, is_overlay)))).collect()
    }

    fn keys(&self, name: &str) -> String {
        let keys: Vec<_> = self.keymap.keys_of(name).iter().map(ToString::to_string).collect();
        keys.join(", ")
    }

    fn help(&self) -> Vec<(&'static str, Vec<HelpLine>)> {
        let (mut essential, mut own, mut shared, mut off) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let types = self.focus().is_some_and(|focus| focus.wants_text());
        let mut taken: Vec<&Chord> = Vec::new();
        for (info, enabled) in self.commands() {
            let known = self.keymap.keys_of(info.name);
            // A key runs its first enabled command, and in a field of text a letter is text.
            let works = |key: &&Chord| enabled && !taken.contains(key) && !(types && key.0[0].typed().is_some());
            let working: Vec<&Chord> = known.iter().filter(works).collect();
            let (enabled, keys) = if working.is_empty() { (false, known.iter().collect()) } else { (enabled, working) };
            let shown: Vec<String> = keys.iter().map(ToString::to_string).collect();
            let line = HelpLine { keys: shown.join(", "), help: info.help, enabled };
            if enabled {
                taken.extend(keys);
            }
            if line.keys.is_empty() {
                // Commands without a key are in the palette.
            } else if !enabled {
                off.push(line);
            } else if info.name.starts_with("app.") {
                shared.push(line);
            } else if !info.hint.is_empty() && essential.len() < ESSENTIAL {
                essential.push(line);
            } else {
                own.push(line);
            }
        }
        let title = self.focus().map_or("", AnyPane::title);
        // A plain screen has words in their place.
        let is_plain = self.world.settings.is_plain;
        let signs = self.focus().filter(|_| !is_plain).map_or(&[][..], AnyPane::signs).iter();
        let signs = signs.map(|(sign, help)| HelpLine { keys: (*sign).to_owned(), help, enabled: true }).collect();
        let sections = [
            (title, essential),
            ("More here", own),
            ("Signs", signs),
            ("Everywhere", shared),
            ("Not available now", off),
        ];
        sections.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
    }

    fn palette(&self) -> Vec<PaletteLine> {
        let enabled = self.commands().into_iter().filter(|(_, enabled)| *enabled);
        let lines =
            enabled.map(|(info, _)| PaletteLine { name: info.name, help: info.help, keys: self.keys(info.name) });
        // A pane may have a command of the application as its own.
        let mut seen = BTreeSet::new();
        lines.filter(|line| seen.insert((line.help, line.keys.clone()))).collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let config = self.faults.iter().map(|message| Problem {
            place: "configuration".to_owned(),
            message: message.clone(),
            day: None,
            repairable: None,
        });
        let files = self.world.view.notices.iter().map(Problem::of);
        config.chain(files).collect()
    }

    /// Commands on the hint line, in table order; the last two are shown at any width.
    pub(super) fn hints(&self) -> Vec<Hint> {
        let types = self.focus().is_some_and(|focus| focus.wants_text());
        let hint = |info: &CommandInfo| {
            let usable = |key: &&Chord| !types || key.0[0].typed().is_none();
            let key = self.keymap.keys_of(info.name).iter().find(usable)?;
            let told = Hint { key: key.to_string(), word: info.hint, command: info.name };
            (!info.hint.is_empty()).then_some(told)
        };
        if let Some(overlay) = self.overlays.last() {
            let commands = overlay.commands().into_iter().enumerate();
            let enabled = commands.filter(|(nth, _)| overlay.is_enabled(*nth));
            return once_a_key(enabled.filter_map(|(_, info)| hint(info)));
        }
        // The application's commands come last, and of these the last one (quit) and help are always shown.
        let enabled = self.commands().into_iter().filter(|(_, enabled)| *enabled);
        once_a_key(enabled.filter_map(|(info, _)| hint(info)))
    }
}

/// A key runs its first enabled command, so only that one gets a hint.
fn once_a_key(hints: impl Iterator<Item = Hint>) -> Vec<Hint> {
    let mut told: Vec<Hint> = Vec::new();
    for hint in hints {
        if !told.iter().any(|known| known.key == hint.key) {
            told.push(hint);
        }
    }
    told
}

/// All command tables: the panes', the application's, the overlays'.
pub fn tables(panes: &[PaneEntry]) -> Vec<Table> {
    let panes = panes.iter().map(|entry| Table { context: entry.name, commands: (entry.commands)() });
    let shell =
        Table { context: shell::CONTEXT, commands: Shell::COMMANDS.iter().map(|command| &command.info).collect() };
    let overlays = overlays::tables().into_iter().map(|(context, commands)| Table { context, commands });
    panes.chain([shell]).chain(overlays).collect()
}
