//! The application without a terminal: takes events, returns effects, and draws frames on request.

mod keyboard;
mod listings;
mod painting;
mod quitting;

use std::{sync::Arc, time::Duration};

use ratatui::layout::Rect;

use super::{
    Key, Mouse, MouseKind, Pointed, Spots, Target, TextInput, UpdateContext,
    bars::HitArea,
    effect::Effect,
    event::Event,
    handoff::Editor,
    history::{History, Place},
    keymap::{KeyOverrides, Keymap},
    overlays::{confirm::Confirm, toasts::Toasts},
    pane::{AnyPane, PaneEntry},
    privacy_screen::PrivacyScreen,
    query::SharedQuery,
    shell::{self, Shell},
    theme::{Theme, ThemeChoice},
    update_context::{Effects, Intent, Settings, ToastLevel},
};
use crate::{
    clock::Clock,
    search::Legs,
    session::{Reply, Response, View, Written},
};

pub use listings::tables;

/// Options from the caller; the screens read no environment.
#[derive(Debug, Clone)]
pub struct TuiOptions {
    pub theme: ThemeChoice,
    /// The terminal may be asked for its background colour.
    pub asks_background: bool,
    pub keys: KeyOverrides,
    pub settings: Settings,
    /// `$VISUAL`, `$EDITOR` or the one from the configuration.
    pub editor: Option<Editor>,
    pub clock: Clock,
    /// Other errors in the configuration, as sentences to show.
    pub faults: Vec<String>,
}

/// The state that panes may read.
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
    fn cx<'a>(&'a self, out: &'a mut Effects, in_front: bool) -> UpdateContext<'a> {
        UpdateContext {
            clock: &self.clock,
            elapsed: self.elapsed,
            settings: &self.settings,
            view: &self.view,
            query: &self.query,
            in_front,
            opening: self.opening,
            out,
        }
    }
}

/// State of quitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Quitting {
    #[default]
    No,
    /// Until the text of the forms is on disk; another key cancels it.
    Waiting,
    /// Some text could not be kept: the same key again quits.
    Refused,
    Done,
    /// Before all text was on disk: the same key was pressed again.
    Insisted,
}

pub struct App {
    entries: &'static [PaneEntry],
    panes: Vec<Box<dyn AnyPane>>,
    current: usize,
    overlays: Vec<Box<dyn AnyPane>>,
    history: History<Place>,
    world: World,
    out: Effects,
    theme_choice: ThemeChoice,
    theme: Theme,
    keymap: Keymap,
    toasts: Toasts,
    privacy_screen: PrivacyScreen,
    faults: Vec<String>,
    /// See [`Intent::Switch`].
    next_journal: Option<String>,
    quitting: Quitting,
    /// Keys of an unfinished sequence.
    pressed: Vec<Key>,
    dirty: bool,
    /// Hit areas of the bars, and the area of the pane.
    spots: Spots<HitArea>,
    pane_area: Rect,
}

impl App {
    pub fn new(panes: &'static [PaneEntry], options: TuiOptions) -> Self {
        let (keymap, key_faults) = Keymap::new(&tables(panes), &options.keys);
        let theme = options.theme.theme();
        let mut faults = options.faults;
        faults.extend(key_faults);
        let mut toasts = Toasts::new(options.settings.reduced_motion);
        if let [first, ..] = faults.as_slice() {
            let more = if faults.len() > 1 { format!(" (and {} more: !)", faults.len() - 1) } else { String::new() };
            toasts.push(ToastLevel::Error, format!("{first}{more}"), Duration::ZERO);
        }
        Self {
            entries: panes,
            panes: panes.iter().map(|entry| (entry.make)()).collect(),
            current: 0,
            overlays: Vec::new(),
            history: History::default(),
            privacy_screen: PrivacyScreen::new(&options.settings),
            world: World {
                clock: options.clock,
                settings: options.settings,
                view: Arc::default(),
                query: SharedQuery::default(),
                elapsed: Duration::ZERO,
                opening: false,
            },
            out: Effects::default(),
            theme_choice: options.theme,
            theme,
            keymap,
            toasts,
            faults,
            next_journal: None,
            quitting: Quitting::No,
            pressed: Vec::new(),
            dirty: true,
            spots: Spots::default(),
            pane_area: Rect::default(),
        }
    }

    /// Shows the first pane. Returns its requests as effects.
    pub fn start(&mut self, view: Arc<View>) -> Vec<Effect> {
        self.world.view = view;
        self.with_pane(|pane, cx| pane.on_show(cx));
        self.settle()
    }

