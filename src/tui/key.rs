//! Key presses and key sequences: parsing, printing, comparison.

use std::{fmt, str::FromStr};

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// One key press with its modifiers, normalised so that equal presses compare equal on every terminal: shift is part
/// of the character (`A`, `?`), shift-tab is always `BackTab` without shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd)]
pub struct Key {
    pub code: KeyCode,
    pub mods: KeyModifiers,
}

const CTRL: KeyModifiers = KeyModifiers::CONTROL;
const ALT: KeyModifiers = KeyModifiers::ALT;
const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

/// Keys with a name.
const NAMED: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("space", KeyCode::Char(' ')),
];

impl Key {
    pub fn new(code: KeyCode, mods: KeyModifiers) -> Self {
        let mut mods = mods & (CTRL | ALT | SHIFT);
        let mut code = code;
        match code {
            KeyCode::Char(letter) => {
                // Terminals with the kitty protocol report shift together with the lower-case letter.
                if mods.contains(SHIFT) && letter.is_ascii_lowercase() {
                    code = KeyCode::Char(letter.to_ascii_uppercase());
                }
                if mods.contains(CTRL) && !mods.contains(SHIFT) {
                    code = KeyCode::Char(letter.to_ascii_lowercase());
                }
                mods -= SHIFT;
            }
            KeyCode::Tab if mods.contains(SHIFT) => {
                code = KeyCode::BackTab;
                mods -= SHIFT;
            }
            KeyCode::BackTab => mods -= SHIFT,
            _ => {}
        }
        Self { code, mods }
    }

    pub fn plain(code: KeyCode) -> Self {
        Self::new(code, KeyModifiers::NONE)
    }

    /// The character that this press types, if any. AltGr arrives as ctrl+alt on some terminals, and types.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(letter)
                if self.mods.is_empty() || (self.mods == CTRL | ALT && is_of_alt_gr(letter, cfg!(windows))) =>
            {
                Some(letter)
            }
            _ => None,
        }
    }
}

/// Whether only AltGr makes this character of ctrl+alt. On Windows also `@`, `{` or `\`, on most European keyboards.
fn is_of_alt_gr(letter: char, on_windows: bool) -> bool {
    !letter.is_ascii() || on_windows && letter.is_ascii_punctuation()
}

impl From<KeyEvent> for Key {
    fn from(event: KeyEvent) -> Self {
        Self::new(event.code, event.modifiers)
    }
}

impl FromStr for Key {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let bad = || BadKey(text.to_owned());
        let mut mods = KeyModifiers::NONE;
        let mut rest = text;
        // A lone `-`, and `ctrl--`, end with the minus key.
        while let Some((word, after)) =
            rest.split_once('-').filter(|(word, after)| !word.is_empty() && !after.is_empty())
        {
            mods |= match word.to_ascii_lowercase().as_str() {
                "ctrl" | "c" => CTRL,
                "alt" | "a" | "meta" => ALT,
                "shift" | "s" => SHIFT,
                _ => return Err(bad()),
            };
            rest = after;
        }
        let mut letters = rest.chars();
        let code = match (letters.next(), letters.next()) {
            (Some(letter), None) => KeyCode::Char(letter),
            _ => {
                let word = rest.to_ascii_lowercase();
                let function = word.strip_prefix('f').and_then(|n| n.parse().ok()).filter(|n| (1..=24).contains(n));
                match (function, NAMED.iter().find(|(name, _)| *name == word)) {
                    (Some(n), _) => KeyCode::F(n),
                    (None, Some((_, code))) => *code,
                    (None, None) => return Err(bad()),
                }
            }
        };
        Ok(Self::new(code, mods))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (bit, word) in [(CTRL, "ctrl-"), (ALT, "alt-"), (SHIFT, "shift-")] {
            if self.mods.contains(bit) {
                f.write_str(word)?;
            }
        }
        match self.code {
            KeyCode::F(n) => write!(f, "f{n}"),
            KeyCode::Char(letter) if letter != ' ' => write!(f, "{letter}"),
            code => f.write_str(NAMED.iter().find(|(_, named)| *named == code).map_or("?unnamed", |(name, _)| name)),
        }
    }
}

/// One or more key presses in a row, such as `ctrl-s` or `g g`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Chord(pub Vec<Key>);

impl FromStr for Chord {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let keys = text.split_whitespace().map(str::parse).collect::<Result<Vec<Key>, _>>()?;
        if keys.is_empty() { Err(BadKey(text.to_owned())) } else { Ok(Self(keys)) }
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&keys.join(" "))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a key: write it like \"a\", \"ctrl-s\", \"alt-left\", \"f2\", \"pagedown\" or \"g g\"")]
pub struct BadKey(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_printed_parses_back() {
        for text in [
            "a",
            "A",
            "?",
            "-",
            "ctrl--",
            "ctrl-s",
            "alt-1",
            "ctrl-alt-x",
            "shift-left",
            "f12",
            "space",
            "backtab",
            "ế",
        ] {
            assert_eq!(key(text).to_string(), text);
        }
        assert_eq!("g g".parse::<Chord>().unwrap().to_string(), "g g");
    }

    #[test]
    fn the_same_press_is_the_same_key_whatever_the_terminal_reports() {
        assert_eq!(Key::new(KeyCode::Char('a'), SHIFT), key("A"));
        assert_eq!(Key::new(KeyCode::Char('A'), SHIFT), key("A"));
        assert_eq!(Key::new(KeyCode::Char('S'), CTRL), key("ctrl-s"));
        assert_eq!(key("shift-tab"), key("backtab"));
        assert_eq!(Key::new(KeyCode::BackTab, SHIFT), key("backtab"));
    }

    #[test]
    fn only_plain_characters_type() {
        assert_eq!(key("A").typed(), Some('A'));
        assert_eq!(key("space").typed(), Some(' '));
        assert_eq!(key("ctrl-s").typed(), None);
        assert_eq!(key("enter").typed(), None);
        assert_eq!(key("ctrl-alt-€").typed(), Some('€'));
        assert!(is_of_alt_gr('@', true) && !is_of_alt_gr('@', false) && !is_of_alt_gr('x', true));
    }

    #[test]
    fn nonsense_is_refused_with_an_example() {
        for text in ["", "hyper-x", "f99", "entr"] {
            assert!(text.parse::<Chord>().is_err(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_character_round_trips(letter: char, ctrl: bool, alt: bool) {
            let mods = if ctrl { CTRL } else { KeyModifiers::NONE } | if alt { ALT } else { KeyModifiers::NONE };
            let made = Key::new(KeyCode::Char(letter), mods);
            if !letter.is_whitespace() || letter == ' ' {
                assert_eq!(made.to_string().parse::<Key>().unwrap(), made);
            }
        }
    }
}
