//! Command palette: fuzzy search over all enabled commands.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::{
    Command, Input, Motion, Mouse, Pane, Picker, RenderContext, Role, Screen, TextInput, UpdateContext, cells,
    command::CommandInfo, update_context::Intent,
};

/// A command and its keys.
pub type PaletteLine = (&'static CommandInfo, String);

pub struct Palette {
    lines: Vec<PaletteLine>,
    input: Input,
    /// Positions in `lines`, best first, with the matched letters of `help`.
    shown: Vec<(usize, Vec<usize>)>,
    rows: Picker,
}

impl Palette {
    pub fn new(lines: Vec<PaletteLine>) -> Self {
        let mut palette = Self { lines, input: Input::default(), shown: Vec::new(), rows: Picker::default() };
        palette.filter();
        palette
    }

    fn filter(&mut self) {
        let query = self.input.text();
        let scored = self.lines.iter().enumerate().filter_map(|(nth, (info, _))| {
            let by_name = score(query, info.name).map(|(score, _)| (score - 1, Vec::new()));
            let (score, positions) = score(query, info.help).max(by_name)?;
            Some((score, nth, positions))
        });
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by_key(|(score, nth, _)| (if query.is_empty() { 0 } else { -score }, *nth));
        self.shown = scored.into_iter().map(|(_, nth, positions)| (nth, positions)).collect();
        self.rows.list.set_len(self.shown.len());
        self.rows.list.go(Motion::First);
    }

    /// The selected command, while themes are previewed.
    fn preview(&self, cx: &mut UpdateContext<'_>) {
        if let Some((nth, _)) = self.shown.get(self.rows.list.selected()) {
            cx.out.intents.push(Intent::Preview(self.lines[*nth].0.name));
        }
    }

    fn run(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some((nth, _)) = self.shown.get(self.rows.list.selected()) {
            cx.close();
            cx.out.intents.push(Intent::Run(self.lines[*nth].0.name));
        }
    }
}

impl Pane for Palette {
    const NAME: &'static str = "palette";
    const TITLE: &'static str = "Commands";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("palette.run", &["enter"], "Run the command", Self::run).hint("run"),
        Command::go("palette.down", &["down", "ctrl-n"], "Next command", Motion::DOWN).hint("next"),
        Command::go("palette.up", &["up", "ctrl-p"], "Previous command", Motion::UP),
        Command::new("palette.close", &["esc"], "Close", |_, cx| cx.close()).hint("close"),
    ];
}

impl Screen for Palette {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let inside = self.rows.popup(frame, area, context, Self::TITLE, 76, self.lines.len() as u16 + 4);
        if inside.height < 2 {
            return;
        }
        let field = Rect { height: 1, ..inside };
        self.input.draw(frame, field, context.style(Role::Accent), &[], context.focused);
        let place = Rect { y: inside.y + 2.min(inside.height), height: inside.height.saturating_sub(2), ..inside };
        if self.shown.is_empty() {
            frame.render_widget(Span::styled("No matching command", context.style(Role::Dim)), place);
        }
        let Self { lines, shown, rows, .. } = self;
        let paint = |frame: &mut Frame<'_>, row: usize, area: Rect| {
            let (nth, positions) = &shown[row];
            let (info, keys) = &lines[*nth];
            let mut spans = Vec::new();
            for (at, letter) in info.help.char_indices() {
                let role = if positions.contains(&at) { Role::Match } else { Role::Text };
                spans.push(Span::styled(letter.to_string(), context.style(role)));
            }
            frame.render_widget(Line::from(spans), area);
            // A style of the line would colour the whole row.
            let keys = Line::from(Span::styled(keys.as_str(), context.style(Role::Key)));
            if cells::text_width(info.help) + keys.width() < usize::from(area.width) {
                frame.render_widget(keys.right_aligned(), area);
            }
        };
        rows.draw(frame, place, context, |_| 1, paint);
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        self.rows.list.go(motion);
        self.preview(cx);
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        Some(&mut self.rows)
    }

    fn wants_text(&self) -> bool {
        true
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if self.input.take(&input) {
            self.filter();
            self.preview(cx);
        }
    }

    fn on_mouse(&mut self, _: Mouse, cx: &mut UpdateContext<'_>) {
        self.preview(cx);
    }
}

/// Higher is better; `None` where a letter is missing. The positions are those of the matched letters (bytes of
/// `text`).
pub fn score(query: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    if let Some(found) = whole(query, text) {
        return Some(found);
    }
    let mut wanted = query.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).peekable();
    let (mut score, mut positions) = (0, Vec::new());
    let (mut run, mut before) = (0, ' ');
    for (at, letter) in text.char_indices() {
        let hit = wanted.peek().is_some_and(|wanted| letter.to_lowercase().eq(std::iter::once(*wanted)));
        if hit {
            wanted.next();
            positions.push(at);
            run += 1;
            score += run * 2 + if before.is_alphanumeric() { 0 } else { 5 };
        } else {
            run = 0;
        }
        before = letter;
    }
    wanted.peek().is_none().then_some((score - text.len() as i32 / 20, positions))
}

/// A match of the query as a substring, which always ranks above scattered letters.
fn whole(query: &str, text: &str) -> Option<(i32, Vec<usize>)> {
    let query: Vec<char> = query.trim().chars().flat_map(char::to_lowercase).collect();
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let same = |window: &[(usize, char)]| {
        window.iter().zip(&query).all(|((_, letter), wanted)| letter.to_lowercase().eq(std::iter::once(*wanted)))
    };
    let starts_word = |nth: usize| nth == 0 || !letters[nth - 1].1.is_alphanumeric();
    let found = letters.windows(query.len().max(1)).enumerate().filter(|(_, window)| same(window));
    let (nth, window) = found.min_by_key(|(nth, _)| (!starts_word(*nth), *nth)).filter(|_| !query.is_empty())?;
    let score = 1000 + if starts_word(nth) { 500 } else { 0 } - nth as i32;
    Some((score, window.iter().map(|(at, _)| *at).collect()))
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn letters_in_order_and_word_starts_first() {
        assert!(score("xyz", "Delete the entry").is_none());
        let (start, _) = score("del", "Delete the entry").unwrap();
        let (inside, _) = score("del", "Show the model").unwrap();
        assert!(start > inside);
        assert_eq!(score("", "anything").unwrap().1, Vec::<usize>::new());
    }
}
