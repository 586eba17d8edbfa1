//! Prompts: a task for the model, with the material gathered from the journal, cited and within a budget.

use rmcp::model::{JsonObject, Prompt, PromptArgument};

use super::{journal::Journal, limits};
use crate::{
    arguments,
    insight::{
        digest::{self, Digest, LEAST_BUDGET, MOST_BUDGET},
        review::Unit,
        why::Question,
    },
    report::Report,
    spelling::counted,
};

/// Size of the material, in tokens.
const BUDGET: usize = 4_000;

const CITE: &str = "Cite the id of the entry for each thing you say about the journal. Say so where the material does \
                    not show something; do not guess.";

/// A prompt in the list of all.
pub struct PromptRow {
    pub name: &'static str,
    title: &'static str,
    about: &'static str,
    /// Name, description, whether it is required.
    arguments: &'static [(&'static str, &'static str, bool)],
    gather: fn(&mut Journal, &Given) -> Result<Gathered, Report>,
}

const DATE: (&str, &str, bool) = ("date", "A day: \"yesterday\", \"2026-02-22\"; today unless given", false);
const BUDGET_ARGUMENT: (&str, &str, bool) = ("budget", "Size of the material in tokens; 4000 unless given", false);

pub const PROMPTS: &[PromptRow] = &[
    PromptRow {
        name: "reflect_on_day",
        title: "Reflect on a day",
        about: "The tone of a day, its people and events, and one thing to take from it",
        arguments: &[DATE, BUDGET_ARGUMENT],
        gather: reflect_on_day,
    },
    PromptRow {
        name: "weekly_review",
        title: "Weekly review",
        about: "Highs and lows of a week, who appeared, and a focus for the next",
        arguments: &[DATE, BUDGET_ARGUMENT],
        gather: weekly_review,
    },
    PromptRow {
        name: "find_why",
        title: "Find why",
        about: "What led to a feeling or an event, as far as the journal shows it",
        arguments: &[("query", "A feeling, a name, or a question", true), BUDGET_ARGUMENT],
        gather: find_why,
    },
    PromptRow {
        name: "analyze_relationships",
        title: "Analyze relationships",
        about: "How the relation to a person or thing develops",
        arguments: &[("entity_name", "A person, place or thing of the journal", true), BUDGET_ARGUMENT],
        gather: analyze_relationships,
    },
];

/// The task, and the material.
type Gathered = (String, Digest);

/// The arguments of a request.
pub struct Given(JsonObject);

impl PromptRow {
    pub fn definition(&self) -> Prompt {
        let arguments = self.arguments.iter().map(|(name, about, required)| {
            PromptArgument::new(*name).with_description(*about).with_required(*required)
        });
        Prompt::new(self.name, Some(self.about), Some(arguments.collect())).with_title(self.title)
    }

    /// The arguments, if their names and types are right.
    pub fn given(&self, arguments: Option<JsonObject>) -> Result<Given, Report> {
        let arguments = arguments.unwrap_or_default();
        limits::check(&arguments, &[])?;
        for (name, value) in &arguments {
            if self.arguments.iter().all(|(known, ..)| known != name) {
                let known: Vec<&str> = self.arguments.iter().map(|(known, ..)| *known).collect();
                return Err(Report::usage(format!("{} has no argument `{name}`", self.name))
                    .hint(format!("arguments: {}", known.join(", "))));
            }
            if !value.is_string() {
                return Err(Report::usage(format!("the argument `{name}` is not a string")));
            }
        }
        let given = Given(arguments);
        for (name, _, required) in self.arguments {
            if *required && given.text(name).is_none() {
                return Err(Report::usage(format!("{} needs the argument `{name}`", self.name)));
            }
        }
        Ok(given)
    }

    /// The text of the prompt: the task, then the material.
    pub fn text(&self, journal: &mut Journal, given: &Given) -> Result<String, Report> {
        let (task, digest) = (self.gather)(journal, given)?;
        let more = match digest.omitted {
            0 => String::new(),
            omitted => format!(
                "\n\n{} did not fit; the tools of this server have the rest.",
                counted(omitted, "more item", "more items")
            ),
        };
        Ok(format!("{task}\n\n{CITE}\n\n{}{more}", digest.text))
    }
}

impl Given {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    fn budget(&self) -> Result<usize, Report> {
        let Some(text) = self.text("budget") else { return Ok(BUDGET) };
        let budget = text.parse().ok().filter(|budget| (LEAST_BUDGET..=MOST_BUDGET).contains(budget));
        budget.ok_or_else(|| Report::usage(format!("`budget` is a number from {LEAST_BUDGET} to {MOST_BUDGET}")))
    }
}

fn reflect_on_day(journal: &mut Journal, given: &Given) -> Result<Gathered, Report> {
    let now = journal.now();
    let day = arguments::one_day(given.text("date"), &now)?;
    let reflection = journal.session()?.reflect(day, &now)?;
    let task = format!(
        "Help me reflect on {day}. Describe the emotional tone of the day, its main events and people, and how they \
             connect to earlier days; then suggest one thing to take from it."
    );
    Ok((task, Digest::of(&digest::of_reflection(&reflection), given.budget()?)))
}

fn weekly_review(journal: &mut Journal, given: &Given) -> Result<Gathered, Report> {
    let now = journal.now();
    let day = arguments::one_day(given.text("date"), &now)?;
    let review = journal.session()?.review(Unit::Week, day, &now)?;
    let task = format!(
        "Review my week from {} to {}. Name its highs and lows by mood, who and what appeared most, what changed \
             from the week before, and suggest a focus for the next week.",
        review.period.from, review.period.to
    );
    Ok((task, Digest::of(&digest::of_review(&review), given.budget()?)))
}

fn find_why(journal: &mut Journal, given: &Given) -> Result<Gathered, Report> {
    let text = given.text("query").unwrap_or_default().to_owned();
    let question = Question { text: text.clone(), from: None, to: None, now: journal.now() };
    let why = journal.session()?.why(&question)?;
    let task = format!(
        "What led to this: {text}\n\nSeparate what the quotes state from what only happens on the same days: the \
             counts show co-occurrence, not a cause. Weak links are too few to say anything."
    );
    Ok((task, Digest::of(&digest::of_why(&why), given.budget()?)))
}

fn analyze_relationships(journal: &mut Journal, given: &Given) -> Result<Gathered, Report> {
    let (name, today) = (given.text("entity_name").unwrap_or_default().to_owned(), journal.today());
    let profile = journal.session()?.profile(&name, today)?;
    let profile = profile.ok_or_else(|| Report::not_found(format!("no name `{name}` in the journal")))?;
    let task = format!(
        "Analyze how my relation to {name} develops: how often and when they appear, the moods of these days, who \
             and what is connected with them, and what changed over time."
    );
    Ok((task, Digest::of(&digest::of_connections(&profile.profile), given.budget()?)))
}
