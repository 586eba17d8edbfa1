//! Import of RedNotebook: a folder of `YYYY-MM.txt`, in YAML, with one text per day in its own markup.
//!
//! A day has no time: its entry is kept at noon with `undated: true`. Of the categories, tags and mood go to the head,
//! the others become lines `category:: entry` below the text.

use std::collections::BTreeMap;

use jiff::civil::Date;
use yaml_rust2::{Yaml, YamlLoader};

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind, Record, Source, Spot, made_id, source::read_text,
    wall_time,
};
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
    // Since it writes markdown, RedNotebook says so.
    let mut settings = files.named("journal.cfg").map(|name| files.text(name, &mut imported)).transpose()?;
    if settings.is_none() && !source.is_dir() && !source.is_piped() {
        settings = read_text(&source.path().with_file_name("journal.cfg"), &mut imported).ok();
    }
    let is_markdown = |text: String| text.lines().any(|line| line.replace(' ', "") == "markup=markdown");
    let convert = if settings.is_some_and(is_markdown) { str::to_owned } else { markdown };
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
            entry(date, content, at, convert, options, &mut imported);
        }
    }
    Ok(imported)
}

fn entry(
    date: Option<Date>,
    content: &Yaml,
    at: Spot<'_>,
    convert: fn(&str) -> String,
    options: &ImportOptions,
    imported: &mut Imported,
) {
    let (mut text, mut mood, mut tags, mut lines) = (String::new(), None, Vec::new(), Vec::new());
    for (key, value) in content.as_hash().into_iter().flatten() {
        let Some(category) = scalar(key) else { continue };
        if category == "text" {
            text = convert(value.as_str().unwrap_or_default());
            continue;
        }
        for name in names(value, &category, imported) {
            match category.to_lowercase().as_str() {
                "tags" => tags.push(name),
                "mood" if mood.is_none() => mood = Some(name),
                _ => lines.push(format!("{category}:: {}", convert(&name).replace('\n', " "))),
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

/// RedNotebook's old markup (txt2tags) as markdown: titles, rules, numbered lists, emphasis, links and images. `__` stays:
/// markdown knows no underlining, and shows it as strong.
fn markdown(text: &str) -> String {
    let (mut is_code, mut numbers) = (false, BTreeMap::new());
    let convert = |line: &str| {
        let (shown, item) = (line.trim(), line.trim_start_matches(' '));
        let is_fence = shown == "```";
        is_code ^= is_fence;
        if is_code || is_fence {
            return line.to_owned();
        } else if let Some(item) = item.strip_prefix("+ ") {
            let indent = line.len() - item.len() - 2;
            numbers.retain(|other, _| *other <= indent);
            let number = *numbers.entry(indent).and_modify(|number| *number += 1).or_insert(1);
            // Markdown indents what is below a number by three.
            return format!("{}{}. {}", " ".repeat(indent * 3 / 2), number, emphasised(item));
        } else if !shown.is_empty() {
            numbers.clear();
        }
        let level = line.len() - line.trim_start_matches('=').len();
        let inner = shown.trim_matches('=');
        match level {
            1..=6 if shown.ends_with(&"=".repeat(level)) && !inner.trim().is_empty() => {
                format!("{} {}", "#".repeat(level), inner.trim())
            }
            20.. if inner.is_empty() => "***".to_owned(),
            _ => emphasised(line),
        }
    };
    text.lines().map(convert).collect::<Vec<_>>().join("\n")
}

/// Emphasis of a line; code, addresses, links and images are no part of it.
fn emphasised(line: &str) -> String {
    let (mut text, mut kept, mut rest) = (String::new(), Vec::new(), line);
    while let Some(c) = rest.chars().next() {
        let own = verbatim(rest);
        text.push(if own.is_some() { KEPT } else { c });
        rest = &rest[own.as_ref().map_or(c.len_utf8(), |(length, _)| *length)..];
        kept.extend(own.map(|(_, markdown)| markdown));
    }
    let (text, mut kept) = (paired(&paired(&text, "//", "*"), "--", "~~"), kept.into_iter());
    text.split_inclusive(KEPT).map(|part| part.replace(KEPT, &kept.next().unwrap_or_default())).collect()
}

/// A placeholder for code, an address, a link or an image, which is not converted.
const KEPT: char = '\u{1}';

/// Code, an address, a link or an image at the start of a text: its length, and its markdown.
fn verbatim(text: &str) -> Option<(usize, String)> {
    let word = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if let Some(length) = text.strip_prefix("``").and_then(|code| code.find("``")) {
        return Some((length + 4, text[..length + 4].to_owned()));
    } else if word.len() < text.len() && word.starts_with("://") {
        let address = text.split([' ', '\t', ']', '"']).next()?;
        let address = address.strip_suffix("//").unwrap_or(address);
        return Some((address.len(), address.to_owned()));
    }
    let (inner, _) = text.strip_prefix('[')?.split_once(']')?;
    let target = |path: &str| if path.contains([' ', '(', ')']) { format!("<{path}>") } else { path.to_owned() };
    let link = match inner.split("\"\"").collect::<Vec<_>>()[..] {
        ["", path, ending] if ending.starts_with('.') => {
            format!("![]({})", target(&format!("{path}{}", ending.split('?').next()?)))
        }
        [name, address, ""] => format!("[{}]({})", name.trim_end(), target(address)),
        _ => return None,
    };
    Some((inner.len() + 2, link))
}

/// Replaces a mark on both sides of a text that has no space at its ends.
fn paired(text: &str, mark: &str, markdown: &str) -> String {
    let (mut result, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(mark) {
        let is_end = |(at, _): &(usize, &str)| *at > 0 && !after[..*at].ends_with(char::is_whitespace);
        let opens = !after.starts_with(|c: char| c.is_whitespace() || mark.starts_with(c));
        let end = after.match_indices(mark).find(is_end).filter(|_| opens);
        match end {
            Some((end, _)) => result.extend([before, markdown, &after[..end], markdown]),
            None => result.extend([before, mark]),
        }
        rest = &after[end.map_or(0, |(end, _)| end + mark.len())..];
    }
    result + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_markup_becomes_markdown_and_other_signs_stay() {
        for (old, new) in [
            ("//calm// and --gone-- and **so** and __so__", "*calm* and ~~gone~~ and **so** and __so__"),
            ("He said -- quite late -- no", "He said -- quite late -- no"),
            ("2 // 3 // 4, and a // b//", "2 // 3 // 4, and a // b//"),
            ("http://a.org//b and //see https://c.org/--d--//", "http://a.org//b and *see https://c.org/--d--*"),
            ("run ``ls --all --color`` //now//", "run ``ls --all --color`` *now*"),
            ("[the map \"\"https://example.org/a//b\"\"]", "[the map](https://example.org/a//b)"),
            ("[Dropbox https://dropbox.com] [not sure] [x]", "[Dropbox https://dropbox.com] [not sure] [x]"),
            ("[\"\"file:///home/a b/lake\"\".jpg?300]", "![](<file:///home/a b/lake.jpg>)"),
            ("[plan.pdf \"\"file:///home/plan.pdf\"\"]", "[plan.pdf](file:///home/plan.pdf)"),
            ("====================\n= Work =\n--------------------", "***\n# Work\n--------------------"),
            ("```\n+ //x//\n```\n+ //x//", "```\n+ //x//\n```\n1. *x*"),
            ("+ a\n+ b\n  + c\n  + d\n+ e\n- f\n+ g", "1. a\n2. b\n   1. c\n   2. d\n3. e\n- f\n1. g"),
            ("+ a\n\n+ b\n+plus\n+ c", "1. a\n\n2. b\n+plus\n1. c"),
            ("", ""),
        ] {
            assert_eq!(markdown(old), new, "{old}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_word_of_a_text_is_lost(text in "[a-c *_/`\\[\\]\"+=:\n-]{0,60}") {
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
            assert_eq!(letters(&markdown(&text)), letters(&text));
        }
    }
}
