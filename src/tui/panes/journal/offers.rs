//! Unsaved drafts, shown one at a time until they are resumed or discarded.

use crate::{
    journal::{Draft, DraftId},
    report::counted,
    session::Ticket,
    tui::drafts,
};

#[derive(Debug, Default)]
pub struct Offers {
    drafts: Vec<Draft>,
    pub asked: Option<Ticket>,
}

impl Offers {
    /// The draft being shown.
    pub fn first(&self) -> Option<&Draft> {
        self.drafts.first()
    }

    /// Adds the drafts found on disk, except the one open in the form.
    pub fn found(&mut self, drafts: &[Draft], open: Option<&DraftId>) {
        for draft in drafts {
            if Some(&draft.id) != open && !self.drafts.iter().any(|known| known.id == draft.id) {
                self.drafts.push(draft.clone());
            }
        }
    }

    /// Adds a draft that the user just left, as the first.
    pub fn left(&mut self, draft: Draft) {
        self.drafts.retain(|known| known.id != draft.id);
        self.drafts.insert(0, draft);
    }

    /// Takes the first draft that `is` wanted.
    pub fn take(&mut self, is: impl Fn(&Draft) -> bool) -> Option<Draft> {
        let at = self.drafts.iter().position(is)?;
        Some(self.drafts.remove(at))
    }

    pub fn remove(&mut self, id: &DraftId) {
        self.drafts.retain(|known| known.id != *id);
    }

    /// Whether the draft being shown is one of a new entry.
    pub fn is_new(&self) -> bool {
        self.first().is_some_and(|draft| draft.editing.is_none())
    }

    /// "unsaved draft, 12 words, 2026-11-20 15:30", and shorter forms of it.
    pub fn sentences(&self) -> Option<[String; 3]> {
        let draft = self.drafts.first()?;
        let words = counted(draft.body.split_whitespace().count(), "word", "words");
        let what = if draft.editing.is_some() { "unsaved edit" } else { "unsaved draft" };
        let from = drafts::begun(&draft.id).map_or(String::new(), |(day, time)| format!(", {day} {time}"));
        let more = match self.drafts.len() {
            1 => String::new(),
            more => format!(" (and {} more)", more - 1),
        };
        Some([format!("{what}, {words}{from}{more}"), format!("{what}, {words}{more}"), format!("{what}{more}")])
    }
}
