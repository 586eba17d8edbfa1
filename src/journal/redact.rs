//! Names taken out of texts: what stands where they were says that something stood there.

use std::ops::Range;

use super::{Change, EntityNote, Entry, REDACTED, Verdict, name_and_kind};

/// Names that are to be forgotten, and longer ones of others that hold them and stay.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redaction {
    names: Vec<String>,
    /// With whether it goes; the longest first.
    known: Vec<(String, bool)>,
}

impl Redaction {
    /// `kept` are names of others (`Linh Trần`, where `Linh` goes): what they hold is not meant.
    pub fn new(names: Vec<String>, kept: Vec<String>) -> Self {
        let goes = names.iter().filter(|name| !name.trim().is_empty()).map(|name| (name.clone(), true));
        let stays = kept.into_iter().filter(|name| !names.contains(name)).map(|name| (name, false));
        let mut known: Vec<(String, bool)> = goes.chain(stays).collect();
        known.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        known.dedup();
        Self { names, known }
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn is_name(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Whether an item of a note's list is one of the names, or a relation with one.
    pub fn is_in_item(&self, item: &str) -> bool {
        let target = Verdict::parse(item).map(|verdict| verdict.target);
        self.is_name(name_and_kind(target.as_deref().unwrap_or(item)).0)
    }

    /// Whether a note is about one of the names or says something of one.
    pub fn is_in_note(&self, note: &EntityNote) -> bool {
        let lists = [&note.aliases, &note.merged, &note.distinct_from];
        let relations = note.accept.iter().chain(&note.reject).map(|verdict| verdict.target.as_str());
        let items = lists.into_iter().flatten().chain(&note.merged_into).map(String::as_str).chain(relations);
        self.is_name(&note.name)
            || !self.places(&note.notes).is_empty()
            || items.into_iter().any(|item| self.is_in_item(item))
    }

    /// Where the names stand as whole words, just as they are spelled, in order.
    pub fn places(&self, text: &str) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let before = text[..at].chars().next_back();
            let found = self.known.iter().find(|(name, _)| {
                rest.starts_with(name.as_str())
                    && !(before.is_some_and(belongs) && name.starts_with(belongs))
                    && !(rest[name.len()..].starts_with(belongs) && name.ends_with(belongs))
            });
            let length = found.map_or_else(|| rest.chars().next().map_or(1, char::len_utf8), |(name, _)| name.len());
            if found.is_some_and(|(_, goes)| *goes) {
                places.push(at..at + length);
            }
            at += length;
        }
        places
    }

    /// The text without the names, and without what stands at `more`; `None` where there is none of them.
    pub fn text(&self, text: &str, more: &[Range<usize>]) -> Option<String> {
        let mut places = self.places(text);
        let whole = |range: &&Range<usize>| range.start < range.end && text.get((*range).clone()).is_some();
        places.extend(more.iter().filter(whole).cloned());
        places.sort_by_key(|range| (range.start, range.end));
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        for place in &places {
            if place.start >= at {
                redacted.push_str(&text[at..place.start]);
                redacted.push_str(REDACTED);
            }
            at = at.max(place.end);
        }
        redacted.push_str(&text[at..]);
        (!places.is_empty()).then_some(redacted)
    }

    /// What to change in an entry so that it names them no more; `more` are places of its body. A tag or mood with such a name in
    /// it goes whole.
    pub fn change(&self, entry: &Entry, more: &[Range<usize>]) -> Option<Change> {
        let holds = |text: &String| !self.places(text).is_empty();
        let tags: Vec<String> = entry.tags.iter().filter(|tag| !holds(tag)).cloned().collect();
        let extra = entry.extra.iter().filter_map(|(key, value)| Some((key.clone(), Some(self.text(value, &[])?))));
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

/// What goes on with a word: `Linh` does not stand in `Linhda`.
fn belongs(c: char) -> bool {
    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction() -> Redaction {
        let names = ["Linh", "Linh Nguyễn", "chị L."].map(str::to_owned);
        Redaction::new(names.to_vec(), vec!["Linh Trần".to_owned(), "Linh".to_owned()])
    }

    #[test]
    fn whole_names_go_longest_first_and_longer_names_of_others_stay() {
        let text = |text| redaction().text(text, &[]);
        assert_eq!(
            text("Linh's dog, @Linh, Linh Nguyễn.").as_deref(),
            Some("[redacted]'s dog, @[redacted], [redacted].")
        );
        assert_eq!(text("met chị L. and Linh Trần").as_deref(), Some("met [redacted] and Linh Trần"));
        assert_eq!(text("Linhda, aLinh, linh, Linh Trần"), None);
        assert_eq!(redaction().text("she came", &[0..3, 1..2]).as_deref(), Some("[redacted] came"));
    }

    #[test]
    fn items_of_notes_are_compared_whole() {
        let is_in = |item| redaction().is_in_item(item);
        assert!(is_in("Linh") && is_in("Linh (person)") && is_in("causal -> Linh @ k3"));
        assert!(!is_in("Linh Trần") && !is_in("causal -> stressed"));
    }
}
