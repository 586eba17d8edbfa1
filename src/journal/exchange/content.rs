//! Format detection by content, so that no file is imported in the wrong format.
//!
//! A reader rarely fails on a file of another format: to the jrnl reader, ciphertext or a JSON or YAML export is a text
//! without dates. So files are recognised by signature and structure, and those of another format are refused with a
//! hint on how to import them.

use std::path::PathBuf;

use serde_json::Value;

use super::{
    ExchangeError, Files, Source, apple_journal, csv_table, database::SIGNATURE, daylio, files_below, my_kioku,
    org_journal, rednotebook, source, users,
};
use crate::journal::{
    day_file::{self, BOM},
    day_names::{day_of, names_in},
};

/// Number of bytes read to detect the format.
const SAMPLE: usize = 64 * 1024;

/// Refuses an empty file, and a source that certainly has another format than `format`.
pub(super) fn check(format: &str, source: &Source) -> Result<(), ExchangeError> {
    match found(source)? {
        Some(found) if !found.formats.contains(&format) => {
            Err(ExchangeError::WrongFormat { path: source.path().to_path_buf(), found: found.what, hint: found.hint })
        }
        _ => Ok(()),
    }
}

/// The importer for a source, by its content.
pub(super) fn recognised(source: &Source) -> Result<&'static str, ExchangeError> {
    let path = source.path().to_path_buf();
    match found(source)? {
        Some(Found { formats: [first, ..], .. }) => Ok(first),
        Some(Found { what, hint, .. }) => Err(ExchangeError::WrongFormat { path, found: what, hint }),
        None if !source.is_dir() && source.sample(1).is_some() && day_of(&source.name()).is_some() => Ok("notes"),
        // The error of a missing or unreadable file.
        None if !source.is_dir() => source.bytes().and(Err(ExchangeError::NotRecognised { path })),
        None => Err(ExchangeError::NotRecognised { path }),
    }
}

/// The format of a source; an error if it is an empty file.
fn found(source: &Source) -> Result<Option<Found>, ExchangeError> {
    let is_empty = |(bytes, whole): (Vec<u8>, bool)| whole && without_bom(&bytes).trim_ascii().is_empty();
    // An empty pipe is no error: the program before it found nothing.
    if !source.is_piped() && source.sample(SAMPLE).is_some_and(is_empty) {
        return Err(source.without("entries: the file is empty"));
    }
    Ok(if source.is_dir() { of_folder(source) } else { of_file(source) })
}

fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// A detected format.
struct Found {
    /// Completes the message "this is ..., not ...".
    what: &'static str,
    hint: &'static str,
    /// The importers that can read it; empty if none can.
    formats: &'static [&'static str],
}

const fn unreadable(what: &'static str, hint: &'static str) -> Option<Found> {
    Some(Found { what, hint, formats: &[] })
}

const fn readable(what: &'static str, hint: &'static str, formats: &'static [&'static str]) -> Option<Found> {
    Some(Found { what, hint, formats })
}

const DECRYPT: &str = "decrypt it first";
const ENCRYPTED_JRNL: Option<Found> =
    readable("an encrypted jrnl file", "`kioku import jrnl FILE` asks for its password", &["jrnl"]);
const JRNL_EXPORT: &str = "`kioku import jrnl` reads it";
const ARCHIVE: &str = "an archive or a compressed file";
const DAY_ONE: Option<Found> = readable("an export of Day One", "`kioku import dayone` reads it", &["dayone"]);
const JOURNEY: Option<Found> = readable("an export of Journey", "`kioku import journey` reads it", &["journey"]);
const DIARIUM: Option<Found> = readable("an export of Diarium", "`kioku import diarium` reads it", &["diarium"]);
const TUI_JOURNAL: Option<Found> =
    readable("a journal of tui-journal", "`kioku import tui-journal` reads it", &["tui-journal"]);
