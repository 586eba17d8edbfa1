//! Import of folders of dated notes, such as the daily notes of Obsidian and the journals of Logseq.
//!
//! The notes are read as `--vault` reads them: by the date in the name of the file, with front matter, `key:: value`
//! properties and time sections. Images become attachments; links and outlines stay text. A note without a time is kept
//! at noon with `undated: true`. Pages without a date are no entries: the report lists them.

use std::sync::Arc;

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind, Record, Spot, link_to,
    source::{Files, Source, composed, made_id, wall_time},
};
use crate::journal::{
    RecordKind, WrittenEntry,
    attachment::link,
    day_file::{self, Reading},
    day_names::{day_of, is_conflict_copy, is_text, title_of},
    folders::OURS,
    front_matter::properties,
    is_image, percent_decoded, with_embeds_replaced, with_image_targets,
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
    let (notes, others): (Vec<&String>, Vec<&String>) =
        files.names.iter().filter(|name| !files.inner(name).starts_with(LOGSEQ_FOLDER)).partition(|name| is_text(name));
    for name in notes {
        let path = files.path(name);
        if is_conflict_copy(name) {
            imported.lose(LossKind::Skipped, &path, 1, "a conflict copy of a sync program");
        } else if files.inner(name).split_once('/').is_some_and(|(folder, _)| OURS.contains(&folder)) {
            // Such as what was deleted from a folder that is open with `--vault`.
            imported.lose(LossKind::Skipped, &path, 1, "a file in a folder that kioku keeps beside the entries");
        } else if day_of(name).is_none() {
            imported.lose(LossKind::Skipped, &path, 1, "a page without a date in its name");
        } else {
            note(&files, name, options, &mut imported)?;
        }
    }
    let unused: Vec<&String> = others.into_iter().filter(|name| !imported.has_attached(name)).collect();
    for name in unused {
        imported.count_not_kept(&format!("file of type {}", name.rsplit_once('.').map_or("?", |(_, kind)| kind)));
    }
    Ok(imported)
}

/// The text with the images and files that it shows as attachments: `![](../assets/a.png)`, and `![[a.png|300]]` of
/// Obsidian, whose target is the name of a file in any folder.
fn with_files(text: &str, note: &str, files: &Files<'_>, at: Spot<'_>, imported: &mut Imported) -> String {
    let mut missing = Vec::new();
    let mut attach = |name: &str| {
        let label = name.rsplit('/').next().unwrap_or(name);
        Some((imported.attach(files, name, label).ok()?, label.to_owned()))
    };
    let beside = |target: &str| {
        let target = composed(&percent_decoded(target));
        let folder = note.rsplit_once('/').map_or("", |(folder, _)| folder);
        let places = [joined(folder, &target), joined(&files.top, &target)];
        places.into_iter().flatten().find_map(|path| files.names.iter().find(|name| **name == path))
    };
    let shown = with_image_targets(text, |target| {
        let found = beside(target);
        missing.extend(found.is_none().then(|| target.to_owned()).filter(|target| !target.contains(':')));
        Some(attach(found?)?.0)
    });
    let changed = with_embeds_replaced(shown.as_deref().unwrap_or(text), |inner| {
        let (target, caption) = inner.split_once('|').map_or((inner, None), |(target, own)| (target, Some(own)));
        // In a table, the bar is escaped.
        let target = target.split('#').next().unwrap_or(target).trim_end_matches('\\').trim();
        let name = beside(target).map(String::as_str).or_else(|| files.named(target.rsplit('/').next()?));
        missing.extend((name.is_none() && is_image(target)).then(|| target.to_owned()));
        let (path, label) = name.filter(|name| !is_text(name)).and_then(&mut attach)?;
        Some(caption.map_or_else(|| link_to(&path, &label), |own| link(own, path.rsplit('/').next().unwrap_or(&path))))
    });
    missing.iter().for_each(|file| imported.lack(file, at));
    changed
}

/// A relative path from a folder of the source; `None` if it leads out of it.
fn joined(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn note(files: &Files<'_>, name: &str, options: &ImportOptions, imported: &mut Imported) -> Result<(), ExchangeError> {
    let (path, mut bytes) = (files.path(name), files.text(name, imported)?.into_bytes());
    let file: Arc<str> = name.into();
    if day_file::scan(&bytes).blocks.is_empty() {
        // The empty item makes an entry of front matter alone.
        bytes.extend_from_slice(b"\n-\n");
    }
    let scan = day_file::scan(&bytes);
    for notice in day_file::notices(&bytes, &scan, &file) {
        imported.lose(LossKind::Doubtful, &path, notice.line, notice.message);
    }
    let reading = Reading { zone: options.zone.clone(), day_start: jiff::civil::Time::midnight() };
    let entries = day_file::entries(&bytes, &scan, &file, &reading);
    for (at, (WrittenEntry { entry, has_id }, block)) in entries.into_iter().zip(&scan.blocks).enumerate() {
        let has_head = !block.head.is_absent();
        // Logseq begins the page of a day with an empty item.
        let is_blank = !has_head && entry.body.lines().all(|line| matches!(line.trim(), "" | "-"));
        if is_blank && block.front.is_empty() {
            continue;
        }
        let time = match entry.time.has_clock() {
            true if has_head => options.moment(&entry.time.written, None),
            true => wall_time(entry.time.local(), &options.zone),
            false => wall_time(entry.day.at(12, 0, 0, 0), &options.zone),
        };
        let body = if is_blank { String::new() } else { entry.body };
        let mut extra: Vec<(&str, String)> =
            entry.extra.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        if !has_head {
            // They stay in the text, which has mood and tags of them already.
            let own = properties(&body).take_while(|(key, _)| key.starts_with(char::is_alphanumeric));
            let own = own.filter(|(key, value)| !value.is_empty() && !["mood", "tags"].contains(key));
            extra.extend(own.map(|(key, value)| (key, value.to_owned())));
            // A clock time is in the time of the entry; a foreign `record` would hide the entry among the records.
            extra.retain(|(key, value)| match *key {
                "time" => !entry.time.has_clock(),
                "record" if RecordKind::parse(value).is_none() => {
                    imported.count_not_kept(key);
                    false
                }
                _ => true,
            });
        }
        let spot = Spot { path: &path, line: block.line };
        let shown = with_files(&body, name, files, spot, imported);
        let of_text = made_id("note", &[&entry.time.written, body.trim()]);
        // A note in another folder may have the same name.
        let named = entry.id.as_str().rsplit('/').next().map(|name| made_id("note", &[name]));
        let is_taken = imported.entries.iter().any(|other| other.id == named);
        let of_name = named.filter(|_| !is_taken).unwrap_or_else(|| made_id("note", &[name, entry.id.as_str()]));
        let (id, former_id) = match (has_head, has_id) {
            (true, true) => (entry.id.to_string(), None),
            (true, false) => (of_text, None),
            (false, _) => (of_name, Some(of_text)),
        };
        let record = Record {
            id,
            former_id,
            time,
            title: if at == 0 && !has_head { title_of(name) } else { "" },
            text: &shown,
            mood: entry.mood,
            tags: entry.tags,
            event_time: entry.event_time,
            is_undated: !entry.time.has_clock(),
            extra,
            ..Record::default()
        };
        imported.add(record, spot);
    }
    Ok(())
}
