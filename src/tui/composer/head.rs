//! The form as a text for `$EDITOR`: time, mood and tags between two lines `---`, then the text.

use super::{Composer, SMALL};

const FENCE: &str = "---";
/// In the order of the small fields.
pub(super) const KEYS: [&str; 3] = ["time", "mood", "tags"];
/// Number of lines at the top in which a damaged head is looked for.
const TOP: usize = 20;

impl Composer {
    /// The whole form as a text, which ends with a line break: appended text would join the last line.
    pub fn to_text(&self) -> String {
        let mut text = format!("{FENCE}\n");
        for (key, field) in KEYS.iter().zip(SMALL) {
            text += &format!("{key}: {}\n", self.text_of(field));
        }
        let body = self.body();
        let end = if body.ends_with('\n') || body.is_empty() { "" } else { "\n" };
        text + FENCE + "\n" + &body + end
    }

    /// Takes the edited text. Fields without a value in its head stay as they are. If the head cannot be read, the
    /// whole text becomes the body, so that nothing is lost; the error says why.
    pub fn take_text(&mut self, text: &str) -> Result<(), String> {
        let (values, body, read) = match head_and_text(text, KEYS) {
            Ok((values, body)) => (values, body, Ok(())),
            Err(why) => (Default::default(), text.to_owned(), Err(why)),
        };
        for (nth, value) in values.into_iter().enumerate() {
            if let Some(value) = value.filter(|value| value != self.small[nth].text()) {
                self.small[nth].set(&value);
            }
        }
        self.replace_body(match self.body().ends_with('\n') {
            true => &body,
            false => without_last_line_ending(&body),
        });
        read
    }
}

/// Pipes and editors end the last line with a line ending, which is not part of the text.
pub fn without_last_line_ending(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// The values of the head of a text, in the order of `keys` and `None` where missing, and the text below it. Without a
/// head there are no values; one without its first line is an error. What was typed where an editor opens, above the
/// head, belongs to the text.
pub fn head_and_text<const N: usize>(text: &str, keys: [&str; N]) -> Result<([Option<String>; N], String), String> {
    let mut values = [const { None }; N];
    let (before, text) = typed_before(text.strip_prefix('\u{feff}').unwrap_or(text), keys);
    let Some(mut rest) = after_fence(text) else {
        let is_field = |line: &str| keys.iter().any(|key| line.starts_with(&format!("{key}:")));
        let fields = text.lines().take(TOP).filter(|line| is_field(line)).count();
        let is_head = fields > 1 || text.lines().next().is_some_and(is_field);
        return if is_head { Err("its first line must be `---`".to_owned()) } else { Ok((values, text.to_owned())) };
    };
    let mut number = 1;
    let body = loop {
        number += 1;
        if let Some(body) = after_fence(rest) {
            break body;
        }
        let (line, after) = rest.split_once('\n').ok_or("its second line `---` is missing")?;
        let (key, value) = line.split_once(':').ok_or_else(|| format!("line {number} is not `key: value`"))?;
        let known = keys.iter().position(|known| *known == key.trim());
        let field = known.ok_or_else(|| format!("line {number}: unknown key `{}`", key.trim()))?;
        values[field] = Some(value.trim().to_owned());
        rest = after;
    };
    Ok((values, before + body))
}

/// The text below its first line, if that is a fence.
fn after_fence(text: &str) -> Option<&str> {
    let (line, after) = text.split_once('\n').unwrap_or((text, ""));
    (line.trim_end() == FENCE).then_some(after)
}

/// What was typed where an editor opens, before the first `---` of the head: it belongs to the text. Empty for a text
/// without a head.
fn typed_before<'a, const N: usize>(text: &'a str, keys: [&str; N]) -> (String, &'a str) {
    let is_head =
        |rest: &str| rest.lines().zip(keys).filter(|(line, key)| line.starts_with(&format!("{key}:"))).count() == N;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if let Some(typed) = line.trim_end().strip_suffix(FENCE).filter(|_| is_head(&text[end..])) {
            let fence = at + typed.len();
            let typed = text[..fence].trim_end();
            return (if typed.is_empty() { String::new() } else { format!("{typed}\n") }, &text[fence..]);
        }
        at = end;
    }
    (String::new(), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::DraftId;

    fn composer(body: &str) -> Composer {
        let mut composer = Composer::new(DraftId("d".into()), "2026-11-20 15:30");
        composer.small[1].set("calm");
        composer.small[2].set("work, project x");
        composer.replace_body(body);
        composer
    }

    fn fields(composer: &Composer) -> [&str; 3] {
        [0, 1, 2].map(|nth| composer.small[nth].text())
    }

    #[test]
    fn an_unchanged_text_changes_nothing() {
        for body in ["", "One line.", "Two\n\nlines.\n", "With\n---\ntime: 10:00 dentist"] {
            let mut composer = composer(body);
            let text = composer.to_text();
            let revisions = |composer: &Composer| composer.small.each_ref().map(|input| input.editor.revision());
            let before = revisions(&composer);
            composer.take_text(&text).unwrap();
            assert_eq!((composer.body().as_str(), revisions(&composer)), (body, before), "{text}");
            assert_eq!(fields(&composer), ["2026-11-20 15:30", "calm", "work, project x"]);
        }
    }

    #[test]
    fn fields_are_changed_in_the_head_and_kept_without_one() {
        let mut composer = composer("Old.");
        composer.take_text("---\nmood: tired\ntags:\n---\nNew.\n").unwrap();
        assert_eq!(fields(&composer), ["2026-11-20 15:30", "tired", ""]);
        assert_eq!(composer.body(), "New.");
        composer.take_text("Only a text.\n").unwrap();
        assert_eq!((composer.body().as_str(), fields(&composer)[1]), ("Only a text.", "tired"));
        composer.take_text("dear diary ---\ntime: 2026-11-20 15:30\nmood: calm\ntags:\n---\nNew.\n").unwrap();
        assert_eq!((composer.body().as_str(), fields(&composer)[1]), ("dear diary\nNew.", "calm"));
        composer.take_text("Dear diary,\n\n---\ntime: 2026-11-20 15:30\nmood: sad\ntags:\n---\nOld.\n").unwrap();
        assert_eq!((composer.body().as_str(), fields(&composer)[1]), ("Dear diary,\nOld.", "sad"));
    }

    #[test]
    fn a_wrong_head_loses_nothing() {
        for (text, why) in [
            ("---\nmoood: x\n---\nText.\n", "line 2: unknown key `moood`"),
            ("---\nmood x\n---\nText.\n", "line 2 is not `key: value`"),
            ("---\nmood: x\nText: more\n", "line 3: unknown key `Text`"),
            ("---\nmood: x\n", "its second line `---` is missing"),
            ("---Fine today.\ntime: 15:30\nmood: x\n---\n", "its first line must be `---`"),
            ("Fine today.\n---\ntime: 15:30\ntags: x\n---\nText.\n", "its first line must be `---`"),
        ] {
            let mut composer = composer("Old.");
            assert_eq!(composer.take_text(text).unwrap_err(), why);
            assert_eq!(composer.body(), text.trim_end_matches('\n'));
            assert_eq!(fields(&composer)[1], "calm");
        }
    }
}