const DAYLIO: Option<Found> = readable("an export of Daylio", "`kioku import daylio` reads it", &["daylio"]);
const RED_NOTEBOOK: Option<Found> =
    readable("a journal of RedNotebook", "`kioku import rednotebook` reads it", &["rednotebook"]);
const ORG: Option<Found> = readable("a journal in org", "`kioku import org` reads it", &["org"]);
const KEEP: Option<Found> = readable("notes of Google Keep", "`kioku import keep` reads them", &["keep"]);
const APPLE_JOURNAL: Option<Found> =
    readable("an export of Apple's Journal", "`kioku import apple-journal` reads it", &["apple-journal"]);
const OBSIDIAN: Option<Found> =
    readable("an Obsidian vault", "`kioku import obsidian` reads it", &["obsidian", "notes", "kioku"]);
const LOGSEQ: Option<Found> =
    readable("a Logseq graph", "`kioku import logseq` reads it", &["logseq", "notes", "obsidian", "org"]);
/// Texts of which only the names are known: any reader of texts may be meant.
const NOTES: Option<Found> = readable(
    "a folder of dated notes",
    "`kioku import notes` reads it",
    &["notes", "obsidian", "logseq", "kioku", "my-kioku", "jrnl", "org", "text", "csv"],
);
const UNPACK: &str = "unpack it first, and name the file or folder inside";

fn of_folder(source: &Source) -> Option<Found> {
    let path = source.path();
    let has = |name: &str| path.join(name).is_dir();
    if has("memory") || has("users") {
        // A vault or a folder of notes may have a folder of such a name.
        let is_other = has(".obsidian") || has("logseq") || users(path).is_ok_and(|users| users.is_empty());
        let formats: &[&str] = if is_other { &["kioku", "obsidian", "logseq", "notes"] } else { &["kioku"] };
        return readable("a Kioku folder", "`kioku import kioku FOLDER` reads it", formats);
    }
    if path.join("logseq/config.edn").is_file() {
        return LOGSEQ;
    }
    let is_obsidian = has(".obsidian");
    let names = names_in(path).unwrap_or_default();
    let first_text = names.iter().filter(|name| name.ends_with(".md")).min();
    if let Some(found) = first_text.and_then(|name| of_file(&Source::at(&path.join(name))))
        && found.formats == ["jrnl"]
    {
        return Some(found);
    }
    if let Some(day) = names.iter().filter(|name| day_of(name).is_some() && !org_journal::is_org(name)).min() {
        return of_file(&Source::at(&path.join(day)))
            .filter(|found| found.formats.first() == Some(&"kioku"))
            .or(if is_obsidian { OBSIDIAN } else { NOTES });
    }
    if is_obsidian && !has("entities") {
        return OBSIDIAN;
    }
    if has("Entries") && (has("Resources") || path.join("index.html").is_file()) {
        return APPLE_JOURNAL;
    }
    if has("journal") {
        return readable("a my-kioku vault", "`kioku import my-kioku FOLDER` reads it", &["my-kioku"]);
    }
    if names.iter().any(|name| rednotebook::month_of(name).is_some()) {
        return RED_NOTEBOOK;
    }
    if names.iter().any(|name| org_journal::is_org(name)) {
        return ORG;
    }
    let files = source.files().ok();
    if let Some(found) = files.as_ref().and_then(of_first_json) {
        return Some(found);
    }
    let is_year = |name: &String| name.len() == 4 && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = |file: &PathBuf| source::day_in_path(path, file).is_some();
    if names.iter().any(is_year) && files_below(path).unwrap_or_default().iter().any(is_day) {
        return readable("a jrnl folder journal", "`kioku import jrnl FOLDER` reads it", &["jrnl"]);
    }
    of_names(&files?)
}

/// The journal whose files have these names.
fn of_names(files: &Files<'_>) -> Option<Found> {
    if files.names.iter().any(|name| apple_journal::is_entry(name)) {
        return APPLE_JOURNAL;
    }
    if files.names.iter().any(|name| name.ends_with("logseq/config.edn")) {
        return LOGSEQ;
    }
    let has_days = files.names.iter().any(|name| day_of(name).is_some());
    let found = if files.has_obsidian { OBSIDIAN } else { NOTES };
    found.filter(|_| has_days)
}

