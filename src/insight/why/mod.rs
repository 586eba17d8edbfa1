//! Causes of a feeling, a name or an entry (design 5).
//!
//! Causes come from two sources that are never mixed: statements in the text (causal and emotional relations into the
//! subject), and names (or tracker values, see `trackers`) that occur on the days of the subject, or up to three days
//! before, more often than by chance (see `cooccurrence`). One threshold holds for all: [`CLAIM`]. Anything below it
//! is "too few to say".

mod answer;
mod answer_extraction;
mod back;
mod candidates;
mod one_word;
mod passages;
mod pointed;
mod question_terms;
mod reasons;
mod resolve;
mod scene;
mod stated;
mod target;
mod trackers;
mod weighing;

use std::collections::BTreeSet;

use jiff::civil;

pub use self::answer::{CLAIM, Cause, DayCounts, Likeness, Measure, Nearest, Question, Side, Step, Strength, Why};
#[cfg(feature = "lab")]
pub use self::answer_extraction::{Answer, PARTS, likeliest};
pub(super) use self::candidates::{eases, is_cause};
use self::scene::Scene;
use super::{Basis, Evidence, Inputs, Result, connect, daily, quotes::Quotes};
use crate::{
    extract::{feeling_called, may_be_no_feeling},
    index::EntryKey,
    journal::{EntityKind, record_title},
};

/// Maximum number of entries quoted from the days before.
const MOST_BEFORE: usize = 6;

/// Answers a question. `encoder` is for questions in words that name no entity; without it these are searched by
/// word.
pub fn why(inputs: &Inputs<'_>, ask: &Question) -> Result<Why> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let with_records = inputs.with_records;
    let named = with_records.catalog.by_id(&ask.text.trim().into());
    if let Some((entry, head)) = named.and_then(|entry| Some((entry, entry.record()?))) {
        let text = with_records.texts(&[entry.key])?.pop().unwrap_or_default();
        return Ok(Why {
            target: record_title(&text).to_owned(),
            records: connect::record_links(with_records, Some(&entry.id), &[])?,
            record: Some(head.kind.to_lowercase()),
            ..Why::default()
        });
    }
    let resolved = resolve::resolve(inputs, ask)?;
    progress.goes_on()?;
    let Some((mut target, period)) = resolved else {
        return Ok(Why { target: ask.text.trim().to_owned(), ..Why::default() });
    };
    let records = connect::record_links(with_records, named.map(|entry| &entry.id), &target.names(snapshot))?;
    let quotes = Quotes::of(snapshot);
    let mut reasons = reasons::reasons(inputs, &quotes, &target.effect, &target.entries, period)?;
    let hits = target.take_hits(inputs, ask, period)?;
    let best = answer_extraction::best(inputs, &quotes, &ask.text, &hits)?;
    reasons.extend(best.reason);
    reasons.retain(|reason| target.is_asked(reason.said.day));
    if target.is_unmet {
        let sure: BTreeSet<EntryKey> = hits.iter().filter(|hit| !hit.weak).map(|hit| hit.key).collect();
        reasons.retain(|reason| sure.contains(&reason.said.key));
        target.stating = Some(sure);
    }
    if target.is_found {
        target.take_in(reasons.iter().map(|reason| (reason.said.day, reason.said.key)));
    }
    let calendar = daily::calendar(&snapshot.catalog, period, |day| target.is_asked(day));
    let scene = Scene { snapshot, quotes: &quotes, target: &target, period, calendar, progress };
    let mut with_target = target.days();
    let (mut causes, mut eased_by) = (Vec::new(), Vec::new());
    if !with_target.is_empty() {
        causes = candidates::causes(&scene, &reasons)?;
        // The answer may repeat what a name of the graph states.
        let names: Vec<String> =
            causes.iter().filter(|one| one.entity.is_some()).map(|one| one.cause.name.to_lowercase()).collect();
        causes.retain(|one| one.entity.is_some() || !names.contains(&one.cause.name.to_lowercase()));
        if target.is_found {
            let asked = reasons::words_of(&ask.text);
            causes.retain(|one| !reasons::restates(&asked, &one.cause.name));
        }
        for cause in causes.iter_mut().filter(|cause| cause.cause.is_claimed()) {
            progress.goes_on()?;
            let Some(entity) = cause.entity else { continue };
            cause.cause.back = back::steps(&scene, entity, std::mem::take(&mut cause.days))?;
        }
        eased_by = candidates::reliefs(&scene)?;
    }
    // Somebody else's feeling, or a denied one.
    let is_feeling = feeling_called(&target.name).is_some() && !may_be_no_feeling(&target.name);
    let is_unfelt = target.is_found && is_feeling && !causes.iter().any(|cause| cause.cause.is_claimed());
    if is_unfelt {
        (causes, eased_by, with_target) = Default::default();
    }
    let unfelt = is_unfelt.then(|| Nearest { by: Likeness::Unfelt, words: Vec::new() });
    let quoted = target::with_named(inputs, ask, period, &target, hits)?;
    Ok(Why {
        target: target.name.clone(),
        subject: target.entities.first().map(|entity| snapshot.graph.entity(*entity).name.clone()),
        is_words: target.is_found && !target.is_days,
        period: Some(period),
        days: DayCounts { total: scene.calendar.days.len(), with_target: with_target.len() },
        eased_by: eased_by.into_iter().map(|named| named.cause).collect(),
        causes: causes.into_iter().map(|named| named.cause).collect(),
        before: passages::passages(&scene, best.place, &quoted, before(&scene, &with_target)?)?,
        records,
        record: None,
        notes: target.notes.clone(),
        nearest: target.nearest.clone().or(unfelt),
    })
}

/// Every candidate for an answer to a question, with its cues: what `kioku-lab why` fits.
#[cfg(feature = "lab")]
pub fn candidate_answers(inputs: &Inputs<'_>, ask: &Question) -> Result<Vec<Answer>> {
    let Some((mut target, period)) = resolve::resolve(inputs, ask)? else { return Ok(Vec::new()) };
    let hits = target.take_hits(inputs, ask, period)?;
    answer_extraction::answers(inputs, &Quotes::of(inputs.snapshot), &ask.text, &hits)
}

/// For a question with a name besides the feeling, or one answered by a search: entries about these names from the
/// same days and up to three days before, oldest first.
fn before(scene: &Scene<'_>, days: &BTreeSet<civil::Date>) -> Result<Vec<Evidence>> {
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
        // Rare names show the subject of an entry; a frequent name would bring in everything.
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
    // The entries asked about are on screen already.
    let asked = |key: &EntryKey| scene.target.is_days && scene.target.entries.iter().any(|(_, asked)| asked == key);
    found.retain(|(_, key, _)| !asked(key));
    found.sort_unstable();
    found.dedup_by_key(|(_, key, _)| *key);
    // The latest are the most relevant.
    let latest = found.len().saturating_sub(MOST_BEFORE);
    let mut evidence = Vec::new();
    for (_, key, entity) in &found[latest..] {
        evidence.extend(scene.quotes.mention(*key, *entity, Basis::Inferred)?);
    }
    Ok(evidence)
}
