//! Verbs that show what is written: timeline, dates, show.

use clap::{Args, ValueEnum};
use jiff::civil;

use super::{
    Context, Done, Outcome, Run, arguments,
    json::{DateJson, DatesJson, EntriesJson, VERSION},
    lookup,
    output::{self, Output, Set},
};
use crate::{
    extract::dates,
    insight::{Period, events::Event},
    journal::Entry,
    session::{Located, Session},
};

/// List the entries of a period, one line each, oldest first
#[derive(Debug, Args)]
pub struct Timeline {
    /// The first day: "2026-01", "last week"
    #[arg(long, value_name = "DATE")]
    from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DATE")]
    to: Option<String>,
    /// Only the latest N
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Sort by time of writing or of the event; `event` also lists sentences about other days
    #[arg(long, value_enum, default_value_t = Sort::Time)]
    sort: Sort,
    /// One JSON object with whole entries
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sort {
    Time,
    Event,
}

impl Run for Timeline {
    fn run(self, context: &mut Context) -> Outcome {
        let (from, to) = arguments::period(self.from.as_deref(), self.to.as_deref(), &context.now)?;
        let mut session = context.reading_session()?;
        let mut lines: Vec<Line> = match self.sort {
            Sort::Time => match self.limit {
                Some(limit) => session.latest_entries(from, to, limit)?,
                None => session.entries(from, to)?,
            }
            .into_iter()
            .map(Line::Entry)
            .collect(),
            Sort::Event => {
                let entries = by_event(session.entries(None, None)?, from, to).into_iter().map(Line::Entry);
                let period = Period { from: from.unwrap_or(civil::Date::MIN), to: to.unwrap_or(civil::Date::MAX) };
                entries.chain(session.events(period)?.into_iter().map(Line::Event)).collect()
            }
        };
        if self.sort == Sort::Event {
            lines.sort_by_key(Line::happened);
        }
        tell(&mut session);
        if let Some(limit) = self.limit {
            lines.drain(..lines.len().saturating_sub(limit));
        }
        let done = if lines.is_empty() { Done::NothingMatched } else { Done::Done };
        let out = &mut context.out;
        if self.json {
            let (mut entries, mut events) = (Vec::new(), Vec::new());
            for line in lines {
                match line {
                    Line::Entry(entry) => entries.push(entry),
                    Line::Event(event) => events.push(event),
                }
            }
            let listed = EntriesJson::new(&entries);
            out.json(&if self.sort == Sort::Event { listed.with_events(&events) } else { listed })?;
            return Ok(done);
        }
        if lines.is_empty() && (from.is_some() || to.is_some()) {
            output::note("no entries in that period");
        }
        for line in &lines {
            let line = match line {
                Line::Entry(entry) => summary(out, entry, self.sort),
                Line::Event(event) => told(out, event),
            };
            out.line(line)?;
        }
        Ok(done)
    }
}

/// One line of the timeline.
enum Line {
    Entry(Entry),
    Event(Event),
}

impl Line {
    /// The first day on which it happened; of one day entries come before what others tell of it.
    fn happened(&self) -> (civil::Date, bool) {
        match self {
            Self::Entry(entry) => (happened(entry), false),
            Self::Event(event) => (event.days.from, true),
        }
    }
}

fn happened(entry: &Entry) -> civil::Date {
    entry.event_time.as_deref().and_then(arguments::event_day).unwrap_or(entry.day)
}

/// The entries whose event (or else day of writing) lies in the period, in the order of the events.
fn by_event(mut entries: Vec<Entry>, from: Option<civil::Date>, to: Option<civil::Date>) -> Vec<Entry> {
    entries.retain(|entry| {
        let day = happened(entry);
        from.is_none_or(|from| day >= from) && to.is_none_or(|to| day <= to)
    });
    entries.sort_by_key(happened);
    entries
}

/// `2026-08-03..2026-08-09  “… because …”  (told 2026-08-12)  id`.
fn told(out: &Output, event: &Event) -> String {
    let Period { from, to } = event.days;
    let days = if from == to { from.to_string() } else { format!("{from}..{to}") };
    let text = out.safe(&output::one_line(&event.evidence.text)).into_owned();
    let text = if out.is_terminal() { output::shorten(&text, 72) } else { text };
    let written = event.evidence.time.get(..10).unwrap_or(&event.evidence.time);
    let id = out.set(Set::Dim, &out.id(event.evidence.id.as_str())).into_owned();
    format!("{}  “{text}”  (told {written})  {id}", out.set(Set::Bold, &days))
}

fn summary(out: &Output, entry: &Entry, sort: Sort) -> String {
    let when = entry.time.day_and_clock();
    let event = entry.event_time.as_deref().filter(|_| sort == Sort::Event).map(|event| format!(" (on {event})"));
    let head = head_words(out, entry);
    let text = out.safe(output::first_line(&entry.body)).into_owned();
    let text = if out.is_terminal() { output::shorten(&text, 72) } else { text };
    let id = out.set(Set::Dim, &out.id(entry.id.as_str())).into_owned();
    format!("{}{}  {head}{text}  {id}", out.set(Set::Bold, &when), event.unwrap_or_default())
}

/// Mood and tags, each with two blanks behind.
pub fn head_words(out: &Output, entry: &Entry) -> String {
    let mood = entry.mood.iter().map(|mood| format!("{}  ", out.safe(&output::one_line(mood))));
    let tags = entry.tags.iter().map(|tag| format!("#{}  ", out.safe(&output::one_line(tag))));
    mood.chain(tags).collect()
}

/// List the days with entries, oldest first
#[derive(Debug, Args)]
pub struct Dates {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Dates {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let snapshot = session.snapshot()?;
        tell(&mut session);
        let mut days = std::collections::BTreeMap::<civil::Date, usize>::new();
        for entry in snapshot.catalog.entries() {
            *days.entry(entry.day).or_default() += 1;
        }
        if self.json {
            let dates = days.iter().map(|(day, &entries)| DateJson { day: day.to_string(), entries }).collect();
            context.out.json(&DatesJson { v: VERSION, dates })?;
        } else {
            for (day, entries) in &days {
                context.out.line(format_args!("{day}  {entries}"))?;
            }
        }
        Ok(Done::Done)
    }
}

/// Print an entry, or the entries of a day or period
#[derive(Debug, Args)]
pub struct Show {
    /// An entry's id or time, or a date: "2026-02-22", "yesterday", "last week"
    #[arg(value_name = "ID|DATE", required = true)]
    what: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Show {
    fn run(self, context: &mut Context) -> Outcome {
        let what = self.what.join(" ");
        let mut session = context.reading_session()?;
        let entries = match session.locate(&what)? {
            Located::One(entry) => vec![*entry],
            Located::Ambiguous(names) => return Err(lookup::ambiguous(&what, &names).into()),
            Located::Nothing => match dates::range(&what, &context.now) {
                Some(days) => session.entries(Some(days.first), Some(days.last))?,
                None => Vec::new(),
            },
        };
        tell(&mut session);
        if entries.is_empty() {
            match dates::range(&what, &context.now) {
                None => output::complain(&lookup::unknown(&mut session, &what)),
                Some(_) => output::note(format_args!("no entries on `{what}`")),
            }
            if self.json {
                context.out.json(&EntriesJson::new(&entries))?;
            }
            return Ok(Done::NothingMatched);
        }
        let out = &mut context.out;
        if self.json {
            out.json(&EntriesJson::new(&entries))?;
            return Ok(Done::Done);
        }
        for (place, entry) in entries.iter().enumerate() {
            if place > 0 {
                out.line("")?;
            }
            whole(out, entry)?;
        }
        Ok(Done::Done)
    }
}

fn whole(out: &mut Output, entry: &Entry) -> Result<(), super::Failure> {
    let when = format!("{}, {}", entry.time.local().strftime("%A"), entry.time.day_and_clock());
    let event = entry.event_time.as_deref().map(|event| format!("on {}  ", output::one_line(event)));
    let head = format!(
        "{}  {}{}{}",
        out.set(Set::Bold, &when),
        head_words(out, entry),
        event.unwrap_or_default(),
        out.set(Set::Dim, &out.id(entry.id.as_str()))
    );
    out.line(head)?;
    let body = out.safe(&entry.body).into_owned();
    out.line(body)
}

/// Ends a verb that reads: what it could not write for the next one is no failure of this one.
pub fn leave(session: Session) {
    if let Err(error) = session.leave() {
        output::warn(format_args!("the index is not up to date: {error} · run `kioku index`"));
    }
}

/// What opening and syncing found, once, for the person at the keyboard.
pub fn tell(session: &mut Session) {
    session.warnings().iter().for_each(output::warn);
    // An answer of no entries is no answer while there are files that were not read.
    if let Ok(catalog) = session.listed()
        && catalog.entries().is_empty()
        && let Some(notice) = catalog.notices.first()
    {
        output::warn(format_args!("could not be read: {}: {}", notice.file, notice.message));
    }
}
