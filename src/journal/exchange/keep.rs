//! Import of Google Keep from Google Takeout: one JSON file per note, in a zip archive or its folder.
//!
//! Notes in the trash are left out and counted. A checklist becomes a list of tasks; images and recordings become attachments
//! below the text.

use jiff::Timestamp;
use serde_json::Value;

use super::{
    ExchangeError, Files, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot, either, flag, from_json,
    items, made_id, number, text, time_in,
};

pub(super) const IMPORTER: Importer =
    Importer { name: "keep", about: "notes of Google Keep from Google Takeout: the zip file or its folder", read };

/// Fields that are read, or that say nothing about the note.
const KNOWN: &str = "\
    title textContent textContentHtml listContent labels createdTimestampUsec userEditedTimestampUsec isTrashed \
    isArchived isPinned color annotations attachments";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    from_json(source, |note, at, files, imported| entry(note, at, options, files, imported))
}

fn entry(note: &Value, at: Spot<'_>, options: &ImportOptions, files: &Files<'_>, imported: &mut Imported) {
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
    let body = body(note);
    let color = text(note, "color");
    let yes = || "true".to_owned();
    let mut extra = Vec::new();
    extra.extend(flag(note, "isPinned").then(|| ("pinned", yes())));
    extra.extend(flag(note, "isArchived").then(|| ("archived", yes())));
    extra.extend((!["", "DEFAULT"].contains(&color)).then(|| ("color", color.to_lowercase())));
    imported.count_unknown(note, KNOWN);
    let (title, time) = (text(note, "title"), created.or(edited));
    let id = made_id("keep", &[&time.map(|at| at.to_string()).unwrap_or_default(), title, &body]);
    let paths = items(note, "attachments").map(|file| text(file, "filePath"));
    let body = imported.attach_below(body, files, paths, at);
    let record = Record {
        id,
        time: time.map(|at| time_in(at, "", &options.zone)),
        title,
        text: &body,
        tags: items(note, "labels").map(|label| text(label, "name").to_owned()).collect(),
        extra,
        ..Record::default()
    };
    imported.add(record, at);
}

/// The text, the checklist, and the links that the text does not contain.
fn body(note: &Value) -> String {
    let written = text(note, "textContent").replace("\r\n", "\n");
    let tasks: Vec<String> = items(note, "listContent")
        .map(|item| format!("- [{}] {}", if flag(item, "isChecked") { "x" } else { " " }, text(item, "text")))
        .collect();
    let links: Vec<String> = items(note, "annotations")
        .filter(|link| !text(link, "url").is_empty() && !written.contains(text(link, "url")))
        .map(|link| match (either(link, ["title", "description"]), text(link, "url")) {
            ("", url) => format!("<{url}>"),
            (title, url) => format!("[{title}]({url})"),
        })
        .collect();
    let parts = [written, tasks.join("\n"), links.join("\n")];
    parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}
