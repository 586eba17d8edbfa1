//! The screens in a pseudo terminal.

use std::{
    io::{Read, Write},
    num::NonZero,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::home::Home;

const ROWS: u16 = 30;
const COLUMNS: u16 = 100;

/// The program in a terminal of its own.
pub struct Screen {
    // The terminal goes when this is dropped.
    _master: Box<dyn MasterPty + Send>,
    input: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    child: Box<dyn Child + Send + Sync>,
    terminal: vt100::Parser,
}

impl Screen {
    pub fn open(home: &Home) -> Self {
        let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo terminal");
        let mut command = CommandBuilder::new(home.binary());
        home.environment().into_iter().for_each(|(name, value)| command.env(name, value));
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the screens start");
        let mut reader = pair.master.try_clone_reader().expect("a terminal can be read");
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        let input = pair.master.take_writer().expect("a terminal can be typed into");
        let cells = |n| NonZero::new(n).expect("a terminal has cells");
        let terminal = vt100::Parser::new(cells(ROWS), cells(COLUMNS), 0);
        Self { _master: pair.master, input, output, child, terminal }
    }

    pub fn id(&self) -> Option<u32> {
        self.child.process_id()
    }

    pub fn keys(&mut self, keys: &str) {
        let _ = self.input.write_all(keys.as_bytes());
        let _ = self.input.flush();
    }

    /// Escape, `times` over. What follows at once would be read as one key with it.
    pub fn escape(&mut self, times: usize) {
        for _ in 0..times {
            self.keys("\x1b");
            thread::sleep(Duration::from_millis(60));
        }
    }

    pub fn contents(&self) -> String {
        self.terminal.screen().contents()
    }

    /// Reads on until the screen has it; false where it has not within `patience`, or ended.
    pub fn until(&mut self, patience: Duration, holds: impl Fn(&str) -> bool) -> bool {
        let begun = Instant::now();
        while !holds(&self.contents()) {
            match self.output.recv_timeout(patience.saturating_sub(begun.elapsed())) {
                Ok(bytes) => self.terminal.process(&bytes),
                Err(_) => return holds(&self.contents()),
            }
        }
        true
    }

    /// Draws what has come meanwhile.
    pub fn drain(&mut self) {
        while let Ok(bytes) = self.output.try_recv() {
            self.terminal.process(&bytes);
        }
    }

    /// Asks it to end, and ends it where it does not; true where it did by itself.
    pub fn quit(mut self) -> bool {
        // Out of whatever is open, then the command that ends from anywhere.
        self.escape(1);
        self.drain();
        self.keys("\x11");
        let begun = Instant::now();
        loop {
            match self.output.recv_timeout(Duration::from_secs(30).saturating_sub(begun.elapsed())) {
                Ok(bytes) => self.terminal.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    let _ = self.child.kill();
                    let _ = self.child.wait();
                    return false;
                }
            }
        }
        self.child.wait().is_ok_and(|status| status.exit_code() == 0)
    }

    /// Writes a new entry and saves it; false where the screen does not say that it is saved.
    pub fn write(&mut self, text: &str) -> bool {
        let patience = Duration::from_secs(30);
        self.drain();
        self.keys("n");
        if !self.until(patience, |screen| screen.contains("New entry")) {
            return false;
        }
        self.keys(text);
        let end: String = text.chars().rev().take(8).collect::<Vec<_>>().into_iter().rev().collect();
        if !self.until(patience, |screen| screen.contains(&end)) {
            return false;
        }
        self.keys("\x13");
        self.until(patience, |screen| !screen.contains("New entry"))
    }
}
