//! Import of Google Keep from Google Takeout: one JSON file per note, in a zip archive or its folder.
//!
//! Notes in the trash are left out and counted. A checklist becomes a list of tasks, a photo or recording an
//! attachment.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind,
    records::{Record, Spot, flag, from_json, number, text, time_in},
    source::{Files, Source, made_id},
};

pub(super) const IMPORTER: Importer =
    Importer { name: "keep", about: "notes of Google Keep from Google Takeout: the zip file or its folder", read };

/// Fields that are read, or that say nothing about the note.
const KNOWN: &[&str] = &[
    "title",
    "textContent",
    "textContentHtml",
    "listContent",
    "labels",
    "createdTimestampUsec",
    "userEditedTimestampUsec",
    "isTrashed",
    "isArchived",
    "isPinned",
    "color",
    "annotations",
    "attachments",
];

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    from_json(source, |note, at, files, imported| entry(note, at, files, options, imported))
}

fn entry(note: &Value, at: Spot<'_>, files: &Files<'_>, options: &ImportOptions, imported: &mut Imported) {
    let instant = |key: &str| Timestamp::from_microsecond(number(note, key)? as i64).ok();
    let (created, edited) = (instant("createdTimestampUsec"), instant("userEditedTimestampUsec"));
    if flag(note, "isTrashed") {
        return imported.lose(LossKind::Skipped, at.path, at.line, "a note in the trash of Keep");
    }
    if created.or(edited).is_none() && note.get("textContent").is_none() && note.get("listContent").is_none() {
        return imported.lose(LossKind::Skipped, at.path, at.line, "no note of Keep");
    }
    if created.is_none() && edited.is_some() {
        let message = "no time of creation; the time of the last edit is used";
        imported.lose(LossKind::Doubtful, at.path, at.line, message);
    }
    let attached = || items(note, "attachments").map(|file| text(file, "filePath"));
    let found: Vec<&str> = attached().map(|name| spelled(files, name)).collect();
    let written = body(note);
    let body = imported.with_files(written.clone(), &found, ("attachments", "photo"), at, files);
    let color = text(note, "color");
    let yes = || "true".to_owned();
    let mut extra = Vec::new();
    extra.extend(flag(note, "isPinned").then(|| ("pinned", yes())));
    extra.extend(flag(note, "isArchived").then(|| ("archived", yes())));
    extra.extend((!["", "DEFAULT"].contains(&color)).then(|| ("color", color.to_lowercase())));
    imported.count_unknown(note, KNOWN);
    let (title, time) = (text(note, "title"), created.or(edited));
    let record = Record {
        id: made_id("keep", &[&time.map(|at| at.to_string()).unwrap_or_default(), title, &written]),
        time: time.map(|at| time_in(at, "", &options.zone)),
        title,
        text: &body,
        tags: items(note, "labels").map(|label| text(label, "name").to_owned()).collect(),
        extra,
        ..Record::default()
    };
    imported.add(record, at);
}

fn items<'v>(note: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    note.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// The name of an attached file in the archive, which may have another ending of the same kind: Takeout lists
/// `photo.jpeg` and packs `photo.jpg`.
fn spelled<'f>(files: &'f Files<'_>, name: &'f str) -> &'f str {
    if files.named(name).is_some() {
        return name;
    }
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let own = |path: &'f str| path.rsplit('/').next().unwrap_or(path);
    let is_it = |path: &&str| path.rsplit_once('.').is_some_and(|(other, kind)| other == stem && kind != "json");
    files.names.iter().map(|path| own(path)).find(is_it).unwrap_or(name)
}

/// The text, the checklist, and the links that the text does not contain.
fn body(note: &Value) -> String {
    let written = text(note, "textContent").replace("\r\n", "\n");
    let tasks: Vec<String> = items(note, "listContent")
        .map(|item| format!("- [{}] {}", if flag(item, "isChecked") { "x" } else { " " }, text(item, "text")))
        .collect();
    let links: Vec<String> = items(note, "annotations")
        .filter(|link| !text(link, "url").is_empty() && !written.contains(text(link, "url")))
        .map(|link| format!("[{}]({})", text(link, "title"), text(link, "url")))
        .collect();
    let parts = [written, tasks.join("\n"), links.join("\n")];
    parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}
