//! Connections between two names: several short chains, found in either direction and shown in the direction of the
//! text.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::{Basis, Evidence, Inputs, InsightError, quotes, quotes::Quotes};
use crate::index::{
    Snapshot,
    graph::{Edge, EntityRef},
};

pub const MOST_HOPS: u8 = 4;
const MOST_PATHS: usize = 4;

/// A connection, or the fact that there is none.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Connection {
    /// The names as the journal writes them; as typed where the journal does not have them.
    pub from: String,
    pub to: String,
    pub connected: bool,
    /// The most plausible first.
    pub paths: Vec<Path>,
    /// Typed names that are not in the journal.
    pub unknown: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Path {
    pub hops: Vec<Hop>,
}

/// One link of a chain. A stated relation runs from source to target as in the text, which may be against the chain.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Hop {
    pub source: String,
    pub target: String,
    /// The kind of the relation; `together` for co-occurrence.
    pub kind: &'static str,
    pub basis: Basis,
    /// The latest evidence.
    pub evidence: Option<Evidence>,
    /// Number of quotes that state it; for co-occurrence, number of shared days.
    pub n: usize,
    /// Number of days with both names.
    pub together: usize,
    /// The verb in the text, if any.
    pub verb: Option<String>,
}

impl Hop {
    fn is_more_than_once(&self) -> bool {
        self.basis == Basis::Stated || self.n > 1
    }
}

/// Connects all entities of these names. Costs one search per chain, see `GraphView::chains`.
pub fn connect(inputs: &Inputs<'_>, from: &str, to: &str) -> Result<Connection, InsightError> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let graph = &snapshot.graph;
    let (ours, theirs) = (graph.by_name(from.trim()), graph.by_name(to.trim()));
    let quotes = Quotes::of(snapshot);
    let name = |found: &[EntityRef], asked: &str| {
        found.first().map_or_else(|| asked.trim().to_owned(), |entity| graph.entity(*entity).name.clone())
    };
    let mut chains: Vec<Vec<EntityRef>> = Vec::new();
    for one in &ours {
        for other in &theirs {
            chains.extend(graph.chains(*one, *other, MOST_HOPS, MOST_PATHS, &|| progress.goes_on().is_ok()));
            // A cancelled search returns no partial answer.
            progress.goes_on()?;
        }
    }
    chains.sort_by_key(Vec::len);
    chains.truncate(MOST_PATHS);
    let told = chains.iter().map(|chain| progress.goes_on().and_then(|()| path(snapshot, &quotes, chain)));
    let mut paths = told.collect::<Result<Vec<Path>, _>>()?;
    // A single shared day may be all there is; more chains of single days would only be more coincidences.
    let mut first = true;
    paths.retain(|path| std::mem::take(&mut first) || path.hops.iter().all(Hop::is_more_than_once));
    let unknown = [(&ours, from), (&theirs, to)];
    Ok(Connection {
        from: name(&ours, from),
        to: name(&theirs, to),
        connected: !paths.is_empty(),
        paths,
        unknown: unknown.into_iter().filter(|(found, _)| found.is_empty()).map(|(_, asked)| asked.to_owned()).collect(),
    })
}

fn path(snapshot: &Snapshot, quotes: &Quotes<'_>, chain: &[EntityRef]) -> Result<Path, InsightError> {
    let hops = chain.windows(2).map(|pair| hop(snapshot, quotes, pair[0], pair[1]));
    Ok(Path { hops: hops.collect::<Result<_, _>>()? })
}

/// The most frequent stated relation between two neighbours, else their co-occurrence.
pub(super) fn hop(
    snapshot: &Snapshot,
    quotes: &Quotes<'_>,
    one: EntityRef,
    other: EntityRef,
) -> Result<Hop, InsightError> {
    let graph = &snapshot.graph;
    let name = |entity: EntityRef| graph.entity(entity).name.clone();
    let edges = graph.edges_between(one, other);
    let together = graph.days_with_both(one, other);
    let said = |edge: &Edge| {
        let alike = edges.iter().filter(|other| other.is_alike(edge));
        alike.map(|other| other.evidence.len()).sum::<usize>()
    };
    // Among equals, the longer quote says more than a mark.
    let length = |edge: &Edge| edge.evidence.last().map_or(0, |said| said.span.end.saturating_sub(said.span.start));
    let weight = |edge: &&Edge| (said(edge), length(edge), Reverse(edge.kind), edge.source == one);
    let Some(edge) = edges.iter().max_by_key(weight) else {
        let evidence = match graph.latest_with_both(one, other) {
            Some(key) => quotes.together(key, one, other)?,
            None => None,
        };
        let (source, target, basis) = (name(one), name(other), Basis::Inferred);
        return Ok(Hop { source, target, kind: "together", basis, evidence, n: together, together, verb: None });
    };
    let latest = edge.evidence.last();
    let evidence = match latest {
        Some(said) => quotes.stating(said.entry, quotes::bytes(&said.span), edge.source, &[edge.target])?,
        None => None,
    };
    Ok(Hop {
        source: name(edge.source),
        target: name(edge.target),
        kind: edge.kind.word(),
        basis: Basis::Stated,
        evidence,
        n: said(edge),
        together,
        verb: Some(edge.verb.clone()).filter(|verb| !verb.is_empty()),
    })
}
