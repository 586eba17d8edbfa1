//! The loss report of an import on stderr, with repeated warnings grouped.

use std::collections::{BTreeMap, btree_map::Entry};

use super::output::{self, counted};
use crate::{
    journal::{
        EntryId,
        exchange::{Imported, Loss, LossKind},
    },
    sanitize::escaped,
};

/// Maximum number of places listed per group.
const PLACES: usize = 8;
/// Maximum number of ids listed.
const IDS: usize = 3;

/// Prints the losses of an import. Unless `verbose`, warnings that differ only in quoted words and numbers are grouped
/// into one line.
pub fn report(imported: &Imported, verbose: bool) {
    if verbose {
        imported.losses.iter().for_each(output::warn);
    } else {
        grouped(&imported.losses).iter().for_each(output::warn);
    }
    for (field, times) in &imported.not_kept {
        output::note(format_args!("`{field}` is not kept ({})", counted(*times, "time", "times")));
    }
}

/// Prints the entries that are in the journal with another text.
pub fn report_differing(ids: &[EntryId], verbose: bool) {
    let listed = if verbose { ids.len() } else { IDS.min(ids.len()) };
    for id in &ids[..listed] {
        output::warn(format_args!("{} exists with another text: kept", escaped(id.as_str())));
    }
    if ids.len() > listed {
        output::warn(format_args!("the same for {} more; list them with --verbose", ids.len() - listed));
    }
    if !ids.is_empty() {
        output::note("to take a new text, run `kioku rm ID` and import again");
    }
}

fn grouped(losses: &[Loss]) -> Vec<String> {
    let mut groups: Vec<(&Loss, Vec<&Loss>)> = Vec::new();
    let mut known: BTreeMap<(LossKind, String), usize> = BTreeMap::new();
    for loss in losses {
        match known.entry((loss.kind, template(&loss.message))) {
            Entry::Occupied(at) => groups[*at.get()].1.push(loss),
            Entry::Vacant(free) => {
                free.insert(groups.len());
                groups.push((loss, Vec::new()));
            }
        }
    }
    groups.into_iter().map(|(first, others)| loss_line(first, &others)).collect()
}

fn loss_line(first: &Loss, others: &[&Loss]) -> String {
    if others.is_empty() {
        return first.to_string();
    }
    let one_file = others.iter().all(|loss| loss.path == first.path);
    let quoted = |loss: &Loss| loss.message.split('"').nth(1).map(|name| format!(" \"{name}\"")).unwrap_or_default();
    let mut places: Vec<String> = if !one_file {
        others.iter().map(|loss| format!("{}:{}{}", loss.path.display(), loss.line, quoted(loss))).collect()
    } else if others.iter().any(|loss| quoted(loss) != quoted(first)) {
        others.iter().map(|loss| format!("{}{}", loss.line, quoted(loss))).collect()
    } else {
        ranges(others.iter().map(|loss| loss.line))
    };
    if places.len() > PLACES {
        places.truncate(PLACES);
        places.push("…".to_owned());
    }
    let what = if one_file {
        counted(others.len(), "more line", "more lines")
    } else {
        counted(others.len(), "more place", "more places")
    };
    format!("{first}; the same in {what}: {}", places.join(", "))
}

/// Formats line numbers as ranges: `4-502`, `510`.
fn ranges(lines: impl Iterator<Item = usize>) -> Vec<String> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if line == *last + 1 => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let spelled = |(first, last)| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    ranges.into_iter().map(spelled).collect()
}

/// The message without the parts that vary, quoted words and numbers; the key of a group.
fn template(message: &str) -> String {
    let mut template = String::with_capacity(message.len());
    let mut quoted = false;
    for c in message.chars() {
        if c == '"' {
            quoted = !quoted;
            template.push('"');
        } else if !quoted && !c.is_ascii_digit() {
            template.push(c);
        }
    }
    template
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(path: &str, line: usize, message: &str) -> Loss {
        Loss { kind: LossKind::Skipped, path: path.into(), line, message: message.to_owned() }
    }

    #[test]
    fn what_repeats_is_told_once_with_its_lines() {
        let mut losses = vec![loss("a", 1, "no \"time\"")];
        losses.extend(
            (2..=503).filter(|line| *line != 9).map(|line| loss("a", line, &format!("not JSON: column {line}"))),
        );
        losses.push(loss("a", 600, "\"yesterday\" is no time"));
        losses.push(loss("b", 1, "\"tomorrow\" is no time"));
        assert_eq!(
            grouped(&losses),
            [
                "a:1: left out: no \"time\"",
                "a:2: left out: not JSON: column 2; the same in 500 more lines: 3-8, 10-503",
                "a:600: left out: \"yesterday\" is no time; the same in 1 more place: b:1 \"tomorrow\"",
            ]
        );
    }
}
