//! Import of Day One's JSON export: the zip archive, its folder, or one JSON file.
//!
//! An entry's day is that of its own time zone. Place and weather become extra keys; photos, recordings and documents
//! are counted as not kept.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    ExchangeError, Exporter, ImportOptions, Imported, Importer,
    records::{Record, Spot, coordinates, flag, from_json, number, strings, text, time_in},
    source::{Source, made_id, wall_time},
};
use crate::journal::Entry;

pub(super) const IMPORTER: Importer = Importer {
    name: "dayone",
    about: "a JSON export of Day One: the zip file, its folder, or one journal in it",
    read,
};

pub(super) const EXPORTER: Exporter = Exporter::new("dayone", "JSON for the import of Day One", document);

/// Fields that are read, or that say nothing about the entry.
const KNOWN: &[&str] = &[
    "uuid",
    "creationDate",
    "modifiedDate",
    "timeZone",
    "isAllDay",
    "text",
    "richText",
    "tags",
    "starred",
    "location",
    "weather",
    "userActivity",
    "editingTime",
    "duration",
    "creationDevice",
    "creationDeviceModel",
    "creationDeviceType",
    "creationOSName",
    "creationOSVersion",
    "sourceString",
];

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    from_json(source, |record, at, imported| entry(record, at, options, imported))
}

fn entry(record: &Value, at: Spot<'_>, options: &ImportOptions, imported: &mut Imported) {
    let created = text(record, "creationDate");
    let zone = Some(text(record, "timeZone")).filter(|zone| !zone.is_empty());
    let time = created.parse::<Timestamp>().ok().map(|at| time_in(at, zone.unwrap_or("UTC"), &options.zone));
    let time = match time {
        Some(time) if flag(record, "isAllDay") => wall_time(time.local().date().at(12, 0, 0, 0), &options.zone),
        time => time,
    };
    let written = Some(plain(text(record, "text"))).filter(|text| !text.trim().is_empty());
    let body = written.unwrap_or_else(|| rich_text(text(record, "richText")));
    let uuid = text(record, "uuid");
    let id = if uuid.is_empty() { made_id("dayone", &[created, &body]) } else { uuid.to_owned() };
    let mut extra = Vec::new();
    extra.extend(flag(record, "starred").then(|| ("star", "true".to_owned())));
    extra.extend(place(record.get("location").unwrap_or(&Value::Null)));
    extra.extend(weather(record.get("weather").unwrap_or(&Value::Null)));
    let activity = record.get("userActivity").unwrap_or(&Value::Null);
    extra.push(("activity", text(activity, "activityName").to_owned()));
    extra.extend(number(activity, "stepCount").filter(|steps| *steps > 0.0).map(|steps| ("steps", steps.to_string())));
    imported.count_unknown(record, KNOWN);
    imported.add(Record { id, time, text: &body, tags: strings(record, "tags"), extra, ..Record::default() }, at);
}

fn place(location: &Value) -> Vec<(&'static str, String)> {
    let mut parts: Vec<&str> = Vec::new();
    for part in ["placeName", "localityName", "country"].map(|key| text(location, key)) {
        if !part.is_empty() && !parts.contains(&part) {
            parts.push(part);
        }
    }
    let mut found = vec![("location", parts.join(", "))];
    let at = coordinates(number(location, "latitude"), number(location, "longitude"));
    found.extend(at.map(|at| ("coordinates", at)));
    found
}

fn weather(weather: &Value) -> Vec<(&'static str, String)> {
    let temperature = number(weather, "temperatureCelsius").map(|celsius| ("temperature", format!("{celsius:.0}")));
    [("weather", text(weather, "conditionsDescription").to_owned())].into_iter().chain(temperature).collect()
}

/// The text without the zero-width spaces and the escapes that Day One adds to ordinary punctuation.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\u{200b}', _) | ('\\', Some('.' | '!' | '-' | '(' | ')' | '+')) => {}
            _ => plain.push(c),
        }
    }
    plain
}

/// The text of an entry that has only the format of the editor.
fn rich_text(written: &str) -> String {
    let document: Value = serde_json::from_str(written).unwrap_or_default();
    let parts = document.get("contents").and_then(Value::as_array).into_iter().flatten();
    parts
        .map(|part| {
            let level = part.pointer("/attributes/line/header").and_then(Value::as_u64).unwrap_or(0);
            let mark = "#".repeat(level.min(6) as usize);
            let text = text(part, "text");
            if mark.is_empty() { text.to_owned() } else { format!("{mark} {text}") }
        })
        .collect()
}

/// An instant as Day One writes it, without fractions of a second.
fn instant(entry: &Entry) -> String {
    entry.time.at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn document(entries: &[Entry], out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let entries: Vec<Value> = entries.iter().map(record).collect();
    crate::sanitize::write_json(&json!({"metadata": {"version": "1.0"}, "entries": entries}), &mut *out)?;
    out.write_all(b"\n")
}

fn record(entry: &Entry) -> Value {
    let is_uuid = entry.id.as_str().len() == 32 && entry.id.as_str().bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut record = json!({
        "uuid": if is_uuid { entry.id.as_str().to_owned() } else { uuid_of(entry) },
        "creationDate": instant(entry),
        "timeZone": zone_name(entry.time.offset_seconds),
        "text": entry.body,
        "tags": entry.mood.iter().chain(&entry.tags).collect::<Vec<_>>(),
        "starred": entry.starred(),
    });
    let value = |name: &str| entry.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    if let Some(description) = value("weather") {
        record["weather"] = json!({"conditionsDescription": description});
        if let Some(celsius) = value("temperature").and_then(|text| text.parse::<f64>().ok()) {
            record["weather"]["temperatureCelsius"] = json!(celsius);
        }
    }
    let at = value("coordinates").and_then(|text| text.split_once(','));
    let degrees = |text: &str| text.trim().parse::<f64>().ok();
    if let Some((Some(latitude), Some(longitude))) = at.map(|(a, b)| (degrees(a), degrees(b))) {
        record["location"] = json!({"latitude": latitude, "longitude": longitude});
    }
    if let Some(place) = value("location") {
        record["location"]["placeName"] = json!(place);
    }
    record
}

/// 32 hex digits for an entry with another kind of id.
fn uuid_of(entry: &Entry) -> String {
    crate::journal::BodyHash::of(entry.id.as_str().as_bytes()).to_string()[..32].to_uppercase()
}

/// The zone of a fixed offset. `Etc/GMT` zones have whole hours and the sign of POSIX; another offset has no name.
fn zone_name(offset_seconds: i32) -> String {
    match (offset_seconds / 3600, offset_seconds % 3600) {
        (0, _) | (_, 1..) | (_, ..0) => "UTC".to_owned(),
        (hours, 0) => format!("Etc/GMT{:+}", -hours),
    }
}
