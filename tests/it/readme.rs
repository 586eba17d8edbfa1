//! What the README says is so: commands, keys, screens, formats, query syntax, the file format.
//!
//! The parts between `<!-- name -->` and `<!-- /name -->` that are made from the program are written anew with
//! `KIOKU_UPDATE_README=1 cargo test --test it readme`.

// The bench that makes the record uses the rest of it.
#[allow(dead_code)]
#[path = "../../benches/soak/table.rs"]
mod table;

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

use jiff::{
    civil::{Time, date},
    tz::{TimeZone, offset},
};
use kioku::{
    clock::Clock,
    journal::{
        Vault, VaultOptions,
        exchange::{EXPORTERS, IMPORTERS},
    },
    search::Query,
    tui::{
        app::tables,
        keymap::{KeyOverrides, Keymap},
        panes::PANES,
    },
};

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    fs::read_to_string(path()).unwrap()
}

/// Compares a made part with what stands between its marks; writes it there where asked to.
#[track_caller]
fn stands(name: &str, made: &str) {
    static FILE: Mutex<()> = Mutex::new(());
    let _one_at_a_time = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let readme = readme();
    let (before, rest) = readme.split_once(&open).unwrap_or_else(|| panic!("no mark {open}"));
    let (present, after) = rest.split_once(&close).unwrap_or_else(|| panic!("no mark {close}"));
    if std::env::var_os("KIOKU_UPDATE_README").is_some() {
        fs::write(path(), format!("{before}{open}{made}{close}{after}")).unwrap();
    } else {
        assert_eq!(present, made, "run KIOKU_UPDATE_README=1 cargo test --test it readme");
    }
}

/// The text under a `## heading`, up to the next one.
fn section(heading: &str) -> String {
    let readme = readme();
    let (_, rest) = readme.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no section {heading}"));
    rest.split("\n## ").next().unwrap().to_string()
}

/// What stands between backticks in the first column of the tables.
fn first_column(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.replace("\\|", "\u{1}"))
        .filter_map(|line| Some(line.split(" | ").next()?.to_string()))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(|code| code.replace('\u{1}', "|")).collect::<Vec<_>>())
        .collect()
}

#[test]
fn every_command_is_listed_and_every_listed_command_is_there() {
    let output = Command::new(env!("CARGO_BIN_EXE_kioku")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (_, commands) = help.split_once("Commands:\n").expect("the help lists commands");
    let known: BTreeSet<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let listed = first_column(&section("Commands"));
    let listed: BTreeSet<&str> = listed.iter().filter_map(|command| command.split_whitespace().nth(1)).collect();
    let listed: BTreeSet<&str> =
        listed.into_iter().filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    assert_eq!(listed, known);
}

#[test]
fn every_format_is_listed() {
    let listed = first_column(&section("Moving in"));
    let known: Vec<&str> = IMPORTERS.iter().map(|format| format.name).collect();
    assert_eq!(listed.iter().map(String::as_str).collect::<BTreeSet<_>>(), known.into_iter().collect());
    let commands = section("Commands");
    for format in EXPORTERS {
        assert!(commands.contains(&format!("`{}`", format.name)), "{}", format.name);
    }
}

#[test]
fn every_query_of_the_table_is_understood_as_said() {
    let now = date(2026, 2, 22).at(12, 0, 0, 0).to_zoned(TimeZone::fixed(offset(7))).unwrap();
    let typed = first_column(&section("Searching"));
    assert!(typed.len() > 15, "{typed:?}");
    for text in typed {
        let query = Query::parse(&text, &now);
        assert!(query.notices.is_empty(), "{text}: {:?}", query.notices);
        assert_eq!(query.filters.len(), usize::from(text.contains(':')), "{text}: {query:?}");
    }
}

#[test]
fn the_file_shown_is_one_entry_with_all_it_claims() {
    let section = section("The file format");
    let file = section.split("```\n").nth(1).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("memory")).unwrap();
    fs::write(folder.path().join("memory/2026-02-22.md"), file).unwrap();
    let now = date(2026, 2, 22).at(12, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap();
    let vault = Vault::open(VaultOptions {
        root: folder.path().to_path_buf(),
        day_start: Time::midnight(),
        clock: Clock::fixed(now),
        machine: "test".into(),
        state: None,
    })
    .unwrap();
    let day = vault.read("2026-02-22.md").unwrap();
    let [written] = day.entries.as_slice() else { panic!("{day:?}") };
    assert!(day.notices.is_empty() && written.has_id && written.entry.starred());
    assert_eq!(written.entry.mood.as_deref(), Some("stressed"));
    assert_eq!(written.entry.tags, ["work", "project x"]);
    assert_eq!(written.entry.event_time.as_deref(), Some("2026-02-21"));
    assert_eq!(written.entry.trackers().collect::<Vec<_>>(), [("sleep", 6.5)]);
}

#[test]
fn the_keys_are_those_of_the_command_tables() {
    let tables = tables(PANES);
    let (keymap, faults) = Keymap::new(&tables, &KeyOverrides::default());
    assert_eq!(faults, []);
    let mut made = "| where | keys | does |\n|---|---|---|\n".to_owned();
    let mut last = "";
    for row in keymap.rows(&tables).into_iter().filter(|row| !row.keys.is_empty()) {
        let context = if row.context == last { "" } else { row.context };
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        writeln!(made, "| {context} | {} | {} |", keys.join(" "), row.help).unwrap();
        last = row.context;
    }
    stands("keys", &made);
}

#[test]
fn the_trust_table_is_that_of_the_recorded_runs() {
    let rows = table::read().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.tried > 0 && !row.saw.is_empty()), "{rows:#?}");
    stands("trust", &table::markdown(&rows));
}
