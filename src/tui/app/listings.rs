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
    widgets::editor::EDITOR_KEYS,
};

/// Number of commands with which the help begins: the first that the hint line shows.
const ESSENTIAL: usize = 5;

/// Commands that are available in a text of several lines.
const UNDO_TYPING: [&str; 2] = ["journal.undo-typing", "reflect.undo-typing"];

/// A command with the keys that run it now.
struct Listed<'a> {
    info: &'static CommandInfo,
    enabled: bool,
    keys: Vec<&'a Chord>,
}

impl App {
    pub(super) fn overlay(&self, name: OverlayName) -> Box<dyn AnyPane> {
        match name {
            OverlayName::Help => Box::new(Help::new(self.help())),
            OverlayName::Palette => Box::new(Palette::new(self.palette())),
            OverlayName::Problems => Box::new(Problems::new(self.problems())),
            OverlayName::Trash => Box::new(TrashList::default()),
            OverlayName::Records => Box::new(RecordList::default()),
            OverlayName::Journals => Box::new(JournalList::default()),
            OverlayName::Saved => Box::new(SavedList::default()),
        }
    }

    /// Commands of the overlay or pane with the focus, then of the application. A key runs its first enabled command,
    /// and in a field of text a letter is text.
    fn commands(&self) -> Vec<Listed<'_>> {
        let own = self.focus().into_iter().flat_map(|focus| {
            focus.table().commands.into_iter().enumerate().map(|(nth, info)| (info, focus.is_enabled(nth)))
        });
        let (shell, is_overlay) = (self.shell(), !self.overlays.is_empty());
        let shared = Shell::COMMANDS.iter().enumerate();
        let shared = shared.map(|(nth, command)| (&command.info, shell.is_enabled(nth, is_overlay)));
        let types = shell.types;
        let mut taken: Vec<&Chord> = Vec::new();
        let listed = own.chain(shared).map(|(info, enabled)| {
            let has_letters = !(types || is_overlay && info.name == shell::QUIT);
            let works = |key: &&Chord| enabled && !taken.contains(key) && (has_letters || key.0[0].typed().is_none());
            let keys: Vec<&Chord> = self.keymap.keys_of(info.name).iter().filter(works).collect();
            taken.extend(&keys);
            Listed { info, enabled, keys }
        });
        listed.collect()
    }

    fn help(&self) -> Vec<(&'static str, Vec<HelpLine>)> {
        let (mut essential, mut own, mut shared, mut off) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let commands = self.commands();
        let taken: Vec<&Chord> = commands.iter().flat_map(|listed| listed.keys.iter().copied()).collect();
        let types = self.shell().types;
        let mut edits = false;
        for Listed { info, keys, .. } in commands {
            let enabled = !keys.is_empty();
            edits |= enabled && UNDO_TYPING.contains(&info.name);
            let free = || self.keymap.keys_of(info.name).iter().filter(|key| !taken.contains(key));
            let keys = if enabled { written(keys) } else { written(free()) };
            let line = HelpLine { keys, help: info.help, enabled };
            if line.keys.is_empty() {
                // Commands without a key are in the palette.
            } else if !enabled {
                // In a text field these are the keys of what is behind it.
                off.extend(Some(line).filter(|_| !types));
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
        let line = |(keys, help): &(&str, &'static str)| HelpLine { keys: (*keys).to_owned(), help, enabled: true };
        let text = EDITOR_KEYS.iter().filter(|_| edits);
        let sections = [
            (title, essential),
            ("More here", own),
            ("Text", text.map(line).collect()),
            ("Signs", signs.map(line).collect()),
            ("Everywhere", shared),
            ("Not available now", off),
        ];
        sections.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
    }

    fn palette(&self) -> Vec<PaletteLine> {
        let enabled = self.commands().into_iter().filter(|listed| listed.enabled);
        let lines = enabled.map(|listed| (listed.info, written(self.keymap.keys_of(listed.info.name))));
        // A pane may have a command of the application as its own.
        let mut seen = BTreeSet::new();
        lines.filter(|(info, keys)| seen.insert((info.help, keys.clone()))).collect()
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

    /// Commands on the hint line, in table order; the last two, help and quit, are shown at any width. Above an overlay
    /// there are only its own.
    pub(super) fn hints(&self) -> Vec<Hint> {
        let is_overlay = !self.overlays.is_empty();
        let hint = |Listed { info, keys, .. }: Listed<'_>| {
            let is_hinted = !(info.hint.is_empty() || is_overlay && info.name.starts_with("app."));
            let key = keys.first().filter(|_| is_hinted)?.to_string();
            Some(Hint { key, word: info.hint, command: info.name })
        };
        self.commands().into_iter().filter_map(hint).collect()
    }
}

fn written<'a>(keys: impl IntoIterator<Item = &'a Chord>) -> String {
    let keys: Vec<String> = keys.into_iter().map(ToString::to_string).collect();
    keys.join(", ")
}

/// All command tables: the panes', the application's, the overlays'.
pub fn tables(panes: &[PaneEntry]) -> Vec<Table> {
    let panes = panes.iter().map(|entry| (entry.table)());
    let shell =
        Table { context: shell::CONTEXT, commands: Shell::COMMANDS.iter().map(|command| &command.info).collect() };
    panes.chain([shell]).chain(overlays::tables()).collect()
}
