//! A why question and its answer: causes with their strength and counts.

use jiff::{Zoned, civil};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    insight::{
        Basis, Evidence, Period,
        connect::Hop,
        cooccurrence::{self, Cooccurrence, Lag},
    },
    journal::{EntityKind, RelationKind, words},
};

/// Maximum chance of a cause that is claimed without a statement. Chosen on the tuning seeds of
/// `tests/it/insight/planted.rs`, well below one in twenty, so that a journal without any causal pattern gets no
/// false claim in at least nineteen of twenty cases.
pub const CLAIM: f64 = 0.02;
/// Maximum chance of a strong claim.
const SURE: f64 = 0.01;
/// Stated on this many days, a cause is strong by the writer's own word.
const OFTEN_STATED: usize = 3;
/// Minimum number of shared days for a claim without a statement.
const FEWEST_TOGETHER: u32 = 4;
/// Maximum number of quotes per cause.
pub(super) const MOST_QUOTES: usize = 12;

/// A question as typed.
#[derive(Debug, Clone)]
pub struct Question {
    /// "stressed", "why was I sad in March", "stressed about work", a name, an entry's id.
    pub text: String,
    pub from: Option<civil::Date>,
    pub to: Option<civil::Date>,
    pub now: Zoned,
}

impl Question {
    /// Whether a typed question has nothing but punctuation.
    pub fn is_blank(text: &str) -> bool {
        text.chars().all(|c| c.is_whitespace() || c.is_ascii_punctuation())
    }
}

/// The answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Why {
    pub target: String,
    /// The name or feeling whose causes can be judged; `None` for a question in words and for days.
    #[serde(skip)]
    pub subject: Option<String>,
    /// The target is neither a feeling nor a name of the journal, but words of its entries.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_words: bool,
    /// `None` for a journal without diary entries, and for a record.
    pub period: Option<Period>,
    pub days: DayCounts,
    /// Things that preceded better days.
    pub eased_by: Vec<Cause>,
    /// The most certain first.
    pub causes: Vec<Cause>,
    /// Background, not claims: passages of the entries that name the subject or that a search finds, then entries of the days
    /// before. The closest entries where no day has the subject.
    pub before: Vec<Evidence>,
    /// What records about the subject support and contradict, the newest first; never a cause.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Hop>,
    /// The kind of the record that the question names; causes are not read from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Notes for the user where the question was interpreted differently, one sentence each.
    pub notes: Vec<String>,
    /// Set if the journal never uses the word of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
}

/// The journal's own words nearest to one that it never uses. Their figures are not given: they were not asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Nearest {
    pub by: Likeness,
    pub words: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Likeness {
    Meaning,
    Spelling,
    /// No other word: the entries have it, but as nothing that the writer felt.
    Unfelt,
}

impl Nearest {
    /// `not found`, `not found as your feeling`, or `not found; nearest in meaning: `, before the words.
    pub fn label(&self) -> &'static str {
        match self.by {
            Likeness::Unfelt => "not found as your feeling",
            _ if self.words.is_empty() => "not found",
            Likeness::Meaning => "not found; nearest in meaning: ",
            Likeness::Spelling => "not found; nearest in spelling: ",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct DayCounts {
    /// Days of the period with entries.
    pub total: usize,
    /// Of these, days with the subject.
    pub with_target: usize,
}

/// A cause, or something that eased the feeling. The four counts are of days with entries in the period; for a
/// measure, of days with a value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Cause {
    /// A name of the journal, a tracker, or the clause that tells the cause.
    pub name: String,
    /// The name of the journal in the clause, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    pub kind: EntityKind,
    pub strength: Strength,
    /// Number of quotes that state it.
    pub stated: usize,
    pub both: u32,
    pub cause_only: u32,
    pub target_only: u32,
    pub neither: u32,
    pub evidence: Vec<Evidence>,
    /// The range of days before the subject on which the cause counts.
    pub lag: Lag,
    /// The probability that any name of the journal looks like this by chance; `None` where there are too few days to
    /// tell.
    pub chance: Option<f64>,
    /// Stated causes of this cause, nearest first.
    pub back: Vec<Step>,
    /// The user confirmed it (`kioku entity accept`). Rejected causes are not listed at all.
    pub accepted: bool,
    /// The tracker, if the cause is a low or high value; such a cause is never stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// Its name is only words of a sentence: there is no entity to look up or to judge.
    #[serde(skip)]
    pub is_phrase: bool,
    /// Its name is a clause of the text.
    #[serde(skip)]
    pub is_clause: bool,
}

impl Why {
    /// The words before the number of days of the subject. A search may find a phrase in other words, or where it is denied.
    pub fn days_are(&self) -> &'static str {
        match self.is_words {
            true if self.is_phrase() => "strong hits ",
            true => "written ",
            false => "",
        }
    }

