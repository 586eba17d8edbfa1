//! Decoder of terminal input on Unix: keys, pastes, mouse and focus reports.
//!
//! crossterm's reader polls edge-triggered but reads at most 1024 bytes, so the rest of a burst waits for the next key;
//! and it blocks while a sequence is incomplete. This one only decodes: the caller polls and reads.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use memchr::memmem;
use ratatui::crossterm::event::{
    Event,
    KeyCode::{self, *},
    KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

const ESC: u8 = 0x1b;
const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// Time without input after which `ESC [` is alt-[, and not the start of a sequence.
const PAUSE: Duration = Duration::from_millis(50);

/// Keys by the last byte of their sequence.
const LETTERS: &[u8] = b"ABCDHFZPQRS";
const BY_LETTER: [KeyCode; 11] = [Up, Down, Right, Left, Home, End, BackTab, F(1), F(2), F(3), F(4)];
/// Keys by the number in their sequence, from 1; function keys by theirs, from 11.
const BY_NUMBER: [KeyCode; 8] = [Home, Insert, Delete, End, PageUp, PageDown, Home, End];
const FUNCTIONS: [u8; 24] = [1, 2, 3, 4, 5, 0, 6, 7, 8, 9, 10, 0, 11, 12, 13, 14, 0, 15, 16, 0, 17, 18, 19, 20];

/// Bytes in, events out. Keeps an incomplete sequence for the next bytes.
#[derive(Debug, Default)]
pub struct Decoder {
    events: VecDeque<Event>,
    pending: Vec<u8>,
    /// Number of pending bytes that contain no end of a paste: a long paste is searched only once.
    searched: usize,
    since: Option<Instant>,
}

impl Decoder {
    pub fn feed(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
        self.since = Some(Instant::now());
        let mut at = 0;
        while let Some((event, taken)) = decode(&self.pending[at..], self.searched) {
            self.events.extend(event);
            (at, self.searched) = (at + taken, 0);
        }
        self.pending.drain(..at);
        self.searched = self.pending.len().saturating_sub(PASTE_END.len());
    }

    pub fn next(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// The time until [`Self::give_up`], while the pending bytes may be keys.
    pub fn wait(&self) -> Option<Duration> {
        match self.pending[..] {
            [ESC] => Some(Duration::ZERO),
            [ESC, b'[' | b'O'] => Some(PAUSE.saturating_sub(self.since?.elapsed())),
            _ => None,
        }
    }

    /// Decodes pending bytes as keys if the rest of a sequence has not come in time; returns whether it did.
    pub fn give_up(&mut self) -> bool {
        let is_due = self.wait().is_some_and(|wait| wait.is_zero());
        if is_due {
            let letter = self.pending.get(1).map(|letter| key(Char((*letter).into()), KeyModifiers::ALT));
            self.events.push_back(letter.unwrap_or_else(|| key(Esc, KeyModifiers::NONE)));
            self.pending.clear();
        }
        is_due
    }

    /// The part of an unfinished paste that has arrived, for a program that ends.
    pub fn unfinished_paste(&mut self) -> Option<String> {
        let text = self.pending.strip_prefix(PASTE).map(|text| String::from_utf8_lossy(text).into_owned());
        text.inspect(|_| self.pending.clear())
    }
}

/// The first event of some bytes and its length; no event for a sequence without meaning here. `None` if incomplete.
type Decoded = Option<(Option<Event>, usize)>;

fn decode(bytes: &[u8], searched: usize) -> Decoded {
    match bytes {
        [ESC] | [ESC, b'O'] => None,
        [ESC, b'[', ..] if bytes.starts_with(PASTE) => pasted(bytes, searched),
        [ESC, b'[', ..] => control_sequence(bytes),
        [ESC, b'O', last @ 0x40..=0x7e, ..] => Some((report("", *last), 3)),
        [ESC, ESC, ..] => Some((Some(key(Esc, KeyModifiers::NONE)), 1)),
        [ESC, rest @ ..] => {
            letter(rest).map(|(code, mods, taken)| (Some(key(code, mods | KeyModifiers::ALT)), taken + 1))
        }
        _ => letter(bytes).map(|(code, mods, taken)| (Some(key(code, mods)), taken)),
    }
}

fn key(code: KeyCode, mods: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, mods))
}

