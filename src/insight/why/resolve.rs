//! Interpretation of a question: its target and its period.

use jiff::{Zoned, civil};

use super::{
    answer::{Likeness, Nearest, Question},
    one_word::{is_written, of_word},
    question_terms::{is_asking, plainly, stems, tells, words},
    reasons::Effect,
    target::{self, Feeling, Target, feeling},
};
use crate::{
    extract::{
        dates::{self, DayRange},
        is_same_feeling,
    },
    index::{EntryKey, Snapshot, graph::EntityRef, keyword::analyzer::tokens},
    insight::{Inputs, Period, Result, daily},
    journal::EntityKind,
    search::{NamedDays, Query, query::Test},
};

/// Interprets a question; `None` for an empty journal. Filters and days in its text narrow the given period; days without
/// entries do not, and a note tells the user.
pub(super) fn resolve(inputs: &Inputs<'_>, ask: &Question) -> Result<Option<(Target, Period)>> {
    let text = plainly(&ask.text);
    let query = Query::parse(&text, &ask.now);
    let Some(period) = period(inputs.snapshot, &query, ask) else { return Ok(None) };
    let (mut target, period) = within_period(inputs, &query, ask, period)?;
    if !target.is_days {
        target.narrow_to(asked_days(inputs.snapshot, &query, &ask.now));
    }
    target.notes.extend(unused(&query, &text));
    for days in query.days.iter().filter(|days| range(inputs.snapshot, days, &ask.now).is_none()) {
        // The name of a feast is also a word: "bánh trung thu".
        let is_named = !days.is_of_the_calendar() && dates::ahead(&days.text, ask.now.date()).is_some();
        if !(is_named && is_written(inputs, &days.text, &ask.now)?) {
            target.notes.push(format!("“{}” has no entries; the answer is about other days", days.text));
        }
    }
    Ok(Some((target, period)))
}

/// A note for each filter that narrows no question.
fn unused(query: &Query, text: &str) -> Vec<String> {
    let narrows = |test: &Test| {
        use Test::*;
        matches!(test, From(_) | To(_) | On(_) | Mood(_) | Tag(_) | Named { .. })
    };
    let unused = query.filters.iter().filter(|filter| filter.negated || !narrows(&filter.test));
    unused.filter_map(|filter| Some(format!("“{}” is ignored here", text.get(filter.span.clone()?)?))).collect()
}

fn within_period(inputs: &Inputs<'_>, query: &Query, ask: &Question, period: Period) -> Result<(Target, Period)> {
    let Inputs { snapshot, .. } = *inputs;
    if let Some(known) = snapshot.catalog.by_id(&ask.text.trim().into()) {
        let entries = vec![(known.day, known.key)];
        let name = known.id.to_string();
        let target =
            Target { name, entries, is_found: true, is_days: true, effect: Effect::Anything, ..Target::default() };
        return Ok((target, period));
    }
    let words = words(query);
    if let Some(target) = of_days(snapshot, query, &words, &ask.now) {
        // The days are the subject here, not a limit of the period.
        let time = self::period(snapshot, &Query::parse("", &ask.now), ask).unwrap_or(period);
        return Ok((target, time));
    }
    let mut target = match feeling(snapshot, &words, &ask.text) {
        Some(Feeling::Called(target)) => *target,
        Some(Feeling::Same { said, names: words }) => {
            if !is_written(inputs, &said, &ask.now)? {
                let nearest = Nearest { by: Likeness::Meaning, words };
                let target = Target { name: said, is_found: true, nearest: Some(nearest), ..Target::default() };
                return Ok((target, period));
            }
            match target::entities_called(snapshot, &said) {
                called if called.is_empty() => Target { name: said, ..Target::default() },
                called => target::felt(snapshot, &said, called),
            }
        }
        None => Target::default(),
    };
    let named = target::named(snapshot, &words, &target);
    let of_another = named.iter().any(|person| is_felt_by(snapshot, *person, &ask.text, &target));
    let also_named = named.clone();
    if of_another {
        target = Target::default();
    } else if target.entities.is_empty() {
        target = target::by_name(snapshot, query, named).unwrap_or_default();
    } else {
        target.about = named;
    }
    if target.entities.is_empty() {
        target = match of_word(inputs, query, &words, ask, period)? {
            Some(target) => target,
            None => Target { also_named, ..target::found(inputs, ask, period)? },
        };
        target.effect = Effect::by_words(&ask.text, &words);
        target.of_another = of_another;
        return Ok((target, period));
    }
    let rest = target::unnamed_words(snapshot, &words, &target);
    target.entries = target::entries(snapshot, &target, period);
    if let Some(kind) = target.kind {
        let names = target.entities.iter().flat_map(|entity| snapshot.graph.entity(*entity).names().cloned());
        target.effect = Effect::by_names(kind, names, &ask.text, &words);
    }
    target::narrow(snapshot, &mut target, &rest, period)?;
    if !target.other_words.is_empty() {
        let names: Vec<&str> =
            target.other_words.iter().map(|entity| snapshot.graph.entity(*entity).name.as_str()).collect();
        target.notes.push(format!("the answer leaves out {}; ask about each by name", names.join(", ")));
    }
    Ok((target, period))
}

