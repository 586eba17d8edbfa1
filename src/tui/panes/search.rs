//! Search as you type over all three legs: a list of hits, the entry behind the selected one, and why it is there.

mod preview;
mod rows;
mod screen;
#[cfg(test)]
mod tests;
mod why;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
};

use super::Pane;
use crate::{
    journal::EntryId,
    search::{Hit, Legs},
    tui::{
        command::Command,
        cx::{Cx, Target},
        event::{Mouse, MouseKind, TextInput},
        look::{Look, Width},
        query::day_of,
        theme::Role,
        widgets::{input::Input, list::ListState},
    },
};

/// State of the search pane. The query and its answer are the application's; here is only how they are looked at.
#[derive(Default)]
pub struct Search {
    input: Input,
    typing: bool,
    by_date: bool,
    explain: bool,
    /// One column: whether the text is shown instead of the list.
    reading: bool,
    /// Positions among the hits as shown: sure ones first, then weak ones.
    order: Vec<usize>,
    /// How many of `order` are sure.
    sure: usize,
    /// The entry that was chosen by moving; the first one otherwise.
    chosen: Option<EntryId>,
    list: ListState,
    preview: preview::Preview,
    /// View state of the last draw.
    width: Option<Width>,
    list_area: Rect,
    list_top: u16,
    field_area: Rect,
}

impl Search {
    fn has_hit(&self) -> bool {
        !self.order.is_empty()
    }

    fn is_one_column(&self) -> bool {
        self.width == Some(Width::One)
    }

    fn step(&mut self, by: isize, cx: &mut Cx<'_>) {
        self.list.step(by, self.order.len());
        self.choose(cx);
    }

    fn page(&mut self, by: isize, cx: &mut Cx<'_>) {
        self.list.page(by, self.order.len());
        self.choose(cx);
    }

    fn choose(&mut self, cx: &mut Cx<'_>) {
        self.chosen = self.hit(cx.query.hits()).map(|hit| hit.id.clone());
        self.preview.rewind();
    }

    fn hit<'a>(&self, hits: &'a [Hit]) -> Option<&'a Hit> {
        hits.get(*self.order.get(self.list.selected())?)
    }

    fn open(&mut self, cx: &mut Cx<'_>) {
        if let Some(hit) = self.hit(cx.query.hits()) {
            let span = hit.matches.first().cloned().or_else(|| hit.reason.passage.clone());
            let day = day_of(hit, cx.view);
            let entry = Some(hit.id.clone());
            cx.open(Target { pane: "journal", day, entry, span, ..Target::default() });
        }
    }

    fn copy(&mut self, cx: &mut Cx<'_>) {
        if let Some(hit) = self.hit(cx.query.hits()) {
            let text = format!("{}\n\n{}\n", hit.time, hit.text.trim_end());
            cx.copy(text);
            cx.done("Copied the entry");
        }
    }

    fn toggle(&mut self, cx: &mut Cx<'_>, change: impl FnOnce(&mut Legs)) {
        let mut legs = cx.query.legs();
        change(&mut legs);
        if legs.keyword || legs.vector || legs.graph {
            cx.search(self.input.text(), legs);
        } else {
            cx.done("One leg must stay on");
        }
    }

    fn sort(&mut self, cx: &mut Cx<'_>) {
        self.by_date = !self.by_date;
        self.arrange(cx);
    }

    /// Puts the hits in the order shown and the selection where it belongs.
    fn arrange(&mut self, cx: &Cx<'_>) {
        let hits = cx.query.hits();
        self.order = (0..hits.len()).collect();
        if self.by_date {
            let catalog = cx.view.snapshot.as_ref().map(|snapshot| &snapshot.catalog);
            let when = |nth: &usize| (catalog.and_then(|catalog| catalog.row(hits[*nth].key)), &hits[*nth].time);
            self.order.sort_by(|a, b| when(b).cmp(&when(a)));
        }
        self.order.sort_by_key(|nth| hits[*nth].weak);
        self.sure = self.order.iter().filter(|nth| !hits[**nth].weak).count();
        let chosen = self.chosen.as_ref().and_then(|id| self.order.iter().position(|nth| hits[*nth].id == *id));
        if chosen.is_none() {
            self.chosen = None;
        }
        self.list.select(chosen.unwrap_or(0));
    }

    fn ask(&mut self, cx: &mut Cx<'_>) {
        self.chosen = None;
        self.preview.rewind();
        let legs = cx.query.legs();
        cx.search(self.input.text(), legs);
    }

    /// Lines of a row of the list; the first weak one carries the line above it.
    fn height(&self, row: usize) -> usize {
        rows::HEIGHT + usize::from(self.has_line_above(row))
    }

    fn has_line_above(&self, row: usize) -> bool {
        row == self.sure && row < self.order.len()
    }
}

