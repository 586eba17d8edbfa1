//! Import of my-kioku vaults: `journal/YYYY/MM/YYYY-MM-DD.md` with an entry under each `## HH:MM`, and `entities/<Name>.md`.
//!
//! Of an entry's leading field lines, `mood::`, `tags::` and `superseded::` move to the head; `verb:: [[Name]]` lines
//! stay in the body, where kioku reads them too. Values in a day's front matter become trackers of the day's first
//! entry. Entity notes become curated notes with type, aliases and text.
//!
//! my-kioku names an entry by its day and its position in the day (`2026-05-01#2`). The id becomes
//! `my-kioku-2026-05-01-2`, also in references in `superseded`.

use std::path::{Path, PathBuf};

use jiff::civil::{Date, Time};

use super::{
    ExchangeError, ImportOptions, Imported, ImportedNote, Importer, LossKind, Record, Source, Spot, files_below,
    read_text, title_lines, trimmed_block, wall_time,
};
use crate::journal::{
    EntityKind, NewEntry, head,
    merge_keys::{self, Field},
    note::scalar,
    value,
};

pub(super) const IMPORTER: Importer =
    Importer { name: "my-kioku", about: "a my-kioku vault (journal/ and entities/), or one of its day files", read };

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let path = source.path();
    let mut imported = Imported::default();
    let days = day_files(path)?;
    if days.is_empty() {
        return Err(source.without("day files such as 2026-08-07.md"));
    }
    for (file, day) in days {
        match read_text(&file, &mut imported) {
            Ok(text) => DayReader { path: &file, day, options }.read(&text, &mut imported),
            Err(error) => imported.lose(LossKind::Skipped, &file, 1, error.to_string()),
        }
    }
    for folder in ["entities", "insights"] {
        for file in markdown_below(&path.join(folder))? {
            if folder == "insights" {
                imported.lose(LossKind::Skipped, &file, 1, "insight notes are not supported");
                continue;
            }
            match read_text(&file, &mut imported) {
                Ok(text) => note(&text, &file, &mut imported),
                Err(error) => imported.lose(LossKind::Skipped, &file, 1, error.to_string()),
            }
        }
    }
    Ok(imported)
}

fn markdown_below(folder: &Path) -> Result<Vec<PathBuf>, ExchangeError> {
    let mut files = if folder.is_dir() { files_below(folder)? } else { Vec::new() };
    files.retain(|file| file.extension().is_some_and(|ending| ending == "md"));
    Ok(files)
}

fn day_files(path: &Path) -> Result<Vec<(PathBuf, Date)>, ExchangeError> {
    let files = if path.is_file() {
        vec![path.to_path_buf()]
    } else {
        let journal = path.join("journal");
        markdown_below(if journal.is_dir() { &journal } else { path })?
    };
    let day = |file: &Path| file.file_stem()?.to_str()?.parse::<Date>().ok();
    Ok(files.into_iter().filter_map(|file| day(&file).map(|day| (file, day))).collect())
}

struct DayReader<'a> {
    path: &'a Path,
    day: Date,
    options: &'a ImportOptions,
}

impl DayReader<'_> {
    fn read(&self, text: &str, imported: &mut Imported) {
        let lines: Vec<&str> = text.lines().collect();
        let (front, mut at) = front_matter(&lines, title_lines(&lines, self.day));
        at += title_lines(&lines[at..], self.day);
        let heads: Vec<(usize, Time)> = (at..lines.len())
            .filter(|&index| index == at || lines[index - 1].trim().is_empty())
            .filter_map(|index| Some((index, heading(lines[index])?)))
            .collect();
        let already = imported.entries.len();
        let before = lines[at..heads.first().map_or(lines.len(), |head| head.0)].join("\n");
        self.undated(trimmed_block(&before), at, imported);
        for (number, (start, time)) in heads.iter().enumerate() {
            let end = heads.get(number + 1).map_or(lines.len(), |next| next.0);
            self.entry(number + 1, *time, start + 1, &lines[start + 1..end], imported);
        }
        self.trackers(&front, already, imported);
    }

    fn entry(&self, number: usize, time: Time, line: usize, lines: &[&str], imported: &mut Imported) {
        let mut new = NewEntry { id: Some(id(self.day, number)), ..NewEntry::default() };
        let start = lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(lines.len());
        let zone = lines[start..].iter().take_while(|line| field(line).is_some()).count();
        let mut kept: Vec<&str> = Vec::new();
        for field_line in &lines[start..start + zone] {
            if !self.lift(field_line, &mut new, imported) {
                kept.push(field_line);
            }
        }
        kept.extend(&lines[start + zone..]);
        new.body = trimmed_block(&kept.join("\n")).to_string();
        new.time = wall_time(self.day.to_datetime(time), &self.options.zone);
        if new.time.is_none() {
            imported.lose(LossKind::Skipped, self.path, line, "outside the supported range of times");
        } else if new.body.is_empty() && new.mood.is_none() && new.tags.is_empty() {
            imported.lose(LossKind::Skipped, self.path, line, "an entry without text");
        } else {
            imported.entries.push(new);
        }
    }

    /// Moves a field line into the head; false if it belongs to the text.
    fn lift(&self, line: &str, new: &mut NewEntry, imported: &mut Imported) -> bool {
        let Some((name, value)) = field(line) else { return false };
        match name {
            "mood" if new.mood.is_none() => {
                let (mood, strength) = match value.rsplit_once('/') {
                    Some((mood, strength)) if matches!(strength, "1" | "2" | "3" | "4" | "5") => (mood, Some(strength)),
                    _ => (value, None),
                };
                new.mood = Some(mood.trim().to_string());
                new.extra.extend(strength.map(|strength| ("mood_strength".to_string(), strength.to_string())));
                true
            }
            "tags" if new.tags.is_empty() => {
                let tags = value::list(value).into_iter().map(|tag| tag.trim_start_matches('#').to_owned());
                new.tags = tags.filter(|tag| !tag.is_empty()).collect();
                true
            }
            "superseded" => match value.split_once('#') {
                Some((day, number)) if day.parse::<Date>().is_ok() && number.parse::<usize>().is_ok() => {
                    new.extra.push(("superseded".into(), format!("my-kioku-{day}-{number}")));
                    true
                }
                _ => {
                    imported.count_not_kept("superseded");
                    false
                }
            },
            _ => false,
        }
    }

    /// Imports text above the first time as an entry of this day without a known time.
    fn undated(&self, text: &str, at: usize, imported: &mut Imported) {
        let Some(time) = wall_time(self.day.at(12, 0, 0, 0), &self.options.zone).filter(|_| !text.is_empty()) else {
            return;
        };
        let at = Spot { path: self.path, line: at + 1 };
        let message = "text above the first time, kept at noon with undated: true";
        imported.lose(LossKind::Doubtful, at.path, at.line, message);
        let (id, time) = (id(self.day, 0), Some(time));
        imported.add(Record { id, time, text, is_undated: true, ..Record::default() }, at);
    }

    fn trackers(&self, front: &[Field], first: usize, imported: &mut Imported) {
        for field in front {
            let key = field.key.0.as_str();
            let (Some(value), true) = (plain(field), first < imported.entries.len()) else {
                imported.count_not_kept(key);
                continue;
            };
            let mut extra = std::mem::take(&mut imported.entries[first].extra);
            imported.keep_extra(&mut extra, key, &value);
            imported.entries[first].extra = extra;
        }
    }
}

