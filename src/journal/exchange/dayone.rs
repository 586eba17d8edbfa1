//! Import of Day One's JSON export: the zip archive, its folder, or one JSON file.
//!
//! An entry's day is that of its own time zone. Place and weather become extra keys; photos, recordings and documents
//! become attachments at their places in the text.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    ExchangeError, Exporter, Files, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot, coordinates,
    dayone_archive, degrees, either, flag, from_json, items, link_to, made_id, number, strings, text, time_in,
    wall_time, zone_named,
};
use crate::journal::{Entry, prose::outside_code};

pub(super) const IMPORTER: Importer = Importer {
    name: "dayone",
    about: "a JSON export of Day One: the zip file, its folder, or one journal in it",
    read,
};

pub(super) const EXPORTER: Exporter = Exporter {
    extension: "json",
    archive: Some(|entries, file, out| dayone_archive::write(entries, record, file, out)),
    ..Exporter::new("dayone", "for the import of Day One: JSON, or with photos a zip (--out NAME.zip)", document)
};

/// Fields that are read, or that say nothing about the entry.
const KNOWN: &str = "\
    uuid creationDate modifiedDate timeZone isAllDay text richText tags starred location weather userActivity \
    editingTime duration creationDevice creationDeviceModel creationDeviceType creationOSName creationOSVersion \
    sourceString photos videos audios pdfAttachments";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let has_several = source.files()?.ending(".json").nth(1).is_some();
    from_json(source, |record, at, files, imported| {
        let before = imported.entries.len();
        entry(record, at, options, files, imported);
        let journal = at.path.file_stem().filter(|_| has_several);
        let journal = journal.map(|name| ("journal".to_owned(), name.to_string_lossy().replace(char::is_control, " ")));
        imported.entries[before..].iter_mut().zip(journal).for_each(|(entry, journal)| entry.extra.push(journal));
    })
}

fn entry(record: &Value, at: Spot<'_>, options: &ImportOptions, files: &Files<'_>, imported: &mut Imported) {
    let created = text(record, "creationDate");
    let zone = Some(text(record, "timeZone")).filter(|zone| !zone.is_empty()).unwrap_or("UTC");
    let time = created.parse::<Timestamp>().ok().map(|at| time_in(at, zone, &options.zone));
    if zone_named(zone).is_none() {
        imported.lose(LossKind::Doubtful, at.path, at.line, format!("unknown time zone \"{zone}\": read in yours"));
    }
    let time = match time {
        Some(time) if flag(record, "isAllDay") => wall_time(time.local().date().at(12, 0, 0, 0), &options.zone),
        time => time,
    };
    let written = Some(plain(text(record, "text"))).filter(|text| !text.trim().is_empty());
    let body = written.unwrap_or_else(|| rich_text(text(record, "richText")));
    let uuid = text(record, "uuid");
    let id = if uuid.is_empty() { made_id("dayone", &[created, &body]) } else { uuid.to_owned() };
    let mut extra = place(record.get("location").unwrap_or(&Value::Null));
    extra.extend(weather(record.get("weather").unwrap_or(&Value::Null)));
    let activity = record.get("userActivity").unwrap_or(&Value::Null);
    extra.push(("activity", text(activity, "activityName").to_owned()));
    extra.extend(number(activity, "stepCount").filter(|steps| *steps > 0.0).map(|steps| ("steps", steps.to_string())));
    imported.count_unknown(record, KNOWN);
    let body = with_media(&body, record, at, files, imported);
    let record = Record {
        id,
        time,
        text: &body,
        tags: strings(record, "tags"),
        is_starred: flag(record, "starred"),
        is_undated: flag(record, "isAllDay"),
        extra,
        ..Record::default()
    };
    imported.add(record, at);
}

/// The lists of files in an entry, with the name of a file that has none of its own.
const MEDIA: [(&str, &str); 4] =
    [("photos", "photo"), ("videos", "video"), ("audios", "audio"), ("pdfAttachments", "document")];

