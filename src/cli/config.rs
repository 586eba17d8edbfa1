//! `kioku config`: the configuration file, the values in use, and an example with every key.

use clap::Args;
use serde::Serialize;

use super::{
    Context, Done, Outcome, Run,
    json::VERSION,
    output::{self, Set},
};
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
  kioku config --example > ~/.config/kioku/config.toml"
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
struct ConfigJson {
    v: u32,
    path: String,
    exists: bool,
    settings: Vec<SettingJson>,
    /// Each with file and line.
    complaints: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SettingJson {
    key: String,
    /// `null`: not set.
    value: Option<toml::Value>,
    is_default: bool,
}

impl Run for ConfigVerb {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        if self.example {
            context.out.bytes(keys::example().as_bytes())?;
            return Ok(Done::Done);
        }
        let options = context.config.tui_options(&context.journal, &context.environment, context.plain, &context.state);
        let complaints = tui::faults(&options);
        let settings = context.config.settings();
        let path = &context.paths.config;
        if self.json {
            let settings = settings.into_iter().map(SettingJson::from).collect();
            let (path, exists) = (path.display().to_string(), path.exists());
            context.out.json(&ConfigJson { v: VERSION, path, exists, settings, complaints })?;
            return Ok(Done::Done);
        }
        // What the file's reader found is reported at the start of every command; themes and keys only here.
        complaints.iter().skip(context.config.complaints.len()).for_each(output::warn);
        let missing = if path.exists() { "" } else { " (no such file: the defaults apply)" };
        let heading = format!("# {}{missing}", path.display());
        context.out.line(context.out.set(Set::Bold, &heading).into_owned())?;
        let mut table = String::new();
        for setting in &settings {
            let (in_table, name) = split(&setting.key);
            if in_table != table {
                table = in_table.to_owned();
                context.out.line(format_args!("\n[{table}]"))?;
            }
            context.out.line(line(setting, name))?;
        }
        Ok(Done::Done)
    }
}

impl From<Setting> for SettingJson {
    fn from(setting: Setting) -> Self {
        Self { key: setting.key, value: setting.value, is_default: setting.is_default }
    }
}

/// The table of a key and its name in it. A quoted name has dots of its own.
fn split(key: &str) -> (&str, &str) {
    let end = key.find('"').unwrap_or(key.len());
    key[..end]
        .trim_end_matches('.')
        .rsplit_once('.')
        .filter(|_| end == key.len())
        .unwrap_or_else(|| if end == key.len() { ("", key) } else { (key[..end].trim_end_matches('.'), &key[end..]) })
}

fn line(setting: &Setting, name: &str) -> String {
    match &setting.value {
        None => format!("# {name} is not set: {}", setting.unset),
        Some(value) if setting.is_default => format!("{:<32} # default", format!("{name} = {value}")),
        Some(value) => format!("{name} = {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_split_into_table_and_name() {
        assert_eq!(split("mouse"), ("", "mouse"));
        assert_eq!(split("theme.roles.accent"), ("theme.roles", "accent"));
        assert_eq!(split("keys.journal.\"journal.new\""), ("keys.journal", "\"journal.new\""));
    }
}
