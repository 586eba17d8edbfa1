//! Completion of the arguments of resources and prompts.

use super::{
    journal::Journal,
    resources::{CONTEXT_TEMPLATE, DAY_TEMPLATE, ENTITY_TEMPLATE, KIND_TEMPLATE},
};
use crate::{index::keyword::analyzer::fold, journal::EntityKind, report::Report};

/// The values for an argument of a resource template or prompt that begin with what was typed, in any case and without
/// accents; `None` if there is no such argument.
pub fn values(
    journal: &mut Journal,
    reference: &str,
    argument: &str,
    typed: &str,
) -> Result<Option<Vec<String>>, Report> {
    let all: Vec<String> = match (reference, argument) {
        (DAY_TEMPLATE | "reflect_on_day" | "weekly_review", "date") => {
            let days = journal.session()?.day_counts()?;
            days.iter().rev().map(|day| day.day.to_string()).collect()
        }
        (ENTITY_TEMPLATE, "entity") | ("analyze_relationships", "entity_name") => names(journal, None)?,
        ("find_why", "query") => names(journal, Some(EntityKind::Emotion))?,
        (KIND_TEMPLATE, "type") => EntityKind::ALL.map(|kind| kind.word().to_owned()).to_vec(),
        // Any text.
        ("reflect_on_day" | "weekly_review" | "find_why" | "analyze_relationships", "budget")
        | (CONTEXT_TEMPLATE, "query") => Vec::new(),
        _ => return Ok(None),
    };
    let typed = fold(typed);
    Ok(Some(all.into_iter().filter(|value| fold(value).starts_with(&typed)).collect()))
}

/// Most mentioned first.
fn names(journal: &mut Journal, kind: Option<EntityKind>) -> Result<Vec<String>, Report> {
    Ok(journal.session()?.entities(kind)?.into_iter().map(|known| known.name).collect())
}
