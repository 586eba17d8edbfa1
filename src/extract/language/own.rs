//! Merge of the user's word list with the built-in one.
//!
//! A user's file has the format of the built-in one of the same name, with the same `[sections]`. Its words are added;
//! in lists of lines `name: word, word` the user's line replaces the built-in one. `- word, word` removes words: from
//! its section, or from the whole list before the first section. An invalid line is skipped and reported.

use std::{collections::HashSet, fmt, path::PathBuf};

use super::{List, Section, sections};
use crate::{
    extract::{fold_case, lexicon::verb},
    journal::WordListFile,
};

/// An invalid line or file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    path: PathBuf,
    /// From 1; `None` for the whole file.
    line: Option<usize>,
    message: String,
}

impl Fault {
    pub(super) fn new(list: &WordListFile, line: Option<usize>, message: String) -> Self {
        Self { path: list.path.clone(), line, message }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path.display(), self.message),
            None => write!(f, "{}: {}", self.path.display(), self.message),
        }
    }
}

/// Why a file is not used.
pub(super) fn unknown(name: &str) -> String {
    let open = List::ALL.iter().filter(|list| list.is_open()).map(|list| list.name());
    match List::named(name) {
        Some(_) => "this list comes with the program only, and cannot be changed".to_owned(),
        None => format!("no list has this name; there are {}", open.collect::<Vec<_>>().join(", ")),
    }
}

/// Format of the lines of a section, inferred from the built-in ones.
struct Form<'a> {
    /// `name: word, word`.
    named: bool,
    /// The name is a number.
    weighted: bool,
    /// Comma-separated, so that an item can have several words.
    commas: bool,
    example: &'a str,
}

