//! The terminal's background colour, by the control sequence OSC 11.
//!
//! The reply arrives as input, among the keys that were typed meanwhile, and some terminals send none. So nothing
//! waits for it: the reply is recognised among the keys and taken out, and every other key is passed on.

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::event::Event;
use crate::tui::Key;

/// Asks for the colour; the reply is `ESC ] 11;rgb:RRRR/GGGG/BBBB` and `BEL` or `ESC \`.
pub const QUERY: &str = "\x1b]11;?\x1b\\";

/// Maximum delay of the first frame for the reply.
pub const PATIENCE: Duration = Duration::from_millis(50);

/// Time without input after which the begin of a reply is passed on as keys.
const PAUSE: Duration = Duration::from_millis(200);

/// Stand for `ESC ]` and for the end of a reply in [`BackgroundReply::text`].
const BEGIN: char = '\u{9d}';
const END: char = '\u{9c}';

/// Recognises the reply among the events of a terminal.
#[derive(Debug, Default)]
pub struct BackgroundReply {
    is_known: bool,
    /// The last key was Esc, already passed on: a reply may be split behind it.
    is_escape: bool,
    text: String,
    held: Vec<Event>,
    since: Option<Instant>,
}

impl BackgroundReply {
    /// The events to pass on, in order.
    pub fn take(&mut self, event: Event) -> Vec<Event> {
        let Event::Key(key) = event else { return vec![event] };
        if self.is_known {
            return vec![event];
        }
        let was_escape = std::mem::replace(&mut self.is_escape, key == Key::plain(KeyCode::Esc));
        let Some(letter) = letter(key, was_escape && self.text.is_empty()) else { return self.release(Some(event)) };
        self.text.push(letter);
        if letter == END {
            let Some(is_light) = is_light(&self.text) else { return self.release(Some(event)) };
            self.is_known = true;
            self.held.clear();
            return vec![Event::Background { is_light }];
        }
        if !is_begun(&self.text) {
            return self.release(Some(event));
        }
        self.held.push(event);
        self.since = Some(Instant::now());
        Vec::new()
    }

    /// The held keys, if no more of the reply has come for a while.
    pub fn give_up(&mut self) -> Vec<Event> {
        if self.wait().is_some_and(|wait| wait.is_zero()) { self.release(None) } else { Vec::new() }
    }

    /// The time until [`Self::give_up`], while keys are held.
    pub fn wait(&self) -> Option<Duration> {
        let since = self.since.filter(|_| !self.held.is_empty())?;
        Some(PAUSE.saturating_sub(since.elapsed()))
    }

    fn release(&mut self, event: Option<Event>) -> Vec<Event> {
        self.text.clear();
        self.held.drain(..).chain(event).collect()
    }
}

/// The part of a reply that a key stands for, as the terminal library reads it.
fn letter(key: Key, was_escape: bool) -> Option<char> {
    match (key.code, key.mods) {
        (KeyCode::Char(']'), KeyModifiers::ALT) => Some(BEGIN),
        (KeyCode::Char(']'), KeyModifiers::NONE) if was_escape => Some(BEGIN),
        (KeyCode::Char('\\'), KeyModifiers::ALT) | (KeyCode::Char('g'), KeyModifiers::CONTROL) => Some(END),
        _ => key.typed(),
    }
}

const HEAD: &str = "\u{9d}11;rgb:";

fn is_begun(text: &str) -> bool {
    let colour = |rest: &str| rest.len() <= 14 && rest.chars().all(|c| c.is_ascii_hexdigit() || c == '/');
    HEAD.starts_with(text) || text.strip_prefix(HEAD).is_some_and(colour)
}

/// Whether a whole reply names a light colour: by the perceived brightness, with green weighing most.
fn is_light(text: &str) -> Option<bool> {
    let colour = text.strip_prefix(HEAD)?.strip_suffix(END)?;
    let part = |part: &str| {
        let most = 16u32.checked_pow(u32::try_from(part.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    };
    let parts: Vec<f64> = colour.split('/').map(part).collect::<Option<_>>()?;
    let [red, green, blue] = parts[..] else { return None };
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(names: &str) -> Vec<Event> {
        names.split(' ').map(|name| Event::Key(name.parse().unwrap())).collect()
    }

    /// What the terminal library makes of the bytes of a reply.
    fn reply(colour: &str, end: &str) -> String {
        let letters: Vec<String> = format!("11;rgb:{colour}").chars().map(String::from).collect();
        format!("alt-] {} {end}", letters.join(" "))
    }

    /// What is passed on, as text.
    fn passed(reply: &mut BackgroundReply, events: Vec<Event>) -> String {
        let passed = events.into_iter().flat_map(|event| reply.take(event));
        let name = |event| match event {
            Event::Key(key) => key.to_string(),
            Event::Background { is_light: true } => "LIGHT".to_owned(),
            Event::Background { is_light: false } => "DARK".to_owned(),
            event => panic!("{event:?}"),
        };
        passed.map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_reply_is_taken_out_and_the_keys_around_it_are_passed_on() {
        for (colour, end, found) in [
            ("0000/0000/0000", "alt-\\", "DARK"),
            ("1e1e/1e1e/2e2e", "ctrl-g", "DARK"),
            ("ffff/ffff/ffff", "alt-\\", "LIGHT"),
            ("fd/f6/e3", "ctrl-g", "LIGHT"),
        ] {
            let input = format!("n a {} b esc c", reply(colour, end));
            assert_eq!(passed(&mut BackgroundReply::default(), keys(&input)), format!("n a {found} b esc c"));
        }
    }

    #[test]
    fn keys_that_begin_like_a_reply_are_all_passed_on() {
        for typed in ["alt-] x", "alt-] 1 1 2", "alt-] 1 1 ; r g b : 1 alt-] q", "alt-\\ ctrl-g", "esc ] a", "1 1 ; r"]
        {
            assert_eq!(passed(&mut BackgroundReply::default(), keys(typed)), typed);
        }
        let broken = reply("12/zz/34", "ctrl-g");
        assert_eq!(passed(&mut BackgroundReply::default(), keys(&broken)), broken);
    }

    #[test]
    fn a_reply_that_breaks_off_is_passed_on_after_a_pause() {
        let mut reply = BackgroundReply::default();
        assert_eq!(passed(&mut reply, keys("alt-] 1 1")), "");
        assert!(reply.give_up().is_empty(), "the rest may still come");
        reply.since = Instant::now().checked_sub(PAUSE);
        assert_eq!(reply.give_up().len(), 3);
        assert!(reply.wait().is_none());
    }

    #[test]
    fn only_the_first_reply_is_taken() {
        let mut first = BackgroundReply::default();
        let whole = reply("0000/0000/0000", "ctrl-g");
        assert_eq!(passed(&mut first, keys(&whole)), "DARK");
        assert_eq!(passed(&mut first, keys("alt-] 1")), "alt-] 1", "later keys wait for nothing");
    }

    #[test]
    fn a_reply_split_behind_its_escape_leaves_only_that() {
        let split = reply("ffff/ffff/ffff", "ctrl-g").replacen("alt-]", "esc ]", 1);
        assert_eq!(passed(&mut BackgroundReply::default(), keys(&split)), "esc LIGHT");
    }
}
