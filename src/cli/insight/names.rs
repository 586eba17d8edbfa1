//! `entities`, `related`, `explain`.

use clap::Args;
use unicode_width::UnicodeWidthStr;

use super::{Context, Outcome, Output, Run, context, near, plain, quotes};
use crate::{
    cli::counted,
    insight::{
        Basis,
        connect::{Connection, Hop},
        names::{Known, Neighbour, Related},
    },
    journal::EntityKind,
};

/// List people, places and things, most mentioned first
#[derive(Debug, Args)]
pub struct Entities {
    /// Only this kind
    #[arg(long, value_enum, ignore_case = true)]
    kind: Option<EntityKind>,
    /// Only the first N
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Entities {
    fn run(self, context: &mut Context) -> Outcome {
        let mut entities = context.ask(|session| session.entities(self.kind))?;
        entities.truncate(self.limit.unwrap_or(usize::MAX));
        context.answer_list("entities", &entities, self.json, print_entities)
    }
}

fn print_entities(out: &mut Output, entities: &[Known]) {
    let widest = entities.iter().map(|entity| entity.name.width()).max().unwrap_or(0).min(36);
    for entity in entities {
        let name = plain(out, &entity.name);
        let gap = " ".repeat(widest.saturating_sub(name.width()) + 2);
        let word = if entity.days == 1 { "day " } else { "days" };
        let counts = format!("{:>5} on {:>4} {word}", entity.mentions, entity.days);
        let seen = format!("{} to {}", entity.first_seen, entity.last_seen);
        out.line(format_args!("{:<13} {name}{gap}{counts}  {seen}", entity.kind.word()));
    }
}

/// List the names related to a name, closest first
#[derive(Debug, Args)]
pub struct RelatedVerb {
    /// A person, place, thing or feeling of the journal
    #[arg(required = true)]
    name: Vec<String>,
    /// Maximum number of links to the name
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=4))]
    hops: u8,
    /// At most N names
    #[arg(long, short = 'n', value_name = "N", default_value = "10")]
    limit: usize,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for RelatedVerb {
    fn run(self, context: &mut Context) -> Outcome {
        let name = self.name.join(" ");
        let mut session = context.reading_session()?;
        let answer = session.related(&name, self.hops, self.limit)?;
        context::print_warnings(&mut session);
        if answer.entity.is_none() {
            near(&mut session, &name)?;
        }
        context.answer_query(!answer.related.is_empty(), &answer, self.json, print_related)
    }
}

fn print_related(out: &mut Output, answer: &Related) {
    let Some(entity) = &answer.entity else { return };
    let name = plain(out, &entity.name);
    let days = format!("{}, {} to {}", days(entity.days as usize), entity.first_seen, entity.last_seen);
    out.line(format_args!("{name}  {}, {days}; {} connected", entity.kind.word(), answer.connected_count));
    for neighbour in &answer.related {
        let (name, kind, how) = (plain(out, &neighbour.name), neighbour.kind.word(), how(neighbour));
        out.line("");
        out.line(format_args!("{:.2}  {name}  {kind}  {how}", neighbour.closeness));
        quotes(out, 6, &neighbour.evidence);
    }
}

/// Formats the connection: `stated 2, together on 5 days`, `over Khoa: together on 3 days`.
fn how(neighbour: &Neighbour) -> String {
    let together = format!("together on {}", days(neighbour.together));
    let how = match neighbour.basis {
        Basis::Stated => format!("stated {}, {together}", neighbour.stated),
        Basis::Inferred => together,
    };
    if neighbour.via.is_empty() { how } else { format!("over {}: {how}", neighbour.via.join(", ")) }
}

fn days(count: usize) -> String {
    counted(count, "day", "days")
}

/// Show how two names or two records are connected, with quotes
#[derive(Debug, Args)]
pub struct Explain {
    /// A person, place, thing or feeling; a name of several words in quotes; a record by its id
    a: String,
    /// Another name or record
    b: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Explain {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let answer = session.connect(&self.a, &self.b)?;
        context::print_warnings(&mut session);
        for name in &answer.unknown {
            near(&mut session, name)?;
        }
        context.answer_query(answer.connected, &answer, self.json, print_connection)
    }
}

fn print_connection(out: &mut Output, answer: &Connection) {
    let (from, to) = (plain(out, &answer.from), plain(out, &answer.to));
    if !answer.connected && answer.unknown.is_empty() {
        out.line(format_args!("{from} and {to} are not connected"));
    }
    for (place, path) in answer.paths.iter().enumerate() {
        if place > 0 {
            out.line("");
        }
        for hop in &path.hops {
            out.line(plain(out, &hop_line(hop)));
            quotes(out, 4, &hop.evidence);
        }
    }
}

/// Formats a link: `Khoa -> stressed  causal (trigger), stated 2`, `Khoa -- Heron  together on 12 days`,
/// `Tea wakes me -> Tea is harmless  contradicts` for records.
pub(super) fn hop_line(hop: &Hop) -> String {
    match hop.basis {
        Basis::Stated if hop.source_id.is_some() => format!("{} -> {}  {}", hop.source, hop.target, hop.kind),
        Basis::Stated => {
            let verb = hop.verb.as_deref().filter(|verb| *verb != hop.kind);
            let verb = verb.map_or_else(String::new, |verb| format!(" ({verb})"));
            let together =
                if hop.together > 1 { format!(", together on {}", days(hop.together)) } else { String::new() };
            format!("{} -> {}  {}{verb}, stated {}{together}", hop.source, hop.target, hop.kind, hop.n)
        }
        Basis::Inferred => format!("{} -- {}  together on {}", hop.source, hop.target, days(hop.n)),
    }
}
