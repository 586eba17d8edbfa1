//! What may have led to the subject, and what eased it: gathered, counted, ranked.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{ToSpan, civil};

use super::{
    Cause, HINT, MOST_CAUSES, MOST_HINTS, MOST_QUOTES, Scene, Strength,
    target::earlier,
    trackers::{self, CutOf},
};
use crate::{
    extract::fold,
    index::{
        EntryKey,
        graph::{Edge, EntityRef, Judgement},
    },
    insight::{
        Evidence, InsightError, Period,
        company::{self, Calendar, Company, Days, FEWEST, LAGS, LONGEST_LAG, Lag},
        daily, quotes,
    },
    journal::{EntityKind, RelationKind},
};

/// Verbs of a relation by which its source takes a feeling away, folded.
const EASING: [&str; 10] = ["eases", "ease", "eased", "calms", "calm", "calmed", "soothes", "soothed", "helps", "giup"];
/// Names looked at: the most frequent ones, chosen without regard to the subject.
const MOST_NAMES: usize = 300;
/// A day is good from this mean valence on.
const GOOD: f32 = 0.25;
/// For what eased it: so many days after.
const AFTER: i32 = 3;

/// A cause with the entity it is; `None` for a measure.
pub(super) struct Named {
    pub entity: Option<EntityRef>,
    pub cause: Cause,
    /// The days of its evidence.
    pub days: BTreeSet<civil::Date>,
}

/// What is stated of each source: the edges' evidence inside the period, oldest first.
type Stated = BTreeMap<EntityRef, Vec<Said>>;

/// One sentence that states a cause.
#[derive(Debug, Clone, PartialEq)]
struct Said {
    /// Of its entry.
    day: civil::Date,
    key: EntryKey,
    span: std::ops::Range<u32>,
    /// The day it speaks of, where that is one before the entry's own: "because I quarrelled with Jane yesterday".
    happened: Option<civil::Date>,
}

pub(super) fn causes(scene: &Scene<'_>) -> Result<Vec<Named>, InsightError> {
    let stated = stated(scene, is_cause, scene.period);
    let target_days = scene.target.days();
    let target = Days::marking(&scene.calendar.days, |day| target_days.contains(&day));
    // Company of the same day makes no name: what stands beside it is not what led to it.
    let is_feeling = scene.target.kind == Some(EntityKind::Emotion);
    let lags: Vec<Lag> = LAGS.into_iter().filter(|lag| is_feeling || lag.0 > 0).collect();
    ranked(scene, &scene.calendar, &target, &lags, stated, RelationKind::Causal)
}

/// Relations by which the source leads to the target.
pub(in crate::insight) fn is_cause(edge: &Edge) -> bool {
    match edge.kind {
        RelationKind::Causal => true,
        RelationKind::Emotional => !eases(edge),
        RelationKind::Temporal | RelationKind::Topical | RelationKind::Involves => false,
    }
}

/// Relations by which the source takes the target away.
pub(in crate::insight) fn eases(edge: &Edge) -> bool {
    edge.kind == RelationKind::Emotional && EASING.contains(&fold(&edge.verb).as_str())
}

/// What was there on the good days that followed, against the other days that followed. Nothing eases what is pleasant.
pub(super) fn reliefs(scene: &Scene<'_>) -> Result<Vec<Named>, InsightError> {
    if !scene.target.is_unpleasant(scene.snapshot) {
        return Ok(Vec::new());
    }
    let after = Period { to: scene.period.to.saturating_add(AFTER.days()), ..scene.period };
    let stated = stated(scene, eases, after);
    let valences = daily::valences(&scene.snapshot.catalog, scene.period);
    let target = scene.target.days();
    let followed = |day: &civil::Date| {
        !target.contains(day) && target.range(earlier(*day, AFTER)..*day).next().is_some() && valences.contains_key(day)
    };
    let days: Vec<civil::Date> = scene.calendar.days.iter().copied().filter(followed).collect();
    let calendar = daily::some_days(&scene.snapshot.catalog, days);
    let good = Days::marking(&calendar.days, |day| valences.get(&day).is_some_and(|(valence, _)| *valence >= GOOD));
    let mut reliefs = ranked(scene, &calendar, &good, &[Lag(0, 0)], stated, RelationKind::Emotional)?;
    reliefs.retain(|relief| relief.cause.is_claimed());
    Ok(reliefs)
}

