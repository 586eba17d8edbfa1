//! Deleted, replaced and vanished entries, newest first; one key puts the selected one back.

use std::sync::Arc;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span, Text},
};

use crate::{
    journal::{TrashReason, Trashed},
    session::{DayLine, Reply, Request, Ticket, Written},
    tui::{
        command::Command,
        event::Mouse,
        panes::Pane,
        render_context::RenderContext,
        theme::Role,
        update_context::UpdateContext,
        widgets::{
            boxed::{Boxed, Pointed},
            cells,
            list::ListState,
        },
    },
};

#[derive(Default)]
pub struct TrashList {
    /// `None` until the session answered.
    trash: Option<Vec<Trashed>>,
    error: Option<String>,
    asked: Option<Ticket>,
    restoring: Option<Ticket>,
    list: ListState,
    boxed: Boxed,
    /// The days when it was read: what another program deletes changes them.
    seen: Arc<Vec<DayLine>>,
}

impl TrashList {
    fn len(&self) -> usize {
        self.trash.as_ref().map_or(0, Vec::len)
    }

    fn selected(&self) -> Option<&Trashed> {
        self.trash.as_ref()?.get(self.list.selected())
    }

    fn can_restore(&self) -> bool {
        self.selected().is_some() && self.restoring.is_none()
    }

    fn read(&mut self, cx: &mut UpdateContext<'_>) {
        self.seen = Arc::clone(&cx.view.days);
        self.asked = Some(cx.send(Request::Trash));
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
        Command::new("trash.down", &["j", "down"], "Next", |t: &mut Self, _| t.list.step(1, t.len())).hint("next"),
        Command::new("trash.up", &["k", "up"], "Previous", |t: &mut Self, _| t.list.step(-1, t.len())),
        Command::new("trash.page-down", &["pagedown"], "Page down", |t: &mut Self, _| t.list.page(1, t.len())),
        Command::new("trash.page-up", &["pageup"], "Page up", |t: &mut Self, _| t.list.page(-1, t.len())),
        Command::new("trash.close", &["esc", "q"], "Close", |_, cx| cx.close()).hint("close"),
    ];

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let height = (self.len() as u16).saturating_mul(3).max(1).saturating_add(2);
        let inside = super::popup(frame, area, context, Self::TITLE, 96, height);
        self.boxed = Boxed::of(inside);
        let Some(trash) = self.trash.as_ref().filter(|trash| !trash.is_empty()) else {
            let line = match (&self.error, &self.trash) {
                (Some(error), _) => Line::styled(error.as_str(), context.style(Role::Error)),
                (None, Some(_)) => Line::styled("The trash is empty.", context.style(Role::Dim)),
                (None, None) => Line::styled("Reading the trash …", context.style(Role::Dim)),
            };
            frame.render_widget(line, inside);
            return;
        };
        let visible = self.list.visible(trash.len(), usize::from(inside.height), |_| 3);
        for (nth, row) in visible.enumerate() {
            let one = &trash[row];
            let area = Rect { y: inside.y + nth as u16 * 3, height: 2, ..inside }.intersection(inside);
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
            if row == self.list.selected() {
                frame.buffer_mut().set_style(area, context.style(Role::Selected));
            }
        }
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.read(cx);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        match reply {
            Reply::Trash { ticket, trash } if Some(*ticket) == self.asked => {
                self.trash = Some(trash.clone());
                self.error = None;
            }
            Reply::Written { ticket, done: Written::Restored(entry) } if Some(*ticket) == self.restoring => {
                self.restoring = None;
                cx.done(format!("Put back: {}", entry.time.local().strftime("%Y-%m-%d %H:%M")));
                self.read(cx);
            }
            Reply::ViewChanged if !Arc::ptr_eq(&self.seen, &cx.view.days) => self.read(cx),
            Reply::Failed { ticket, error } if Some(*ticket) == self.asked => self.error = Some(error.to_string()),
            Reply::Failed { ticket, .. } if Some(*ticket) == self.restoring => self.restoring = None,
            _ => {}
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        let len = self.len();
        match self.boxed.point(mouse, &mut self.list, len, |_| 3) {
            Pointed::Away => cx.close(),
            Pointed::Again if self.can_restore() => self.restore(cx),
            Pointed::Again | Pointed::Elsewhere => {}
        }
    }
}
