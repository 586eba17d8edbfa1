//! Unsaved drafts, shown one at a time until they are resumed or discarded.

use super::day_notice::{DayKey, DayNotice, keys_width};
use crate::{
    journal::{Draft, DraftId, word_count},
    session::Ticket,
    tui::{RenderContext, Role, cells, counted, drafts},
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

    /// Adds the drafts found on disk.
    pub fn found(&mut self, drafts: &[Draft]) {
        self.asked = None;
        for draft in drafts {
            if !self.drafts.iter().any(|known| known.id == draft.id) {
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

    /// The draft being shown with the number of the others, in the longest form for which there is room.
    pub fn notice(&self, width: usize, context: &RenderContext<'_>) -> Option<DayNotice> {
        const KEYS: &[DayKey] = &[("journal.continue-draft", " continues, "), ("journal.discard-draft", " discards")];
        let more = match self.drafts.len() {
            0 | 1 => String::new(),
            more => format!(" (and {} more)", more - 1),
        };
        let [long, middle, short] = names(self.first()?).map(|name| name + &more);
        let fits = |text: &String| cells::text_width(text) + keys_width(KEYS, context) + 2 <= width;
        let text = [long, middle].into_iter().find(fits).unwrap_or(short);
        Some(DayNotice { words: vec![(text, Role::Warn), (": ".to_owned(), Role::Dim)], keys: KEYS })
    }
}

/// "draft" or "edit".
pub fn kind(draft: &Draft) -> &'static str {
    if draft.editing.is_some() { "edit" } else { "draft" }
}

/// "unsaved draft, 12 words, 2026-11-20 15:30", and shorter forms of it.
pub fn names(draft: &Draft) -> [String; 3] {
    let (what, words) = (kind(draft), counted(word_count(&draft.body), "word", "words"));
    let from = drafts::begun(&draft.id).map_or(String::new(), |(day, time)| format!(", {day} {time}"));
    [format!("unsaved {what}, {words}{from}"), format!("unsaved {what}, {words}"), format!("unsaved {what}")]
}
