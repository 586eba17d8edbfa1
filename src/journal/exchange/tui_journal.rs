//! Import of tui-journal: its JSON file, its transfer JSON, or its SQLite database.
//!
//! Only two of the three have ids, so that the id is derived from time and text.

use jiff::{Timestamp, civil::Time, tz::TimeZone};
use serde_json::Value;

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
    let add = |imported: &mut Imported,
               line: usize,
               title: &str,
               content: &str,
               date: &str,
               priority: Option<String>,
               tags| {
        let at = instant(date);
        // The program knows days only, and stores each as its midnight in UTC.
        let day = at.map(|at| TimeZone::UTC.to_datetime(at)).filter(|day| day.time() == Time::midnight());
        let noon = day.and_then(|day| wall_time(day.date().at(12, 0, 0, 0), &options.zone));
        let record = Record {
            id: made_id("tui-journal", &[&at.map(|at| at.to_string()).unwrap_or_default(), title, content]),
            time: noon.or_else(|| at.map(|at| time_in(at, "", &options.zone))),
            title,
            text: content,
            tags,
            is_undated: day.is_some(),
            extra: priority.map(|priority| ("priority", priority)).into_iter().collect(),
            ..Record::default()
        };
        imported.add(record, Spot { path: source.path(), line });
    };
    if source.starts_with(SIGNATURE) {
        let database = Database::open(source)?;
        let tags = database.rows("SELECT entry_id, tag FROM tags ORDER BY rowid")?;
        let rows = database.rows("SELECT id, date, title, content, priority FROM entries ORDER BY id")?;
        for (index, row) in rows.iter().enumerate() {
            let [id, date, title, content, priority] = row.as_slice() else { continue };
            let own = tags.iter().filter(|row| row.first() == Some(id)).filter_map(|row| row.get(1).cloned());
            let priority = Some(priority.clone()).filter(|priority| !priority.is_empty());
            add(&mut imported, index + 1, title, content, date, priority, own.collect());
        }
        return Ok(imported);
    }
    let written = source.text(&mut imported)?;
    let document: Value = serde_json::from_str(&written).map_err(|error| source.unreadable("JSON file", error))?;
    for (index, record) in records(document).iter().enumerate() {
        let priority = number(record, "priority").map(|priority| priority.to_string());
        let (title, content) = (text(record, "title"), text(record, "content"));
        add(&mut imported, index + 1, title, content, text(record, "date"), priority, strings(record, "tags"));
        imported.count_unknown(record, KNOWN);
    }
    Ok(imported)
}

/// A date of the JSON (RFC 3339) or of the database (`2026-08-07 19:00:00+00:00`).
fn instant(date: &str) -> Option<Timestamp> {
    date.parse()
        .ok()
        .or_else(|| date.trim_end_matches(" UTC").replacen(' ', "T", 1).parse().ok())
        .or_else(|| format!("{}Z", date.replacen(' ', "T", 1)).parse().ok())
}
