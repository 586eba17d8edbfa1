//! The keymap: the default keys of the command tables, with the user's overrides.
//!
//! Resolution is a pure function of the pressed keys and the enabled commands.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Serialize;

use super::{
    command::CommandInfo,
    key::{BadKey, Chord},
};
use crate::tui::Key;

/// The user's `[keys]` table: command name to keys; an empty list removes the default keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyOverrides {
    /// The file they were read from, for messages.
    pub file: PathBuf,
    pub keys: BTreeMap<String, OwnKeys>,
}

/// One line of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnKeys {
    pub chords: Vec<String>,
    /// Line in the file, from 1; 0 if unknown.
    pub line: usize,
}

impl KeyOverrides {
    /// The message about an invalid line, with its place; the other lines are still used.
    fn fault(&self, command: &str, what: String) -> String {
        let line = self.keys.get(command).map_or(0, |own| own.line);
        match (self.file.as_os_str().is_empty(), line) {
            (true, _) => what,
            (false, 0) => format!("{what}, in {}", self.file.display()),
            (false, line) => format!("{what}, in {} line {line}", self.file.display()),
        }
    }
}

/// The commands of one context: a pane, an overlay or the application.
#[derive(Debug, Clone)]
pub struct Table {
    pub context: &'static str,
    pub commands: Vec<&'static CommandInfo>,
}

/// Terminals use these for other keys or signals: ctrl-c, ctrl-i (tab), ctrl-m (enter), ctrl-h (backspace).
const RESERVED: [&str; 4] = ["ctrl-c", "ctrl-i", "ctrl-m", "ctrl-h"];

/// A command with its current keys, as in `kioku keys` and the README table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyRow {
    #[serde(rename = "part")]
    pub context: &'static str,
    pub command: &'static str,
    pub keys: Vec<String>,
    pub help: &'static str,
}

#[derive(Debug, Default)]
pub struct Keymap {
    contexts: BTreeMap<&'static str, Vec<Bound>>,
    commands: BTreeMap<&'static str, Vec<Chord>>,
}

#[derive(Debug)]
struct Bound {
    chord: Chord,
    /// Position in the context's table.
    nth: usize,
    info: &'static CommandInfo,
    by_default: bool,
}

/// One context that may handle a key, with its enabled commands.
pub struct Layer<'a> {
    pub context: &'static str,
    pub enabled: &'a dyn Fn(usize) -> bool,
}

