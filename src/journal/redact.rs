//! Redaction of names in texts: each occurrence is replaced by a visible mark.
//!
//! A name matches as a whole word in any case, with composed or decomposed accents, across a line break, and as a
//! plural (`Linhs`). In `Linh's` the ending stays.

use std::{borrow::Cow, collections::HashSet, ops::Range};

use serde_json::Value;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{
    Change, EntityNote, Entry, Verdict,
    attachment::{digits_of, tail, tail_of},
    day_names::is_conflict_mark,
    name_and_kind,
};

/// The replacement of a redacted text or name.
pub const REDACTED: &str = "[redacted]";

/// Names to be forgotten, and longer names that contain them but stay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redaction {
    names: Vec<String>,
    folded: HashSet<String>,
    /// Sorted by length, longest first.
    known: Vec<Known>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    name: String,
    folded: Vec<char>,
    goes: bool,
    /// Match case-sensitively: in lower case it is another word (`Will`).
    exact: bool,
}

impl Redaction {
    /// `kept` are other names that contain one of `names` (`Linh Trần`, when `Linh` is forgotten) and are not redacted.
    /// `is_exact` selects names that match case-sensitively.
    pub fn new(names: Vec<String>, kept: Vec<String>, is_exact: impl Fn(&str) -> bool) -> Self {
        let folded: HashSet<String> = names.iter().map(|name| fold(name)).collect();
        let goes = names.iter().map(|name| (name, true));
        let stays = kept.iter().filter(|name| !folded.contains(&fold(name))).map(|name| (name, false));
        let of = |(name, goes): (&String, bool)| {
            let folded: Vec<char> = fold(name).chars().collect();
            (!folded.is_empty()).then(|| Known { name: name.clone(), folded, goes, exact: goes && is_exact(name) })
        };
        let mut known: Vec<Known> = goes.chain(stays).filter_map(of).collect();
        known.sort_by(|a, b| b.folded.len().cmp(&a.folded.len()).then_with(|| a.name.cmp(&b.name)));
        known.dedup();
        Self { names, folded, known }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn is_name(&self, name: &str) -> bool {
        self.folded.contains(&fold(name))
    }

    /// Longer names that contain one of the names and stay.
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        self.known.iter().filter(|known| !known.goes).map(|known| known.name.as_str())
    }

    /// Whether a note is on one of the names, or a sync program's copy of such a note.
    pub fn is_on_name(&self, note: &EntityNote) -> bool {
        let is_copy = |place: &Range<usize>| place.start == 0 && is_conflict_mark(&note.name[place.end..]);
        self.is_name(&note.name) || self.places(&note.name).first().is_some_and(is_copy)
    }

    /// Whether an item of a note's list is one of the names, or a relation to one.
    pub fn is_in_item(&self, item: &str) -> bool {
        let target = Verdict::parse(item).map(|verdict| verdict.target);
        self.is_name(name_and_kind(target.as_deref().unwrap_or(item)).0)
    }

    /// Whether a string in a JSON value contains one of the names.
    pub fn is_in_json(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => !self.places(text).is_empty(),
            Value::Array(items) => items.iter().any(|item| self.is_in_json(item)),
            Value::Object(fields) => fields.values().any(|field| self.is_in_json(field)),
            _ => false,
        }
    }

    /// The byte spans of the names, in order.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let letters = letters(text);
        let mut places = Vec::new();
        let mut at = 0;
        while at < letters.len() {
            let found = self.known.iter().find_map(|known| Some((known.goes, known.end_at(text, &letters, at)?)));
            let Some((goes, end)) = found else {
                at += 1;
                continue;
            };
            if goes {
                places.push(letters[at].span.start..letters[end - 1].span.end);
            }
            at = end;
        }
        places
    }

    /// The text with the names and the spans `more` redacted; `None` if there are none. The name of an attachment that
    /// bears a name is replaced as a whole, so that it stays a name.
    pub fn text(&self, text: &str, more: &[Range<usize>]) -> Option<String> {
        let mut places: Vec<(Range<usize>, Cow<'_, str>)> =
            self.attachments(text).into_iter().map(|(span, name)| (span, name.into())).collect();
        let renamed = places.len();
        let whole = |range: &&Range<usize>| range.start < range.end && text.get((*range).clone()).is_some();
        for span in self.places(text).into_iter().chain(more.iter().filter(whole).cloned()) {
            if !places[..renamed].iter().any(|(name, _)| name.start < span.end && span.start < name.end) {
                places.push((span, REDACTED.into()));
            }
        }
        places.sort_by_key(|(range, _)| (range.start, range.end));
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        for (place, replacement) in &places {
            if place.start >= at {
                redacted.push_str(&text[at..place.start]);
                redacted.push_str(replacement);
            }
            at = at.max(place.end);
        }
        redacted.push_str(&text[at..]);
        (!places.is_empty()).then_some(redacted)
    }

    /// The names of attachments in a text that bear one of the names, and what they are to be called.
    pub fn attachments(&self, text: &str) -> Vec<(Range<usize>, String)> {
        let tails: Vec<String> = self.names.iter().map(|name| tail(name)).collect();
        let bears = |own: &str| {
            let padded = format!("-{}-", own.replace(['.', '_'], "-"));
            !self.places(own).is_empty() || tails.iter().any(|tail| padded.contains(&format!("-{tail}-")))
        };
        let is_own = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        let mut found = Vec::new();
        let mut start = 0;
        for token in text.split_inclusive(|c| !is_own(c)) {
            let name = token.trim_end_matches(|c| !is_own(c));
            let (stem, ending) = name.rsplit_once('.').map_or((name, ""), |(stem, ending)| (stem, ending));
            if let Some(digits) = digits_of(name).filter(|_| bears(tail_of(stem))) {
                let dot = if ending.is_empty() { "" } else { "." };
                found.push((start..start + name.len(), format!("{digits}-redacted{dot}{ending}")));
            }
            start += token.len();
        }
        found
    }

    /// The change that removes the names from an entry; `None` if it has none. `more` are additional spans of its body.
    /// A tag, mood or key that contains a name is removed as a whole.
    pub fn change(&self, entry: &Entry, more: &[Range<usize>]) -> Option<Change> {
        let holds = |text: &String| !self.places(text).is_empty();
        let tags: Vec<String> = entry.tags.iter().filter(|tag| !holds(tag)).cloned().collect();
        let extra = entry.extra.iter().filter_map(|(key, value)| {
            let text = self.text(value, &[]).map(Some);
            Some((key.clone(), if holds(key) { None } else { text? }))
        });
        let change = Change {
            body: self.text(&entry.body, more),
            mood: entry.mood.as_ref().filter(|mood| holds(mood)).map(|_| None),
            event_time: entry.event_time.as_ref().and_then(|time| self.text(time, &[])).map(Some),
            tags: (tags != entry.tags).then_some(tags),
            extra: extra.collect(),
            ..Change::default()
        };
        (change != Change::default()).then_some(change)
    }
}

