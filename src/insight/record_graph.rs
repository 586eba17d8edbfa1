//! Graph of records: what they support, contradict and are cited in, from the lines of their texts.
//!
//! Built from the texts of all records but conversations, once per catalog. A line names its target by id; a target that
//! is no record, such as a book, is a node as well.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use jiff::civil;

use super::{Basis, Evidence};
use crate::{
    extract::fold,
    index::{Catalog, CatalogEntry, IndexError, Snapshot},
    journal::{ClaimLink, EntryId, RecordFields, RecordKind, RecordStatus, claim_links, record_title},
};

/// Fewest characters of an id that may stand for the whole.
const SHORTEST_BEGINNING: usize = 3;
/// Number of chains that a search may look at.
const MOST_LOOKED_AT: usize = 20_000;

/// The graph of the catalog that was used last: every answer of Why and every profile needs it.
static CACHE: Mutex<Option<(Weak<Catalog>, Arc<RecordGraph>)>> = Mutex::new(None);

/// Reference to a node of one [`RecordGraph`].
pub type RecordRef = usize;
/// Reference to a link of one [`RecordGraph`].
pub type LinkRef = usize;

#[derive(Debug, Clone, PartialEq)]
pub struct RecordNode {
    /// The first line of a record; else what the line names.
    pub name: String,
    /// Of a record, or of an entry that is none.
    pub id: Option<EntryId>,
    pub day: Option<civil::Date>,
    /// `None` for what is no record.
    pub record: Option<RecordFields>,
    /// As in the file.
    time: String,
    links: Vec<LinkRef>,
}

/// A line of the source's text that names the target.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordLink {
    pub source: RecordRef,
    pub target: RecordRef,
    pub kind: ClaimLink,
    line: String,
}

#[derive(Debug, Default)]
pub struct RecordGraph {
    pub nodes: Vec<RecordNode>,
    pub links: Vec<RecordLink>,
    by_id: HashMap<EntryId, RecordRef>,
    /// By the folded name.
    others: HashMap<String, RecordRef>,
}

impl RecordNode {
    /// Whether it is about one of these folded names: by its subject, or by a word of its first line.
    pub fn names_one_of(&self, names: &[String]) -> bool {
        let subject = self.record.as_ref().and_then(|record| record.value("subject")).map(fold);
        let line = fold(&self.name);
        let is_word = |at: usize, name: &str| {
            let ends = [line[..at].chars().next_back(), line[at + name.len()..].chars().next()];
            !ends.into_iter().flatten().any(char::is_alphanumeric)
        };
        names.iter().filter(|name| !name.is_empty()).any(|name| {
            subject.as_ref() == Some(name) || line.match_indices(name.as_str()).any(|(at, _)| is_word(at, name))
        })
    }
}

impl RecordGraph {
    /// The graph of a snapshot, cached until the catalog changes.
    pub fn of(snapshot: &Snapshot) -> Result<Arc<Self>, IndexError> {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let catalog = Arc::downgrade(&snapshot.catalog);
        if let Some((_, graph)) = cache.as_ref().filter(|(cached, _)| cached.ptr_eq(&catalog)) {
            return Ok(graph.clone());
        }
        let graph = Arc::new(Self::read(snapshot)?);
        *cache = Some((catalog, graph.clone()));
        Ok(graph)
    }

    /// Reads the texts of the records. The cost is linear in them.
    fn read(snapshot: &Snapshot) -> Result<Self, IndexError> {
        let catalog = &snapshot.catalog;
        let is_turn = |entry: &CatalogEntry| {
            entry.record().is_some_and(|head| head.known_kind() == Some(RecordKind::Conversation))
        };
        let records: Vec<&CatalogEntry> = catalog.records().filter(|entry| !is_turn(entry)).collect();
        let texts = snapshot.texts(&records.iter().map(|entry| entry.key).collect::<Vec<_>>())?;
        let mut graph = Self::default();
        for (entry, text) in records.iter().zip(&texts) {
            graph.add_entry(entry, text, catalog.superseded_by(&entry.id).cloned());
        }
        for (source, text) in texts.iter().enumerate() {
            for line in text.lines() {
                let Some((kind, target)) = claim_links(line).next() else { continue };
                let target = match catalog.by_id(&target.into()) {
                    Some(entry) => match graph.by_id.get(&entry.id) {
                        Some(known) => *known,
                        None => {
                            let text = snapshot.texts(&[entry.key])?.pop().unwrap_or_default();
                            graph.add_entry(entry, &text, None)
                        }
                    },
                    None => graph.other(target),
                };
                graph.link(RecordLink { source, target, kind, line: line.trim().to_owned() });
            }
        }
        Ok(graph)
    }

