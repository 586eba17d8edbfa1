//! The third column: entries related to the one with the focus, or to the text being written.

use std::time::Duration;

use jiff::civil;
use ratatui::layout::Rect;

use crate::{
    insight::related_entries::RelatedEntries,
    journal::{DraftId, EntryId},
    session::{Answer, Ask, Reply},
    tui::{AsyncQuery, Linked, LinkedLines, Role, Styled, UpdateContext, linked::quoted},
};

/// Shorter texts are related to everything.
const FEWEST_WORDS: usize = 4;

/// The column with its request.
#[derive(Debug, Default)]
pub struct Related {
    /// Hidden while reading.
    pub hidden: bool,
    /// Shown while writing.
    pub while_writing: bool,
    pub query_state: AsyncQuery,
    pub lines: LinkedLines<EntryId>,
    /// The text of the last request.
    pub asked: Option<(Option<EntryId>, String)>,
    /// The text being written when it last changed.
    pub written: Option<(DraftId, u64)>,
    /// When the text being written is asked about, unless it changes before.
    pub due: Option<Duration>,
    pub area: Rect,
}

impl Related {
    /// Requests what is related to a text, unless it is known for the current index.
    pub fn ask(&mut self, own: Option<EntryId>, text: String, cx: &mut UpdateContext<'_>) {
        if text.split_whitespace().count() < FEWEST_WORDS {
            return self.clear();
        }
        let asked = Some((own, text));
        let is_same = self.asked == asked;
        if is_same && !self.query_state.is_idle() && !self.query_state.is_behind(cx.view) {
            return;
        }
        self.asked = asked;
        let Some((own, text)) = self.asked.clone() else { return };
        let ask = Ask::Related { text, own, now: cx.now() };
        // The lines of the entry before stay until the answer is there, so that nothing flickers.
        self.query_state.renew(ask, cx);
    }

    pub fn clear(&mut self) {
        self.asked = None;
        self.query_state.forget();
        self.lines.set(Vec::new());
    }

    /// The journal becomes visible again: a request of another pane may have replaced its own.
    pub fn resume(&mut self) {
        if self.query_state.is_waiting() {
            self.query_state.forget();
            self.written = None;
        }
    }

    pub fn take(&mut self, reply: &Reply, today: civil::Date) {
        let is_answer = self.query_state.take(reply);
        if let Some(Answer::Related(related)) = self.query_state.known().filter(|_| is_answer) {
            self.lines.set(lines(related, today));
            self.lines.select(0);
        }
    }
}

fn lines(related: &RelatedEntries, today: civil::Date) -> Vec<Linked<EntryId>> {
    let mut lines = Vec::new();
    if !related.by_meaning.is_empty() {
        lines.push(Linked::plain(0, Styled::of("Close in meaning", Role::Dim)));
    }
    for said in &related.by_meaning {
        lines.extend([quoted(said, 0, today), Linked::blank()]);
    }
    for (nth, shared) in related.by_names.iter().enumerate() {
        if nth == 0 || related.by_names[nth - 1].names != shared.names {
            lines.push(Linked::plain(0, Styled::of(&shared.names.join(", "), Role::Accent)));
        }
        lines.extend([quoted(&shared.said, 0, today), Linked::blank()]);
    }
    lines
}
