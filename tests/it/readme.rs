//! Checks README against the program: keys, configuration, formats, query syntax, the file format.
//!
//! The parts between `<!-- name -->` and `<!-- /name -->` are generated; update them with
//! `KIOKU_UPDATE_README=1 cargo test --test it readme`.

// The bench that produces the table uses the rest of the module.
#[allow(dead_code)]
#[path = "../../benches/soak/table.rs"]
mod table;

use std::{
    collections::BTreeSet,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use jiff::{
    civil::date,
    tz::{TimeZone, offset},
};
use kioku::{
    clock::Clock,
    config,
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

/// Compares a generated part with the text between its markers; updates it with `KIOKU_UPDATE_README`.
#[track_caller]
fn generated(name: &str, made: &str) {
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

/// The code spans in the first column of the tables.
fn first_column(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.strip_prefix("| "))
        .map(|line| line.replace("\\|", "\u{1}"))
        .filter_map(|line| Some(line.split(" | ").next()?.to_string()))
        .flat_map(|cell| cell.split('`').skip(1).step_by(2).map(|code| code.replace('\u{1}', "|")).collect::<Vec<_>>())
        .collect()
}

#[test]
fn every_format_is_listed() {
    let section = section("Import and export");
    let listed = first_column(&section);
    let known: Vec<&str> = IMPORTERS.iter().map(|format| format.name).collect();
    assert_eq!(listed.iter().map(String::as_str).collect::<BTreeSet<_>>(), known.into_iter().collect());
    for format in EXPORTERS {
        assert!(section.contains(&format!("`kioku export {} ", format.name)), "{}", format.name);
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
    let vault = Vault::open(VaultOptions::new(folder.path(), Clock::fixed(now))).unwrap();
    let day = vault.read("2026-02-22.md").unwrap();
    let [written] = day.entries.as_slice() else { panic!("{day:?}") };
    assert!(day.notices.is_empty() && written.has_id && written.entry.starred());
    assert_eq!(written.entry.mood.as_deref(), Some("stressed"));
    assert_eq!(written.entry.tags, ["work", "project x"]);
    assert_eq!(written.entry.event_time.as_deref(), Some("2026-02-21"));
    assert_eq!(written.entry.trackers().collect::<Vec<_>>(), [("sleep", 6.5)]);
}

/// The five most used commands of each screen, and of all of them.
const MOST_USED: &[(&str, [&str; 5])] = &[
    ("every screen", ["app.find", "app.new", "app.palette", "app.help", "app.undo"]),
    ("Journal", ["journal.edit", "journal.delete", "journal.goto", "journal.filter", "journal.related"]),
    ("Search", ["search.open", "search.narrow", "search.sort", "search.explain", "search.save"]),
    ("Entities", ["entities.open", "entities.filter", "entities.merge", "entities.rename", "entities.doubts"]),
    ("Why", ["why.type", "why.follow", "why.period", "why.reject", "why.between"]),
    ("Reflect", ["reflect.previous", "reflect.next", "reflect.next-scale", "reflect.write", "reflect.save"]),
    ("Stats", ["stats.open", "stats.swap", "stats.year-back", "stats.year-on", "stats.why"]),
];

#[test]
fn the_most_used_keys_are_those_of_the_command_tables() {
    let tables = tables(PANES);
    let (keymap, faults) = Keymap::new(&tables, &KeyOverrides::default());
    assert!(faults.is_empty(), "{faults:?}");
    let rows = keymap.rows(&tables);
    let mut made = "| where | keys |\n|---|---|\n".to_owned();
    for (place, commands) in MOST_USED {
        let keys = commands.map(|command| {
            let row = rows.iter().find(|row| row.command == command).unwrap_or_else(|| panic!("no command {command}"));
            format!("`{}` {}", row.keys[0], row.help)
        });
        writeln!(made, "| {place} | {} |", keys.join(" · ")).unwrap();
    }
    generated("keys", &made);
}

#[test]
fn the_configuration_table_is_the_catalog_of_keys() {
    let mut made = "| key | default | what it does |\n|---|---|---|\n".to_owned();
    for key in config::keys::KEYS {
        let default = key.default().map_or_else(|| key.unset.to_owned(), |default| format!("`{default}`"));
        writeln!(made, "| `{}` | {default} | {} |", key.path(), key.help).unwrap();
    }
    generated("config", &made);
}

#[test]
fn the_readme_is_short() {
    assert!(readme().lines().count() <= 250, "details belong in assets/manual");
}

#[test]
fn the_trust_table_is_that_of_the_recorded_runs() {
    let rows = table::read().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.tried > 0 && !row.saw.is_empty()), "{rows:#?}");
    generated("trust", &table::markdown(&rows));
}
