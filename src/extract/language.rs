//! The language data: the word lists of `assets/lexicon`, and what the user has put beside them.
//!
//! One set for the whole process, like the rules themselves: a process opens one journal, and its lists are [adopted](adopt)
//! before the first text is read. Knows how lists are written and joined, not what any of them means nor where files are.

mod own;
#[cfg(test)]
mod own_tests;

use std::{collections::HashMap, sync::OnceLock};

pub use own::Fault;

use crate::journal::WordListFile;

/// One variant for each list, in the order of their names, with the file it comes from.
macro_rules! lists {
    ($($list:ident $name:literal)*) => {
        /// A word list of the program.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum List {
            $($list,)*
        }

        impl List {
            /// Every list that reading uses.
            pub const ALL: &[Self] = &[$(Self::$list,)*];

            /// The name of its file without `.txt`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$list => $name,)*
                }
            }

            /// The text that comes with the program.
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
    EmotionWeights "emotion-weights"
    Events "events"
    Feelings "feelings"
    FirstNames "first-names"
    Forms "forms-en"
    Kin "kin"
    Moods "moods-en"
    MoodsVietnamese "moods-vi"
    NotNames "not-names"
    Organizations "organizations"
    Phrases "phrases"
    Places "places"
    Products "products"
    SameFeeling "same-feeling"
    Senses "senses"
    Titles "titles"
    Tones "tones"
    Verbs "verbs"
    Voices "voices"
    Words "words-en"
    WordsVietnamese "words-vi"
}

/// The user's own lists and what they make of the program's.
#[derive(Default)]
struct Adopted {
    own: Vec<WordListFile>,
    joined: HashMap<&'static str, String>,
}

static ADOPTED: OnceLock<Adopted> = OnceLock::new();

/// The lists of another journal are in use in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the word lists of another journal are in use; they can be taken up only by a new start of kioku")]
pub struct InUse;

impl List {
    /// By the name of its file without `.txt`.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|list| list.name() == name)
    }

    /// Whether a user can extend and override it.
    ///
    /// Not the trained weights, which no person can weigh by hand; nor the irregular forms, by which the index of words is
    /// made: it would no longer find what it has.
    pub fn is_open(self) -> bool {
        !matches!(self, Self::EmotionWeights | Self::Forms)
    }

    /// What is read: the program's list, with the user's where there is one.
    pub fn text(self) -> &'static str {
        let adopted = ADOPTED.get_or_init(Adopted::default);
        adopted.joined.get(self.name()).map_or(self.built_in(), String::as_str)
    }

    /// What the list is for: the first line of its file.
    pub fn summary(self) -> &'static str {
        self.built_in().lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }

    /// How many words and phrases a text of this list has.
    pub fn count(self, text: &str) -> usize {
        own::count(self, text)
    }
}

/// Takes the user's lists up, once, before anything is read; returns what in them cannot be used.
///
/// # Errors
/// Where reading has begun with other lists.
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

/// The name of the section that a line of a list opens.
pub(super) fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']')
}
