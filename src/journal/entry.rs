//! The entry and its fields, independent of the file syntax.

use std::{fmt, ops::Range, sync::Arc};

use jiff::{Timestamp, civil, tz::Offset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{attachments_in, prose, words};

/// Id of an entry, unique in the vault: its `id:`, or else its `time:` as written. If several entries share it, `~` and
/// eight hex digits of the body hash are appended.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct EntryId(pub Arc<str>);

impl EntryId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for EntryId {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// SHA-256 of a body's bytes. Links entries between the stores, and is the key of the embedding cache.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BodyHash(pub [u8; 32]);

impl BodyHash {
    pub fn of(body: &[u8]) -> Self {
        Self(Sha256::digest(body).into())
    }

    /// Parses 64 lower-case hex digits, the format of [`fmt::Display`].
    pub fn parse(digits: &str) -> Option<Self> {
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let digits: [u8; 64] = digits.as_bytes().try_into().ok()?;
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Some(Self(hash))
    }

    /// The first eight hex digits, as used in `time~1a2b3c4d`.
    pub fn short(&self) -> String {
        self.0[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BodyHash({self})")
    }
}

/// The time of an entry: the string in the file, and its parsed value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryTime {
    /// The string exactly as in the file, never normalised.
    pub written: String,
    /// The instant. A string without an offset is interpreted in the configured zone.
    #[serde(with = "super::compact::timestamp")]
    pub at: Timestamp,
    /// The writer's UTC offset in seconds; east is positive.
    pub offset_seconds: i32,
}

impl EntryTime {
    /// Date and clock time in the writer's own offset.
    pub fn local(&self) -> civil::DateTime {
        Offset::from_seconds(self.offset_seconds).unwrap_or(Offset::UTC).to_datetime(self.at)
    }

    /// The day that this time belongs to, if days start at `day_start`.
    pub fn day(&self, day_start: civil::Time) -> civil::Date {
        let local = self.local();
        if local.time() < day_start { local.date().yesterday().unwrap_or(local.date()) } else { local.date() }
    }
}

/// Maximum length of a tracker's unit, in characters.
const LONGEST_UNIT: usize = 8;

/// The position of an entry in the vault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The day file's name, such as `2026-02-22.md`.
    pub file: Arc<str>,
    /// Its position among the entries of that file, from 0.
    pub position: u32,
    /// The bytes of the whole block: opening fence to the end of the body.
    pub bytes: Range<usize>,
}

/// One dated text of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub id: EntryId,
    pub time: EntryTime,
    pub day: civil::Date,
    pub mood: Option<String>,
    pub tags: Vec<String>,
    /// `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or free text, as written.
    pub event_time: Option<String>,
    /// The text, unescaped if the head has `escaped: true`. Invalid UTF-8 is replaced by U+FFFD.
    pub body: String,
    /// Hash of the unescaped body's bytes, before the replacement by U+FFFD.
    pub hash: BodyHash,
    /// Unknown keys in file order, with their unquoted values.
    pub extra: Vec<(String, String)>,
    pub place: Place,
}

impl Entry {
    /// A clone with another body. Avoids cloning a long body only to replace it.
    pub fn with_body(&self, body: &str) -> Self {
        Self {
            id: self.id.clone(),
            time: self.time.clone(),
            day: self.day,
            mood: self.mood.clone(),
            tags: self.tags.clone(),
            event_time: self.event_time.clone(),
            body: body.to_owned(),
            hash: self.hash,
            extra: self.extra.clone(),
            place: self.place.clone(),
        }
    }

    /// The trackers in the head, such as `sleep: 6.5` or `sleep: 7h`: see [`measured`].
    pub fn trackers(&self) -> impl Iterator<Item = (&str, f64)> {
        let numbers = self.extra.iter().filter(|(_, value)| !is_code(value));
        numbers.filter_map(|(key, value)| Some((key.as_str(), measured(value)?)))
    }

    /// The first day of its `event_time`, or else the day of writing.
    pub fn happened(&self) -> civil::Date {
        self.event_time.as_deref().and_then(event_day).unwrap_or(self.day)
    }

    /// The attachments that the text links, as paths relative to the journal's folder.
    pub fn attachments(&self) -> Vec<String> {
        attachments_in(&self.body)
    }

    /// Whether the time of the day is known.
    pub fn has_clock(&self) -> bool {
        has_clock(&self.time, &self.extra)
    }

    /// `star: true` marks a favourite.
    pub fn starred(&self) -> bool {
        self.extra.iter().any(|(key, value)| key == "star" && value == "true")
    }
}

/// Whether the time of the day is known: an import keeps an entry without one at noon, with `undated: true`.
pub fn has_clock(time: &EntryTime, extra: &[(String, String)]) -> bool {
    time.has_clock() && !extra.iter().any(|(key, value)| key == "undated" && value == "true")
}

