//! Import of tui-journal: its JSON file, its transfer JSON, or its SQLite database.
//!
//! Only two of the three have ids, so that the id is derived from time and text.

use jiff::{Timestamp, civil::Time, tz::TimeZone};
use serde_json::{Value, json};

use super::{
    ExchangeError, ImportOptions, Imported, Importer, Source,
    database::{Database, SIGNATURE},
    made_id,
    records::{Record, Spot, number, records, strings, text, time_in},
    wall_time,
};

pub(super) const IMPORTER: Importer =
    Importer { name: "tui-journal", about: "the JSON file, an export or the SQLite database of tui-journal", read };

const KNOWN: &str = "id date title content tags priority";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let entries = if source.starts_with(SIGNATURE) {
        of_database(&Database::open(source)?)?
    } else {
        let written = source.text(&mut imported)?;
        records(serde_json::from_str(&written).map_err(|error| source.unreadable("JSON file", error))?)
    };
    for (index, entry) in entries.iter().enumerate() {
        let (title, content) = (text(entry, "title"), text(entry, "content"));
        let at = instant(text(entry, "date"));
        // The program knows days only, and stores each as its midnight in UTC.
        let day = at.map(|at| TimeZone::UTC.to_datetime(at)).filter(|day| day.time() == Time::midnight());
        let noon = day.and_then(|day| wall_time(day.date().at(12, 0, 0, 0), &options.zone));
        let priority = number(entry, "priority").map(|priority| ("priority", priority.to_string()));
        let record = Record {
            id: made_id("tui-journal", &[&at.map(|at| at.to_string()).unwrap_or_default(), title, content]),
            time: noon.or_else(|| at.map(|at| time_in(at, "", &options.zone))),
            title,
            text: content,
            tags: strings(entry, "tags"),
            is_undated: day.is_some(),
            extra: priority.into_iter().collect(),
            ..Record::default()
        };
        imported.add(record, Spot { path: source.path(), line: index + 1 });
        imported.count_unknown(entry, KNOWN);
    }
    Ok(imported)
}

/// The entries of the database, as the JSON has them.
fn of_database(database: &Database<'_>) -> Result<Vec<Value>, ExchangeError> {
    let tags = database.rows("SELECT entry_id, tag FROM tags ORDER BY rowid")?;
    let rows = database.rows("SELECT id, date, title, content, priority FROM entries ORDER BY id")?;
    let entry = |row: &Vec<String>| {
        let own: Vec<&String> = tags.iter().filter(|tag| tag[0] == row[0]).map(|tag| &tag[1]).collect();
        json!({"date": row[1], "title": row[2], "content": row[3], "priority": row[4], "tags": own})
    };
    Ok(rows.iter().map(entry).collect())
}

/// A date of the JSON (RFC 3339) or of the database (`2026-08-07 19:00:00+00:00`).
fn instant(date: &str) -> Option<Timestamp> {
    date.parse()
        .ok()
        .or_else(|| date.trim_end_matches(" UTC").replacen(' ', "T", 1).parse().ok())
        .or_else(|| format!("{}Z", date.replacen(' ', "T", 1)).parse().ok())
}
