//! Conversion of other programs' records to entries, with lenient access to their JSON.

use std::path::Path;

use jiff::{Timestamp, fmt::strtime::BrokenDownTime, tz::TimeZone};
use serde_json::Value;

use super::{
    ExchangeError, Imported, LossKind,
    source::{Files, Source, trimmed_block},
};
use crate::journal::{EntryTime, NewEntry, NewRecord};

/// A record of another program.
#[derive(Default)]
pub(super) struct Record<'a> {
    pub id: String,
    pub former_id: Option<String>,
    /// `None` if the record has no valid time: it is left out.
    pub time: Option<EntryTime>,
    pub title: &'a str,
    pub text: &'a str,
    /// Whether blank lines and spaces around the text are kept.
    pub is_verbatim: bool,
    pub mood: Option<String>,
    pub tags: Vec<String>,
    pub event_time: Option<String>,
    pub is_starred: bool,
    /// Whether the time is an assumption.
    pub is_undated: bool,
    /// Further fields: key and value.
    pub extra: Vec<(&'a str, String)>,
}

/// The place of a record, for messages.
#[derive(Clone, Copy)]
pub(super) struct Spot<'a> {
    pub path: &'a Path,
    /// Line, or number of the record, from 1.
    pub line: usize,
}

/// Reads the records of all JSON files of a source.
pub(super) fn from_json(
    source: &Source,
    mut entry: impl FnMut(&Value, Spot<'_>, &Files<'_>, &mut Imported),
) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let files = source.files()?;
    for name in files.ending(".json") {
        let path = files.path(name);
        match serde_json::from_str(&files.text(name, &mut imported)?) {
            Ok(document) => {
                for (index, record) in records(document).iter().enumerate() {
                    entry(record, Spot { path: &path, line: index + 1 }, &files, &mut imported);
                }
            }
            Err(error) => imported.lose(LossKind::Skipped, &path, error.line(), format!("not JSON: {error}")),
        }
    }
    Ok(imported)
}

impl Imported {
    /// Adds a record. A title becomes a heading, unless the text begins with it.
    pub(super) fn add(&mut self, record: Record<'_>, at: Spot<'_>) {
        let Some(time) = record.time else {
            return self.lose(LossKind::Skipped, at.path, at.line, "no valid time");
        };
        let title = one_line(record.title);
        let text = if record.is_verbatim { record.text } else { trimmed_block(record.text) };
        let sign = if record.is_verbatim { "" } else { "#" };
        let body = match (title.is_empty(), text.is_empty()) {
            (true, _) => text.to_owned(),
            (false, true) => title,
            (false, false) if text.trim_start_matches(['#', ' ']).starts_with(&title) => text.to_owned(),
            (false, false) => format!("# {title}\n\n{text}"),
        };
        let mut tags: Vec<String> = Vec::new();
        for tag in record.tags.iter().map(|tag| one_line(tag.trim().trim_start_matches(sign))) {
            if !tag.is_empty() && !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        let mood = record.mood.map(|mood| one_line(&mood)).filter(|mood| !mood.is_empty());
        let has_keys = record.extra.iter().any(|(_, value)| !value.trim().is_empty());
        if body.is_empty() && mood.is_none() && tags.is_empty() && !has_keys {
            return self.lose(LossKind::Skipped, at.path, at.line, "an entry without text");
        }
        let mut extra = Vec::new();
        let flags = [("star", record.is_starred), ("undated", record.is_undated)];
        let flags: Vec<&str> = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(key, _)| key).collect();
        let others = record.extra.into_iter().filter(|(key, _)| !flags.contains(key));
        for (key, value) in flags.iter().map(|key| (*key, "true".to_owned())).chain(others) {
            if value.trim().contains('\n') {
                self.lose(LossKind::Doubtful, at.path, at.line, format!("the lines of `{key}` become one"));
            }
            let value = one_line(&value);
            if !value.is_empty() {
                self.keep_extra(&mut extra, key, &value);
            }
        }
        let id = Some(record.id).filter(|id| !id.trim().is_empty() && !id.contains(char::is_control));
        let event_time = record.event_time.map(|time| one_line(&time)).filter(|time| !time.is_empty());
        let (time, former_id) = (Some(time), record.former_id);
        self.entries.push(NewEntry { time, id, former_id, mood, tags, event_time, extra, body });
    }

