//! Import of jrnl's text files: `[2026-08-07 09:00:00 PM] Title *`, then the text.
//!
//! Supported are: one file, also encrypted; a file of the first versions, without brackets; a folder journal
//! (`YYYY/MM/DD.txt`, where the path is the date); exports as JSON and YAML. Title and text become the body, without the star at the end of the title (which becomes
//! `star: true`) and without surrounding blank lines. Tags in the text are also stored as tags, without their sign.
//!
//! jrnl stores neither ids nor time zones. Times are interpreted in the given zone; the id is derived from the
//! wall-clock time and the text, so that a second import (also in another zone) recognises the entries of the first
//! one. `timeformat` and `tagsymbols` are read from a `jrnl.yaml` in the same folder, unless given.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

use jiff::civil::{Date, DateTime};

use super::{
    ExchangeError, ImportOptions, Imported, Importer, LossKind, Record, Spot, content,
    jrnl_dates::{Format, Reading, at, bare_prefix, clock_alone, read as read_date, with_ones},
    jrnl_encrypted,
    jrnl_exports::{self, Exported},
    source::{Source, day_in_path, decode, files_below, made_id, read_text, trimmed_block, wall_time},
};

pub(super) const IMPORTER: Importer =
    Importer { name: "jrnl", about: "a jrnl journal: file, encrypted file, folder, or export as JSON or YAML", read };

/// Minimum length of a date in brackets. jrnl treats shorter texts in brackets as footnotes, unless they match the
/// journal's format.
const SHORTEST_DATE: usize = 7;

fn read(source: &Source, options: &ImportOptions) -> Result<Imported, ExchangeError> {
    let path = source.path();
    let mut imported = Imported::default();
    let reader = Reader::new(path, options, &mut imported)?;
    if !source.is_dir() {
        let text = decode(&decrypted(source, options)?, path, &mut imported);
        match jrnl_exports::json(&text) {
            Some(entries) => reader.exported(entries, path, &mut imported),
            None if content::is_yaml_export(&text) => reader.exported([jrnl_exports::yaml(&text)], path, &mut imported),
            None => reader.file(&text, path, &mut imported)?,
        }
        return Ok(imported);
    }
    let files = files_below(path)?;
    let days: Vec<(&PathBuf, Date)> =
        files.iter().filter_map(|file| day_in_path(path, file).map(|day| (file, day))).collect();
    for (file, day) in &days {
        match read_text(file, &mut imported) {
            Ok(text) => reader.day_file(&text, file, *day, &mut imported),
            Err(error) => imported.lose(LossKind::Skipped, file, 1, error.to_string()),
        }
    }
    let exports = files.iter().filter(|file| file.extension().is_some_and(|ending| ending == "md"));
    for file in if days.is_empty() { exports.collect() } else { Vec::new() } {
        let text = read_text(file, &mut imported)?;
        if content::is_yaml_export(&text) {
            reader.exported([jrnl_exports::yaml(&text)], file, &mut imported);
        }
    }
    if days.is_empty() && imported.is_empty() && imported.losses.is_empty() {
        return Err(source.without("day files such as 2026/08/07.txt, and no entries of a YAML export"));
    }
    Ok(imported)
}

/// The content of a file, decrypted with the given password.
fn decrypted<'s>(source: &'s Source, options: &ImportOptions) -> Result<Cow<'s, [u8]>, ExchangeError> {
    let bytes = source.bytes()?;
    if !jrnl_encrypted::is_encrypted(&bytes) {
        return Ok(bytes);
    }
    let path = || source.path().to_path_buf();
    let password = options.password.as_deref().ok_or_else(|| ExchangeError::Encrypted { path: path() })?;
    let plain = jrnl_encrypted::decrypt(&bytes, password);
    plain.map(Cow::Owned).ok_or_else(|| ExchangeError::WrongPassword { path: path() })
}

/// An entry's first line: its line number, its offset, the offset of the title, and the time.
struct Head {
    line: usize,
    start: usize,
    title: usize,
    when: DateTime,
}

struct Reader<'a> {
    options: &'a ImportOptions,
    format: Option<Format>,
    signs: String,
}

