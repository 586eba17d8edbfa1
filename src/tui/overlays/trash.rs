//! Trash: deleted, replaced and vanished entries, newest first; one key restores the selected one.

use std::sync::Arc;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span, Text},
};

use crate::{
    journal::{TrashReason, Trashed, prose},
    session::{DayLine, Reply, Request, Response, Ticket, Written},
    tui::{
        Command, Pane, Pending, Picker, RenderContext, Role, Screen, Styled, UpdateContext, cells, notice, split_bottom,
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

/// Number of rows for the text of the selected one, where the list keeps as many.
const PREVIEW: u16 = 6;
/// Bytes of a text that its line in the list shows on every screen.
const LINE: usize = 70;
/// Bytes of a text shown before the place where it differs from another version.
const BEFORE: usize = 60;

/// The text of the selected one, from near the first difference to another version of the same entry on.
fn preview(trash: &[Trashed], one: &Trashed) -> Styled {
    let text = prose(&one.entry.body);
    let is_version = |other: &&Trashed| other.entry.id == one.entry.id && other.handle != one.handle;
    let common = trash.iter().find(is_version).map_or(0, |other| {
        let other = prose(&other.entry.body);
        let same = text.chars().zip(other.chars()).take_while(|(a, b)| a == b);
        same.map(|(c, _)| c.len_utf8()).sum()
    });
    let from = text[..text.floor_char_boundary(common.saturating_sub(BEFORE))].rfind(' ').map_or(0, |at| at + 1);
    Styled::of(if from > 0 { "… " } else { "" }, Role::Dim).and(&text[from..], Role::Text)
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
            .hint("restore"),
        Command::new("trash.close", &["esc", "q"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for TrashList {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let height = (self.rows.list.len() as u16).saturating_mul(3).max(1).saturating_add(2);
        let is_cut = |trashed: &Trashed| trashed.entry.body.len() > LINE;
        let rows = if self.trash.answer().is_some_and(|trash| trash.iter().any(is_cut)) { PREVIEW } else { 0 };
        let height = height.saturating_add(rows);
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 96, height);
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
            let body = prose(&one.entry.body);
            let text = Text::from(vec![head, Line::raw(cells::truncate(&body, usize::from(area.width)))]);
            frame.render_widget(text, area);
        };
        let rows = if inside.height >= rows + 3 { rows } else { 0 };
        let (list, place) = split_bottom(inside, rows);
        self.rows.draw(frame, list, context, |_| 3, paint);
        if let Some(one) = trash.get(self.rows.list.selected()) {
            preview(trash, one).paint(frame.buffer_mut(), place, context, Role::Text);
        }
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        Some(&mut self.rows)
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.read(cx);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let trash =
            |response: &Response| if let Response::Trash(trash) = response { Some(trash.clone()) } else { None };
        if self.trash.take_as(reply, trash) {
            self.rows.list.set_len(self.trash.answer().map_or(0, Vec::len));
        }
        if let Some(Response::Written(Written::Restored(entry))) = reply.settles(&mut self.restoring) {
            cx.done(format!("Restored {}", entry.time.day_and_clock()));
            self.read(cx);
        } else if matches!(reply, Reply::ViewChanged) && !Arc::ptr_eq(&self.seen, &cx.view.days) {
            self.read(cx);
        }
    }
}
