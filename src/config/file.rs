//! Parser for `config.toml`. Reads key by key, so that a mistake affects only its own key.

use std::{
    borrow::Cow,
    ops::Range,
    path::{Path, PathBuf},
};

use jiff::{civil, tz};
use serde::{
    Deserialize,
    de::{DeserializeOwned, IntoDeserializer},
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Config, KeyBinding, ModelChoice, NO_MODEL,
    keys::{self, KEYS},
};
use crate::{paths, report, tui};

/// Parses the text of a configuration file. `path` is only used in complaints.
pub fn parse(text: &str, path: &Path) -> Config {
    let config = Config { path: path.to_owned(), ..Config::default() };
    let mut reader = Reader { text, config, complaints: Vec::new() };
    match DeTable::parse(text) {
        Ok(table) => reader.keys_of("", table.into_inner()),
        Err(error) => {
            let what = error.message().trim().replace('\n', "; ");
            let message = format!("{what}. The file is ignored and the defaults apply until this is fixed");
            reader.complain(error.span().unwrap_or(0..0), message);
        }
    }
    let Reader { mut config, mut complaints, .. } = reader;
    complaints.sort_by_key(|(at, _)| *at);
    let located = |((line, column), message)| format!("{}:{line}:{column}: {message}", path.display());
    config.complaints = complaints.into_iter().map(located).collect();
    config
}

/// Walks the parsed file, and stores the valid values.
pub(super) struct Reader<'t> {
    text: &'t str,
    config: Config,
    /// Mistakes, each with its line and column.
    complaints: Vec<((usize, usize), String)>,
}

type Key<'t> = Spanned<Cow<'t, str>>;
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

impl<'t> Reader<'t> {
    /// Reads the keys of a table by the catalog; the top level has no name.
    fn keys_of(&mut self, table: &str, entries: impl IntoIterator<Item = (Key<'t>, Value<'t>)>) {
        for (key, value) in entries {
            let name = key.get_ref().as_ref();
            let path = if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
            self.config.lines.push((path, self.position(key.span()).0));
            let known = KEYS.iter().find(|known| (known.table, known.name) == (table, name));
            match (table, name, known.and_then(|known| known.read)) {
                (.., Some(read)) => read(self, value),
                ("", "llm", _) => self.llm(value),
                ("", "keys", _) => self.keys(value),
                ("", "theme", _) if !matches!(value.get_ref(), DeValue::Table(_)) => theme_name(self, value),
                ("theme", "roles", _) => self.roles(value),
                ("writing", "keys", _) => {
                    let gone = "`writing.keys` has no effect since 0.2.0: E opens the entry in $EDITOR";
                    self.complain(key.span(), gone.to_owned());
                }
                ("", name, _) if name == "writing" || KEYS.iter().any(|key| key.table == name) => {
                    let entries = self.table(value);
                    self.keys_of(name, entries);
                }
                _ => self.unknown(&key, &keys::names(table)),
            }
        }
    }

    fn roles(&mut self, value: Value<'t>) {
        let known: Vec<&str> = tui::theme::role_names().collect();
        for (key, style) in self.table(value) {
            let role = key.get_ref().clone().into_owned();
            if !known.contains(&role.as_str()) {
                self.unknown(&key, &known);
                continue;
            }
            let style_of = |text: &str| tui::theme::is_style(text).then(|| text.to_owned());
            let what = "a style such as \"bold #88c0d0 on 236\"";
            self.checked(style, what, style_of, |config, style| config.roles.push((role, style)));
        }
    }

    fn keys(&mut self, value: Value<'t>) {
        let (commands, _) = tui::key_table(&tui::KeyOverrides::default());
        let known: Vec<&str> = commands.iter().map(|row| row.context).collect();
        for (key, commands) in self.table(value) {
            let pane = key.get_ref().clone().into_owned();
            if !known.contains(&pane.as_str()) {
                self.unknown(&key, &known);
                continue;
            }
            for (command, chords) in self.table(commands) {
                let line = self.position(command.span()).0;
                let (pane, command) = (pane.clone(), command.into_inner().into_owned());
                self.take(chords, |config, chords: OneOrMany| {
                    config.keys.push(KeyBinding { pane, command, chords: chords.into(), line });
                });
            }
        }
    }

