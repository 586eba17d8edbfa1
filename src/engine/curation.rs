//! What the user says about names and relations: turned into changes of notes, shown beforehand, taken back on demand.

mod log;
mod moved;

use std::sync::Arc;

use super::{Desk, EngineError, Located};
use crate::{
    index::{
        Snapshot,
        graph::{EntityRef, GraphView, Judgement, Proposal},
    },
    journal::{
        EntityKind, EntityNote, EntryId, NoteChange, NoteEdit, NoteField, NoteList, RelationKind, Verdict,
        name_and_kind, note_on,
    },
};

pub use log::CurationLog;
pub use moved::Moved;

/// One thing said about names. Names are given as `Hanoi`, or where homonyms differ `Hanoi (place)` or `place:Hanoi`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Curating {
    /// What is said of `from` counts for `into`.
    Merge {
        from: String,
        into: String,
    },
    /// Another name to show; the old one stays an alias.
    Rename {
        name: String,
        new: String,
    },
    Alias {
        name: String,
        alias: String,
        remove: bool,
    },
    /// The user's word over every mark in the text.
    Kind {
        name: String,
        kind: EntityKind,
    },
    /// Not listed, no seed of a search, no edges; or shown again.
    Hide {
        name: String,
        hidden: bool,
    },
    /// A relation is so, or is not; as one entry states it, or altogether.
    Judge {
        source: String,
        kind: RelationKind,
        target: String,
        entry: Option<String>,
        judgement: Judgement,
    },
    /// Two names that look alike and are two.
    Distinct {
        name: String,
        other: String,
    },
}

/// What a curation came to, or would come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curated {
    /// In words: `Hung is one with Hùng (person)`.
    pub said: String,
    pub moved: Moved,
    /// It was so already: nothing was written.
    pub unchanged: bool,
}

/// Why something cannot be said about a name.
#[derive(Debug, thiserror::Error)]
pub enum CurationError {
    #[error("no entity is called `{name}`")]
    Unknown { name: String, near: Vec<String> },
    #[error("`{name}` names {}: {}", names.len(), names.join(", "))]
    Ambiguous { name: String, names: Vec<String> },
    #[error("{reason}")]
    Refused { reason: String, hint: String },
    #[error("no entry is called `{0}`")]
    NoEntry(String),
    #[error("there is no change of an entity to take back")]
    NothingToUndo,
}

/// Who is meant by a name: an entity of the graph, or one that only a note knows (hidden, or not written about yet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub name: String,
    pub kind: Option<EntityKind>,
    /// `None` where the graph has none.
    pub entity: Option<EntityRef>,
}

/// How many near names an error lists.
const NEAR: usize = 3;

impl Desk {
    /// What a change would do; nothing is written.
    pub fn preview_curation(&mut self, curating: &Curating) -> Result<Curated, EngineError> {
        let (planned, _) = self.plan_curation(curating)?;
        let notes = self.vault().notes_after(&planned.changes)?;
        self.weigh(&planned, notes)
    }

    /// Changes the notes, remembers in `log` how to take it back, and brings the index up to date.
    pub fn curate(&mut self, curating: &Curating, log: &CurationLog) -> Result<Curated, EngineError> {
        let (planned, statement) = self.plan_curation(curating)?;
        let notes = self.vault().notes_after(&planned.changes)?;
        let curated = self.weigh(&planned, notes)?;
        if curated.unchanged {
            return Ok(curated);
        }
        if let Some(entry) = statement {
            // What refers to an entry has to find it after any edit.
            self.vault().fix_id(&entry)?;
        }
        let undo = self.vault().curate_all(&planned.changes)?.into_iter().map(|(_, undo)| undo).collect();
        log.push(&planned.said, undo, &self.vault().options().clock)?;
        self.sync(false, &mut |_| true)?;
        Ok(curated)
    }

