//! Export as a jrnl text file, which jrnl and `kioku import jrnl` read.
//!
//! jrnl has no place for moods, ids and zones: times are those on the writer's clock. Tags that are not in a text are
//! added as its last line.

use std::io::{self, Write};

use super::Exporter;
use crate::journal::Entry;

pub(super) const EXPORTER: Exporter =
    Exporter { extension: "txt", ..Exporter::new("jrnl", "a jrnl text file: times, texts, tags and stars", document) };

fn document(entries: &[Entry], out: &mut dyn Write) -> io::Result<()> {
    for entry in entries {
        let body = entry.body.trim_matches(['\n', ' ']);
        let (title, rest) = body.split_once('\n').map_or((body, None), |(title, rest)| (title, Some(rest)));
        let star = if entry.starred() { " *" } else { "" };
        writeln!(out, "[{}] {}{star}", entry.time.local().strftime("%F %T"), title.trim_end())?;
        for line in rest.unwrap_or_default().lines() {
            // In jrnl, a bracket at the start of a line may begin the next entry.
            let indent = if line.starts_with('[') && line.contains("] ") { " " } else { "" };
            writeln!(out, "{indent}{line}")?;
        }
        let text = entry.body.to_lowercase();
        let tags: Vec<String> =
            entry.tags.iter().map(|tag| tag.replace(char::is_whitespace, "-").to_lowercase()).collect();
        let is_in_text = |tag: &&String| ['#', '@'].iter().any(|sign| text.contains(&format!("{sign}{tag}")));
        let missing: Vec<String> = tags.iter().filter(|tag| !is_in_text(tag)).map(|tag| format!("#{tag}")).collect();
        if !missing.is_empty() {
            writeln!(out, "{}", missing.join(" "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
