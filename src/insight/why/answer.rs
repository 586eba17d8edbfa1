//! A question of this kind, and its answer: causes, how sure they are, and their counts in words.

use jiff::{Zoned, civil};
use serde::Serialize;

use crate::{
    insight::{
        Basis, Evidence, Period,
        cooccurrence::{Cooccurrence, Lag},
    },
    journal::{EntityKind, RelationKind},
};

/// A cause that nobody states is claimed where accident would make any name look like it at most so often. Chosen on the
/// tuning seeds of `tests/it/insight/planted.rs`, well below one in twenty, so that a journal in which nothing causes anything
/// is left in peace at least nineteen times of twenty.
pub const CLAIM: f64 = 0.02;
/// And called strong at most so often.
const SURE: f64 = 0.01;
/// Stated on so many days, a cause is strong by the writer's own word.
const OFTEN_STATED: usize = 3;
/// On fewer days together nothing is claimed that is not stated.
const FEWEST_TOGETHER: u32 = 4;
/// Quotes of one cause.
pub(super) const MOST_QUOTES: usize = 12;

/// A question as asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// "stressed", "why was I sad in March", "stressed about work", a name, an entry's id.
    pub text: String,
    pub from: Option<civil::Date>,
    pub to: Option<civil::Date>,
    pub now: Zoned,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Why {
    pub target: String,
    /// `None` for an empty journal.
    pub period: Option<Period>,
    pub days: DayCounts,
    /// What followed where it got better.
    pub eased_by: Vec<Cause>,
    /// The most certain first.
    pub causes: Vec<Cause>,
    /// Passages to read, which claim nothing: of the entries that name the subject or that a search finds, and of the days before.
    /// Where no day has the subject, the closest entries.
    pub before: Vec<Evidence>,
    /// What was understood otherwise than asked, a sentence each.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DayCounts {
    /// Days of the period with entries.
    pub total: usize,
    /// Of these, with the subject.
    pub with_target: usize,
}

/// One cause, or one thing that eased. The four counts are of days with entries in the period; of a measure, of those with a
/// value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cause {
    pub name: String,
    pub kind: EntityKind,
    pub strength: Strength,
    /// How many quotes state it.
    pub stated: usize,
    pub both: u32,
    pub cause_only: u32,
    pub target_only: u32,
    pub neither: u32,
    pub evidence: Vec<Evidence>,
    /// From how many days before to how many a day counts as with the cause.
    pub lag: Lag,
    /// How often accident would make any name of the journal look like this; `None` where there are too few days to tell.
    pub chance: Option<f64>,
    /// What the text says led to the cause itself, nearest first.
    pub back: Vec<Step>,
    /// The user said that it is so (`kioku entity accept`). What the user rejected is not here at all.
    pub accepted: bool,
    /// What is measured, where the cause is that it is low or high; such a cause is never stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// Its name is only the words of a sentence: nobody to look up or to judge.
    #[serde(skip)]
    pub is_phrase: bool,
}

/// A tracker (`sleep: 6.5`) that is low or high.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measure {
    pub tracker: String,
    pub side: Side,
    /// The middle of all the writer's days with a value: the median.
    pub middle: f64,
}

/// Which days of a measure are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Low,
    High,
}

impl Default for Cause {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: EntityKind::Topic,
            strength: Strength::TooFew,
            stated: 0,
            both: 0,
            cause_only: 0,
            target_only: 0,
            neither: 0,
            evidence: Vec::new(),
            lag: Lag(0, 0),
            chance: None,
            back: Vec::new(),
            accepted: false,
            measure: None,
            is_phrase: false,
        }
    }
}

impl Cause {
    /// Whether it is a claim at all.
    pub fn is_claimed(&self) -> bool {
        self.strength != Strength::TooFew
    }

    /// `stated 5 · 9 of 14 days, 1 of 64 others · the same day`
    pub fn counts(&self) -> String {
        if self.is_uncounted() {
            return self.on_days() + if self.accepted { " · accepted by you" } else { "" };
        }
        let mut text = format!("{} · {}", self.on_days(), self.lag.words());
        if let Some(measure) = &self.measure {
            text += &format!(" · your middle is {}", number(measure.middle));
        }
        if self.accepted {
            text += " · accepted by you";
        } else if self.stated == 0
            && self.is_claimed()
            && let Some(chance) = self.chance
        {
            text += &format!(" · {:.0} % chance of coincidence", (chance * 100.0).max(1.0));
        }
        text
    }

    /// `stated 5 · 9 of 14 days, 1 of 64 others`
    pub fn on_days(&self) -> String {
        if self.is_uncounted() {
            let times = if self.stated == 1 { "once".to_owned() } else { format!("{} times", self.stated) };
            return format!("stated {times}, on no counted day");
        }
        let stated = if self.stated > 0 { format!("stated {} · ", self.stated) } else { String::new() };
        let (with, others) = (self.both + self.target_only, self.cause_only + self.neither);
        let measured = if self.measure.is_some() { " with a value" } else { "" };
        format!("{stated}on {} of {with} days, {} of {others} others{measured}", self.both, self.cause_only)
    }

    /// Whether the writer's word is all there is: the subject is on none of its days.
    fn is_uncounted(&self) -> bool {
        self.stated > 0 && self.both == 0
    }

    /// Of what eased: `stated 2`, or `on 3 of 5 better days after, on 1 of 9 others`.
    pub fn eased_on(&self) -> String {
        if self.stated > 0 {
            return format!("stated {}", self.stated);
        }
        let (good, others) = (self.both + self.target_only, self.cause_only + self.neither);
        format!("on {} of {good} better days after, on {} of {others} others", self.both, self.cause_only)
    }
}

/// How surely it may be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Strength {
    #[serde(rename = "strong")]
    Strong,
    #[serde(rename = "some")]
    Some,
    #[serde(rename = "too few to say")]
    TooFew,
}

impl Strength {
    pub fn word(self) -> &'static str {
        match self {
            Self::Strong => "strong",
            Self::Some => "some",
            Self::TooFew => "too few to say",
        }
    }

    /// From the days on which it is stated, and how likely its company is accident.
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

/// One step back from a cause to what led to it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    pub source: String,
    pub target: String,
    pub kind: RelationKind,
    pub basis: Basis,
    pub evidence: Vec<Evidence>,
}

/// At most one digit behind the point.
pub(super) fn number(value: f64) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}

impl Lag {
    pub fn words(self) -> &'static str {
        match self {
            Self(0, 0) => "the same day",
            Self(1, 1) => "the day before",
            Self(0, 1) => "that day or the one before",
            Self(0, _) => "up to three days before",
            Self(_, _) => "one to three days before",
        }
    }
}
