//! Output: data to stdout, messages to stderr, colour only on a terminal.
//!
//! All text for a terminal is sanitised here ([`sanitize`]), even if the caller has already done so. Data to a pipe is
//! not changed.

use std::{
    borrow::Cow,
    fmt::Display,
    io::{self, BufWriter, IsTerminal, Write},
    ops::Range,
};

use serde::Serialize;

use super::outcome::Failure;
pub use crate::spelling::counted;
use crate::{report::Report, sanitize, session::Progress};

/// Buffered stdout. After the first write error nothing more is written; [`Output::flush`] returns the error.
pub struct Output {
    writer: BufWriter<io::Stdout>,
    fault: Option<io::Error>,
    terminal: bool,
    colour: bool,
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";
/// The only escape sequences that are written to a terminal.
const STYLES: [&str; 3] = [BOLD, DIM, PLAIN];

impl Output {
    /// Output to stdout. Uses colour only on a terminal that supports it, unless `no_color`.
    pub fn stdout(no_color: bool, term: Option<&str>) -> Self {
        let terminal = io::stdout().is_terminal();
        Self {
            writer: BufWriter::new(io::stdout()),
            fault: None,
            terminal,
            colour: terminal && !no_color && term.is_none_or(|term| term != "dumb"),
        }
    }

    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    pub fn line(&mut self, text: impl Display) {
        let line = if self.terminal { self.rendered(&text.to_string()) } else { text.to_string() };
        self.write(|writer| writeln!(writer, "{line}"));
    }

    /// A line behind a bold label, which is padded to `width`.
    pub fn row(&mut self, width: usize, label: &str, text: impl Display) {
        let label = format!("{label:<width$}");
        self.line(format_args!("{} {text}", self.bold(&label)));
    }

    /// Writes bytes; on a terminal, as sanitised text.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let text = self.terminal.then(|| String::from_utf8_lossy(bytes));
        let shown = text.as_deref().map(sanitize::for_terminal);
        let bytes = shown.as_deref().map_or(bytes, str::as_bytes);
        self.write(|writer| writer.write_all(bytes));
    }

    /// Writes one JSON value on one line, escaped so that it is safe for a terminal.
    pub fn json(&mut self, value: &impl Serialize) {
        self.write(|writer| {
            sanitize::write_json(value, &mut *writer)?;
            writer.write_all(b"\n")
        });
    }

    fn write(&mut self, write: impl FnOnce(&mut BufWriter<io::Stdout>) -> io::Result<()>) {
        if self.fault.is_none() {
            self.fault = write(&mut self.writer).err();
        }
    }

    /// Sanitises a line for a terminal, except for the sequences of [`STYLES`].
    fn rendered(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while self.colour
            && let Some((at, code)) = STYLES.iter().filter_map(|code| Some((rest.find(code)?, code))).min()
        {
            shown.push_str(&sanitize::for_terminal(&rest[..at]));
            shown.push_str(code);
            rest = &rest[at + code.len()..];
        }
        shown.push_str(&sanitize::for_terminal(rest));
        shown
    }

    /// Flushes the buffer. Returns the first write error.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.write(BufWriter::flush);
        self.fault.take().map_or(Ok(()), |error| Err(Failure::of_output(&error)))
    }

    /// `text` in bold, if colour is on.
    pub fn bold<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.styled(BOLD, text)
    }

    pub fn dim<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.styled(DIM, text)
    }

    fn styled<'t>(&self, style: &str, text: &'t str) -> Cow<'t, str> {
        if self.colour && !text.is_empty() { Cow::Owned(format!("{style}{text}{PLAIN}")) } else { text.into() }
    }

    /// The text as it will appear on the terminal, for callers that measure or shorten it.
    pub fn safe<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.terminal { sanitize::for_terminal(text) } else { text.into() }
    }

    /// An id. On a terminal, invisible characters are escaped instead of removed, so that different ids look different.
    pub fn id<'t>(&self, id: &'t str) -> Cow<'t, str> {
        if self.terminal { sanitize::escaped(id) } else { id.into() }
    }

    /// The part `shown` of `text` on one line, with `matches` (byte ranges of `text`) in bold.
    pub fn excerpt(&self, text: &str, shown: Range<usize>, matches: &[Range<usize>]) -> String {
        let mut line = String::new();
        let mut at = shown.start;
        let whole = |span: &Range<usize>| text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
        let inside =
            matches.iter().filter(|found| found.start >= shown.start && found.end <= shown.end && whole(found));
        for found in inside {
            if found.start < at {
                continue;
            }
            line.push_str(&one_line(text.get(at..found.start).unwrap_or_default()));
            line.push_str(&self.bold(&one_line(text.get(found.clone()).unwrap_or_default())));
            at = found.end;
        }
        line.push_str(&one_line(text.get(at..shown.end).unwrap_or_default()));
        line.trim().to_owned()
    }
}