/// A character or control character. A byte that is not UTF-8 is the replacement character, so that its loss is seen.
fn letter(bytes: &[u8]) -> Option<(KeyCode, KeyModifiers, usize)> {
    let control = |first: u8, nth: u8| Some((Char((first + nth).into()), KeyModifiers::CONTROL, 1));
    match *bytes.first()? {
        b'\t' => return Some((Tab, KeyModifiers::NONE, 1)),
        b'\r' => return Some((Enter, KeyModifiers::NONE, 1)),
        0x7f => return Some((Backspace, KeyModifiers::NONE, 1)),
        0 => return control(b' ', 0),
        byte @ 0x01..=0x1a => return control(b'a', byte - 0x01),
        byte @ 0x1c..=0x1f => return control(b'4', byte - 0x1c),
        _ => {}
    }
    let bytes = &bytes[..bytes.len().min(4)];
    let chunk = bytes.utf8_chunks().next()?;
    if let Some(letter) = chunk.valid().chars().next() {
        return Some((Char(letter), KeyModifiers::NONE, letter.len_utf8()));
    }
    let is_incomplete = std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    (!is_incomplete).then(|| (Char(char::REPLACEMENT_CHARACTER), KeyModifiers::NONE, chunk.invalid().len()))
}

fn pasted(bytes: &[u8], searched: usize) -> Decoded {
    let from = PASTE.len().max(searched);
    let end = from + memmem::find(bytes.get(from..)?, PASTE_END)?;
    let text = String::from_utf8_lossy(&bytes[PASTE.len()..end]).into_owned();
    Some((Some(Event::Paste(text)), end + PASTE_END.len()))
}

/// A sequence that begins with `ESC [`.
fn control_sequence(bytes: &[u8]) -> Decoded {
    match bytes[2..] {
        // Function keys of the Linux console.
        [b'['] => return None,
        [b'[', nth @ b'A'..=b'E', ..] => return Some((Some(key(F(nth - b'A' + 1), KeyModifiers::NONE)), 4)),
        // A mouse report of the old kind: three bytes follow.
        [b'M', ..] => return bytes.get(5).map(|_| (None, 6)),
        _ => {}
    }
    let end = 2 + bytes[2..].iter().position(|byte| !(0x20..=0x3f).contains(byte))?;
    if !(0x40..=0x7e).contains(&bytes[end]) {
        // Another sequence or key follows an aborted one.
        return Some((None, end));
    }
    let parameters = std::str::from_utf8(&bytes[2..end]).unwrap_or_default();
    Some((report(parameters, bytes[end]), end + 1))
}

/// The event of a sequence's parameters and last byte.
fn report(parameters: &str, last: u8) -> Option<Event> {
    let (mouse, parameters) = parameters.strip_prefix('<').map_or((false, parameters), |report| (true, report));
    let mut numbers = parameters.split(';').map(|part| part.split(':').next()?.parse::<u16>().ok());
    let numbers: [Option<u16>; 3] = std::array::from_fn(|_| numbers.next().flatten());
    let code = match (last, numbers[0]) {
        _ if mouse => return mouse_event(numbers, last),
        (b'I', None) => return Some(Event::FocusGained),
        (b'O', None) => return Some(Event::FocusLost),
        (b'~', Some(number @ 1..=8)) => BY_NUMBER[usize::from(number) - 1],
        (b'~', Some(number @ 11..)) => F(*FUNCTIONS.get(usize::from(number) - 11).filter(|nth| **nth > 0)?),
        (b'u', Some(9)) => Tab,
        (b'u', Some(13)) => Enter,
        (b'u', Some(27)) => Esc,
        (b'u', Some(127)) => Backspace,
        // Keys without a character are in the private use area.
        (b'u', Some(code)) => {
            Char(char::from_u32(code.into()).filter(|code| !('\u{e000}'..='\u{f8ff}').contains(code))?)
        }
        _ => BY_LETTER[LETTERS.iter().position(|letter| *letter == last)?],
    };
    let mask = numbers[1].unwrap_or(1).saturating_sub(1);
    // With super, hyper or meta.
    if mask & (8 | 16 | 32) != 0 {
        return None;
    }
    let bits = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    Some(key(code, bits.into_iter().filter(|(bit, _)| mask & bit != 0).map(|(_, mods)| mods).collect()))
}

