//! Answers as lines: causes, each with a sentence on its strength and a quote; and the links of chains between two names.

use jiff::civil;

use super::Lead;
use crate::{
    insight::{
        Basis, Evidence,
        connect::{Connection, Hop, Path},
        why::{Cause, Step, Strength, Why},
    },
    journal::RelationKind,
    tui::{
        Linked, Role, Styled, counted,
        linked::{quoted, record_link},
    },
};

/// Maximum number of quotes of an unfolded cause.
const QUOTES: usize = 8;

pub(super) fn lines(why: &Why, unfolded: &[String], today: civil::Date) -> Vec<Linked<Lead>> {
    let mut lines: Vec<Linked<Lead>> =
        why.notes.iter().map(|note| Linked::plain(0, Styled::of(note, Role::Warn))).collect();
    if why.period.is_none() {
        let text = match &why.record {
            Some(kind) => format!("A {kind}: causes are read from diary entries only"),
            None => "No diary entries yet".to_owned(),
        };
        lines.push(Linked::plain(0, Styled::of(&text, Role::Text)));
        lines.extend(records(why, today));
        return lines;
    }
    if why.days.with_target == 0 {
        lines.extend(not_found(why));
        lines.extend(passages("Closest entries", &why.before, today));
        lines.extend(records(why, today));
        return lines;
    }
    let (claimed, hints): (Vec<&Cause>, Vec<&Cause>) = why.causes.iter().partition(|cause| cause.is_claimed());
    if claimed.is_empty() {
        let text = "No clear cause found";
        lines.push(Linked::plain(0, Styled::of(text, Role::Text)));
    }
    let is_unfolded = |cause: &Cause| unfolded.contains(&cause.name);
    for (place, cause) in claimed.iter().enumerate() {
        if place > 0 {
            lines.push(Linked::blank());
        }
        lines.extend(to_lines(&format!("{}  ", place + 1), cause, why, is_unfolded(cause), today));
    }
    if !hints.is_empty() {
        lines.extend([Linked::blank(), heading("Weak links")]);
        for cause in hints {
            lines.extend(weak(cause, why, is_unfolded(cause), today));
        }
    }
    if !why.eased_by.is_empty() {
        lines.extend([Linked::blank(), heading("What eased it")]);
        for relief in &why.eased_by {
            let line = Styled::of(&relief.name, Role::Title).and(&format!("   {}", relief.eased_on()), Role::Dim);
            lines.push(claim(line, relief, RelationKind::Emotional));
            lines.extend(relief.evidence.first().map(|said| quote(said, 3, today)));
        }
    }
    lines.extend(passages("Related entries", &why.before, today));
    lines.extend(records(why, today));
    lines
}

/// What records support and contradict: nothing to follow or to judge.
fn records(why: &Why, today: civil::Date) -> Vec<Linked<Lead>> {
    let title = (!why.records.is_empty()).then(|| heading("Records: no causes"));
    title.into_iter().chain(why.records.iter().map(|link| record_link(link, 3, today))).collect()
}

/// Says that a word is not in the journal, or not in the period; each of the nearest words is a link to its causes.
fn not_found(why: &Why) -> Vec<Linked<Lead>> {
    let Some(nearest) = &why.nearest else {
        let text = format!("No entries about “{}” in this period", why.target);
        return vec![Linked::plain(0, Styled::of(&text, Role::Text))];
    };
    let text = Styled::of(&format!("“{}” {}", why.target, nearest.label().trim_end()), Role::Text);
    let link =
        |word: &String| Linked::to(3, Styled::of(word, Role::Title), Lead { name: word.clone(), ..Lead::default() });
    std::iter::once(Linked::plain(0, text)).chain(nearest.words.iter().map(link)).collect()
}

/// Background quotes, without a label that says what they support.
fn passages(title: &str, passages: &[Evidence], today: civil::Date) -> Vec<Linked<Lead>> {
    let title = (!passages.is_empty()).then(|| heading(title));
    let quotes = passages.iter().map(|said| quoted(said, 3, today));
    title.into_iter().chain(quotes).collect()
}

