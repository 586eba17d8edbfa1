//! `kioku entity`: curation of names and relations, with preview and undo.

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal},
};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{Context, Done, Failure, Outcome, Output, Run, context, counted, editor, output};
use crate::{
    index::graph::{Entity as Known, Judgement},
    journal::{EntityKind, EntityNote, RelationKind},
    report::{Kind, Report},
    session::{Curated, Curating, CurationError, CurationLog, Session, SessionError, Subject},
};

/// Merge, rename and hide names; accept and reject relations
#[derive(Debug, Args)]
#[command(after_help = "If several names are spelled the same, add the kind: 'Hanoi (place)' or place:Hanoi.

Examples:
  kioku entity merge Hung Hùng --dry-run
  kioku entity alias Linh 'my sister'
  kioku entity reject Coffee causal stressed
  kioku entity undo")]
pub struct Entity {
    #[command(subcommand)]
    verb: EntityVerb,
}

#[derive(Debug, Subcommand)]
enum EntityVerb {
    /// Merge A into B
    Merge {
        #[arg(value_name = "A")]
        from: String,
        #[arg(value_name = "INTO-B")]
        into: String,
        #[command(flatten)]
        how: How,
    },
    /// Rename; the old name stays an alias
    Rename {
        name: String,
        new: String,
        #[command(flatten)]
        how: How,
    },
    /// Add a spelling or nickname
    Alias {
        name: String,
        alias: String,
        /// Remove the alias
        #[arg(long)]
        remove: bool,
        #[command(flatten)]
        how: How,
    },
    /// Set the kind of a name
    Kind {
        name: String,
        #[arg(value_enum, ignore_case = true)]
        kind: EntityKind,
        #[command(flatten)]
        how: How,
    },
    /// Hide a name from lists, connections and relations
    Hide {
        name: String,
        /// Show it again
        #[arg(long)]
        show: bool,
        #[command(flatten)]
        how: How,
    },
    /// Accept a relation: A causal B
    Accept(Judged),
    /// Reject a relation: A causal B
    Reject(Judged),
    /// Keep two similar names apart
    Distinct {
        name: String,
        other: String,
        #[command(flatten)]
        how: How,
    },
    /// List possible duplicates, with reasons
    Proposals {
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show your notes and corrections on a name
    Notes {
        name: String,
        /// Open the note in $EDITOR
        #[arg(long)]
        edit: bool,
        /// One JSON object
        #[arg(long, conflicts_with = "edit")]
        json: bool,
    },
    /// Undo the last change
    Undo {
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct Judged {
    source: String,
    #[arg(value_enum)]
    kind: RelationKind,
    target: String,
    /// Only in this entry
    #[arg(long, value_name = "ID")]
    entry: Option<String>,
    #[command(flatten)]
    how: How,
}

#[derive(Debug, Clone, Copy, Args)]
struct How {
    /// Show what would change; change nothing
    #[arg(long)]
    dry_run: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Entity {
    fn run(self, context: &mut Context) -> Outcome {
        let (curating, how) = match self.verb {
            EntityVerb::Merge { from, into, how } => (Curating::Merge { from, into }, how),
            EntityVerb::Rename { name, new, how } => (Curating::Rename { name, new }, how),
            EntityVerb::Alias { name, alias, remove, how } => (Curating::Alias { name, alias, remove }, how),
            EntityVerb::Kind { name, kind, how } => (Curating::Kind { name, kind }, how),
            EntityVerb::Hide { name, show, how } => (Curating::Hide { name, hidden: !show }, how),
            EntityVerb::Accept(judged) => judged.curating(Judgement::Accepted),
            EntityVerb::Reject(judged) => judged.curating(Judgement::Rejected),
            EntityVerb::Distinct { name, other, how } => (Curating::Distinct { name, other }, how),
            EntityVerb::Proposals { json } => return proposals(context, json),
            EntityVerb::Notes { name, edit, json } => return notes(context, &name, edit, json),
            EntityVerb::Undo { json } => return undo(context, json),
        };
        let curated = context.ask(|session| {
            let log = (!how.dry_run).then(|| log(context, session));
            match session.curate(&curating, log.as_ref()) {
                // What is refused is the arguments.
                Err(SessionError::Curation(CurationError::Refused { reason, hint })) => {
                    Ok(Err(Report::usage(reason).hint(hint)))
                }
                curated => curated.map(Ok),
            }
        })??;
        context.answer(&curated, how.json, print_curated)
    }
}

impl Judged {
    fn curating(self, judgement: Judgement) -> (Curating, How) {
        let Self { source, kind, target, entry, how } = self;
        (Curating::Judge { source, kind, target, entry, judgement }, how)
    }
}

/// The undo log of this journal.
pub fn log(context: &Context, session: &Session) -> CurationLog {
    CurationLog::of(&context.state, &session.vault().options().root)
}

fn print_curated(out: &mut Output, curated: &Curated) {
    if curated.unchanged {
        output::note("already so; no change");
    }
    let would = if curated.dry_run { "would change " } else { "" };
    out.line(format_args!("{}: {would}{}", out.safe(&curated.said), curated.moved.words()));
}

fn undo(context: &mut Context, json: bool) -> Outcome {
    let said = context.ask(|session| session.uncurate(&log(context, session)))?;
    context.answer(&BTreeMap::from([("undone", &said)]), json, |out, _| {
        out.line(format_args!("undone: {}", out.safe(&said)));
    })
}

#[derive(Debug, Serialize)]
struct ProposalJson<'a> {
    keep: NamedJson<'a>,
    other: NamedJson<'a>,
    reasons: &'a [String],
}

#[derive(Debug, Serialize)]
struct NamedJson<'a> {
    name: &'a str,
    kind: &'static str,
    mentions: u32,
    days: u32,
}

impl<'a> From<&'a Known> for NamedJson<'a> {
    fn from(entity: &'a Known) -> Self {
        Self { name: &entity.name, kind: entity.kind.word(), mentions: entity.mentions, days: entity.days }
    }
}

fn proposals(context: &mut Context, json: bool) -> Outcome {
    let (snapshot, proposals) = context.ask(Session::entity_proposals)?;
    let proposals = proposals.iter().map(|pair| ProposalJson {
        keep: snapshot.graph.entity(pair.keep).into(),
        other: snapshot.graph.entity(pair.other).into(),
        reasons: &pair.reasons,
    });
    context.answer_list("proposals", &proposals.collect::<Vec<_>>(), json, print_proposals)
}

fn print_proposals(out: &mut Output, proposals: &[ProposalJson]) {
    let named = |entity: &NamedJson| {
        let mentions = counted(entity.mentions as usize, "mention", "mentions");
        format!("{} ({}, {mentions})", entity.name, entity.kind)
    };
    for pair in proposals {
        let line = format!("{}  and  {}", named(&pair.other), named(&pair.keep));
        out.line(out.bold(&out.safe(&line)));
        pair.reasons.iter().for_each(|reason| out.line(format_args!("  {}", out.safe(reason))));
    }
    if proposals.is_empty() {
        output::note("no possible duplicates");
    } else if out.is_terminal() {
        output::note("merge with `kioku entity merge A B`, keep apart with `kioku entity distinct A B`");
    }
}

#[derive(Debug, Serialize)]
struct Note {
    name: String,
    kind: Option<&'static str>,
    aliases: Vec<String>,
    merged: Vec<String>,
    distinct_from: Vec<String>,
    hidden: bool,
    accept: Vec<String>,
    reject: Vec<String>,
    notes: String,
}

impl From<EntityNote> for Note {
    fn from(note: EntityNote) -> Self {
        Self {
            name: note.name,
            kind: note.kind.map(EntityKind::word),
            aliases: note.aliases,
            merged: note.merged,
            distinct_from: note.distinct_from,
            hidden: note.hidden,
            accept: note.accept.iter().map(ToString::to_string).collect(),
            reject: note.reject.iter().map(ToString::to_string).collect(),
            notes: note.notes,
        }
    }
}

fn notes(context: &mut Context, name: &str, edit: bool, json: bool) -> Outcome {
    let mut session = context.reading_session()?;
    let subject = match session.entity_called(name).map_err(Report::from) {
        // With --json, stdout is an object in any case.
        Err(unknown) if json && unknown.kind == Kind::NotFound => {
            let nothing = Note::from(EntityNote { name: name.to_owned(), ..EntityNote::default() });
            context.answer(&nothing, json, print_note)?;
            return context.end(Some(unknown));
        }
        subject => subject?,
    };
    let note = session.entity_note(&subject)?;
    context::print_warnings(&mut session);
    if edit {
        return edit_notes(context, session, &subject, note.as_ref());
    }
    let is_there = note.is_some();
    let note = note.unwrap_or_else(|| EntityNote { name: subject.name, kind: subject.kind, ..EntityNote::default() });
    context.answer_query(is_there, &Note::from(note), json, |out, note| {
        print_note(out, note);
        if !is_there {
            output::note("no notes; --edit opens a new one");
        }
    })
}

fn print_note(out: &mut Output, note: &Note) {
    let kind = note.kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    let head = format!("{}{kind}", note.name);
    out.line(out.bold(&out.safe(&head)));
    let lists = [
        ("also called", &note.aliases),
        ("merged", &note.merged),
        ("not the same as", &note.distinct_from),
        ("accepted", &note.accept),
        ("rejected", &note.reject),
    ];
    for (what, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        out.line(format_args!("{what}: {}", out.safe(&list.join(", "))));
    }
    if note.hidden {
        out.line("hidden");
    }
    if !note.notes.trim().is_empty() {
        out.line(format_args!("\n{}", out.safe(note.notes.trim_matches('\n'))));
    }
}

fn edit_notes(context: &mut Context, mut session: Session, subject: &Subject, note: Option<&EntityNote>) -> Outcome {
    if !editor::is_named(context) && !io::stdin().is_terminal() {
        return Err(Report::usage("needs a terminal").hint("set EDITOR").into());
    }
    let before = note.map_or("", |note| note.notes.as_str());
    let written = editor::edit(context, "note", before)?;
    if written.text() == before {
        output::note("no changes");
    } else {
        let log = log(context, &session);
        let (name, base, text) = (subject.to_string(), before.to_owned(), written.text().to_owned());
        let kept = session.curate(&Curating::Note { name, base, text }, Some(&log));
        kept.map_err(|error| written.kept(Failure::from(error)))?;
    }
    written.done();
    Ok(Done::Done)
}
