//! The user's decisions on names and relations: the front matter of `entities/<Name>.md` (design 3, Curated entities).
//!
//! Lists have one item per line, so that git merges them by line. Unknown keys and the text below the front matter stay
//! unchanged.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::{
    BodyHash, EntityKind, EntityNote, FileStamp, NoteEdit, Vault, VaultError, files,
    folders::NOTES as FOLDER,
    note::{NoteText, name_of_file},
    note_on,
};
use crate::paths;

/// Edits to the note on one entity. The note is created if there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteChange {
    pub name: String,
    /// Distinguishes notes on homonyms; a new note gets it as its `type:`.
    pub kind: Option<EntityKind>,
    pub edits: Vec<NoteEdit>,
}

/// Undo of the change to one note: restores the front matter byte for byte if it is unchanged since, or else applies
/// the inverse edits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteUndo {
    pub file: String,
    /// The previous front matter, fences included; `None` if there was no note.
    before: Option<String>,
    /// Hash of the front matter after the change.
    after: BodyHash,
    edits: Vec<NoteEdit>,
}

/// The result of adding a note from elsewhere.
#[derive(Debug, PartialEq, Eq)]
pub enum AddedNote {
    Added,
    /// A note with the same text was there.
    Same,
    /// A note with another text is in this file, and was kept.
    Differs(PathBuf),
}

impl Vault {
    /// Writes a note that is not there yet, for an import.
    ///
    /// # Errors
    /// A file name that is no note's, a folder that a link leads out of the vault.
    pub fn add_note(&self, file: &str, text: &[u8]) -> Result<AddedNote, VaultError> {
        let _lock = self.lock()?;
        let path = self.note_path(file)?;
        Ok(match files::read(&path)? {
            None => {
                self.make_private(FOLDER)?;
                files::replace(&path, text)?;
                AddedNote::Added
            }
            Some(present) if present == text => AddedNote::Same,
            Some(_) => AddedNote::Differs(path),
        })
    }

    /// Every note, by file name.
    pub fn entity_notes(&self) -> Result<Vec<EntityNote>, VaultError> {
        let mut notes = Vec::new();
        for name in self.named_in(FOLDER, is_note)? {
            let Some(bytes) = files::read(&self.note_path(&name)?)? else { continue };
            notes.push(NoteText::of(&String::from_utf8_lossy(&bytes)).note(&name));
        }
        Ok(notes)
    }

    /// The stamps of the notes' files, sorted by name. A change shows in the stamps without reading the files.
    pub fn note_stamps(&self) -> Result<Vec<FileStamp>, VaultError> {
        self.stamps_in(&self.notes_folder(), &self.named_in(FOLDER, is_note)?)
    }

    /// The folder of the notes, `root/entities`, which need not exist.
    pub fn notes_folder(&self) -> PathBuf {
        self.options().root.join(FOLDER)
    }

    /// Changes the note on `name`, and creates it if there is none. `kind` selects among notes on homonyms. Returns the
    /// note and the inverse edits.
    #[cfg(any(test, feature = "lab"))]
    pub fn curate(
        &self,
        name: &str,
        kind: Option<EntityKind>,
        edits: &[NoteEdit],
    ) -> Result<(EntityNote, Vec<NoteEdit>), VaultError> {
        let change = NoteChange { name: name.to_owned(), kind, edits: edits.to_vec() };
        let mut changed = self.curate_all(std::slice::from_ref(&change))?;
        let (note, undo) = changed.remove(0);
        Ok((note, undo.edits))
    }

    /// Changes several notes under one lock. Returns each changed note once, with its undo.
    pub fn curate_all(&self, changes: &[NoteChange]) -> Result<Vec<(EntityNote, NoteUndo)>, VaultError> {
        let _lock = self.lock()?;
        let planned = self.planned(changes)?;
        for plan in planned.iter().filter(|plan| plan.present.as_deref() != Some(&plan.text.text())) {
            files::create_dir(&self.notes_folder())?;
            let path = self.note_path(&plan.file)?;
            let text = plan.text.text();
            // Another program, which does not use our lock, may have written the note since it was read.
            match &plan.present {
                Some(present) => files::replace_if(&path, &plan.file, present.as_bytes(), text.as_bytes())?,
                None if files::create(&path, text.as_bytes())? => {}
                None => return Err(VaultError::Changed { id: plan.file.as_str().into(), path }),
            }
        }
        Ok(planned.into_iter().map(|plan| (plan.text.note(&plan.file), plan.undo())).collect())
    }

    /// Preview: every note as it would be after these changes. Writes nothing.
    pub fn notes_after(&self, changes: &[NoteChange]) -> Result<Vec<EntityNote>, VaultError> {
        let mut notes = self.entity_notes()?;
        for plan in self.planned(changes)? {
            put_note(&mut notes, plan.text.note(&plan.file));
        }
        Ok(notes)
    }

