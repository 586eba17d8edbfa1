//! Answers as lines: stated and inferred causes, each with its counts and quotes; and the links of chains between two
//! names.

use jiff::civil;

use super::Lead;
use crate::{
    insight::{
        Basis, Evidence,
        connect::{Connection, Hop, Path},
        why::{Cause, Step, Strength, Why},
    },
    journal::{EntityKind, RelationKind},
    report::counted,
    tui::{Linked, Role, Styled, source::quoted},
};

/// Maximum number of quotes shown per cause.
const QUOTES: usize = 3;

pub(super) fn lines(why: &Why, today: civil::Date) -> Vec<Linked<Lead>> {
    let mut lines: Vec<Linked<Lead>> =
        why.notes.iter().map(|note| Linked::plain(0, Styled::of(note, Role::Warn))).collect();
    if why.period.is_none() {
        lines.push(Linked::plain(0, Styled::of("No entries yet", Role::Text)));
        return lines;
    }
    if why.days.with_target == 0 {
        let text = format!("No entries about “{}” in this period", why.target);
        lines.push(Linked::plain(0, Styled::of(&text, Role::Text)));
        lines.extend(passages("Closest entries", &why.before, today));
        return lines;
    }
    let (claimed, hints): (Vec<&Cause>, Vec<&Cause>) = why.causes.iter().partition(|cause| cause.is_claimed());
    if claimed.is_empty() {
        let text = "No clear cause found";
        lines.push(Linked::plain(0, Styled::of(text, Role::Text)));
    }
    for (place, cause) in claimed.iter().enumerate() {
        lines.extend(to_lines(&format!("{}  ", place + 1), cause, today));
    }
    if !hints.is_empty() {
        lines.push(heading("Weak links"));
        for cause in hints {
            lines.extend(to_lines("", cause, today));
        }
    }
    if !why.eased_by.is_empty() {
        lines.push(heading("what eased it"));
        for relief in &why.eased_by {
            let mut line = Styled::default();
            named(&mut line, &relief.name, relief.kind);
            line.push(&format!("   {}", relief.eased_on()), Role::Dim);
            lines.push(claim(line, relief, RelationKind::Emotional));
            lines.extend(relief.evidence.first().map(|said| quote(said, 3, today)));
        }
    }
    lines.extend(passages("Related entries", &why.before, today));
    lines
}

/// Background quotes, without a label that says what they support.
fn passages(title: &str, passages: &[Evidence], today: civil::Date) -> Vec<Linked<Lead>> {
    let title = (!passages.is_empty()).then(|| heading(title));
    let quotes = passages.iter().map(|said| quoted(said, 3, today));
    title.into_iter().chain(quotes).collect()
}

/// `1  T Project X   strong   stated 5 · 9 of 14 days, 1 of 64 others · the same day`, its quotes, its own causes.
fn to_lines(place: &str, cause: &Cause, today: civil::Date) -> Vec<Linked<Lead>> {
    let mut line = Styled::of(place, Role::Dim);
    named(&mut line, &cause.name, cause.kind);
    let role = match cause.strength {
        Strength::Strong => Role::Accent,
        Strength::Some => Role::Text,
        Strength::TooFew => Role::Dim,
    };
    if cause.is_claimed() {
        line.push("   ", Role::Dim).push(cause.strength.word(), role);
    }
    line.push(&format!("   {}", cause.counts()), Role::Dim);
    let mut lines = vec![claim(line, cause, RelationKind::Causal)];
    let mut shown: Vec<&Evidence> = Vec::new();
    for said in &cause.evidence {
        if shown.len() < QUOTES && !shown.iter().any(|known| known.repeats(said)) {
            shown.push(said);
        }
    }
    lines.extend(shown.into_iter().map(|said| quote(said, 3, today)));
    for step in &cause.back {
        lines.extend(further_back(step, today));
    }
    lines
}

fn further_back(step: &Step, today: civil::Date) -> Vec<Linked<Lead>> {
    let mut line = Styled::of("further back: ", Role::Dim).and(&step.target, Role::Text).and(" ← ", Role::Dim);
    line.push(&step.source, Role::Text).push(&format!("   stated {}", step.evidence.len()), Role::Dim);
    let said = step.evidence.first();
    let lead = Lead {
        name: step.source.clone(),
        kind: None,
        relation: (step.basis == Basis::Stated).then_some(step.kind),
        into: Some(step.target.clone()),
        until: said.and_then(day),
    };
    let mut lines = vec![Linked { quote: said.cloned(), ..Linked::to(3, line, lead) }];
    lines.extend(said.map(|said| quote(said, 5, today)));
    lines
}

/// The line of a cause.
fn claim(line: Styled, cause: &Cause, relation: RelationKind) -> Linked<Lead> {
    let lead = Lead {
        name: cause.name.clone(),
        kind: Some(cause.kind),
        // Low or high tracker values and mere phrases are no entities whose relation could be judged.
        relation: (cause.measure.is_none() && !cause.is_phrase).then_some(relation),
        into: None,
        until: cause.evidence.iter().filter_map(day).max(),
    };
    Linked { quote: cause.evidence.first().cloned(), ..Linked::to(0, line, lead) }
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

pub(super) fn named(line: &mut Styled, name: &str, kind: EntityKind) {
    let role = Role::of_kind(kind);
    line.push(&format!("{} ", kind.letter()), role).push(name, role);
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
            lines.push(Linked { quote: hop.evidence.clone(), ..Linked::to(3, link(hop), hop_lead(hop)) });
            lines.extend(hop.evidence.as_ref().map(|said| quote(said, 5, today)));
        }
    }
    lines
}

/// Leads to the causes of its source; a stated link can be judged.
fn hop_lead(hop: &Hop) -> Lead {
    Lead {
        name: hop.source.clone(),
        kind: None,
        relation: RelationKind::parse(hop.kind).filter(|_| hop.basis == Basis::Stated),
        into: Some(hop.target.clone()),
        until: hop.evidence.as_ref().and_then(day),
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

/// `Hùng → stressed   causal, stated 5 · together on 9 days`, or `Hùng — Linh   together on 9 days`.
fn link(hop: &Hop) -> Styled {
    let days = counted(hop.together, "day", "days");
    let (arrow, counts) = match hop.basis {
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
