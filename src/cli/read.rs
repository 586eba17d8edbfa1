//! Commands that show entries: timeline, dates, show.

use clap::{Args, ValueEnum};

use super::{Context, Done, Outcome, Output, Run, arguments, context, output};
use crate::{
    arguments::{Asked, asked},
    index::Catalog,
    insight::{Period, events::Event},
    journal::{Entry, RecordFields, RecordStatus, opening},
    report::Kind,
    session::{DayCount, Session, TimelineLine, json::EntriesJson},
    tui::widgets::cells,
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
    /// Sort by time of writing or of the event; `event` also lists stated causes and links on other days
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
        let lines = session.timeline(from, to, self.limit, self.sort == Sort::Event)?;
        let catalog = session.listed()?;
        context::print_warnings(&mut session);
        // It reads every body.
        let answer = self.json.then(|| EntriesJson::of_lines(&lines, &catalog, self.sort == Sort::Event));
        context.answer_query(!lines.is_empty(), &answer, self.json, |out, _| {
            if lines.is_empty() && (from.is_some() || to.is_some()) {
                output::note("no entries in that period");
            }
            print_lines(out, &lines, &catalog, self.sort);
        })
    }
}

fn print_lines(out: &mut Output, lines: &[TimelineLine], catalog: &Catalog, sort: Sort) {
    for line in lines {
        out.line(match line {
            TimelineLine::Entry(entry) => summary(out, entry, catalog, sort),
            TimelineLine::Event(event) => event_line(out, event),
        });
    }
}

/// Formats an event: `2026-08-03..2026-08-09  “… because …”  (told 2026-08-12)  id`.
fn event_line(out: &Output, event: &Event) -> String {
    let Period { from, to } = event.days;
    let days = if from == to { from.to_string() } else { format!("{from}..{to}") };
    let text = out.safe(&output::one_line(&event.evidence.text)).into_owned();
    let text = if out.is_terminal() { cells::truncate(&text, 72).into_owned() } else { text };
    let written = event.evidence.time.get(..10).unwrap_or(&event.evidence.time);
    let id = out.dim(&out.id(event.evidence.id.as_str())).into_owned();
    format!("{}  “{text}”  (told {written})  {id}", out.bold(&days))
}

fn summary(out: &Output, entry: &Entry, catalog: &Catalog, sort: Sort) -> String {
    let when = entry.time.day_and_clock();
    let event = entry.event_time.as_deref().filter(|_| sort == Sort::Event).map(|event| format!(" (on {event})"));
    let head = head_words(out, entry, catalog);
    let text = out.safe(&opening(&entry.body)).into_owned();
    let text = if out.is_terminal() { cells::truncate(&text, 72).into_owned() } else { text };
    let id = out.dim(&out.id(entry.id.as_str())).into_owned();
    format!("{}{}  {head}{text}  {id}", out.bold(&when), event.unwrap_or_default())
}

/// Kind of a record, mood and tags, each followed by two spaces.
fn head_words(out: &Output, entry: &Entry, catalog: &Catalog) -> String {
    let fields = entry.record().map(|head| catalog.record_fields(&entry.id, &head));
    let record = fields.map(|fields| format!("{}  ", record_mark(out, &fields)));
    let mood = entry.mood.iter().map(|mood| format!("{}  ", out.safe(&output::one_line(mood))));
    let tags = entry.tags.iter().map(|tag| format!("#{}  ", out.safe(&output::one_line(tag))));
    record.into_iter().chain(mood).chain(tags).collect()
}

/// `[goal]`, `[goal done]`.
pub fn record_mark(out: &Output, record: &RecordFields) -> String {
    let kind = output::one_line(&record.kind);
    let mark = match record.status {
        RecordStatus::Open => format!("[{kind}]"),
        status => format!("[{kind} {}]", status.word()),
    };
    out.dim(&out.safe(&mark)).into_owned()
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
        let dates = context.ask(Session::day_counts)?;
        context.answer_list("dates", &dates, self.json, print_dates)?;
        Ok(Done::Done)
    }
}

fn print_dates(out: &mut Output, dates: &[DayCount]) {
    for DayCount { day, entries } in dates {
        out.line(format_args!("{day}  {entries}"));
    }
}

/// Print an entry, or the entries of a day or period
#[derive(Debug, Args)]
pub struct Show {
    /// Ids or times of entries, or a date: "2026-02-22", "yesterday", "last week"
    #[arg(value_name = "ID|DATE", required = true)]
    what: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Show {
    fn run(self, context: &mut Context) -> Outcome {
        let whole = self.what.join(" ");
        let mut session = context.reading_session()?;
        // The words of one date, or else several ids and dates.
        let what = match asked(&mut session, &whole, &context.now) {
            Err(unknown) if unknown.kind == Kind::NotFound => self.what,
            _ => vec![whole],
        };
        let (mut entries, mut is_missing) = (Vec::new(), false);
        for what in what {
            match asked(&mut session, &what, &context.now) {
                Ok(Asked::Entry(entry)) => entries.push(*entry),
                Ok(Asked::Days(days)) => {
                    let of_days = session.entries(Some(days.first), Some(days.last))?;
                    if of_days.is_empty() {
                        output::note(format_args!("no entries on `{what}`"));
                    }
                    entries.extend(of_days);
                }
                // With --json, stdout is an object in any case.
                Err(unknown) if unknown.kind == Kind::NotFound => {
                    output::complain(&unknown);
                    is_missing = true;
                }
                Err(report) => return Err(report.into()),
            }
        }
        let catalog = session.listed()?;
        context::print_warnings(&mut session);
        let is_found = !is_missing && !entries.is_empty();
        let answer = self.json.then(|| EntriesJson::of_entries(&entries, &catalog));
        context.answer_query(is_found, &answer, self.json, |out, _| print_entries(out, &entries, &catalog))
    }
}

fn print_entries(out: &mut Output, entries: &[Entry], catalog: &Catalog) {
    for (place, entry) in entries.iter().enumerate() {
        if place > 0 {
            out.line("");
        }
        whole(out, entry, catalog);
    }
}

fn whole(out: &mut Output, entry: &Entry, catalog: &Catalog) {
    let when = format!("{}, {}", entry.time.local().strftime("%A"), entry.time.day_and_clock());
    let event = entry.event_time.as_deref().map(|event| format!("on {}  ", output::one_line(event)));
    let head = format!(
        "{}  {}{}{}",
        out.bold(&when),
        head_words(out, entry, catalog),
        event.unwrap_or_default(),
        out.dim(&out.id(entry.id.as_str()))
    );
    out.line(head);
    // The mark of a record shows these.
    let is_marked = |key: &str| entry.record().is_some() && matches!(key, "record" | "status" | "done");
    for (key, value) in entry.extra.iter().filter(|(key, _)| !is_marked(key)) {
        let line = format!("{key}: {value}");
        out.line(out.dim(&out.safe(&output::one_line(&line))));
    }
    out.line(out.safe(&entry.body));
}