    /// Replaces the view, see [`crate::session::SessionWorkers::view`]. Send the reply that announced it right after.
    pub fn set_view(&mut self, view: Arc<View>) {
        // Saved but uncommitted entries have no checkpoint of their own, so the snapshots themselves are compared.
        let address = |view: &View| view.snapshot.as_ref().map(Arc::as_ptr);
        let renewed = address(&view) != address(&self.world.view);
        self.world.view = view;
        self.dirty = true;
        if renewed && self.world.query.is_on() {
            let now = self.world.clock.now();
            self.world.query.renew(now, &self.world.view, &mut self.out);
        }
    }

    /// Handles one event; `elapsed` is the time since the start. Returns the effects to perform.
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
        let quitting = self.quitting;
        match event {
            Event::Key(key) => self.on_key(key),
            Event::Paste(text) => self.on_text(TextInput::Pasted(text)),
            Event::Mouse(mouse) => self.on_mouse(mouse),
            Event::Reply(mut reply) => {
                if let Reply::To(_, Response::Drafts(drafts)) = reply.as_mut() {
                    // The draft of an open form is not offered in another pane.
                    let open = self.forms(|form| form.draft.clone());
                    drafts.retain(|draft| !open.contains(&draft.id));
                }
                self.on_reply(&reply);
            }
            Event::NotOpened(failure) => {
                // It said that it is opening.
                self.toasts.withdraw(&[ToastLevel::Done]);
                self.toast(ToastLevel::Error, failure);
            }
            Event::Edited(edited) => self.each(|pane, cx| pane.on_edited(&edited, cx)),
            Event::Terminate => {
                self.keep_forms();
                self.quit_now();
            }
            Event::Background { is_light } => {
                self.theme_choice.is_light = Some(is_light);
                self.use_theme(None);
            }
            Event::Resize => {}
        }
        self.dirty = true;
        let effects = self.settle();
        if is_person && self.quitting == quitting && quitting != Quitting::Done {
            (self.quitting, self.next_journal) = (Quitting::No, None);
        }
        effects
    }

    /// Runs due timers; returns effects, and the time of the next call at the latest.
    pub fn tick(&mut self, elapsed: Duration) -> (Vec<Effect>, Option<Duration>) {
        self.world.elapsed = elapsed;
        self.dirty |= self.toasts.expire(elapsed) | self.privacy_screen.tick(elapsed);
        let mut deadline = [self.toasts.deadline(), self.privacy_screen.deadline()].into_iter().flatten().min();
        self.each(|pane, cx| {
            if cx.in_front
                && let Some((column, cited)) = pane.source()
            {
                column.turn_to(cited, cx);
            }
            deadline = [deadline, pane.on_tick(cx)].into_iter().flatten().min();
        });
        (self.settle(), deadline)
    }

    /// Whether anything changed since the last draw.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// The journal to open after quitting.
    pub fn next_journal(&self) -> Option<&str> {
        self.next_journal.as_deref()
    }

    /// Name of the visible pane.
    pub fn pane(&self) -> &'static str {
        self.entries.get(self.current).map_or("", |entry| entry.name)
    }

    fn on_reply(&mut self, reply: &Reply) {
        if self.world.query.take(reply, &self.world.view) {
            self.tell_query();
            return;
        }
        let failed = matches!(reply, Reply::To(_, Response::Failed(_))).then(|| reply.ticket()).flatten();
        if self.quitting == Quitting::Waiting && self.saves().iter().any(|(save, _)| Some(*save) == failed) {
            (self.quitting, self.next_journal) = (Quitting::Refused, None);
        }
        match reply {
            Reply::To(_, Response::Failed(error)) => self.toast(ToastLevel::Error, error.to_string()),
            Reply::Notification(text) => self.toast(ToastLevel::Notice, text.clone()),
            Reply::To(_, Response::Written(Written::Undone { said, .. })) => {
                self.toasts.withdraw(&[ToastLevel::Done, ToastLevel::Notice]);
                self.toast(ToastLevel::Done, said.clone());
            }
            Reply::To(_, Response::Written(Written::NothingToUndo)) => {
                self.toast(ToastLevel::Done, "Nothing to undo".to_owned());
            }
            _ => {}
        }
        self.each(|pane, cx| {
            if let Some((column, _)) = pane.source() {
                column.take(reply);
            }
            pane.on_reply(reply, cx);
        });
        if self.quitting == Quitting::Waiting {
            self.continue_quit();
        }
    }

    /// The state for the conditions of the application's own commands.
    fn shell(&self) -> Shell {
        Shell {
            panes: self.panes.len(),
            query_is_on: self.world.query.is_on(),
            types: self.focus().is_some_and(|focus| focus.wants_text()),
            back: self.can_travel(false),
            forward: self.can_travel(true),
        }
    }

    fn tell_query(&mut self) {
        self.each(|pane, cx| pane.on_query(cx));
    }

    /// Calls `act` for every pane and overlay.
    fn each(&mut self, mut act: impl FnMut(&mut dyn AnyPane, &mut UpdateContext<'_>)) {
        for (nth, pane) in self.panes.iter_mut().chain(&mut self.overlays).enumerate() {
            act(pane.as_mut(), &mut self.world.cx(&mut self.out, nth == self.current));
        }
    }

    fn toast(&mut self, level: ToastLevel, text: String) {
        self.toasts.push(level, text, self.world.elapsed);
    }

    fn on_mouse(&mut self, mouse: Mouse) {
        let is_click = mouse.kind == MouseKind::Click;
        if is_click {
            self.pressed.clear();
        }
        if is_click && !self.privacy_screen.is_blurred() {
            self.toasts.acknowledge();
        }
        let spot = self.spots.at(mouse.at).copied().filter(|_| is_click);
        if let Some(HitArea::Hint(command)) = spot {
            self.run_by_name(command);
        } else if !self.overlays.is_empty() {
            self.with_focus(|focus, cx| match focus.picker().map(|picker| picker.point(mouse)) {
                Some(Pointed::Away) => cx.close(),
                Some(Pointed::Again) => focus.choose(cx),
                Some(Pointed::Moved | Pointed::Nothing) | None => focus.on_mouse(mouse, cx),
            });
        } else if let Some(HitArea::Tab(nth)) = spot {
            self.out.intents.push(Intent::Tab(nth));
        } else if let Some(HitArea::Bar(command)) = spot {
            self.run_by_name(command);
        } else if self.pane_area.contains(mouse.at) {
            self.with_pane(|pane, cx| {
                if !pane.source().is_some_and(|(column, _)| column.on_mouse(mouse, cx)) {
                    pane.on_mouse(mouse, cx);
                }
            });
        }
    }

    /// Processes intents until none is left; returns the effects.
    fn settle(&mut self) -> Vec<Effect> {
        // An intent may create others. Bounded, because two panes that open each other must not hang the application.
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
            Intent::Toast(level, text) => {
                if level == ToastLevel::Done {
                    self.toasts.withdraw(&[ToastLevel::Done]);
                }
                self.toast(level, text);
            }
            Intent::Open(mut target) => {
                target.visit = target.pane != self.pane();
                if target.visit || !target.compose {
                    self.leave();
                }
                self.open(&target);
            }
            Intent::Travel { forward } => self.travel(forward),
            Intent::Query { text, legs } => self.ask(text, legs),
            Intent::ClearQuery => {
                self.leave();
                self.ask(String::new(), self.world.query.legs());
                let back = self.keymap.key_of("app.back").map_or_else(String::new, |key| format!(" · {key} goes back"));
                self.toast(ToastLevel::Done, format!("Query cleared{back}"));
            }
            // The answer could be a letter of the text.
            Intent::Confirm { .. } if self.focus().is_some_and(|focus| focus.wants_text()) => {
                self.toast(ToastLevel::Notice, "Not changed while typing · esc, then try again".to_owned());
            }
            Intent::Confirm { question, yes, ticket, request } => {
                self.lay_over(Box::new(Confirm::new(question, yes, ticket, request)));
            }
            Intent::Overlay(name) => self.lay_over(self.overlay(name)),
            Intent::Close => {
                self.overlays.pop();
                self.use_theme(None);
            }
            Intent::Theme(name) => {
                name.clone_into(&mut self.theme_choice.name);
                self.use_theme(None);
                self.toast(ToastLevel::Done, format!("Theme: {name} · theme = \"{name}\" in config.toml keeps it"));
            }
            Intent::Preview(command) => self.use_theme(command.strip_prefix(shell::THEME)),
            Intent::Tab(nth) if nth == self.current => {}
            Intent::Tab(nth) => {
                self.leave();
                self.show(nth);
            }
            Intent::Run(name) => self.run_by_name(name),
            Intent::Blur => self.privacy_screen.toggle_blur(),
            Intent::Blank => self.privacy_screen.go_blank(),
            Intent::Switch(name) => {
                self.next_journal = Some(name);
                self.out.intents.push(Intent::Quit);
            }
            Intent::Quit => {
                self.keep_forms();
                match self.quitting {
                    Quitting::No => self.continue_quit(),
                    _ => {
                        self.quit_now();
                        self.quitting = Quitting::Insisted;
                    }
                }
            }
        }
    }

    fn ask(&mut self, text: String, legs: Legs) {
        let now = self.world.clock.now();
        self.world.query.ask(text, legs, now, &self.world.view, &mut self.out);
        self.tell_query();
    }

    fn open(&mut self, target: &Target) {
        if let Some(nth) = self.entries.iter().position(|entry| entry.name == target.pane) {
            self.world.opening = true;
            self.show(nth);
            self.world.opening = false;
            self.with_pane(|pane, cx| pane.on_open(target, cx));
        }
    }

    /// Switches to a theme for a preview, or else to the chosen one.
    fn use_theme(&mut self, preview: Option<&str>) {
        let name = preview.unwrap_or(&self.theme_choice.name).to_owned();
        self.theme = ThemeChoice { name, ..self.theme_choice.clone() }.theme();
    }

    fn place(&self) -> Place {
        let target = self.panes.get(self.current).map(|pane| pane.place()).unwrap_or_default();
        let (query, legs) = (self.world.query.text().to_owned(), self.world.query.legs());
        Place { target: Target { pane: self.pane(), ..target }, query, legs }
    }

    /// Adds the visible place to the history, because another one is about to replace it.
    fn leave(&mut self) {
        let place = Some(self.place()).filter(|place| self.history.back.last() != Some(place));
        self.history.leave(place);
        self.panes.iter_mut().for_each(|pane| pane.forget_ahead());
    }

    fn has_trail(&self, forward: bool) -> bool {
        self.panes.get(self.current).is_some_and(|pane| pane.has_trail(forward))
    }

    fn can_travel(&self, forward: bool) -> bool {
        self.has_trail(forward) || self.history.has(forward)
    }

    /// Goes back or forward in the history, with the shared query of that place.
    fn travel(&mut self, forward: bool) {
        if self.has_trail(forward) {
            return self.with_pane(|pane, cx| pane.step(forward, cx));
        }
        let here = self.place();
        let Some(Place { target, query, legs }) = self.history.step(forward, Some(here)) else { return };
        if (query.as_str(), legs) != (self.world.query.text(), self.world.query.legs()) {
            self.ask(query, legs);
        }
        self.open(&target);
    }

    fn show(&mut self, nth: usize) {
        if nth < self.panes.len() && nth != self.current {
            // A sequence begun in one pane must not consume the first letter typed into a field of another.
            self.pressed.clear();
            self.toasts.leave(self.world.elapsed);
            self.with_pane(|pane, _| pane.on_hide());
            self.current = nth;
            self.with_pane(|pane, cx| pane.on_show(cx));
        }
    }

    fn lay_over(&mut self, mut overlay: Box<dyn AnyPane>) {
        self.pressed.clear();
        overlay.on_show(&mut self.world.cx(&mut self.out, true));
        self.overlays.push(overlay);
    }

    /// Runs a command of the overlay or pane with the focus, or else of the application.
    fn run_by_name(&mut self, name: &str) {
        let shell = self.shell();
        let own = self.focus().and_then(|focus| focus.table().commands.iter().position(|info| info.name == name));
        if let Some(nth) = own {
            self.with_focus(|focus, cx| {
                if focus.is_enabled(nth) {
                    focus.run(nth, cx);
                }
            });
        } else if let Some(nth) = Shell::COMMANDS.iter().position(|command| command.info.name == name)
            && shell.is_enabled(nth, false)
        {
            self.run_shell(nth);
        }
    }
}

/// Accessors for tests.
#[cfg(any(test, feature = "lab"))]
impl App {
    /// Makes another pane than the first one the visible one, before the start.
    pub fn start_in(&mut self, pane: &str) {
        self.current = self.entries.iter().position(|entry| entry.name == pane).unwrap_or(0);
    }

    /// The toasts on screen.
    pub fn toasts(&self) -> Vec<&str> {
        self.toasts.texts().collect()
    }

    pub fn theme(&self) -> &Theme {
        &self.theme
    }

    pub fn query(&self) -> &SharedQuery {
        &self.world.query
    }
}
