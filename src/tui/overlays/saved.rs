//! Saved searches of the journal; enter or a digit runs one.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    journal::SavedSearch,
    session::{Reply, Request, Response, Ticket},
    tui::{
        Command, Pane, Pending, Picker, RenderContext, Role, Screen, Styled, Target, UpdateContext, cells, notice,
        styled,
    },
};

/// Maximum width of a name in cells.
const NAME: usize = 28;

#[derive(Default)]
pub struct SavedList {
    searches: Pending<Vec<SavedSearch>>,
    changing: Option<Ticket>,
    /// A deletion here can be undone.
    deleted: bool,
    rows: Picker,
}

impl SavedList {
    fn search(&self, nth: usize) -> Option<&SavedSearch> {
        self.searches.answer()?.get(nth)
    }

    fn run(&mut self, nth: usize, cx: &mut UpdateContext<'_>) {
        if let Some(search) = self.search(nth) {
            cx.close();
            cx.open(Target { text: Some(search.query.clone()), ..Target::search() });
        }
    }

    fn delete(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(search) = self.search(self.rows.list.selected()) {
            self.changing = Some(cx.send(Request::DropSearch(search.name.clone())));
        }
    }

    fn undo(&mut self, cx: &mut UpdateContext<'_>) {
        self.deleted = false;
        self.changing = Some(cx.send(Request::Undo));
    }
}

macro_rules! nth {
    ($name:literal, $key:literal, $nth:literal) => {
        Command::new($name, &[$key], concat!("Run search ", $key), |s: &mut Self, cx: &mut UpdateContext<'_>| {
            s.run($nth, cx)
        })
        .when(|s: &Self| s.rows.list.len() > $nth)
    };
}

impl Pane for SavedList {
    const NAME: &'static str = "saved";
    const TITLE: &'static str = "Saved searches";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("saved.run", &["enter"], "Run the search", |s: &mut Self, cx| s.run(s.rows.list.selected(), cx))
            .when(|s: &Self| !s.rows.list.is_empty())
            .hint("run"),
        Command::new("saved.delete", &["d", "delete"], "Delete the saved search", Self::delete)
            .when(|s: &Self| !s.rows.list.is_empty() && s.changing.is_none())
            .hint("delete"),
        Command::new("saved.undo", &["u"], "Restore the deleted search", Self::undo)
            .when(|s: &Self| s.deleted && s.changing.is_none())
            .hint("restore"),
        nth!("saved.run-1", "1", 0),
        nth!("saved.run-2", "2", 1),
        nth!("saved.run-3", "3", 2),
        nth!("saved.run-4", "4", 3),
        nth!("saved.run-5", "5", 4),
        Command::new("saved.close", &["esc", "q"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for SavedList {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let height = if self.rows.list.is_empty() { 5 } else { (self.rows.list.len() as u16).max(2).saturating_add(2) };
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 84, height);
        let Some(searches) = self.searches.answer().filter(|searches| !searches.is_empty()) else {
            let how = format!("{} in the search saves the one in the field.", context.key("search.save"));
            let none = || vec![Styled::of("No saved searches", Role::Text), Styled::of(&how, Role::Dim)];
            let notice = notice(&self.searches, context, "Reading the saved searches", None);
            let lines = notice.map_or_else(none, |notice| vec![notice]);
            return styled::paint_all(&lines, frame.buffer_mut(), inside, context);
        };
        let room = usize::from(inside.width);
        let names =
            searches.iter().map(|search| cells::text_width(&search.name)).max().unwrap_or(0).min(NAME).min(room / 2);
        let paint = |frame: &mut Frame<'_>, row: usize, area: Rect| {
            let digit = if row < 5 { (row + 1).to_string() } else { " ".to_owned() };
            let query = cells::truncate(&searches[row].query, room.saturating_sub(names + 4));
            let spans = vec![
                Span::styled(format!("{digit} "), context.style(Role::Key)),
                Span::styled(cells::pad(&searches[row].name, names), context.style(Role::Text)),
                Span::styled(format!("  {query}"), context.style(Role::Dim)),
            ];
            frame.render_widget(Line::from(spans), area);
        };
        self.rows.draw(frame, inside, context, |_| 1, paint);
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        Some(&mut self.rows)
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.searches.send(Request::SavedSearches, cx);
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let searches = |response: &Response| {
            if let Response::SavedSearches(searches) = response { Some(searches.clone()) } else { None }
        };
        if self.searches.take_as(reply, searches) {
            self.rows.list.set_len(self.searches.answer().map_or(0, Vec::len));
        }
        let done = reply.settles(&mut self.changing);
        if let Some(Response::SearchDropped(name)) = done {
            self.deleted = true;
            cx.done(format!("Deleted {name}"));
        }
        if let Some(Response::SearchDropped(_) | Response::Written(_)) = done {
            self.searches.send(Request::SavedSearches, cx);
        }
    }
}
