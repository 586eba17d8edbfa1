//! Candidate causes and reliefs, to be tested on the days.

use jiff::{ToSpan, civil};

use super::{
    reasons::Reason,
    scene::Scene,
    stated::Stated,
    target::earlier,
    weighing::{Named, Weighing},
};
use crate::{
    extract::fold,
    index::graph::Edge,
    insight::{
        Period, Result,
        cooccurrence::{Days, LAGS, Lag},
        daily,
    },
    journal::{EntityKind, RelationKind},
};

/// Verbs of a relation by which its source eases a feeling, folded.
const EASING: [&str; 10] = ["eases", "ease", "eased", "calms", "calm", "calmed", "soothes", "soothed", "helps", "giup"];
/// A day is good from this mean valence on.
const GOOD: f32 = 0.25;
/// For reliefs: number of days after the subject.
const AFTER: i32 = 3;

/// Possible causes of the subject, the most certain first. `reasons`: statements that are not in the graph.
pub(super) fn causes(scene: &Scene<'_>, reasons: &[Reason]) -> Result<Vec<Named>> {
    let stated = Stated::of_edges(scene, is_cause, |day| scene.period.holds(day) && scene.target.is_asked(day), AFTER)
        .with(scene, reasons);
    let target_days = scene.target.days();
    let target = Days::marking(&scene.calendar.days, |day| target_days.contains(&day));
    // For a name, a mention on the same day is no sign of a cause: only days before it count.
    let is_feeling = scene.target.kind == Some(EntityKind::Emotion);
    let lags: Vec<Lag> = LAGS.into_iter().filter(|lag| is_feeling || lag.0 > 0).collect();
    Weighing { scene, calendar: &scene.calendar, target: &target, lags: &lags, stated, kind: RelationKind::Causal }
        .ranked()
}

/// Relations by which the source leads to the target.
pub(in crate::insight) fn is_cause(edge: &Edge) -> bool {
    match edge.kind {
        RelationKind::Causal => true,
        RelationKind::Emotional => !eases(edge),
        RelationKind::Temporal | RelationKind::Topical | RelationKind::Involves => false,
    }
}

/// Relations by which the source eases the target.
pub(in crate::insight) fn eases(edge: &Edge) -> bool {
    edge.kind == RelationKind::Emotional && EASING.contains(&fold(&edge.verb).as_str())
}

/// Names on the good days that followed, compared with the other days that followed. Empty for a pleasant feeling.
pub(super) fn reliefs(scene: &Scene<'_>) -> Result<Vec<Named>> {
    if !scene.target.is_unpleasant(scene.snapshot) {
        return Ok(Vec::new());
    }
    let after = Period { to: scene.period.to.saturating_add(AFTER.days()), ..scene.period };
    let stated = Stated::of_edges(scene, eases, |day| after.holds(day), AFTER);
    let valences = daily::valences(&scene.snapshot.catalog, scene.period);
    let target = scene.target.days();
    let followed = |day: civil::Date| {
        !target.contains(&day) && target.range(earlier(day, AFTER)..day).next().is_some() && valences.contains_key(&day)
    };
    let calendar = daily::calendar(&scene.snapshot.catalog, scene.period, followed);
    let good = Days::marking(&calendar.days, |day| valences.get(&day).is_some_and(|(valence, _)| *valence >= GOOD));
    let weighing = Weighing {
        scene,
        calendar: &calendar,
        target: &good,
        lags: &[Lag(0, 0)],
        stated,
        kind: RelationKind::Emotional,
    };
    let mut reliefs = weighing.ranked()?;
    reliefs.retain(|relief| relief.cause.is_claimed());
    Ok(reliefs)
}
