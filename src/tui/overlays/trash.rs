//! Trash: deleted, replaced and vanished entries, newest first; one key restores the selected one.

use std::sync::Arc;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span, Text},
};

use crate::{
    journal::{TrashReason, Trashed},
    session::{DayLine, Reply, Request, Response, Ticket, Written},
    tui::{
        Boxed, Command, Motion, Mouse, Pane, Pending, Picker, RenderContext, Role, Screen, Styled, UpdateContext,
        cells, notice,
    },
};

#[derive(Default)]
pub struct TrashList {
    trash: Pending<Vec<Trashed>>,
    restoring: Option<Ticket>,
    rows: Picker,
    /// The days of the journal when the list was read: if another program deletes entries, they change.
    seen: Arc<Vec<DayLine>>,
}

impl TrashList {
    fn selected(&self) -> Option<&Trashed> {
        self.trash.answer()?.get(self.rows.list.selected())
    }

    fn can_restore(&self) -> bool {
        self.selected().is_some() && self.restoring.is_none()
    }

    fn read(&mut self, cx: &mut UpdateContext<'_>) {
        self.seen = Arc::clone(&cx.view.days);
        self.trash.send(Request::Trash, cx);
    }

    fn restore(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(trashed) = self.selected() {
            let request = Request::Restore { handle: trashed.handle.clone() };
            self.restoring = Some(cx.send(request));
        }
    }
}

fn reason(why: TrashReason) -> &'static str {
    match why {
        TrashReason::Edited => "edited",
        TrashReason::Deleted => "deleted",
        TrashReason::Moved => "moved",
        TrashReason::Vanished => "changed elsewhere",
    }
}

impl Pane for TrashList {
    const NAME: &'static str = "trash";
    const TITLE: &'static str = "Trash";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("trash.restore", &["enter", "r"], "Restore", Self::restore)
            .when(Self::can_restore)
            .hint("put back"),
        Command::new("trash.close", &["esc", "q"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for TrashList {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let height = (self.rows.list.len() as u16).saturating_mul(3).max(1).saturating_add(2);
        let inside = super::popup(frame, area, context, Self::TITLE, 96, height);
        self.rows.boxed = Boxed(inside);
        let Some(trash) = self.trash.answer().filter(|trash| !trash.is_empty()) else {
            let empty = || Styled::of("The trash is empty.", Role::Dim);
            let notice = notice(&self.trash, context, "Reading the trash", None).unwrap_or_else(empty);
            notice.paint(frame.buffer_mut(), inside, context, Role::Dim);
            return;
        };
        let paint = |frame: &mut Frame<'_>, row: usize, place: Rect| {
            let one = &trash[row];
            let area = Rect { height: place.height.min(2), ..place };
            let head = Line::from(vec![
                Span::styled(one.entry.time.day_and_clock(), context.style(Role::Date)),
                Span::raw("  "),
                Span::styled(
                    format!("{} {}", reason(one.why), one.trashed.local().strftime("%Y-%m-%d %H:%M")),
                    context.style(Role::Dim),
                ),
            ]);
            let body = one.entry.body.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = Text::from(vec![head, Line::raw(cells::truncate(&body, usize::from(area.width)))]);
            frame.render_widget(text, area);
        };
        self.rows.draw(frame, inside, context, |_| 3, paint);
    }

    fn go(&mut self, motion: Motion, _: &mut UpdateContext<'_>) {
        self.rows.list.go(motion);
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.read(cx);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let trash = |response: &Response| match response {
            Response::Trash(trash) => Some(trash.clone()),
            _ => None,
        };
        if self.trash.take_as(reply, trash) {
            self.rows.list.set_len(self.trash.answer().map_or(0, Vec::len));
        }
        if let Some(Response::Written(Written::Restored(entry))) = reply.settles(&mut self.restoring) {
            cx.done(format!("Put back: {}", entry.time.local().strftime("%Y-%m-%d %H:%M")));
            self.read(cx);
        } else if matches!(reply, Reply::ViewChanged) && !Arc::ptr_eq(&self.seen, &cx.view.days) {
            self.read(cx);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if super::clicked(&mut self.rows, mouse, cx) && self.can_restore() {
            self.restore(cx);
        }
    }
}