    /// Takes the last change in the log back; says in words which it was.
    pub fn uncurate(&mut self, log: &CurationLog) -> Result<String, EngineError> {
        let last = log.last()?.ok_or(CurationError::NothingToUndo)?;
        self.vault().uncurate(&last.undo)?;
        log.drop_last()?;
        self.sync(false, &mut |_| true)?;
        Ok(last.said)
    }

    /// The pairs of entities that may be one, with reasons.
    pub fn entity_proposals(&mut self) -> Result<(Arc<Snapshot>, Vec<Proposal>), EngineError> {
        let snapshot = self.snapshot()?;
        let proposals = snapshot.graph.proposals();
        Ok((snapshot, proposals))
    }

    /// Who is meant by a name; an error that lists the homonyms, or the nearest names.
    pub fn entity_called(&mut self, typed: &str) -> Result<Subject, EngineError> {
        let snapshot = self.snapshot()?;
        let notes = self.vault().entity_notes()?;
        Ok(subject(&snapshot.graph, &notes, typed)?)
    }

    /// The note on a subject, where there is one.
    pub fn entity_note(&self, subject: &Subject) -> Result<Option<EntityNote>, EngineError> {
        let notes = self.vault().entity_notes()?;
        Ok(note_on(&notes, &subject.name, subject.kind).cloned())
    }

    fn plan_curation(&mut self, curating: &Curating) -> Result<(Planned, Option<crate::journal::Entry>), EngineError> {
        let snapshot = self.snapshot()?;
        let statement = match curating {
            Curating::Judge { entry: Some(id), .. } => Some(self.statement(id)?),
            _ => None,
        };
        let notes = self.vault().entity_notes()?;
        let planning = Planning { graph: &snapshot.graph, notes: &notes };
        let planned = planning.plan(curating, statement.as_ref().map(|entry| entry.id.clone()))?;
        Ok((planned, statement))
    }

    fn statement(&mut self, id: &str) -> Result<crate::journal::Entry, EngineError> {
        match self.locate(id)? {
            Located::One(entry) => Ok(*entry),
            Located::Ambiguous(ids) => {
                let names = ids.iter().map(ToString::to_string).collect();
                Err(CurationError::Ambiguous { name: id.to_owned(), names }.into())
            }
            Located::Nothing => Err(CurationError::NoEntry(id.to_owned()).into()),
        }
    }

    fn weigh(&mut self, planned: &Planned, notes: Vec<EntityNote>) -> Result<Curated, EngineError> {
        let snapshot = self.snapshot()?;
        let unchanged = notes == self.vault().entity_notes()?;
        let after = self.graph_under(notes)?;
        Ok(Curated { said: planned.said.clone(), moved: Moved::between(&snapshot.graph, &after), unchanged })
    }
}

/// Changes of notes, and what they come to in words.
struct Planned {
    changes: Vec<NoteChange>,
    said: String,
}

/// What a plan is made from.
struct Planning<'a> {
    graph: &'a GraphView,
    notes: &'a [EntityNote],
}

