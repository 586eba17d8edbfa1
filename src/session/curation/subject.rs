//! Resolution of a typed name to an entity.

use crate::{
    index::graph::{EntityRef, GraphView},
    journal::{EntityKind, EntityNote, name_and_kind},
    session::error::CurationError,
};

/// The entity that a name refers to: one in the graph, or one that only has a note (hidden, or not mentioned yet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub name: String,
    pub kind: Option<EntityKind>,
    /// `None` if the graph does not have it.
    pub entity: Option<EntityRef>,
}

/// Number of similar names that an error lists.
const NEAR: usize = 3;

pub(super) fn subject(graph: &GraphView, notes: &[EntityNote], typed: &str) -> Result<Subject, CurationError> {
    let (name, kind) = typed_name(typed);
    let fits = |found: Option<EntityKind>| kind.is_none() || found == kind;
    let entities = graph.by_name(name);
    let of_kind =
        entities.iter().map(|entity| (*entity, graph.entity(*entity))).filter(|(_, known)| fits(Some(known.kind)));
    let subjects: Vec<Subject> = of_kind
        .map(|(entity, known)| Subject { name: known.name.clone(), kind: Some(known.kind), entity: Some(entity) })
        .collect();
    // Prefer an entity with this exact name to those with it as an alias.
    let exact: Vec<&Subject> = subjects.iter().filter(|subject| subject.name == name).collect();
    match (subjects.as_slice(), exact.as_slice()) {
        ([only], _) => return Ok(only.clone()),
        ([], _) => {}
        (_, [only]) => return Ok((*only).clone()),
        (several, _) => {
            let names = several.iter().map(ToString::to_string).collect();
            return Err(CurationError::Ambiguous { name: typed.to_owned(), names });
        }
    }
    let called = |note: &&EntityNote| note.name == name || note.aliases.iter().any(|alias| alias == name);
    let mut known = notes.iter().filter(called).filter(|note| fits(note.kind) && note.merged_into.is_none());
    match (known.next(), known.next()) {
        (Some(note), None) => Ok(Subject { name: note.name.clone(), kind: note.kind, entity: None }),
        (Some(first), Some(second)) => {
            let names = [first, second].map(|note| display(&note.name, note.kind)).to_vec();
            Err(CurationError::Ambiguous { name: typed.to_owned(), names })
        }
        _ => {
            let near = if entities.is_empty() { graph.near(name, NEAR) } else { entities };
            let near = near.into_iter().map(|entity| graph.entity(entity));
            let near = near.map(|entity| display(&entity.name, Some(entity.kind))).collect();
            Err(CurationError::Unknown { name: typed.to_owned(), near })
        }
    }
}

/// Splits `Hanoi (place)` or `place:Hanoi` into name and kind.
fn typed_name(typed: &str) -> (&str, Option<EntityKind>) {
    let typed = typed.trim();
    let prefixed = typed.split_once(':').and_then(|(kind, name)| Some((name.trim(), Some(EntityKind::parse(kind)?))));
    prefixed.unwrap_or_else(|| name_and_kind(typed))
}

fn display(name: &str, kind: Option<EntityKind>) -> String {
    kind.map_or_else(|| name.to_owned(), |kind| format!("{name} ({})", kind.word()))
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&display(&self.name, self.kind))
    }
}