    fn is_phrase(&self) -> bool {
        self.is_words && self.target.contains(char::is_whitespace)
    }

    /// How strong a cause is, as one sentence. What a search found for a phrase has no days to count on.
    pub fn sentence(&self, cause: &Cause) -> String {
        let told = cause.times().filter(|_| self.is_phrase()).map(|times| times + ".");
        told.unwrap_or_else(|| cause.sentence(&self.target))
    }
}

/// A tracker (`sleep: 6.5`) with a low or high value.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Measure {
    pub tracker: String,
    pub side: Side,
    /// The median of all the writer's days with a value.
    pub middle: f64,
}

/// Whether low or high values are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Low,
    High,
}

impl Cause {
    /// The word for its kind, if it is a name and not a tracker or words of a sentence.
    pub fn kind_word(&self) -> Option<&'static str> {
        (self.measure.is_none() && !self.is_phrase && !self.is_clause).then(|| self.kind.word())
    }

    /// Whether it is a claim, not just a hint.
    pub fn is_claimed(&self) -> bool {
        self.strength != Strength::TooFew
    }

    /// `some · stated 5 · on 9 of 14 days, 1 of 64 others`
    pub fn in_short(&self) -> String {
        let chance = self.coincidence().map_or_else(String::new, |chance| format!(" · {chance}"));
        format!("{} · {}{chance}", self.strength.word(), self.on_days())
    }

    /// Its chance, if it is a claim that nothing states; and where a longer journal could make it a stronger one.
    fn coincidence(&self) -> Option<String> {
        let chance = self.chance.filter(|_| self.stated == 0 && self.is_claimed())?;
        let days = self.both + self.cause_only + self.target_only + self.neither;
        let least = 1.0 / (1 + cooccurrence::moves(days as usize)) as f64;
        let is_least = least > SURE && chance < 1.5 * least;
        let limit = if is_least { format!(", the least that {days} days can show") } else { String::new() };
        Some(format!("{:.0} % chance of coincidence{limit}", (chance * 100.0).max(1.0)))
    }

    fn on_days(&self) -> String {
        if self.is_uncounted() {
            let times = if self.stated == 1 { "once".to_owned() } else { format!("{} times", self.stated) };
            return format!("stated {times}, on no counted day");
        }
        let stated = if self.stated > 0 { format!("stated {} · ", self.stated) } else { String::new() };
        format!("{stated}on {}", self.counts("days"))
    }

    /// `9 of 14 days, 1 of 64 others`
    fn counts(&self, days: &str) -> String {
        let (with, others) = (self.both + self.target_only, self.cause_only + self.neither);
        let measured = if self.measure.is_some() { " with a value" } else { "" };
        format!("{} of {with} {days}, {} of {others} others{measured}", self.both, self.cause_only)
    }

    fn times(&self) -> Option<String> {
        Some(match self.stated {
            0 => return None,
            1 => "You wrote it once".to_owned(),
            2 => "You wrote it twice".to_owned(),
            n => format!("You wrote it {n} times"),
        })
    }

    /// Whether it is stated only: the subject is on none of its days.
    fn is_uncounted(&self) -> bool {
        self.stated > 0 && self.both == 0
    }

    /// How strong it is, as one sentence on the days of `target`: `You wrote it 5 times. On 9 of 14 stressed days and on 1
    /// of 64 others.`
    pub fn sentence(&self, target: &str) -> String {
        let is_word = |c: char| c.is_alphabetic() && !c.is_uppercase();
        let such = if !target.is_empty() && target.chars().all(is_word) { target } else { "such" };
        let when = match self.is_uncounted() {
            true => "on no counted day".to_owned(),
            false => format!("{} {}", self.lag.ahead(), self.counts(&format!("{such} days"))),
        };
        let mut text = match self.times() {
            Some(times) => format!("{times}; {when}"),
            None => sentence_case(&when),
        };
        if let Some(measure) = &self.measure {
            text += &format!("; your median is {}", number(measure.middle));
        }
        match self.coincidence() {
            _ if self.accepted => text += "; accepted by you",
            Some(chance) => text += &format!("; {chance}"),
            None if self.measure.is_some() && self.chance.is_none() => text += "; too few days with a value to tell",
            None => {}
        }
        text + "."
    }

    /// Counts of something that eased: `stated 2`, or `on 3 of 5 better days after, on 1 of 9 others`.
    pub fn eased_on(&self) -> String {
        if self.stated > 0 {
            return format!("stated {}", self.stated);
        }
        let (good, others) = (self.both + self.target_only, self.cause_only + self.neither);
        format!("on {} of {good} better days after, on {} of {others} others", self.both, self.cause_only)
    }
}