/// Evidence of the edges into the subject; of an entry found, what that entry itself states.
fn stated(scene: &Scene<'_>, wanted: impl Fn(&Edge) -> bool, period: Period) -> Stated {
    let (graph, catalog) = (&scene.snapshot.graph, &scene.snapshot.catalog);
    let mut stated = Stated::new();
    let entries: BTreeSet<EntryKey> = scene.target.entries.iter().map(|(_, key)| *key).collect();
    let days = scene.target.days();
    let mut subjects = scene.target.entities.clone();
    if scene.target.is_found {
        subjects = entries.iter().flat_map(|key| graph.of_entry(*key)).map(|(entity, _)| entity).collect();
        subjects.sort_unstable();
        subjects.dedup();
    }
    for subject in subjects {
        for edge in graph.edges(subject).into_iter().filter(|edge| edge.target == subject && wanted(edge)) {
            for evidence in &edge.evidence {
                let Some(known) = catalog.by_key(evidence.entry) else { continue };
                let is_meant = if scene.target.is_found {
                    entries.contains(&evidence.entry) && scene.target.is_stated_in(evidence.entry, &evidence.span)
                } else {
                    // A narrowed subject has fewer days; what eased it is said then or soon after.
                    scene.target.about.is_empty() || days.range(earlier(known.day, AFTER)..=known.day).next().is_some()
                };
                if is_meant && period.holds(known.day) {
                    let spoken = evidence.event_time.filter(|days| days.first == days.last).map(|days| days.first);
                    let happened = spoken.filter(|day| *day < known.day);
                    let said = Said { day: known.day, key: known.key, span: evidence.span.clone(), happened };
                    stated.entry(edge.source).or_default().push(said);
                }
            }
        }
    }
    stated.values_mut().for_each(|evidence| {
        evidence.sort_unstable_by_key(|said| (said.day, said.key, said.span.start, said.span.end));
        evidence.dedup();
    });
    stated.retain(|source, _| !scene.target.entities.contains(source));
    stated
}

/// A candidate: somebody or something named, or days on which a measure is low or high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Named(EntityRef),
    Measured(CutOf),
}

/// A candidate with what its days say.
struct Found {
    what: What,
    company: Company,
    /// Days on which it is stated.
    said: usize,
}

/// Counts every candidate, keeps what is stated, what is claimed, and a few hints; the most certain first.
fn ranked(
    scene: &Scene<'_>,
    calendar: &Calendar,
    target: &Days,
    lags: &[Lag],
    stated: Stated,
    kind: RelationKind,
) -> Result<Vec<Named>, InsightError> {
    let days = &calendar.days;
    let names = names(scene, days, &stated);
    let said_of = |entity: &EntityRef| stated.get(entity).map_or(&[][..], Vec::as_slice);
    let days_said = |entity: &EntityRef| said_of(entity).iter().map(|said| said.day);
    // What happened on an earlier day was there on that day, not on the one on which it was written.
    let reach = |entity: &EntityRef| {
        let first = earlier(scene.period.from, LONGEST_LAG);
        let moved = |key: EntryKey| said_of(entity).iter().any(|said| said.key == key && said.happened.is_some());
        let entries = scene.snapshot.graph.entries_with(*entity, first, scene.period.to).into_iter();
        entries.filter(|(_, key)| !moved(*key)).map(|(day, _)| day).collect()
    };
    let mut there: Vec<Vec<civil::Date>> = names.iter().map(reach).collect();
    for (there, entity) in there.iter_mut().zip(&names) {
        // A phrase may be an end of a relation and no mention.
        there.extend(said_of(entity).iter().map(|said| said.happened.unwrap_or(said.day)));
        there.sort_unstable();
        there.dedup();
    }
    let companies = calendar.companies(target, &there, lags, scene.course)?;
    let measures = if kind == RelationKind::Causal { trackers::measured(scene, lags) } else { Vec::new() };
    let tried: Result<Vec<_>, _> = measures.iter().map(|measure| measure.tried(scene.course)).collect();
    let mut found: Vec<Found> = Vec::new();
    for (place, entity) in names.iter().enumerate() {
        let said: BTreeSet<civil::Date> = days_said(entity).collect();
        // A feeling goes with feelings: only where the text says so is one the cause of another.
        let is_feeling = scene.snapshot.graph.entity(*entity).kind == EntityKind::Emotion;
        // What is stated needs no lag that only just speaks for it.
        let company = companies[place].filter(|company| said.is_empty() || company.tail <= HINT);
        let plain = || {
            // On the day on which the writer says so it counts, whenever it happened.
            let mut there = there[place].clone();
            there.extend(&said);
            there.sort_unstable();
            let lag = Lag(0, 0);
            Company {
                lag,
                table: calendar.table(target, &company::reached(days, &there, lag)),
                tail: 1.0,
                chance: None,
            }
        };
        let counted = match company {
            _ if said.is_empty() && is_feeling => None,
            None if said.is_empty() => None,
            counted => Some(counted.unwrap_or_else(plain)),
        };
        found.extend(counted.map(|company| Found { what: What::Named(*entity), company, said: said.len() }));
    }
    for (company, cut) in trackers::best(&measures, company::judged(tried?).into_iter()) {
        found.push(Found { what: What::Measured(cut), company, said: 0 });
    }
    let judged = |what: What| match what {
        What::Named(entity) => judged(scene, entity, kind),
        What::Measured(_) => None,
    };
    found.retain(|one| judged(one.what) != Some(Judgement::Rejected));
    let is_accepted = |what: What| judged(what) == Some(Judgement::Accepted);
    let strength = |one: &Found| {
        // The user's word is a claim; how strong it is, is for the days to say.
        let strength = Strength::of(one.said, &one.company);
        if is_accepted(one.what) { strength.min(Strength::Some) } else { strength }
    };
    found.sort_by(|a, b| {
        let key = |one: &Found| (strength(one), usize::MAX - one.said);
        key(a).cmp(&key(b)).then(a.company.tail.total_cmp(&b.company.tail)).then(a.what.cmp(&b.what))
    });
    let mut hints = 0;
    found.retain(|one| {
        let is_hint = one.said == 0 && strength(one) == Strength::TooFew;
        let is_unusual = one.company.tail <= HINT && one.company.table.both >= FEWEST;
        hints += usize::from(is_hint && is_unusual);
        !is_hint || is_unusual && hints <= MOST_HINTS
    });
    found.truncate(MOST_CAUSES);
    found
        .into_iter()
        .map(|one| {
            scene.course.goes_on()?;
            let cause = Cause {
                strength: strength(&one),
                both: one.company.table.both,
                cause_only: one.company.table.cause_only,
                target_only: one.company.table.target_only,
                neither: one.company.table.neither,
                lag: one.company.lag,
                chance: one.company.chance.map(|chance| (chance * 1e4).round() / 1e4),
                accepted: is_accepted(one.what),
                ..Cause::default()
            };
            let entity = match one.what {
                What::Named(entity) => entity,
                What::Measured((at, cut)) => {
                    let (name, measure, evidence) = measures[at].told(scene, cut)?;
                    let cause = Cause { name, measure: Some(measure), evidence, ..cause };
                    return Ok(Named { entity: None, cause, days: BTreeSet::new() });
                }
            };
            let said = said_of(&entity);
            let evidence = evidence(scene, calendar, target, entity, one.company.lag, said)?;
            let days = said.iter().map(|said| said.day).collect();
            let known = scene.snapshot.graph.entity(entity);
            let cause = Cause { name: known.name.clone(), kind: known.kind, stated: said.len(), evidence, ..cause };
            Ok(Named { entity: Some(entity), cause, days })
        })
        .collect()
}

