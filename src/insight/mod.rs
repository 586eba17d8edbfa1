//! Questions about a life, answered from one snapshot: what led to a feeling, how two names are connected, what a day or a
//! year held.
//!
//! Owns the judgement of what may be claimed. Every claim carries its quotes ([`Evidence`]) and its n; what the text says
//! ([`Basis::Stated`]) is never mixed with what merely occurs together ([`Basis::Inferred`]); "too few to say" and "not
//! connected" are answers. All answers are plain data that serialise to the shapes of the contract (design 7).
//!
//! | file | answers |
//! |---|---|
//! | [`names`] | who and what the journal speaks of, and who goes with whom |
//! | [`profile`] | the rhythm of each name, and one looked at closely |
//! | [`why`] | what led to a feeling, an entity, an entry |
//! | [`connect`] | how two names are connected |
//! | [`events`] | what is told of other days than that of the writing |
//! | [`merge_candidates`] | which names may be one |
//! | [`reflect`] | one day, and what of the past is close to it |
//! | [`patterns`] | which feelings return with which names |
//! | [`review`] | a week, a month, a year against the one before |
//! | [`stats`] | counts, rhythm, moods over time |
//! | [`themes`] | what belongs together, and its rise and fall |
//! | `course` | how far an answer has come, and whether it is still wanted |
//! | `company` | whether two things share more days than accident gives |
//! | `quotes` | the sentence that says so |
//! | `daily` | what the catalog says of days |
//!
//! Must not know threads, files, or the terminal.

pub mod connect;
pub mod cooccurrence;
mod daily;
pub mod events;
pub mod merge_candidates;
pub mod names;
pub mod patterns;
pub mod profile;
mod progress;
mod quotes;
pub mod reflect;
pub mod review;
pub mod stats;
pub mod themes;
pub mod why;

use jiff::civil;
use serde::Serialize;

pub use self::progress::ProgressReporter;
use crate::{journal::EntryId, search::SearchError};

/// Whether the text says so, or things only occur together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    Stated,
    Inferred,
}

/// A piece of an entry that bears a claim out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    pub id: EntryId,
    /// As the file has it.
    pub time: String,
    /// Word for word a part of the entry's body; of what only its head says, that line and such a part below it.
    pub text: String,
    pub basis: Basis,
}

impl Evidence {
    /// Whether one of the two says nothing that the other does not: a field and the sentence below it may both bear a claim out.
    pub fn repeats(&self, other: &Self) -> bool {
        self.id == other.id && (self.text.contains(&other.text) || other.text.contains(&self.text))
    }
}

/// Days from `from` to `to`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Period {
    pub from: civil::Date,
    pub to: civil::Date,
}

impl Period {
    pub fn holds(&self, day: civil::Date) -> bool {
        (self.from..=self.to).contains(&day)
    }
}

/// What went wrong while a question was answered.
#[derive(Debug, thiserror::Error)]
pub enum InsightError {
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The asker no longer waits for it: see [`ProgressReporter`].
    #[error("the answer is no longer wanted")]
    Cancelled,
}

impl From<crate::index::IndexError> for InsightError {
    fn from(error: crate::index::IndexError) -> Self {
        Self::Search(error.into())
    }
}