    /// The entries of a table, in file order. Anything but a table is a complaint.
    fn table(&mut self, value: Value<'t>) -> Vec<(Key<'t>, Value<'t>)> {
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => {
                let mut entries: Vec<_> = table.into_iter().collect();
                entries.sort_by_key(|(key, _)| key.span().start);
                entries
            }
            other => {
                self.complain(span, format!("a table belongs here, not {}", found(&other)));
                Vec::new()
            }
        }
    }

    /// Reads a value by its type.
    pub(super) fn take<T: DeserializeOwned>(&mut self, value: Value<'_>, keep: impl FnOnce(&mut Config, T)) {
        let span = value.span();
        match T::deserialize(value.into_deserializer()) {
            Ok(taken) => keep(&mut self.config, taken),
            Err(error) => self.complain(span, error.message().trim().to_owned()),
        }
    }

    /// Reads a string with the parser `read`; `what` describes valid values in the complaint.
    pub(super) fn checked<T>(
        &mut self,
        value: Value<'_>,
        what: &str,
        read: impl FnOnce(&str) -> Option<T>,
        keep: impl FnOnce(&mut Config, T),
    ) {
        let span = value.span();
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            // `day_start = 04:00` without quotes is a time of day in TOML.
            DeValue::Datetime(time) => time.to_string(),
            other => return self.complain(span, format!("{what} belongs here, not {}", found(other))),
        };
        match read(&text) {
            Some(taken) => keep(&mut self.config, taken),
            None => self.complain(span, format!("{what} belongs here, not `{text}`")),
        }
    }

    fn unknown(&mut self, key: &Key<'t>, known: &[&str]) {
        let name = key.get_ref();
        let guess = report::closest(name, known.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        self.complain(key.span(), format!("unknown key `{name}`{}", guess.unwrap_or_default()));
    }

    fn complain(&mut self, span: Range<usize>, message: String) {
        self.complaints.push((self.position(span), message));
    }

    /// Line and column from 1, in characters.
    fn position(&self, span: Range<usize>) -> (usize, usize) {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

mod llm;

/// A single chord need not be in a list.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a list of keys belongs here, such as [\"n\", \"ctrl-n\"]")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl From<OneOrMany> for Vec<String> {
    fn from(chords: OneOrMany) -> Self {
        match chords {
            OneOrMany::One(chord) => vec![chord],
            OneOrMany::Many(chords) => chords,
        }
    }
}

/// The type of a value with its article: `an array`.
fn found(value: &DeValue<'_>) -> String {
    let kind = value.type_str();
    format!("{} {kind}", if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

pub(super) fn theme_name(reader: &mut Reader<'_>, value: Value<'_>) {
    let what = format!("a theme ({}, {})", tui::theme::AUTO, tui::theme::THEMES.join(", "));
    let named = |text: &str| (text == tui::theme::AUTO || tui::theme::THEMES.contains(&text)).then(|| text.to_owned());
    reader.checked(value, &what, named, |config, name| config.theme = name);
}

pub(super) fn folder(text: &str) -> Option<PathBuf> {
    let path = paths::with_home(text)?;
    (!path.as_os_str().is_empty()).then_some(path)
}

pub(super) fn clock_time(text: &str) -> Option<civil::Time> {
    let padded = if text.find(':') == Some(1) { format!("0{text}") } else { text.to_owned() };
    padded.parse().ok()
}

pub(super) fn zone(text: &str) -> Option<tz::TimeZone> {
    if let Ok(zone) = tz::TimeZone::get(text) {
        return Some(zone);
    }
    // jiff parses offsets only as part of a date-time.
    let moment = format!("2000-01-01T00:00{text}");
    let pieces = jiff::fmt::temporal::Pieces::parse(&moment).ok()?;
    pieces.to_numeric_offset().map(tz::TimeZone::fixed)
}

pub(super) fn model(text: &str) -> Option<ModelChoice> {
    match text {
        "" => None,
        NO_MODEL => Some(ModelChoice::Off),
        name => Some(ModelChoice::Named(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::index::vector::Ann;

    fn parse(text: &str) -> Config {
        super::parse(text, Path::new("config.toml"))
    }

    #[test]
    fn every_key_reaches_its_place() {
        let config = parse(concat!(
            "journal = \"work\"\nvault = \"/notes\"\nday_start = \"4:00\"\nzone = \"Asia/Ho_Chi_Minh\"\n",
            "model = \"off\"\nann = \"on\"\nhistory = false\nmouse = false\nweek_starts = \"Sunday\"\neditor = \"code --wait\"\n",
            "[models]\nbase = \"https://here\"\n[theme]\nname = \"light\"\n[theme.roles]\naccent = \"#88c0d0\"\n",
            "[keys.journal]\n\"entry.new\" = [\"n\", \"ctrl-n\"]\n\"entry.undo\" = \"u\"\n\"day.next\" = []\n",
        ));
        assert_eq!(config.complaints, [""; 0]);
        assert_eq!((config.journal.as_str(), config.vault), ("work", Some(PathBuf::from("/notes"))));
        assert_eq!((config.day_start, config.ann, config.model), (civil::time(4, 0, 0, 0), Ann::On, ModelChoice::Off));
        assert!(!config.history);
        assert_eq!(
            config.zone.and_then(|zone| zone.iana_name().map(str::to_owned)).as_deref(),
            Some("Asia/Ho_Chi_Minh")
        );
        assert_eq!(
            (config.mouse, config.week_starts, config.editor.as_deref()),
            (false, civil::Weekday::Sunday, Some("code --wait"))
        );
        assert_eq!((config.theme.as_str(), config.models_base.as_deref()), ("light", Some("https://here")));
        assert_eq!(config.roles, [("accent".into(), "#88c0d0".into())]);
        let chords: Vec<_> = config.keys.iter().map(|key| (key.command.as_str(), key.chords.len(), key.line)).collect();
        assert_eq!(chords, [("entry.new", 2, 18), ("entry.undo", 1, 19), ("day.next", 0, 20)]);
    }

    #[test]
    fn what_to_hide_is_read_from_its_table() {
        let config = parse("[privacy]\nblank_after = 10\nblur = true\n");
        assert_eq!(config.complaints, [""; 0]);
        assert_eq!((config.blur, config.blank_after), (true, Some(Duration::from_secs(600))));
        assert_eq!(parse("[privacy]\nblank_after = 0\n").blank_after, None);
    }

    #[test]
    fn a_removed_key_gives_one_notice() {
        let config = parse("mouse = false\n[writing]\nkeys = \"vim\"\n");
        let gone = "config.toml:3:1: `writing.keys` has no effect since 0.2.0: E opens the entry in $EDITOR";
        assert_eq!(config.complaints, [gone]);
        assert!(!config.mouse);
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line_and_the_rest_counts() {
        let config = parse("jurnal = \"work\"\nmouse = false\n");
        assert_eq!(config.complaints, ["config.toml:1:1: unknown key `jurnal`; did you mean `journal`?"]);
        assert!(!config.mouse);
        assert_eq!(config.journal, "personal");
    }

    #[test]
    fn a_wrong_value_names_its_place_and_the_default_applies() {
        let config = parse("day_start = \"late\"\nmouse = \"yes\"\njournal = \"../other\"\nzone = 7\n");
        let warnings = &config.complaints;
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert_eq!(warnings[0], "config.toml:1:13: a time such as \"04:00\" belongs here, not `late`");
        assert!(warnings[1].starts_with("config.toml:2:9: "), "{}", warnings[1]);
        assert!(warnings[2].starts_with("config.toml:3:11: a folder name belongs here"), "{}", warnings[2]);
        assert!(warnings[3].contains("not a integer") || warnings[3].contains("not an integer"), "{}", warnings[3]);
        assert_eq!(
            (config.day_start, config.mouse, config.journal.as_str()),
            (civil::Time::midnight(), true, "personal")
        );
    }

    #[test]
    fn a_value_of_another_kind_is_told_as_people_say_it() {
        assert_eq!(
            parse("[keys]\nsearch = [\"x\"]\n").complaints,
            ["config.toml:2:10: a table belongs here, not an array"]
        );
        assert_eq!(
            parse("day_start = true\n").complaints,
            ["config.toml:1:13: a time such as \"04:00\" belongs here, not a boolean"]
        );
    }

    #[test]
    fn an_unknown_theme_role_or_part_is_named_with_its_line_and_not_used() {
        let config = parse(concat!(
            "[theme]\nname = \"pink\"\n[theme.roles]\nacent = \"red\"\ndim = \"rainbow\"\nmatch = \"red\"\n",
            "[keys.jurnal]\n\"journal.new\" = \"z\"\n",
        ));
        let warnings = &config.complaints;
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert!(warnings[0].starts_with("config.toml:2:8: a theme (auto, dark,"), "{}", warnings[0]);
        assert_eq!(warnings[1], "config.toml:4:1: unknown key `acent`; did you mean `accent`?");
        assert!(warnings[2].starts_with("config.toml:5:7: a style"), "{}", warnings[2]);
        assert_eq!(warnings[3], "config.toml:7:7: unknown key `jurnal`; did you mean `journal`?");
        assert_eq!((config.theme.as_str(), config.keys.len()), ("auto", 0));
        assert_eq!(config.roles, [("match".into(), "red".into())]);
    }

    #[test]
    fn a_syntax_error_names_line_and_column_and_the_defaults_apply() {
        let config = parse("journal = \"work\"\nmouse = = false\n");
        assert_eq!(config.journal, "personal");
        assert_eq!(config.complaints.len(), 1);
        assert!(config.complaints[0].starts_with("config.toml:2:9: "), "{}", config.complaints[0]);
        assert!(config.complaints[0].contains("the defaults apply"));
    }

    #[test]
    fn offsets_are_zones_too() {
        assert!(zone("+07:00").is_some() && zone("-03:30").is_some() && zone("UTC").is_some());
        assert!(zone("Mars/Olympus").is_none() && zone("").is_none());
    }
}
