//! Catalog of the configuration keys: table, name, meaning, default, example.
//!
//! The single source of `kioku config`, `kioku config --example`, README's table and the suggestions in complaints.
//! Defaults come from [`Config::default`], so that the catalog cannot contradict it.

use std::time::Duration;

use jiff::civil::Weekday;
use serde::Serialize;
use toml::Value;

use super::{
    Config, LlmConfig, ModelChoice, NO_MODEL,
    file::{self, Reader},
    is_journal_name,
};
use crate::index::vector::Ann;

/// A documented key of `config.toml`.
pub struct ConfigKey {
    /// The table it belongs to; empty for the top level.
    pub table: &'static str,
    pub name: &'static str,
    pub help: &'static str,
    /// Describes what applies if the key is not set and has no default value.
    pub unset: &'static str,
    /// An example value as TOML, for keys without a default value.
    example: &'static str,
    /// `None` for the keys of a table that is read as a whole.
    pub(super) read: Option<Read>,
    value: fn(&Config) -> Option<Value>,
}

/// A key with the value in use.
#[derive(Debug, Serialize)]
pub struct Setting {
    /// The table that begins the key; empty for the top level.
    #[serde(skip)]
    pub table: String,
    pub key: String,
    /// `None` if it is not set and has no default value.
    pub value: Option<Value>,
    pub is_default: bool,
    /// Describes what applies if the key is not set.
    #[serde(skip)]
    pub unset: &'static str,
}

/// Reader and writer of a value.
type Access = (Read, fn(&Config) -> Option<Value>);
type Read = fn(&mut Reader<'_>, file::Value<'_>);

const fn key(
    (table, name): (&'static str, &'static str),
    help: &'static str,
    (unset, example): (&'static str, &'static str),
    (read, value): Access,
) -> ConfigKey {
    ConfigKey { table, name, help, unset, example, read: Some(read), value }
}

/// A key that always has a value.
const fn valued(path: (&'static str, &'static str), help: &'static str, access: Access) -> ConfigKey {
    key(path, help, ("", ""), access)
}

/// A key whose whole table is read at once.
const fn listed(
    (table, name): (&'static str, &'static str),
    help: &'static str,
    (unset, example): (&'static str, &'static str),
    value: fn(&Config) -> Option<Value>,
) -> ConfigKey {
    ConfigKey { table, name, help, unset, example, read: None, value }
}

/// Access to a field that has the type of its value.
macro_rules! field {
    ($name:ident) => {
        (
            |reader, value| reader.take(value, |config, given| config.$name = given),
            |config| Some(config.$name.clone().into()),
        )
    };
}

/// Access to an optional text.
macro_rules! text {
    ($name:ident) => {
        (
            |reader, value| reader.take(value, |config, given| config.$name = Some(given)),
            |config| Some(config.$name.as_deref()?.into()),
        )
    };
}

/// Access to the name of a journal.
macro_rules! journal {
    ($name:ident) => {
        (
            |reader, value| {
                let named = |text: &str| is_journal_name(text).then(|| text.to_owned());
                reader.checked(value, "a folder name", named, |config, name| config.$name = name);
            },
            |config| Some(config.$name.as_str().into()),
        )
    };
}

/// Access to a field with one word for each value.
macro_rules! word {
    ($name:ident, $words:ident, $what:literal) => {
        (
            |reader, value| reader.checked(value, $what, |text| of($words, text), |config, given| config.$name = given),
            |config| $words.iter().find(|(_, value)| *value == config.$name).map(|(word, _)| (*word).into()),
        )
    };
}

const WEEKDAYS: &[(&str, Weekday)] = &[
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];
const ANN: &[(&str, Ann)] = &[("auto", Ann::Auto), ("on", Ann::On), ("off", Ann::Off)];
const SYNC_ON_EXIT: &[(&str, bool)] = &[("off", false), ("on-exit", true)];

