//! Test harness: the application without a terminal and without threads, for tests and benches. Keys in, screen out.
//!
//! With a session it uses [`SessionWorkers::inline`]: there are no other threads, so tests need no sleeps. Without
//! one, requests are collected in [`Harness::sent`] and the test sends the replies.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use jiff::Zoned;
use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Buffer,
    layout::Position,
    style::{Color, Style},
};

use super::{
    app::{App, TuiOptions},
    effect::{Effect, Outside, perform},
    event::{Event, Mouse, MouseKind},
    key::Key,
    keymap::KeyOverrides,
    pane::PaneEntry,
    theme::{Role, ThemeChoice},
    update_context::Settings,
    widgets::cells::text_width,
};
use crate::{
    clock::Clock,
    session::{Reply, Request, SessionWorkers, Ticket, View},
};

/// An application with an in-memory screen.
pub struct Harness {
    pub app: App,
    terminal: Terminal<TestBackend>,
    outside: Bench,
    elapsed: Duration,
    quit: bool,
}

/// The environment of the application in a test.
#[derive(Default)]
struct Bench {
    session: Option<SessionWorkers>,
    sent: Vec<(Ticket, Request)>,
    copied: Vec<String>,
    opened: Vec<String>,
    edits: VecDeque<Result<String, String>>,
    edited: Vec<String>,
}

impl Outside for Bench {
    fn send(&mut self, ticket: Ticket, request: Request) {
        self.sent.push((ticket, request.clone()));
        if let Some(session) = &self.session {
            session.send(ticket, request);
        }
    }

    fn edit(&mut self, text: &str) -> Result<String, String> {
        self.edited.push(text.to_owned());
        self.edits.pop_front().unwrap_or_else(|| Ok(text.to_owned()))
    }

    fn copy(&mut self, text: &str) {
        self.copied.push(text.to_owned());
    }

    fn open_outside(&mut self, target: &str) {
        self.opened.push(target.to_owned());
    }

    fn redraw(&mut self) {}

    fn sleep(&mut self) {}
}

/// Options of a [`Harness`]; the defaults are dark colours, default keys and a fixed clock.
pub struct HarnessSetup {
    pub panes: &'static [PaneEntry],
    pub session: Option<SessionWorkers>,
    pub now: Zoned,
    pub theme: String,
    pub keys: KeyOverrides,
    pub settings: Settings,
    pub start: Option<String>,
    pub size: (u16, u16),
}

impl HarnessSetup {
    /// Friday 20 November 2026, 09:00, 80x24, no session.
    pub fn new(panes: &'static [PaneEntry]) -> Self {
        let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(7));
        let now = jiff::civil::date(2026, 11, 20).at(9, 0, 0, 0).to_zoned(zone).expect("a fixed offset has no gaps");
        Self {
            panes,
            session: None,
            now,
            theme: "dark".to_owned(),
            keys: KeyOverrides::default(),
            settings: Settings { has_editor: true, ..Settings::default() },
            start: None,
            size: (80, 24),
        }
    }
}

impl Harness {
    pub fn new(setup: HarnessSetup) -> Self {
        let options = TuiOptions {
            theme: ThemeChoice { name: setup.theme, ..ThemeChoice::default() },
            asks_background: false,
            keys: setup.keys,
            settings: setup.settings,
            editor: None,
            clock: Clock::fixed(setup.now),
            faults: Vec::new(),
        };
        let mut app = App::new(setup.panes, options);
        setup.start.iter().for_each(|pane| app.start_in(pane));
        let terminal =
            Terminal::new(TestBackend::new(setup.size.0, setup.size.1)).expect("a screen in memory cannot fail");
        let outside = Bench { session: setup.session, ..Bench::default() };
        let mut harness = Self { app, terminal, outside, elapsed: Duration::ZERO, quit: false };
        harness.draw();
        let view = harness.outside.session.as_ref().map(SessionWorkers::view).unwrap_or_default();
        let effects = harness.app.start(view);
        harness.perform(effects);
        harness.settle();
        harness
    }

