//! Display order of an answer. The hits are already selected: sorting adds no entry.

use super::answer::Hit;
use crate::{index::Catalog, journal::words};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// By rank of the search.
    #[default]
    Relevance,
    Newest,
    Oldest,
}

words! { Sort: Relevance "relevance", Newest "newest", Oldest "oldest" }

impl Sort {
    /// The next order, cyclic.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }

    /// The order in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Relevance => "best first",
            Self::Newest => "newest first",
            Self::Oldest => "oldest first",
        }
    }

    /// Indices of the hits in this order, sure hits before weak ones. An entry that is not in the catalog (any more) is
    /// sorted by its time as written.
    pub fn places(self, hits: &[Hit], catalog: Option<&Catalog>) -> Vec<usize> {
        let mut places: Vec<usize> = (0..hits.len()).collect();
        let when = |nth: &usize| (catalog.and_then(|catalog| catalog.row(hits[*nth].key)), &hits[*nth].time);
        match self {
            Self::Relevance => {}
            Self::Newest => places.sort_by(|a, b| when(b).cmp(&when(a))),
            Self::Oldest => places.sort_by(|a, b| when(a).cmp(&when(b))),
        }
        places.sort_by_key(|nth| hits[*nth].weak);
        places
    }
}