/// Words between a person and what the person felt, folded.
const SEEMING: [&str; 12] =
    ["is", "was", "are", "were", "did", "does", "seem", "seems", "seemed", "look", "looked", "la"];

/// Whether a question asks why a person felt what the target is: "why was Kwame nervous", "sao Hùng buồn".
fn is_felt_by(snapshot: &Snapshot, person: EntityRef, text: &str, target: &Target) -> bool {
    let graph = &snapshot.graph;
    let folded = |text: &str| tokens(text).into_iter().map(|token| token.folded).collect::<Vec<String>>();
    let said = folded(text);
    let feels = |from: usize| {
        let is_between = |word: &&String| is_asking(word) || SEEMING.contains(&word.as_str());
        let mut rest = said[from..].iter().skip_while(is_between);
        let names = || target.entities.iter().map(|entity| &graph.entity(*entity).name);
        let is_felt = |word: &String| names().any(|name| stems(name) == stems(word) || is_same_feeling(word, name));
        // "Why does Feld annoy me" and "why is Feld annoying" ask for the writer's feeling.
        rest.next().is_some_and(|word| is_felt(word) && !word.ends_with("ing"))
            && !matches!(rest.next().map(String::as_str), Some("me" | "us"))
    };
    let known = graph.entity(person);
    let names = known.names().map(|name| folded(name)).filter(|name| !name.is_empty());
    let is_subject =
        |name: Vec<String>| (0..said.len()).any(|at| said[at..].starts_with(&name) && feels(at + name.len()));
    known.kind == EntityKind::Person && names.into_iter().any(is_subject)
}

/// The period of `--from` and `--to`, of the filters in the text, of the days it names, or else of the whole journal.
fn period(snapshot: &Snapshot, query: &Query, ask: &Question) -> Option<Period> {
    let catalog = &snapshot.catalog;
    let whole = daily::whole(catalog)?;
    let (mut first, mut last) = (None::<civil::Date>, None::<civil::Date>);
    let mut narrow = |from: Option<civil::Date>, to: Option<civil::Date>| {
        first = from.into_iter().chain(first).max();
        last = to.into_iter().chain(last).min();
    };
    narrow(ask.from, ask.to);
    for filter in query.filters.iter().filter(|filter| !filter.negated) {
        match &filter.test {
            Test::From(day) => narrow(Some(*day), None),
            Test::To(day) => narrow(None, Some(*day)),
            _ => {}
        }
    }
    let asked = asked_days(snapshot, query, &ask.now);
    narrow(asked.iter().map(|days| days.first).min(), asked.iter().map(|days| days.last).max());
    Some(Period { from: first.unwrap_or(whole.from), to: last.unwrap_or(whole.to) })
}

/// The days of the `on:` filters and of the words, of which each entry has to be on one.
fn asked_days(snapshot: &Snapshot, query: &Query, now: &Zoned) -> Vec<DayRange> {
    let on = query.filters.iter().filter_map(|filter| match filter.test {
        Test::On(days) if !filter.negated => Some(days),
        _ => None,
    });
    on.chain(ranges(snapshot, query, now)).collect()
}

/// The days that a question names in words, where there are entries.
fn ranges(snapshot: &Snapshot, query: &Query, now: &Zoned) -> Vec<DayRange> {
    query.days.iter().filter_map(|days| range(snapshot, days, now)).collect()
}

fn range(snapshot: &Snapshot, days: &NamedDays, now: &Zoned) -> Option<DayRange> {
    let catalog = &snapshot.catalog;
    let latest: Option<Zoned> = catalog.entries().last().map(|entry| entry.time.at.to_zoned(now.time_zone().clone()));
    days.range(now, latest.as_ref(), |days| catalog.days(days.first, days.last).next().is_some())
}

/// A question that names only days: the entries of these days are the subject.
fn of_days(snapshot: &Snapshot, query: &Query, words: &[String], now: &Zoned) -> Option<Target> {
    let ranges = asked_days(snapshot, query, now);
    let narrows = query.filters.iter().any(|filter| filter.negated || !matches!(filter.test, Test::On(_)));
    if ranges.is_empty() || narrows || words.iter().any(|word| tells(word)) {
        return None;
    }
    let within = |days: &DayRange| snapshot.catalog.days(days.first, days.last).map(|entry| (entry.day, entry.key));
    let mut entries: Vec<(civil::Date, EntryKey)> = ranges.iter().flat_map(within).collect();
    entries.sort_unstable();
    entries.dedup();
    let range = |days: &DayRange| format!("{} to {}", days.first, days.last);
    let called = |days: &DayRange| days.only_day().map_or_else(|| range(days), |day| day.to_string());
    let name = ranges.iter().map(called).collect::<Vec<_>>().join(", ");
    Some(Target { name, entries, is_found: true, is_days: true, effect: Effect::Anything, ..Target::default() })
}
