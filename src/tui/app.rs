//! The application without a terminal: events in, effects out, a frame painted when asked.

mod intents;
mod keyboard;
mod listings;
mod painting;
mod pointing;

use std::{sync::Arc, time::Duration};

use ratatui::layout::Rect;

use super::{
    effect::Effect,
    event::{Event, TextInput},
    key::Key,
    keymap::{KeyFault, KeyOverrides, Keymap},
    overlays::toasts::Toasts,
    panes::{AnyPane, PaneEntry},
    privacy_screen::PrivacyScreen,
    query::SharedQuery,
    render_context::KeyNames,
    shell::Shell,
    theme::Theme,
    update_context::{Effects, Intent, Settings, ToastLevel, UpdateContext},
    widgets::spots::Spots,
};
use crate::{
    clock::Clock,
    session::{Reply, View, Written},
};

pub use listings::tables;
use pointing::HitArea;

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
    /// See [`UpdateContext::opening`].
    opening: bool,
}

impl World {
    fn cx<'a>(&'a self, out: &'a mut Effects) -> UpdateContext<'a> {
        UpdateContext {
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
    out: Effects,
    theme: Theme,
    keymap: Keymap,
    toasts: Toasts,
    privacy_screen: PrivacyScreen,
    faults: Vec<String>,
    /// Keys of an unfinished sequence.
    pressed: Vec<Key>,
    dirty: bool,
    /// What of the bars can be clicked, and where the pane was painted.
    spots: Spots<HitArea>,
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
            privacy_screen: PrivacyScreen::new(&setup.settings),
            world: World {
                clock: setup.clock,
                settings: setup.settings,
                view: Arc::default(),
                query: SharedQuery::default(),
                elapsed: Duration::ZERO,
                opening: false,
            },
            out: Effects::default(),
            theme: setup.theme,
            keymap,
            toasts,
            faults,
            pressed: Vec::new(),
            dirty: true,
            spots: Spots::default(),
            pane_area: Rect::default(),
        }
    }

    /// Shows the first pane. Its requests come back as effects.
    pub fn start(&mut self, view: Arc<View>) -> Vec<Effect> {
        self.world.view = view;
        self.with_pane(|pane, cx| pane.on_show(cx));
        self.settle()
    }

    /// Replaces what [`crate::session::SessionWorkers::view`] shows. Follow it with the reply that announced it.
    pub fn set_view(&mut self, view: Arc<View>) {
        // What is saved but not yet committed has no checkpoint of its own: compare the snapshots themselves.
        let renewed = match (&view.snapshot, &self.world.view.snapshot) {
            (Some(new), Some(old)) => !Arc::ptr_eq(new, old),
            (new, old) => new.is_some() != old.is_some(),
        };
        self.world.view = view;
        self.dirty = true;
        if renewed && self.world.query.is_on() {
            let now = self.world.clock.now();
            self.world.query.renew(now, &self.world.view, &mut self.out);
        }
    }

    /// Takes one event at a moment counted from the start; returns what is to be done to the world.
    pub fn update(&mut self, event: Event, elapsed: Duration) -> Vec<Effect> {
        self.world.elapsed = elapsed;
        let is_person = matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse(_) | Event::Edited(_));
        if is_person && self.privacy_screen.touch(elapsed) && !matches!(event, Event::Edited(_)) {
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
        self.dirty |= self.toasts.expire(elapsed) | self.privacy_screen.tick(elapsed);
        let mut deadline = [self.toasts.deadline(), self.privacy_screen.deadline()].into_iter().flatten().min();
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

    fn on_reply(&mut self, reply: &Reply) {
        if self.world.query.take(reply, &self.world.view) {
            self.tell_query();
            return;
        }
        match reply {
            Reply::Failed { error, .. } => self.toast(ToastLevel::Error, error.to_string()),
            Reply::Told(text) => self.toast(ToastLevel::Done, text.clone()),
            Reply::Written { done: Written::Undone { said, .. }, .. } => {
                self.toasts.withdraw();
                self.toast(ToastLevel::Done, said.clone());
            }
            Reply::Written { done: Written::NothingToUndo, .. } => {
                self.toast(ToastLevel::Done, "Nothing to undo".to_owned());
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