impl Known {
    /// The end of the name (with a plural ending) if it starts at letter `at`.
    fn end_at(&self, text: &str, letters: &[Letter], at: usize) -> Option<usize> {
        let end = at + self.folded.len();
        let here = letters.get(at..end)?;
        if !here.iter().zip(&self.folded).all(|(letter, folded)| letter.folded == *folded) {
            return None;
        }
        let first_goes_on = self.folded.first().copied().is_some_and(belongs);
        let last_goes_on = self.folded.last().copied().is_some_and(belongs);
        let begins = at == 0 || !(first_goes_on && belongs(letters[at - 1].folded));
        let ends = |end: usize| letters.get(end).is_none_or(|next| !belongs(next.folded));
        if !begins || letters.get(end).is_some_and(|next| is_combining_mark(next.folded)) {
            return None;
        }
        let spelled = &text[here[0].span.start..here[here.len() - 1].span.end];
        if self.exact && spelled.nfc().ne(self.name.nfc()) {
            return None;
        }
        if !last_goes_on || ends(end) {
            return Some(end);
        }
        let is_plural = |ending: &str| {
            let letters = letters.get(end..end + ending.len()).unwrap_or_default();
            letters.len() == ending.len() && letters.iter().zip(ending.chars()).all(|(l, e)| l.folded == e)
        };
        let plurals = if self.exact { &[][..] } else { &["s", "es"][..] };
        plurals.iter().find(|ending| is_plural(ending) && ends(end + ending.len())).map(|ending| end + ending.len())
    }
}

/// A case-folded letter and its span in the text.
struct Letter {
    folded: char,
    span: Range<usize>,
}

/// Normalises a text: lower case, decomposed accents, each run of white space as one space.
fn letters(text: &str) -> Vec<Letter> {
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len());
    for (start, c) in text.char_indices() {
        let span = start..start + c.len_utf8();
        if c.is_whitespace() {
            match letters.last_mut() {
                Some(last) if last.folded == ' ' => last.span.end = span.end,
                _ => letters.push(Letter { folded: ' ', span }),
            }
            continue;
        }
        let folded = std::iter::once(c).nfd().flat_map(char::to_lowercase);
        letters.extend(folded.map(|folded| Letter { folded, span: span.clone() }));
    }
    letters
}

fn fold(name: &str) -> String {
    letters(name.trim()).into_iter().map(|letter| letter.folded).collect()
}

/// Whether a character continues a word: `Linh` is not found in `Linhda`.
fn belongs(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction() -> Redaction {
        let names = ["Linh", "Linh Nguyễn", "chị L.", "Will"].map(str::to_owned);
        Redaction::new(names.to_vec(), vec!["Linh Trần".to_owned(), "linh".to_owned()], |name| name == "Will")
    }

    #[test]
    fn whole_names_go_longest_first_and_longer_names_of_others_stay() {
        let text = |text| redaction().text(text, &[]);
        assert_eq!(
            text("Linh's dog, @Linh, Linh Nguyễn.").as_deref(),
            Some("[redacted]'s dog, @[redacted], [redacted].")
        );
        assert_eq!(text("met chị L. and Linh Trần").as_deref(), Some("met [redacted] and Linh Trần"));
        assert_eq!(text("Linhda, aLinh, Linh Trần, LINH TRẦN, Linhsen"), None);
        assert_eq!(redaction().text("she came", &[0..3, 1..2]).as_deref(), Some("[redacted] came"));
    }

    #[test]
    fn names_go_in_any_case_and_form() {
        let text = |text: &str| redaction().text(text, &[]).unwrap_or_else(|| text.to_owned());
        assert_eq!(text("linh, LINH, the Linhs, LINH'S"), "[redacted], [redacted], the [redacted], [redacted]'S");
        assert_eq!(text("linh\n  nguyễn"), "[redacted]");
        let decomposed: String = "Linh Nguyễn, Linh Nguyen".nfd().collect();
        assert_eq!(text(&decomposed), "[redacted], [redacted] Nguyen", "with accents apart");
        assert_eq!(
            text("Will, I will, WILL, Wills"),
            "[redacted], I will, WILL, Wills",
            "a common word as it is spelled"
        );
    }

    #[test]
    fn items_of_notes_are_compared_whole() {
        let is_in = |item| redaction().is_in_item(item);
        assert!(is_in("Linh") && is_in("linh (person)") && is_in("causal -> Linh @ k3"));
        assert!(!is_in("Linh Trần") && !is_in("causal -> stressed"));
    }
}
