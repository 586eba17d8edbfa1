//! `kioku help`: the help of a command, and the pages of the manual.

use clap::{Args, Command};

use super::{Context, Done, Outcome, Run};
use crate::report::Report;

/// The pages of the manual: topic, summary, text.
const PAGES: &[(&str, &str, &str)] = &[
    ("screens", "what each screen shows", include_str!("../../assets/manual/screens.md")),
    ("keys", "keys, and how to change them", include_str!("../../assets/manual/keys.md")),
    ("search", "query syntax, ranking, saved searches", include_str!("../../assets/manual/search.md")),
    ("why", "causes and connections, and how sure they are", include_str!("../../assets/manual/why.md")),
    ("names", "people and things, and how to correct them", include_str!("../../assets/manual/names.md")),
    ("records", "goals, lists, facts, claims and coding agents", include_str!("../../assets/manual/records.md")),
    ("files", "files and folders, the format of an entry, backup", include_str!("../../assets/manual/files.md")),
    ("sync", "git, sync programs, several machines", include_str!("../../assets/manual/sync.md")),
    ("import", "import and export", include_str!("../../assets/manual/import.md")),
    ("json", "JSON output and exit codes, for scripts", include_str!("../../assets/manual/json.md")),
    ("agents", "agents: MCP server, context, graph queries", include_str!("../../assets/manual/agents.md")),
    ("config", "the configuration file", include_str!("../../assets/manual/config.md")),
    ("models", "the embedding models of search by meaning", include_str!("../../assets/manual/models.md")),
    ("llm", "the optional language model", include_str!("../../assets/manual/llm.md")),
    ("privacy", "what is stored, sent and deleted", include_str!("../../assets/manual/privacy.md")),
];

/// Print the help of a command, or a page of the manual
#[derive(Debug, Args)]
pub struct Help {
    /// A command, such as `add` or `entity merge`, or a topic, such as `files`
    #[arg(value_name = "COMMAND|TOPIC")]
    names: Vec<String>,
}

impl Run for Help {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        let mut command = (context.commands)();
        command.build();
        let text = page(&mut command, &self.names)?;
        context.out.bytes(text.as_bytes());
        Ok(Done::Done)
    }
}

/// The list of topics that ends `kioku --help`.
pub fn topics() -> String {
    let mut text = "Topics (kioku help TOPIC):".to_owned();
    for (topic, subject, _) in PAGES {
        text.push_str(&format!("\n  {topic:<11}  {subject}"));
    }
    text
}

/// The topics of the manual with their summaries.
pub fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGES.iter().map(|(topic, subject, _)| (*topic, *subject))
}

/// The help of the command that `names` select, and the manual page of that name, if any.
fn page(command: &mut Command, names: &[String]) -> Result<String, Report> {
    let page = match names {
        [topic] => PAGES.iter().find(|(known, ..)| known == topic).map(|(_, _, page)| *page),
        _ => None,
    };
    match (subcommand(command, names), page) {
        (Some(command), Some(page)) => Ok(format!("{}\n{page}", command.render_long_help())),
        (Some(command), None) => Ok(command.render_long_help().to_string()),
        (None, Some(page)) => Ok(page.to_owned()),
        (None, None) => {
            let topics: Vec<&str> = PAGES.iter().map(|(topic, ..)| *topic).collect();
            let asked = names.join(" ").to_lowercase();
            let mut report = Report::usage(format!("no command and no topic `{asked}`"));
            let heads = |text: &str| text.to_lowercase().contains(&format!("\n## {asked}"));
            if let Some((topic, subject, _)) = PAGES.iter().find(|page| page.1.contains(&asked) || heads(page.2)) {
                report = report.hint(format!("`kioku help {topic}`: {subject}"));
            }
            Err(report.hint(format!("topics: {}", topics.join(", "))).hint("commands: `kioku --help`"))
        }
    }
}

fn subcommand<'c>(command: &'c mut Command, names: &[String]) -> Option<&'c mut Command> {
    names.iter().try_fold(command, |command, name| command.find_subcommand_mut(name))
}

#[cfg(test)]
mod tests;
