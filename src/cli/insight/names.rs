//! `entities`, `related`, `explain`.

use clap::Args;
use unicode_width::UnicodeWidthStr;

use super::{Context, Done, Outcome, Run, json, json_list, near, plain, quote, read, search};
use crate::insight::{Basis, connect::Hop, names::Neighbour};

/// List people, places and things, most mentioned first
#[derive(Debug, Args)]
pub struct Entities {
    /// Only this kind: person, place, event, emotion, topic, product, organization
    #[arg(long)]
    kind: Option<String>,
    /// Only the first N
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Entities {
    fn run(self, context: &mut Context) -> Outcome {
        let kind = self.kind.as_deref().map(search::kind).transpose()?;
        let mut session = context.reading_session()?;
        let mut entities = session.entities(kind)?;
        read::tell(&mut session);
        entities.truncate(self.limit.unwrap_or(usize::MAX));
        let out = &mut context.out;
        if self.json {
            json_list(out, "entities", &entities)?;
        } else {
            let widest = entities.iter().map(|entity| entity.name.width()).max().unwrap_or(0).min(36);
            for entity in &entities {
                let name = plain(out, &entity.name);
                let gap = " ".repeat(widest.saturating_sub(name.width()) + 2);
                let counts = format!("{:>5} on {:>4} days", entity.mentions, entity.days);
                let seen = format!("{} to {}", entity.first_seen, entity.last_seen);
                out.line(format_args!("{:<13} {name}{gap}{counts}  {seen}", entity.kind.word()))?;
            }
        }
        Ok(if entities.is_empty() { Done::NothingMatched } else { Done::Done })
    }
}

/// List the names related to a name, closest first
#[derive(Debug, Args)]
pub struct RelatedVerb {
    /// A person, place, thing or feeling of the journal
    #[arg(required = true)]
    name: Vec<String>,
    /// Over how many others at most
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
        read::tell(&mut session);
        if answer.entity.is_none() {
            near(&mut session, &name)?;
        }
        let out = &mut context.out;
        if self.json {
            json(out, &answer)?;
        } else if let Some(entity) = &answer.entity {
            let name = plain(out, &entity.name);
            let days = format!("{} days, {} to {}", entity.days, entity.first_seen, entity.last_seen);
            out.line(format_args!("{name}  {}, {days}; {} connected", entity.kind.word(), answer.connected_count))?;
            for neighbour in &answer.related {
                out.line("")?;
                let name = plain(out, &neighbour.name);
                out.line(format_args!(
                    "{:.2}  {name}  {}  {}",
                    neighbour.closeness,
                    neighbour.kind.word(),
                    how(neighbour)
                ))?;
                if let Some(evidence) = &neighbour.evidence {
                    quote(out, 6, evidence)?;
                }
            }
        }
        Ok(if answer.related.is_empty() { Done::NothingMatched } else { Done::Done })
    }
}

/// `stated 2, together on 5 days`, `over Khoa: together on 3 days`.
fn how(neighbour: &Neighbour) -> String {
    let together = format!("together on {}", days(neighbour.together));
    let how = match neighbour.basis {
        Basis::Stated => format!("stated {}, {together}", neighbour.stated),
        Basis::Inferred => together,
    };
    if neighbour.via.is_empty() { how } else { format!("over {}: {how}", neighbour.via.join(", ")) }
}

fn days(count: usize) -> String {
    if count == 1 { "1 day".to_owned() } else { format!("{count} days") }
}

/// Show how two names are connected, with quotes
#[derive(Debug, Args)]
pub struct Explain {
    /// A person, place, thing or feeling; a name of several words in quotes
    a: String,
    /// Another
    b: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Run for Explain {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.reading_session()?;
        let answer = session.connect(&self.a, &self.b)?;
        read::tell(&mut session);
        for name in &answer.unknown {
            near(&mut session, name)?;
        }
        let out = &mut context.out;
        if self.json {
            json(out, &answer)?;
        } else {
            let (from, to) = (plain(out, &answer.from), plain(out, &answer.to));
            if !answer.connected {
                out.line(format_args!("{from} and {to} are not connected"))?;
            }
            for (place, path) in answer.paths.iter().enumerate() {
                if place > 0 {
                    out.line("")?;
                }
                for hop in &path.hops {
                    let line = plain(out, &told(hop));
                    out.line(line)?;
                    if let Some(evidence) = &hop.evidence {
                        quote(out, 4, evidence)?;
                    }
                }
            }
        }
        Ok(if answer.connected { Done::Done } else { Done::NothingMatched })
    }
}

/// `Khoa -> stressed  causal (trigger), stated 2`, `Khoa -- Heron  together on 12 days`.
fn told(hop: &Hop) -> String {
    match hop.basis {
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