/// The result of looking up pressed keys.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Run command `nth` of layer `layer`.
    Run {
        layer: usize,
        nth: usize,
    },
    /// More keys must follow: the possible keys, and the help of their commands.
    Pending(Vec<(Key, &'static str)>),
    Nothing,
}

impl Keymap {
    pub fn new(tables: &[Table], overrides: &KeyOverrides) -> (Self, Vec<String>) {
        let mut faults = Vec::new();
        let mut map = Self::default();
        for table in tables {
            let mut bound: Vec<Bound> = Vec::new();
            for (nth, info) in table.commands.iter().enumerate() {
                let (chords, by_default) = chords(info, overrides, &mut faults);
                bound.extend(chords.into_iter().map(|chord| Bound { chord, nth, info, by_default }));
            }
            report_clashes(&bound, overrides, &mut faults);
            // A key set by the user goes before a default one.
            bound.sort_by_key(|bound| bound.by_default);
            for Bound { chord, info, .. } in &bound {
                map.commands.entry(info.name).or_default().push(chord.clone());
            }
            map.contexts.insert(table.context, bound);
        }
        let known = |name: &str| tables.iter().flat_map(|table| &table.commands).any(|info| info.name == name);
        for name in overrides.keys.keys().filter(|name| !known(name)) {
            let fault = format!("there is no command \"{name}\" (kioku keys lists them)");
            faults.push(overrides.fault(name, fault));
        }
        (map, faults)
    }

    /// The current keys of a command, in the configured order.
    pub fn keys_of(&self, command: &str) -> &[Chord] {
        self.commands.get(command).map_or(&[], Vec::as_slice)
    }

    /// The first key of a command, for display.
    pub fn key_of(&self, command: &str) -> Option<String> {
        self.keys_of(command).first().map(ToString::to_string)
    }

    /// Every command of some tables with its current keys, in table order.
    pub fn rows(&self, tables: &[Table]) -> Vec<KeyRow> {
        let row = |context, info: &&'static CommandInfo| KeyRow {
            context,
            command: info.name,
            keys: self.keys_of(info.name).iter().map(ToString::to_string).collect(),
            help: info.help,
        };
        tables.iter().flat_map(|table| table.commands.iter().map(move |info| row(table.context, info))).collect()
    }

    /// Looks the pressed keys up in each layer in turn; the first match wins.
    pub fn resolve(&self, layers: &[Layer<'_>], pressed: &[Key]) -> Step {
        let mut next = Vec::new();
        for (layer, Layer { context, enabled }) in layers.iter().enumerate() {
            let Some(bound) = self.contexts.get(context) else { continue };
            let alive = || bound.iter().filter(|bound| enabled(bound.nth));
            if let Some(bound) = alive().find(|bound| next.is_empty() && bound.chord.0 == pressed) {
                return Step::Run { layer, nth: bound.nth };
            }
            let longer =
                alive().filter(|bound| bound.chord.0.len() > pressed.len() && bound.chord.0.starts_with(pressed));
            next.extend(longer.map(|bound| (bound.chord.0[pressed.len()], bound.info.help)));
        }
        if next.is_empty() { Step::Nothing } else { Step::Pending(next) }
    }
}

/// The keys of a command, and whether they are its default ones.
fn chords(info: &CommandInfo, overrides: &KeyOverrides, faults: &mut Vec<String>) -> (Vec<Chord>, bool) {
    let defaults = || (info.keys.iter().filter_map(|key| key.parse().ok()).collect(), true);
    let Some(own) = overrides.keys.get(info.name) else { return defaults() };
    let mut found = Vec::new();
    for text in &own.chords {
        let fault = match text.parse::<Chord>() {
            Ok(chord) if chord.0.iter().any(|key| RESERVED.contains(&key.to_string().as_str())) => {
                format!("{} = \"{text}\": terminals cannot tell this key from another one", info.name)
            }
            Ok(chord) => {
                found.push(chord);
                continue;
            }
            Err(_) => format!("{}: {}", info.name, BadKey(text.clone())),
        };
        faults.push(overrides.fault(info.name, fault));
    }
    // With invalid keys only, the defaults are kept: the command might be the one that quits.
    if found.is_empty() && !own.chords.is_empty() { defaults() } else { (found, false) }
}

/// Two defaults may share a key (their conditions exclude each other); a key set by the user may not.
fn report_clashes(bound: &[Bound], overrides: &KeyOverrides, faults: &mut Vec<String>) {
    for mine in bound.iter().filter(|bound| !bound.by_default) {
        let met = |other: &&Bound| {
            other.nth != mine.nth
                && (other.chord.0.starts_with(&mine.chord.0) || mine.chord.0.starts_with(&other.chord.0))
        };
        if let Some(other) = bound.iter().find(met) {
            let (name, with) = (mine.info.name, other.info.name);
            faults.push(overrides.fault(name, format!("{name} = \"{}\": {with} has this key already", mine.chord)));
        }
    }
}

/// Checks the default tables: keys that parse, none reserved, help for all, names in their context, and no key used
/// twice where both commands are always enabled. The error says what is wrong.
#[cfg(any(test, feature = "lab"))]
pub fn check_defaults(tables: &[Table]) -> Result<(), String> {
    for Table { context, commands } in tables {
        let mut unconditional: Vec<(Chord, &str)> = Vec::new();
        for info in commands {
            let name = info.name;
            if !name.starts_with(&format!("{context}.")) {
                return Err(format!("{name} is not named after {context}"));
            }
            if info.help.is_empty() || info.help.ends_with('.') {
                return Err(format!("{name}: its help should be one line without a full stop"));
            }
            for text in info.keys {
                let chord: Chord = text.parse().map_err(|error| format!("{name}: {error}"))?;
                if chord.to_string() != *text {
                    return Err(format!("{name}: \"{text}\" prints as \"{chord}\""));
                }
                if chord.0.iter().any(|key| RESERVED.contains(&key.to_string().as_str())) {
                    return Err(format!("{name}: {text} is reserved"));
                }
                let met = unconditional
                    .iter()
                    .find(|(other, _)| other.0.starts_with(&chord.0) || chord.0.starts_with(&other.0));
                if let Some((_, other)) = met {
                    return Err(format!("{name}: {other} has {text} already"));
                }
                if !info.conditional {
                    unconditional.push((chord, name));
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: CommandInfo =
        CommandInfo { name: "a.next", keys: &["j", "down"], help: "Next", hint: "", conditional: false, otherwise: "" };
    const TOP: CommandInfo =
        CommandInfo { name: "a.top", keys: &["g g"], help: "Top", hint: "", conditional: false, otherwise: "" };
    const GO: CommandInfo =
        CommandInfo { name: "a.go", keys: &["g d"], help: "Go to date", hint: "", conditional: false, otherwise: "" };
    const QUIT: CommandInfo =
        CommandInfo { name: "app.quit", keys: &["q", "j"], help: "Quit", hint: "", conditional: false, otherwise: "" };

    fn tables() -> Vec<Table> {
        vec![Table { context: "a", commands: vec![&NEXT, &TOP, &GO] }, Table { context: "app", commands: vec![&QUIT] }]
    }

    fn press(map: &Keymap, keys: &str, enabled: &dyn Fn(usize) -> bool) -> Step {
        let layers = [Layer { context: "a", enabled }, Layer { context: "app", enabled: &|_| true }];
        map.resolve(&layers, &keys.parse::<Chord>().unwrap().0)
    }

    fn with(keys: &[(&str, &[&str])]) -> (Keymap, Vec<String>) {
        let own = |keys: &[&str]| OwnKeys { chords: keys.iter().map(|key| (*key).to_owned()).collect(), line: 7 };
        let keys = keys.iter().map(|(name, keys)| ((*name).to_owned(), own(keys))).collect();
        Keymap::new(&tables(), &KeyOverrides { file: "config.toml".into(), keys })
    }

    #[test]
    fn the_pane_answers_before_the_application_unless_it_is_not_enabled() {
        let (map, _) = with(&[]);
        assert_eq!(press(&map, "j", &|_| true), Step::Run { layer: 0, nth: 0 });
        assert_eq!(press(&map, "j", &|_| false), Step::Run { layer: 1, nth: 0 });
        assert_eq!(press(&map, "x", &|_| true), Step::Nothing);
    }

    #[test]
    fn a_prefix_waits_and_tells_what_may_follow() {
        let (map, _) = with(&[]);
        let Step::Pending(next) = press(&map, "g", &|_| true) else { panic!("g should wait") };
        assert_eq!(next.iter().map(|(_, help)| *help).collect::<Vec<_>>(), ["Top", "Go to date"]);
        assert_eq!(press(&map, "g d", &|_| true), Step::Run { layer: 0, nth: 2 });
        assert_eq!(press(&map, "g x", &|_| true), Step::Nothing);
    }

    #[test]
    fn the_user_rebinds_and_unbinds() {
        let (map, faults) = with(&[("a.next", &["ctrl-n"]), ("app.quit", &[])]);
        assert!(faults.is_empty(), "{faults:?}");
        assert_eq!(press(&map, "ctrl-n", &|_| true), Step::Run { layer: 0, nth: 0 });
        assert_eq!(press(&map, "j", &|_| true), Step::Nothing);
        assert_eq!(press(&map, "q", &|_| true), Step::Nothing);
    }

    #[test]
    fn an_invalid_key_is_reported_once_and_the_default_stays() {
        let (map, faults) = with(&[("a.next", &["hyper-x"]), ("a.top", &["j"])]);
        assert_eq!(faults.iter().filter(|line| line.contains("a.next:")).count(), 1, "{faults:#?}");
        assert!(faults.iter().all(|line| !line.starts_with("a.next =")), "{faults:#?}");
        assert_eq!(press(&map, "down", &|_| true), Step::Run { layer: 0, nth: 0 });
    }

    #[test]
    fn faults_name_file_command_and_key_and_the_rest_stands() {
        let (map, faults) =
            with(&[("a.next", &["g"]), ("a.nxt", &["j"]), ("a.top", &["ctrl-i", "hyper-x", "t"]), ("a.go", &["t"])]);
        assert_eq!(faults.len(), 5, "{faults:#?}");
        assert!(faults.iter().all(|line| line.ends_with("in config.toml line 7")), "{faults:#?}");
        assert!(faults.iter().any(|line| line.contains("a.top = \"t\": a.go has this key already")), "{faults:#?}");
        assert_eq!(press(&map, "t", &|_| true), Step::Run { layer: 0, nth: 1 });
    }
}