/// Number of words of a text. In Chinese and Japanese, which have no spaces between words, each character is one.
pub fn word_count(text: &str) -> usize {
    let is_one = |sign: &char| matches!(sign, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
    text.split_whitespace()
        .map(|part| if part.is_ascii() { 1 } else { part.chars().filter(is_one).count().max(1) })
        .sum()
}

/// The first line of prose without its markup; a line of fields (`trigger:: [[Demo]]`) only where there is no other, and
/// an image without a label only where there is nothing else.
pub fn opening(body: &str) -> String {
    let lines = || body.lines().map(|line| prose(line.trim())).filter(|line| !line.is_empty());
    let line = lines().find(|line| !line.contains("::")).or_else(|| lines().next());
    line.unwrap_or_else(|| body.trim().lines().next().unwrap_or_default().to_owned())
}

/// The first day of an `event_time`, for sorting; `None` for free text.
fn event_day(written: &str) -> Option<civil::Date> {
    let written = written.trim();
    let padded = match written.len() {
        4 => format!("{written}-01-01"),
        7 => format!("{written}-01"),
        _ => written.to_owned(),
    };
    padded.parse().ok()
}

/// Whether digits are a code and no number, such as `007`.
pub(super) fn is_code(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).as_bytes();
    digits.first() == Some(&b'0') && digits.get(1).is_some_and(u8::is_ascii_digit)
}

/// Parses a tracker value: a number with an optional short unit, such as `6.5`, `4h`, `5 km`, `80%`, `7/10`; `7h30` is
/// 7.5. A time of day, a date or an ordinal (`5pm`, `2026-02`, `1st`) is not a measurement.
pub fn measured(value: &str) -> Option<f64> {
    let value = value.trim();
    let digits = value.trim_start_matches(['+', '-']);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Ok(number) = value.parse::<f64>() {
        return Some(number).filter(|number| number.is_finite());
    }
    let end =
        value.len() - digits.len() + digits.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(digits.len());
    let number: f64 = value[..end].parse().ok()?;
    let unit = value[end..].trim();
    if let Some(minutes) = unit.strip_prefix('h').map(|rest| rest.trim_end_matches(['m', 'i', 'n']))
        && let Ok(minutes @ 0..60) = minutes.parse::<u8>()
    {
        return Some(number + f64::from(minutes) / 60.0);
    }
    if matches!(unit.replace(' ', "").as_str(), "/5" | "/10" | "/100") {
        return Some(number);
    }
    let is_unit =
        unit.chars().count() <= LONGEST_UNIT && unit.chars().all(|c| c.is_alphabetic() || c == '%' || c == '°');
    (is_unit && !matches!(unit.to_ascii_lowercase().as_str(), "am" | "pm" | "st" | "nd" | "rd" | "th"))
        .then_some(number)
}

/// The fields of an entry to be written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewEntry {
    /// The time; now, by the vault's clock, if absent.
    pub time: Option<EntryTime>,
    /// The id, if known (import); otherwise the vault generates one.
    pub id: Option<String>,
    /// The id under which earlier versions imported the same text.
    pub former_id: Option<String>,
    pub mood: Option<String>,
    pub tags: Vec<String>,
    pub event_time: Option<String>,
    pub extra: Vec<(String, String)>,
    pub body: String,
}

/// The fields that an edit changes: `None` keeps a field, `Some(None)` removes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    pub time: Option<EntryTime>,
    pub mood: Option<Option<String>>,
    pub tags: Option<Vec<String>>,
    pub event_time: Option<Option<String>>,
    pub body: Option<String>,
    /// Other keys to set (`star`, trackers) or, with `None`, to remove.
    pub extra: Vec<(String, Option<String>)>,
}

/// The kind of an entity.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EntityKind {
    Person,
    Place,
    Event,
    Emotion,
    #[default]
    Topic,
    Product,
    Organization,
}

words! {
    EntityKind:
    Person "person",
    Place "place",
    Event "event",
    Emotion "emotion",
    Topic "topic",
    Product "product",
    Organization "organization",
}

impl EntityKind {
    /// Other words for kinds, those of the screens.
    pub const ALSO: [(&'static str, Self); 2] = [("feeling", Self::Emotion), ("group", Self::Organization)];

    /// The kind of a typed word, in lower case.
    pub fn typed(word: &str) -> Option<Self> {
        Self::parse(word).or_else(|| Some(Self::ALSO.iter().find(|(other, _)| *other == word)?.1))
    }

    /// The letter shown beside a name, because colour alone is not accessible.
    pub fn letter(self) -> char {
        match self {
            Self::Person => 'P',
            Self::Place => 'L',
            Self::Event => 'E',
            Self::Emotion => 'M',
            Self::Topic => 'T',
            Self::Product => 'R',
            Self::Organization => 'O',
        }
    }
}

/// The kind of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RelationKind {
    Causal,
    Emotional,
    Temporal,
    Topical,
    Involves,
}

words! {
    RelationKind:
    Causal "causal",
    Emotional "emotional",
    Temporal "temporal",
    Topical "topical",
    Involves "involves",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_also_where_nothing_is_between_them() {
        for (text, count) in [
            ("", 0),
            ("Phở with Linh, 2 days", 5),
            ("今日は雨。", 4),
            ("コーヒー was good — really", 8),
            ("我很累 today", 4),
        ] {
            assert_eq!(word_count(text), count, "{text}");
        }
    }
}
