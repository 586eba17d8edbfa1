//! Entry ids: resolution of missing and duplicate ids over the whole vault (design 3, Identity).

use std::collections::{HashMap, HashSet};

use super::{BodyHash, Entry, EntryId};

/// The id or time that one entry has in its file. [`resolve`] expects those of the file first whose names take precedence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenName<'a> {
    /// The `id:` or else the `time:`, as written.
    pub written: &'a str,
    pub has_id: bool,
    pub hash: BodyHash,
    /// The `time:` as written.
    pub time: &'a str,
}

impl<'a> WrittenName<'a> {
    /// Entries with one name that agree in this are one entry.
    fn content(&self) -> (BodyHash, &'a str) {
        (self.hash, self.time)
    }
}

/// The final id of each entry, in the same order; `None` for a duplicate (same written name, body and time) of
/// an earlier entry. All ids are distinct.
///
/// A written `id:` takes precedence over the times of other entries, because there may be references to it.
pub fn resolve(entries: &[WrittenName<'_>]) -> Vec<Option<EntryId>> {
    let mut names = Names::default();
    let mut resolved = vec![None; entries.len()];
    let with_id = |entry: &&WrittenName<'_>| entry.has_id;
    let ids: HashSet<&str> = entries.iter().filter(with_id).map(|entry| entry.written).collect();

    // Assign written ids first, so that no generated id takes one of them.
    let mut clashing = Vec::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.has_id) {
        match names.taken.get(entry.written) {
            None => resolved[at] = Some(names.take(entry.written.to_owned(), entry)),
            Some(content) if *content == entry.content() => {}
            Some(_) => clashing.push(at),
        }
    }
    for at in clashing {
        resolved[at] = names.make(&entries[at]);
    }

    // A time is ambiguous if two bodies have it now or had it before: an id of the form `time~hash` shows that several
    // entries shared this time, and the others must keep their ids.
    let mut bodies: HashMap<&str, Option<BodyHash>> = HashMap::new();
    for entry in entries.iter().filter(|entry| !entry.has_id) {
        let only = bodies.entry(entry.written).or_insert(Some(entry.hash));
        if *only != Some(entry.hash) {
            *only = None;
        }
    }
    for time in ids.iter().filter_map(|id| time_of(id)) {
        bodies.entry(time).and_modify(|only| *only = None);
    }
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| !entry.has_id) {
        let same_as_id = ids.contains(entry.written) && names.taken.get(entry.written) == Some(&entry.content());
        if same_as_id {
            continue;
        }
        let alone = bodies.get(entry.written).is_some_and(Option::is_some);
        resolved[at] = match names.taken.get(entry.written) {
            None if alone => Some(names.take(entry.written.to_owned(), entry)),
            Some(content) if alone && *content == entry.content() => None,
            _ => names.make(entry),
        };
    }
    resolved
}

/// Whether `name` is, or was, the id of an entry with this written name and body.
pub fn is_id_of(name: &str, written: &str, hash: &BodyHash) -> bool {
    name == written
        || name
            .strip_prefix(written)
            .and_then(|rest| rest.strip_prefix('~'))
            .is_some_and(|digits| digits.len() >= 8 && digits.len() % 8 == 0 && hash.to_string().starts_with(digits))
}

impl Entry {
    /// Whether `name` is, or was, the id of this entry, read from one file.
    pub(super) fn goes_by(&self, name: &EntryId) -> bool {
        is_id_of(name.as_str(), self.id.as_str(), &self.hash)
    }
}

