//! Language data: the word lists of `assets/lexicon`, with the user's additions.
//!
//! One set per process, like the rules: a process opens one journal, and its lists are [adopted](adopt) before the
//! first extraction. Knows the format of the lists and how to merge them, not their meaning or location.

mod own;
#[cfg(test)]
mod own_tests;

use std::{collections::HashMap, sync::OnceLock};

pub use own::Fault;

use crate::journal::WordListFile;

/// One variant per list, sorted by name, with its file.
macro_rules! lists {
    ($($list:ident $name:literal)*) => {
        /// A built-in word list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum List {
            $($list,)*
        }

        impl List {
            /// All lists used by extraction.
            pub const ALL: &[Self] = &[$(Self::$list,)*];

            /// The file name without `.txt`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$list => $name,)*
                }
            }

            /// The built-in text.
            pub fn built_in(self) -> &'static str {
                match self {
                    $(Self::$list => include_str!(concat!("../../assets/lexicon/", $name, ".txt")),)*
                }
            }
        }
    };
}

lists! {
    AroundFeelings "around-feelings"
    BareVietnamese "bare-vi"
    BesideNames "beside-names"
    Causes "causes"
    Connectors "connectors"
    DateWords "date-words"
    Denials "denials"
    Events "events"
    Feasts "feasts"
    Feelings "feelings"
    FirstNames "first-names"
    Forms "forms-en"
    GateCauses "gate-causes"
    GateFeelings "gate-feelings"
    GateReadings "gate-readings"
    Kin "kin"
    LowerCase "lower-case"
    Moods "moods-en"
    MoodsVietnamese "moods-vi"
    NotNames "not-names"
    Organizations "organizations"
    Phrases "phrases"
    Places "places"
    Products "products"
    Records "records"
    SameFeeling "same-feeling"
    Senses "senses"
    ShortNames "short-names"
    Titles "titles"
    Verbs "verbs"
    Voices "voices"
    Words "words-en"
    WordsVietnamese "words-vi"
}

/// The user's lists, and the merged texts.
#[derive(Default)]
struct Adopted {
    own: Vec<WordListFile>,
    joined: HashMap<&'static str, String>,
}

static ADOPTED: OnceLock<Adopted> = OnceLock::new();

/// The lists of another journal are already in use in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the word lists of another journal are in use; they can be taken up only by a new start of kioku")]
pub struct InUse;

impl List {
    /// Finds a list by its file name without `.txt`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|list| list.name() == name)
    }

    /// Whether a user can extend and override it.
    ///
    /// Not the trained weights, which cannot be set by hand, and not the irregular forms, which determine the terms of
    /// the keyword index: existing terms would no longer match.
    pub fn is_open(self) -> bool {
        !matches!(self, Self::Forms | Self::GateCauses | Self::GateFeelings | Self::GateReadings)
    }

    /// The text in use: built-in, merged with the user's list if there is one.
    pub fn text(self) -> &'static str {
        let adopted = ADOPTED.get_or_init(Adopted::default);
        adopted.joined.get(self.name()).map_or(self.built_in(), String::as_str)
    }

    /// The purpose of the list: the first line of its file.
    pub fn summary(self) -> &'static str {
        self.built_in().lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }

    /// Number of words and phrases in a text of this list.
    pub fn count(self, text: &str) -> usize {
        own::count(self, text)
    }
}

/// Adopts the user's lists, once, before any extraction; returns the faults in them.
///
/// # Errors
/// If extraction has already started with other lists.
pub fn adopt(own: Vec<WordListFile>) -> Result<Vec<Fault>, InUse> {
    let mut faults = Vec::new();
    let mut joined = HashMap::new();
    for list in &own {
        match List::named(&list.name).filter(|known| known.is_open()) {
            Some(known) => {
                let (text, found) = own::join(known, &list.text);
                joined.insert(known.name(), text);
                faults.extend(found.into_iter().map(|(line, message)| Fault::new(list, Some(line), message)));
            }
            None => faults.push(Fault::new(list, None, own::unknown(&list.name))),
        }
    }
    match ADOPTED.set(Adopted { own, joined }) {
        Err(refused) if ADOPTED.get().is_none_or(|adopted| adopted.own != refused.own) => Err(InUse),
        _ => Ok(faults),
    }
}

/// The user's lists in use.
pub fn own() -> &'static [WordListFile] {
    &ADOPTED.get_or_init(Adopted::default).own
}

/// Lines that are neither empty nor comments, with their numbers from 1, by section (`""` before the first).
pub(super) struct Section<'a> {
    pub name: &'a str,
    pub lines: Vec<(usize, &'a str)>,
}

pub(super) fn sections(text: &str) -> Vec<Section<'_>> {
    let mut found = vec![Section { name: "", lines: Vec::new() }];
    for (nth, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            found.push(Section { name, lines: Vec::new() });
        } else if !line.is_empty()
            && !line.starts_with('#')
            && let Some(section) = found.last_mut()
        {
            section.lines.push((nth + 1, line));
        }
    }
    found
}
