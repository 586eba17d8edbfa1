//! JSON lines: lossless export and import, one object per line.
//!
//! Keys: `id`, `time`, `day`, `mood`, `tags`, `event_time`, `text`, and `extra` if there are extra keys (an object, or
//! a list of pairs if a key occurs twice); `attachments` if the text links any. Import requires only `time` (a day without
//! a time is noon, with `undated: true`) and `text`, and ignores `day` and `attachments`, which follow from these.

use std::{io, path::Path};

use serde_json::{Map, Number, Value, json};

use super::{ExchangeError, Exporter, ImportOptions, Imported, Importer, LossKind, Source, Spot};
use crate::{
    journal::{Entry, EntryTime, NewEntry, attachments_in, write},
    sanitize,
};

pub(super) const IMPORTER: Importer = Importer {
    name: "jsonl",
    about: "one JSON object per line: time, text, and id, mood, tags, event_time where known",
    read,
};

pub(super) const EXPORTER: Exporter = Exporter::new(
    "jsonl",
    "one JSON object per line, everything an entry has; import reads it back without loss",
    document,
);

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let text = source.text(&mut imported)?;
    parse(&text, source.path(), options, &mut imported);
    Ok(imported)
}

fn parse(text: &str, path: &Path, options: &ImportOptions, imported: &mut Imported) {
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = Spot { path, line: index + 1 };
        match serde_json::from_str::<Value>(&with_digits(line)) {
            Ok(Value::Object(record)) => {
                if let Some(entry) = entry(record, at, options, imported) {
                    imported.entries.push(entry);
                }
            }
            Ok(_) => imported.lose(LossKind::Skipped, at.path, at.line, "not a JSON object"),
            Err(error) => imported.lose(LossKind::Skipped, at.path, at.line, format!("not JSON: {error}")),
        }
        for field in std::mem::take(&mut imported.not_kept).into_keys() {
            imported.lose(LossKind::Doubtful, at.path, at.line, format!("`{field}` is not kept"));
        }
    }
}

/// The line with those numbers in quotes whose digits would change: the journal keeps both as text.
fn with_digits(line: &str) -> String {
    let (mut quoted, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(at) = rest.find(['"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) {
        let (before, from) = rest.split_at(at);
        let end = match from.starts_with('"') {
            true => string_end(from),
            false => from.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(from.len()),
        };
        let (token, behind) = from.split_at(end);
        let changes = serde_json::from_str::<Number>(token).is_ok_and(|number| number.to_string() != token);
        let quote = if changes { "\"" } else { "" };
        quoted.extend([before, quote, token, quote]);
        rest = behind;
    }
    quoted + rest
}

/// The end of the JSON string that a text begins with.
fn string_end(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return at + 1,
            '\\' => drop(chars.next()),
            _ => {}
        }
    }
    text.len()
}

fn entry(
    record: Map<String, Value>,
    at: Spot<'_>,
    options: &ImportOptions,
    imported: &mut Imported,
) -> Option<NewEntry> {
    // Not in double quotes: the report groups reasons that differ only in those.
    let required = |key: &str| match record.get(key) {
        None | Some(Value::Null) => Err(format!("no `{key}`")),
        Some(value) => value.as_str().ok_or_else(|| format!("`{key}` is not a string")),
    };
    let time = required("time").and_then(|written| {
        options.moment(written, None).ok_or_else(|| format!("\"{written}\" is not an ISO 8601 date or date-time"))
    });
    let (time, body) = match time.and_then(|time| Ok((time, required("text")?))) {
        Ok(found) => found,
        Err(reason) => {
            imported.lose(LossKind::Skipped, at.path, at.line, reason);
            return None;
        }
    };
    let written = record["time"].as_str().unwrap_or_default();
    // The offset that the time gets depends on the zone of the import.
    let is_local = written != time.written && EntryTime::parse(written, &options.zone).is_some();
    let own_id = is_local.then(|| write::derived_id(written, body.as_bytes()));
    let mut new = NewEntry { time: Some(time), body: body.to_string(), ..NewEntry::default() };
    for (key, value) in &record {
        match key.as_str() {
            "time" | "text" | "day" => {}
            "attachments" if is_in_text(value, body) => {}
            "id" => new.id = id(value, at, imported),
            "mood" => new.mood = scalar(value, key, imported),
            "event_time" => new.event_time = scalar(value, key, imported),
            "tags" => new.tags = tags(value, imported),
            "extra" => extra(value, &mut new.extra, imported),
            _ => field(key, value, &mut new.extra, imported),
        }
    }
    new.id = new.id.or(own_id);
    if !options.has_clock(written, None) && new.extra.iter().all(|(key, _)| key != "undated") {
        new.extra.push(("undated".to_owned(), "true".to_owned()));
    }
    Some(new)
}