impl Planning<'_> {
    fn plan(&self, curating: &Curating, statement: Option<EntryId>) -> Result<Planned, CurationError> {
        match curating {
            Curating::Merge { from, into } => self.merge(from, into),
            Curating::Rename { name, new } => self.rename(name, new),
            Curating::Alias { name, alias, remove } => self.alias(name, alias, *remove),
            Curating::Kind { name, kind } => self.kind(name, *kind),
            Curating::Hide { name, hidden } => self.hide(name, *hidden),
            Curating::Judge { source, kind, target, judgement, .. } => {
                self.judge(source, *kind, target, statement, *judgement)
            }
            Curating::Distinct { name, other } => self.distinct(name, other),
        }
    }

    fn merge(&self, from: &str, into: &str) -> Result<Planned, CurationError> {
        let (from, into) = (self.subject(from)?, self.subject(into)?);
        if (&from.name, from.kind) == (&into.name, into.kind) {
            return Err(refused(format!("{from} is one with itself"), "name two entities"));
        }
        let mut changes = vec![change(&into, vec![NoteEdit::Add(NoteList::Merged, self.listed(&from, into.kind))])];
        if let Some(note) = note_on(self.notes, &from.name, from.kind) {
            let target = Some(self.listed(&into, None));
            let edits = vec![NoteEdit::Set(NoteField::MergedInto, target)];
            changes.push(NoteChange { name: note.name.clone(), kind: note.kind, edits });
        }
        Ok(Planned { changes, said: format!("{from} is one with {into}") })
    }

    fn rename(&self, name: &str, new: &str) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let new = one_line(new)?;
        let taken = self.graph.by_name(new).into_iter().find(|entity| {
            let known = self.graph.entity(*entity);
            Some(*entity) != subject.entity && known.name == new && Some(known.kind) == subject.kind
        });
        if taken.is_some() || note_on(self.notes, new, subject.kind).is_some_and(|note| note.name != subject.name) {
            return Err(refused(
                format!("there is another {} called {new}", subject.kind.map_or("entity", EntityKind::word)),
                "`kioku entity merge` makes two entities one",
            ));
        }
        let mut edits = vec![NoteEdit::Set(NoteField::Name, Some(new.to_owned()))];
        // With a `name:` the brackets of a file's name say nothing any more.
        edits.extend(subject.kind.map(|kind| NoteEdit::Set(NoteField::Kind, Some(kind.word().to_owned()))));
        if new != subject.name {
            edits.push(NoteEdit::Add(NoteList::Aliases, subject.name.clone()));
        }
        edits.push(NoteEdit::Take(NoteList::Aliases, new.to_owned()));
        let said = format!("{subject} is called {new}");
        Ok(Planned { changes: vec![change(&subject, edits)], said })
    }

    fn alias(&self, name: &str, alias: &str, remove: bool) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let alias = one_line(alias)?;
        if remove {
            let known = note_on(self.notes, &subject.name, subject.kind);
            if !known.is_some_and(|note| note.aliases.iter().any(|other| other == alias)) {
                return Err(refused(
                    format!("`{alias}` is no alias that was given to {subject}"),
                    "`kioku entity notes` shows what was given",
                ));
            }
            let edits = vec![NoteEdit::Take(NoteList::Aliases, alias.to_owned())];
            return Ok(Planned {
                changes: vec![change(&subject, edits)],
                said: format!("{alias} is no name of {subject}"),
            });
        }
        let (bare, _) = name_and_kind(alias);
        if let Some(note) = self.notes.iter().find(|note| note.name == bare && note.name != subject.name) {
            return Err(refused(
                format!("{} has a note of its own", note.name),
                "`kioku entity merge` makes two entities one",
            ));
        }
        let edits = vec![NoteEdit::Add(NoteList::Aliases, alias.to_owned())];
        Ok(Planned { changes: vec![change(&subject, edits)], said: format!("{alias} is a name of {subject}") })
    }

    fn kind(&self, name: &str, kind: EntityKind) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let said =
            format!("{subject} is {} {}", if kind.word().starts_with(['e', 'o']) { "an" } else { "a" }, kind.word());
        let mut edits = vec![NoteEdit::Set(NoteField::Kind, Some(kind.word().to_owned()))];
        // Said of the one of that kind, so that a mark elsewhere does not bring it back.
        if let Some(before) = subject.kind.filter(|before| *before != kind) {
            edits.push(NoteEdit::Add(NoteList::Merged, format!("{} ({})", subject.name, before.word())));
        }
        edits.push(NoteEdit::Take(NoteList::Merged, format!("{} ({})", subject.name, kind.word())));
        let present = note_on(self.notes, &subject.name, subject.kind);
        let changes =
            vec![NoteChange { name: subject.name.clone(), kind: present.map_or(Some(kind), |note| note.kind), edits }];
        Ok(Planned { changes, said })
    }

    fn hide(&self, name: &str, hidden: bool) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let said = if hidden { format!("{subject} is hidden") } else { format!("{subject} is shown") };
        let edits = vec![NoteEdit::Set(NoteField::Hidden, hidden.then(|| "true".to_owned()))];
        Ok(Planned { changes: vec![change(&subject, edits)], said })
    }

    fn judge(
        &self,
        source: &str,
        kind: RelationKind,
        target: &str,
        entry: Option<EntryId>,
        judgement: Judgement,
    ) -> Result<Planned, CurationError> {
        let (source, target) = (self.subject(source)?, self.subject(target)?);
        let verdict = Verdict { kind, target: self.listed(&target, None), entry };
        let (add, take, word) = match judgement {
            Judgement::Accepted => (NoteList::Accept, NoteList::Reject, "accepted"),
            Judgement::Rejected => (NoteList::Reject, NoteList::Accept, "rejected"),
        };
        let edits = vec![NoteEdit::Take(take, verdict.to_string()), NoteEdit::Add(add, verdict.to_string())];
        let said = format!("{word}: {} {verdict}", source.name);
        Ok(Planned { changes: vec![change(&source, edits)], said })
    }

    fn distinct(&self, name: &str, other: &str) -> Result<Planned, CurationError> {
        let (subject, other) = (self.subject(name)?, self.subject(other)?);
        if (&subject.name, subject.kind) == (&other.name, other.kind) {
            return Err(refused(format!("{subject} is one entity"), "name two"));
        }
        let edits = vec![NoteEdit::Add(NoteList::DistinctFrom, self.listed(&other, None))];
        Ok(Planned { changes: vec![change(&subject, edits)], said: format!("{subject} and {other} are two") })
    }

    fn subject(&self, typed: &str) -> Result<Subject, CurationError> {
        subject(self.graph, self.notes, typed)
    }

    /// A name as a list has it: with its kind where it would be read as another's without. `beside`: the kind of the note.
    fn listed(&self, subject: &Subject, beside: Option<EntityKind>) -> String {
        let homonyms = self.graph.by_name(&subject.name);
        let alone = homonyms.iter().all(|entity| Some(*entity) == subject.entity);
        match subject.kind {
            Some(kind) if !alone && (beside != Some(kind)) => format!("{} ({})", subject.name, kind.word()),
            _ => subject.name.clone(),
        }
    }
}

