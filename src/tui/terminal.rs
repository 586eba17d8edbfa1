//! The terminal: entered and restored exactly once, however the application ends.
//!
//! The only part of the screens that writes to stdout.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::VecDeque,
    io::{self, Write},
    ops::Range,
    panic,
    rc::Rc,
    sync::{
        Arc, Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ratatui::{
    Frame, Terminal,
    backend::CrosstermBackend,
    buffer::{Buffer, CellDiffOption, CellWidth},
    crossterm::{
        cursor, event as input, queue,
        terminal::{
            BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
            disable_raw_mode, enable_raw_mode,
        },
    },
    layout::{Position, Rect},
};

#[cfg(unix)]
use super::input::Decoder;
use super::{
    background::{self, BackgroundReply},
    event::{Event, Mouse, MouseKind},
};
use crate::{fault, sanitize};

/// Whether the terminal is entered, so that it is restored exactly once.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// The thread that owns the terminal; only its panic may restore the screen.
static OWNER: Mutex<Option<ThreadId>> = Mutex::new(None);

/// Messages of panicked worker threads, for printing after the screen is restored.
static WORKER_PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The entered terminal.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<FrameBuffer>>,
    buffer: FrameBuffer,
    /// The wide symbols of the last frame.
    wide: Vec<Range<usize>>,
    mouse: bool,
}

