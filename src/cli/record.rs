//! `kioku record`: goals, list items, facts, notes, findings, claims and conversations.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{
    Context, Done, Failure, Outcome, Output, Run,
    arguments::{self, given, optional_line},
    context, counted, output,
    write::stdin_text,
};
use crate::{
    extract,
    insight::records::{Record, RecordFilter},
    journal::{ClaimLink, NewRecord, RecordKind, RecordStatus, SHOPPING, record_title},
    report::Report,
    session::Remembered,
};

/// Keep goals, list items, facts, notes, findings and claims beside the diary
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kioku record goal 'run a half marathon by May'
  kioku record item 'oat milk' --list shopping
  kioku record fact 'Linh is allergic to nuts' --subject Linh --category health
  kioku record claim 'Tea keeps me awake' --contradicts o4i5oh7qge
  kioku record done o4i5
  kioku record list goal --status done")]
pub struct RecordVerb {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Add a goal
    Goal {
        #[command(flatten)]
        new: New,
        /// The day until which it is to be reached: "may", "friday", "2027-05-31" [default: as in the text, "by May"]
        #[arg(long, value_name = "WHEN")]
        due: Option<String>,
    },
    /// Add an item to a list
    Item {
        #[command(flatten)]
        new: New,
        /// The list
        #[arg(long, value_name = "NAME", default_value = SHOPPING)]
        list: String,
    },
    /// Add a fact; a newer one of the same subject and category supersedes it
    Fact {
        #[command(flatten)]
        new: New,
        /// What it is about
        #[arg(long, value_name = "NAME")]
        subject: Option<String>,
        /// What kind of fact: health, work, taste
        #[arg(long, value_name = "NAME", requires = "subject")]
        category: Option<String>,
    },
    /// Add a note
    Note(Sourced),
    /// Add a finding
    Finding(Sourced),
    /// Add a claim
    Claim {
        #[command(flatten)]
        sourced: Sourced,
        /// A record that it supports, by id; may be repeated
        #[arg(long, value_name = "ID")]
        supports: Vec<String>,
        /// A record that it contradicts, by id; may be repeated
        #[arg(long, value_name = "ID")]
        contradicts: Vec<String>,
        /// Where it is cited; may be repeated
        #[arg(long, value_name = "WHERE")]
        cited_in: Vec<String>,
    },
    /// Add a turn or a summary of a conversation
    Conversation {
        #[command(flatten)]
        sourced: Sourced,
        /// Who speaks, or `summary`
        #[arg(long, value_name = "WHO")]
        role: Option<String>,
    },
    /// Mark goals and items as done
    Done(Close),
    /// Drop records: they stay in the journal, and in no list of open ones
    Drop(Close),
    /// Open records again
    Reopen(Close),
    /// List records: those that are open, without conversations
    List(List),
}

