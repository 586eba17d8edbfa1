//! Quoting and parsing of head values, including the two list forms of tags.
//!
//! kioku writes YAML double quotes with escapes. The original Kioku writes quotes around the raw text, and Python
//! lists; both are read.

/// A value without its quotes. In an invalid quoted form only the outer quotes are removed.
pub(super) fn unquote(raw: &str) -> String {
    let raw = trim(raw);
    let inside = |quote: char| raw.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(inside) = inside('"') {
        // The original Kioku does not escape: it writes `he said "no"` as `"he said "no""`.
        return escapes_replaced(inside, &['\\', '"'], None).unwrap_or_else(|| inside.to_owned());
    }
    inside('\'').map_or_else(|| raw.to_owned(), |inside| inside.replace("''", "'"))
}

/// A value without one pair of outer quotes, and without unescaping: for times.
pub(super) fn bare(raw: &str) -> &str {
    let raw = trim(raw);
    let inside = |quote: char| raw.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(raw)
}

fn trim(raw: &str) -> &str {
    raw.trim_matches([' ', '\t'])
}

/// A text in YAML double quotes. Every character that some parser treats as a line break is escaped.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{9f}' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A new line for a key, spelled as in the old one, and in quotes if that has some: a text of digits stays a text.
pub(super) fn like_before(old: &str, line: &str) -> String {
    match (old.lines().next().and_then(|line| line.split_once(": ")), line.split_once(": ")) {
        (Some((key, old)), Some((_, new))) if old.starts_with(['"', '\'']) && !new.starts_with(['"', '[', '{']) => {
            format!("{key}: {}", quoted(new))
        }
        (Some((key, _)), Some((_, new))) => format!("{key}: {new}"),
        _ => line.to_owned(),
    }
}

/// `["a", "b"]`.
pub(super) fn quoted_list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    format!("[{}]", items.join(", "))
}

/// Parses `["a", 'b', c]`, a Python list, or comma-separated words. Empty items are dropped.
pub fn list(raw: &str) -> Vec<String> {
    let raw = trim(raw);
    // In brackets a quote without its other half is torn; in plain words it is an apostrophe.
    let (inside, torn) = match raw.strip_prefix('[') {
        Some(rest) => (rest.strip_suffix(']').unwrap_or(rest), &['"', '\''][..]),
        None => (raw, &[][..]),
    };
    let mut items = Vec::new();
    let mut rest = inside;
    while !rest.is_empty() {
        let (item, after) = list_item(rest.trim_start_matches([' ', '\t']), torn);
        items.push(item);
        rest = after;
    }
    items.retain(|item| !item.is_empty());
    items
}

/// One item and the rest after its comma.
fn list_item<'a>(text: &'a str, torn: &[char]) -> (String, &'a str) {
    if let Some(quote @ ('"' | '\'')) = text.chars().next()
        && let Some(found) = quoted_item(text, quote)
    {
        return found;
    }
    let (item, rest) = text.split_once(',').unwrap_or((text, ""));
    (trim(item).trim_matches(torn).to_owned(), rest)
}

fn quoted_item(text: &str, quote: char) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = &text[1..];
    loop {
        let c = rest.chars().next()?;
        let after = &rest[c.len_utf8()..];
        if c == '\\' {
            // Python has the same escapes in single and double quotes, YAML has none in single quotes: keep an unknown
            // escape as two characters.
            let (c, used) = escape(after).unwrap_or(('\\', 0));
            item.push(c);
            rest = &after[used..];
        } else if c != quote {
            item.push(c);
            rest = after;
        } else if quote == '\'' && after.starts_with('\'') {
            item.push('\'');
            rest = &after[1..];
        } else {
            let after = after.trim_start_matches([' ', '\t']);
            if after.is_empty() {
                return Some((item, ""));
            }
            if let Some(after) = after.strip_prefix(',') {
                return Some((item, after));
            }
            // An unescaped quote inside the item, as the original Kioku writes it.
            item.push(c);
            rest = &rest[1..];
        }
    }
}

/// A text with every escape that YAML or JSON know replaced by its character; `None` if it has no backslash.
pub fn unescaped(text: &str) -> Option<String> {
    text.contains('\\').then(|| escapes_replaced(text, &['\\'], Some(('\\', 0))))?
}

/// A text with its escapes replaced. `None` if another of the `special` characters than a backslash is in it, or a backslash
/// without an escape for which there is no `unknown` one.
fn escapes_replaced(text: &str, special: &[char], unknown: Option<(char, usize)>) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(special) {
        let after = rest[at..].strip_prefix('\\')?;
        let (c, used) = escape(after).or(unknown)?;
        plain.push_str(&rest[..at]);
        plain.push(c);
        rest = &after[used..];
    }
    plain.push_str(rest);
    Some(plain)
}