/// What the user said of an entity as a cause of the subject; a rejection of any word for it holds.
fn judged(scene: &Scene<'_>, entity: EntityRef, kind: RelationKind) -> Option<Judgement> {
    let graph = &scene.snapshot.graph;
    let verdicts = scene.target.entities.iter().filter_map(|target| graph.verdict(entity, *target, kind, None));
    verdicts.reduce(|one, other| if one == Judgement::Rejected { one } else { other })
}

/// Every name of these days but the subject and what the question adds to it, most frequent first, and whatever is stated.
fn names(scene: &Scene<'_>, days: &[civil::Date], stated: &Stated) -> Vec<EntityRef> {
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return stated.keys().copied().collect() };
    let graph = &scene.snapshot.graph;
    let present = graph.present(earlier(*first, LONGEST_LAG), *last);
    let mut names: Vec<EntityRef> = present
        .into_iter()
        .filter(|(entity, count)| *count >= FEWEST && graph.entity(*entity).kind != EntityKind::Emotion)
        .map(|(entity, _)| entity)
        .filter(|entity| !scene.target.about.contains(entity) && !scene.target.is_called(scene.snapshot, *entity))
        .filter(|_| !scene.target.is_found)
        .take(MOST_NAMES)
        .collect();
    names.extend(stated.keys().filter(|source| !names.contains(source)).copied().collect::<Vec<_>>());
    names
}

/// Quotes: what states it, latest first; else the sentences that name it before or on the days of the subject.
fn evidence(
    scene: &Scene<'_>,
    calendar: &Calendar,
    target: &Days,
    entity: EntityRef,
    lag: Lag,
    said: &[Said],
) -> Result<Vec<Evidence>, InsightError> {
    let mut evidence = Vec::new();
    for said in said.iter().rev().take(MOST_QUOTES) {
        let span = quotes::bytes(&said.span);
        evidence.extend(scene.quotes.stating(said.key, span, entity, &scene.target.entities)?);
    }
    if evidence.is_empty() {
        let graph = &scene.snapshot.graph;
        let entries = graph.entries_with(entity, earlier(scene.period.from, LONGEST_LAG), scene.period.to);
        let counts = |day: &civil::Date| {
            let reached = company::reached(&calendar.days, std::slice::from_ref(day), lag);
            calendar.table(target, &reached).both > 0
        };
        for (_, key) in entries.iter().rev().filter(|(day, _)| counts(day)).take(MOST_QUOTES) {
            evidence.extend(scene.quotes.beside(*key, entity, &scene.target.entities)?);
        }
    }
    Ok(evidence)
}
