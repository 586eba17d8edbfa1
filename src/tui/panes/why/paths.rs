//! What lies between two names, link by link, each with its quote.

use jiff::civil;

use super::{
    Lead, Leads,
    causes::{day, quote},
};
use crate::{
    insight::{
        Basis,
        connect::{Connection, Hop, Path},
    },
    journal::RelationKind,
    tui::{Linked, Role, Styled},
};

pub(super) fn lines(connection: &Connection, today: civil::Date) -> Vec<Linked<Leads>> {
    let unknown = |name: &String| Linked::plain(0, Styled::of(&format!("No entries mention “{name}”"), Role::Text));
    let mut lines: Vec<Linked<Leads>> = connection.unknown.iter().map(unknown).collect();
    if !connection.connected && lines.is_empty() {
        lines.push(Linked::plain(0, Styled::of("No connection found", Role::Text)));
    }
    for (place, path) in connection.paths.iter().enumerate() {
        if place > 0 {
            lines.push(Linked::blank());
        }
        lines.push(Linked::plain(0, way(place, connection, path)));
        for hop in &path.hops {
            lines.push(Linked::to(3, link(hop), leads(hop)));
            lines.extend(hop.evidence.as_ref().map(|said| quote(said, 5, today)));
        }
    }
    lines
}

/// To its quote, and further back from where it begins; what is stated can be judged.
fn leads(hop: &Hop) -> Leads {
    Leads::Cause(Box::new(Lead {
        name: hop.source.clone(),
        kind: None,
        relation: RelationKind::parse(hop.kind).filter(|_| hop.basis == Basis::Stated),
        into: Some(hop.target.clone()),
        quote: hop.evidence.clone(),
        until: hop.evidence.as_ref().and_then(day),
    }))
}

/// `1  Hùng · Project X · Linh`: the names from one to the other.
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
    let days = if hop.together == 1 { "1 day".to_owned() } else { format!("{} days", hop.together) };
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
