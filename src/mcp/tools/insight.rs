//! Tools that answer from the whole journal: causes, a day, a period.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Access, Journal, Tool, json};
use crate::{
    arguments,
    insight::{
        reflect::Reflection,
        review::{self, Unit},
        why::{Question, Why},
    },
    report::Report,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindWhy {
    /// A feeling, a name, an entry's id, or a question: "why was I sad in March".
    query: String,
    /// The first day: "2026-02-22", "2026-01", "last week".
    date_from: Option<String>,
    /// The last day.
    date_to: Option<String>,
}

impl Tool for FindWhy {
    const NAME: &'static str = "find_why";
    const TITLE: &'static str = "Causes";
    const ABOUT: &'static str = "What led to a feeling, a name or an entry, with quotes and counts of days. \
                                 `stated` counts quotes that say so; the rest is co-occurrence, no proof. `before` \
                                 is background without a claim.";
    const ACCESS: Access = Access::Reads;
    type Answer = Why;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let (from, to) = (self.date_from.as_deref(), self.date_to.as_deref());
        if Question::is_blank(&self.query) {
            return Err(Report::usage("empty query").hint("pass a feeling, a name, an entry's id or a question"));
        }
        let now = journal.now();
        let (from, to) = arguments::period(from, to, &now)?;
        let question = Question { text: self.query.clone(), from, to, now };
        json(&journal.session()?.why(&question)?)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reflect {
    /// The day: "yesterday", "2026-02-22"; today unless given.
    date: Option<String>,
}

impl Tool for Reflect {
    const NAME: &'static str = "reflect";
    const TITLE: &'static str = "A day and its threads";
    const ABOUT: &'static str = "One day at a glance: entries, moods, names, related passages of the past, patterns \
                                 and questions. Every line cites its entries.";
    const ACCESS: Access = Access::Reads;
    type Answer = Reflection;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let now = journal.now();
        let day = arguments::one_day(self.date.as_deref(), &now)?;
        json(&journal.session()?.reflect(day, &now)?)
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    period: Unit,
    /// A day in the period: "last march", "2026-02-22"; today unless given.
    date: Option<String>,
}

impl Tool for Review {
    const NAME: &'static str = "review";
    const TITLE: &'static str = "Review of a period";
    const ABOUT: &'static str = "A week, month or year compared with the one before: highs, lows, moods, names, \
                                 threads, patterns. Every line cites its entries.";
    const ACCESS: Access = Access::Reads;
    type Answer = review::Review;

    fn answer(&mut self, journal: &mut Journal) -> Result<Value, Report> {
        let now = journal.now();
        let day = self.date.as_deref().map(|text| arguments::days(text, &now)).transpose()?;
        let day = day.map_or_else(|| now.date(), |days| days.first);
        json(&journal.session()?.review(self.period, day, &now)?)
    }
}
