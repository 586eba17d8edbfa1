//! Shortest chains between two entities (Dijkstra with a limit of links), over stated relations and co-occurrence.
//!
//! petgraph's shortest paths have no limit of links, cannot be cancelled, and need a complete graph, while this
//! search computes links on demand. The bench `graph` compares both.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap, HashSet},
};

use super::{EntityRef, view::GraphView};
use crate::journal::EntityKind;

/// Latest entries of an entity that are searched for links.
const MOST_ROWS: usize = 300;
/// Maximum number of entities visited by one search.
const MOST_VISITED: usize = 4_000;
/// Cost of a link: stated, or co-occurrence; plus more, the fewer entries the two entities share in proportion, since
/// a chain over a name that appears everywhere explains nothing; plus more for a feeling, which connects everything.
const STATED: u32 = 900;
const COMPANY: u32 = 1_500;
const DISTANCE: f32 = 1_500.0;
const FEELING: u32 = 1_000;
/// Maximum cost of a chain, in fifths of the cheapest one: more expensive chains add nothing.
const FARTHEST: u32 = 9;
/// One statement weighs as much as this many shared entries.
const WORTH: f32 = 3.0;

/// Cost, number of links and entity: an element of the heap, cheapest first.
type Way = Reverse<(u32, u8, EntityRef)>;

impl GraphView {
    /// Up to `count` chains of at most `max_hops` links from `from` to `to`, without repeated entities, the most
    /// plausible first: few links, stated relations before co-occurrence, close co-occurrence before a hub. Later
    /// chains avoid the entities of earlier ones, and none costs much more than the first. Empty where no chain is
    /// found within the limits; returns what was found once `goes_on` returns false. Dijkstra over (entity, links),
    /// once per chain.
    pub fn chains(
        &self,
        from: EntityRef,
        to: EntityRef,
        max_hops: u8,
        count: usize,
        goes_on: &dyn Fn() -> bool,
    ) -> Vec<Vec<EntityRef>> {
        let known = |entity: EntityRef| (entity.0 as usize) < self.entities.len();
        let mut found: Vec<Vec<EntityRef>> = Vec::new();
        if !known(from) || !known(to) || from == to {
            return found;
        }
        let mut closed: HashSet<EntityRef> = HashSet::new();
        let mut direct = true;
        let mut cheapest = None;
        let mut steps = HashMap::new();
        while found.len() < count {
            let Some((cost, chain)) = self.chain((from, to, max_hops), &closed, direct, &mut steps, goes_on) else {
                break;
            };
            if cost * 5 > *cheapest.get_or_insert(cost) * FARTHEST {
                break;
            }
            direct &= chain.len() > 2;
            closed.extend(&chain[1..chain.len() - 1]);
            found.push(chain);
        }
        found
    }

    fn chain(
        &self,
        (from, to, max_hops): (EntityRef, EntityRef, u8),
        closed: &HashSet<EntityRef>,
        direct: bool,
        steps: &mut HashMap<EntityRef, Vec<(EntityRef, u32)>>,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<(u32, Vec<EntityRef>)> {
        let mut came: HashMap<(EntityRef, u8), (u32, EntityRef)> = HashMap::new();
        let mut heap: BinaryHeap<Way> = BinaryHeap::from([Reverse((0, 0, from))]);
        let mut visited = 0;
        while let Some(Reverse((cost, hops, at))) = heap.pop() {
            if at == to {
                return Some((cost, trace(&came, from, to, hops)));
            }
            if hops == max_hops || came.get(&(at, hops)).is_some_and(|(best, _)| *best < cost) {
                continue;
            }
            visited += 1;
            if visited > MOST_VISITED || !goes_on() {
                return None;
            }
            for (other, step) in steps.entry(at).or_insert_with(|| self.links(at)) {
                let barred = *other == from || closed.contains(other) || (!direct && at == from && *other == to);
                let (next, reached) = ((*other, hops + 1), cost + *step);
                // A path with more links to the same entity is kept only where it is cheaper.
                let worse =
                    (0..=hops + 1).any(|hops| came.get(&(*other, hops)).is_some_and(|(best, _)| *best <= reached));
                if !barred && !worse {
                    came.insert(next, (reached, at));
                    heap.push(Reverse((reached, hops + 1, *other)));
                }
            }
        }
        None
    }

    /// The links of an entity, with their costs.
    fn links(&self, entity: EntityRef) -> Vec<(EntityRef, u32)> {
        let mut stated: HashMap<EntityRef, usize> = HashMap::new();
        for (relation, other) in self.relations(entity) {
            *stated.entry(other).or_default() += self.relation(relation).map_or(0, |stated| stated.evidence.len());
        }
        let counts = self.together(entity, MOST_ROWS);
        let rows = self.posting(entity).len().min(MOST_ROWS);
        let distance = |other: EntityRef, shared: f32| {
            let size = (rows * self.posting(other).len()).max(1) as f32;
            let feeling = if self.entity(other).kind == EntityKind::Emotion { FEELING } else { 0 };
            feeling + (DISTANCE * (1.0 - (shared / size.sqrt()).min(1.0))) as u32
        };
        let together = counts.iter().filter(|(other, _)| !stated.contains_key(other));
        let mut links: Vec<(EntityRef, u32)> =
            together.map(|(other, n)| (*other, COMPANY + distance(*other, *n as f32))).collect();
        links.extend(stated.iter().map(|(other, n)| (*other, STATED + distance(*other, WORTH * *n as f32))));
        links.sort_unstable();
        links
    }
}

fn trace(
    came: &HashMap<(EntityRef, u8), (u32, EntityRef)>,
    from: EntityRef,
    to: EntityRef,
    hops: u8,
) -> Vec<EntityRef> {
    let mut chain = vec![to];
    let mut at = to;
    for hops in (1..=hops).rev() {
        let Some((_, before)) = came.get(&(at, hops)) else { break };
        at = *before;
        chain.push(at);
        if at == from {
            break;
        }
    }
    chain.reverse();
    chain
}
