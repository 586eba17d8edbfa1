//! The question form: target, days, and the kind of question.

use jiff::{ToSpan, civil};

use super::Why;
use crate::{
    insight::why::Question,
    session::{Answer, Ask},
    tui::{Input, LinkedLines, UpdateContext},
};

/// The periods of a question: the number of the last days, `None` for all.
const PERIODS: [Option<i32>; 4] = [None, Some(365), Some(90), Some(30)];

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub enum WhyQuery {
    Why {
        text: String,
        /// Its name on screen, if not its text.
        label: Option<String>,
        from: Option<civil::Date>,
        to: Option<civil::Date>,
    },
    Between(String, String),
}

impl Why {
    /// Asks the typed question, and clears the trail.
    pub(super) fn ask_typed(&mut self, cx: &mut UpdateContext<'_>) {
        // A connection to another name is the question of the pane that opened this one.
        self.is_visit &= self.is_between();
        let text = self.input.text().trim().to_owned();
        if let Some(other) = &self.other {
            let other = other.text().trim().to_owned();
            match (text.is_empty(), other.is_empty()) {
                (false, false) => self.begin(WhyQuery::Between(text, other), cx),
                (is_missing, _) => self.in_other = !is_missing,
            }
        } else if !Question::is_blank(&text) {
            self.begin(WhyQuery::Why { text, label: None, from: None, to: None }, cx);
        }
    }

    pub(super) fn begin(&mut self, asked: WhyQuery, cx: &mut UpdateContext<'_>) {
        self.trail.clear();
        self.typing = false;
        self.put(asked, cx);
    }

    /// Sends a question; the answer on screen stays until the new one only if it is for the same question.
    pub(super) fn put(&mut self, mut asked: WhyQuery, cx: &mut UpdateContext<'_>) {
        let now = cx.now();
        if let WhyQuery::Why { from, to: None, .. } = &mut asked {
            *from = self.since.map(|days| cx.seen_from().saturating_sub((days - 1).days()));
        }
        let ask = match asked.clone() {
            WhyQuery::Why { text, from, to, .. } => Ask::Why(Question { text, from, to, now }),
            WhyQuery::Between(from, to) => Ask::Connect { from, to },
        };
        if self.asked.as_ref() == Some(&asked) {
            return self.query_state.renew(ask, cx);
        }
        self.asked = Some(asked);
        self.unfolded.clear();
        self.lines = LinkedLines::default();
        self.query_state.ask(ask, cx);
    }

    /// Switches to another kind of question: the old answer must not be read as an answer to it.
    pub(super) fn ask_nothing(&mut self, cx: &mut UpdateContext<'_>) {
        self.trail.clear();
        self.unfolded.clear();
        self.query_state.stop(cx);
        self.query_state.forget();
        self.asked = None;
        self.lines = LinkedLines::default();
    }

    pub(super) fn again(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(asked) = self.asked.clone() {
            self.put(asked, cx);
        }
    }

    /// Asks about an entry by its id, and labels the question with its time.
    pub(super) fn ask_about(&mut self, text: &str, cx: &mut UpdateContext<'_>) {
        let known = cx.view.snapshot.as_ref().and_then(|snapshot| snapshot.catalog.by_id(&text.into()));
        let entry = known.map(|entry| entry.time.local().strftime("the entry of %-d %B %Y, %H:%M").to_string());
        let day = text.trim().parse::<civil::Date>().ok().map(|day| day.strftime("%-d %B %Y").to_string());
        let label = entry.or(day);
        self.other = None;
        self.input.set(if label.is_some() { "" } else { text });
        self.begin(WhyQuery::Why { text: text.to_owned(), label, from: None, to: None }, cx);
    }

    /// Uses the shared query as the question, once.
    pub(super) fn take_query(&mut self, cx: &mut UpdateContext<'_>) {
        if cx.query.is_on() && cx.query.text() != self.query {
            self.query = cx.query.text().to_owned();
            self.since = None;
            let text = self.query.clone();
            self.ask_about(text.trim(), cx);
        }
    }

    pub(super) fn next_period(&mut self, cx: &mut UpdateContext<'_>) {
        let here = PERIODS.iter().position(|period| *period == self.since).unwrap_or(0);
        self.since = PERIODS[(here + 1) % PERIODS.len()];
        // The period is that of the question, which the causes of a cause were followed from.
        let first = self.trail.back.drain(..).next().map(|left| left.asked);
        self.trail.clear();
        if let Some(WhyQuery::Why { text, label, .. }) = first.or_else(|| self.asked.clone()) {
            self.put(WhyQuery::Why { text, label, from: None, to: None }, cx);
        }
    }

    pub(super) fn toggle_between(&mut self, cx: &mut UpdateContext<'_>) {
        self.is_visit = false;
        self.other = if self.other.is_some() { None } else { Some(Input::default()) };
        // A question is no name, but its subject may be one.
        if let (Some(WhyQuery::Why { label: None, .. }), Some(Answer::Why(why))) =
            (&self.asked, self.query_state.known())
        {
            self.input.set(why.subject.as_deref().unwrap_or_default());
        }
        self.ask_nothing(cx);
        self.enter_field(self.other.is_some() && !self.input.is_empty());
    }

    pub(super) fn field(&mut self) -> &mut Input {
        match &mut self.other {
            Some(other) if self.in_other => other,
            _ => &mut self.input,
        }
    }

    /// An empty field for the next question; between two names, the first name to edit.
    pub(super) fn new_question(&mut self) {
        if !self.is_between() {
            self.input.set("");
        }
        self.enter_field(false);
    }

    /// Leaves the field; where nothing was typed, the question of the answer on screen stands there again.
    pub(super) fn leave_field(&mut self) {
        self.typing = false;
        if let (true, Some(WhyQuery::Why { text, label: None, .. })) = (self.input.is_empty(), &self.asked) {
            self.input.set(text);
        }
    }

    /// Moves the caret into the field, or into that of the second name where `other`.
    pub(super) fn enter_field(&mut self, other: bool) {
        (self.typing, self.in_other) = (true, other);
    }
}