    /// Undoes changes. A note that is unchanged since is restored byte for byte (or removed, if the change created it);
    /// in any other note the single edits are undone. A note that was removed since is not created again.
    pub fn uncurate(&self, undo: &[NoteUndo]) -> Result<(), VaultError> {
        let _lock = self.lock()?;
        for undo in undo.iter().rev() {
            let path = self.note_path(&undo.file)?;
            let Some(present) = self.note_bytes(&undo.file)? else { continue };
            let mut note = NoteText::of(&present);
            let untouched = BodyHash::of(note.front_text().as_bytes()) == undo.after;
            // An unchanged front matter is restored byte for byte; the text below is not part of it.
            let edits = undo.edits.iter().filter(|edit| !untouched || matches!(edit, NoteEdit::Write { .. }));
            edits.for_each(|edit| {
                note.apply(edit);
            });
            match &undo.before {
                None if untouched && note.notes.is_empty() => {
                    files::remove(&path)?;
                    continue;
                }
                before if untouched => {
                    note = NoteText::of(&format!("{}{}", before.as_deref().unwrap_or_default(), note.notes));
                }
                _ => {}
            }
            let text = note.text();
            if text != present {
                files::replace_if(&path, &undo.file, present.as_bytes(), text.as_bytes())?;
            }
        }
        Ok(())
    }

    fn planned(&self, changes: &[NoteChange]) -> Result<Vec<Plan>, VaultError> {
        let mut notes = self.entity_notes()?;
        let mut plans: Vec<Plan> = Vec::new();
        for change in changes {
            let known = note_on(&notes, &change.name, change.kind).map(|note| note.file.clone());
            let file = known.unwrap_or_else(|| new_file(&change.name, change.kind, &notes));
            let at = match plans.iter().position(|plan| plan.file == file) {
                Some(at) => at,
                None => {
                    plans.push(Plan::of(&file, self.note_bytes(&file)?));
                    plans.len() - 1
                }
            };
            plans[at].apply(change);
            put_note(&mut notes, plans[at].text.note(&file));
        }
        Ok(plans)
    }

    /// The path of a note. The name may come from a synced log, so a path that leaves the folder is refused.
    pub(super) fn note_path(&self, file: &str) -> Result<PathBuf, VaultError> {
        if !is_note(file) || file.contains(['/', '\\']) {
            return Err(VaultError::Absent { what: "note", id: file.to_owned(), path: self.notes_folder() });
        }
        self.path_in(FOLDER, file)
    }

    /// A note's text. Bytes that are not UTF-8 are an error, because a rewrite would lose them.
    fn note_bytes(&self, file: &str) -> Result<Option<String>, VaultError> {
        let path = self.note_path(file)?;
        let refused = |_| VaultError::Refused {
            path: path.clone(),
            line: 1,
            reason: "it holds bytes that are not UTF-8".to_owned(),
        };
        files::read(&path)?.map(|bytes| String::from_utf8(bytes).map_err(refused)).transpose()
    }
}

fn is_note(file: &str) -> bool {
    file.ends_with(".md")
}

/// A planned change of one note.
struct Plan {
    file: String,
    present: Option<String>,
    text: NoteText,
    /// The inverse edits, in reverse order.
    back: Vec<NoteEdit>,
}

impl Plan {
    fn of(file: &str, present: Option<String>) -> Self {
        let text = NoteText::of(present.as_deref().unwrap_or_default());
        Self { file: file.to_owned(), present, text, back: Vec::new() }
    }

    fn apply(&mut self, change: &NoteChange) {
        if self.present.is_none() && self.text.front_text().is_empty() {
            if name_of_file(&self.file).0 != change.name {
                self.text.set("name", Some(&change.name));
            }
            if let Some(kind) = change.kind {
                self.text.set("type", Some(kind.word()));
            }
        }
        for edit in &change.edits {
            if let Some(inverse) = self.text.apply(edit) {
                self.back.insert(0, inverse);
            }
        }
    }

    fn undo(self) -> NoteUndo {
        let before = self.present.map(|text| NoteText::of(&text).front_text());
        NoteUndo { file: self.file, before, after: BodyHash::of(self.text.front_text().as_bytes()), edits: self.back }
    }
}

fn put_note(notes: &mut Vec<EntityNote>, note: EntityNote) {
    match notes.iter_mut().find(|known| known.file == note.file) {
        Some(known) => *known = note,
        None => notes.push(note),
    }
}

/// An unused file name. The comparison ignores case and the composition of characters, because some file systems do.
fn new_file(name: &str, kind: Option<EntityKind>, notes: &[EntityNote]) -> String {
    let safe = safe_stem(name);
    let spelled = |file: &str| file.nfc().collect::<String>().to_lowercase();
    let free = |file: &String| notes.iter().all(|note| spelled(&note.file) != spelled(file));
    let homonym = kind.map(|kind| format!("{safe} ({}).md", kind.word()));
    let numbered = (2..).map(|n| format!("{safe} {n}.md"));
    let mut candidates = std::iter::once(format!("{safe}.md")).chain(homonym).chain(numbered);
    candidates.find(free).expect("there are more numbers than files")
}

/// Replaces characters that some operating system forbids in file names by `_`.
fn safe_stem(name: &str) -> String {
    const LONGEST: usize = 200;
    let unsafe_char = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    let mut stem: String = name.chars().map(|c| if unsafe_char(c) { '_' } else { c }).collect();
    stem.truncate(stem.floor_char_boundary(LONGEST));
    let trimmed = stem.trim_matches([' ', '.']);
    if trimmed.is_empty() || paths::is_reserved_name(trimmed) { format!("_{trimmed}") } else { trimmed.to_owned() }
}

#[cfg(test)]
#[path = "curation_tests.rs"]
mod tests;
