//! Verbs that answer questions: who, how connected, why, and what a day or a year held.
//!
//! Each prints what `crate::insight` answers, as JSON or for people at 80 columns.

mod days;
mod names;
mod why;

use serde::Serialize;

use super::{
    Context, Done, Failure, Outcome, Run, arguments,
    json::VERSION,
    output::{self, Output, Set},
    read, search,
};
use crate::{
    engine::Desk,
    insight::{Basis, Evidence},
};

pub use self::{
    days::{ReflectVerb, ReviewVerb, StatsVerb, ThemesVerb},
    names::{Entities, Explain, RelatedVerb},
    why::WhyVerb,
};

/// An answer with the version of its shape.
#[derive(Serialize)]
struct Versioned<'a, T> {
    v: u32,
    #[serde(flatten)]
    answer: &'a T,
}

/// A list under its name.
#[derive(Serialize)]
struct Listed<'a, T> {
    v: u32,
    #[serde(flatten)]
    list: std::collections::BTreeMap<&'static str, &'a [T]>,
}

fn json(out: &mut Output, answer: &impl Serialize) -> Result<(), Failure> {
    out.json(&Versioned { v: VERSION, answer })
}

fn json_list<T: Serialize>(out: &mut Output, name: &'static str, list: &[T]) -> Result<(), Failure> {
    out.json(&Listed { v: VERSION, list: [(name, list)].into() })
}

const WIDTH: usize = 80;

/// `  2026-05-06  “Khoa moved the demo.”  o4i5oh7qge`, cut to the width of the screen.
fn quote(out: &mut Output, indent: usize, evidence: &Evidence) -> Result<(), Failure> {
    let day = evidence.time.get(..10).unwrap_or(&evidence.time).to_owned();
    let basis = if evidence.basis == Basis::Inferred { "~ " } else { "" };
    let room = WIDTH.saturating_sub(indent + day.len() + evidence.id.as_str().len() + basis.len() + 6).max(24);
    let text = shown(out, &evidence.text, room);
    let id = out.set(Set::Dim, evidence.id.as_str()).into_owned();
    out.line(format_args!("{:indent$}{day}  {basis}“{text}”  {id}", ""))
}

/// A text of the journal on one line.
fn shown(out: &Output, text: &str, room: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    output::shorten(&out.safe(&output::one_line(&line)), room)
}

fn heading(out: &mut Output, text: &str) -> Result<(), Failure> {
    out.line("")?;
    let text = out.set(Set::Bold, text).into_owned();
    out.line(text)
}

/// What the ids of a line are: at its end, set back.
fn cited(out: &Output, ids: &[crate::journal::EntryId]) -> String {
    let ids: Vec<&str> = ids.iter().map(crate::journal::EntryId::as_str).collect();
    out.set(Set::Dim, &ids.join(" ")).into_owned()
}

/// The name as it is safe to print.
fn plain(out: &Output, name: &str) -> String {
    out.safe(&output::one_line(name)).into_owned()
}

/// The names nearest to one that the journal does not know.
fn near(desk: &mut Desk, name: &str) -> Result<(), Failure> {
    let snapshot = desk.snapshot()?;
    let known = snapshot.graph.entities().iter().map(|entity| entity.name.as_str());
    let hint = match crate::report::closest(name, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`kioku entities` lists the names it knows".to_owned(),
    };
    output::note(format_args!("the journal knows nobody and nothing called `{name}`; {hint}"));
    Ok(())
}
