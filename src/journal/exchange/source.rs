//! Source files of an import: reading and decoding, and ids for entries without one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::{
    civil::{Date, DateTime},
    tz::TimeZone,
};
use sha2::{Digest, Sha256};

use super::{ExchangeError, Imported, LossKind};
use crate::journal::EntryTime;

/// Reads a text file. Removes a byte order mark, normalises line endings to `
/// `, and replaces invalid UTF-8 by U+FFFD with a loss.
pub(super) fn read_text(path: &Path, imported: &mut Imported) -> Result<String, ExchangeError> {
    Ok(decode(&read_bytes(path)?, path, imported))
}

pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, ExchangeError> {
    fs::read(path).map_err(|source| ExchangeError::Io { operation: "read", path: path.to_path_buf(), source })
}

/// Like [`read_text`], from bytes.
pub(super) fn decode(bytes: &[u8], path: &Path, imported: &mut Imported) -> String {
    let text = String::from_utf8_lossy(bytes);
    if let std::borrow::Cow::Owned(_) = &text {
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if std::str::from_utf8(line).is_err() {
                imported.lose(LossKind::Doubtful, path, index + 1, "bytes that are not UTF-8 were replaced by U+FFFD");
            }
        }
    }
    text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n")
}

/// The time of a wall clock in a zone. `None` only outside the supported range.
pub(super) fn wall_time(wall: DateTime, zone: &TimeZone) -> Option<EntryTime> {
    Some(EntryTime::of(&zone.to_ambiguous_zoned(wall).compatible().ok()?))
}

/// Every file below a folder, sorted by path, without hidden files and links.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, ExchangeError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let failed = |source| ExchangeError::Io { operation: "list", path: folder.clone(), source };
        for item in fs::read_dir(&folder).map_err(failed)? {
            let item = item.map_err(failed)?;
            let kind = item.file_type().map_err(failed)?;
            if item.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                open.push(item.path());
            } else if kind.is_file() {
                found.push(item.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// An id for a record without one, derived from `parts`, so that a second import recognises the record.
pub(super) fn made_id(prefix: &str, parts: &[&str]) -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let tail: String =
        digest.finalize().iter().take(10).map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect();
    format!("{prefix}-{tail}")
}

/// The number of lines at the top that are blank or the title with the day. Any other title is text.
pub(super) fn title_lines(lines: &[&str], day: Date) -> usize {
    let blank = |lines: &[&str]| lines.iter().take_while(|line| line.trim().is_empty()).count();
    let before = blank(lines);
    let title = lines.get(before).is_some_and(|line| line.starts_with("# ") && line.contains(&day.to_string()));
    if title { before + 1 + blank(&lines[before + 1..]) } else { before }
}

/// The text without leading blank lines and trailing white space. Keeps the indentation of the first line.
pub(super) fn trimmed_block(text: &str) -> &str {
    let text = text.trim_end();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_bytes_are_told_by_line_and_line_ends_made_one_kind() {
        let mut imported = Imported::default();
        let text = decode(b"\xef\xbb\xbfone\r\ntw\xffo\r\n", Path::new("j.txt"), &mut imported);
        assert_eq!(text, "one\ntw\u{fffd}o\n");
        assert_eq!(imported.losses.iter().map(|loss| loss.line).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn a_made_id_depends_on_every_part() {
        assert_eq!(made_id("jrnl", &["a", "bc"]), made_id("jrnl", &["a", "bc"]));
        assert_ne!(made_id("jrnl", &["a", "bc"]), made_id("jrnl", &["ab", "c"]));
        assert_eq!(made_id("jrnl", &[]).len(), "jrnl-".len() + 10);
    }

    #[test]
    fn a_wall_clock_time_gets_the_offset_of_its_season() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let spelled = |month: i8| wall_time(jiff::civil::date(2026, month, 10).at(9, 0, 0, 0), &zone).unwrap().written;
        assert_eq!(spelled(1), "2026-01-10T09:00:00+01:00");
        assert_eq!(spelled(7), "2026-07-10T09:00:00+02:00");
    }

    #[test]
    fn only_the_title_that_names_the_day_is_no_text() {
        let day = jiff::civil::date(2026, 5, 1);
        assert_eq!(title_lines(&["", "# Kioku — 2026-05-01", "", "text"], day), 3);
        assert_eq!(title_lines(&["# 2026-05-01", "# Thoughts"], day), 1);
        assert_eq!(title_lines(&["# Thoughts", "text"], day), 0);
        assert_eq!(title_lines(&[], day), 0);
    }

    #[test]
    fn a_block_keeps_its_indentation() {
        assert_eq!(trimmed_block("\n \n  - a\n    b\n\n"), "  - a\n    b");
        assert_eq!(trimmed_block(" \n\n"), "");
    }
}
