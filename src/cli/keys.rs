//! `kioku keys`: the keys of the screens, from the tables that the screens themselves go by.

use clap::Args;
use serde::Serialize;

use super::{
    Context, Done, Outcome, Run,
    json::VERSION,
    output::{self, Set},
};
use crate::{
    report::Report,
    tui::{self, KeyRow},
};

/// List the keys of the screens, with your own changes
#[derive(Debug, Args)]
#[command(after_help = "The last column is the name for the configuration:
  [keys.journal]
  \"journal.new\" = [\"n\", \"alt-n\"]")]
pub struct Keys {
    /// Only of this part, such as journal or search
    #[arg(value_name = "PART")]
    part: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct KeysJson<'a> {
    v: u32,
    keys: Vec<KeyJson<'a>>,
}

/// One command of the screens.
#[derive(Debug, Serialize)]
struct KeyJson<'a> {
    part: &'a str,
    command: &'a str,
    keys: &'a [String],
    help: &'a str,
}

impl Run for Keys {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        let (mut rows, faults) = tui::key_table(&context.config.key_overrides());
        faults.iter().for_each(output::warn);
        if let Some(part) = &self.part {
            let mut parts: Vec<&str> = rows.iter().map(|row| row.context).collect();
            parts.dedup();
            if !parts.contains(&part.as_str()) {
                let known = format!("known: {}", parts.join(", "));
                return Err(Report::usage(format!("unknown part of the screens `{part}`"))
                    .nearest(part, parts, known)
                    .into());
            }
            rows.retain(|row| row.context == part);
        }
        if self.json {
            let keys = rows.iter().map(KeyJson::from).collect();
            context.out.json(&KeysJson { v: VERSION, keys })?;
            return Ok(Done::Done);
        }
        let mut part = "";
        for row in &rows {
            if row.context != part {
                if !part.is_empty() {
                    context.out.line("")?;
                }
                part = row.context;
                let heading = context.out.set(Set::Bold, part).into_owned();
                context.out.line(heading)?;
            }
            let name = context.out.set(Set::Dim, row.command).into_owned();
            context.out.line(format_args!("  {:<16} {:<48} {name}", row.keys.join(" "), row.help))?;
        }
        Ok(Done::Done)
    }
}

impl<'a> From<&'a KeyRow> for KeyJson<'a> {
    fn from(row: &'a KeyRow) -> Self {
        Self { part: row.context, command: row.command, keys: &row.keys, help: row.help }
    }
}