fn change(subject: &Subject, edits: Vec<NoteEdit>) -> NoteChange {
    NoteChange { name: subject.name.clone(), kind: subject.kind, edits }
}

fn refused(reason: String, hint: &str) -> CurationError {
    CurationError::Refused { reason, hint: hint.to_owned() }
}

/// A name that can stand in a list.
fn one_line(name: &str) -> Result<&str, CurationError> {
    let name = name.trim();
    if name.is_empty() || name.contains(char::is_control) {
        return Err(refused("a name is one line of plain text".to_owned(), "quote it: 'Linh Nguyễn'"));
    }
    Ok(name)
}

fn subject(graph: &GraphView, notes: &[EntityNote], typed: &str) -> Result<Subject, CurationError> {
    let (name, kind) = typed_name(typed);
    let fits = |found: Option<EntityKind>| kind.is_none() || found == kind;
    let entities = graph.by_name(name);
    let of_kind: Vec<EntityRef> =
        entities.iter().copied().filter(|entity| fits(Some(graph.entity(*entity).kind))).collect();
    let subjects: Vec<Subject> = of_kind
        .into_iter()
        .map(|entity| {
            let known = graph.entity(entity);
            Subject { name: known.name.clone(), kind: Some(known.kind), entity: Some(entity) }
        })
        .collect();
    // Of several the one that is called just so, not only by an alias.
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

/// `Hanoi (place)` and `place:Hanoi` as name and kind.
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
