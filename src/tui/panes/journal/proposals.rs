//! Records proposed from the words of the entry just saved: one key keeps the first, another one drops it. Nothing is
//! written before.

use std::collections::VecDeque;

use super::day_notice::{DayKey, DayNotice, keys_width};
use crate::{
    insight::records,
    journal::{Entry, NewRecord},
    session::{Reply, Request, Response, Ticket, Written},
    tui::{RenderContext, Role, UpdateContext, cells},
};

#[derive(Debug, Default)]
pub struct Proposals {
    waiting: VecDeque<NewRecord>,
    sent: Option<Ticket>,
}

impl Proposals {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Proposes records for a new entry, if the user has switched that on.
    pub fn propose(&mut self, entry: &Entry, cx: &UpdateContext<'_>) {
        if cx.settings.propose_records && entry.record().is_none() {
            self.waiting = records::proposed(&entry.body, cx.now().date()).into();
        }
    }

    pub fn keep(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(new) = self.waiting.pop_front() {
            self.sent = Some(cx.send(Request::Remember(Box::new(new))));
        }
    }

    pub fn drop_first(&mut self) {
        self.waiting.pop_front();
    }

    pub fn take(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        match reply.settles(&mut self.sent) {
            Some(Response::Written(Written::Added(entry))) => {
                let kind = entry.record().map_or("record", |record| record.kind);
                cx.done(format!("Kept as {kind} · u undo"));
            }
            Some(Response::RecordKnown(_)) => cx.done("There already; nothing was written"),
            _ => {}
        }
    }

    /// The first proposal.
    pub fn notice(&self, width: usize, context: &RenderContext<'_>) -> Option<DayNotice> {
        const KEYS: &[DayKey] = &[("journal.keep-record", " keep  "), ("journal.drop-record", " ignore")];
        let new = self.waiting.front()?;
        let kind = format!("{}? ", new.kind.word());
        let room = width.saturating_sub(keys_width(KEYS, context) + kind.len() + 3);
        let text = cells::truncate(&new.text, room).into_owned();
        Some(DayNotice { words: vec![(kind, Role::Dim), (text + "  ", Role::Accent)], keys: KEYS })
    }
}
