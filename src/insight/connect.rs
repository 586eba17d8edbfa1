//! Connections between two names, or two records: several short chains, found in either direction and shown in the
//! direction of the text.

use std::cmp::Reverse;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Basis, Evidence, Inputs, Result, quotes,
    quotes::Quotes,
    record_graph::{LinkRef, RecordGraph, RecordLink, RecordRef},
};
use crate::{
    extract::{fold, is_title},
    index::{
        Snapshot,
        graph::{Edge, EntityRef, Evidence as Said, GraphView, distinct},
    },
    journal::{ClaimLink, EntryId},
};

pub const MOST_HOPS: u8 = 4;
const MOST_PATHS: usize = 4;
const MOST_RECORD_LINKS: usize = 12;

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
    /// The id of the source, if it is a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<EntryId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<EntryId>,
    /// The kind of the relation: also `supports`, `contradicts`, `cited_in` of records; `together` for co-occurrence.
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

/// Connects two names: records, if one of the names means a record and no entity; else all entities of these names.
pub fn connect(inputs: &Inputs<'_>, from: &str, to: &str) -> Result<Connection> {
    let snapshot = inputs.snapshot;
    let typed = [from, to];
    let entities = typed.map(|name| entities_called(&snapshot.graph, name));
    let may_be_records = entities.iter().any(Vec::is_empty) && snapshot.catalog.records().next().is_some();
    let graph = if may_be_records { Some(RecordGraph::of(snapshot)?) } else { None };
    let records = graph.map(|graph| (typed.map(|name| graph.named(name)), graph));
    let records = records.filter(|(nodes, _)| !nodes.iter().all(Vec::is_empty));
    let (called, paths) = match &records {
        Some((nodes, graph)) => {
            let name = |found: &Vec<RecordRef>| Some(graph.nodes[*found.first()?].name.as_str());
            (nodes.each_ref().map(name), record_paths(graph, nodes))
        }
        None => {
            let name = |found: &Vec<EntityRef>| Some(snapshot.graph.entity(*found.first()?).name.as_str());
            (entities.each_ref().map(name), entity_paths(inputs, &entities)?)
        }
    };
    let unknown = (0..2).filter(|end| called[*end].is_none() && entities[*end].is_empty());
    let unknown = unknown.map(|end| typed[end].to_owned()).collect();
    let [from, to] = [0, 1].map(|end| called[end].unwrap_or(typed[end].trim()).to_owned());
    Ok(Connection { from, to, connected: !paths.is_empty(), paths, unknown })
}

/// The entities of a name, also typed behind a title: `Dr Malik`, `anh Khoa`.
pub(super) fn entities_called(graph: &GraphView, name: &str) -> Vec<EntityRef> {
    let found = graph.by_name(name.trim());
    match name.trim().split_once(char::is_whitespace) {
        Some((title, rest)) if found.is_empty() && is_title(&title.trim_end_matches('.').to_lowercase()) => {
            graph.by_name(rest.trim())
        }
        _ => found,
    }
}

/// Chains of support, contradiction and citation.
fn record_paths(graph: &RecordGraph, [ours, theirs]: &[Vec<RecordRef>; 2]) -> Vec<Path> {
    let chains = graph.chains(ours, theirs, usize::from(MOST_HOPS), MOST_PATHS);
    let path = |chain: &Vec<LinkRef>| Path { hops: chain.iter().map(|link| record_hop(graph, *link)).collect() };
    chains.iter().map(path).collect()
}

