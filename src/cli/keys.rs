//! `kioku keys`: the keys of the screens, from the same tables that the screens use.

use clap::Args;

use super::{Context, Outcome, Output, Run, output};
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
    /// Only this part, such as journal or search
    #[arg(value_name = "PART")]
    part: Option<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
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
        context.answer_list("keys", &rows, self.json, print_keys)
    }
}

fn print_keys(out: &mut Output, keys: &[KeyRow]) {
    let longest = |of: fn(&KeyRow) -> String| keys.iter().map(|row| of(row).chars().count()).max().unwrap_or(0);
    let (wide, wider) = (longest(|row| row.keys.join(" ")), longest(|row| row.help.to_owned()));
    for (nth, part) in keys.chunk_by(|one, next| one.context == next.context).enumerate() {
        if nth > 0 {
            out.line("");
        }
        out.line(out.bold(part[0].context));
        for KeyRow { command, keys, help, .. } in part {
            out.line(format_args!("  {:<wide$}  {help:<wider$}  {}", keys.join(" "), out.dim(command)));
        }
    }
    if keys.iter().any(|row| row.context == "journal") {
        out.line("");
        out.line(out.bold("text, while writing"));
        tui::EDITOR_KEYS.iter().for_each(|(keys, help)| out.line(format_args!("  {keys:<22} {help}")));
    }
}
