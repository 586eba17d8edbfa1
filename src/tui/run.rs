//! The event loop: wait for a key or a reply, drain, update, perform, draw what changed. There is no fixed tick.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    app::{App, TuiOptions},
    background,
    closing::{self, Connection},
    effect::{Effect, Outside, perform},
    event::Event,
    handoff::Editor,
    key_table,
    opener::Opener,
    panes::PANES,
    terminal::{Ending, Screen, TerminalSource, stop, worker_panics},
};
use crate::{
    report::Report,
    session::{Reply, Request, SessionWorkers, Ticket},
};

#[derive(Debug, thiserror::Error)]
#[error("the terminal: {0}")]
pub struct TuiError(#[from] io::Error);

/// Result of a run.
#[derive(Debug, Default)]
pub struct Ended {
    /// Messages of panicked workers, for printing.
    pub worker_panics: Vec<String>,
    /// The journal that the user switched to.
    pub switch_to: Option<String>,
    /// Changes that failed while quitting, and text that is in no file.
    pub unsaved: Vec<Report>,
}

/// Maximum number of events drained before a draw: a burst of keys costs one frame.
const BURST: usize = 512;
/// Maximum number of events drained before the exit: a program that types without a pause must not keep it running.
const LAST_BURST: usize = 1 << 17;
/// Minimum time between draws that are due to replies only.
const FRAME: Duration = Duration::from_millis(16);

/// Errors in the configuration, as sentences to show.
pub fn faults(options: &TuiOptions) -> Vec<String> {
    let (_, of_keys) = key_table(&options.keys);
    options.faults.iter().cloned().chain(of_keys).collect()
}

/// Runs the application until the user quits. The caller has checked that this is a terminal. Restores the terminal,
/// then finishes the session's queued writes before returning.
pub fn run(options: TuiOptions, session: SessionWorkers) -> Result<Ended, TuiError> {
    let asks_background = options.asks_background && options.theme.follows_background();
    let (mouse, editor) = (options.settings.mouse, options.editor.clone());
    let app = App::new(PANES, options);
    let ending = Ending::watch(true)?;
    let (mut source, waker) = TerminalSource::new()?;
    let waker = Arc::new(waker);
    let opener = Opener::new({
        let waker = waker.clone();
        move || waker.wake()
    });
    session.wake_on_reply(move || waker.wake());
    let mut screen = Screen::enter(mouse)?;
    if asks_background {
        screen.ask_background()?;
    }
    let mut here = Here { screen, connection: Connection::new(session), editor, opener };
    let patience = if asks_background { background::PATIENCE } else { Duration::ZERO };
    let started = Instant::now();
    let mut looping = Loop { app, started, drawn: Duration::ZERO, patience };
    let looped = looping.run(&mut here, &mut source, &ending);
    let Here { screen, connection, .. } = here;
    drop(screen);
    let mut app = looping.app;
    let unsaved = closing::finish(&mut app, connection, &mut source, started);
    // The text is more important than a broken terminal.
    if unsaved.is_empty() {
        looped?;
    }
    Ok(Ended { worker_panics: worker_panics(), switch_to: app.next_journal().map(str::to_owned), unsaved })
}

/// The real environment.
struct Here {
    screen: Screen,
    connection: Connection,
    editor: Option<Editor>,
    opener: Opener,
}

impl Outside for Here {
    fn send(&mut self, ticket: Ticket, request: Request) {
        self.connection.send(ticket, request);
    }

    fn edit(&mut self, text: &str) -> Result<String, String> {
        let Some(editor) = &self.editor else {
            return Err("no editor: set $EDITOR, or `editor` in the configuration".to_owned());
        };
        let back = self.screen.suspend(|| editor.open("entry", text)).map_err(|error| error.to_string())?;
        let back = back.map_err(|error| error.to_string())?;
        let text = back.text.clone();
        self.connection.handover.take(back);
        Ok(text)
    }

    fn copy(&mut self, text: &str) {
        // A terminal without clipboard support reports nothing either.
        let _ = self.screen.copy(text);
    }

    fn open_outside(&mut self, target: &str) {
        self.opener.open(target);
    }

    fn redraw(&mut self) {
        let _ = self.screen.forget();
    }

    fn sleep(&mut self) {
        let _ = self.screen.suspend(stop);
    }
}

struct Loop {
    app: App,
    started: Instant,
    drawn: Duration,
    /// Maximum delay of the first frame for the terminal's background colour.
    patience: Duration,
}

impl Loop {
    fn run(&mut self, here: &mut Here, source: &mut TerminalSource, ending: &Ending) -> io::Result<()> {
        let looped = self.cycle(here, source, ending);
        if looped.is_err() {
            // The terminal is gone; unsaved text must still be saved as a draft.
            self.take_rest(here, source);
        }
        looped
    }

    fn cycle(&mut self, here: &mut Here, source: &mut TerminalSource, ending: &Ending) -> io::Result<()> {
        // The first frame does not wait for the session, and ends its wait for the background with any key.
        let mut early = None;
        while early.is_none() && self.elapsed() < self.patience {
            early = source.next(self.patience.saturating_sub(self.elapsed()))?;
        }
        if let Some(event) = early.take_if(|event| matches!(event, Event::Background { .. })) {
            self.update(event, here);
        }
        here.screen.draw(|frame| self.app.draw(frame))?;
        let effects = self.app.start(here.connection.session.view());
        let mut quit = self.perform(effects, here);
        if let Some(event) = early {
            quit |= self.update(event, here);
        }
        while !quit {
            let (effects, deadline) = self.app.tick(self.elapsed());
            quit |= self.perform(effects, here);
            self.draw_if_due(here, false)?;
            let mut next = source.next(self.longest_wait(deadline))?;
            let had_input = next.is_some();
            let mut burst = 0;
            while let Some(event) = next {
                quit |= self.update(event, here);
                burst += 1;
                next = if burst < BURST && !quit { source.next(Duration::ZERO)? } else { None };
            }
            // After the last key, failures are part of the report at the end.
            while !quit && let Some(reply) = here.connection.session.try_recv() {
                here.connection.heard(&reply);
                if matches!(reply, Reply::ViewChanged) {
                    self.app.set_view(here.connection.session.view());
                }
                quit |= self.update(Event::Reply(Box::new(reply)), here);
            }
            for failure in here.opener.failures() {
                quit |= self.update(Event::NotOpened(failure), here);
            }
            if ending.is_asked() {
                quit |= self.take_rest(here, source);
            }
            self.draw_if_due(here, had_input)?;
        }
        Ok(())
    }

    /// Takes the text that was typed before a request to exit, then exits.
    fn take_rest(&mut self, here: &mut Here, source: &mut TerminalSource) -> bool {
        for _ in 0..LAST_BURST {
            // A terminal that is gone has nothing left to read.
            let Ok(Some(event)) = source.next(Duration::ZERO) else { break };
            if self.update(event, here) {
                return true;
            }
        }
        if let Some(event) = source.unfinished_paste() {
            self.update(event, here);
        }
        self.update(Event::Terminate, here)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn update(&mut self, event: Event, here: &mut Here) -> bool {
        let effects = self.app.update(event, self.elapsed());
        self.perform(effects, here)
    }

    /// Performs effects until there are no more; returns whether to quit.
    fn perform(&mut self, effects: Vec<Effect>, here: &mut Here) -> bool {
        perform(effects, here, |event| self.app.update(event, self.started.elapsed()))
    }

    /// Draws at once after a key, and at most once per frame time after replies.
    fn draw_if_due(&mut self, here: &mut Here, at_once: bool) -> io::Result<()> {
        if self.app.is_dirty() && (at_once || self.elapsed() >= self.drawn + FRAME) {
            here.screen.draw(|frame| self.app.draw(frame))?;
            self.drawn = self.elapsed();
        }
        Ok(())
    }

    /// Maximum wait for a key or a reply: until the next frame, or until the application's next timer.
    fn longest_wait(&self, deadline: Option<Duration>) -> Duration {
        let now = self.elapsed();
        let frame = self.app.is_dirty().then(|| (self.drawn + FRAME).saturating_sub(now));
        let due = deadline.map(|deadline| deadline.saturating_sub(now));
        [frame, due].into_iter().flatten().fold(TerminalSource::LONGEST_WAIT, Duration::min)
    }
}