impl<'a> Reader<'a> {
    fn new(path: &Path, options: &'a ImportOptions, imported: &mut Imported) -> Result<Self, ExchangeError> {
        let folder = if path.is_dir() { Some(path) } else { path.parent() };
        let settings = folder.map(|folder| folder.join("jrnl.yaml")).filter(|file| file.is_file());
        let written = match &settings {
            Some(file) => read_text(file, imported)?,
            None => String::new(),
        };
        let format = match (options.format()?, setting(&written, "timeformat")) {
            (None, Some(configured)) => match Format::new(configured) {
                Ok(format) => Some(format),
                Err(reason) => {
                    let file = settings.as_deref().unwrap_or(path);
                    imported.lose(LossKind::Doubtful, file, 1, format!("timeformat {configured}: {reason}"));
                    None
                }
            },
            (given, _) => given,
        };
        let signs = options.tag_signs.as_deref().or(setting(&written, "tagsymbols")).unwrap_or("#@").to_string();
        Ok(Self { options, format, signs })
    }

    fn file(&self, text: &str, path: &Path, imported: &mut Imported) -> Result<(), ExchangeError> {
        if let Some(given) = &self.options.time_format
            && self.format.as_ref().is_some_and(|format| !format.names_day())
        {
            let reason = format!("it contains no day, and {} is not a folder of day files", path.display());
            return Err(ExchangeError::TimeFormat { format: given.clone(), reason });
        }
        let mut heads = self.bracket_heads(text, path, imported)?;
        if heads.is_empty() {
            heads = self.bare_heads(text, path, imported);
        }
        if heads.is_empty() {
            if text.trim().is_empty() {
                return Ok(());
            }
            if text.trim_start().starts_with('{')
                && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text)
            {
                let reason = error.to_string();
                return Err(ExchangeError::Unreadable { path: path.into(), format: "JSON file", reason });
            }
            return Err(ExchangeError::WrongFormat {
                path: path.into(),
                found: "not a jrnl file: no line begins with a date",
                hint: "entries begin like `[2026-02-22 09:00] Title`; pass --time-format for another date format",
            });
        }
        for index in suspicious(&heads) {
            let message = format!(
                "dated {}, out of order with the entries around it: it may be a line of the text before",
                heads[index].when
            );
            imported.lose(LossKind::Doubtful, path, heads[index].line, message);
        }
        self.entries(text, &heads, path, imported);
        Ok(())
    }

    /// Reads the date in brackets.
    fn reading(&self, inner: &str) -> Option<Reading> {
        let own = self.format.as_ref().and_then(|format| format.whole(inner)).map(Reading::Sure);
        own.or_else(|| (inner.len() >= SHORTEST_DATE).then(|| read_date(inner)).flatten())
    }

    /// Finds lines that start with `[date] `. If the order of day and month is ambiguous, the other dates of the file
    /// decide.
    fn bracket_heads(&self, text: &str, path: &Path, imported: &mut Imported) -> Result<Vec<Head>, ExchangeError> {
        let mut found = Vec::new();
        for (line, start, inner) in bracketed(text) {
            match self.reading(inner) {
                Some(reading) => found.push((line, start, start + inner.len() + "[] ".len(), reading)),
                None if self.reading(&with_ones(inner)).is_some() => imported.doubt_date(inner, Spot { path, line }),
                None => {}
            }
        }
        let order = Reading::common_order(found.iter().map(|(.., reading)| *reading));
        let mut heads = Vec::new();
        for (line, start, title, reading) in found {
            match reading.moment(reading.order().or(order)) {
                Some(when) => heads.push(Head { line, start, title, when }),
                None if self.format.is_some() => {
                    let message = "a date in brackets that does not match the given format: kept as text";
                    imported.lose(LossKind::Doubtful, path, line, message);
                }
                None => {
                    let example = text[start + 1..title - 2].to_string();
                    return Err(ExchangeError::AmbiguousDates { path: path.into(), line, example });
                }
            }
        }
        Ok(heads)
    }

    /// Finds lines such as `2013-06-09 15:39 Title`, the format of the first versions.
    fn bare_heads(&self, text: &str, path: &Path, imported: &mut Imported) -> Vec<Head> {
        let prefix = |content: &str| {
            let own = self.format.as_ref().and_then(|format| format.prefix(content));
            let bare = || match bare_prefix(content)? {
                (Reading::Sure(when), length) => Some((when, length)),
                _ => None,
            };
            own.or_else(bare).filter(|(_, length)| content[*length..].starts_with(' '))
        };
        let mut heads = Vec::new();
        for (line, start, content) in numbered_lines(text) {
            if let Some((when, length)) = prefix(content) {
                heads.push(Head { line, start, title: start + length + 1, when });
            } else if let Some((_, length)) = prefix(&with_ones(content)) {
                imported.doubt_date(&content[..length], Spot { path, line });
            }
        }
        heads
    }

    /// Reads one day of a folder journal, whose path is the date.
    fn day_file(&self, text: &str, path: &Path, day: Date, imported: &mut Imported) {
        let mut heads = Vec::new();
        for (line, start, inner) in bracketed(text) {
            let when = match self.reading(inner) {
                Some(Reading::Sure(when)) => when,
                Some(Reading::Either { time, .. }) => at(day, time),
                Some(Reading::ShortYear) | None => {
                    let own = self.format.as_ref().and_then(|format| format.clock(inner));
                    let Some(time) = own
                        .or_else(|| inner.rsplit_once(' ').and_then(|(_, time)| clock_alone(time)))
                        .or_else(|| clock_alone(inner))
                    else {
                        continue;
                    };
                    day.to_datetime(time)
                }
            };
            if when.date() != day {
                let message = format!("dated {} in a file of {day}: the file's day is used", when.date());
                imported.lose(LossKind::Doubtful, path, line, message);
            }
            let title = start + inner.len() + "[] ".len();
            heads.push(Head { line, start, title, when: day.to_datetime(when.time()) });
        }
        if heads.is_empty() {
            self.undated(day.at(12, 0, 0, 0), text, path, imported);
        } else {
            self.entries(text, &heads, path, imported);
        }
    }

    fn entries(&self, text: &str, heads: &[Head], path: &Path, imported: &mut Imported) {
        let Some(first) = heads.first() else { return };
        let before = &text[..first.start];
        if !before.trim().is_empty() {
            self.undated(first.when, before, path, imported);
        }
        for (index, head) in heads.iter().enumerate() {
            let end = heads.get(index + 1).map_or(text.len(), |next| next.start);
            let (text, is_starred) = without_star(&text[head.title..end]);
            let record = Record { text: &text, is_starred, ..Record::default() };
            self.add(head.when, record, Spot { path, line: head.line }, imported);
        }
    }

    /// Reads the entries of an export. Its dates are read like those of a file.
    fn exported(&self, entries: impl IntoIterator<Item = Option<Exported>>, path: &Path, imported: &mut Imported) {
        for (number, entry) in entries.into_iter().enumerate() {
            let line = number + 1;
            let Some(entry) = entry else {
                imported.lose(LossKind::Skipped, path, line, "not an entry");
                continue;
            };
            let own = self.format.as_ref().and_then(|format| format.whole(&entry.date));
            let Some(when) = own.or_else(|| read_date(&entry.date)?.moment(None)) else {
                imported.lose(LossKind::Skipped, path, line, format!("\"{}\" is not a date", entry.date));
                continue;
            };
            entry.not_kept.iter().for_each(|field| imported.count_not_kept(field));
            if entry.deeper_headings {
                let message = "its headings are one level deeper than in jrnl's own file";
                imported.lose(LossKind::Doubtful, path, line, message);
            }
            let Exported { text, starred: is_starred, tags, .. } = entry;
            let record = Record { text: &text, is_starred, tags, ..Record::default() };
            self.add(when, record, Spot { path, line }, imported);
        }
    }

    /// Adds a text whose date is an assumption.
    fn undated(&self, when: DateTime, text: &str, path: &Path, imported: &mut Imported) {
        self.add(when, Record { text, is_undated: true, ..Record::default() }, Spot { path, line: 1 }, imported);
    }

    /// Adds a record with the tags in its text, besides its own.
    fn add(&self, when: DateTime, record: Record<'_>, at: Spot<'_>, imported: &mut Imported) {
        let text = trimmed_block(record.text);
        if text.is_empty() {
            return imported.lose(LossKind::Skipped, at.path, at.line, "an entry without text");
        }
        // The date of an undated text is an assumption and must not affect the id.
        let written = if record.is_undated { String::new() } else { when.to_string() };
        if record.is_undated {
            let message = format!("text without a date, kept under {} with undated: true", when.date());
            imported.lose(LossKind::Doubtful, at.path, at.line, message);
        }
        let mut tags = tags(text, &self.signs);
        tags.extend(record.tags.iter().map(|tag| tag.trim_start_matches(|c| self.signs.contains(c)).to_lowercase()));
        let time = wall_time(when, &self.options.zone);
        imported.add(Record { id: made_id("jrnl", &[&written, text]), time, text, tags, ..record }, at);
    }
}