/// Button, column and row, where 4, 8 and 16 in the button are modifiers.
fn mouse_event([button, column, row]: [Option<u16>; 3], last: u8) -> Option<Event> {
    let kind = match (button? & !(4 | 8 | 16), last) {
        (0, b'M') => MouseEventKind::Down(MouseButton::Left),
        (32, b'M') => MouseEventKind::Drag(MouseButton::Left),
        (64, b'M') => MouseEventKind::ScrollUp,
        (65, b'M') => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let (column, row, modifiers) = (column?.saturating_sub(1), row?.saturating_sub(1), KeyModifiers::NONE);
    Some(Event::Mouse(MouseEvent { kind, column, row, modifiers }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::Key;

    fn names(decoder: &mut Decoder) -> String {
        let name = |event| match event {
            Event::Key(key) => Key::from(key).to_string(),
            Event::Paste(text) => format!("paste:{text}"),
            Event::Mouse(mouse) => format!("{:?}@{},{}", mouse.kind, mouse.column, mouse.row),
            event => format!("{event:?}"),
        };
        std::iter::from_fn(|| decoder.next()).map(name).collect::<Vec<_>>().join(" ")
    }

    fn decoded(bytes: &[u8]) -> String {
        let mut decoder = Decoder::default();
        decoder.feed(bytes);
        decoder.give_up();
        names(&mut decoder)
    }

    #[test]
    fn keys_are_decoded() {
        for (bytes, keys) in [
            ("aẾ日 \u{1f600}", "a Ế 日 space \u{1f600}"),
            ("\r\t\x7f\n\x13\0\x1f", "enter tab backspace ctrl-j ctrl-s ctrl-space ctrl-7"),
            ("\x1b", "esc"),
            ("\x1b\x1b", "esc esc"),
            ("\x1bg\x1bẾ\x1b]1", "alt-g alt-Ế alt-] 1"),
            ("\x1b[A\x1bOB\x1b[1;5C\x1b[1;2D\x1b[Z", "up down ctrl-right shift-left backtab"),
            ("\x1b[3~\x1b[5~\x1b[6;3~\x1b[1~\x1b[8~\x1b[H", "delete pageup alt-pagedown home end home"),
            ("\x1bOP\x1b[11~\x1b[15~\x1b[17~\x1b[21~\x1b[24~\x1b[[B", "f1 f1 f5 f6 f10 f12 f2"),
            ("\x1b[25~\x1b[26~\x1b[28~\x1b[29~\x1b[31~\x1b[34~", "f13 f14 f15 f16 f17 f20"),
            ("\x1b[113;5u\x1b[13u\x1b[97;2u\x1b[57344u\x1b[99~x", "ctrl-q enter A x"),
            ("\x1b[I\x1b[O\x1b[?62;22c\x1b[12;40$yx", "FocusGained FocusLost x"),
            ("\x1b\x1b[A\x1bOx\x1b[1;9Dy", "esc up y"),
        ] {
            assert_eq!(decoded(bytes.as_bytes()), keys, "{bytes:?}");
        }
        assert_eq!(decoded(b"a\xffb\xc3(c"), "a \u{fffd} b \u{fffd} ( c");
    }

    #[test]
    fn mouse_reports_and_pastes_are_decoded() {
        assert_eq!(decoded(b"\x1b[<0;20;5M\x1b[<0;20;5m\x1b[<35;20;5Mx"), "Down(Left)@19,4 x");
        assert_eq!(decoded(b"\x1b[<32;1;1M\x1b[<80;3;2M\x1b[<65;3;2M"), "Drag(Left)@0,0 ScrollUp@2,1 ScrollDown@2,1");
        assert_eq!(decoded(b"a\x1b[200~b\x1b[A\r\n\xe1\xba\xbf\x1b[201~c"), "a paste:b\x1b[A\r\nế c");
    }

    #[test]
    fn bytes_may_be_split_anywhere() {
        let bytes = "aế\x1b[1;5C\x1b[200~long \x1b[20 paste\x1b[201~\x1b[<0;20;5M\x1b[[Bz".as_bytes();
        let mut decoder = Decoder::default();
        for byte in bytes {
            decoder.feed(&[*byte]);
        }
        assert_eq!(names(&mut decoder), decoded(bytes));
        assert_eq!(decoded(bytes), "a ế ctrl-right paste:long \x1b[20 paste Down(Left)@19,4 f2 z");
    }

    #[test]
    fn the_start_of_a_sequence_is_a_key_after_a_pause() {
        let mut decoder = Decoder::default();
        decoder.feed(b"\x1b[");
        assert!(!decoder.give_up() && decoder.wait().is_some(), "the rest may still come");
        decoder.since = Instant::now().checked_sub(PAUSE);
        assert!(decoder.give_up());
        assert_eq!(names(&mut decoder), "alt-[");
        assert!(decoder.wait().is_none());
    }

    #[test]
    fn an_unfinished_paste_can_be_taken() {
        let mut decoder = Decoder::default();
        decoder.feed(b"x\x1b[200~half a");
        assert_eq!(names(&mut decoder), "x");
        assert_eq!(decoder.unfinished_paste().as_deref(), Some("half a"));
        assert_eq!(decoder.unfinished_paste(), None);
    }
}