/// What supports or contradicts what, as records say of an entry or record (`id`) or of one of the names: in the first
/// line of a record, as its subject, or as the target of a line. The newest first; no dropped records.
pub(super) fn record_links(snapshot: &Snapshot, id: Option<&EntryId>, names: &[String]) -> Result<Vec<Hop>> {
    if snapshot.catalog.records().next().is_none() {
        return Ok(Vec::new());
    }
    let graph = RecordGraph::of(snapshot)?;
    let names: Vec<String> = names.iter().map(|name| fold(name)).collect();
    let is_meant = |node: RecordRef| match id {
        Some(id) => graph.nodes[node].id.as_ref() == Some(id),
        None => graph.nodes[node].names_one_of(&names),
    };
    let mut meant: Vec<LinkRef> = (0..graph.links.len())
        .filter(|link| {
            let RecordLink { source, target, kind, .. } = graph.links[*link];
            (id.is_some() || kind != ClaimLink::CitedIn)
                && (is_meant(source) || is_meant(target))
                && [source, target].iter().all(|node| is_meant(*node) && id.is_some() || !graph.is_dropped(*node))
        })
        .collect();
    meant.sort_by_key(|link| Reverse(graph.nodes[graph.links[*link].source].day));
    meant.truncate(MOST_RECORD_LINKS);
    Ok(meant.into_iter().map(|link| record_hop(&graph, link)).collect())
}

fn record_hop(graph: &RecordGraph, link: LinkRef) -> Hop {
    let RecordLink { source, target, kind, .. } = graph.links[link];
    let [source, target] = [source, target].map(|node| &graph.nodes[node]);
    Hop {
        source: source.name.clone(),
        target: target.name.clone(),
        source_id: source.id.clone(),
        target_id: target.id.clone(),
        kind: kind.word(),
        basis: Basis::Stated,
        evidence: graph.evidence(link),
        n: 1,
        together: 0,
        verb: None,
    }
}

/// Connects all entities of two names. Costs one search per chain, see `GraphView::chains`.
fn entity_paths(inputs: &Inputs<'_>, [ours, theirs]: &[Vec<EntityRef>; 2]) -> Result<Vec<Path>> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let quotes = Quotes::of(snapshot);
    let mut chains: Vec<Vec<EntityRef>> = Vec::new();
    for one in ours {
        for other in theirs {
            chains.extend(snapshot.graph.chains(*one, *other, MOST_HOPS, MOST_PATHS, &|| progress.goes_on().is_ok()));
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
    Ok(paths)
}

fn path(snapshot: &Snapshot, quotes: &Quotes<'_>, chain: &[EntityRef]) -> Result<Path> {
    let hops = chain.windows(2).map(|pair| hop(snapshot, quotes, pair[0], pair[1]));
    Ok(Path { hops: hops.collect::<Result<_, _>>()? })
}

/// The most frequent stated relation between two neighbours, else their co-occurrence.
pub(super) fn hop(snapshot: &Snapshot, quotes: &Quotes<'_>, one: EntityRef, other: EntityRef) -> Result<Hop> {
    let graph = &snapshot.graph;
    let name = |entity: EntityRef| graph.entity(entity).name.clone();
    let edges = graph.edges_between(one, other);
    let together = graph.days_with_both(one, other);
    let said = |edge: &Edge| {
        let alike = edges.iter().filter(|other| other.is_alike(edge));
        distinct(alike.flat_map(|other| &other.evidence)).len()
    };
    // Among equals, the longer quote says more than a mark.
    let length = |edge: &Edge| edge.evidence.last().map_or(0, |said| said.span.end.saturating_sub(said.span.start));
    let weight = |edge: &&Edge| (said(edge), length(edge), Reverse(edge.kind), edge.source == one);
    let Some(edge) = edges.iter().max_by_key(weight) else {
        let latest = graph.latest_with_both(one, other);
        let evidence = latest.map_or(Ok(None), |key| quotes.together(key, one, other))?;
        let (source, target, basis) = (name(one), name(other), Basis::Inferred);
        let (n, kind) = (together, "together");
        let (source_id, target_id, verb) = (None, None, None);
        return Ok(Hop { source, target, source_id, target_id, kind, basis, evidence, n, together, verb });
    };
    let quote = |said: &Said| quotes.stating(said.entry, quotes::bytes(&said.span), edge.source, &[edge.target]);
    let evidence = edge.evidence.last().map_or(Ok(None), quote)?;
    Ok(Hop {
        source: name(edge.source),
        target: name(edge.target),
        source_id: None,
        target_id: None,
        kind: edge.kind.word(),
        basis: Basis::Stated,
        evidence,
        n: said(edge),
        together,
        verb: Some(edge.verb.clone()).filter(|verb| !verb.is_empty()),
    })
}
