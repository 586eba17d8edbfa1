//! Plain technical English in names, module headers and screen texts: rejected names and phrases must not come back.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Names of modules and types that a newcomer cannot understand.
const NAMES: &[&str] = &[
    "desk",
    "veil",
    "inquiry",
    "company",
    "doubts",
    "comes_about",
    "voices",
    "survey",
    "unsettled",
    "ledger",
    "lane",
    "outbox",
    "stand",
    "saying",
    "chore",
    "deed",
    "asking",
    "kept",
    "settled",
    "held",
    "told",
];
/// Functions whose names a trait of tantivy or rmcp requires.
const REQUIRED: [&str; 3] = ["fn get_file_handle(", "fn get_info(", "fn get_prompt("];
/// Parts of a name that carry no meaning.
const VAGUE: &[&str] = &["manager", "handler", "helper", "util", "utils"];
/// A header is a noun phrase; with one of these words at the start it would be a clause.
const CLAUSES: &[&str] = &["What", "Who", "Whose", "How", "Where", "Whether", "Which", "That"];
/// Rejected phrases in screens, messages and manual pages.
const PHRASES: &[&str] = &[
    "it may never have been written down",
    "is surely about this",
    "One leg must stay on",
    "too few to say (over",
    "together / stated",
    "brings it back",
    "no longer or",
    "draft on offer",
    "was typed last",
    "was taken back",
    "Go on with",
    "The two are one",
    "The two are two",
    "Look at the files again",
    "shows every key",
    "the screens need a terminal",
    "a file that is not there yet",
    "may be one",
    "look closely",
    "by accident 1 in",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push((path.strip_prefix(root()).unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no .{ending} in {folder}");
    found
}

/// The names that a line declares, with their kind: `("fn", "append")`.
fn declared(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let words: Vec<&str> = line
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
        .collect();
    let kinds = ["fn", "struct", "enum", "trait", "mod", "type", "const", "static"];
    let pairs: Vec<(&str, &str)> = words.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.into_iter().filter(move |(kind, _)| kinds.contains(kind))
}

/// The problem with a declared name.
fn fault(kind: &str, name: &str) -> Option<&'static str> {
    let parts: Vec<String> = name.split('_').map(str::to_lowercase).collect();
    let is_module_or_type = matches!(kind, "mod" | "struct" | "enum" | "trait" | "type");
    if parts.iter().any(|part| VAGUE.contains(&part.as_str())) || VAGUE.iter().any(|vague| ends_as(name, vague)) {
        return Some("says nothing of what it does");
    }
    if kind == "fn" && parts.first().is_some_and(|part| part == "get") && parts.len() > 1 {
        return Some("a getter is named by what it returns");
    }
    (is_module_or_type && NAMES.contains(&name.to_lowercase().as_str())).then_some("has a standard term")
}

/// `KeyManager` ends in `manager`.
fn ends_as(name: &str, vague: &str) -> bool {
    name.to_lowercase().ends_with(vague) && name.chars().rev().nth(vague.len() - 1).is_some_and(char::is_uppercase)
}

#[test]
fn names_of_modules_types_and_functions_are_standard_terms() {
    let mut faults = Vec::new();
    for (path, text) in files("src", "rs") {
        for (number, line) in
            text.lines().enumerate().filter(|(_, line)| !REQUIRED.iter().any(|name| line.contains(name)))
        {
            let code = line.split("//").next().unwrap_or(line);
            for (kind, name) in declared(code) {
                if let Some(fault) = fault(kind, name) {
                    faults.push(format!("{}:{}: {kind} {name}: {fault}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    for (kind, name) in
        [("struct", "Desk"), ("fn", "get_entry"), ("mod", "ledger"), ("struct", "KeyManager"), ("fn", "path_util")]
    {
        assert!(fault(kind, name).is_some(), "{kind} {name}");
    }
    for (kind, name) in [("fn", "target"), ("struct", "Widget"), ("fn", "held"), ("struct", "Utility")] {
        assert!(fault(kind, name).is_none(), "{kind} {name}");
    }
}

#[test]
fn a_modules_header_is_a_noun_phrase() {
    let is_clause = |text: &str| {
        let first = text.split_whitespace().nth(1)?;
        text.starts_with("//!").then(|| CLAUSES.contains(&first)).filter(|clause| *clause)
    };
    let faults: Vec<String> = files("src", "rs")
        .into_iter()
        .filter(|(_, text)| is_clause(text).is_some())
        .map(|(path, text)| format!("{}: {}", path.display(), text.lines().next().unwrap_or_default()))
        .collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn screens_and_manual_use_none_of_the_phrases_given_up() {
    let texts = files("src", "rs").into_iter().chain(files("src", "snap")).chain(files("assets/manual", "md"));
    let texts = texts.chain([("README.md".into(), fs::read_to_string(root().join("README.md")).unwrap())]);
    let mut faults = Vec::new();
    for (path, text) in texts {
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for phrase in PHRASES.iter().filter(|phrase| line.contains(*phrase)) {
                faults.push(format!("{}:{}: \"{phrase}\"", path.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