/// The cause in bold, a sentence on its strength, one quote; unfolded, the other quotes and its own causes too.
fn to_lines(place: &str, cause: &Cause, why: &Why, unfolded: bool, today: civil::Date) -> Vec<Linked<Lead>> {
    let mut line = Styled::of(place, Role::Dim).and(&cause.name, Role::Title);
    if let Some(kind) = cause.kind_word() {
        line.push(&format!("   {kind}"), Role::of_kind(cause.kind));
    }
    let (word, role) = match cause.strength {
        Strength::Strong => ("Strong. ", Role::Accent),
        _ => ("Some evidence. ", Role::Dim),
    };
    let strength = Styled::of(word, role).and(&why.sentence(cause), Role::Text);
    let shown = shown(cause);
    let hidden = shown.len().saturating_sub(1);
    let is_folded = !unfolded && (hidden > 0 || !cause.back.is_empty());
    let mut lines = vec![folded(claim(line, cause, RelationKind::Causal), is_folded), Linked::plain(3, strength)];
    let quotes = shown.into_iter().take(if unfolded { QUOTES } else { 1 });
    lines.extend(quotes.map(|said| quote(said, 3, today)));
    if is_folded {
        lines.push(Linked::plain(3, more(hidden, cause)));
    } else {
        lines.extend(cause.back.iter().flat_map(|step| further_back(step, today)));
    }
    lines
}

/// `Mother   On 2 of 14 stressed days, 1 of 64 others.`, with its quotes once it is unfolded.
fn weak(cause: &Cause, why: &Why, unfolded: bool, today: civil::Date) -> Vec<Linked<Lead>> {
    let line = Styled::of(&cause.name, Role::Text).and(&format!("   {}", why.sentence(cause)), Role::Dim);
    let shown = shown(cause);
    let is_folded = !unfolded && !shown.is_empty();
    let mut lines = vec![folded(claim(line, cause, RelationKind::Causal), is_folded)];
    if unfolded {
        lines.extend(shown.into_iter().map(|said| quote(said, 3, today)));
    }
    lines
}

/// `→ 3 more quotes · further back: reorganisation`
fn more(hidden: usize, cause: &Cause) -> Styled {
    let quotes = (hidden > 0).then(|| counted(hidden, "more quote", "more quotes"));
    let back: Vec<&str> = cause.back.iter().map(|step| step.source.as_str()).collect();
    let back = (!back.is_empty()).then(|| format!("further back: {}", back.join(", ")));
    let text: Vec<String> = quotes.into_iter().chain(back).collect();
    Styled::of(&format!("→ {}", text.join(" · ")), Role::Dim)
}

fn folded(line: Linked<Lead>, is_folded: bool) -> Linked<Lead> {
    Linked { leads: line.leads.map(|lead| Lead { is_folded, ..lead }), ..line }
}

/// The quotes of a cause, each sentence once.
fn shown(cause: &Cause) -> Vec<&Evidence> {
    let mut shown: Vec<&Evidence> = Vec::new();
    for said in &cause.evidence {
        if shown.len() < QUOTES && !shown.iter().any(|known| known.repeats(said)) {
            shown.push(said);
        }
    }
    shown
}

fn further_back(step: &Step, today: civil::Date) -> Vec<Linked<Lead>> {
    let mut line = Styled::of("further back: ", Role::Dim).and(&step.target, Role::Text).and(" ← ", Role::Dim);
    line.push(&step.source, Role::Text).push(&format!("   stated {}", step.evidence.len()), Role::Dim);
    let said = step.evidence.first();
    let lead = Lead {
        name: step.source.clone(),
        relation: (step.basis == Basis::Stated).then_some(step.kind),
        into: Some(step.target.clone()),
        until: said.and_then(day),
        ..Lead::default()
    };
    let mut lines = vec![Linked::to(3, line, lead).from(said)];
    lines.extend(said.map(|said| quote(said, 5, today)));
    lines
}

