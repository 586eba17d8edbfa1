//! Word lists of `assets/lexicon`, parsed once.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::{
    fold_case,
    language::{List, Section, sections},
    phrases::Phrases,
};
use crate::journal::{EntityKind, RelationKind};

/// Gives a list a struct with a field for each `[section]`, and its words, parsed once. A blank in the name of a section
/// is `_` in that of the field. The file explains the sections.
macro_rules! sectioned {
    ($list:ident $words:ident: $($section:ident)*) => {
        pub(super) struct $list {
            $(pub $section: std::collections::HashSet<&'static str>,)*
        }

        pub(super) static $words: std::sync::LazyLock<$list> = std::sync::LazyLock::new(|| {
            let sections = $crate::extract::listed_words($crate::extract::language::List::$list).into_iter();
            let mut sections: std::collections::HashMap<String, _> =
                sections.map(|(name, words)| (name.replace(' ', "_"), words)).collect();
            $list { $($section: sections.remove(stringify!($section)).unwrap_or_default(),)* }
        });

        #[cfg(test)]
        impl $list {
            pub const SECTIONS: &'static [&'static str] = &[$(stringify!($section)),*];
        }
    };
}
pub(super) use sectioned;

sectioned! { NotNames NOT_NAMES: breaks alone seldom starters languages months }

impl NotNames {
    /// Whether a capitalised word is skipped at the start of a sentence.
    pub fn starts(&self, word: &str) -> bool {
        self.starters.contains(word) || self.seldom.contains(word)
    }
}

/// Whether a word in lower case is a function word, as in `will it be` and `in may`.
pub fn is_little_word(word: &str) -> bool {
    NOT_NAMES.breaks.contains(word) || NOT_NAMES.seldom.contains(word)
}

/// Rarity of a phrase in the language, by its last word: 1 for an everyday word, 2 for an ordinary word, 3 for a word
/// in no list.
pub fn unusualness(phrase: &str) -> u32 {
    let last = phrase.rsplit(' ').next().unwrap_or_default();
    match () {
        () if ORDINARY.is_everyday(last) => 1,
        () if ORDINARY.has(last) => 2,
        () => 3,
    }
}

sectioned! { Titles TITLES: any short kept part office lower before_a_name }

impl Titles {
    /// Whether a name may follow this word, with or without a full stop between them.
    pub fn comes_before(&self, word: &str) -> bool {
        self.any.contains(word) || self.short.contains(word)
    }

    /// Whether a word, or its singular, is only a title or role.
    pub fn has(&self, word: &str) -> bool {
        let has = |word: &str| self.any.contains(word) || self.part.contains(word);
        has(word) || word.strip_suffix('s').is_some_and(has)
    }
}

pub(super) static CONNECTORS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| words(List::Connectors));

/// The meaning of a known `verb::`.
pub(super) struct Verb<'a> {
    pub relation: RelationKind,
    /// A fixed feeling; `None` for the mood of the entry.
    pub feeling: Option<&'a str>,
    /// The kind that the verb implies for its names.
    pub names: Option<EntityKind>,
}

pub(super) static VERBS: LazyLock<HashMap<String, Verb<'static>>> =
    LazyLock::new(|| lines(List::Verbs).filter_map(verb).collect());

/// Parses a line: the verb, the relation, the feeling (or `mood`) and optionally the kind of the names.
pub(super) fn verb(line: &str) -> Option<(String, Verb<'_>)> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let (name, relation, feeling, names) = match *columns {
        [name, relation, feeling] => (name, relation, feeling, None),
        [name, relation, feeling, kind] => (name, relation, feeling, Some(EntityKind::parse(kind)?)),
        _ => return None,
    };
    let feeling = Some(feeling).filter(|end| *end != "mood");
    Some((fold_case(name), Verb { relation: RelationKind::parse(relation)?, feeling, names }))
}

/// Ordinary words of the languages, and their frequency.
pub(super) struct Ordinary {
    /// Words so frequent that they occur in any diary.
    everyday: HashSet<&'static str>,
    known: HashSet<&'static str>,
    vietnamese: HashSet<&'static str>,
    /// Further words that are written in lower case.
    lower_case: HashSet<&'static str>,
}

pub(super) static ORDINARY: LazyLock<Ordinary> = LazyLock::new(|| {
    let mut sections = listed_words(List::Words);
    let mut take = |name| sections.remove(name).unwrap_or_default();
    Ordinary {
        everyday: take("everyday"),
        known: take("known"),
        vietnamese: words(List::WordsVietnamese),
        lower_case: words(List::LowerCase),
    }
});