fn of<T: Copy>(words: &[(&str, T)], text: &str) -> Option<T> {
    words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, value)| *value)
}

/// Every key, in the order of the example file.
pub const KEYS: &[ConfigKey] = &[
    valued(("", "journal"), "Journal to open, by name, under the home folder", journal!(journal)),
    key(
        ("", "vault"),
        "Existing folder of dated markdown to open instead of a named journal",
        ("the named journal", "\"~/notes/journal\""),
        (
            |reader, value| reader.checked(value, "a folder", file::folder, |config, path| config.vault = Some(path)),
            |config| Some(config.vault.as_ref()?.to_string_lossy().into_owned().into()),
        ),
    ),
    valued(
        ("", "day_start"),
        "Time at which a day starts; earlier entries belong to the day before",
        (
            |reader, value| {
                let what = "a time such as \"04:00\"";
                reader.checked(value, what, file::clock_time, |config, time| config.day_start = time);
            },
            |config| Some(config.day_start.strftime("%H:%M").to_string().into()),
        ),
    ),
    key(
        ("", "zone"),
        "Time zone of the journal",
        ("the zone of the system", "\"Asia/Ho_Chi_Minh\""),
        (
            |reader, value| {
                let what = "a zone such as \"Europe/Paris\" or \"+07:00\"";
                reader.checked(value, what, file::zone, |config, zone| config.zone = Some(zone));
            },
            |config| {
                let zone = config.zone.as_ref()?;
                let offset = || zone.to_fixed_offset().map(|offset| offset.to_string()).unwrap_or_default();
                Some(zone.iana_name().map_or_else(offset, str::to_owned).into())
            },
        ),
    ),
    valued(
        ("", "week_starts"),
        "First day of the week in calendars",
        word!(week_starts, WEEKDAYS, "a day such as \"monday\""),
    ),
    key(
        ("", "model"),
        "Embedding model for search by meaning; \"off\" disables it",
        ("the model of `kioku model use`, else the built-in one", "\"off\""),
        (
            |reader, value| {
                let what = "a model's name or \"off\"";
                reader.checked(value, what, file::model, |config, model| config.model = model);
            },
            |config| match &config.model {
                ModelChoice::Unsaid => None,
                ModelChoice::Off => Some(NO_MODEL.into()),
                ModelChoice::Named(name) => Some(name.as_str().into()),
            },
        ),
    ),
    valued(
        ("", "ann"),
        "Approximate nearest-neighbour index: \"auto\" (from 100,000 passages on), \"on\" or \"off\"",
        word!(ann, ANN, "\"auto\", \"on\" or \"off\""),
    ),
    key(
        ("", "editor"),
        "Command that edits an entry outside the screens",
        ("`$VISUAL`, `$EDITOR`, then `vi` or `nano`", "\"code --wait\""),
        text!(editor),
    ),
    valued(("", "mouse"), "Mouse support on the screens", field!(mouse)),
    valued(("", "plain"), "Screens for screen readers: one column, no lines and bars", field!(plain)),
    valued(
        ("", "reduced_motion"),
        "Nothing on the screens changes by itself: messages stay until a key is pressed",
        field!(reduced_motion),
    ),
    valued(("", "history"), "Keep the query history; false also deletes the history kept so far", field!(history)),
    valued(("", "follow_links"), "Follow symbolic links that lead out of the journal's folder", field!(follow_links)),
    valued(
        ("privacy", "blank_after"),
        "Minutes without a key until the screen goes blank; 0 is never",
        (
            |reader, value| {
                reader.take(value, |config, minutes: u32| {
                    config.blank_after = (minutes > 0).then(|| Duration::from_secs(u64::from(minutes) * 60));
                });
            },
            |config| {
                let minutes = config.blank_after.map_or(0, |after| after.as_secs() / 60);
                Some(i64::try_from(minutes).unwrap_or(i64::MAX).into())
            },
        ),
    ),
    valued(("privacy", "blur"), "Start with every letter shown as a block", field!(blur)),
    valued(
        ("records", "propose"),
        "Propose a record for words such as \"buy milk\" in a new entry",
        field!(propose_records),
    ),
    valued(("hooks", "journal"), "Journal for what coding agents do", journal!(hooks_journal)),
    valued(
        ("sync", "auto"),
        "Run `kioku sync` without being asked: \"off\" or \"on-exit\" (of the screens)",
        word!(sync_on_exit, SYNC_ON_EXIT, "\"off\" or \"on-exit\""),
    ),
    key(
        ("models", "base"),
        "Mirror from which `kioku model install NAME` downloads",
        ("where the models are published", "\"https://example.org\""),
        text!(models_base),
    ),
    listed(("llm", "enabled"), "Send the text of each entry to a language model", ("", ""), |config| {
        Some(config.llm.as_ref().is_some_and(|llm| llm.enabled).into())
    }),
    listed(
        ("llm", "kind"),
        "Service: \"anthropic\", \"openai\" (and compatible ones) or \"ollama\"",
        ("required when enabled", "\"anthropic\""),
        |config| Some(config.llm.as_ref()?.kind.word().into()),
    ),
    listed(
        ("llm", "model"),
        "Model, by the name that the service uses",
        ("required when enabled", "\"claude-haiku-4-5\""),
        |config| Some(config.llm.as_ref()?.model.as_str().into()),
    ),
    listed(
        ("llm", "base"),
        "Address of the service; http:// only for this machine",
        ("the service's own", "\"http://localhost:11434\""),
        |config| Some(config.llm.as_ref()?.base.as_str().into()),
    ),
    listed(
        ("llm", "key_env"),
        "Environment variable that holds the API key; never the key itself",
        ("the service's usual one", "\"ANTHROPIC_API_KEY\""),
        |config| Some(config.llm.as_ref()?.key_env.as_deref()?.into()),
    ),
    listed(("llm", "timeout"), "Seconds to wait for one answer", ("", ""), |config| {
        let timeout = config.llm.as_ref().map_or(LlmConfig::TIMEOUT, |llm| llm.timeout);
        Some(i64::try_from(timeout.as_secs()).ok()?.into())
    }),
    listed(("llm", "keep_back"), "Tags whose entries are never sent", ("", ""), |config| {
        Some(config.llm.as_ref().map_or_else(LlmConfig::keep_back, |llm| llm.keep_back.clone()).into())
    }),
    valued(
        ("theme", "name"),
        "Colour theme: \"auto\" (the terminal's colours and background), \"dark\", \"light\", \"ansi16\", \"ansi16-light\" or \"none\"",
        (file::theme_name, |config| Some(config.theme.as_str().into())),
    ),
    listed(
        ("theme.roles", "accent"),
        "Colour or style of one role of the theme",
        ("the theme's own", "\"#88c0d0\""),
        |_| None,
    ),
    listed(
        ("keys.journal", "\"journal.new\""),
        "Keys of a command, by the names of `kioku keys`; an empty list unbinds it",
        ("the keys of `kioku keys`", "[\"n\", \"alt-n\"]"),
        |_| None,
    ),
];

