//! `kioku config`: the configuration file, the values in use, and an example with every key.

use clap::Args;
use serde::Serialize;

use super::{Context, Done, Outcome, Output, Run, output};
use crate::{
    config::keys::{self, Setting},
    tui,
};

/// Show the configuration in use, or an example with every key
#[derive(Debug, Args)]
#[command(
    after_help = "The values are printed as TOML. A line of a file that has no effect is reported with its number.

Examples:
  kioku config
  mkdir -p ~/.config/kioku && kioku config --example > ~/.config/kioku/config.toml"
)]
pub struct ConfigVerb {
    /// Print a commented file with every key and its default
    #[arg(long, conflicts_with = "json")]
    example: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct ConfigAnswer {
    path: String,
    exists: bool,
    settings: Vec<Setting>,
    /// Mistakes in the configuration, each with file and line.
    complaints: Vec<String>,
}

impl Run for ConfigVerb {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        if self.example {
            context.out.bytes(keys::example().as_bytes());
            return Ok(Done::Done);
        }
        let complaints = tui::faults(&context.tui_options());
        let settings = context.config.settings();
        let (path, known) = (&context.paths.config, context.config.complaints.len());
        let (path, exists) = (path.display().to_string(), path.exists());
        let answer = ConfigAnswer { path, exists, settings, complaints };
        context.answer(&answer, self.json, |out, answer| {
            // Every command reports the others at its start.
            answer.complaints.iter().skip(known).for_each(output::warn);
            print_config(out, answer);
        })
    }
}

fn print_config(out: &mut Output, answer: &ConfigAnswer) {
    let missing = if answer.exists { "" } else { " (no such file: the defaults apply)" };
    let heading = format!("# {}{missing}", answer.path);
    out.line(out.bold(&heading));
    let mut table = "";
    for setting in &answer.settings {
        if setting.table != table {
            table = &setting.table;
            out.line(format_args!("\n[{table}]"));
        }
        out.line(line(setting, setting.key[table.len()..].trim_start_matches('.')));
    }
}

fn line(setting: &Setting, name: &str) -> String {
    match &setting.value {
        None => format!("# {name} is not set: {}", setting.unset),
        Some(value) if setting.is_default => format!("{:<32} # default", format!("{name} = {value}")),
        Some(value) => format!("{name} = {value}"),
    }
}
