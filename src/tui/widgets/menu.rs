//! A short list in a box, narrowed by typing, from which one is taken.

use ratatui::{Frame, layout::Rect};

use super::{
    boxed::{Boxed, Pointed},
    cells::{self, Pen},
    input::Input,
    list::ListState,
};
use crate::{
    extract::fold,
    tui::{
        event::{Mouse, TextInput},
        overlays::popup,
        render_context::RenderContext,
        theme::Role,
    },
};

/// One row: what is taken, and a word about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub about: String,
}

#[derive(Debug)]
pub struct Menu {
    title: &'static str,
    rows: Vec<Row>,
    input: Input,
    /// Places in `rows` that pass what is typed.
    shown: Vec<usize>,
    list: ListState,
    boxed: Boxed,
}

impl Menu {
    pub fn new(title: &'static str, rows: Vec<Row>) -> Self {
        let mut menu = Self {
            title,
            rows,
            input: Input::default(),
            shown: Vec::new(),
            list: ListState::default(),
            boxed: Boxed::default(),
        };
        menu.narrow();
        menu
    }

    /// Other rows under the same typed text.
    pub fn renew(&mut self, rows: Vec<Row>) {
        self.rows = rows;
        self.narrow();
    }

    fn narrow(&mut self) {
        let wanted = fold(self.input.text().trim());
        let passes = |place: &usize| fold(&self.rows[*place].name).contains(&wanted);
        self.shown = (0..self.rows.len()).filter(passes).collect();
        self.list.first();
    }

    /// The name of the chosen row.
    pub fn chosen(&self) -> Option<&str> {
        Some(&self.rows[*self.shown.get(self.list.selected())?].name)
    }

    pub fn step(&mut self, by: isize) {
        self.list.step(by, self.shown.len());
    }

    pub fn point(&mut self, mouse: Mouse) -> Pointed {
        self.boxed.point(mouse, &mut self.list, self.shown.len(), |_| 1)
    }

    pub fn take(&mut self, input: &TextInput) {
        if self.input.take(input) {
            self.narrow();
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let names = self.rows.iter().map(|row| cells::text_width(&row.name)).max().unwrap_or(0) as u16;
        let height = u16::try_from(self.rows.len()).unwrap_or(u16::MAX).saturating_add(4);
        let inside = popup(frame, area, context, self.title, 64, height);
        if inside.is_empty() {
            return;
        }
        // Where there is no room for both, the rows come first.
        let field = if inside.height >= 4 { 2 } else { 0 };
        if field > 0 {
            self.input.draw(frame, Rect { height: 1, ..inside }, context.style(Role::Accent), &[], context.focused);
        }
        let rows = Rect { y: inside.y + field, height: inside.height - field, ..inside };
        self.boxed = Boxed { inside, rows };
        let visible = self.list.visible(self.shown.len(), usize::from(rows.height), |_| 1);
        for (line, row) in visible.enumerate() {
            let Row { name, about } = &self.rows[self.shown[row]];
            let y = rows.y + line as u16;
            let buffer = frame.buffer_mut();
            let mut pen = Pen::new(rows.x, y, rows.width);
            pen.write(buffer, name, context.style(Role::Text));
            let x = rows.x.saturating_add(names + 2);
            if x < rows.right() {
                let room = rows.right() - x;
                let about = cells::truncate(about, room.into());
                Pen::new(x, y, room).write(buffer, &about, context.style(Role::Dim));
            }
            if row == self.list.selected() {
                buffer.set_style(Rect { y, height: 1, ..rows }, context.style(Role::Selected));
            }
        }
    }
}
