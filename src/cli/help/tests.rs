use std::{collections::BTreeSet, path::Path};

use clap::CommandFactory;

use super::*;
use crate::{
    cli::Cli,
    config::{Config, Environment, keys},
};

/// README and every page of the manual.
fn documents() -> Vec<(&'static str, &'static str)> {
    let pages = PAGES.iter().map(|(topic, _, text)| (*topic, *text));
    pages.chain([("README", include_str!("../../../README.md"))]).collect()
}

fn command() -> Command {
    let mut command = Cli::command();
    command.build();
    command
}

fn shown(names: &[&str]) -> Result<String, Report> {
    page(&mut command(), &names.iter().map(ToString::to_string).collect::<Vec<_>>())
}

/// The inline code spans and the lines of code blocks, each with the language of its block.
fn code(text: &str) -> Vec<(&str, &str)> {
    let mut spans = Vec::new();
    let mut block = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(_), Some(_)) => block = None,
            (Some(language), None) => block = Some(language),
            (None, Some(language)) => spans.push((language, line)),
            (None, None) => spans.extend(line.split('`').skip(1).step_by(2).map(|span| ("", span))),
        }
    }
    spans
}

fn has_flag(command: &Command, flag: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_long() == Some(flag))
}

fn any_has_flag(command: &Command, flag: &str) -> bool {
    has_flag(command, flag) || command.get_subcommands().any(|below| any_has_flag(below, flag))
}

/// The long flags in a line of code, without the comment after two spaces.
fn flags(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter_map(|word| word.strip_prefix("--")).filter(|flag| flag.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// The commands and flags in a code span that kioku does not have.
fn unknown(root: &Command, span: &str) -> Vec<String> {
    let mut unknown = Vec::new();
    if let Some(rest) = span.strip_prefix("kioku ") {
        let (line, remark) = rest.split_once("  ").unwrap_or((rest, ""));
        let mut at = root;
        // A text behind a time is an entry.
        let is_text = line.contains(": ") && line.split_whitespace().next().is_some_and(|word| word == "yesterday");
        for word in line.split_whitespace().filter(|_| !is_text) {
            match at.find_subcommand(word) {
                Some(below) => at = below,
                None => {
                    let is_name = at.has_subcommands() && word.starts_with(|c: char| c.is_ascii_lowercase());
                    if is_name {
                        unknown.push(format!("{} {word}", at.get_name()));
                    }
                    break;
                }
            }
        }
        unknown
            .extend(flags(line).filter(|flag| !has_flag(at, flag)).map(|flag| format!("{} --{flag}", at.get_name())));
        unknown.extend(flags(remark).filter(|flag| !has_flag(at, flag)).map(str::to_owned));
    } else if span.starts_with("--") {
        unknown.extend(flags(span).filter(|flag| !any_has_flag(root, flag)).map(|flag| format!("--{flag}")));
    }
    unknown
}

#[test]
fn every_page_of_the_manual_is_embedded_and_printed_by_its_topic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/manual");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, PAGES.iter().map(|(topic, ..)| (*topic).to_owned()).collect());
    for (topic, _, text) in PAGES {
        assert!(shown(&[topic]).unwrap().ends_with(text), "{topic}");
        assert!(topics().contains(topic));
    }
}

#[test]
fn help_of_a_command_is_that_of_its_flag_and_a_page_of_the_same_name_follows() {
    assert!(shown(&["add"]).unwrap().contains("Usage: kioku add"));
    assert!(shown(&["entity", "merge"]).unwrap().contains("Usage: kioku entity merge"));
    let search = shown(&["search"]).unwrap();
    assert!(search.contains("Usage: kioku search") && search.contains("# Search"));
    let alone = shown(&[]).unwrap();
    assert!(alone.contains("Commands:") && alone.contains("Topics"), "{alone}");
}

#[test]
fn an_unknown_topic_lists_the_topics_and_is_a_usage_error() {
    let report = shown(&["weather"]).unwrap_err();
    assert_eq!(report.exit_code(), 2);
    assert!(PAGES.iter().all(|(topic, ..)| report.hints[0].contains(topic)), "{report}");
    assert!(shown(&["files", "add"]).is_err());
    for (asked, page) in [("backup", "files"), ("Trash", "files")] {
        assert!(shown(&[asked]).unwrap_err().hints[0].starts_with(&format!("`kioku help {page}`")), "{asked}");
    }
}

#[test]
fn every_command_and_flag_in_the_documents_exists() {
    assert_eq!(unknown(&command(), "kioku yesterday 3pm: TEXT"), Vec::<String>::new());
    let root = command();
    assert_eq!(unknown(&root, "kioku serch --lmit 5"), ["kioku serch", "kioku --lmit"]);
    let mut seen = 0;
    for (name, text) in documents() {
        for (_, span) in code(text) {
            assert_eq!(unknown(&root, span), Vec::<String>::new(), "{name}: `{span}`");
            seen += usize::from(span.starts_with("kioku ") || span.starts_with("--"));
        }
    }
    assert!(seen > 80, "{seen}");
}

#[test]
fn every_configuration_key_in_the_documents_exists() {
    let mut names = keys::names("");
    names.extend(keys::KEYS.iter().map(|key| key.name));
    for (name, text) in documents() {
        for (_, span) in code(text).into_iter().filter(|(language, _)| language.is_empty()) {
            let key = span.split_once(" = ").map(|(key, _)| key).filter(|key| !key.contains(' '));
            assert!(key.is_none_or(|key| names.contains(&key)), "{name}: `{span}`");
        }
        // The blocks of one page form one file.
        let lines = code(text).into_iter().filter(|(language, _)| *language == "toml").map(|(_, line)| line);
        let mut block = String::new();
        for line in lines {
            block.push_str(line);
            block.push('\n');
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, block).unwrap();
        let config = Config::load(&path);
        let journal = config.journal(None, None);
        let options = config.tui_options(&journal, &Environment::default(), false, folder.path());
        let complaints: Vec<String> =
            crate::tui::faults(&options).into_iter().filter(|complaint| !complaint.contains("feature `llm`")).collect();
        assert_eq!(complaints, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn every_command_with_json_output_has_an_example() {
    fn with_json(command: &Command, path: &str, found: &mut Vec<String>) {
        for below in command.get_subcommands() {
            let path = format!("{path} {}", below.get_name());
            if has_flag(below, "json") || has_flag(below, "batch") {
                found.push(path.clone());
            }
            with_json(below, &path, found);
        }
    }
    let page = PAGES.iter().find(|(topic, ..)| *topic == "json").unwrap().2;
    let mut commands = Vec::new();
    with_json(&command(), "kioku", &mut commands);
    assert!(commands.len() > 20, "{commands:?}");
    // The page says which of the commands on records answer alike.
    commands.retain(|command| !command.starts_with("kioku record ") && !page.contains(&format!("`{command} ")));
    assert_eq!(commands, [""; 0], "no example");
}
