//! The screenshots of the README: the panes on the demo journal.
//!
//! `KIOKU_UPDATE_README=1 cargo test --features lab --test it pictures` updates them.

mod svg;

use std::{fs, path::Path};

use jiff::{
    civil::date,
    tz::{TimeZone, offset},
};
use kioku::{
    clock::Clock,
    embed::bundled::Bundled,
    index::vector::Ann,
    journal::{VaultOptions, demo},
    session::{SessionOptions, SessionWorkers},
    tui::{
        harness::{Harness, HarnessSetup},
        panes::PANES,
    },
};
use ratatui::buffer::{Buffer, Cell};

/// Maximum size of a screenshot.
const LARGEST: usize = 120_000;

/// Navigates to the content of a screenshot.
type Walk = fn(&mut Harness);

/// Each screenshot: its name, its alternative text, the keys, and texts that must be on it.
const PICTURES: &[(&str, &str, Walk, &[&str])] = &[
    (
        "journal",
        "Journal: days with moods and their first words, beside the entries of one day with their names",
        |harness| {
            harness.keys("g d").typed("28 july 2026").keys("<enter> <tab>");
        },
        &["Tuesday 28 July 2026", "Heron warned Giao Thủy"],
    ),
    (
        "search",
        "Search: hits with the legs that found each, beside the entry with the matched words and the closest passage marked",
        |harness| {
            harness.keys("/").typed("stressed about the demo").keys("<esc>");
        },
        &["why this one"],
    ),
    (
        "entities",
        "Entities: names with their days by month, beside one of them with four facts, relations, sentences and neighbours",
        |harness| {
            harness.keys("3 f").typed("khoa").keys("<esc> <esc> <tab>");
        },
        &["Khoa", "Feelings"],
    ),
    (
        "why",
        "Why: causes of a feeling, each with a sentence on its strength and a quote that says so",
        |harness| {
            harness.keys("4").typed("stressed").key("enter");
        },
        &["stressed", "stated"],
    ),
    (
        "reflect",
        "Reflect: a day at a glance, threads to the past, the same day a month ago, and questions made from all of it",
        |harness| {
            harness.keys("5 g d").typed("28 july 2026").key("enter");
        },
        &["On this day", "Threads", "Ask yourself"],
    ),
    (
        "stats",
        "Stats: a year of days, moods by month, weekdays by hour, words a day, and names against the month before",
        |harness| {
            harness.keys("6");
        },
        &["Moods by month"],
    ),
];

/// The demo on the evening after its last entry, embedded by the bundled model.
fn demo_screens(folder: &Path, theme: &str) -> Harness {
    demo::write_demo(folder).unwrap();
    let now = date(2026, 8, 30).at(21, 0, 0, 0).to_zoned(TimeZone::fixed(offset(7))).unwrap();
    let session = SessionWorkers::inline(SessionOptions {
        vault: VaultOptions::new(folder, Clock::fixed(now.clone())),
        models: folder.join("models"),
        model: Some(Bundled::Table.name().to_owned()),
        encoder: None,
        ann: Ann::Off,
        watch: false,
    });
    let theme = theme.to_owned();
    Harness::new(HarnessSetup { session: Some(session), now, theme, size: (104, 30), ..HarnessSetup::new(PANES) })
}

/// Removes the search time from a screen, because it varies.
fn timeless(buffer: &Buffer) -> Buffer {
    let mut buffer = buffer.clone();
    let width = buffer.area.width;
    for y in 0..buffer.area.height {
        let symbols: Vec<String> = (0..width).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
        let Some(end) = symbols.windows(4).position(|cells| cells.concat() == " ms ") else { continue };
        let Some(start) = symbols[..end].windows(3).rposition(|cells| cells.concat() == " · ") else { continue };
        let gone = end + 3 - start;
        // The text before it moves right, into the gap; spaces are inserted behind it.
        let blank = symbols[..start].windows(3).rposition(|cells| cells.concat() == "   ").map_or(0, |at| at + 2);
        for x in (blank..end + 3).rev() {
            let from = x.checked_sub(gone).filter(|from| *from >= blank);
            let cell = from.map_or_else(Cell::default, |from| buffer[(from as u16, y)].clone());
            buffer[(x as u16, y)] = cell;
        }
    }
    buffer
}

#[test]
fn the_pictures_are_what_kioku_draws() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let mut stale = Vec::new();
    let themes = [("dark", ""), ("light", "-light")];
    for ((name, title, walk, shown), (theme, suffix)) in
        PICTURES.iter().flat_map(|picture| themes.map(|theme| (*picture, theme)))
    {
        let folder = tempfile::tempdir().unwrap();
        let mut harness = demo_screens(folder.path(), theme);
        walk(&mut harness);
        for text in shown {
            assert!(harness.screen().contains(text), "\"{text}\" is not on {name}:\n{}", harness.screen());
        }
        let picture = svg::svg(&timeless(harness.buffer()), title);
        let picture = if theme == "light" { svg::on_paper(&picture) } else { picture };
        let name = format!("{name}{suffix}");
        assert!(picture.len() < LARGEST, "{name}: {} bytes", picture.len());
        let place = format!("assets/screens/{name}.svg");
        assert!(readme.contains(&place), "README neither shows nor links {place}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&place);
        if std::env::var_os("KIOKU_UPDATE_README").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &picture).unwrap();
        } else if fs::read_to_string(&path).ok().as_deref() != Some(&picture) {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "run KIOKU_UPDATE_README=1 cargo test --features lab --test it pictures: {stale:?}");
}
