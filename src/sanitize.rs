//! Sanitizer for text on terminals, and JSON with control characters escaped.
//!
//! A journal may contain untrusted text: pasted, imported or synced. All text for a terminal (stdout, stderr, the
//! screens) passes [`for_terminal`] or, one grapheme at a time, [`grapheme`]; both apply the same rules.
//!
//! - Control characters (C0, DEL, C1) are replaced by visible symbols, so that no text can move the cursor or write to
//!   the clipboard (OSC 52).
//! - Bidirectional embeddings, overrides and isolates (U+202A-202E, U+2066-2069) are replaced by U+FFFD, because they
//!   change the displayed order of the text.
//! - Invisible characters are removed, except those that legitimate text needs: joiners inside emoji and after letters
//!   of scripts that use them, one variation selector, the tags of a flag, and direction marks in a text with
//!   right-to-left letters.
//!
//! Data to a pipe is not changed, except that [`write_json`] writes such characters as equivalent `\u` escapes.

use std::{borrow::Cow, io};

use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation as _;

/// The replacement for a character without a visible symbol.
const REPLACEMENT: &str = "\u{fffd}";

/// Sanitises a text of one or several lines. Keeps line feeds and tabs. Idempotent.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let marks = text.contains(is_direction_mark) && text.contains(is_right_to_left);
    let mut safe = String::with_capacity(text.len());
    for cluster in text.graphemes(true) {
        match cluster {
            "\n" | "\t" => safe.push_str(cluster),
            "\r\n" => safe.push('\n'),
            _ if marks && cluster.chars().all(is_direction_mark) => safe.push_str(cluster),
            _ => safe.push_str(&grapheme(cluster)),
        }
    }
    Cow::Owned(safe)
}

/// Sanitises one grapheme; empty if it is removed. Tabs and line breaks become symbols here.
pub fn grapheme(cluster: &str) -> Cow<'_, str> {
    if is_plain(cluster) && !cluster.contains(['\n', '\t']) {
        return Cow::Borrowed(cluster);
    }
    let mut shown = String::with_capacity(cluster.len());
    let mut before = Before::default();
    for c in cluster.chars() {
        match verdict(c, &before) {
            Verdict::Keep => {
                shown.push(c);
                before.follow(c);
            }
            Verdict::LeaveOut => {}
            Verdict::Show => {
                shown.push_str(&picture(c));
                before.follow(REPLACEMENT.chars().next().unwrap_or(c));
            }
        }
    }
    if shown == cluster { Cow::Borrowed(cluster) } else { Cow::Owned(shown) }
}

/// A name that must be distinguishable from any other, such as an id: control, reordering and invisible characters are
/// written as `\u{..}`.
pub fn escaped(name: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() || is_bidi_format(c) || is_invisible(c) || is_direction_mark(c) || is_joiner(c);
    if !name.contains(odd) {
        return Cow::Borrowed(name);
    }
    let escape = |c: char| if odd(c) { c.escape_unicode().to_string() } else { c.to_string() };
    Cow::Owned(name.chars().map(escape).collect())
}

/// A text inside an element or a quoted attribute of HTML.
pub fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether nothing needs to be replaced. Fast path for the common case: one pass over the bytes.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
        || !text.chars().any(|c| {
            (c.is_control() && !matches!(c, '\n' | '\t'))
                || is_bidi_format(c)
                || is_invisible(c)
                || is_direction_mark(c)
                || is_joiner(c)
                || is_variation_selector(c)
                || is_tag(c)
                || is_line_separator(c)
        })
}

/// The context within a grapheme: what was kept so far.
#[derive(Default)]
struct Before {
    last: Option<char>,
    /// Contains a waving black flag, after which tags spell a region.
    flag: bool,
}

impl Before {
    fn follow(&mut self, c: char) {
        self.last = Some(c);
        self.flag |= c == '\u{1f3f4}';
    }
}

enum Verdict {
    Keep,
    LeaveOut,
    Show,
}

fn verdict(c: char, before: &Before) -> Verdict {
    let keep_if = |legitimate: bool| if legitimate { Verdict::Keep } else { Verdict::LeaveOut };
    if c.is_control() || is_bidi_format(c) || is_line_separator(c) {
        Verdict::Show
    } else if is_tag(c) {
        keep_if(before.flag)
    } else if is_joiner(c) {
        let emoji = c == '\u{200d}' && before.last.is_some_and(joins_emoji);
        keep_if(emoji || before.last.is_some_and(is_of_joining_script))
    } else if is_variation_selector(c) {
        // A sequence of selectors can carry hidden data: keep only the first.
        keep_if(before.last.is_some_and(|last| !is_variation_selector(last)))
    } else if is_invisible(c) || is_direction_mark(c) {
        Verdict::LeaveOut
    } else {
        Verdict::Keep
    }
}

fn picture(c: char) -> String {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).map_or_else(|| REPLACEMENT.to_owned(), String::from),
        '\u{7f}' => "\u{2421}".to_owned(),
        _ => REPLACEMENT.to_owned(),
    }
}

/// Embeddings, overrides and isolates, with their terminators.
fn is_bidi_format(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Left-to-right, right-to-left and Arabic letter mark, which only affect neighbouring characters.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Characters of zero width without which the text looks the same.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'
            ..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e001f}' | '\u{e0080}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}'
    )
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0020}'..='\u{e007f}')
}

fn is_right_to_left(c: char) -> bool {
    !is_direction_mark(c)
        && matches!(c, '\u{5d0}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}')
}