/// How certain a cause is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub enum Strength {
    #[serde(rename = "strong")]
    Strong,
    #[serde(rename = "some")]
    Some,
    #[default]
    #[serde(rename = "too few to say")]
    TooFew,
}

words! { Strength: Strong "strong", Some "some", TooFew "too few to say" }

impl Strength {
    /// From the number of days with a statement, and the chance of its co-occurrence.
    pub(in crate::insight) fn of(stated_days: usize, company: &Cooccurrence) -> Self {
        let chance = company.chance.filter(|_| company.table.both >= FEWEST_TOGETHER).unwrap_or(1.0);
        match stated_days {
            0 if chance <= SURE => Self::Strong,
            0 if chance <= CLAIM => Self::Some,
            0 => Self::TooFew,
            days if days >= OFTEN_STATED || chance <= CLAIM => Self::Strong,
            _ => Self::Some,
        }
    }
}

/// One step back from a cause to its own cause.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Step {
    pub source: String,
    pub target: String,
    pub kind: RelationKind,
    pub basis: Basis,
    pub evidence: Vec<Evidence>,
}

/// With at most one decimal.
pub(super) fn number(value: f64) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}

fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

impl Lag {
    /// As words before a number of days.
    fn ahead(self) -> &'static str {
        match self {
            Self(0, 0) => "on",
            Self(1, 1) => "the day before",
            Self(0, 1) => "on or the day before",
            Self(0, _) => "on or up to three days before",
            Self(_, _) => "one to three days before",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_says_why_it_is_no_stronger() {
        let counts = Cause { strength: Strength::Some, both: 6, cause_only: 1, target_only: 2, ..Cause::default() };
        let few = Cause { neither: 50, chance: Some(0.0101), ..counts.clone() };
        let short =
            "some · on 6 of 8 days, 1 of 51 others · 1 % chance of coincidence, the least that 59 days can show";
        assert_eq!(few.in_short(), short);
        let many = Cause { neither: 150, chance: Some(0.015), ..counts };
        assert!(many.in_short().ends_with("1 of 151 others · 2 % chance of coincidence"), "{}", many.in_short());
    }
}