/// The line of a cause.
fn claim(line: Styled, cause: &Cause, relation: RelationKind) -> Linked<Lead> {
    let lead = Lead {
        name: cause.name.clone(),
        entity: cause.entity.clone(),
        kind: Some(cause.kind),
        // Low or high tracker values and mere phrases are no entities whose relation could be judged.
        relation: (cause.measure.is_none() && !cause.is_phrase).then_some(relation),
        until: cause.evidence.iter().filter_map(day).max(),
        ..Lead::default()
    };
    Linked::to(0, line, lead).from(cause.evidence.first())
}

/// The day of a quote's entry.
pub(super) fn day(said: &Evidence) -> Option<civil::Date> {
    said.time.get(..10)?.parse().ok()
}

/// `“Hùng moved the deadline”  2026-09-14  stated`
pub(super) fn quote(said: &Evidence, indent: u16, today: civil::Date) -> Linked<Lead> {
    let mut line = quoted(said, indent, today);
    line.text.push(if said.basis == Basis::Stated { "  stated" } else { "  together" }, Role::Dim);
    line
}

fn heading(text: &str) -> Linked<Lead> {
    Linked::plain(0, Styled::of(&format!("─ {text}"), Role::Heading))
}

pub(super) fn paths(connection: &Connection, today: civil::Date) -> Vec<Linked<Lead>> {
    let unknown = |name: &String| Linked::plain(0, Styled::of(&format!("No entries mention “{name}”"), Role::Text));
    let mut lines: Vec<Linked<Lead>> = connection.unknown.iter().map(unknown).collect();
    if !connection.connected && lines.is_empty() {
        lines.push(Linked::plain(0, Styled::of("No connection found", Role::Text)));
    }
    for (place, path) in connection.paths.iter().enumerate() {
        if place > 0 {
            lines.push(Linked::blank());
        }
        lines.push(Linked::plain(0, way(place, connection, path)));
        for hop in &path.hops {
            lines.push(Linked::to(3, link(hop), hop_lead(hop)).from(&hop.evidence));
            lines.extend(hop.evidence.as_ref().map(|said| quote(said, 5, today)));
        }
    }
    lines
}

/// Leads to the causes of its source; a stated link can be judged.
fn hop_lead(hop: &Hop) -> Lead {
    Lead {
        name: hop.source.clone(),
        relation: RelationKind::parse(hop.kind).filter(|_| hop.basis == Basis::Stated),
        into: Some(hop.target.clone()),
        until: hop.evidence.as_ref().and_then(day),
        ..Lead::default()
    }
}

/// `1  Hùng · Project X · Linh`: the names of the chain.
fn way(place: usize, connection: &Connection, path: &Path) -> Styled {
    let mut line = Styled::of(&format!("{}  ", place + 1), Role::Dim).and(&connection.from, Role::Title);
    let mut at = &connection.from;
    for hop in &path.hops {
        at = if hop.source == *at { &hop.target } else { &hop.source };
        line.push(" · ", Role::Dim).push(at, Role::Title);
    }
    line
}

/// `Hùng → stressed   causal, stated 5 · together on 9 days`, `Tea wakes me → Tea is harmless   contradicts` for records,
/// or `Hùng — Linh   together on 9 days`.
fn link(hop: &Hop) -> Styled {
    let days = counted(hop.together, "day", "days");
    let (arrow, counts) = match hop.basis {
        Basis::Stated if hop.source_id.is_some() => (" → ", format!("   {}", hop.kind)),
        Basis::Stated => {
            let verb = hop.verb.as_deref().unwrap_or(hop.kind);
            (" → ", format!("   {verb}, stated {} · together on {days}", hop.n))
        }
        Basis::Inferred => (" — ", format!("   together on {days}")),
    };
    let mut line = Styled::of(&hop.source, Role::Text);
    line.push(arrow, Role::Dim).push(&hop.target, Role::Text).push(&counts, Role::Dim);
    line
}