impl ConfigKey {
    /// The default as TOML; `None` if there is none.
    pub fn default(&self) -> Option<String> {
        (self.value)(&Config::default()).map(|value| value.to_string())
    }

    pub fn path(&self) -> String {
        match self.table {
            "" => self.name.to_owned(),
            table => format!("{table}.{}", self.name),
        }
    }
}

/// The valid names in a table, including tables; the top level has no name.
pub fn names(table: &str) -> Vec<&'static str> {
    let inside = |key: &ConfigKey| {
        let below =
            || if table.is_empty() { Some(key.table) } else { key.table.strip_prefix(table)?.strip_prefix('.') };
        if key.table == table { Some(key.name) } else { below()?.split('.').next() }
    };
    let mut names: Vec<&str> = KEYS.iter().filter_map(inside).collect();
    names.dedup();
    names
}

/// An example file with every key. A line that starts with `#` and no space is a default; removing the `#` changes
/// nothing.
pub fn example() -> String {
    let mut text = concat!(
        "# kioku configuration: every key with its default. Remove the # before a key to set it.\n",
        "# Keys without a default value are shown as an example.\n",
    )
    .to_owned();
    let mut table = "";
    for key in KEYS {
        if key.table != table {
            table = key.table;
            text.push_str(&format!("\n[{table}]\n"));
        } else if table.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("# {}\n", key.help));
        match key.default() {
            Some(default) => text.push_str(&format!("#{} = {default}\n", key.name)),
            None => text.push_str(&format!("# Default: {}\n# {} = {}\n", key.unset, key.name, key.example)),
        }
    }
    text
}

