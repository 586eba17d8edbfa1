//! Import of folders of dated notes, such as the daily notes of Obsidian and the journals of Logseq.
//!
//! The notes are read as `--vault` reads them: by the date in the name of the file, with front matter, `key:: value`
//! properties and time sections. Links and outlines stay text. A note without a time is kept at noon with
//! `undated: true`. Pages without a date are no entries: the report lists them.

use std::sync::Arc;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind,
    records::{Record, Spot},
    source::{Files, Source, made_id, wall_time},
};
use crate::journal::{
    EntryTime, WrittenEntry,
    day_file::{self, Reading},
    day_names::{day_of, is_conflict_copy, is_text, title_of},
};

pub(super) const OBSIDIAN: Importer =
    Importer { name: "obsidian", about: "the daily notes of an Obsidian vault: its folder or a zip of it", read };
pub(super) const LOGSEQ: Importer =
    Importer { name: "logseq", about: "the journals of a Logseq graph: its folder or a zip of it", read };
pub(super) const NOTES: Importer =
    Importer { name: "notes", about: "any folder of notes with dates in their names, such as 2026-08-07.md", read };

/// The folder of Logseq's settings and of its copies of old texts.
const LOGSEQ_FOLDER: &str = "logseq/";

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let files = source.files()?;
    let notes: Vec<&String> = files.names.iter().filter(|name| !name.starts_with(LOGSEQ_FOLDER)).collect();
    for name in notes {
        let path = files.path(name);
        if !is_text(name) {
            imported.count_not_kept(&format!("file of type {}", name.rsplit_once('.').map_or("?", |(_, kind)| kind)));
        } else if is_conflict_copy(name) {
            imported.lose(LossKind::Skipped, &path, 1, "a conflict copy of a sync program");
        } else if day_of(name).is_none() {
            imported.lose(LossKind::Skipped, &path, 1, "a page without a date in its name");
        } else {
            note(&files, name, options, &mut imported)?;
        }
    }
    Ok(imported)
}

fn note(files: &Files<'_>, name: &str, options: &ImportOptions, imported: &mut Imported) -> Result<(), ExchangeError> {
    let (path, bytes) = (files.path(name), files.bytes(name)?);
    let file: Arc<str> = name.into();
    let scan = day_file::scan(&bytes);
    for notice in day_file::notices(&bytes, &scan, &file) {
        imported.lose(LossKind::Doubtful, &path, notice.line, notice.message);
    }
    let reading = Reading { zone: options.zone.clone(), day_start: jiff::civil::Time::midnight() };
    let entries = day_file::entries(&bytes, &scan, &file, &reading);
    for (at, (WrittenEntry { entry, has_id }, block)) in entries.into_iter().zip(&scan.blocks).enumerate() {
        let has_head = !block.head.is_absent();
        let time = match entry.time.has_clock() {
            true => EntryTime::parse(&entry.time.written, &options.zone).map(|time| match has_head {
                true => time,
                false => wall_time(time.local(), &options.zone).unwrap_or(time),
            }),
            false => wall_time(entry.day.at(12, 0, 0, 0), &options.zone),
        };
        let body = entry.body.replace("\r\n", "\n");
        let mut extra: Vec<(&str, String)> =
            entry.extra.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        if !has_head {
            extra.extend(properties(&body));
        }
        if !entry.time.has_clock() {
            extra.push(("undated", "true".to_owned()));
        }
        let record = Record {
            id: match has_head && has_id {
                true => entry.id.to_string(),
                false => made_id("note", &[&entry.time.written, body.trim()]),
            },
            time,
            title: if at == 0 && !has_head { title_of(name) } else { "" },
            text: &body,
            mood: entry.mood,
            tags: entry.tags,
            event_time: entry.event_time,
            extra,
        };
        imported.add(record, Spot { path: &path, line: block.line });
    }
    Ok(())
}

/// The `key:: value` lines that a text begins with. They stay in the text, which has mood and tags of them already.
fn properties(text: &str) -> impl Iterator<Item = (&str, String)> {
    let pair = |line| -> Option<(&str, &str)> {
        let (key, value) = str::trim_start_matches(line, "- ").trim().split_once("::")?;
        (!key.is_empty() && !key.contains(char::is_whitespace)).then_some((key, value.trim()))
    };
    text.lines()
        .map_while(pair)
        .filter(|(key, value)| !value.is_empty() && !["mood", "tags"].contains(key))
        .map(|(key, value)| (key, value.to_owned()))
}