    fn add_entry(&mut self, entry: &CatalogEntry, text: &str, superseded_by: Option<EntryId>) -> RecordRef {
        self.by_id.insert(entry.id.clone(), self.nodes.len());
        self.add(RecordNode {
            name: record_title(text).to_owned(),
            id: Some(entry.id.clone()),
            day: Some(entry.day),
            record: entry.record().map(|head| RecordFields::of(&head, superseded_by)),
            time: entry.time.written.clone(),
            links: Vec::new(),
        })
    }

    /// The node of a name that is no id.
    fn other(&mut self, name: &str) -> RecordRef {
        if let Some(known) = self.others.get(&fold(name)) {
            return *known;
        }
        self.others.insert(fold(name), self.nodes.len());
        let (name, time) = (name.to_owned(), String::new());
        self.add(RecordNode { name, id: None, day: None, record: None, time, links: Vec::new() })
    }

    fn add(&mut self, node: RecordNode) -> RecordRef {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds a link once.
    fn link(&mut self, link: RecordLink) {
        let RecordLink { source, target, kind, .. } = link;
        let is_known = |nth: &LinkRef| {
            let known = &self.links[*nth];
            (known.source, known.target, known.kind) == (source, target, kind)
        };
        if self.nodes[source].links.iter().any(is_known) {
            return;
        }
        self.nodes[source].links.push(self.links.len());
        if target != source {
            self.nodes[target].links.push(self.links.len());
        }
        self.links.push(link);
    }

    /// The links from a node (`outgoing`) or to it, with their other ends.
    pub fn links_of(&self, node: RecordRef, outgoing: bool) -> impl Iterator<Item = (LinkRef, RecordRef)> {
        self.nodes[node].links.iter().filter_map(move |nth| {
            let RecordLink { source, target, .. } = self.links[*nth];
            let (own, other) = if outgoing { (source, target) } else { (target, source) };
            (own == node).then_some((*nth, other))
        })
    }

    /// The nodes that a typed name means: a record by its id or the beginning of its id, else all of that name.
    pub fn named(&self, typed: &str) -> Vec<RecordRef> {
        let typed = typed.trim();
        if let Some(node) = self.by_id.get(&typed.into()) {
            return vec![*node];
        }
        let begins = |id: &EntryId| typed.len() >= SHORTEST_BEGINNING && id.as_str().starts_with(typed);
        let begun: Vec<RecordRef> = self.by_id.iter().filter(|(id, _)| begins(id)).map(|(_, node)| *node).collect();
        if let [one] = begun.as_slice() {
            return vec![*one];
        }
        let folded = fold(typed);
        (0..self.nodes.len()).filter(|node| fold(&self.nodes[*node].name) == folded).collect()
    }

    /// The line that makes a link.
    pub fn evidence(&self, link: LinkRef) -> Option<Evidence> {
        let RecordLink { source, line, .. } = self.links.get(link)?;
        let RecordNode { id, time, .. } = &self.nodes[*source];
        Some(Evidence::new(id.clone()?, time.clone(), line.clone(), Basis::Stated))
    }

    /// The shortest chains of links between two sets of nodes, in either direction, at most `most`. A dropped record is
    /// no link of a chain.
    pub fn chains(&self, from: &[RecordRef], to: &[RecordRef], most_hops: usize, most: usize) -> Vec<Vec<LinkRef>> {
        let begin = |node: &RecordRef| (vec![*node], Vec::new());
        let mut queue: VecDeque<(Vec<RecordRef>, Vec<LinkRef>)> = from.iter().map(begin).collect();
        let (mut found, mut looked_at) = (Vec::new(), 0);
        while let Some((nodes, links)) = queue.pop_front() {
            looked_at += 1;
            let Some(last) = nodes.last().copied() else { continue };
            if !links.is_empty() && to.contains(&last) {
                found.push(links);
                if found.len() == most {
                    break;
                }
                continue;
            }
            if links.len() == most_hops || looked_at > MOST_LOOKED_AT || (!links.is_empty() && self.is_dropped(last)) {
                continue;
            }
            for (link, next) in self.links_of(last, true).chain(self.links_of(last, false)) {
                if !nodes.contains(&next) {
                    let extended = |all: &[usize], one| all.iter().copied().chain([one]).collect();
                    queue.push_back((extended(&nodes, next), extended(&links, link)));
                }
            }
        }
        found
    }

    pub fn is_dropped(&self, node: RecordRef) -> bool {
        self.nodes[node].record.as_ref().is_some_and(|record| record.status == RecordStatus::Dropped)
    }
}
