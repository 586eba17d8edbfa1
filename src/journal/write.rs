//! Serialization of entries: head, body and separators as kioku writes them (design 3, Writing).

use yaml_rust2::{Yaml, YamlLoader};

use super::{EntryTime, NewEntry, VaultError, day_file, entry::is_code, head, value};

/// The line ending of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Lf,
    CrLf,
}

impl Ending {
    /// The ending of a file's first line; `Lf` if it has none.
    pub fn of(bytes: &[u8]) -> Self {
        let first = head::Line::at(bytes, 0);
        if first.next - first.end == 2 { Self::CrLf } else { Self::Lf }
    }

    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }

    /// The ending to write after `text`. If `text` ends in a carriage return, a single line feed would turn that into
    /// `\r
    /// `, so `\r
    /// ` is written.
    pub fn after(self, text: &[u8]) -> &'static [u8] {
        if text.last() == Some(&b'\r') { b"\r\n" } else { self.bytes() }
    }
}

/// A new file's first line, `# Kioku — 2026-02-22`.
pub(super) fn header(day: &str) -> Vec<u8> {
    format!("# Kioku \u{2014} {day}\n").into_bytes()
}

/// The bytes between a file's content and a new head: the ending of an unterminated last line, and an empty line.
pub(super) fn separator(present: &[u8], ending: Ending) -> Vec<u8> {
    let mut separator = Vec::new();
    if !present.is_empty() && present.last() != Some(&b'\n') {
        separator.extend_from_slice(ending.after(present));
    }
    separator.extend_from_slice(ending.bytes());
    separator
}

/// Formats a new entry: head, body and line ending.
pub(super) fn block(new: &NewEntry, time: &EntryTime, id: &str, ending: Ending) -> Result<Vec<u8>, VaultError> {
    let escaped = day_file::escaped(new.body.as_bytes());
    let mut lines = vec![quoted_line("time", &time.written)];
    lines.extend(new.mood.as_deref().filter(|mood| !mood.is_empty()).map(|mood| quoted_line("mood", mood)));
    lines.extend((!new.tags.is_empty()).then(|| tags_line(&new.tags)));
    lines.extend(new.event_time.as_deref().filter(|time| !time.is_empty()).map(|time| quoted_line("event_time", time)));
    lines.extend(new.extra.iter().map(|(key, value)| extra_line(key, value)));
    let is_dated =
        new.time.as_ref().is_none_or(EntryTime::has_clock) || new.extra.iter().any(|(key, _)| key == "undated");
    lines.extend((!is_dated).then(|| "undated: true".to_owned()));
    lines.extend(escaped.is_some().then(|| "escaped: true".to_owned()));
    lines.push(quoted_line("id", id));
    if lines.len() > head::MOST_LINES {
        return Err(VaultError::Unwritable(format!(
            "a head has at most {} lines, not {}",
            head::MOST_LINES,
            lines.len()
        )));
    }

    let body = escaped.as_deref().unwrap_or(new.body.as_bytes());
    let mut block = Vec::with_capacity(body.len() + 200);
    for line in std::iter::once("---").chain(lines.iter().map(String::as_str)).chain(["---"]) {
        block.extend_from_slice(line.as_bytes());
        block.extend_from_slice(ending.bytes());
    }
    block.extend_from_slice(body);
    block.extend_from_slice(ending.after(body));
    Ok(block)
}

pub(super) fn quoted_line(key: &str, text: &str) -> String {
    format!("{key}: {}", value::quoted(text))
}

/// A line of a head to be written: its key, and the whole line without its ending, or `None` to remove it.
pub(super) type HeadLine = (String, Option<String>);

/// The line that gives a key this text.
pub(super) fn head_line(key: &str, text: &str) -> HeadLine {
    (key.to_owned(), Some(quoted_line(key, text)))
}

pub(super) fn tags_line(tags: &[String]) -> String {
    format!("tags: {}", value::quoted_list(tags))
}

pub(super) fn extra_line(key: &str, text: &str) -> String {
    let key = safe_key(key);
    if is_plain(text) { format!("{key}: {text}") } else { quoted_line(&key, text) }
}

/// Makes a key that reads back unchanged and does not collide with a known key.
pub(super) fn safe_key(key: &str) -> String {
    let safe = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let kept: String = key.trim().chars().map(|c| if safe(c) { c } else { '_' }).collect();
    let odd_start = !kept.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if odd_start || head::KNOWN_KEYS.contains(&kept.as_str()) { format!("x_{kept}") } else { kept }
}

/// Whether to write a value unquoted: numbers, booleans, lists and maps stay so for other programs.
fn is_plain(text: &str) -> bool {
    let number = !is_code(text)
        && text.parse::<f64>().is_ok_and(f64::is_finite)
        && text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    number || matches!(text, "true" | "false") || is_flow(text)
}

/// Whether a text is a list or map of YAML on one line. A `[[link]]` is text.
fn is_flow(text: &str) -> bool {
    /// The parser recurses into brackets.
    const MOST_BRACKETS: usize = 100;
    let is_bracketed = text.starts_with(['[', '{']) && text.ends_with([']', '}']);
    is_bracketed
        // An alias may stand for a value of any size.
        && !text.contains(['&', '*', '!'])
        && !["[[", "{{"].iter().any(|link| text.starts_with(link))
        && !text.contains(|c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}'))
        && text.matches(['[', '{']).count() <= MOST_BRACKETS
        && matches!(YamlLoader::load_from_str(text).as_deref(), Ok([Yaml::Array(_) | Yaml::Hash(_)]))
}

pub(super) const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// A new id: ten base32 characters, 50 random bits.
pub fn random_id() -> String {
    use std::{
        hash::{BuildHasher, RandomState},
        sync::atomic::{AtomicU64, Ordering},
    };
    static MADE: AtomicU64 = AtomicU64::new(0);
    // `RandomState` is seeded by the operating system. Process id and counter prevent equal ids after a fork, which
    // copies the seed.
    let made = (std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    id_of(&[RandomState::new().hash_one(made), RandomState::new().hash_one(made)].map(u64::to_le_bytes).concat())
}

/// An id derived from the content, so that importing one file on two machines gives one entry.
pub(super) fn derived_id(time: &str, body: &[u8]) -> String {
    id_of(&[time.as_bytes(), b"\n", body].concat())
}

fn id_of(seed: &[u8]) -> String {
    let digest = super::BodyHash::of(seed).0;
    let bits = digest.iter().take(8).fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
    (0..10).map(|at| BASE32[(bits >> (5 * at) & 31) as usize] as char).collect()
}
