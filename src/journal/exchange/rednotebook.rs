//! Import of RedNotebook: a folder of `YYYY-MM.txt`, in YAML, with one text per day in its own markup.
//!
//! A day has no time: its entry is kept at noon with `undated: true`. Of the categories, tags and mood go to the head,
//! the others become lines `category:: entry` below the text.

use jiff::civil::Date;
use yaml_rust2::{Yaml, YamlLoader};

use super::{ExchangeError, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot, made_id, wall_time};
use crate::journal::front_matter::scalar;

pub(super) const IMPORTER: Importer =
    Importer { name: "rednotebook", about: "the data folder of RedNotebook, or one of its months (YYYY-MM.txt)", read };

/// The year and month of a file's name.
pub(super) fn month_of(name: &str) -> Option<Date> {
    let stem = name.rsplit('/').next()?.strip_suffix(".txt")?;
    (stem.len() == 7).then(|| format!("{stem}-01").parse().ok())?
}

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let mut imported = Imported::default();
    let files = source.files()?;
    let months: Vec<(&str, Date)> = files.ending(".txt").filter_map(|name| Some((name, month_of(name)?))).collect();
    if months.is_empty() {
        return Err(source.without("months such as 2026-08.txt"));
    }
    for (name, month) in months {
        let path = files.path(name);
        // Old versions wrote the type of a Python string.
        let text = files.text(name, &mut imported)?.replace("!!python/unicode ", "");
        let documents = match YamlLoader::load_from_str(&text) {
            Ok(documents) => documents,
            Err(error) => {
                imported.lose(LossKind::Skipped, &path, error.marker().line(), error.to_string());
                continue;
            }
        };
        for (day, content) in documents.first().and_then(Yaml::as_hash).into_iter().flatten() {
            let number = day.as_i64().and_then(|day| i8::try_from(day).ok());
            let date = number.and_then(|day| Date::new(month.year(), month.month(), day).ok());
            let at = Spot { path: &path, line: number.map_or(0, |day| day as usize) };
            entry(date, content, at, options, &mut imported);
        }
    }
    Ok(imported)
}

fn entry(date: Option<Date>, content: &Yaml, at: Spot<'_>, options: &ImportOptions, imported: &mut Imported) {
    let (mut text, mut mood, mut tags, mut lines) = (String::new(), None, Vec::new(), Vec::new());
    for (key, value) in content.as_hash().into_iter().flatten() {
        let Some(category) = scalar(key) else { continue };
        if category == "text" {
            text = markdown(value.as_str().unwrap_or_default());
            continue;
        }
        for name in names(value, &category, imported) {
            match category.to_lowercase().as_str() {
                "tags" => tags.push(name),
                "mood" if mood.is_none() => mood = Some(name),
                _ => lines.push(format!("{category}:: {}", markdown(&name).replace('\n', " "))),
            }
        }
    }
    let day = date.map(|day| day.to_string()).unwrap_or_default();
    let in_text = text.split_whitespace().filter_map(|word| word.strip_prefix('#'));
    tags.extend(in_text.map(|tag| tag.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned()));
    let body = format!("{text}\n\n{}", lines.join("\n"));
    let record = Record {
        // Without the categories, which older versions of kioku left out.
        id: made_id("rednotebook", &[&day, &text]),
        time: date.and_then(|day| wall_time(day.at(12, 0, 0, 0), &options.zone)),
        text: &body,
        mood,
        tags,
        is_undated: true,
        ..Record::default()
    };
    imported.add(record, at);
}

/// The entries of a category: the keys of a map, whose values are empty or a part of the text.
fn names(category: &Yaml, name: &str, imported: &mut Imported) -> Vec<String> {
    let Some(entries) = category.as_hash() else {
        if !category.is_null() {
            imported.count_not_kept(name);
        }
        return Vec::new();
    };
    let entry = |(key, value): (&Yaml, &Yaml)| {
        let key = scalar(key)?;
        Some(scalar(value).map_or_else(|| key.clone(), |value| format!("{key}: {value}")))
    };
    entries.iter().filter_map(entry).collect()
}

/// RedNotebook's markup (txt2tags) as markdown: emphasis, titles and links. Addresses stay as they are.
fn markdown(text: &str) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let level = line.len() - line.trim_start_matches('=').len();
            let inner = line.trim().trim_matches('=');
            match level {
                1..=6 if line.trim_end().ends_with(&"=".repeat(level)) && !inner.trim().is_empty() => {
                    format!("{} {}", "#".repeat(level), inner.trim())
                }
                _ => emphasised(line),
            }
        })
        .collect();
    lines.join("\n")
}

fn emphasised(line: &str) -> String {
    let mut result = line.to_owned();
    for (mark, markdown) in [("//", "*"), ("--", "~~")] {
        let parts: Vec<&str> = result.split(mark).collect();
        // An address has one `//`, a range of numbers one `--`.
        if parts.len() > 2 && parts.len() % 2 == 1 && !result.contains("://") {
            result = parts.join(markdown);
        }
    }
    while let Some((before, rest)) = result.split_once("[")
        && let Some((inner, after)) = rest.split_once("]")
        && let Some((name, address)) = inner.split_once(" \"\"")
        && let Some(address) = address.strip_suffix("\"\"")
    {
        result = format!("{before}\u{1}{name}\u{2}({address}){after}");
    }
    result.replace('\u{1}', "[").replace('\u{2}', "]")
}
