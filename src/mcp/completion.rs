//! Completion of the arguments of resources and prompts.

use super::{
    journal::Journal,
    resources::{DAY_TEMPLATE, ENTITY_TEMPLATE, KIND_TEMPLATE},
};
use crate::{index::keyword::analyzer::fold, journal::EntityKind, report::Report};

/// The values that are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Days with entries, newest first.
    Days,
    /// Names, most mentioned first.
    Names,
    Kinds,
    Feelings,
    /// Any text.
    Nothing,
}

impl Subject {
    /// The values for an argument of a resource template or prompt; `None` if there is no such argument.
    pub fn of(reference: &str, argument: &str) -> Option<Self> {
        match (reference, argument) {
            (DAY_TEMPLATE, "date") | ("reflect_on_day" | "weekly_review", "date") => Some(Self::Days),
            (ENTITY_TEMPLATE, "entity") | ("analyze_relationships", "entity_name") => Some(Self::Names),
            (KIND_TEMPLATE, "type") => Some(Self::Kinds),
            ("find_why", "query") => Some(Self::Feelings),
            ("reflect_on_day" | "weekly_review" | "find_why" | "analyze_relationships", "budget") => {
                Some(Self::Nothing)
            }
            (super::resources::CONTEXT_TEMPLATE, "query") => Some(Self::Nothing),
            _ => None,
        }
    }
}

/// The values that begin with what was typed, in any case and without accents.
pub fn values(journal: &mut Journal, subject: Subject, typed: &str) -> Result<Vec<String>, Report> {
    let all: Vec<String> = match subject {
        Subject::Nothing => Vec::new(),
        Subject::Kinds => EntityKind::ALL.map(|kind| kind.word().to_owned()).to_vec(),
        Subject::Days => {
            let days = journal.session()?.day_counts()?;
            days.iter().rev().map(|day| day.day.to_string()).collect()
        }
        Subject::Names | Subject::Feelings => {
            let kind = (subject == Subject::Feelings).then_some(EntityKind::Emotion);
            let names = journal.session()?.entities(kind)?;
            names.into_iter().map(|known| known.name).collect()
        }
    };
    let typed = fold(typed);
    Ok(all.into_iter().filter(|value| fold(value).starts_with(&typed)).collect())
}