/// Parses the escape after a backslash: its character and the number of bytes consumed (YAML 1.2, 5.7; `\'` as in
/// Python).
fn escape(after: &str) -> Option<(char, usize)> {
    let c = after.chars().next()?;
    let meant = match c {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        ' ' | '"' | '/' | '\\' | '\'' => c,
        'N' => '\u{85}',
        '_' => '\u{a0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' => return hexadecimal(after, 2),
        'u' => return hexadecimal(after, 4).or_else(|| surrogates(after)),
        'U' => return hexadecimal(after, 8),
        _ => return None,
    };
    Some((meant, 1))
}

fn hexadecimal(after: &str, width: usize) -> Option<(char, usize)> {
    Some((char::from_u32(code(after.get(1..=width)?)?)?, width + 1))
}

/// A surrogate pair, which JSON uses for characters outside the basic plane.
fn surrogates(after: &str) -> Option<(char, usize)> {
    let (high, low) = (code(after.get(1..5)?)?, code(after.get(5..11)?.strip_prefix("\\u")?)?);
    let pair = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    Some((char::decode_utf16(pair).next()?.ok()?, 11))
}

fn code(digits: &str) -> Option<u32> {
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_originals_unescaped_quotes_are_read() {
        assert_eq!(unquote(r#" "stressed""#), "stressed");
        assert_eq!(unquote(r#""he said "no"""#), r#"he said "no""#);
        assert_eq!(unquote(r#""C:\path""#), r"C:\path");
        assert_eq!(unquote("'it''s'"), "it's");
        assert_eq!(unquote("so so"), "so so");
        assert_eq!(unquote("\""), "\"");
        assert_eq!(unquote(""), "");
    }

    #[test]
    fn a_text_of_digits_stays_a_text() {
        assert_eq!(like_before("zip: \"01234\"\n", "zip: 55555"), "zip: \"55555\"");
        assert_eq!(like_before("zip: '01234'", "zip: 55555"), "zip: \"55555\"");
        assert_eq!(like_before("sleep: 7", "sleep: 6.5"), "sleep: 6.5");
        assert_eq!(like_before("", "sleep: 6.5"), "sleep: 6.5");
        assert_eq!(like_before("tags:\n  - \"a: b\"\n", "tags: [\"c\"]"), "tags: [\"c\"]");
        assert_eq!(like_before("Mood: calm", "mood: \"sad\""), "Mood: \"sad\"");
        assert_eq!(like_before("mood: \"a\"", "mood: \"b: c\""), "mood: \"b: c\"");
    }

    #[test]
    fn escapes_are_yaml_and_json() {
        assert_eq!(unquote(r#""a\"b\\c\ndA\U0001F600\ud83d\ude00\x41\e""#), "a\"b\\c\ndA😀😀A\x1b");
        assert_eq!(unquote(r#""\ud83d""#), r"\ud83d");
        assert_eq!(unquote(r#""\u+041""#), r"\u+041");
    }

    #[test]
    fn tags_in_python_and_yaml_spelling() {
        assert_eq!(list("['work', 'project x']"), ["work", "project x"]);
        assert_eq!(list(r#"["it's", 'b']"#), ["it's", "b"]);
        assert_eq!(list(r#"['say "x", y', 'a\'b']"#), ["say \"x\", y", "a'b"]);
        assert_eq!(list(r"['a\\b', 'C:\q']"), [r"a\b", r"C:\q"]);
        assert_eq!(list("['it''s', '']"), ["it's"]);
        assert_eq!(list("[work, deep sleep]"), ["work", "deep sleep"]);
        assert_eq!(list("work, home"), ["work", "home"]);
        assert_eq!(list("['torn, b"), ["torn", "b"]);
        assert_eq!(list("'90s, \"quoted, item\""), ["'90s", "quoted, item"]);
        assert!(list("[]").is_empty() && list("").is_empty() && list("[,, ]").is_empty());
    }

    proptest! {
        #[test]
        fn whatever_is_quoted_reads_back_and_stays_on_one_line(text in any::<String>()) {
            let quoted = quoted(&text);
            prop_assert_eq!(&unquote(&quoted), &text);
            let breaks = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}', '\x0b', '\x0c'];
            prop_assert!(!quoted.contains(breaks));
        }

        #[test]
        fn whatever_is_listed_reads_back(mut items in prop::collection::vec(any::<String>(), 0..5)) {
            let listed = quoted_list(&items);
            items.retain(|item| !item.is_empty());
            prop_assert_eq!(list(&listed), items);
        }

        #[test]
        fn reading_any_value_never_panics(text in any::<String>(), odd in "[\\[\\]\"'\\\\, ux0-9a-f\u{e9}]{0,20}") {
            for text in [text, odd] {
                let _ = (unquote(&text), list(&text), bare(&text));
            }
        }
    }
}
