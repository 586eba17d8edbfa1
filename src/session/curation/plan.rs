//! Translation of a curation action into changes of notes.

use super::{
    action::Curating,
    subject::{Subject, subject},
};
use crate::{
    extract::fold_case,
    index::graph::{GraphView, Judgement},
    journal::{
        EntityKind, EntityNote, EntryId, NoteChange, NoteEdit, NoteField, NoteList, RelationKind, Verdict,
        name_and_kind, note_on,
    },
    session::error::CurationError,
};

/// Planned changes of notes, with a description.
pub(super) struct Planned {
    pub changes: Vec<NoteChange>,
    pub said: String,
}

/// The current graph and notes, from which a plan is made.
pub(super) struct Planning<'a> {
    pub graph: &'a GraphView,
    pub notes: &'a [EntityNote],
}

impl Planning<'_> {
    pub fn plan(&self, curating: &Curating, statement: Option<EntryId>) -> Result<Planned, CurationError> {
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
            Curating::Note { name, base, text } => self.note(name, base, text),
        }
    }

    fn merge(&self, from: &str, into: &str) -> Result<Planned, CurationError> {
        let (from, into) = (self.subject(from)?, self.subject(into)?);
        if (&from.name, from.kind) == (&into.name, into.kind) {
            return Err(refused(format!("cannot merge {from} with itself"), "give two different entities"));
        }
        let mut changes = vec![change(&into, vec![NoteEdit::Add(NoteList::Merged, self.listed(&from, into.kind))])];
        if let Some(note) = note_on(self.notes, &from.name, from.kind) {
            let target = Some(self.listed(&into, None));
            let edits = vec![NoteEdit::Set(NoteField::MergedInto, target)];
            changes.push(NoteChange { name: note.name.clone(), kind: note.kind, edits });
        }
        Ok(Planned { changes, said: format!("{from} is the same as {into}") })
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
                "`kioku entity merge` merges two entities",
            ));
        }
        let mut edits = vec![NoteEdit::Set(NoteField::Name, Some(new.to_owned()))];
        // If a note has a `name:`, the kind in its file name is ignored: write the kind as well.
        edits.extend(subject.kind.map(|kind| NoteEdit::Set(NoteField::Kind, Some(kind.word().to_owned()))));
        if new != subject.name {
            edits.push(NoteEdit::Add(NoteList::Aliases, subject.name.clone()));
        }
        edits.push(NoteEdit::Take(NoteList::Aliases, new.to_owned()));
        let said = format!("{subject} is called {new}, wherever it is written");
        Ok(planned(&subject, edits, said))
    }

    fn alias(&self, name: &str, alias: &str, remove: bool) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let alias = one_line(alias)?;
        if remove {
            let known = note_on(self.notes, &subject.name, subject.kind);
            if !known.is_some_and(|note| note.aliases.iter().any(|other| other == alias)) {
                return Err(refused(
                    format!("the note on {subject} has no alias `{alias}`"),
                    "`kioku entity notes` shows your aliases",
                ));
            }
            let edits = vec![NoteEdit::Take(NoteList::Aliases, alias.to_owned())];
            return Ok(planned(&subject, edits, format!("{alias} is not an alias of {subject}")));
        }
        let (bare, _) = name_and_kind(alias);
        if let Some(note) = self.notes.iter().find(|note| note.name == bare && note.name != subject.name) {
            return Err(refused(
                format!("{} is another entity, with its own note", note.name),
                "`kioku entity merge` merges two entities",
            ));
        }
        let edits = vec![NoteEdit::Add(NoteList::Aliases, alias.to_owned())];
        Ok(planned(&subject, edits, format!("{alias} is an alias of {subject}")))
    }

    fn kind(&self, name: &str, kind: EntityKind) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let said =
            format!("{subject} is {} {}", if kind.word().starts_with(['e', 'o']) { "an" } else { "a" }, kind.word());
        let mut edits = vec![NoteEdit::Set(NoteField::Kind, Some(kind.word().to_owned()))];
        // Merge the entity of the old kind, so that a mark in another text does not create it again.
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
        let said = if hidden { format!("{subject} is hidden") } else { format!("{subject} is not hidden") };
        let edits = vec![NoteEdit::Set(NoteField::Hidden, hidden.then(|| "true".to_owned()))];
        Ok(planned(&subject, edits, said))
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
        let how = if kind == RelationKind::Causal { String::new() } else { format!(" ({})", kind.word()) };
        let said = format!("{} → {}{how} {word}", source.name, target.name);
        Ok(planned(&source, edits, said))
    }

    fn distinct(&self, name: &str, other: &str) -> Result<Planned, CurationError> {
        let typed = [name, other];
        let (subject, other) = (self.subject(name)?, self.subject(other)?);
        if let Some(alias) = self.joined_unasked(&subject, &other, typed) {
            let edits = vec![NoteEdit::Add(NoteList::DistinctFrom, alias.clone())];
            return Ok(planned(&subject, edits, format!("{subject} and {alias} are different")));
        }
        if (&subject.name, subject.kind) == (&other.name, other.kind) {
            return Err(refused(format!("both names mean {subject}"), "give two different entities"));
        }
        let edits = vec![NoteEdit::Add(NoteList::DistinctFrom, self.listed(&other, None))];
        Ok(planned(&subject, edits, format!("{subject} and {other} are different")))
    }

    fn note(&self, name: &str, base: &str, text: &str) -> Result<Planned, CurationError> {
        let subject = self.subject(name)?;
        let edits = vec![NoteEdit::Write { base: base.to_owned(), text: text.to_owned() }];
        Ok(planned(&subject, edits, format!("a note on {subject}")))
    }

    /// The typed name, if any, that the graph merged automatically into the other's entity (`Anna` into `Anna Berg`),
    /// without a note of the user.
    fn joined_unasked(&self, subject: &Subject, other: &Subject, typed: [&str; 2]) -> Option<String> {
        let entity = subject.entity.filter(|entity| Some(*entity) == other.entity)?;
        let known = self.graph.entity(entity);
        let said = |name: &str| {
            self.notes.iter().flat_map(|note| note.aliases.iter().chain(&note.merged)).any(|item| item == name)
        };
        let differs = |name: &&str| fold_case(name) != fold_case(&known.name);
        let alias = typed.into_iter().find(differs)?;
        let alias = known.aliases.iter().find(|known| fold_case(known) == fold_case(alias))?;
        (!said(alias)).then(|| alias.clone())
    }

    fn subject(&self, typed: &str) -> Result<Subject, CurationError> {
        subject(self.graph, self.notes, typed)
    }

    /// The name as an item of a list: with its kind if there are homonyms. `beside` is the kind of the note that
    /// contains the list.
    fn listed(&self, subject: &Subject, beside: Option<EntityKind>) -> String {
        let homonyms = self.graph.by_name(&subject.name);
        let alone = homonyms.iter().all(|entity| Some(*entity) == subject.entity);
        match subject.kind {
            Some(kind) if !alone && (beside != Some(kind)) => format!("{} ({})", subject.name, kind.word()),
            _ => subject.name.clone(),
        }
    }
}

/// A change of the note on one subject.
fn planned(subject: &Subject, edits: Vec<NoteEdit>, said: String) -> Planned {
    Planned { changes: vec![change(subject, edits)], said }
}

fn change(subject: &Subject, edits: Vec<NoteEdit>) -> NoteChange {
    NoteChange { name: subject.name.clone(), kind: subject.kind, edits }
}

fn refused(reason: String, hint: &str) -> CurationError {
    CurationError::Refused { reason, hint: hint.to_owned() }
}

/// Checks that a name fits in one line.
fn one_line(name: &str) -> Result<&str, CurationError> {
    let name = name.trim();
    if name.is_empty() || name.contains(char::is_control) {
        return Err(refused("a name is one line of plain text".to_owned(), "quote it: 'Linh Nguyễn'"));
    }
    Ok(name)
}