impl Pane for Search {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("search.open", &["enter"], "Open the entry in the journal", Self::open)
            .when(Self::has_hit)
            .hint("open"),
        Command::new("search.preview", &["tab"], "Swap list and text", |s: &mut Self, _| s.reading = !s.reading)
            .when(|s| s.is_one_column() && s.has_hit())
            .hint("preview"),
        Command::new("search.leave", &["esc"], "Leave the field for the list", |s: &mut Self, _| s.typing = false)
            .when(|s| s.typing)
            .hint("list"),
        Command::new("search.type", &["i"], "Go back to the field", |s: &mut Self, _| s.typing = true)
            .when(|s| !s.typing)
            .hint("type"),
        Command::new("search.words", &["alt-k"], "Search by word: on or off", |s: &mut Self, cx: &mut Cx<'_>| {
            s.toggle(cx, |legs| legs.keyword = !legs.keyword);
        })
        .hint("words"),
        Command::new("search.meaning", &["alt-m"], "Search by meaning: on or off", |s: &mut Self, cx: &mut Cx<'_>| {
            s.toggle(cx, |legs| legs.vector = !legs.vector);
        })
        .hint("meaning"),
        Command::new(
            "search.connection",
            &["alt-c"],
            "Search by connection: on or off",
            |s: &mut Self, cx: &mut Cx<'_>| s.toggle(cx, |legs| legs.graph = !legs.graph),
        )
        .hint("links"),
        Command::new("search.sort", &["ctrl-s"], "Sort by relevance or by date", Self::sort).hint("sort"),
        Command::new("search.copy", &["ctrl-y"], "Copy the entry", Self::copy).when(Self::has_hit).hint("copy"),
        Command::new("search.explain", &["f2"], "Show the figures behind the order", |s: &mut Self, _| {
            s.explain = !s.explain;
        })
        .when(Self::has_hit)
        .hint("explain"),
        Command::new("search.down", &["down", "ctrl-n", "j"], "Next hit", |s: &mut Self, cx: &mut Cx<'_>| {
            s.step(1, cx)
        }),
        Command::new("search.up", &["up", "k"], "Previous hit", |s: &mut Self, cx: &mut Cx<'_>| s.step(-1, cx)),
        Command::new("search.page-down", &["pagedown"], "A page of hits down", |s: &mut Self, cx: &mut Cx<'_>| {
            s.page(1, cx);
        }),
        Command::new("search.page-up", &["pageup"], "A page of hits up", |s: &mut Self, cx: &mut Cx<'_>| {
            s.page(-1, cx);
        }),
        Command::new("search.first", &["g g"], "First hit", |s: &mut Self, cx: &mut Cx<'_>| {
            s.list.first();
            s.choose(cx);
        }),
        Command::new("search.last", &["G"], "Last hit", |s: &mut Self, cx: &mut Cx<'_>| {
            s.list.last(s.order.len());
            s.choose(cx);
        }),
        Command::new("search.text-down", &["shift-down", "J"], "Scroll the text down", |s: &mut Self, _| {
            s.preview.scroll(1);
        }),
        Command::new("search.text-up", &["shift-up", "K"], "Scroll the text up", |s: &mut Self, _| {
            s.preview.scroll(-1);
        }),
        Command::new("search.again", &["alt-r"], "Run the same search again", Self::ask),
    ];

    fn on_show(&mut self, cx: &mut Cx<'_>) {
        self.typing |= !cx.query.is_on();
    }

    fn on_open(&mut self, target: &Target, cx: &mut Cx<'_>) {
        self.typing = target.compose;
        self.reading = false;
        if let Some(text) = &target.text {
            self.input.set(text);
            self.ask(cx);
        }
    }

    fn on_query(&mut self, cx: &mut Cx<'_>) {
        if self.input.text() != cx.query.text() {
            self.input.set(cx.query.text());
            self.chosen = None;
        }
        self.arrange(cx);
    }

    fn wants_text(&self) -> bool {
        self.typing
    }

    fn on_text(&mut self, input: TextInput, cx: &mut Cx<'_>) {
        // What is pasted is looked for, wherever the focus is.
        self.typing |= matches!(input, TextInput::Pasted(_));
        if self.input.take(&input) {
            self.reading = false;
            self.ask(cx);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        let place = Position { x: mouse.column, y: mouse.row };
        let in_list = self.list_area.contains(place);
        match mouse.kind {
            MouseKind::WheelDown if in_list => self.step(1, cx),
            MouseKind::WheelUp if in_list => self.step(-1, cx),
            MouseKind::WheelDown => self.preview.scroll(3),
            MouseKind::WheelUp => self.preview.scroll(-3),
            MouseKind::Click if self.field_area.contains(place) => self.typing = true,
            MouseKind::Click if in_list => {
                let line = usize::from(mouse.row.saturating_sub(self.list_top));
                if let Some(row) = self.list.row_at(line, self.order.len(), |row| self.height(row)) {
                    let again = row == self.list.selected();
                    self.typing = false;
                    self.list.select(row);
                    self.choose(cx);
                    if again {
                        self.open(cx);
                    }
                }
            }
            _ => {}
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        self.width = Some(look.width);
        let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
        self.draw_head(frame, head, look);
        self.list_area = Rect::default();
        let body = screen::draw_notice(frame, body, look);
        if self.order.is_empty() {
            self.draw_nothing(frame, body, look);
        } else if look.width == Width::One {
            if self.reading {
                self.draw_preview(frame, body, look);
            } else {
                self.draw_list(frame, body, look);
            }
        } else {
            let wide = (body.width * 2 / 5).clamp(34, 58);
            let [list, line, text] =
                Layout::horizontal([Constraint::Length(wide), Constraint::Length(1), Constraint::Fill(1)]).areas(body);
            self.draw_list(frame, list, look);
            for y in line.top()..line.bottom() {
                frame.buffer_mut()[(line.x, y)].set_symbol("│").set_style(look.style(Role::Border));
            }
            self.draw_preview(frame, text, look);
        }
    }
}
