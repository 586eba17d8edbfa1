//! One turn of an agent: the files and commands of its tool uses, and its outcome.

use super::{event::cut, queue::Job};

/// Maximum number of files or commands named of one turn; the rest is counted.
const MOST_NAMED: usize = 12;
/// Maximum length of an outcome in bytes.
const LONGEST_OUTCOME: usize = 2_000;
/// Tools that change a file: of Claude Code, of Codex, and of Gemini CLI.
const EDITORS: [&str; 7] = ["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch", "write_file", "replace"];

/// The text of a turn; empty if nothing is known of it. The same file or command is named once.
pub fn text(tools: &[Job], outcome: Option<&str>) -> String {
    let (mut changed, mut read, mut ran, mut used) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for job in tools {
        let event = &job.event;
        let tool = event.tool.as_deref().unwrap_or("tool");
        match (&event.file, &event.command) {
            (Some(file), _) if EDITORS.contains(&tool) => fold(&mut changed, file),
            (Some(file), _) => fold(&mut read, file),
            (None, Some(command)) => fold(&mut ran, command),
            (None, None) => fold(&mut used, tool),
        }
    }
    let lines = [("Changed", changed), ("Read", read), ("Ran", ran), ("Used", used)];
    let lines =
        lines.into_iter().filter(|(_, names)| !names.is_empty()).map(|(what, names)| line(what, &names, MOST_NAMED));
    let outcome = outcome.map(shortened).filter(|outcome| !outcome.is_empty());
    let lines: Vec<String> = lines.collect();
    let body = outcome.into_iter().chain((!lines.is_empty()).then(|| lines.join("\n")));
    body.collect::<Vec<_>>().join("\n\n")
}

fn fold<'j>(names: &mut Vec<&'j str>, name: &'j str) {
    if !names.contains(&name) {
        names.push(name);
    }
}

/// ``Changed: `src/a.rs`, `src/b.rs` and 3 more``.
pub(super) fn line(what: &str, names: &[&str], most: usize) -> String {
    let named: Vec<String> = names.iter().take(most).map(|name| format!("`{}`", name.replace('`', "'"))).collect();
    let more = names.len().saturating_sub(most);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{what}: {}{more}", named.join(", "))
}

/// The beginning of an outcome, to the end of a line or sentence.
fn shortened(outcome: &str) -> String {
    let outcome = outcome.trim();
    if outcome.len() <= LONGEST_OUTCOME {
        return outcome.to_owned();
    }
    let kept = cut(outcome, LONGEST_OUTCOME);
    let end = kept.rfind('\n').into_iter().chain(kept.rfind(". ").map(|at| at + 1)).max().unwrap_or(kept.len());
    format!("{} …", kept[..end].trim_end())
}

/// The files that a turn's text says were changed.
pub fn changed_files(body: &str) -> impl Iterator<Item = &str> {
    let line = body.lines().find_map(|line| line.strip_prefix("Changed: ")).unwrap_or_default();
    line.split('`').skip(1).step_by(2)
}

/// What a turn's text says of its outcome.
pub fn outcome(body: &str) -> &str {
    let starts = ["Changed: `", "Read: `", "Ran: `", "Used: `"];
    let is_tools = |line: &&str| starts.iter().any(|start| line.starts_with(start));
    let lines = body.split_inclusive('\n').take_while(|line| !is_tools(line));
    body[..lines.map(str::len).sum()].trim()
}