impl Config {
    /// The current value of every key, in the order of the catalog.
    pub fn settings(&self) -> Vec<Setting> {
        let default = Self::default();
        let mut settings: Vec<Setting> = KEYS
            .iter()
            // The keys of these are arbitrary: the row is an example.
            .filter(|key| !matches!(key.table, "theme.roles" | "keys.journal"))
            .map(|key| {
                let value = (key.value)(self);
                let is_default = value == (key.value)(&default);
                Setting { table: key.table.to_owned(), key: key.path(), value, is_default, unset: key.unset }
            })
            .collect();
        let own = |table: String, name: &str, value: Value| {
            let key = format!("{table}.{name}");
            Setting { table, key, value: Some(value), is_default: false, unset: "" }
        };
        settings
            .extend(self.roles.iter().map(|(role, style)| own("theme.roles".to_owned(), role, style.as_str().into())));
        settings.extend(self.keys.iter().map(|binding| {
            own(format!("keys.{}", binding.pane), &format!("{:?}", binding.command), binding.chords.clone().into())
        }));
        settings
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn parse(text: &str) -> Config {
        file::parse(text, Path::new("config.toml"))
    }

    /// The example with every default in effect.
    fn uncommented() -> String {
        let uncomment = |line: &str| match line.strip_prefix('#') {
            Some(set) if !set.starts_with(' ') => format!("{set}\n"),
            _ => format!("{line}\n"),
        };
        example().lines().map(uncomment).collect()
    }

    #[test]
    fn the_example_holds_every_default_and_reads_without_a_warning() {
        for text in [example(), uncommented()] {
            let config = parse(&text);
            assert_eq!(config.complaints, [""; 0], "{text}");
            let default = Config { path: config.path.clone(), lines: config.lines.clone(), ..Config::default() };
            assert_eq!(format!("{config:?}"), format!("{default:?}"));
        }
        let uncommented = uncommented();
        assert!(uncommented.contains("\nday_start = \"00:00\"\n"), "{uncommented}");
    }

    #[test]
    fn every_key_of_the_catalog_is_read_and_listed_as_set() {
        for key in KEYS.iter().filter(|key| key.table != "llm") {
            let value = key.default().unwrap_or_else(|| key.example.to_owned());
            let head = if key.table.is_empty() { String::new() } else { format!("[{}]\n", key.table) };
            let config = parse(&format!("{head}{} = {value}\n", key.name));
            assert_eq!(config.complaints, [""; 0], "{}", key.path());
            let changed = config.settings().into_iter().filter(|setting| !setting.is_default).count();
            assert_eq!(changed, usize::from(key.default().is_none()), "{}", key.path());
        }
    }

    #[test]
    fn the_defaults_of_the_language_model_are_those_of_the_reader() {
        let config = parse("[llm]\nkind = \"ollama\"\nmodel = \"m\"\n");
        for name in ["llm.enabled", "llm.timeout", "llm.keep_back"] {
            let setting = config.settings().into_iter().find(|setting| setting.key == name).unwrap();
            assert!(setting.is_default, "{name}");
        }
    }
}
