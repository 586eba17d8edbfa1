//! Communities of entities that are mentioned together, by modularity (Blondel et al., "Fast unfolding of communities
//! in large networks", 2008). Deterministic: entities are visited by rank and ties go to the smaller number, so the
//! same journal gives the same communities. petgraph has no community detection.

use std::collections::{BTreeMap, HashMap};

use petgraph::{
    graph::{NodeIndex, UnGraph},
    visit::EdgeRef,
};

use super::{EntityRef, view::GraphView};
use crate::journal::EntityKind;

/// A name mentioned on fewer days says nothing about a theme.
const FEWEST_DAYS: u32 = 3;
/// Fewer shared entries are taken as coincidence.
const FEWEST_TOGETHER: u32 = 2;
/// Maximum rounds of moving nodes on one level.
const MOST_ROUNDS: usize = 20;
const MOST_LEVELS: usize = 10;

impl GraphView {
    /// Groups of entities that are mentioned together more often than their frequency explains, largest first.
    /// Excludes feelings, which co-occur with everything, and groups of one. Costs one pass over all mentions and a
    /// few over the pairs.
    pub fn communities(&self) -> Vec<Vec<EntityRef>> {
        let members: Vec<EntityRef> = self
            .entity_refs()
            .filter(|entity| {
                let known = self.entity(*entity);
                known.kind != EntityKind::Emotion && known.days >= FEWEST_DAYS
            })
            .collect();
        let graph = self.ties(&members);
        let of = louvain(&graph);
        let mut groups: BTreeMap<usize, Vec<EntityRef>> = BTreeMap::new();
        for (at, group) in of.iter().enumerate() {
            groups.entry(*group).or_default().push(members[at]);
        }
        let mut groups: Vec<Vec<EntityRef>> = groups.into_values().filter(|group| group.len() > 1).collect();
        groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
        groups
    }

    /// The co-occurrence graph; an edge's weight is the share of the two entities' entries that they have in common,
    /// so that a name in every entry weighs little.
    fn ties(&self, members: &[EntityRef]) -> UnGraph<(), f64, u32> {
        let mut graph = UnGraph::with_capacity(members.len(), members.len() * 4);
        let nodes: HashMap<EntityRef, NodeIndex> = members.iter().map(|entity| (*entity, graph.add_node(()))).collect();
        for entity in members {
            for (other, together) in self.neighbours(*entity) {
                if other <= *entity || together < FEWEST_TOGETHER {
                    continue;
                }
                if let Some(node) = nodes.get(&other) {
                    let size = (self.posting(*entity).len() * self.posting(other).len()) as f64;
                    graph.add_edge(nodes[entity], *node, f64::from(together) / size.sqrt());
                }
            }
        }
        graph
    }
}

/// The community of each node, numbered from the smallest member.
fn louvain(graph: &UnGraph<(), f64, u32>) -> Vec<usize> {
    let mut of: Vec<usize> = (0..graph.node_count()).collect();
    let mut level = graph.clone();
    for _ in 0..MOST_LEVELS {
        let moved = settle(&level);
        let mut numbers: Vec<usize> = moved.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let number = |community: usize| numbers.partition_point(|known| *known < community);
        of.iter_mut().for_each(|community| *community = number(moved[*community]));
        if numbers.len() == level.node_count() {
            break;
        }
        level = folded(&level, &moved, numbers.len(), number);
    }
    of
}

/// The graph of communities: one node each, its inner weight as a self-loop.
fn folded(
    graph: &UnGraph<(), f64, u32>,
    of: &[usize],
    count: usize,
    number: impl Fn(usize) -> usize,
) -> UnGraph<(), f64, u32> {
    let mut weights: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for edge in graph.edge_references() {
        let (a, b) = (number(of[edge.source().index()]), number(of[edge.target().index()]));
        *weights.entry((a.min(b), a.max(b))).or_default() += edge.weight();
    }
    let mut smaller = UnGraph::with_capacity(count, weights.len());
    for _ in 0..count {
        smaller.add_node(());
    }
    for ((a, b), weight) in weights {
        smaller.add_edge(NodeIndex::new(a), NodeIndex::new(b), weight);
    }
    smaller
}

/// Moves nodes to the neighbouring community with the largest gain of modularity, until no move gains.
fn settle(graph: &UnGraph<(), f64, u32>) -> Vec<usize> {
    let count = graph.node_count();
    let mut of: Vec<usize> = (0..count).collect();
    let degree: Vec<f64> = graph
        .node_indices()
        .map(|node| graph.edges(node).map(|e| if e.source() == e.target() { 2.0 } else { 1.0 } * e.weight()).sum())
        .collect();
    let whole: f64 = degree.iter().sum();
    if whole <= 0.0 {
        return of;
    }
    let mut inside = degree.clone();
    for _ in 0..MOST_ROUNDS {
        let mut moves = 0;
        for node in graph.node_indices() {
            let at = node.index();
            let mut towards: BTreeMap<usize, f64> = BTreeMap::from([(of[at], 0.0)]);
            for edge in graph.edges(node) {
                let other = if edge.source() == node { edge.target() } else { edge.source() };
                if other != node {
                    *towards.entry(of[other.index()]).or_default() += edge.weight();
                }
            }
            inside[of[at]] -= degree[at];
            let gain = |community: usize, links: f64| links - degree[at] * inside[community] / whole;
            let mut best = (of[at], gain(of[at], towards[&of[at]]));
            for (community, links) in towards {
                let gain = gain(community, links);
                if gain > best.1 + 1e-12 {
                    best = (community, gain);
                }
            }
            inside[best.0] += degree[at];
            moves += usize::from(best.0 != of[at]);
            of[at] = best.0;
        }
        if moves == 0 {
            break;
        }
    }
    of
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_circles_with_one_link_are_two_communities() {
        let mut graph = UnGraph::default();
        let nodes: Vec<NodeIndex> = (0..8).map(|_| graph.add_node(())).collect();
        for circle in [0..4, 4..8] {
            for a in circle.clone() {
                for b in a + 1..circle.end {
                    graph.add_edge(nodes[a], nodes[b], 1.0);
                }
            }
        }
        graph.add_edge(nodes[3], nodes[4], 1.0);
        assert_eq!(louvain(&graph), [0, 0, 0, 0, 1, 1, 1, 1]);
    }

    #[test]
    fn nodes_without_links_stay_alone() {
        let mut graph = UnGraph::default();
        for _ in 0..3 {
            graph.add_node(());
        }
        assert_eq!(louvain(&graph), [0, 1, 2]);
    }
}
