//! The word lists of `assets/lexicon`, read once.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::fold_case;
use crate::journal::{EntityKind, RelationKind};

/// Capitalised words that name nothing.
pub(super) struct NotNames {
    /// Never part of a name.
    pub breaks: HashSet<String>,
    /// No name by itself.
    pub alone: HashSet<String>,
    /// Little words that are names too.
    pub seldom: HashSet<String>,
    /// Skipped where a sentence begins, as are those of `seldom`.
    pub starters: HashSet<String>,
}

pub(super) static NOT_NAMES: LazyLock<NotNames> = LazyLock::new(|| {
    let mut sections = sections(include_str!("../../assets/lexicon/not-names.txt"));
    let mut take = |name| sections.remove(name).unwrap_or_default();
    let (seldom, mut starters) = (take("seldom"), take("starters"));
    starters.extend(seldom.iter().cloned());
    NotNames { breaks: take("breaks"), alone: take("alone"), seldom, starters }
});

/// Whether a word in lower case is one of the small words of the language, as in `will it be` and `in may`.
pub fn is_little_word(word: &str) -> bool {
    NOT_NAMES.breaks.contains(word) || NOT_NAMES.seldom.contains(word)
}

/// Words that say that a person's name follows.
pub(super) struct Titles {
    pub any_case: HashSet<String>,
    pub lower_case: HashSet<String>,
}

pub(super) static TITLES: LazyLock<Titles> = LazyLock::new(|| {
    let mut sections = sections(include_str!("../../assets/lexicon/titles.txt"));
    let mut take = |name| sections.remove(name).unwrap_or_default();
    Titles { any_case: take("any"), lower_case: take("lower") }
});

pub(super) static CONNECTORS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    lines(include_str!("../../assets/lexicon/connectors.txt")).flat_map(str::split_whitespace).map(fold_case).collect()
});

/// What a known `verb::` means.
pub(super) struct Verb {
    pub relation: RelationKind,
    /// A fixed feeling; `None` for the mood of the entry.
    pub feeling: Option<&'static str>,
    /// What the verb says of the names themselves.
    pub names: Option<EntityKind>,
}

pub(super) static VERBS: LazyLock<HashMap<String, Verb>> =
    LazyLock::new(|| lines(include_str!("../../assets/lexicon/verbs.txt")).filter_map(verb).collect());

fn verb(line: &'static str) -> Option<(String, Verb)> {
    let mut columns = line.split_whitespace();
    let name = fold_case(columns.next()?);
    let relation = match columns.next()? {
        "causal" => RelationKind::Causal,
        "emotional" => RelationKind::Emotional,
        "temporal" => RelationKind::Temporal,
        "topical" => RelationKind::Topical,
        "involves" => RelationKind::Involves,
        _ => return None,
    };
    let feeling = Some(columns.next()?).filter(|end| *end != "mood");
    Some((name, Verb { relation, feeling, names: columns.next().and_then(EntityKind::parse) }))
}

/// The lines that are neither empty nor comments.
pub(super) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn sections(text: &'static str) -> HashMap<&'static str, HashSet<String>> {
    let mut sections: HashMap<_, HashSet<String>> = HashMap::new();
    let mut section = "";
    for line in lines(text) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => section = name,
            None => sections.entry(section).or_default().extend(line.split_whitespace().map(fold_case)),
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_read_to_its_end() {
        assert!(NOT_NAMES.breaks.contains("monday") && NOT_NAMES.breaks.contains("fyi"));
        assert!(NOT_NAMES.alone.contains("vietnamese") && NOT_NAMES.alone.contains("days"));
        assert!(NOT_NAMES.starters.contains("met") && NOT_NAMES.starters.contains("thấy"));
        assert!(TITLES.any_case.contains("nurse") && TITLES.lower_case.contains("thầy"));
        assert!(CONNECTORS.contains("van") && CONNECTORS.contains("văn"));
        let written = lines(include_str!("../../assets/lexicon/verbs.txt")).count();
        assert_eq!(VERBS.len(), written, "each line of the verbs is understood");
        assert_eq!(VERBS["with"].names, Some(EntityKind::Person));
        assert_eq!(VERBS["joy"].feeling, Some("joy"));
    }
}