    /// Presses keys, separated by spaces: `<enter>` is a named key, anything else is pressed letter by letter.
    pub fn keys(&mut self, keys: &str) -> &mut Self {
        for token in keys.split_whitespace() {
            match token.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
                Some(name) => self.key(name),
                None => self.typed(token),
            };
        }
        self
    }

    /// Presses one key by its name.
    pub fn key(&mut self, name: &str) -> &mut Self {
        let key: Key = name.parse().expect("a test names real keys");
        self.event(Event::Key(key))
    }

    /// Types a text, including its spaces.
    pub fn typed(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            self.event(Event::Key(Key::plain(ratatui::crossterm::event::KeyCode::Char(letter))));
        }
        self
    }

    /// Runs a command by its help text in the palette.
    pub fn command(&mut self, help: &str) -> &mut Self {
        self.key("ctrl-p").typed(help).key("enter")
    }

    pub fn event(&mut self, event: Event) -> &mut Self {
        let effects = self.app.update(event, self.elapsed);
        self.perform(effects);
        self.settle();
        self
    }

    /// Clicks on the first cell of a text on the screen.
    pub fn click(&mut self, text: &str) -> &mut Self {
        let place = self.find(text);
        self.mouse(MouseKind::Click, place)
    }

    pub fn mouse(&mut self, kind: MouseKind, at: Position) -> &mut Self {
        self.event(Event::Mouse(Mouse { kind, at }))
    }

    /// Sends a reply as the session would.
    pub fn reply(&mut self, reply: Reply) -> &mut Self {
        self.event(Event::Reply(Box::new(reply)))
    }

    /// Sets another view, as after a commit.
    pub fn view(&mut self, view: View) -> &mut Self {
        self.app.set_view(Arc::new(view));
        self.reply(Reply::ViewChanged)
    }

    /// Advances the clock.
    pub fn wait(&mut self, time: Duration) -> &mut Self {
        self.elapsed += time;
        self.settle();
        self
    }

    pub fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.terminal.backend_mut().resize(width, height);
        self.event(Event::Resize)
    }

    /// Sets the result of the next editor call.
    pub fn editor_returns(&mut self, text: Result<&str, &str>) -> &mut Self {
        self.outside.edits.push_back(text.map(str::to_owned).map_err(str::to_owned));
        self
    }

    /// Runs until there are no pending effects and no due timers, then draws.
    pub fn settle(&mut self) -> &mut Self {
        for _ in 0..1000 {
            let (effects, _) = self.app.tick(self.elapsed);
            let mut quiet = effects.is_empty();
            self.perform(effects);
            while let Some(reply) = self.outside.session.as_ref().and_then(SessionWorkers::try_recv) {
                quiet = false;
                if let (Reply::ViewChanged, Some(session)) = (&reply, &self.outside.session) {
                    self.app.set_view(session.view());
                }
                let effects = self.app.update(Event::Reply(Box::new(reply)), self.elapsed);
                self.perform(effects);
            }
            if quiet {
                self.draw();
                // As in the real event loop: what a pane learns during a draw (its width) is handled at once.
                let (effects, _) = self.app.tick(self.elapsed);
                if effects.is_empty() {
                    return self;
                }
                self.perform(effects);
            }
        }
        panic!("it never comes to rest:\n{}", self.screen());
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        self.quit |= perform(effects, &mut self.outside, |event| self.app.update(event, self.elapsed));
    }

    /// Draws a frame, even if nothing changed.
    pub fn draw(&mut self) {
        self.terminal.draw(|frame| self.app.draw(frame)).expect("a screen in memory cannot fail");
    }

    /// The screen's text, without trailing spaces.
    pub fn screen(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        (0..buffer.area.height).map(|y| row(buffer, y).0.trim_end().to_owned() + "\n").collect()
    }

    /// Fails with the screen if a text is not on it.
    #[track_caller]
    pub fn sees(&self, text: &str) {
        assert!(self.screen().contains(text), "\"{text}\" is not on the screen:\n{}", self.screen());
    }

    /// Fails with the screen if a text is on it.
    #[track_caller]
    pub fn sees_not(&self, text: &str) {
        assert!(!self.screen().contains(text), "\"{text}\" is on the screen:\n{}", self.screen());
    }

    /// The screen's cells, for pictures of it.
    pub fn buffer(&self) -> &Buffer {
        self.terminal.backend().buffer()
    }

    /// The first cell of a text on the screen. Panics with the screen if it is not there.
    pub fn find(&self, text: &str) -> Position {
        let buffer = self.terminal.backend().buffer();
        for y in 0..buffer.area.height {
            let (line, columns) = row(buffer, y);
            if let Some(at) = line.find(text) {
                return Position { x: columns[at], y };
            }
        }
        panic!("\"{text}\" is not on the screen:\n{}", self.screen());
    }

    /// Whether a text on the screen has the colours of a role.
    pub fn shows_as(&self, text: &str, role: Role) -> bool {
        let cell = &self.terminal.backend().buffer()[self.find(text)];
        covers(cell.style(), self.app.theme().style(role))
    }

    /// Position of the hardware cursor; `None` while hidden.
    pub fn cursor(&mut self) -> Option<Position> {
        let backend = self.terminal.backend();
        backend.cursor_visible().then(|| backend.cursor_position())
    }

    /// Requests since the last call.
    pub fn sent(&mut self) -> Vec<(Ticket, Request)> {
        std::mem::take(&mut self.outside.sent)
    }

    /// Targets given to the system's opener since the last call.
    pub fn opened(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outside.opened)
    }

    /// Texts put on the clipboard since the last call.
    pub fn copied(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outside.copied)
    }

    /// Texts that the editor was opened on since the last call.
    pub fn edited(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outside.edited)
    }

    pub fn session(&self) -> Option<&SessionWorkers> {
        self.outside.session.as_ref()
    }

    /// Whether the application has quit.
    pub fn has_quit(&self) -> bool {
        self.quit
    }
}

/// A row's text, and the column of each of its bytes. Skips the cell after a wide character.
fn row(buffer: &Buffer, y: u16) -> (String, Vec<u16>) {
    let (mut line, mut columns) = (String::new(), Vec::new());
    let mut x = 0;
    while x < buffer.area.width {
        let symbol = buffer[(x, y)].symbol();
        line.push_str(symbol);
        columns.extend(std::iter::repeat_n(x, symbol.len()));
        x += (text_width(symbol) as u16).max(1);
    }
    (line, columns)
}

/// Whether `painted` has every attribute that is set in `wanted`.
fn covers(painted: Style, wanted: Style) -> bool {
    let colour = |painted: Option<Color>, wanted: Option<Color>| wanted.is_none() || painted == wanted;
    let plain = wanted == Style::new();
    let is_plain = painted.fg == Some(Color::Reset) && painted.add_modifier.is_empty();
    if plain {
        return is_plain;
    }
    colour(painted.fg, wanted.fg) && colour(painted.bg, wanted.bg) && painted.add_modifier.contains(wanted.add_modifier)
}
