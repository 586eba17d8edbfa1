//! What led to a feeling, a name or an entry (design 5).
//!
//! Causes come from two sources that are never mixed: what the text states (Causal and Emotional relations into the subject),
//! and what was there on the days of the subject, or up to three days before, more often than accident gives (see
//! `company`): names, and what the writer measures (`trackers`). One threshold holds for all: [`CLAIM`]. Whatever does not reach it is "too few to say".

mod back;
mod candidates;
mod question_terms;
mod reasons;
mod stated;
mod target;
mod trackers;
mod weighing;
mod words;

use std::collections::BTreeSet;

use jiff::{Zoned, civil};
use serde::Serialize;

pub(super) use self::candidates::{eases, is_cause};
use self::target::Target;
use super::{
    Basis, Evidence, InsightError, Period, ProgressReporter,
    cooccurrence::{Calendar, Cooccurrence, Lag},
    daily,
    quotes::Quotes,
};
use crate::{
    embed::Encoder,
    index::{EntryKey, Snapshot},
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
/// A hint below the claims: unusual by itself, if not among so many names.
const HINT: f64 = 0.05;
const MOST_HINTS: usize = 3;
const MOST_CAUSES: usize = 12;
/// On fewer days together nothing is claimed that is not stated.
const FEWEST_TOGETHER: u32 = 4;
/// Quotes of one cause.
const MOST_QUOTES: usize = 12;
/// Entries quoted from the days before.
const MOST_BEFORE: usize = 6;

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
    /// What was written about the subject in the days before it: material, no claim.
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

    pub fn basis(&self) -> Basis {
        if self.stated > 0 { Basis::Stated } else { Basis::Inferred }
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
    pub(super) fn of(stated_days: usize, company: &Cooccurrence) -> Self {
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

/// Answers a question. `encoder` is for questions in words that name nothing; without it these are searched by word.
pub fn why(
    snapshot: &Snapshot,
    encoder: Option<&dyn Encoder>,
    ask: &Question,
    course: &ProgressReporter<'_>,
) -> Result<Why, InsightError> {
    let (mut target, period) = target::resolve(snapshot, encoder, ask, course)?;
    course.goes_on()?;
    let Some(period) = period else { return Ok(nothing(ask)) };
    let quotes = Quotes::of(snapshot);
    let reasons = reasons::reasons(snapshot, &quotes, &target, period, course)?;
    if target.is_found {
        target.take_in(reasons.iter().map(|reason| (reason.day, reason.key)));
    }
    let calendar = daily::calendar(&snapshot.catalog, period);
    let scene = Scene { snapshot, quotes: &quotes, target: &target, period, calendar, course };
    let with_target = target.days();
    let (mut causes, mut eased_by) = (Vec::new(), Vec::new());
    if !with_target.is_empty() {
        causes = candidates::causes(&scene, &reasons)?;
        for cause in causes.iter_mut().filter(|cause| cause.cause.is_claimed()) {
            course.goes_on()?;
            let Some(entity) = cause.entity else { continue };
            cause.cause.back = back::steps(&scene, entity, std::mem::take(&mut cause.days))?;
        }
        eased_by = candidates::reliefs(&scene)?;
    }
    Ok(Why {
        target: target.name.clone(),
        period: Some(period),
        days: DayCounts { total: scene.calendar.days.len(), with_target: with_target.len() },
        eased_by: eased_by.into_iter().map(|named| named.cause).collect(),
        causes: causes.into_iter().map(|named| named.cause).collect(),
        before: before(&scene, &with_target)?,
        notes: target.notes.clone(),
    })
}

fn nothing(ask: &Question) -> Why {
    Why {
        target: ask.text.trim().to_owned(),
        period: None,
        days: DayCounts::default(),
        eased_by: Vec::new(),
        causes: Vec::new(),
        before: Vec::new(),
        notes: Vec::new(),
    }
}

/// What every part of an answer is made from.
struct Scene<'a> {
    snapshot: &'a Snapshot,
    quotes: &'a Quotes<'a>,
    target: &'a Target,
    period: Period,
    /// The days of the period with entries.
    calendar: Calendar,
    course: &'a ProgressReporter<'a>,
}

/// Where the question names somebody beside the feeling, or is found by a search: what was written about them on these days
/// and up to three days before, oldest first.
fn before(scene: &Scene<'_>, days: &BTreeSet<civil::Date>) -> Result<Vec<Evidence>, InsightError> {
    let graph = &scene.snapshot.graph;
    let mut about = scene.target.about.clone();
    if scene.target.is_found {
        let named = scene.target.entries.iter().flat_map(|(_, key)| {
            let here = graph.of_entry(*key).into_iter();
            here.filter(|(_, spans)| scene.target.is_near(*key, spans))
        });
        about = named
            .map(|(entity, _)| entity)
            .filter(|entity| graph.entity(*entity).kind != EntityKind::Emotion)
            .collect();
        // The rare names tell what an entry is about; a daily companion would bring in everything.
        about.sort_unstable_by_key(|entity| (graph.entity(*entity).days, *entity));
        about.dedup();
        about.truncate(2);
    }
    let mut found: Vec<(civil::Date, EntryKey, crate::index::graph::EntityRef)> = Vec::new();
    for entity in about {
        for day in days.iter().rev() {
            let entries = graph.entries_with(entity, target::earlier(*day, super::cooccurrence::LONGEST_LAG), *day);
            found.extend(entries.into_iter().map(|(day, key)| (day, key, entity)));
        }
    }
    found.sort_unstable();
    found.dedup_by_key(|(_, key, _)| *key);
    // The latest are nearest to the question.
    let latest = found.len().saturating_sub(MOST_BEFORE);
    let mut evidence = Vec::new();
    for (_, key, entity) in &found[latest..] {
        evidence.extend(scene.quotes.mention(*key, *entity, Basis::Inferred)?);
    }
    Ok(evidence)
}
