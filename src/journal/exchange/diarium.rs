//! Import of Diarium: its JSON export (one list, or one file per entry), or its SQLite database `.diary`.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::Value;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, Record, Source, Spot, coordinates,
    database::{Database, SIGNATURE},
    from_json, html, made_id, number, strings, text, wall_time,
};
use crate::journal::EntryTime;

pub(super) const IMPORTER: Importer =
    Importer { name: "diarium", about: "a JSON export of Diarium (zip, folder, file), or its database", read };

const KNOWN: &str = "date html text heading tags location rating sun lunar";
/// Ticks of 100 ns from the year 1 to 1970.
const TICKS_TO_1970: i64 = 621_355_968_000_000_000;

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    if source.starts_with(SIGNATURE) {
        return database(source, options);
    }
    let mut imported = from_json(source, |record, at, _, imported| entry(record, at, &options.zone, imported))?;
    // The entries do not name their files.
    let is_media = |name: &&String| name.split('/').any(|part| part == "media");
    source.files()?.names.iter().filter(is_media).for_each(|_| imported.count_not_kept("media"));
    Ok(imported)
}

fn entry(record: &Value, at: Spot<'_>, zone: &TimeZone, imported: &mut Imported) {
    let date = text(record, "date");
    let time = match date.parse::<Timestamp>() {
        Ok(_) => EntryTime::parse(date, zone),
        Err(_) => date.parse::<DateTime>().ok().and_then(|wall| wall_time(wall, zone)),
    };
    let body = html(if text(record, "html").is_empty() { text(record, "text") } else { text(record, "html") });
    let place = record.get("location").unwrap_or(&Value::Null);
    let degrees = |at: usize, key| place.get(at).and_then(Value::as_f64).or_else(|| number(place, key));
    let name = place.as_str().unwrap_or_else(|| self::text(place, "name"));
    let mut extra = vec![("location", name.to_owned())];
    extra.extend(coordinates(degrees(0, "latitude"), degrees(1, "longitude")).map(|at| ("coordinates", at)));
    imported.count_unknown(place, "name latitude longitude");
    extra.extend(number(record, "rating").filter(|rating| *rating > 0.0).map(|rating| ("rating", rating.to_string())));
    imported.count_unknown(record, KNOWN);
    let title = text(record, "heading");
    let id = made_id("diarium", &[date, title, &body]);
    imported
        .add(Record { id, time, title, text: &body, tags: strings(record, "tags"), extra, ..Record::default() }, at);
}

/// Entries of the database. Their id is their time, on the writer's clock.
fn database(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let rows = Database::open(source)?.rows(
        "SELECT DiaryEntryId, coalesce(Heading, ''), coalesce(Text, ''), coalesce(Rating, '') FROM Entries ORDER BY 1",
    )?;
    for (index, row) in rows.iter().enumerate() {
        let [ticks, title, text, rating] = row.as_slice() else { continue };
        let instant =
            ticks.parse::<i64>().ok().and_then(|ticks| Timestamp::from_microsecond((ticks - TICKS_TO_1970) / 10).ok());
        let wall = instant.map(|at| TimeZone::UTC.to_datetime(at));
        let rating = Some(rating.clone()).filter(|rating| rating != "0");
        let record = Record {
            id: made_id("diarium", &[ticks]),
            time: wall.and_then(|wall| wall_time(wall, &options.zone)),
            title,
            text: &html(text),
            extra: rating.map(|rating| ("rating", rating)).into_iter().collect(),
            ..Record::default()
        };
        imported.add(record, Spot { path: source.path(), line: index + 1 });
    }
    Ok(imported)
}