/// Whether a word in lower case is common English in correct spelling.
pub fn is_spelt_right(word: &str) -> bool {
    ORDINARY.is_known(word) || ORDINARY.derives(word, |base| ORDINARY.is_known(base))
}

impl Ordinary {
    /// Whether a word in lower case, or its base form, is an ordinary word of either language.
    pub fn has(&self, word: &str) -> bool {
        self.is_known(word)
            || self.vietnamese.contains(word)
            || is_little_word(word)
            || NOT_NAMES.starters.contains(word)
            || NOT_NAMES.alone.contains(word)
            || self.derives(word, |base| self.is_known(base))
            || respelled(word)
                .is_some_and(|other| self.is_known(&other) || self.derives(&other, |base| self.is_known(base)))
            || word.split_once(['-', '\'']).is_some_and(|(first, rest)| self.is_known(first) && !rest.is_empty())
    }

    /// Whether a capital alone makes no name of a word: an ordinary one, or one that is rare and written in lower case,
    /// also behind a prefix (`unpacked`, `rebook`).
    pub fn names_nobody(&self, word: &str) -> bool {
        let is_lower = |word: &str| self.lower_case.contains(word);
        let is_one = |word: &str| self.has(word) || is_lower(word) || self.derives(word, is_lower);
        is_one(word)
            || ["re", "un"]
                .iter()
                .any(|prefix| word.strip_prefix(prefix).is_some_and(|rest| rest.len() > 3 && is_one(rest)))
    }

    /// "Applied", "painted": a regular past form of an ordinary verb.
    pub fn has_past(&self, word: &str) -> bool {
        let y = || word.strip_suffix("ied").is_some_and(|stem| self.has(&format!("{stem}y")));
        word.strip_suffix('d').is_some_and(|stem| self.has(stem) || self.has(stem.trim_end_matches('e'))) || y()
    }

    /// Whether it is an everyday word: never a topic.
    pub fn is_everyday(&self, word: &str) -> bool {
        self.everyday.contains(word) || self.derives(word, |base| self.everyday.contains(base))
    }

    fn is_known(&self, word: &str) -> bool {
        self.everyday.contains(word) || self.known.contains(word)
    }

    /// Whether removing a regular ending (-s, -ed, -ing, -ly, -er, -est) yields such a word.
    fn derives(&self, word: &str, is: impl Fn(&str) -> bool) -> bool {
        const ENDINGS: [(&str, &[&str]); 10] = [
            ("s", &[""]),
            ("es", &[""]),
            ("ies", &["y"]),
            ("ed", &["", "e"]),
            ("ied", &["y"]),
            ("ing", &["", "e"]),
            ("ly", &["", "le"]),
            ("er", &["", "e"]),
            ("est", &["", "e"]),
            ("ier", &["y"]),
        ];
        if word.len() < 4 || !word.is_ascii() {
            return false;
        }
        ENDINGS.iter().any(|(ending, bases)| {
            let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 3) else { return false };
            let doubled = stem.len() > 3
                && ending.len() > 1
                && stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
            bases.iter().any(|base| if base.is_empty() { is(stem) } else { is(&format!("{stem}{base}")) })
                || (doubled && is(&stem[..stem.len() - 1]))
        })
    }
}

/// The other spelling of `apologised` and `neighbour`, of which the list has one.
fn respelled(word: &str) -> Option<String> {
    if word.len() > 5 && ["ise", "ised", "ises", "ising", "isation"].iter().any(|ending| word.ends_with(ending)) {
        let at = word.rfind("is")?;
        return Some(format!("{}iz{}", &word[..at], &word[at + 2..]));
    }
    word.contains("our").then(|| word.replacen("our", "or", 1))
}

/// The words of all sections of a list.
fn words(list: List) -> HashSet<&'static str> {
    listed_words(list).into_values().flatten().collect()
}

/// Evidence for the kind of a name: well-known names, and words next to a name.
pub(super) struct Gazetteer {
    pub first_names: HashSet<&'static str>,
    /// Whole names of places, organisations and products.
    pub names: Phrases<EntityKind>,
    /// Last words of a name.
    pub ends: HashMap<&'static str, EntityKind>,
    /// First words of a name, also in lower case before it.
    pub starts: HashMap<&'static str, EntityKind>,
    /// Names of companies that also denote their products.
    pub makers: HashSet<&'static str>,
}

