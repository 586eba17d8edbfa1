//! A menu: a short list in a box, filtered by typing, to choose one row from.

use ratatui::{Frame, layout::Rect};

use crate::{
    extract::fold,
    tui::{Input, Motion, Pen, Picker, RenderContext, Role, TextInput, below, cells},
};

/// One row: its name, and a short description.
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
    /// Places in `rows` that pass the filter.
    shown: Vec<usize>,
    pub picker: Picker,
}

impl Menu {
    pub fn new(title: &'static str, rows: Vec<Row>) -> Self {
        let mut menu = Self { title, rows, input: Input::default(), shown: Vec::new(), picker: Picker::default() };
        menu.narrow();
        menu
    }

    /// Replaces the rows, keeping the typed filter.
    pub fn renew(&mut self, rows: Vec<Row>) {
        self.rows = rows;
        self.narrow();
    }

    fn narrow(&mut self) {
        let wanted = fold(self.input.text().trim());
        let passes = |place: &usize| fold(&self.rows[*place].name).contains(&wanted);
        self.shown = (0..self.rows.len()).filter(passes).collect();
        self.picker.list.set_len(self.shown.len());
        self.picker.list.go(Motion::First);
    }

    /// The name of the chosen row.
    pub fn chosen(&self) -> Option<&str> {
        Some(&self.rows[*self.shown.get(self.picker.list.selected())?].name)
    }

    pub fn take(&mut self, input: &TextInput) {
        if self.input.take(input) {
            self.narrow();
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let names = self.rows.iter().map(|row| cells::text_width(&row.name)).max().unwrap_or(0) as u16;
        let height = u16::try_from(self.rows.len()).unwrap_or(u16::MAX).saturating_add(4);
        let inside = self.picker.popup(frame, area, context, self.title, 64, height);
        if inside.is_empty() {
            return;
        }
        // Without room for both, the rows take precedence.
        let field = if inside.height >= 4 { 2 } else { 0 };
        if field > 0 {
            self.input.draw(frame, Rect { height: 1, ..inside }, context.style(Role::Accent), &[], context.focused);
        }
        let rows = below(inside, field);
        let Self { rows: known, shown, picker, .. } = self;
        let paint = |frame: &mut Frame<'_>, row: usize, place: Rect| {
            let Row { name, about } = &known[shown[row]];
            let buffer = frame.buffer_mut();
            Pen::new(place.x, place.y, place.width).write(buffer, name, context.style(Role::Text));
            let x = place.x.saturating_add(names + 2);
            if x < place.right() {
                let room = place.right() - x;
                let about = cells::truncate(about, room.into());
                Pen::new(x, place.y, room).write(buffer, &about, context.style(Role::Dim));
            }
        };
        picker.draw(frame, rows, context, |_| 1, paint);
    }
}
