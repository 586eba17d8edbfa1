//! Help: the commands and signs of the visible pane, and the commands of the application.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Paragraph,
};

use crate::tui::{
    Command, Motion, Mouse, MouseKind, Pane, RenderContext, Role, Screen, UpdateContext, cells,
    widgets::{popup::more_below, wrap},
};

/// Width of the box in cells, where there is room.
const WIDTH: u16 = 76;

/// One command or sign in the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpLine {
    pub keys: String,
    pub help: &'static str,
    /// Currently enabled.
    pub enabled: bool,
}

pub struct Help {
    sections: Vec<(&'static str, Vec<HelpLine>)>,
    scroll: usize,
    page: usize,
    /// The inner area of the box at the last draw.
    inside: Rect,
}

impl Help {
    pub fn new(sections: Vec<(&'static str, Vec<HelpLine>)>) -> Self {
        Self { sections, scroll: 0, page: 1, inside: Rect::default() }
    }
}

impl Pane for Help {
    const NAME: &'static str = "help";
    const TITLE: &'static str = "Help";
    const COMMANDS: &'static [Command<Self>] =
        &[Command::new("help.close", &["esc", "q", "?", "alt-?"], "Close", |_, cx| cx.close()).hint("close")];
}

impl Screen for Help {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let all = self.sections.iter().flat_map(|(_, lines)| lines);
        let keys_width = all.map(|line| cells::text_width(&line.keys)).max().unwrap_or(0);
        let wide = usize::from(WIDTH.min(area.width)).saturating_sub(4);
        let keys_width = keys_width.min(wide / 3);
        let mut lines = Vec::new();
        for (title, commands) in &self.sections {
            if !lines.is_empty() {
                lines.push(Line::raw(""));
            }
            lines.push(Line::styled(*title, context.style(Role::Title)));
            for line in commands {
                let help = context.style(if line.enabled { Role::Text } else { Role::Dim });
                let room = wide.saturating_sub(keys_width + 2).max(1);
                for (nth, row) in wrap::rows(line.help, room).enumerate() {
                    let keys = if nth == 0 { cells::truncate(&line.keys, keys_width) } else { "".into() };
                    lines.push(Line::from(vec![
                        Span::styled(cells::pad(&keys, keys_width), context.style(Role::Key)),
                        Span::raw("  "),
                        Span::styled(&line.help[wrap::painted(line.help, &row)], help),
                    ]));
                }
            }
        }
        let inside = super::popup(frame, area, context, Self::TITLE, WIDTH, lines.len() as u16 + 2);
        self.inside = inside;
        self.page = usize::from(inside.height).saturating_sub(1).max(1);
        let most = lines.len().saturating_sub(usize::from(inside.height));
        self.scroll = self.scroll.min(most);
        if self.scroll < most {
            more_below(frame, inside, context);
        }
        frame.render_widget(Paragraph::new(lines).scroll((self.scroll as u16, 0)), inside);
    }

    fn go(&mut self, motion: Motion, _: &mut UpdateContext<'_>) {
        self.scroll = self.scroll.saturating_add_signed(motion.lines(self.page));
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        match mouse.kind {
            MouseKind::Wheel(by) => self.go(Motion::Lines(3 * by), cx),
            MouseKind::Click if !super::is_in_box(self.inside, mouse) => cx.close(),
            MouseKind::Click | MouseKind::Drag => {}
        }
    }
}
