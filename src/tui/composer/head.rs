//! The form as a text for `$EDITOR`: time, mood and tags between two lines `---`, then the text.

use super::{Composer, SMALL};

const FENCE: &str = "---";
/// In the order of the small fields.
const KEYS: [&str; 3] = ["time", "mood", "tags"];

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

    /// Takes the edited text. Without a head, the fields stay as they are. If the head cannot be read, the whole text
    /// becomes the body, so that nothing is lost; the error says why.
    pub fn take_text(&mut self, text: &str) -> Result<(), String> {
        let ended = self.body().ends_with('\n');
        let ends = |text: &str| match ended {
            true => text.to_owned(),
            false => text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text).to_owned(),
        };
        let (before, text) = typed_before(text);
        match split(text) {
            Ok(None) => self.replace_body(&ends(text)),
            Ok(Some((values, body))) => {
                for (nth, value) in values.into_iter().enumerate() {
                    if let Some(value) = value.filter(|value| value != self.small[nth].text()) {
                        self.small[nth].set(&value);
                        self.changes += 1;
                    }
                }
                self.replace_body(&ends(&format!("{before}{body}")));
            }
            Err(why) => {
                self.replace_body(&ends(&format!("{before}{text}")));
                return Err(why);
            }
        }
        Ok(())
    }
}

/// What was typed where an editor opens, before the first `---` of the head: it belongs to the text. Empty for a text
/// without a head.
fn typed_before(text: &str) -> (String, &str) {
    let is_head = |rest: &str| {
        rest.lines().zip(KEYS).filter(|(line, key)| line.starts_with(&format!("{key}:"))).count() == KEYS.len()
    };
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

/// The values of a head, in the order of [`KEYS`].
type Values = [Option<String>; 3];

/// The values of the head and the text below it; `None` for a text without a head.
fn split(text: &str) -> Result<Option<(Values, &str)>, String> {
    let mut lines = text.split_inclusive('\n');
    if lines.next().map(str::trim_end) != Some(FENCE) {
        return Ok(None);
    }
    let mut values = Values::default();
    let mut at = text.find('\n').map_or(text.len(), |end| end + 1);
    for (nth, line) in lines.enumerate() {
        at += line.len();
        let line = line.trim_end();
        if line == FENCE {
            return Ok(Some((values, &text[at..])));
        }
        let number = nth + 2;
        let (key, value) = line.split_once(':').ok_or_else(|| format!("line {number} is not `key: value`"))?;
        let known = KEYS.iter().position(|known| *known == key.trim());
        let field = known.ok_or_else(|| format!("line {number}: unknown key `{}`", key.trim()))?;
        values[field] = Some(value.trim().to_owned());
    }
    Err("its second line `---` is missing".to_owned())
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
            let revision = composer.changes;
            composer.take_text(&text).unwrap();
            assert_eq!((composer.body().as_str(), composer.changes), (body, revision), "{text}");
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
        ] {
            let mut composer = composer("Old.");
            assert_eq!(composer.take_text(text).unwrap_err(), why);
            assert_eq!(composer.body(), text.trim_end_matches('\n'));
            assert_eq!(fields(&composer)[1], "calm");
        }
    }
}
