//! Records proposed from the words of the entry just saved: one key keeps the first, another one drops it. Nothing is
//! written before.

use ratatui::{Frame, layout::Rect};

use crate::{
    insight::records,
    journal::{Entry, NewRecord},
    session::{Reply, Request, Response, Ticket, Written},
    tui::{Pen, RenderContext, Role, UpdateContext, below, cells},
};

#[derive(Debug, Default)]
pub struct Proposals {
    waiting: Vec<NewRecord>,
    sent: Option<Ticket>,
}

impl Proposals {
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Proposes records for a new entry, if the user has switched that on.
    pub fn propose(&mut self, entry: &Entry, cx: &UpdateContext<'_>) {
        if cx.settings.propose_records && entry.record().is_none() {
            self.waiting = records::proposed(&entry.body, cx.now().date());
        }
    }

    pub fn keep(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.waiting.is_empty() {
            let new = self.waiting.remove(0);
            self.sent = Some(cx.send(Request::Remember(Box::new(new))));
        }
    }

    pub fn drop_first(&mut self) {
        if !self.waiting.is_empty() {
            self.waiting.remove(0);
        }
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

    /// Draws the first proposal above the day.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let Some(new) = self.waiting.first().filter(|_| area.height > 4) else { return area };
        let mut pen = Pen::new(area.x + 2, area.y, area.width.saturating_sub(2));
        let keys = [("journal.keep-record", " keep  "), ("journal.drop-record", " ignore")];
        let kind = format!("{}? ", new.kind.word());
        let keys_width: usize =
            keys.iter().map(|(name, what)| cells::text_width(&context.key(name)) + what.len()).sum();
        let room = usize::from(area.width).saturating_sub(keys_width + kind.len() + 5);
        pen.say(frame, context, &kind, Role::Dim);
        pen.say(frame, context, &cells::truncate(&new.text, room), Role::Accent);
        pen.say(frame, context, "  ", Role::Dim);
        for (name, what) in keys {
            pen.say(frame, context, &context.key(name), Role::Key);
            pen.say(frame, context, what, Role::Dim);
        }
        below(area, 2)
    }
}