/// Line number, byte offset and content (without line ending) of each line.
fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    text.split_inclusive('\n')
        .scan(0, |offset, line| {
            let start = *offset;
            *offset += line.len();
            Some((start, line.strip_suffix('\n').unwrap_or(line)))
        })
        .enumerate()
        .map(|(index, (start, content))| (index + 1, start, content))
}

/// Lines that start with `[...] `: line number, offset of the bracket, text in brackets.
fn bracketed(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    numbered_lines(text).filter_map(|(line, start, content)| {
        let (inner, rest) = content.strip_prefix('[')?.split_once(']')?;
        (rest.starts_with(' ') && !inner.is_empty()).then_some((line, start, inner))
    })
}

/// Indices of heads whose time is outside the range of their neighbours, which are in order themselves.
fn suspicious(heads: &[Head]) -> Vec<usize> {
    let inner = heads.windows(3).enumerate().filter_map(|(index, three)| {
        let (before, this, after) = (three[0].when, three[1].when, three[2].when);
        (before <= after && (this < before || this > after)).then_some(index + 1)
    });
    let mut found: Vec<usize> = inner.collect();
    let last_is_early = match heads {
        [.., one, two, last] => one.when <= two.when && last.when < two.when,
        _ => false,
    };
    if last_is_early && !found.contains(&(heads.len() - 2)) {
        found.push(heads.len() - 1);
    }
    found
}