/// Whether a text links all the files of a list.
fn is_in_text(files: &Value, text: &str) -> bool {
    let linked = attachments_in(text);
    let is_linked = |file: &Value| linked.iter().any(|path| file == path);
    files.as_array().is_some_and(|files| files.iter().all(is_linked))
}

fn id(value: &Value, at: Spot<'_>, imported: &mut Imported) -> Option<String> {
    let id = plain(value)?;
    let usable = !id.trim().is_empty() && id.trim() == id && !id.chars().any(char::is_control);
    if !usable {
        let message = format!("{value} cannot be an id; the entry gets a new one");
        imported.lose(LossKind::Doubtful, at.path, at.line, message);
    }
    usable.then_some(id)
}

/// A string, number or boolean as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn scalar(value: &Value, key: &str, imported: &mut Imported) -> Option<String> {
    if matches!(value, Value::Array(_) | Value::Object(_)) {
        imported.count_not_kept(key);
    }
    plain(value).filter(|text| !text.is_empty())
}

/// Tags from a list or from one comma-separated string.
fn tags(value: &Value, imported: &mut Imported) -> Vec<String> {
    let mut found = Vec::new();
    match value {
        Value::Null => {}
        Value::Array(items) => {
            for item in items {
                match plain(item) {
                    Some(tag) if !tag.is_empty() => found.push(tag),
                    Some(_) => {}
                    None => imported.count_not_kept("tags"),
                }
            }
        }
        Value::String(line) => {
            found.extend(line.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_string));
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) => imported.count_not_kept("tags"),
    }
    found
}

/// Extra keys as the exporter writes them: an object or a list of pairs.
fn extra(value: &Value, kept: &mut Vec<(String, String)>, imported: &mut Imported) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (key, value) in fields {
                field(key, value, kept, imported);
            }
        }
        Value::Array(pairs) => {
            for pair in pairs {
                match pair.as_array().map(Vec::as_slice) {
                    Some([Value::String(key), value]) => field(key, value, kept, imported),
                    _ => imported.count_not_kept("extra"),
                }
            }
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => imported.count_not_kept("extra"),
    }
}

fn field(key: &str, value: &Value, kept: &mut Vec<(String, String)>, imported: &mut Imported) {
    match plain(value) {
        Some(text) => imported.keep_extra(kept, key, &text),
        None if value.is_null() => {}
        None => imported.count_not_kept(key),
    }
}

fn document(entries: &[Entry], out: &mut dyn io::Write) -> io::Result<()> {
    for entry in entries {
        sanitize::write_json(&record(entry), &mut *out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn record(entry: &Entry) -> Value {
    let mut record = json!({
        "id": entry.id,
        "time": entry.time.written,
        "day": entry.day.to_string(),
        "mood": entry.mood,
        "tags": entry.tags,
        "event_time": entry.event_time,
        "text": entry.body,
    });
    let attachments = entry.attachments();
    if !attachments.is_empty() {
        record["attachments"] = json!(attachments);
    }
    if !entry.extra.is_empty() {
        let repeated =
            entry.extra.iter().enumerate().any(|(at, (key, _))| entry.extra[..at].iter().any(|(k, _)| k == key));
        record["extra"] = if repeated {
            entry.extra.iter().map(|(key, value)| json!([key, value])).collect()
        } else {
            Value::Object(entry.extra.iter().map(|(key, value)| (key.clone(), json!(value))).collect())
        };
    }
    record
}

#[cfg(test)]
#[path = "jsonl_tests.rs"]
mod tests;
