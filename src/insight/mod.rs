//! Insights from one snapshot: causes of a feeling, connections of two names, summaries of a day or a year.
//!
//! Decides what may be claimed. Every claim has its quotes ([`Evidence`]) and its n. What the text states
//! ([`Basis::Stated`]) is never mixed with what merely co-occurs ([`Basis::Inferred`]); "too few to say" and "not
//! connected" are valid answers. All answers are plain data that serialise to the shapes of the contract (design 7).
//!
//! | file | answers |
//! |---|---|
//! | [`names`] | entities of the journal, and related ones |
//! | [`profile`] | the rhythm of each name, and one name in detail |
//! | [`why`] | causes of a feeling, an entity, an entry |
//! | [`connect`] | chains between two names |
//! | [`events`] | events on other days than that of the entry |
//! | [`merge_candidates`] | names that may be one |
//! | [`reflect`] | one day, and related earlier entries |
//! | [`related_entries`] | entries near a text, by meaning and by names |
//! | [`patterns`] | feelings that recur with certain names |
//! | [`review`] | a week, a month, a year compared with the one before |
//! | [`stats`] | counts, rhythm, moods over time |
//! | [`themes`] | groups of names that belong together, and their trend |
//! | [`context`] | what an agent should know, in a block of bounded size |
//! | [`digest`] | that block: quoted, cited, within a budget |
//! | [`graph_query`] | queries in a subset of openCypher |
//! | `record_graph` | what records support, contradict and are cited in |
//! | [`records`] | goals, list items, facts, claims and conversations |
//! | `inputs` | the inputs of a query |
//! | `progress` | progress and cancellation |
//! | `cooccurrence` | significance of co-occurrence |
//! | `quotes` | the sentence that supports a claim |
//! | `daily` | statistics per day |
//!
//! Must not know threads, files, or the terminal.

pub mod clause;
pub mod connect;
pub mod context;
pub mod cooccurrence;
mod daily;
pub mod digest;
pub mod events;
pub mod graph_query;
mod inputs;
pub mod merge_candidates;
pub mod names;
pub mod patterns;
pub mod profile;
mod progress;
mod quotes;
mod record_graph;
pub mod records;
pub mod reflect;
pub mod related_entries;
pub mod review;
pub mod stats;
pub mod themes;
pub mod why;

use jiff::{ToSpan, Zoned, civil};
use schemars::JsonSchema;
use serde::Serialize;

pub use self::{inputs::Inputs, progress::ProgressReporter};
use crate::{
    journal::{EntryId, field_lines, prose},
    search::{Search, SearchError},
};

/// Whether the text states it, or it is inferred from co-occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    Stated,
    Inferred,
}

/// A quote that supports a claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Evidence {
    pub id: EntryId,
    /// As in the file.
    pub time: String,
    /// A verbatim part of the entry's body; empty if only the head makes the claim.
    pub text: String,
    /// The line of the head that makes the claim, such as `tags: work`; then `text` is only the context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// A second verbatim part from further on, where only both show what is claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    pub basis: Basis,
    /// The text begins inside a sentence.
    #[serde(skip)]
    pub starts_inside: bool,
    /// The text, or what it has besides, ends inside a sentence.
    #[serde(skip)]
    pub goes_on: bool,
}

impl Evidence {
    /// A whole quote of the body.
    pub fn new(id: EntryId, time: String, text: String, basis: Basis) -> Self {
        Self { id, time, text, head: None, also: None, basis, starts_inside: false, goes_on: false }
    }

    /// `“Hùng moved the deadline”`, or `tags: work  “Two interviews.”`: only the entry's own words are in quotes,
    /// without marks and without the field lines above them.
    pub fn quoted(&self) -> String {
        let (fields, text) = self.text.split_at(field_lines(&self.text));
        let fields = fields.lines().map(|line| prose(line).replacen("::", ":", 1)).filter(|line| !line.is_empty());
        let head: Vec<String> = self.head.iter().cloned().chain(fields).collect();
        let also = self.also.as_deref().map_or_else(String::new, |also| format!(" … {}", prose(also)));
        let [start, end] = [self.starts_inside, self.goes_on].map(|is_cut| if is_cut { "…" } else { "" });
        match (head.join("  "), format!("{start}{}{also}{end}", prose(text))) {
            (head, text) if head.is_empty() => format!("“{text}”"),
            (head, text) if text.is_empty() => head,
            (head, text) => format!("{head}  “{text}”"),
        }
    }

    /// Whether one of the two quotes contains the other: a field and the sentence below it may both support a claim.
    pub fn repeats(&self, other: &Self) -> bool {
        self.id == other.id && (self.text.contains(&other.text) || other.text.contains(&self.text))
    }
}

/// Days from `from` to `to`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Period {
    pub from: civil::Date,
    pub to: civil::Date,
}

impl Period {
    /// The last `days` days up to a day, which is one of them.
    pub fn up_to(to: civil::Date, days: i32) -> Self {
        Self { from: to.saturating_sub((days - 1).days()), to }
    }

    /// The period of equal length just before.
    pub fn before(self) -> Self {
        let to = self.from.yesterday().unwrap_or(self.from);
        Self { from: to.saturating_sub((self.to - self.from).get_days().days()), to }
    }

    pub fn holds(&self, day: civil::Date) -> bool {
        (self.from..=self.to).contains(&day)
    }

    /// A search for a text on these days.
    fn search(&self, text: impl Into<String>, limit: usize, now: &Zoned) -> Search {
        let filters = vec![format!("from:{}", self.from), format!("to:{}", self.to)];
        Search { filters, ..Search::new(text, limit, now.clone()) }
    }
}

/// The outcome of a question.
pub type Result<T, E = InsightError> = std::result::Result<T, E>;

/// An error while a question is answered.
#[derive(Debug, thiserror::Error)]
pub enum InsightError {
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The caller cancelled it: see [`ProgressReporter`].
    #[error("the answer is no longer wanted")]
    Cancelled,
}

impl From<crate::index::IndexError> for InsightError {
    fn from(error: crate::index::IndexError) -> Self {
        Self::Search(error.into())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_period_before_is_as_long() {
        let march = Period::up_to(date(2026, 3, 31), 31);
        assert_eq!(march, Period { from: date(2026, 3, 1), to: date(2026, 3, 31) });
        assert_eq!(march.before(), Period { from: date(2026, 1, 29), to: date(2026, 2, 28) });
    }

    #[test]
    fn field_lines_are_outside_the_quotation_marks() {
        let quoted = |head: Option<&str>, text: &str| {
            let (id, text, head) = (EntryId::from("one"), text.to_owned(), head.map(str::to_owned));
            Evidence { head, ..Evidence::new(id, String::new(), text, Basis::Stated) }.quoted()
        };
        let fields = "trigger:: [[Demo]]\n- with:: [[Linh]]\n\n";
        assert_eq!(quoted(None, &format!("{fields}Nine weeks left.")), "trigger: Demo  with: Linh  “Nine weeks left.”");
        assert_eq!(quoted(Some("tags: work"), "Nine weeks left."), "tags: work  “Nine weeks left.”");
        assert_eq!(quoted(None, "trigger:: [[Demo]]"), "trigger: Demo");
        assert_eq!(quoted(None, "Read std::vec twice."), "“Read std::vec twice.”");
    }
}