/// Removes the star that jrnl appends to the title of a starred entry. A star that closes `*emphasis*` stays.
fn without_star(text: &str) -> (String, bool) {
    let text = text.trim_end();
    let (title, rest) = text.split_once('\n').map_or((text, ""), |(title, rest)| (title, rest));
    let title = title.trim_end();
    let bare = title.strip_suffix('*').filter(|bare| bare.is_empty() || bare.ends_with(' ') || !bare.contains('*'));
    let (title, starred) = bare.map_or((title, false), |bare| (bare.trim_end(), true));
    let joined = if rest.is_empty() { title.to_string() } else { format!("{title}\n{rest}") };
    (trimmed_block(&joined).to_string(), starred)
}

/// The distinct tags in the text: words that start with one of the signs, in lower case and without the sign.
fn tags(text: &str, signs: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let Some(rest) = word.strip_prefix(|c| signs.contains(c)) else { continue };
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "-+*#/_".contains(c))).unwrap_or(rest.len());
        let tag = rest[..end].trim_matches(|c: char| "-+*#/".contains(c)).to_lowercase();
        if !tag.is_empty() && !found.contains(&tag) {
            found.push(tag);
        }
    }
    found
}

/// A top-level setting of `jrnl.yaml`, unquoted.
fn setting<'t>(yaml: &'t str, key: &str) -> Option<&'t str> {
    yaml.lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
        .map(|value| value.trim().trim_matches(['\'', '"']))
        .find(|value| !value.is_empty())
}

#[cfg(test)]
#[path = "jrnl_tests.rs"]
mod tests;