fn of_file(source: &Source) -> Option<Found> {
    let (sample, whole) = source.sample(SAMPLE)?;
    let name = source.path().to_string_lossy();
    if rednotebook::month_of(&name).is_some() {
        return RED_NOTEBOOK;
    }
    if org_journal::is_org(&name) && (sample.starts_with(b"*") || sample.starts_with(b"#+")) {
        return ORG;
    }
    match of_bytes(&sample, whole) {
        Some(found) if found.what == ARCHIVE && sample.starts_with(source::ZIP) && source.files().is_err() => {
            unreadable("an incomplete or damaged zip archive", "download it again, or export it again")
        }
        Some(found) if found.what == ARCHIVE => of_archive(source).or(Some(found)),
        found => found,
    }
}

/// The journal in a zip archive, by its names or its first JSON file.
fn of_archive(source: &Source) -> Option<Found> {
    let files = source.files().ok()?;
    if files.names.iter().any(|name| name.ends_with(daylio::BACKUP)) {
        return DAYLIO;
    }
    of_first_json(&files).or_else(|| of_names(&files))
}

/// The journal of which a JSON file of a folder or archive is a part.
fn of_first_json(files: &Files<'_>) -> Option<Found> {
    let name = files.ending(".json").min_by_key(|name| name.matches('/').count())?;
    let bytes = files.bytes(name).ok()?;
    of_bytes(&bytes[..bytes.len().min(SAMPLE)], bytes.len() < SAMPLE).filter(|found| {
        found.formats.first().is_some_and(|format| ["dayone", "journey", "diarium", "keep"].contains(format))
    })
}

fn of_bytes(bytes: &[u8], whole: bool) -> Option<Found> {
    of_signature(bytes, whole).or_else(|| {
        let text = without_bom(bytes);
        match std::str::from_utf8(text) {
            Ok(text) => of_text(text.trim(), whole),
            // The sample may end within a character.
            Err(error) if !whole && error.valid_up_to() + 4 > text.len() => {
                of_text(std::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or_default().trim(), whole)
            }
            Err(_) => None,
        }
    })
}

