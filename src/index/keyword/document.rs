//! One entry as a tantivy document.
//!
//! Four fields index the body. tantivy's own document type copies it for each, so a pasted log of 10 MB would be in
//! memory eight times.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    iter, vec,
};

use tantivy::schema::{
    Field, Value,
    document::{Document, ReferenceValue, ReferenceValueLeaf},
};

use super::{
    analyzer::{self, Analysis},
    schema::Fields,
};
use crate::{index::EntryKey, journal::Entry};

/// Maximum number of different words indexed per entry: a novel has 20,000. Each takes 300 bytes of memory until the
/// next commit, and a pasted log of random keys has a million.
pub const MOST_WORDS: usize = 200_000;

/// An entry to be indexed.
pub struct EntryDocument {
    fields: Fields,
    key: EntryKey,
    fingerprint: u64,
    /// Days since 1970-01-01.
    day: i64,
    /// Microseconds since 1970.
    time: i64,
    /// Mood and tags.
    head: Vec<String>,
    body: String,
    /// Length in bytes of the indexed part of the body.
    indexed: usize,
    record: Vec<u8>,
}

impl EntryDocument {
    pub fn new(fields: Fields, key: EntryKey, fingerprint: u64, entry: &Entry) -> Self {
        let record = serde_json::to_vec(&entry.with_body(""));
        Self {
            fields,
            key,
            fingerprint,
            day: days_since_1970(entry.day),
            time: entry.time.at.as_microsecond(),
            head: entry.mood.iter().chain(&entry.tags).cloned().collect(),
            body: entry.body.clone(),
            indexed: part_indexed(&entry.body, MOST_WORDS).len(),
            record: record.expect("an entry has only text keys and finite numbers"),
        }
    }

    /// Whether all words of the body are indexed.
    pub fn is_whole(&self) -> bool {
        self.indexed == self.body.len()
    }
}

/// The indexed part of a body: all of it, or the part before the first word that exceeds `most` different ones.
fn part_indexed(body: &str, most: usize) -> &str {
    // Two words take at least three bytes, so a body this short cannot exceed the limit.
    if body.len() <= most {
        return body;
    }
    let hasher = RandomState::new();
    let mut different = HashSet::new();
    let mut end = None;
    let mut analysis = Analysis::of(body);
    let mut count = |token: &analyzer::Token| {
        let word = hasher.hash_one(&token.folded);
        if end.is_none() && !different.contains(&word) {
            match different.len() < most {
                true => drop(different.insert(word)),
                false => end = Some(token.span.start),
            }
        }
        end.is_none()
    };
    let mut goes_on = true;
    while goes_on && analysis.advance(&mut |token| goes_on = count(token)) {}
    end.map_or(body, |end| &body[..end])
}

fn days_since_1970(day: jiff::civil::Date) -> i64 {
    let epoch = jiff::civil::date(1970, 1, 1);
    day.since(epoch).map_or(0, |span| i64::from(span.get_days()))
}

impl Document for EntryDocument {
    type Value<'a> = FieldValue<'a>;
    type FieldsValuesIter<'a> = vec::IntoIter<(Field, FieldValue<'a>)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let fields = &self.fields;
        let indexed = FieldValue::Text(&self.body[..self.indexed]);
        let mut values = vec![
            (fields.key, FieldValue::Unsigned(self.key.0)),
            (fields.fingerprint, FieldValue::Unsigned(self.fingerprint)),
            (fields.day, FieldValue::Signed(self.day)),
            (fields.time, FieldValue::Signed(self.time)),
            (fields.words, indexed),
            (fields.stems, indexed),
            (fields.exact, indexed),
        ];
        values.extend(self.head.iter().map(|word| (fields.head, FieldValue::Text(word))));
        values.push((fields.text, FieldValue::Text(&self.body)));
        values.push((fields.record, FieldValue::Bytes(&self.record)));
        values.into_iter()
    }
}

/// The value of a field.
#[derive(Debug, Clone, Copy)]
pub enum FieldValue<'a> {
    Unsigned(u64),
    Signed(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> for FieldValue<'a> {
    type ArrayIter = iter::Empty<Self>;
    type ObjectIter = iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            Self::Unsigned(number) => ReferenceValueLeaf::U64(number),
            Self::Signed(number) => ReferenceValueLeaf::I64(number),
            Self::Text(text) => ReferenceValueLeaf::Str(text),
            Self::Bytes(bytes) => ReferenceValueLeaf::Bytes(bytes),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{index::testing, journal::NewEntry};

    #[test]
    fn a_body_is_held_once_for_all_fields() {
        let dir = tempfile::tempdir().unwrap();
        let new = NewEntry { body: "Fog on the lake.".to_owned(), ..NewEntry::default() };
        let entry = testing::vault(dir.path()).append(new).unwrap();
        let document = EntryDocument::new(Fields::schema().1, EntryKey::of(&entry.id), 1, &entry);
        let texts: Vec<*const u8> = document
            .iter_fields_and_values()
            .filter_map(|(_, value)| value.as_str().filter(|text| *text == entry.body).map(str::as_ptr))
            .collect();
        assert_eq!(texts, [document.body.as_ptr(); 4]);
        assert!(document.is_whole());
    }

    #[test]
    fn words_are_found_up_to_the_first_that_is_one_too_many() {
        assert_eq!(part_indexed("a b c", 9), "a b c");
        assert_eq!(part_indexed("one two one two one two", 2), "one two one two one two");
        assert_eq!(part_indexed("one two one three one", 2), "one two one ");
        assert_eq!(part_indexed("Ein Zwei ein DREI drei vier", 3), "Ein Zwei ein DREI drei ");
        assert_eq!(part_indexed("我怀孕了", 3), "我", "a pair begins with the character before");
    }
}