impl<'a> Form<'a> {
    fn of(lines: &[(usize, &'a str)]) -> Self {
        let all = |is: fn(&str) -> bool| !lines.is_empty() && lines.iter().all(|(_, line)| is(line));
        Self {
            named: all(|line| line.contains(':')),
            weighted: all(|line| weight(line).is_some()),
            commas: lines.iter().any(|(_, line)| line.contains([',', ':'])),
            example: lines.first().map_or("", |(_, line)| line),
        }
    }

    /// The reason why a user's line is invalid here.
    fn fault(&self, list: List, line: &str) -> Option<String> {
        let as_in = || match self.example.char_indices().nth(60) {
            Some((at, _)) => format!("{} ...", &self.example[..at]),
            None => self.example.to_owned(),
        };
        match list {
            _ if line.contains(['[', ']']) => Some("a section stands in brackets alone on its line".to_owned()),
            List::Verbs if verb(line).is_none() => Some(format!("no verb as in `{}`", as_in())),
            List::SameFeeling if !line.contains(',') => Some("expected two or more words between commas".to_owned()),
            _ if self.weighted && weight(line).is_none_or(|weight| !(-1.0..=1.0).contains(&weight)) => {
                Some(format!("expected a number from -1 to 1, a colon and words, as in `{}`", as_in()))
            }
            _ if self.named && (!line.contains(':') || items(line, true).is_empty()) => {
                Some(format!("expected a name, a colon and words, as in `{}`", as_in()))
            }
            _ if !self.named && line.contains(':') => {
                Some(format!("expected words without a colon, as in `{}`", as_in()))
            }
            _ => None,
        }
    }

    /// Converts a line to the format that the list's parser expects: in lower case, with a comma after an item of
    /// several words, without commas in a section of space-separated words.
    fn written(&self, line: &str) -> String {
        match (self.named, self.commas) {
            (true, _) => format!("{line}\n"),
            (false, true) => format!("{},\n", fold_case(line).trim_end_matches(',')),
            (false, false) => format!("{}\n", fold_case(line).replace(',', " ")),
        }
    }
}

fn weight(line: &str) -> Option<f32> {
    line.split_once(':')?.0.trim().parse().ok().filter(|weight: &f32| weight.is_finite())
}

/// The words after the name of a line, without marks (`~down`, `love*`).
fn items(line: &str, commas: bool) -> Vec<&str> {
    let words = line.split_once(':').map_or(line, |(_, words)| words);
    let split: Vec<&str> = if commas { words.split(',').collect() } else { words.split_whitespace().collect() };
    split.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect()
}

fn bare(item: &str) -> String {
    fold_case(item.trim_matches(['~', '*', '(', ')']).trim())
}

/// A line without some of its words; `None` if none is left. The first word of a verb's line is the verb.
fn without(list: List, line: &str, commas: bool, taken: &HashSet<String>) -> Option<String> {
    if list == List::Verbs {
        let verb = line.split_whitespace().next().unwrap_or_default();
        return (!taken.contains(&bare(verb))).then(|| line.to_owned());
    }
    let kept: Vec<&str> = items(line, commas).into_iter().filter(|item| !taken.contains(&bare(item))).collect();
    let words = kept.join(if commas { ", " } else { " " });
    match line.split_once(':') {
        _ if kept.is_empty() => None,
        Some((name, _)) => Some(format!("{name}: {words}")),
        // A comma after the last word marks the line as comma-separated.
        None => Some(if commas { format!("{words},") } else { words }),
    }
}

/// What the user removes from a section, and which lines the user replaces. An invalid line removes nothing.
fn taken(form: &Form<'_>, list: List, own: &[Section<'_>], known: &[Section<'_>], name: &str) -> HashSet<String> {
    let mut taken = HashSet::new();
    for here in own {
        let Some(section) = known.iter().find(|section| section.name == here.name) else { continue };
        let written = Form::of(&section.lines);
        for (_, line) in &here.lines {
            match line.strip_prefix("- ") {
                Some(words) if here.name == name || here.name.is_empty() => {
                    taken.extend(items(words, form.commas).into_iter().map(bare));
                    taken.insert(bare(words));
                }
                None if written.fault(list, line).is_some() => {}
                None if list == List::Verbs => taken.extend(line.split_whitespace().next().map(bare)),
                None if form.named && line.contains(':') => taken.extend(items(line, true).into_iter().map(bare)),
                _ => {}
            }
        }
    }
    taken
}

/// The merged list, and the faults of the user's list: line numbers from 1, and reasons.
pub(super) fn join(list: List, own: &str) -> (String, Vec<(usize, String)>) {
    let own = sections(own);
    let known = sections(list.built_in());
    let mut faults = Vec::new();
    let mut joined = String::new();
    for section in &known {
        let form = Form::of(&section.lines);
        if !section.name.is_empty() {
            joined.push_str(&format!("[{}]\n", section.name));
        }
        // The user's lines first: for a word in two lines, parsers use the first.
        for here in own.iter().filter(|here| here.name == section.name) {
            for (number, line) in here.lines.iter().filter(|(_, line)| !line.starts_with("- ")) {
                match form.fault(list, line) {
                    _ if section.lines.is_empty() => faults.push((*number, outside(&known))),
                    Some(fault) => faults.push((*number, fault)),
                    None => joined.push_str(&form.written(line)),
                }
            }
        }
        let taken = taken(&form, list, &own, &known, section.name);
        for (_, line) in &section.lines {
            match taken.is_empty() {
                true => joined.push_str(&format!("{line}\n")),
                false => joined.extend(without(list, line, form.commas, &taken).map(|line| line + "\n")),
            }
        }
    }
    for stray in own.iter().filter(|here| known.iter().all(|section| section.name != here.name)) {
        let at = stray.lines.first().map_or(1, |(number, _)| *number);
        faults.push((at, format!("no section has the name [{}]; {}", stray.name, there_are(&known))));
    }
    faults.sort();
    (joined, faults)
}

fn outside(known: &[Section<'_>]) -> String {
    format!("words of this list stand in a section; {}", there_are(known))
}

fn there_are(known: &[Section<'_>]) -> String {
    let names: Vec<String> =
        known.iter().filter(|section| !section.name.is_empty()).map(|section| format!("[{}]", section.name)).collect();
    if names.is_empty() { "this list has none".to_owned() } else { format!("there are {}", names.join(", ")) }
}

/// Number of words and phrases of a list.
pub(super) fn count(list: List, text: &str) -> usize {
    let words = |section: &Section<'_>| match list {
        List::Verbs => section.lines.len(),
        _ => {
            let commas = Form::of(&section.lines).commas;
            section.lines.iter().map(|(_, line)| items(line, commas).len()).sum()
        }
    };
    sections(text).iter().map(words).sum()
}

/// Every word with its section, as parsed.
#[cfg(test)]
pub(super) fn sections_and_words(text: &str) -> Vec<(String, String)> {
    let words = |section: &Section<'_>| {
        let commas = Form::of(&section.lines).commas;
        let words = section.lines.iter().flat_map(move |(_, line)| items(line, commas));
        words.map(|word| (section.name.to_owned(), word.to_owned())).collect::<Vec<_>>()
    };
    sections(text).iter().flat_map(words).collect()
}
