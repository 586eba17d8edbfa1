//! The application without a terminal: events in, effects out, a frame painted when asked.

mod listings;

use std::{sync::Arc, time::Duration};

use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use super::{
    bars,
    cx::{Cx, Intent, Outbox, Settings, Target, ToastLevel},
    effect::Effect,
    event::{Event, Mouse, MouseKind, TextInput},
    key::Key,
    keymap::{KeyFault, KeyOverrides, Keymap, Layer, Step},
    look::{KeyNames, Look, Width},
    overlays::{self, confirm::Confirm, toasts::Toasts},
    panes::{AnyPane, PaneEntry},
    query::SharedQuery,
    shell::{self, Shell},
    theme::{Role, Theme},
    veil::Veil,
};
use crate::{
    clock::Clock,
    engine::{Reply, View, Written},
};

pub use listings::tables;

/// What an application is made from.
pub struct Setup {
    pub panes: &'static [PaneEntry],
    pub theme: Theme,
    pub keys: KeyOverrides,
    pub settings: Settings,
    pub clock: Clock,
    /// Name of the pane in front at the start; the first one where absent.
    pub start: Option<String>,
    /// What of the configuration could not be followed, in sentences.
    pub faults: Vec<String>,
}

/// What panes may read.
struct World {
    clock: Clock,
    settings: Settings,
    view: Arc<View>,
    query: SharedQuery,
    elapsed: Duration,
    /// See [`Cx::opening`].
    opening: bool,
}

impl World {
    fn cx<'a>(&'a self, out: &'a mut Outbox) -> Cx<'a> {
        Cx {
            clock: &self.clock,
            elapsed: self.elapsed,
            settings: &self.settings,
            view: &self.view,
            query: &self.query,
            opening: self.opening,
            out,
        }
    }
}

pub struct App {
    entries: &'static [PaneEntry],
    panes: Vec<Box<dyn AnyPane>>,
    current: usize,
    overlays: Vec<Box<dyn AnyPane>>,
    shell: Shell,
    world: World,
    out: Outbox,
    theme: Theme,
    keymap: Keymap,
    toasts: Toasts,
    veil: Veil,
    faults: Vec<String>,
    /// Keys of an unfinished sequence.
    pressed: Vec<Key>,
    dirty: bool,
    /// Where the tabs and the pane were painted, for the mouse.
    tabs: Vec<Rect>,
    pane_area: Rect,
}

impl App {
    pub fn new(setup: Setup) -> Self {
        let (keymap, key_faults) = Keymap::new(&tables(setup.panes), &setup.keys);
        let mut faults = setup.faults;
        faults.extend(key_faults.iter().map(KeyFault::to_string));
        let current = setup.panes.iter().position(|entry| Some(entry.name) == setup.start.as_deref()).unwrap_or(0);
        let mut toasts = Toasts::default();
        if let [first, ..] = faults.as_slice() {
            let more = if faults.len() > 1 { format!(" (and {} more: !)", faults.len() - 1) } else { String::new() };
            toasts.push(ToastLevel::Error, format!("{first}{more}"), Duration::ZERO);
        }
        Self {
            entries: setup.panes,
            panes: setup.panes.iter().map(|entry| (entry.make)()).collect(),
            current,
            overlays: Vec::new(),
            shell: Shell { panes: setup.panes.len(), query_is_on: false },
            veil: Veil::new(&setup.settings),
            world: World {
                clock: setup.clock,
                settings: setup.settings,
                view: Arc::default(),
                query: SharedQuery::default(),
                elapsed: Duration::ZERO,
                opening: false,
            },
            out: Outbox::default(),
            theme: setup.theme,
            keymap,
            toasts,
            faults,
            pressed: Vec::new(),
            dirty: true,
            tabs: Vec::new(),
            pane_area: Rect::default(),
        }
    }

    /// Shows the first pane. Its requests come back as effects.
    pub fn start(&mut self, view: Arc<View>) -> Vec<Effect> {
        self.world.view = view;
        self.with_pane(|pane, cx| pane.on_show(cx));
        self.settle()
    }

    /// Replaces what [`crate::engine::Engine::view`] shows. Follow it with the reply that announced it.
    pub fn set_view(&mut self, view: Arc<View>) {
        // What is saved but not yet committed has no generation of its own: compare the snapshots themselves.
        let renewed = match (&view.snapshot, &self.world.view.snapshot) {
            (Some(new), Some(old)) => !Arc::ptr_eq(new, old),
            (new, old) => new.is_some() != old.is_some(),
        };
        self.world.view = view;
        self.dirty = true;
        if renewed && self.world.query.is_on() {
            let now = self.world.clock.now();
            self.world.query.renew(now, &mut self.out);
        }
    }

