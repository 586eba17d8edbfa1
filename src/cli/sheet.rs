//! The format of an entry in an external editor: fields between two lines `---`, then the text.
//!
//! Differs from the day file format: there is one entry, values are unquoted, and any mistake is an error with its line
//! number.

use std::fmt;

use jiff::Zoned;

use super::arguments;
use crate::{
    journal::{Change, Entry, EntryTime},
    report::Report,
};

const FENCE: &str = "---";
const KEYS: [&str; 4] = ["time", "mood", "tags", "event_time"];

/// One entry in this format.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sheet {
    time: String,
    mood: String,
    tags: Vec<String>,
    event_time: String,
    body: String,
}

impl Sheet {
    pub fn of(entry: &Entry) -> Self {
        Self {
            time: entry.time.written.clone(),
            mood: entry.mood.clone().unwrap_or_default(),
            tags: entry.tags.clone(),
            event_time: entry.event_time.clone().unwrap_or_default(),
            body: entry.body.clone(),
        }
    }

    /// Parses the edited text. The last line ending is not part of the entry.
    pub fn parse(text: &str) -> Result<Self, Report> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let broken = |line: usize, what: &str| Report::data(format!("line {line}: {what}"));
        let mut rest = text;
        let mut sheet = Self::default();
        for number in 1.. {
            let (line, after) =
                rest.split_once('\n').ok_or_else(|| broken(number, "the second line `---` is missing"))?;
            let line = line.trim_end();
            rest = after;
            match (number, line) {
                (1, FENCE) => {}
                (1, _) => return Err(broken(1, "the first line must be `---`")),
                (_, FENCE) => break,
                _ => sheet.field(line).map_err(|what| broken(number, &what))?,
            }
        }
        sheet.body = rest.strip_suffix('\n').unwrap_or(rest).to_owned();
        if sheet.body.trim().is_empty() {
            return Err(Report::data("the text is empty").hint("use `kioku rm` to delete an entry"));
        }
        Ok(sheet)
    }

    fn field(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once(':').ok_or_else(|| format!("`{line}` is not `key: value`"))?;
        let value = value.trim();
        match key.trim() {
            "time" => self.time = value.to_owned(),
            "mood" => self.mood = value.to_owned(),
            "tags" => self.tags = tags(value)?,
            "event_time" => self.event_time = value.to_owned(),
            other => return Err(format!("unknown key `{other}`; keys: {}", KEYS.join(", "))),
        }
        Ok(())
    }

    /// The difference between this sheet, of an entry with `time`, and `changed`.
    pub fn change(&self, changed: &Self, time: &EntryTime, now: &Zoned) -> Result<Change, Report> {
        let text = |before: &str, after: &str| {
            (before != after).then(|| Some(after.to_owned()).filter(|text| !text.is_empty()))
        };
        let moved = (self.time != changed.time).then(|| arguments::moment(&changed.time, now)).transpose()?;
        let own_time = arguments::zoned(moved.as_ref().unwrap_or(time));
        Ok(Change {
            time: moved,
            mood: text(&self.mood, &changed.mood),
            tags: (self.tags != changed.tags).then(|| arguments::tags(&changed.tags)).transpose()?,
            event_time: match text(&self.event_time, &changed.event_time) {
                Some(Some(written)) => Some(Some(arguments::event_time(&written, &own_time)?)),
                other => other,
            },
            body: (self.body != changed.body).then(|| changed.body.clone()),
            ..Change::default()
        })
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Use the plain list, which is easier to type, unless a tag has a comma.
        let plain = self.tags.iter().all(|tag| !tag.contains([',', '[', '"']));
        let tags = if plain { self.tags.join(", ") } else { serde_json::to_string(&self.tags).unwrap_or_default() };
        write!(
            f,
            "{FENCE}\ntime: {}\nmood: {}\ntags: {tags}\nevent_time: {}\n{FENCE}\n{}\n",
            self.time, self.mood, self.event_time, self.body
        )
    }
}

fn tags(value: &str) -> Result<Vec<String>, String> {
    if value.starts_with('[') {
        return serde_json::from_str(value).map_err(|_| "tags are `a, b` or `[\"a\", \"b\"]`".to_owned());
    }
    Ok(value.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sheet(body: &str, tags: &[&str]) -> Sheet {
        Sheet {
            time: "2026-02-22T15:30:00+07:00".into(),
            mood: "calm".into(),
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            event_time: String::new(),
            body: body.to_owned(),
        }
    }

    #[test]
    fn an_editor_that_ends_the_last_line_changes_nothing() {
        for body in ["One line.", "With\n---\ntime: 10:00 dentist", "Ends\n\n"] {
            let before = sheet(body, &["work", "a, b"]);
            let after = Sheet::parse(&before.to_string()).unwrap();
            assert_eq!(before, after, "{body:?}");
        }
    }

    #[test]
    fn what_is_not_understood_names_its_line() {
        let message = |text: &str| Sheet::parse(text).unwrap_err().chain.remove(0);
        assert!(message("time: x\n---\nbody").starts_with("line 1"));
        assert!(message("---\ntime: x\nbody").starts_with("line 3"));
        assert!(message("---\ncolour: red\n---\nbody").contains("line 2: unknown key `colour`"));
        assert!(message("---\ntags: [a\n---\nbody").contains("line 2"));
        assert!(message("---\nmood: x\n---\n \n").contains("empty"));
    }

    proptest! {
        #[test]
        fn every_text_comes_back(body in "[a-zà-ỹ\\-\n: ]{0,40}[a-z]\n{0,2}", tags in proptest::collection::vec("[a-z ,\"\\[#]{1,6}", 0..3)) {
            let tags: Vec<&str> = tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
            let before = sheet(&body, &tags);
            let after = Sheet::parse(&before.to_string()).unwrap();
            prop_assert_eq!(before, after);
        }
    }
}