/// File types with a signature, and binary data.
fn of_signature(bytes: &[u8], whole: bool) -> Option<Found> {
    let starts = |signatures: &[&[u8]]| signatures.iter().any(|signature| bytes.starts_with(signature));
    if starts(&[source::ZIP, b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd", b"Rar!"]) {
        return unreadable(ARCHIVE, UNPACK);
    }
    if starts(&[SIGNATURE]) {
        let has = |name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
        if has("DiaryEntryId") {
            return DIARIUM;
        }
        if has("priority") && has("entry_id") {
            return TUI_JOURNAL;
        }
        if has("sdk_sessions") && has("observations") {
            return readable("a database of claude-mem", "`kioku import claude-mem` reads it", &["claude-mem"]);
        }
        if has("entity_type") && has("embedding_id") {
            return readable("a database of Remy", "`kioku import remy` reads it", &["remy"]);
        }
        return unreadable("an SQLite database", "export it as JSON lines or text with its own program");
    }
    if starts(&[b"%PDF", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"\x89PNG", b"\xff\xd8\xff", b"bplist"]) {
        return unreadable("a document or picture of another program", "export it as plain text first");
    }
    if starts(&[b"-----BEGIN PGP", b"age-encryption.org/", b"-----BEGIN AGE ENCRYPTED", b"Salted__"]) {
        return unreadable("an encrypted file", DECRYPT);
    }
    if starts(&[b"\xff\xfe", b"\xfe\xff"]) {
        return unreadable("UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8 FILE > NEW");
    }
    if bytes.starts_with(b"JRNLv3") || is_fernet(bytes) {
        return ENCRYPTED_JRNL;
    }
    if may_be_ciphertext(bytes, whole) {
        let what = "not text: encrypted by jrnl 1, or from another program";
        return readable(what, "`kioku import jrnl FILE` asks for the password of jrnl 1", &["jrnl"]);
    }
    if is_binary(bytes) {
        return unreadable("not text: encrypted, compressed or from another program", DECRYPT);
    }
    None
}

/// Whether the data is not text. Ciphertext looks random; a text in a legacy encoding has no control characters. A few
/// in UTF-8 are characters of a text.
fn is_binary(bytes: &[u8]) -> bool {
    let controls = bytes.iter().filter(|byte| matches!(byte, 0..=8 | 14..=26 | 28..=31)).count();
    // The sample may end within a character.
    let is_utf8 = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
    controls * if is_utf8 { 10 } else { 50 } > bytes.len() || !is_utf8 && bytes.contains(&0)
}

/// Whether this may be a file of jrnl 1, which wrote plain AES: binary data of whole blocks.
pub(super) fn may_be_ciphertext(bytes: &[u8], whole: bool) -> bool {
    is_binary(bytes) && bytes.len() >= 32 && (!whole || bytes.len().is_multiple_of(16))
}

/// Whether this is a Fernet token, which jrnl 2 and later write: base64 of version 0x80 and a time in this century.
pub(super) fn is_fernet(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=');
    bytes.starts_with(b"gAAAAA") && bytes.len() >= 100 && bytes.iter().all(is_base64)
}

fn of_text(text: &str, whole: bool) -> Option<Found> {
    let first = text.lines().next().unwrap_or_default().trim();
    if first.starts_with('{') || first.starts_with('[') && !is_jrnl_head(first) {
        return of_json(text, first, whole);
    }
    if ["<?xml", "<!DOCTYPE", "<html", "<journal"].iter().any(|tag| first.starts_with(tag)) {
        if apple_journal::is_page(text) {
            return APPLE_JOURNAL;
        }
        return unreadable("XML or HTML", "export it as plain text or as JSON lines");
    }
    if is_yaml_export(text) {
        return readable("a YAML export of jrnl", JRNL_EXPORT, &["jrnl"]);
    }
    if is_table(text) && first.contains("full_date") && first.contains("mood") {
        return DAYLIO;
    }
    if is_table(text) || text.starts_with(&csv_table::OWN.join(",")) {
        return readable("a table (CSV)", "`kioku import csv` reads it", &["csv"]);
    }
    let has_blocks = day_file::scan(text.as_bytes()).has_heads();
    match (has_blocks, text.lines().find(|line| !line.trim().is_empty()).is_some_and(is_jrnl_head)) {
        (true, false) => {
            let formats = &["kioku", "notes", "obsidian", "logseq"];
            readable("a day file of Kioku", "`kioku import kioku` reads it, or the folder it lies in", formats)
        }
        (false, true) => readable("a jrnl text file", "`kioku import jrnl FILE` reads it", &["jrnl"]),
        (true, true) => None,
        (false, false) if text.lines().any(|line| my_kioku::heading(line).is_some()) => readable(
            "a my-kioku day file",
            "`kioku import my-kioku` reads it, or the vault it lies in",
            &["my-kioku", "jrnl", "notes", "obsidian", "logseq"],
        ),
        (false, false) => None,
    }
}

/// `text` must begin with a brace or bracket.
fn of_json(text: &str, first: &str, whole: bool) -> Option<Found> {
    const LINES: &str = "one JSON object per line is read: for a list, jq -c '.[]' FILE > NEW.jsonl, then `kioku import jsonl NEW.jsonl`";
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    if has("isTrashed") && (has("createdTimestampUsec") || has("userEditedTimestampUsec")) {
        return KEEP;
    }
    if has("date_journal") || has("dateOfJournal") {
        return JOURNEY;
    }
    if has("entries") && has("creationDate") {
        return DAY_ONE;
    }
    let is_list = first.starts_with('[') || has("entries");
    if is_list && has("title") && has("content") && has("date") {
        return TUI_JOURNAL;
    }
    if has("html") && has("date") {
        return DIARIUM;
    }
    let object = |line: &str| match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(fields)) => Some(fields),
        _ => None,
    };
    match object(first) {
        Some(fields) if !fields.get("entries").is_some_and(Value::is_array) => {
            return readable("one JSON object per line", "`kioku import jsonl FILE` reads it", &["jsonl"]);
        }
        // A broken first line among valid ones: the JSON lines reader reports it.
        None if first.len() > 1 && text.lines().skip(1).any(|line| line.starts_with('{') && object(line).is_some()) => {
            return None;
        }
        _ => {}
    }
    let rest = first.trim_start_matches(['{', '[', ' ', '\t']);
    let key_follows = first.starts_with('{') && rest.starts_with('"') && rest.contains("\":");
    // A first line longer than the sample may be one record.
    let cut = !whole && !text.contains('\n');
    match rest.is_empty() || key_follows || first.starts_with("[{") {
        false => None,
        true if has("entries") && has("title") && has("body") => {
            readable("a JSON export of jrnl", JRNL_EXPORT, &["jrnl"])
        }
        true if cut => None,
        true => unreadable("a JSON document", LINES),
    }
}