/// Pictographs, and characters that may be between one and its joiner.
fn joins_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{fe0f}'
        | '\u{1f000}'..='\u{1faff}' | '\u{e007f}')
}

/// Arabic, Syriac, N'Ko and related scripts, Mongolian, the scripts of India and those derived from them.
fn is_of_joining_script(c: char) -> bool {
    matches!(c, '\u{620}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
        | '\u{10a00}'..='\u{10aff}' | '\u{11000}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}')
}

/// Writes JSON with control, reordering and invisible characters as `\u` escapes. The value is the same.
pub fn write_json(value: &impl Serialize, mut out: impl io::Write) -> io::Result<()> {
    out.write_all(escaped_json(&serde_json::to_string(value)?).as_bytes())
}

/// Like [`write_json`], indented.
pub fn pretty_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(escaped_json(&serde_json::to_string_pretty(value)?).into_owned())
}

/// Escapes in a whole JSON text, because serde_json escapes only C0. Outside of strings JSON is plain ASCII, so nothing
/// else is touched.
fn escaped_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_escaped_in_json) {
        return Cow::Borrowed(json);
    }
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if is_escaped_in_json(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| escaped += &format!("\\u{unit:04x}"));
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Joiners, direction marks and selectors are not escaped, because legitimate text needs them. A line feed is of the
/// indentation: inside a string it is escaped already.
fn is_escaped_in_json(c: char) -> bool {
    c.is_control() && c != '\n' || is_bidi_format(c) || is_invisible(c) || is_line_separator(c) || is_tag(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_control_character_reaches_a_terminal() {
        assert_eq!(for_terminal("a\x1b[2Jb\tc\n"), "a␛[2Jb\tc\n");
        assert_eq!(for_terminal("\x1b]52;c;aGk=\x07"), "␛]52;c;aGk=␇");
        assert_eq!(for_terminal("C1 \u{9b}2J, DEL \x7f, CR\rover"), "C1 \u{fffd}2J, DEL ␡, CR␍over");
        assert_eq!(for_terminal("two\r\nlines\tand\u{2028}x"), "two\nlines\tand\u{fffd}x");
    }

    #[test]
    fn what_would_reorder_a_text_is_visible() {
        assert_eq!(for_terminal("user\u{202e}txt.exe"), "user\u{fffd}txt.exe");
        assert_eq!(for_terminal("\u{2066}a\u{2069}"), "\u{fffd}a\u{fffd}");
    }

    #[test]
    fn what_hides_between_letters_is_left_out() {
        assert_eq!(for_terminal("Li\u{200b}n\u{200d}h\u{feff} so\u{ad}ft \u{2060}x\u{200e}"), "Linh soft x");
        assert_eq!(for_terminal("a\u{e0068}\u{e0069}b"), "ab", "hidden tags");
        assert_eq!(for_terminal("😀\u{fe0f}\u{fe01}\u{fe02}"), "😀\u{fe0f}", "bytes in variation selectors");
    }

    #[test]
    fn what_legitimate_text_needs_is_kept() {
        for text in [
            "👩\u{200d}👩\u{200d}👧 and 🏳\u{fe0f}\u{200d}🌈, 👩🏽\u{200d}⚕\u{fe0f}, ❤\u{fe0f}\u{200d}🔥",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "می\u{200c}خواهم",
            "क\u{94d}\u{200d}ष and क\u{94d}\u{200c}ष",
            "ක\u{dca}\u{200d}ය",
            "עברית\u{200f}!",
            "Hùng ở Huế, 日本語, e\u{301}",
        ] {
            assert_eq!(for_terminal(text), text);
        }
    }

    #[test]
    fn a_name_is_told_from_every_other() {
        assert_eq!(escaped("abcdefghij"), "abcdefghij");
        assert_eq!(escaped("a\u{200b}b\x1b]52\u{202e}"), "a\\u{200b}b\\u{1b}]52\\u{202e}");
    }

    #[test]
    fn json_escapes_what_a_terminal_would_obey() {
        let text = "C1 \u{9b}2J \u{7f}, \u{202e}bidi, \u{e0041}, \"quoted\"\n\x1b می\u{200c}خواهم";
        let mut bytes = Vec::new();
        write_json(&serde_json::json!({ "text": text }), &mut bytes).unwrap();
        let json = String::from_utf8(bytes).unwrap();
        assert_eq!(
            json,
            "{\"text\":\"C1 \\u009b2J \\u007f, \\u202ebidi, \\udb40\\udc41, \\\"quoted\\\"\\n\\u001b می\u{200c}خواهم\"}"
        );
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["text"], text);
        assert_eq!(
            pretty_json(&serde_json::json!({"a": [1, "\u{9b}"]})).unwrap(),
            "{\n  \"a\": [\n    1,\n    \"\\u009b\"\n  ]\n}"
        );
    }

    proptest! {
        #[test]
        fn sanitizing_twice_changes_nothing_and_leaves_no_control(text in "[\\PC\u{0}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}👩می]{0,40}") {
            let once = for_terminal(&text).into_owned();
            prop_assert_eq!(for_terminal(&once), once.as_str());
            prop_assert!(!once.contains(|c: char| (c.is_control() && c != '\n' && c != '\t') || is_bidi_format(c)));
        }

        #[test]
        fn json_reads_back_as_it_was(text: String) {
            let mut bytes = Vec::new();
            write_json(&text, &mut bytes).unwrap();
            prop_assert!(!String::from_utf8_lossy(&bytes).contains(char::is_control));
            prop_assert_eq!(serde_json::from_slice::<String>(&bytes).unwrap(), text);
        }
    }
}