#[derive(Debug, Args)]
struct New {
    /// Text of the record; `-` reads stdin
    #[arg(required = true, value_parser = arguments::text)]
    text: Vec<String>,
    /// Tag; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Time of the record [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Sourced {
    #[command(flatten)]
    new: New,
    /// Where it comes from: a book, an address
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
    /// The project to which it belongs
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// The session in which it was made
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

#[derive(Debug, Args)]
struct Close {
    /// Ids, or the first characters of them
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct List {
    /// goal, item, fact, note, finding, claim, conversation, or a kind of your own
    kind: Option<String>,
    /// Only those of this status
    #[arg(long, value_enum, default_value_t = RecordStatus::Open, conflicts_with = "all")]
    status: RecordStatus,
    /// Those of any status
    #[arg(long)]
    all: bool,
    /// Only items of this list
    #[arg(long, value_name = "NAME")]
    list: Option<String>,
    /// Only those of this project
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// Only those of this session
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Only the newest N
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for RecordVerb {
    fn run(self, context: &mut Context) -> Outcome {
        match self.verb {
            Verb::Goal { new, due } => {
                let day = given(due.as_deref(), |text| arguments::due_day(text, &context.now))?;
                new.save(context, RecordKind::Goal, |record, context| {
                    record.due = day.or_else(|| extract::due(&record.text, context.now.date()));
                })
            }
            Verb::Item { new, list } => {
                let list = optional_line("--list", Some(list))?;
                new.save(context, RecordKind::Item, |record, _| record.list = list)
            }
            Verb::Fact { new, subject, category } => {
                let (subject, category) =
                    (optional_line("--subject", subject)?, optional_line("--category", category)?);
                new.save(context, RecordKind::Fact, |record, _| {
                    (record.subject, record.category) = (subject, category);
                })
            }
            Verb::Note(sourced) => sourced.save(context, RecordKind::Note, |_| {}),
            Verb::Finding(sourced) => sourced.save(context, RecordKind::Finding, |_| {}),
            Verb::Claim { sourced, supports, contradicts, cited_in } => {
                let links = [
                    (ClaimLink::Supports, "--supports", supports),
                    (ClaimLink::Contradicts, "--contradicts", contradicts),
                    (ClaimLink::CitedIn, "--cited-in", cited_in),
                ];
                let links: Vec<(ClaimLink, String)> = links
                    .into_iter()
                    .flat_map(|(link, flag, targets)| targets.into_iter().map(move |target| (link, flag, target)))
                    .map(|(link, flag, target)| Ok((link, arguments::one_line(flag, &target)?)))
                    .collect::<Result<_, Report>>()?;
                sourced.save(context, RecordKind::Claim, |record| record.links = links)
            }
            Verb::Conversation { sourced, role } => {
                let role = optional_line("--role", role)?;
                sourced.save(context, RecordKind::Conversation, |record| record.role = role)
            }
            Verb::Done(close) => close.run(context, RecordStatus::Done),
            Verb::Drop(close) => close.run(context, RecordStatus::Dropped),
            Verb::Reopen(close) => close.run(context, RecordStatus::Open),
            Verb::List(list) => list.run(context),
        }
    }
}

impl New {
    fn save(self, context: &mut Context, kind: RecordKind, fill: impl FnOnce(&mut NewRecord, &Context)) -> Outcome {
        let text = match self.text.as_slice() {
            [dash] if dash == "-" => stdin_text()?,
            words => words.join(" "),
        };
        if record_title(text.trim_end()).is_empty() {
            return Err(Report::usage("a record needs text")
                .hint(format!("kioku record {} 'TEXT'", kind.word()))
                .into());
        }
        let mut record = NewRecord::new(kind, text);
        record.time = given(self.at.as_deref(), |at| arguments::moment(at, &context.now))?;
        record.tags = arguments::typed_tags(&self.tags)?;
        fill(&mut record, context);
        let mut session = context.session()?;
        let remembered = session.remember(record)?;
        session.warnings().iter().for_each(output::warn);
        context.answer(&remembered, self.json, print_remembered)
    }
}

impl Sourced {
    fn save(self, context: &mut Context, kind: RecordKind, fill: impl FnOnce(&mut NewRecord)) -> Outcome {
        let (source, project) = (optional_line("--source", self.source)?, optional_line("--project", self.project)?);
        let session = optional_line("--session", self.session)?;
        self.new.save(context, kind, |record, _| {
            (record.source, record.project, record.session) = (source, project, session);
            fill(record);
        })
    }
}

fn print_remembered(out: &mut Output, saved: &Remembered) {
    if !saved.is_new {
        output::note("there already; nothing was written");
    }
    if let Some(due) = &saved.due {
        output::note(format_args!("due {due}"));
    }
    if let Some(superseded) = &saved.superseded {
        output::note(format_args!("supersedes {superseded}, which is kept"));
    }
    out.line(out.id(saved.id.as_str()));
}

impl Close {
    /// Changes each record; a failure does not affect the others.
    fn run(self, context: &mut Context, status: RecordStatus) -> Outcome {
        let mut session = context.session()?;
        let (mut changed, mut failed) = (Vec::new(), Vec::new());
        for id in &self.ids {
            match session.close_record(id, status) {
                Ok((before, after)) => {
                    let is_new = before.extra != after.extra;
                    let text = record_title(&after.body).to_owned();
                    changed.push(Changed { id: after.id.to_string(), status, is_new, text });
                }
                Err(error) => failed.push(Report::from(&error)),
            }
        }
        context::print_warnings(&mut session);
        context.answer_list("changed", &changed, self.json, print_changed)?;
        let Some(first) = failed.pop() else { return Ok(Done::Done) };
        failed.iter().for_each(output::complain);
        Err(Failure::from(first))
    }
}

#[derive(Debug, Serialize)]
struct Changed {
    id: String,
    status: RecordStatus,
    /// Whether it had another status before.
    is_new: bool,
    text: String,
}

fn print_changed(out: &mut Output, changed: &[Changed]) {
    for Changed { id, status, is_new, text } in changed {
        if !is_new {
            output::note(format_args!("{id} is {} already", status.word()));
        }
        let (id, text) = (out.id(id), out.safe(&output::one_line(text)).into_owned());
        out.line(format_args!("{}  {}  {text}", out.bold(&id), status.word()));
    }
}

impl List {
    fn run(self, context: &mut Context) -> Outcome {
        let filter = RecordFilter {
            kind: self.kind.clone(),
            status: (!self.all).then_some(self.status),
            list: self.list,
            project: self.project,
            session: self.session,
            limit: self.limit,
        };
        let records = context.ask(|session| session.records(&filter))?;
        if records.is_empty() {
            let status = if self.all { "" } else { self.status.word() };
            let what = self.kind.as_deref().map_or_else(|| "record".to_owned(), |kind| kind.to_lowercase());
            output::note(format_args!("no {status}{}{what}", if status.is_empty() { "" } else { " " }));
        }
        if let Some(kind) = &self.kind
            && records.is_empty()
            && RecordKind::parse(&kind.to_lowercase()).is_none()
        {
            let known = RecordKind::ALL.map(RecordKind::word).join(", ");
            output::note(format_args!("kinds: {known}"));
        }
        context.answer_list("records", &records, self.json, print_records)
    }
}

fn print_records(out: &mut Output, records: &[Record]) {
    for record in records {
        let id = out.id(record.id.as_str()).into_owned();
        let text = out.safe(&output::one_line(record_title(&record.text))).into_owned();
        let details = details(record);
        let details = if details.is_empty() { String::new() } else { format!("  {}", out.safe(&details)) };
        let fields = &record.record;
        let (kind, mark) = (&fields.kind, fields.status.mark(fields.known_kind()).unwrap_or("   "));
        out.line(format_args!("{}  {kind:<7} {mark}  {text}{}", out.bold(&id), out.dim(&details)));
    }
    if out.is_terminal() {
        output::note(counted(records.len(), "record", "records"));
    }
}

fn details(record: &Record) -> String {
    let fields = &record.record;
    let due = fields.due().map(|due| format!("due {due}"));
    let superseded = fields.superseded_by.as_ref().map(|id| format!("superseded by {id}"));
    let keys = ["list", "subject", "category", "project", "role", "source"];
    let values = keys.into_iter().filter_map(|key| fields.value(key).map(str::to_owned));
    let links = record.links.iter().map(|link| format!("{} {}", link.link.word(), link.target));
    due.into_iter().chain(values).chain(superseded).chain(links).collect::<Vec<_>>().join(" · ")
}
