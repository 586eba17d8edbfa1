//! Import of Journey's export: a zip archive or folder with one JSON file per entry.
//!
//! The number in `mood` has no documented meaning and is kept as `journey_mood`.

use jiff::tz::TimeZone;
use serde_json::Value;

use super::{
    ExchangeError, Files, ImportOptions, Imported, Importer, Record, Source, Spot, coordinates, degrees, flag,
    from_json, html, milliseconds, number, strings, text, time_in,
};

pub(super) const IMPORTER: Importer =
    Importer { name: "journey", about: "an export of Journey: the zip file, its folder, or one entry", read };

/// Fields that are read, or that say nothing about the entry.
const KNOWN: &str = "\
    id version schema date_journal date_modified date_of_journal updated_at timezone text preview_text type mood \
    sentiment tags lat lon address favourite label folder weather encrypted linked_account_id dateOfJournal \
    dateModified photos";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    from_json(source, |record, at, files, imported| entry(record, at, &options.zone, files, imported))
}

fn entry(record: &Value, at: Spot<'_>, zone: &TimeZone, files: &Files<'_>, imported: &mut Imported) {
    let instant = milliseconds(record, "date_journal").or_else(|| text(record, "dateOfJournal").parse().ok());
    let time = instant.map(|at| time_in(at, text(record, "timezone"), zone));
    let written = text(record, "text");
    let body = html(if written.is_empty() { text(record, "preview_text") } else { written });
    let weather = record.get("weather").unwrap_or(&Value::Null);
    let mut extra = vec![
        ("location", text(record, "address").to_owned()),
        ("folder", text(record, "folder").to_owned()),
        ("label", text(record, "label").to_owned()),
        ("weather", text(weather, "description").to_owned()),
    ];
    extra.extend(coordinates(number(record, "lat"), number(record, "lon")).map(|at| ("coordinates", at)));
    extra.extend(number(record, "mood").filter(|mood| *mood > 0.0).map(|mood| ("journey_mood", mood.to_string())));
    extra
        .extend(number(record, "sentiment").filter(|value| *value > 0.0).map(|value| ("sentiment", value.to_string())));
    extra.extend(number(weather, "degree_c").map(|celsius| ("temperature", degrees(celsius))));
    imported.count_unknown(record, KNOWN);
    // Journey gives them no place in the text.
    let photos = strings(record, "photos");
    let body = imported.attach_below(body, files, photos.iter().map(String::as_str), at);
    let record = Record {
        id: text(record, "id").to_owned(),
        time,
        text: &body,
        tags: strings(record, "tags"),
        is_starred: flag(record, "favourite"),
        extra,
        ..Record::default()
    };
    imported.add(record, at);
}