    /// Takes one event at a moment counted from the start; returns what is to be done to the world.
    pub fn update(&mut self, event: Event, elapsed: Duration) -> Vec<Effect> {
        self.world.elapsed = elapsed;
        let is_person = matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse(_) | Event::Edited(_));
        if is_person && self.veil.touch(elapsed) && !matches!(event, Event::Edited(_)) {
            self.dirty = true;
            if matches!(event, Event::Paste(_)) {
                self.toast(ToastLevel::Done, "The screen was blank: paste again".to_owned());
            }
            return self.settle();
        }
        match event {
            Event::Key(key) => self.on_key(key),
            Event::Paste(text) => self.on_text(TextInput::Pasted(text)),
            Event::Mouse(mouse) => self.on_mouse(mouse),
            Event::Reply(reply) => self.on_reply(&reply),
            Event::Edited(edited) => {
                for pane in &mut self.panes {
                    pane.on_edited(&edited, &mut self.world.cx(&mut self.out));
                }
            }
            Event::Terminate => self.out.intents.push(Intent::Quit),
            Event::Resize | Event::FocusGained | Event::FocusLost => {}
        }
        self.dirty = true;
        self.settle()
    }

    /// What is due at this moment, and when to come again at the latest.
    pub fn tick(&mut self, elapsed: Duration) -> (Vec<Effect>, Option<Duration>) {
        self.world.elapsed = elapsed;
        self.dirty |= self.toasts.expire(elapsed) | self.veil.tick(elapsed);
        let mut deadline = [self.toasts.deadline(), self.veil.deadline()].into_iter().flatten().min();
        for pane in self.panes.iter_mut().chain(&mut self.overlays) {
            let next = pane.on_tick(&mut self.world.cx(&mut self.out));
            deadline = [deadline, next].into_iter().flatten().min();
        }
        (self.settle(), deadline)
    }

    /// Whether anything changed since the last draw.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// The toasts now on screen.
    pub fn toasts(&self) -> Vec<&str> {
        self.toasts.texts().collect()
    }

    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    pub fn query(&self) -> &SharedQuery {
        &self.world.query
    }

    /// Name of the pane in front.
    pub fn pane(&self) -> &'static str {
        self.entries.get(self.current).map_or("", |entry| entry.name)
    }

    fn on_key(&mut self, key: Key) {
        if !self.veil.is_blurred() {
            self.toasts.acknowledge();
        }
        self.shell.query_is_on = self.world.query.is_on();
        let types = self.pressed.is_empty() && self.focus().is_some_and(AnyPane::wants_text);
        if let Some(letter) = key.typed().filter(|_| types) {
            self.on_text(TextInput::Typed(letter));
            return;
        }
        if let Some(nth) = self.over_all(key) {
            self.pressed.clear();
            self.run_shell(nth);
            return;
        }
        self.pressed.push(key);
        match self.step() {
            Step::Run { layer, nth } => {
                self.pressed.clear();
                self.run(layer, nth);
            }
            Step::Pending(_) => {}
            Step::Nothing => {
                let alone = self.pressed.len() == 1;
                self.pressed.clear();
                if types {
                    self.on_text(TextInput::Key(key));
                } else if alone && key.to_string() == "ctrl-c" {
                    let quit = self.key_of("app.quit").unwrap_or_default();
                    self.toast(ToastLevel::Done, format!("{quit} quits"));
                }
            }
        }
    }

    /// The overlay in front, else the pane: who is asked first.
    fn focus(&self) -> Option<&dyn AnyPane> {
        self.overlays.last().or_else(|| self.panes.get(self.current)).map(AsRef::as_ref)
    }

    fn step(&self) -> Step {
        let Some(focus) = self.focus() else { return Step::Nothing };
        let own = |nth| focus.is_enabled(nth);
        let shared = |nth: usize| (Shell::COMMANDS[nth].when)(&self.shell);
        let layers =
            [Layer { context: focus.name(), enabled: &own }, Layer { context: shell::CONTEXT, enabled: &shared }];
        let asked = if self.overlays.is_empty() { &layers[..] } else { &layers[..1] };
        self.keymap.resolve(asked, &self.pressed)
    }

    fn run(&mut self, layer: usize, nth: usize) {
        if layer == 1 {
            self.run_shell(nth);
        } else {
            self.with_focus(|focus, cx| focus.run(nth, cx));
        }
    }

    fn run_shell(&mut self, nth: usize) {
        (Shell::COMMANDS[nth].run)(&mut self.shell, &mut self.world.cx(&mut self.out));
    }

    /// The command of a key that means the same above everything, also in the middle of a sequence.
    fn over_all(&self, key: Key) -> Option<usize> {
        let layer = Layer { context: shell::CONTEXT, enabled: &Shell::is_over_all };
        match self.keymap.resolve(&[layer], &[key]) {
            Step::Run { nth, .. } => Some(nth),
            _ => None,
        }
    }

    fn with_focus(&mut self, act: impl FnOnce(&mut dyn AnyPane, &mut Cx<'_>)) {
        if let Some(focus) = self.overlays.last_mut().or_else(|| self.panes.get_mut(self.current)) {
            act(focus.as_mut(), &mut self.world.cx(&mut self.out));
        }
    }

    fn with_pane(&mut self, act: impl FnOnce(&mut dyn AnyPane, &mut Cx<'_>)) {
        if let Some(pane) = self.panes.get_mut(self.current) {
            act(pane.as_mut(), &mut self.world.cx(&mut self.out));
        }
    }

    fn on_text(&mut self, input: TextInput) {
        self.with_focus(|focus, cx| focus.on_text(input, cx));
    }

    fn on_mouse(&mut self, mouse: Mouse) {
        let place = Position { x: mouse.column, y: mouse.row };
        if !self.overlays.is_empty() {
            self.with_focus(|focus, cx| focus.on_mouse(mouse, cx));
        } else if let Some(nth) = self.tabs.iter().position(|tab| tab.contains(place)) {
            if mouse.kind == MouseKind::Click {
                self.show(nth);
            }
        } else if self.pane_area.contains(place) {
            self.with_pane(|pane, cx| pane.on_mouse(mouse, cx));
        }
    }

    fn on_reply(&mut self, reply: &Reply) {
        if self.world.query.take(reply, &self.world.view) {
            self.tell_query();
            return;
        }
        match reply {
            Reply::Failed { error, .. } => self.toast(ToastLevel::Error, error.to_string()),
            Reply::Told(text) => self.toast(ToastLevel::Done, text.clone()),
            Reply::Written { done: Written::Undone(text), .. } => {
                self.toasts.withdraw();
                self.toast(ToastLevel::Done, text.clone());
            }
            Reply::Written { done: Written::NothingToUndo, .. } => {
                self.toast(ToastLevel::Done, "Nothing to take back".to_owned());
            }
            _ => {}
        }
        for pane in self.panes.iter_mut().chain(&mut self.overlays) {
            pane.on_reply(reply, &mut self.world.cx(&mut self.out));
        }
    }

    fn tell_query(&mut self) {
        for pane in &mut self.panes {
            pane.on_query(&mut self.world.cx(&mut self.out));
        }
    }

    fn toast(&mut self, level: ToastLevel, text: String) {
        self.toasts.push(level, text, self.world.elapsed);
    }

    /// Carries out what panes wished for until nothing is left; returns the effects.
    fn settle(&mut self) -> Vec<Effect> {
        // An intent may leave others. Bounded: two panes that open each other must not hang the keyboard.
        for _ in 0..64 {
            let intents = std::mem::take(&mut self.out.intents);
            if intents.is_empty() {
                break;
            }
            self.dirty = true;
            for intent in intents {
                self.carry_out(intent);
            }
        }
        std::mem::take(&mut self.out.effects)
    }

    fn carry_out(&mut self, intent: Intent) {
        match intent {
            Intent::Toast(level, text) => self.toast(level, text),
            Intent::Open(target) => self.open(&target),
            Intent::Query { text, legs } => {
                let now = self.world.clock.now();
                self.world.query.ask(text, legs, now, &mut self.out);
                self.tell_query();
            }
            Intent::Confirm { question, yes, ticket, request } => {
                self.lay_over(Box::new(Confirm::new(question, yes, ticket, request)));
            }
            Intent::Overlay(name) => self.lay_over(self.overlay(name)),
            Intent::Close => {
                self.overlays.pop();
            }
            Intent::Tab(nth) => self.show(nth),
            Intent::Run(name) => self.run_by_name(name),
            Intent::Blur => self.veil.toggle_blur(),
            Intent::Blank => self.veil.go_blank(),
            Intent::Redraw => self.out.effects.push(Effect::Redraw),
            Intent::Quit => {
                for pane in &mut self.panes {
                    pane.on_quit(&mut self.world.cx(&mut self.out));
                }
                self.out.effects.push(Effect::Quit);
            }
        }
    }

    fn open(&mut self, target: &Target) {
        if let Some(nth) = self.entries.iter().position(|entry| entry.name == target.pane) {
            self.world.opening = true;
            self.show(nth);
            self.world.opening = false;
            self.with_pane(|pane, cx| pane.on_open(target, cx));
        }
    }

    fn show(&mut self, nth: usize) {
        if nth < self.panes.len() && nth != self.current {
            self.with_pane(|pane, _| pane.on_hide());
            self.current = nth;
            self.with_pane(|pane, cx| pane.on_show(cx));
        }
    }

    fn lay_over(&mut self, mut overlay: Box<dyn AnyPane>) {
        overlay.on_show(&mut self.world.cx(&mut self.out));
        self.overlays.push(overlay);
    }

    fn run_by_name(&mut self, name: &str) {
        self.shell.query_is_on = self.world.query.is_on();
        let own = self.panes.get(self.current).and_then(|pane| pane.commands().iter().position(|i| i.name == name));
        if let Some(nth) = own {
            self.with_pane(|pane, cx| {
                if pane.is_enabled(nth) {
                    pane.run(nth, cx);
                }
            });
        } else if let Some(command) = Shell::COMMANDS.iter().find(|command| command.info.name == name)
            && (command.when)(&self.shell)
        {
            (command.run)(&mut self.shell, &mut self.world.cx(&mut self.out));
        }
    }

    /// Paints a whole frame. Changes view state only.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        self.dirty = false;
        let area = frame.area();
        if area.is_empty() {
            return;
        }
        let now = self.world.clock.now();
        let view = Arc::clone(&self.world.view);
        let look = Look {
            theme: &self.theme,
            width: Width::of(area),
            focused: self.overlays.is_empty(),
            view: &view,
            query: &self.world.query,
            settings: &self.world.settings,
            now: &now,
            elapsed: self.world.elapsed,
            keys: &self.keymap,
        };
        if self.veil.is_blank() {
            return Veil::draw_blank(frame, &look);
        }
        let alone = self.overlays.is_empty() && self.panes.get(self.current).is_some_and(|pane| pane.wants_screen());
        let nothing = Rect { height: 0, ..area };
        let (top, pane_area, bottom) = if alone { (nothing, area, nothing) } else { bars::split(area) };
        self.pane_area = pane_area;
        let problems = view.notices.len() + self.faults.len();
        self.tabs = bars::draw_top(frame, top, &look, self.entries, self.current, problems);
        if let Some(pane) = self.panes.get_mut(self.current) {
            pane.draw(frame, pane_area, &look);
        }
        let depth = self.overlays.len();
        if depth > 0 {
            frame.buffer_mut().set_style(pane_area, look.style(Role::Dim));
        }
        for (nth, overlay) in self.overlays.iter_mut().enumerate() {
            overlay.draw(frame, pane_area, &Look { focused: nth + 1 == depth, ..look });
        }
        // What is typed stands at the foot of some panes, with what is wrong about it: no word lies over that.
        let types = self.focus().is_some_and(AnyPane::wants_text);
        let foot = u16::from(types && pane_area.height > 1);
        self.toasts.draw(frame, Rect { height: pane_area.height - foot, ..pane_area }, &look);
        let next = if self.pressed.is_empty() { Step::Nothing } else { self.step() };
        if let Step::Pending(next) = next {
            let pressed: Vec<_> = self.pressed.iter().map(ToString::to_string).collect();
            overlays::which_key::draw(frame, pane_area, &look, &pressed.join(" "), &next);
        }
        let mut hints = self.hints();
        if self.veil.is_blurred() {
            let tabs = self.tabs.last().map_or(top.x, |tab| tab.right()).min(top.right());
            Veil::blur(frame, Rect { x: tabs, width: top.right() - tabs, ..top }, &look);
            Veil::blur(frame, pane_area, &look);
            hints.splice(..0, self.key_of("app.blur").map(|key| (key, "show the text")));
        }
        bars::draw_hints(frame, bottom, &look, &hints, types);
    }
}

impl KeyNames for App {
    fn key_of(&self, command: &str) -> Option<String> {
        self.keymap.key_of(command)
    }
}

impl KeyNames for Keymap {
    fn key_of(&self, command: &str) -> Option<String> {
        self.keys_of(command).first().map(ToString::to_string)
    }
}
