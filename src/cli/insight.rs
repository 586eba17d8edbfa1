//! Insight commands: entities, related, explain, why, reflect, review, stats, themes.
//!
//! Each prints the result of `crate::insight`, as JSON or as text of 80 columns.

mod days;
mod names;
mod why;

use unicode_width::UnicodeWidthStr;

use super::{Context, Failure, Outcome, Output, Run, arguments, context, output};
use crate::{
    insight::{Basis, Evidence},
    session::Session,
    tui::widgets::cells,
};

pub use self::{
    days::{ReflectVerb, ReviewVerb, StatsVerb, ThemesVerb},
    names::{Entities, Explain, RelatedVerb},
    why::WhyVerb,
};

const WIDTH: usize = 80;
/// Maximum number of lines of a quote.
const QUOTE_LINES: usize = 3;

/// Prints each as `2026-05-06  o4i5oh7qge` with the quote below it; `~` marks inferred evidence.
fn quotes<'e>(out: &mut Output, indent: usize, said: impl IntoIterator<Item = &'e Evidence>) {
    for evidence in said {
        quote_as(out, indent, if evidence.basis == Basis::Inferred { "~ " } else { "" }, evidence);
    }
}

/// Prints quotes that bear out no claim, if there are any.
fn passages(out: &mut Output, title: &str, passages: &[Evidence]) {
    section(out, title, passages, |out, evidence| quote_as(out, 2, "", evidence));
}

fn quote_as(out: &mut Output, indent: usize, basis: &str, evidence: &Evidence) {
    let day = evidence.time.get(..10).unwrap_or(&evidence.time);
    let id = evidence.id.as_str();
    // An entry without an id is named by its time.
    let day = if id.starts_with(&evidence.time) { String::new() } else { format!("{day}  ") };
    let id = out.dim(&out.id(id)).into_owned();
    let whole = format!("{basis}{}", evidence.quoted());
    let whole = out.safe(&whole).into_owned();
    out.line(format_args!("{:indent$}{day}{id}", ""));
    for line in wrapped(&whole, WIDTH - indent - 2) {
        out.line(format_args!("{:indent$}  {line}", ""));
    }
}

/// Wraps a text at `columns`, and shortens it after [`QUOTE_LINES`] lines.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let short = cells::truncate(rest, columns).into_owned();
        if short == rest || lines.len() + 1 == QUOTE_LINES {
            lines.push(short);
            break;
        }
        let taken = short.trim_end_matches('…').len();
        let cut = if rest[taken..].starts_with(' ') { taken } else { rest[..taken].rfind(' ').unwrap_or(taken) };
        lines.push(rest[..cut].trim_end().to_owned());
        rest = rest[cut..].trim_start();
    }
    lines
}

/// A text on one line, safe to print and shortened.
fn shown(out: &Output, text: &str, room: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    cells::truncate(&out.safe(&output::one_line(&line)), room).into_owned()
}

fn heading(out: &mut Output, text: &str) {
    out.line("");
    out.line(out.bold(text));
}

/// Prints a heading with its items; nothing without items.
fn section<T>(out: &mut Output, title: &str, items: &[T], mut print: impl FnMut(&mut Output, &T)) {
    if !items.is_empty() {
        heading(out, title);
        items.iter().for_each(|item| print(out, item));
    }
}

/// Prints a line with the ids of its entries: on the same line if there is room, else below it.
fn cited(out: &mut Output, indent: usize, text: &str, ids: &[crate::journal::EntryId]) {
    let line = format!("{:indent$}{text}", "");
    let mut width = line.width();
    let mut cited = String::new();
    for id in ids {
        let id = out.id(id.as_str());
        let room = width + 2 + id.width() <= WIDTH;
        let gap = if room { "  ".to_owned() } else { format!("\n{:1$}", "", indent + 4) };
        width = if room { width + 2 } else { indent + 4 } + id.width();
        cited += &gap;
        cited += &out.dim(&id);
    }
    out.line(line + &cited);
}

/// A name, safe to print.
fn plain(out: &Output, name: &str) -> String {
    out.safe(&output::one_line(name)).into_owned()
}

/// Prints a note with the name most similar to an unknown one.
fn near(session: &mut Session, name: &str) -> Result<(), Failure> {
    let snapshot = session.snapshot()?;
    let known = snapshot.graph.named_entities().map(|entity| entity.name.as_str());
    let hint = match crate::report::closest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`kioku entities` lists the names".to_owned(),
    };
    output::note(format_args!("no name `{name}` in the journal; {hint}"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_wrapped_between_words_and_cut_in_the_last_line() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("one two three four five six", 8), ["one two", "three", "four fi…"]);
        assert_eq!(wrapped("unbreakable", 5).concat().replace('…', ""), "unbreakable");
    }
}