impl Screen {
    /// Enables raw mode, alternate screen, bracketed paste, focus reports, and optionally the mouse.
    pub fn enter(mouse: bool) -> io::Result<Self> {
        install_hook();
        *OWNER.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread::current().id());
        take(mouse)?;
        let buffer = FrameBuffer::default();
        let terminal = Terminal::new(CrosstermBackend::new(buffer.clone()))?;
        Ok(Self { terminal, buffer, wide: Vec::new(), mouse })
    }

    /// Draws a frame in one synchronized write, so that no partial frame is visible.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(|frame| {
            paint(frame);
            sanitize_cells(frame.buffer_mut());
            redraw_halves(frame.buffer_mut(), &mut self.wide);
        })?;
        self.buffer.present()
    }

    /// Redraws every cell at the next draw.
    pub fn forget(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`, which queries the cursor position and waits for an answer that may not come.
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }

    /// Restores the terminal while `act` runs.
    pub fn suspend<T>(&mut self, act: impl FnOnce() -> T) -> io::Result<T> {
        restore();
        let done = act();
        take(self.mouse)?;
        self.forget()?;
        Ok(done)
    }

    /// Asks for the background colour: the answer is an [`Event::Background`], if there is one.
    pub fn ask_background(&mut self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(background::QUERY.as_bytes())?;
        out.flush()
    }

    /// Copies a text to the clipboard through the terminal (OSC 52).
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        write!(out, "\x1b]52;c;{}\x07", STANDARD.encode(text))?;
        out.flush()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Sanitizes all cells, whichever widget painted them: no text may contain control sequences for the terminal.
fn sanitize_cells(buffer: &mut Buffer) {
    for cell in buffer.content.iter_mut().filter(|cell| !cell.symbol().bytes().all(|byte| matches!(byte, b' '..=b'~')))
    {
        let safe = match sanitize::grapheme(cell.symbol()) {
            Cow::Borrowed(_) => continue,
            Cow::Owned(safe) => safe,
        };
        cell.set_symbol(if safe.is_empty() { " " } else { &safe });
    }
}

/// Some terminals draw the signs of a flag or a syllable into a cell each: where a wide symbol is gone, its other cells
/// are drawn even if they are as blank as before. `wide`: the symbols of the last frame, then those of this one.
fn redraw_halves(buffer: &mut Buffer, wide: &mut Vec<Range<usize>>) {
    for Range { start, end } in wide.drain(..) {
        let end = end.min(buffer.content.len());
        let Some(cells) = buffer.content.get_mut(start..end) else { continue };
        if cells.first().is_some_and(|cell| cell.cell_width() <= 1) {
            cells.iter_mut().for_each(|cell| _ = cell.set_diff_option(CellDiffOption::AlwaysUpdate));
        }
    }
    let cells = buffer.content.iter().enumerate();
    let ends = cells.map(|(at, cell)| at..at + usize::from(cell.cell_width()));
    wide.extend(ends.filter(|cells| cells.len() > 1));
}

fn take(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    // From here on the terminal must be restored, even if a write below fails.
    ENTERED.store(true, Ordering::SeqCst);
    let mut out = io::stdout().lock();
    queue!(out, EnterAlternateScreen, input::EnableBracketedPaste, input::EnableFocusChange)?;
    if mouse {
        queue!(out, input::EnableMouseCapture)?;
    }
    out.flush()
}

/// Restores the terminal. Does nothing the second time.
fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout().lock();
    // Errors are ignored: the terminal may be gone.
    let _ = queue!(
        out,
        EndSynchronizedUpdate,
        input::DisableMouseCapture,
        input::DisableFocusChange,
        input::DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::SetCursorStyle::DefaultUserShape,
        cursor::Show
    );
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// A panic of the owner restores the terminal and is then reported as usual. A panic of a worker becomes a failure
/// reply of the session: it must not be printed over the screen, so its message is stored.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if fault::is_answered() {
                return;
            }
            let owner = *OWNER.lock().unwrap_or_else(PoisonError::into_inner);
            if owner == Some(thread::current().id()) {
                restore();
            } else if ENTERED.load(Ordering::SeqCst) {
                let name = thread::current().name().unwrap_or("a worker").to_owned();
                let mut panics = WORKER_PANICS.lock().unwrap_or_else(PoisonError::into_inner);
                panics.push(format!("{name}: {}", fault::described(info)));
                return;
            }
            usual(info);
        }));
    });
}

/// Takes the messages of panicked worker threads.
pub fn worker_panics() -> Vec<String> {
    std::mem::take(&mut *WORKER_PANICS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Collects a frame's bytes. A flush does not write to the terminal: a partial frame of a panicked draw never reaches
/// the restored terminal.
#[derive(Clone, Default)]
struct FrameBuffer(Rc<RefCell<Vec<u8>>>);

impl FrameBuffer {
    fn present(&self) -> io::Result<()> {
        let mut bytes = self.0.borrow_mut();
        if bytes.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        queue!(out, BeginSynchronizedUpdate)?;
        out.write_all(&bytes)?;
        queue!(out, EndSynchronizedUpdate)?;
        bytes.clear();
        out.flush()
    }
}

impl Write for FrameBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether the process was asked to exit: a closed window or a shutdown must not lose a draft or leave the terminal
/// in raw mode.
#[derive(Default)]
pub struct Ending(Arc<AtomicBool>);

impl Ending {
    /// `hangup`: also by the loss of the terminal.
    #[cfg(unix)]
    pub fn watch(hangup: bool) -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let asked = Self::default();
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup.then_some(SIGHUP)) {
            signal_hook::flag::register(signal, Arc::clone(&asked.0))?;
        }
        Ok(asked)
    }

    #[cfg(not(unix))]
    pub fn watch(_hangup: bool) -> io::Result<Self> {
        Ok(Self::default())
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Prints a line after the screens. The terminal may be gone, so errors are ignored.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Suspends the process like ctrl-z in a shell; returns when it is resumed.
pub fn stop() {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
}

/// Events from the terminal. Signals (resize, exit) and [`Waker::wake`] end a wait early.
pub struct TerminalSource {
    background: BackgroundReply,
    /// Read but not yet returned.
    events: VecDeque<Event>,
    #[cfg(unix)]
    decoder: Decoder,
    #[cfg(unix)]
    is_resized: Arc<AtomicBool>,
    #[cfg(unix)]
    woken: std::os::unix::net::UnixStream,
}

/// Ends a wait of [`TerminalSource::next`] from another thread.
pub struct Waker {
    #[cfg(unix)]
    wake: std::os::unix::net::UnixStream,
}

impl Waker {
    pub fn wake(&self) {
        // A full pipe wakes as well, and without a reader the program is exiting.
        #[cfg(unix)]
        let _ = (&self.wake).write(&[0]);
    }
}

#[cfg(unix)]
impl TerminalSource {
    pub fn new() -> io::Result<(Self, Waker)> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
        let (woken, wake) = std::os::unix::net::UnixStream::pair()?;
        woken.set_nonblocking(true)?;
        wake.set_nonblocking(true)?;
        let (background, events, decoder, is_resized) = Default::default();
        // Before the pipe: a woken loop must find it set.
        signal_hook::flag::register(SIGWINCH, Arc::clone(&is_resized))?;
        for signal in [SIGHUP, SIGINT, SIGTERM, SIGWINCH] {
            signal_hook::low_level::pipe::register(signal, wake.try_clone()?)?;
        }
        Ok((Self { background, events, decoder, is_resized, woken }, Waker { wake }))
    }

    /// Waits until there is input, a wake-up or a timeout; returns which of the first two. An error if the terminal is
    /// gone.
    fn wait(&mut self, timeout: Duration) -> io::Result<(bool, bool)> {
        use std::io::Read;

        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdin = io::stdin();
        let mut waiting = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&self.woken, PollFlags::IN)];
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        match poll(&mut waiting, Some(&timeout)) {
            Ok(_) => {}
            // A signal, which the pipe reports as well.
            Err(rustix::io::Errno::INTR) => return Ok((false, true)),
            Err(error) => return Err(error.into()),
        }
        let [terminal, pipe] = waiting.map(|waiting| waiting.revents());
        // The last bytes of a closed terminal are read first.
        if !terminal.contains(PollFlags::IN) && !terminal.is_empty() {
            return Err(gone());
        }
        let is_woken = pipe.contains(PollFlags::IN);
        // Emptied before replies are read: later ones wake again.
        while is_woken && matches!((&self.woken).read(&mut [0; 64]), Ok(1..)) {}
        Ok((terminal.contains(PollFlags::IN), is_woken))
    }

    /// Reads the available input, which must exist.
    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = [0; 4096];
        match rustix::io::read(io::stdin(), &mut bytes) {
            Ok(0) | Err(rustix::io::Errno::IO) => return Err(gone()),
            Ok(count) => self.decoder.feed(&bytes[..count]),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// The next event; `None` after a timeout or a wake-up without input.
    fn read(&mut self, timeout: Duration) -> io::Result<Option<Event>> {
        let mut timeout = timeout;
        loop {
            while let Some(event) = self.decoder.next() {
                if let Some(event) = translate(event) {
                    return Ok(Some(event));
                }
            }
            if self.is_resized.swap(false, Ordering::SeqCst) {
                return Ok(Some(Event::Resize));
            }
            let wait = self.decoder.wait().map_or(timeout, |wait| wait.min(timeout));
            let (has_input, is_woken) = self.wait(wait)?;
            if has_input {
                self.fill()?;
            } else if !self.decoder.give_up()
                && (is_woken || wait == timeout)
                && !self.is_resized.load(Ordering::SeqCst)
            {
                return Ok(None);
            }
            // A wake-up that came with input is handled by the caller after that.
            if is_woken {
                timeout = Duration::ZERO;
            }
        }
    }

    /// What has arrived of a paste whose end has not.
    pub fn unfinished_paste(&mut self) -> Option<Event> {
        self.decoder.unfinished_paste().and_then(|text| translate(input::Event::Paste(text)))
    }
}

#[cfg(unix)]
fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone")
}

#[cfg(not(unix))]
impl TerminalSource {
    pub fn new() -> io::Result<(Self, Waker)> {
        let (background, events) = Default::default();
        Ok((Self { background, events }, Waker {}))
    }

    fn read(&mut self, timeout: Duration) -> io::Result<Option<Event>> {
        let mut timeout = timeout;
        while input::poll(timeout)? {
            if let Some(event) = translate(input::read()?) {
                return Ok(Some(event));
            }
            timeout = Duration::ZERO;
        }
        Ok(None)
    }

    pub fn unfinished_paste(&mut self) -> Option<Event> {
        None
    }
}

impl TerminalSource {
    /// Maximum wait; where there is no waker, replies are polled at this interval.
    pub const LONGEST_WAIT: Duration = if cfg!(unix) { Duration::from_secs(30) } else { Duration::from_millis(20) };

    /// Waits at most `timeout` for the next event; `None` after a timeout. A zero timeout only polls.
    pub fn next(&mut self, timeout: Duration) -> io::Result<Option<Event>> {
        let mut timeout = self.background.wait().map_or(timeout, |wait| wait.min(timeout));
        while self.events.is_empty() {
            let Some(event) = self.read(timeout)? else {
                self.events.extend(self.background.give_up());
                break;
            };
            self.events.extend(self.background.take(event));
            timeout = Duration::ZERO;
        }
        Ok(self.events.pop_front())
    }
}

/// `None` for events without a meaning here, such as key releases.
fn translate(event: input::Event) -> Option<Event> {
    Some(match event {
        input::Event::Key(key) if key.kind != input::KeyEventKind::Release => Event::Key(key.into()),
        input::Event::Paste(text) => Event::Paste(text.replace("\r\n", "\n").replace('\r', "\n")),
        input::Event::Resize(..) | input::Event::FocusGained | input::Event::FocusLost => Event::Resize,
        input::Event::Mouse(mouse) => {
            let kind = match mouse.kind {
                input::MouseEventKind::Down(input::MouseButton::Left) => MouseKind::Click,
                input::MouseEventKind::Drag(input::MouseButton::Left) => MouseKind::Drag,
                input::MouseEventKind::ScrollUp => MouseKind::Wheel(-1),
                input::MouseEventKind::ScrollDown => MouseKind::Wheel(1),
                _ => return None,
            };
            Event::Mouse(Mouse { kind, at: Position::new(mouse.column, mouse.row) })
        }
        input::Event::Key(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_line_ends_of_terminals_become_plain() {
        let Some(Event::Paste(text)) = translate(input::Event::Paste("a\rb\r\nc".into())) else { panic!("no paste") };
        assert_eq!(text, "a\nb\nc");
    }

    #[test]
    fn no_half_of_a_flag_stays_on_screen() {
        let mut wide = Vec::new();
        let mut frame = |line: &str| {
            let mut buffer = Buffer::with_lines([line]);
            redraw_halves(&mut buffer, &mut wide);
            buffer
        };
        let flag = frame("aa 🇻🇳 b");
        let plain = frame("aa c  b");
        let drawn: Vec<_> = flag.diff(&plain).iter().map(|(x, _, cell)| (*x, cell.symbol().to_owned())).collect();
        assert_eq!(drawn, [(3, "c".to_owned()), (4, " ".to_owned())]);
    }

    #[test]
    fn releasing_a_key_is_nothing() {
        let mut key = input::KeyEvent::new(input::KeyCode::Char('a'), input::KeyModifiers::NONE);
        key.kind = input::KeyEventKind::Release;
        assert!(translate(input::Event::Key(key)).is_none());
    }
}