/// The part before `~` of an id that ends in `~` and eight hex digits.
pub fn time_of(id: &str) -> Option<&str> {
    let (stem, digits) = id.rsplit_once('~')?;
    (digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(stem)
}

#[derive(Default)]
struct Names<'a> {
    taken: HashMap<String, (BodyHash, &'a str)>,
}

impl<'a> Names<'a> {
    fn take(&mut self, name: String, entry: &WrittenName<'a>) -> EntryId {
        let id = EntryId::from(name.as_str());
        self.taken.insert(name, entry.content());
        id
    }

    /// Generates an id: `written~` and as many hash digits as make it unique; `None` if the same body and time already
    /// have that id.
    fn make(&mut self, entry: &WrittenName<'a>) -> Option<EntryId> {
        let digits = entry.hash.to_string();
        let mut name = String::new();
        for length in (8..=64).step_by(8) {
            name = format!("{}~{}", entry.written, &digits[..length]);
            match self.taken.get(&name) {
                None => return Some(self.take(name, entry)),
                Some(content) if *content == entry.content() => return None,
                Some(_) => {}
            }
        }
        // All eight prefixes are written ids of other texts.
        let free = (2..)
            .map(|n| format!("{name}~{n}"))
            .find(|name| self.taken.get(name).is_none_or(|other| *other == entry.content()))?;
        (!self.taken.contains_key(&free)).then(|| self.take(free, entry))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const T: &str = "2026-02-22T15:30:00+07:00";

    fn id(written: &str, body: &str) -> (String, bool, BodyHash) {
        (written.to_owned(), true, BodyHash::of(body.as_bytes()))
    }

    fn timed(written: &str, body: &str) -> (String, bool, BodyHash) {
        (written.to_owned(), false, BodyHash::of(body.as_bytes()))
    }

    fn entries(of: &[(String, bool, BodyHash)]) -> Vec<WrittenName<'_>> {
        of.iter()
            .map(|(written, has_id, hash)| {
                let time = if *has_id { T } else { written };
                WrittenName { written, has_id: *has_id, hash: *hash, time }
            })
            .collect()
    }

    fn named(of: &[(String, bool, BodyHash)]) -> Vec<Option<String>> {
        resolve(&entries(of)).into_iter().map(|name| name.map(|name| name.to_string())).collect()
    }

    fn short(body: &str) -> String {
        BodyHash::of(body.as_bytes()).short()
    }

    #[test]
    fn an_entry_goes_by_its_id_or_else_by_its_time() {
        assert_eq!(named(&[id("abc", "x"), timed(T, "y")]), [Some("abc".to_owned()), Some(T.to_owned())]);
    }

    #[test]
    fn entries_that_share_a_time_are_told_apart_by_their_text_in_any_order() {
        let (x, y) = (format!("{T}~{}", short("x")), format!("{T}~{}", short("y")));
        assert_eq!(named(&[timed(T, "x"), timed(T, "y")]), [Some(x.clone()), Some(y.clone())]);
        assert_eq!(named(&[timed(T, "y"), timed(T, "x"), timed(T, "y")]), [Some(y), Some(x), None]);
    }

    #[test]
    fn same_time_and_same_text_is_one_entry() {
        assert_eq!(named(&[timed(T, "x"), timed(T, "x")]), [Some(T.to_owned()), None]);
        assert_eq!(named(&[id("a", "x"), id("a", "x")]), [Some("a".to_owned()), None]);
        // One copy has its id written in the file, the other (a backup, another machine) does not.
        assert_eq!(named(&[timed(T, "x"), id(T, "x")]), [None, Some(T.to_owned())]);
    }

    #[test]
    fn one_id_with_two_texts_shows_both() {
        let of = [id("a", "x"), id("a", "y"), id("a", "y"), id("b", "x")];
        let second = format!("a~{}", short("y"));
        assert_eq!(named(&of), [Some("a".to_owned()), Some(second), None, Some("b".to_owned())]);
    }

    #[test]
    fn one_id_with_one_text_at_two_times_shows_both() {
        let hash = BodyHash::of(b"x");
        let moved = ["2026-02-24", "2026-02-25", "2026-02-25", "2026-02-26"];
        let moved = moved.map(|time| WrittenName { written: "a", has_id: true, hash, time });
        let longer = |digits: usize| Some(EntryId::from(format!("a~{}", &hash.to_string()[..digits]).as_str()));
        assert_eq!(resolve(&moved), [Some("a".into()), longer(8), None, longer(16)]);
    }

    #[test]
    fn a_name_once_written_as_an_id_does_not_rename_its_neighbour() {
        let kept = format!("{T}~{}", short("x"));
        let other = format!("{T}~{}", short("y"));
        assert_eq!(named(&[id(&kept, "x, edited"), timed(T, "y")]), [Some(kept), Some(other)]);
    }

    #[test]
    fn a_written_id_keeps_its_name_over_a_made_one() {
        let wanted = format!("{T}~{}", short("x"));
        let names = named(&[timed(T, "x"), timed(T, "y"), id(&wanted, "z")]);
        assert_eq!(names[2].as_deref(), Some(wanted.as_str()));
        assert_eq!(names[0].as_deref().map(str::len), Some(T.len() + 17));
    }

    #[test]
    fn an_old_name_still_answers() {
        let hash = BodyHash::of(b"x");
        assert!(is_id_of(T, T, &hash));
        assert!(is_id_of(&format!("{T}~{}", hash.short()), T, &hash));
        assert!(!is_id_of(&format!("{T}~{}", short("y")), T, &hash));
        assert!(!is_id_of(&format!("{T}~"), T, &hash));
    }

    proptest! {
        #[test]
        fn names_are_unique_and_no_text_goes_unnamed(
            of in prop::collection::vec(("[ab]|[ab]~0a1b2c3d", any::<bool>(), "[xyz]"), 0..12)
        ) {
            let of: Vec<_> = of.into_iter().map(|(w, has_id, body)| (w, has_id, BodyHash::of(body.as_bytes()))).collect();
            let names = named(&of);
            let given: Vec<_> = names.iter().flatten().collect();
            prop_assert_eq!(given.iter().collect::<HashSet<_>>().len(), given.len());
            for (written, has_id, hash) in &of {
                let named = of.iter().zip(&names).any(|((w, other_has_id, h), name)| {
                    name.is_some() && w == written && h == hash && (other_has_id == has_id || *other_has_id)
                });
                prop_assert!(named, "{written} {has_id} {hash} has no name");
            }
        }
    }
}