/// The text with the files of the export in their places; those that the text does not show come below it.
fn with_media(text: &str, record: &Value, at: Spot<'_>, files: &Files<'_>, imported: &mut Imported) -> String {
    let mut changed = text.to_owned();
    for (list, word) in MEDIA {
        for item in items(record, list) {
            let (id, md5) = (self::text(item, "identifier"), self::text(item, "md5"));
            let own = Some(either(item, ["filename", "pdfName"])).filter(|own| !own.is_empty()).unwrap_or(word);
            let is_it = |name: &&String| {
                let stem = name.rsplit('/').next().and_then(|own| own.split('.').next());
                !md5.is_empty() && stem.is_some_and(|stem| stem.eq_ignore_ascii_case(md5))
            };
            let Some(name) = files.names.iter().find(is_it) else {
                // Day One leaves out what it has not downloaded.
                let entry = self::text(record, "creationDate");
                imported.lack(&format!("{own} of the entry {entry}"), at);
                continue;
            };
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            let stem = own.rsplit_once('.').map_or(own, |(stem, _)| stem);
            let label = format!("{stem}.{extension}");
            match imported.attach(files, name, &label) {
                Ok(path) => changed = with_link(&changed, id, &link_to(&path, &label)),
                Err(error) => imported.lose(LossKind::Doubtful, at.path, at.line, format!("\"{name}\": {error}")),
            }
        }
    }
    // Of a deleted photo, only its place in the text is left.
    let is_known = |id: &str| MEDIA.iter().any(|(list, _)| items(record, list).any(|item| item["identifier"] == id));
    let ids = text.split("](dayone-moment:").skip(1).filter_map(|place| place.split(')').next()?.rsplit('/').next());
    for id in ids.filter(|id| !is_known(id)) {
        imported.lack(&format!("dayone-moment {id}"), at);
    }
    changed
}

/// The text with a link in every place of a file (`![](dayone-moment://ID)`, `![](dayone-moment:/video/ID)`), or below.
fn with_link(text: &str, id: &str, link: &str) -> String {
    let (mut changed, mut rest, mut is_shown) = (String::with_capacity(text.len()), text, false);
    while let Some(start) = rest.find("![") {
        let (before, image) = rest.split_at(start);
        let end = image.find(')').map_or(image.len(), |end| end + 1);
        let is_place = image[..end].contains("](dayone-moment:") && image[..end].ends_with(&format!("/{id})"));
        changed.push_str(before);
        changed.push_str(if is_place && !id.is_empty() { link } else { &image[..end] });
        is_shown |= is_place && !id.is_empty();
        rest = &image[end..];
    }
    changed.push_str(rest);
    if is_shown { changed } else { format!("{}\n\n{link}", changed.trim_end()).trim_start().to_owned() }
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
    let temperature = number(weather, "temperatureCelsius").map(|celsius| ("temperature", degrees(celsius)));
    [("weather", text(weather, "conditionsDescription").to_owned())].into_iter().chain(temperature).collect()
}

/// The punctuation that Day One escapes outside code.
const ESCAPED: [char; 6] = ['.', '!', '-', '(', ')', '+'];

/// The text without the zero-width spaces and the escapes that Day One adds. Between two letters, a zero-width space is of
/// the writer: Thai has no other.
fn plain(text: &str) -> String {
    let is_letter = |c: char| !c.is_whitespace() && !c.is_ascii_punctuation();
    outside_code(text, |text| {
        let mut plain = String::with_capacity(text.len());
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match (c, rest.peek()) {
                ('\u{200b}', Some(next)) if is_letter(*next) && plain.ends_with(is_letter) => plain.push(c),
                ('\u{200b}', _) => {}
                ('\\', Some(next)) if ESCAPED.contains(next) => {}
                _ => plain.push(c),
            }
        }
        plain
    })
}

/// The text with the backslashes that [`plain`] would remove escaped.
fn escaped(text: &str) -> String {
    outside_code(text, |text| {
        ESCAPED.iter().fold(text.to_owned(), |text, c| text.replace(&format!("\\{c}"), &format!("\\\\{c}")))
    })
}

/// The text of an entry that has only the format of the editor.
fn rich_text(written: &str) -> String {
    let document: Value = serde_json::from_str(written).unwrap_or_default();
    items(&document, "contents")
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
        "text": escaped(&entry.body),
        "tags": entry.mood.iter().chain(&entry.tags).collect::<Vec<_>>(),
        "starred": entry.starred(),
        "isAllDay": !entry.has_clock(),
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

/// The zone of a fixed offset. `Etc/GMT` zones have whole hours and the sign of POSIX; others have Apple's names.
fn zone_name(offset_seconds: i32) -> String {
    let sign = if offset_seconds < 0 { '-' } else { '+' };
    match (offset_seconds / 3600, offset_seconds.abs() / 60 % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("Etc/GMT{:+}", -hours),
        (hours, minutes) => format!("GMT{sign}{:02}{minutes:02}", hours.abs()),
    }
}