/// Whether a line is a jrnl heading such as `[2026-02-22 09:00] Title` or `[22.02.2026, 09:00 AM]`: brackets with at
/// least four digits, followed by a space.
fn is_jrnl_head(line: &str) -> bool {
    let inner = line.strip_prefix('[').and_then(|rest| rest.split_once(']')).filter(|(_, rest)| rest.starts_with(' '));
    inner.is_some_and(|(inner, _)| {
        inner.bytes().filter(u8::is_ascii_digit).count() >= 4 && !inner.contains(['"', '{', '['])
    })
}

/// Whether the text starts with the front matter of a jrnl YAML export: a title, a date, and `starred` or a body.
pub(super) fn is_yaml_export(text: &str) -> bool {
    let mut keys = text
        .lines()
        .skip_while(|line| line.trim() == "---")
        .take(12)
        .filter_map(|line| line.split_once(':').map(|(key, _)| key))
        .filter(|key| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    keys.next() == Some("title") && {
        let keys: Vec<&str> = keys.collect();
        keys.contains(&"date") && (keys.contains(&"starred") || keys.contains(&"body"))
    }
}

/// Whether the text is a CSV table: a first line of short column names, one of them a date or time, and as many fields
/// in the first row.
fn is_table(text: &str) -> bool {
    csv_table::SEPARATORS.into_iter().any(|separator| is_separated(text, char::from(separator)))
}

fn is_separated(text: &str, separator: char) -> bool {
    let head = text.lines().next().unwrap_or_default();
    let names: Vec<String> = head.split(separator).map(|name| name.trim().trim_matches('"').to_lowercase()).collect();
    let named = names.iter().all(|name| {
        !name.is_empty()
            && name.len() <= 24
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-'))
    });
    let known = |columns: &[&str]| names.iter().any(|name| columns.contains(&name.as_str()));
    // Prose often has one comma in a line.
    let pair = names.len() == 2 && known(csv_table::TIME) && known(csv_table::TEXT);
    let dated = |name: &String| name.contains("date") || name.contains("time") || name == "day";
    let table = pair || names.len() > 2 && names.iter().any(dated);
    let mut rows = csv::ReaderBuilder::new();
    let mut rows = rows.flexible(true).delimiter(separator as u8).from_reader(text.as_bytes());
    named && table && rows.records().next().is_some_and(|row| row.is_ok_and(|row| row.len() >= names.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<&'static str> {
        of_bytes(bytes, true).map(|found| found.what)
    }

    #[test]
    fn what_is_no_journal_text_is_recognised() {
        let fernet = format!("gAAAAA{}==", "Bh-_x1".repeat(40));
        for (bytes, what) in [
            (fernet.as_bytes(), "an encrypted jrnl file"),
            (b"\x93\x01\x02\x1a\x00\xfe\x8c\x11\x12zzz", "not text: encrypted, compressed or from another program"),
            (b"-----BEGIN PGP MESSAGE-----\n", "an encrypted file"),
            (b"PK\x03\x04rest", "an archive or a compressed file"),
            (b"\xff\xfea\0b\0", "UTF-16"),
            (b"{\n  \"tags\": {},\n  \"entries\": [\n {\"title\": \"a\", \"body\": \"b\"}]}", "a JSON export of jrnl"),
            (b"{\"tags\": {}, \"entries\": [{\"title\": \"a\", \"body\": \"b\"}]}", "a JSON export of jrnl"),
            (b"{\"entries\": [{\"creationDate\": \"x\", \"text\": \"b\"}]}", "an export of Day One"),
            (b"[\n  {\"time\": \"x\", \"text\": \"b\"}\n]", "a JSON document"),
            (b"[{\"time\": \"x\", \"text\": \"b\"}]", "a JSON document"),
            (
                b"---\ntitle: A walk\ndate: 2026-02-22 09:00\nstarred: False\ntags: a\nbody: |\n  x\n...",
                "a YAML export of jrnl",
            ),
            (b"title: A walk\ndate: 2026-02-22 09:00\nstarred: False\nbody: |\n  x\n", "a YAML export of jrnl"),
            (b"<?xml version=\"1.0\"?>\n<journal/>", "XML or HTML"),
            (b"full_date,date,weekday,time,mood,note\n2026-02-22,22 Feb,Sunday,9:00,good,x\n", "an export of Daylio"),
            (b"date,who,what\n2026-02-22,a,b\n", "a table (CSV)"),
            (b"date;who;what\n2026-02-22;a;b\n", "a table (CSV)"),
            (b"date,text\n2026-02-22,a\n", "a table (CSV)"),
            (b"date,text,mood\n2026-02-22,\"First.\n\nSecond.\",calm\n", "a table (CSV)"),
            (b"a\0 \0t\0e\0x\0t\0", "not text: encrypted, compressed or from another program"),
            (b"---\ntime: \"2026-02-22T09:00:00Z\"\n---\nText.\n", "a day file of Kioku"),
            (b"{\"time\": \"x\", \"text\": \"b\"}\n{\"time\": \"x\"}", "one JSON object per line"),
            (b"\n[2026-02-22 09:00] Title.\ntext", "a jrnl text file"),
        ] {
            assert_eq!(found(bytes), Some(what), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn plain_texts_are_left_to_the_readers() {
        for text in [
            "",
            "Only text, with a comma, and another one.\nAnd more, here.",
            "Time, dear diary\nand days, too",
            "Update, note\nThe roof is done, at last.",
            "Dinner time, entry\nSoup, then bread.",
            "[1] a note\n[2] another",
            "# Minutes\n\n[2026-01-01 10:00] was the date of the letter.\n",
            "---\ntitle: A note\ndate: 2026-02-22\ntags: x\n---\nof Obsidian",
            "{\"time\": broken\n{\"time\": \"x\", \"text\": \"b\"}",
            "[2026-02-22 09:00] jrnl.\n---\ntime: \"2026-02-22T09:00:00Z\"\n---\npasted",
            "caf\u{e9} and a tab\there",
            "Dear diary:\ntitle: no\n",
            "broken\n{\"time\": \"x\", \"text\": \"b\"}",
            "2013-06-09 15:39 My title.\nText.",
            "gAAAAAshort",
            "A text with one NUL \0 in it is a text.",
        ] {
            assert_eq!(found(text.as_bytes()), None, "{text}");
        }
        let long = format!("{{\"time\": \"x\", \"text\": \"{}", "a".repeat(SAMPLE));
        assert!(of_bytes(&long.as_bytes()[..SAMPLE], false).is_none(), "one long record");
        assert_eq!(found(b"caf\xe9 au lait, an old encoding"), None);
    }
}
