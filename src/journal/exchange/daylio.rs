//! Import of Daylio: the CSV export, or the backup `.daylio`, which also has the clock time of every entry.
//!
//! The name of the mood is kept as the mood, activities become tags.

use std::collections::HashMap;

use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::{Timestamp, civil::Date, tz::Offset};
use serde_json::Value;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, Record, Source, Spot,
    csv_table::{Table, spot},
    flag, html, items,
    jrnl_dates::clock_alone,
    made_id, milliseconds, number, text, wall_time,
};
use crate::journal::EntryTime;

pub(super) const IMPORTER: Importer =
    Importer { name: "daylio", about: "a CSV export or a backup (.daylio) of Daylio", read };

/// The file in a backup that holds the entries.
pub(super) const BACKUP: &str = "backup.daylio";
const MOODS: [&str; 5] = ["rad", "good", "meh", "bad", "awful"];
const KNOWN: &str = "\
    id minute hour day month year datetime timeZoneOffset mood tags note note_title isFavorite is_favorite";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let files = source.files()?;
    match files.names.iter().find(|name| name.ends_with(BACKUP)) {
        Some(name) => backup(&files.bytes(name)?, source, &mut imported)?,
        None => table(&source.text(&mut imported)?, source, options, &mut imported),
    }
    Ok(imported)
}

fn table(written: &str, source: &Source, options: &ImportOptions, imported: &mut Imported) {
    let table = Table::read(written, source.path(), imported);
    for row in &table.rows {
        let cell = |name: &str| table.cell(row, name);
        let day = cell("full_date").parse::<Date>().ok();
        let wall = day.zip(clock_alone(cell("time"))).map(|(day, clock)| day.to_datetime(clock));
        let cells = ["full_date", "time", "mood", "activities", "note_title", "note"].map(cell);
        let scales = cell("scales").split('|').map(|scale| scale.split_once(':').unwrap_or(("scales", scale)));
        let record = Record {
            id: made_id("daylio", &cells),
            time: wall.and_then(|wall| wall_time(wall, &options.zone)),
            title: cell("note_title"),
            text: &html(cell("note")),
            mood: Some(cell("mood").to_owned()),
            tags: cell("activities").split('|').map(str::to_owned).collect(),
            extra: scales.map(|(name, value)| (name.trim(), value.to_owned())).collect(),
            ..Record::default()
        };
        imported.add(record, spot(row, source.path()));
    }
}

fn backup(bytes: &[u8], source: &Source, imported: &mut Imported) -> Result<(), ExchangeError> {
    let packed: Vec<u8> = bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let json = STANDARD.decode(&packed).map_err(|error| source.unreadable("backup", error))?;
    let document: Value = serde_json::from_slice(&json).map_err(|error| source.unreadable("backup", error))?;
    let integer = |item: &Value, key: &str| item.get(key).and_then(Value::as_i64);
    let tags: HashMap<i64, &str> =
        items(&document, "tags").filter_map(|tag| Some((integer(tag, "id")?, text(tag, "name")))).collect();
    let moods: HashMap<i64, &str> =
        items(&document, "customMoods").filter_map(|mood| Some((integer(mood, "id")?, mood_name(mood)?))).collect();
    for (index, record) in items(&document, "dayEntries").enumerate() {
        let own = items(record, "tags").filter_map(Value::as_i64);
        let datetime = number(record, "datetime").unwrap_or_default().to_string();
        let id = record.get("id").map(ToString::to_string).unwrap_or_default();
        let written = Record {
            id: made_id("daylio", &[&datetime, &id]),
            time: milliseconds(record, "datetime").map(|at| local(at, record)),
            title: text(record, "note_title"),
            text: &html(text(record, "note")),
            mood: integer(record, "mood").and_then(|id| moods.get(&id)).map(|mood| (*mood).to_owned()),
            tags: own.filter_map(|id| tags.get(&id)).map(|tag| (*tag).to_owned()).collect(),
            is_starred: flag(record, "isFavorite") || flag(record, "is_favorite"),
            ..Record::default()
        };
        imported.add(written, Spot { path: source.path(), line: index + 1 });
        imported.count_unknown(record, KNOWN);
    }
    Ok(())
}

/// The user's name for a mood, or else Daylio's own.
fn mood_name(mood: &Value) -> Option<&str> {
    let built_in = || MOODS.get((number(mood, "predefined_name_id")? as usize).checked_sub(1)?).copied();
    Some(text(mood, "custom_name")).filter(|name| !name.is_empty()).or_else(built_in)
}

/// The instant in the writer's own offset, which the backup has in milliseconds.
fn local(at: Timestamp, record: &Value) -> EntryTime {
    let seconds = number(record, "timeZoneOffset").unwrap_or(0.0) / 1000.0;
    let offset = Offset::from_seconds(seconds as i32).unwrap_or(Offset::UTC);
    EntryTime::of(&at.to_zoned(offset.to_time_zone()))
}