pub(super) static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| {
    let lists = [List::Products, List::Organizations, List::Places, List::Feasts].map(listed_words);
    let [products, organizations, places, feasts] = &lists;
    let of = |list: &Sections, section: &str, kind| {
        list.get(section).into_iter().flatten().map(|word| (*word, kind)).collect::<Vec<_>>()
    };
    let names = [
        of(products, "", EntityKind::Product),
        of(products, "makers", EntityKind::Organization),
        of(organizations, "names", EntityKind::Organization),
        of(places, "names", EntityKind::Place),
        of(feasts, "", EntityKind::Event),
    ];
    let ends = [of(organizations, "ends", EntityKind::Organization), of(places, "near", EntityKind::Place)];
    let starts = [of(organizations, "starts", EntityKind::Organization), of(places, "before", EntityKind::Place)];
    Gazetteer {
        first_names: words(List::FirstNames),
        names: Phrases::new(names.concat()),
        ends: ends.into_iter().flatten().collect(),
        starts: starts.into_iter().flatten().collect(),
        makers: products.get("makers").cloned().unwrap_or_default(),
    }
});

/// The words of each `[section]` of a list.
type Sections = HashMap<&'static str, HashSet<&'static str>>;

/// The words of each `[section]`, as written; phrases in lines with a comma.
pub(super) fn listed_words(list: List) -> Sections {
    let mut found = Sections::new();
    for (section, line) in sectioned_lines(list) {
        found.entry(section).or_default().extend(items_or_words(line));
    }
    found
}

/// The lines of a list, each with the name of its `[section]`, which is empty before the first.
pub(super) fn sectioned_lines(list: List) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = |section: Section<'static>| section.lines.into_iter().map(move |(_, line)| (section.name, line));
    sections(list.text()).into_iter().flat_map(lines)
}

/// The items of the lines `name: item, item` of a list, each with the names of its section and line.
pub(super) fn named_items(list: List) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let named = sectioned_lines(list).filter_map(|(section, line)| Some((section, line.split_once(':')?)));
    named.flat_map(|(section, (name, line))| items(line).map(move |item| (section, name, item)))
}

/// The items of a line, which commas separate.
pub(super) fn items(line: &'static str) -> impl Iterator<Item = &'static str> {
    line.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// The items of a line: comma-separated where it has a comma, else space-separated.
fn items_or_words(line: &'static str) -> impl Iterator<Item = &'static str> {
    let is_separator = if line.contains(',') { |c| c == ',' } else { char::is_whitespace };
    line.split(is_separator).map(str::trim).filter(|item| !item.is_empty())
}

/// The lines of a list that are neither empty nor comments.
pub(super) fn lines(list: List) -> impl Iterator<Item = &'static str> {
    sectioned_lines(list).map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_has_a_field_and_every_field_a_section() {
        use crate::extract::{feeling_modifiers, forms, grammar, kind_votes, reported_speech, sense_words, times};
        for (list, fields) in [
            (List::AroundFeelings, feeling_modifiers::AroundFeelings::SECTIONS),
            (List::BesideNames, kind_votes::BesideNames::SECTIONS),
            (List::Denials, forms::Denials::SECTIONS),
            (List::NotNames, NotNames::SECTIONS),
            (List::Titles, Titles::SECTIONS),
            (List::DateWords, times::DateWords::SECTIONS),
            (List::Phrases, grammar::Phrases::SECTIONS),
            (List::Senses, sense_words::Senses::SECTIONS),
            (List::Voices, reported_speech::Voices::SECTIONS),
        ] {
            let mut sections: Vec<String> = listed_words(list).into_keys().map(|name| name.replace(' ', "_")).collect();
            let mut fields = fields.to_vec();
            sections.sort_unstable();
            fields.sort_unstable();
            assert_eq!(sections, fields, "{}", list.name());
        }
    }

    #[test]
    fn every_list_is_read_to_its_end() {
        assert!(NOT_NAMES.breaks.contains("monday") && NOT_NAMES.breaks.contains("fyi"));
        assert!(NOT_NAMES.alone.contains("vietnamese") && NOT_NAMES.alone.contains("days"));
        assert!(NOT_NAMES.starters.contains("met") && NOT_NAMES.starters.contains("thấy"));
        assert!(TITLES.any.contains("nurse") && TITLES.lower.contains("thầy"));
        assert!(CONNECTORS.contains("van") && CONNECTORS.contains("văn"));
        let written = lines(List::Verbs).count();
        assert_eq!(VERBS.len(), written, "each line of the verbs is understood");
        assert_eq!(VERBS["with"].names, Some(EntityKind::Person));
        assert_eq!(VERBS["joy"].feeling, Some("joy"));
    }
}