    /// Adds a record of kioku, with further keys. Its fields become one line each.
    pub(super) fn add_record(&mut self, mut record: NewRecord, extra: Vec<(&str, String)>, at: Spot<'_>) {
        if record.time.is_none() {
            return self.lose(LossKind::Skipped, at.path, at.line, "no valid time");
        }
        record.text = trimmed_block(&record.text).to_owned();
        if record.text.is_empty() {
            return self.lose(LossKind::Skipped, at.path, at.line, "a record without text");
        }
        record.tags = record.tags.iter().map(|tag| one_line(tag)).filter(|tag| !tag.is_empty()).collect();
        let mut entry = record.entry();
        let known = std::mem::take(&mut entry.extra).into_iter();
        let extra = extra.into_iter().map(|(key, value)| (key.to_owned(), value));
        for (key, value) in known.chain(extra).map(|(key, value)| (key, one_line(&value))) {
            match entry.extra.iter_mut().find(|(known, _)| *known == key) {
                Some((_, known)) => *known = value,
                None if value.is_empty() => {}
                None => self.keep_extra(&mut entry.extra, &key, &value),
            }
        }
        self.entries.push(entry);
    }

    /// Counts the fields of a record that are neither known (names between spaces) nor empty.
    pub(super) fn count_unknown(&mut self, record: &Value, known: &str) {
        for (field, value) in record.as_object().into_iter().flatten() {
            let is_empty = match value {
                Value::Null => true,
                Value::Bool(truth) => !truth,
                Value::Number(_) => false,
                Value::String(text) => text.is_empty(),
                Value::Array(items) => items.is_empty(),
                Value::Object(fields) => fields.is_empty(),
            };
            if !is_empty && !known.split(' ').any(|name| name == field) {
                self.count_not_kept(field);
            }
        }
    }
}

/// Control characters, also line breaks, become spaces.
fn one_line(text: &str) -> String {
    text.trim().replace(char::is_control, " ")
}

pub(super) fn text<'v>(record: &'v Value, key: &str) -> &'v str {
    record.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The first of two fields that has a text: versions of a program name them differently.
pub(super) fn either<'v>(row: &'v Value, keys: [&str; 2]) -> &'v str {
    keys.map(|key| text(row, key)).into_iter().find(|value| !value.is_empty()).unwrap_or_default()
}

/// A number, also one written as a string.
pub(super) fn number(record: &Value, key: &str) -> Option<f64> {
    let value = record.get(key)?;
    value.as_f64().or_else(|| value.as_str()?.parse().ok()).filter(|number| number.is_finite())
}

/// The items of a list; none if it is no list.
pub(super) fn items<'v>(record: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    record.get(key).and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn strings(record: &Value, key: &str) -> Vec<String> {
    items(record, key).filter_map(Value::as_str).map(str::to_owned).collect()
}

pub(super) fn flag(record: &Value, key: &str) -> bool {
    record.get(key).is_some_and(|value| value.as_bool().unwrap_or_else(|| value.as_f64() == Some(1.0)))
}

/// An instant in the named zone, or else in `zone`.
pub(super) fn time_in(at: Timestamp, name: &str, zone: &TimeZone) -> EntryTime {
    EntryTime::of(&at.to_zoned(zone_named(name).unwrap_or_else(|| zone.clone())))
}

/// A zone by its name, also Apple's name of a fixed offset: `GMT+0530`.
pub(super) fn zone_named(name: &str) -> Option<TimeZone> {
    let fixed = || Some(BrokenDownTime::parse("GMT%z", name).ok()?.offset()?.to_time_zone());
    TimeZone::get(name).ok().filter(|_| !name.is_empty()).or_else(fixed)
}

/// The instant of a number of milliseconds since 1970.
pub(super) fn milliseconds(record: &Value, key: &str) -> Option<Timestamp> {
    Timestamp::from_millisecond(number(record, key)? as i64).ok()
}

/// The records of a document: a list, the list under `entries`, or one object.
pub(super) fn records(document: Value) -> Vec<Value> {
    match document {
        Value::Array(items) => items,
        Value::Object(mut fields) => match fields.remove("entries") {
            Some(Value::Array(items)) => items,
            _ => vec![Value::Object(fields)],
        },
        _ => Vec::new(),
    }
}

/// A temperature with one decimal, if it has any.
pub(super) fn degrees(celsius: f64) -> String {
    ((celsius * 10.0).round() / 10.0 + 0.0).to_string()
}

/// `latitude, longitude` of a place on earth.
pub(super) fn coordinates(latitude: Option<f64>, longitude: Option<f64>) -> Option<String> {
    let (latitude, longitude) = (latitude?, longitude?);
    let is_there = latitude.abs() <= 90.0 && longitude.abs() <= 180.0 && (latitude, longitude) != (0.0, 0.0);
    is_there.then(|| format!("{latitude:.5}, {longitude:.5}"))
}