/// Prints a note. Write errors are ignored.
pub fn note(text: impl Display) {
    tell("note: ", text);
}

/// Prints a question without a line break.
pub fn ask(text: impl Display) {
    let text = text.to_string();
    let _ = write!(io::stderr(), "{}", sanitize::for_terminal(&text)).and_then(|()| io::stderr().flush());
}

/// Prints a warning.
pub fn warn(text: impl Display) {
    tell("warning: ", text);
}

/// Prints an error with its causes and hints.
pub fn complain(report: &Report) {
    let text = report.to_string();
    let _ = write!(io::stderr(), "{}", sanitize::for_terminal(&text));
}

/// Always sanitised, even if stderr is not a terminal: messages contain names of entries and files, which may be
/// malicious.
fn tell(kind: &str, text: impl Display) {
    let text = text.to_string();
    let _ = writeln!(io::stderr(), "{kind}{}", sanitize::for_terminal(&text));
}

/// A progress line on a terminal; silent elsewhere.
pub struct ProgressLine {
    shown: bool,
    terminal: bool,
}

impl ProgressLine {
    pub fn stderr() -> Self {
        Self { shown: false, terminal: io::stderr().is_terminal() }
    }

    /// The progress of indexing. True: it goes on.
    pub fn step(&mut self, now: Progress) -> bool {
        self.show(format_args!("{} {} of {}", now.what, now.done, now.of));
        true
    }

    pub fn show(&mut self, text: impl Display) {
        if self.terminal {
            self.shown = true;
            let text = text.to_string();
            let _ = write!(io::stderr(), "\r\x1b[K{}", sanitize::for_terminal(&text));
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Replaces line breaks, tabs and control characters by spaces, so that an item stays on one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        text.replace("\r\n", " ").replace(char::is_control, " ").into()
    } else {
        text.into()
    }
}

/// The first line of a text that is not blank.
pub fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

/// Formats 1,234,567 as "1.2 MB".
pub fn bytes(count: u64) -> String {
    let mut size = count as f64;
    let mut unit = "bytes";
    for larger in ["kB", "MB", "GB", "TB"] {
        if size < 1000.0 {
            break;
        }
        size /= 1000.0;
        unit = larger;
    }
    if unit == "bytes" { format!("{count} bytes") } else { format!("{size:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(colour: bool) -> Output {
        Output { writer: BufWriter::new(io::stdout()), fault: None, terminal: colour, colour }
    }

    #[test]
    fn matches_are_bold_only_where_there_is_colour() {
        let (text, lake) = ("at the lake\nwith Linh", 7..11);
        let matches = std::slice::from_ref(&lake);
        assert_eq!(output(false).excerpt(text, 0..text.len(), matches), "at the lake with Linh");
        assert_eq!(output(true).excerpt(text, 0..text.len(), matches), "at the \x1b[1mlake\x1b[0m with Linh");
    }

    #[test]
    fn a_match_outside_the_excerpt_or_on_no_character_boundary_does_no_harm() {
        assert_eq!(output(true).excerpt("tháng ba", 0..6, &[7..9, 3..4, 2..9]), "tháng");
    }

    #[test]
    fn sizes_are_said_in_three_figures_or_so() {
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(999), "999 bytes");
        assert_eq!(bytes(1_234_567), "1.2 MB");
    }

    #[test]
    fn an_entry_cannot_move_the_cursor() {
        assert_eq!(output(true).safe("a\x1b[2Jb\n"), "a␛[2Jb\n");
        assert_eq!(output(false).safe("a\x1bb"), "a\x1bb");
        let out = output(true);
        let line = format!("{} \x1b[1m\x1b[31m", out.bold("id\x1b]52;c;eA\x07"));
        assert_eq!(out.rendered(&line), "\x1b[1mid␛]52;c;eA␇\x1b[0m \x1b[1m␛[31m");
    }
}