fn id(day: Date, number: usize) -> String {
    format!("my-kioku-{day}-{number}")
}

/// Parses the heading `## 14:32`; nothing else may be in the line.
pub(super) fn heading(line: &str) -> Option<Time> {
    let text = line.strip_prefix("## ")?.trim();
    let (hour, minute) = text.split_once(':')?;
    let two = |digits: &str| (digits.len() == 2).then(|| digits.parse::<i8>().ok()).flatten();
    Time::new(two(hour)?, two(minute)?, 0, 0).ok()
}

/// Parses `name:: value`, strictly: a word, two colons, a space, a value. Except for my-kioku's own names, the value
/// must consist of links.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once("::")?;
    let value = value.strip_prefix(' ')?.trim();
    let word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let own = matches!(name, "mood" | "tags" | "superseded");
    let links = || value.split(',').all(|link| link.trim().strip_prefix("[[").is_some_and(|link| link.ends_with("]]")));
    (word && !value.is_empty() && (own || links())).then_some((name, value))
}

/// Reads front matter that starts at line `at`. Returns its fields and the index of the next line.
fn front_matter(lines: &[&str], at: usize) -> (Vec<Field>, usize) {
    let text = lines[at..].iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
    let bytes = text.as_bytes();
    let Some((_, mut front, _)) = head::fenced(bytes) else { return (Vec::new(), at) };
    let next = at + front.len() + 2;
    front.retain(|line| !line.text(bytes).trim_ascii().is_empty() && !line.text(bytes).starts_with(b"#"));
    (merge_keys::fields(&front, bytes).unwrap_or_default(), next)
}

/// The value of a field; `None` for a list or a map.
fn plain(field: &Field) -> Option<String> {
    let value = Some(field.text()).filter(|value| !value.is_empty() && !value.starts_with('{'));
    value.filter(|_| field.lines.len() == 1 && field.items().is_none())
}

/// Converts an entity note: type and aliases as front matter, the user's text below.
fn note(text: &str, path: &Path, imported: &mut Imported) {
    let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else {
        imported.lose(LossKind::Skipped, path, 1, "a file name that is not UTF-8");
        return;
    };
    let lines: Vec<&str> = text.lines().collect();
    let (front, at) = front_matter(&lines, 0);
    let mut head = String::new();
    for field in &front {
        let value = plain(field);
        match (field.key.0.as_str(), value.as_deref()) {
            ("type", Some(kind)) => match kind_of(kind) {
                Some(kind) => head.push_str(&format!("type: {}\n", kind.word())),
                None if kind == "unknown" => {}
                None => imported.count_not_kept("type"),
            },
            ("aliases", alias) => {
                head.push_str("aliases:\n");
                let items = field.items().unwrap_or_default();
                for alias in alias.into_iter().chain(items.iter().map(|(item, _)| item.as_str())) {
                    head.push_str(&format!("  - {}\n", scalar(alias)));
                }
            }
            (key, Some(value)) if super::format::extra_fits(key, value) => {
                head.push_str(&format!("{key}: {}\n", scalar(value)));
            }
            (key, _) => imported.count_not_kept(key),
        }
    }
    let body = trimmed_block(&lines[at..].join("\n")).to_string();
    let text = match (head.is_empty(), body.is_empty()) {
        (true, true) => return,
        (true, false) => format!("{body}\n"),
        (false, true) => format!("---\n{head}---\n"),
        (false, false) => format!("---\n{head}---\n\n{body}\n"),
    };
    imported.notes.push(ImportedNote { file: format!("{name}.md"), text });
}

/// Maps my-kioku's types to kioku's kinds.
fn kind_of(word: &str) -> Option<EntityKind> {
    match word {
        "activity" => Some(EntityKind::Topic),
        "thing" => Some(EntityKind::Product),
        other => EntityKind::parse(other),
    }
}

#[cfg(test)]
#[path = "my_kioku_tests.rs"]
mod tests;
