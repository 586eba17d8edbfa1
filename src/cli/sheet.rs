//! The format of an entry in an external editor: fields between two lines `---`, then the text.
//!
//! Differs from the day file format: there is one entry, values are unquoted, and any mistake is an error.

use std::fmt;

use jiff::Zoned;

use super::arguments;
use crate::{
    journal::{Change, Entry, NewEntry},
    report::Report,
    tui::{head_and_text, without_last_line_ending},
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

    /// The sheet of an entry to be written; without a time of its own it has `now`.
    pub fn begun(new: &NewEntry, now: &Zoned) -> Self {
        Self {
            time: new.time.as_ref().map_or_else(|| now.strftime("%F %H:%M").to_string(), |time| time.written.clone()),
            mood: new.mood.clone().unwrap_or_default(),
            tags: new.tags.clone(),
            event_time: new.event_time.clone().unwrap_or_default(),
            body: new.body.clone(),
        }
    }

    /// Parses the edited text. A field without a line in the head keeps its value; the last line ending is not part of
    /// the entry.
    pub fn parse(&self, text: &str) -> Result<Self, Report> {
        let wrong = |why: String| Report::data(format!("the head could not be read: {why}"));
        let ([time, mood, tags, event_time], body) = head_and_text(text, KEYS).map_err(wrong)?;
        Ok(Self {
            time: time.unwrap_or_else(|| self.time.clone()),
            mood: mood.unwrap_or_else(|| self.mood.clone()),
            tags: tags.map_or_else(|| Ok(self.tags.clone()), |tags| tags_of(&tags)).map_err(wrong)?,
            event_time: event_time.unwrap_or_else(|| self.event_time.clone()),
            body: without_last_line_ending(&body).to_owned(),
        })
    }

    /// The difference between this sheet, of an entry of `time`, and `changed`.
    pub fn change(&self, changed: &Self, time: &Zoned, now: &Zoned) -> Result<Change, Report> {
        let text = |before: &str, after: &str| {
            (before != after).then(|| Some(after.to_owned()).filter(|text| !text.is_empty()))
        };
        let moved = (self.time != changed.time).then(|| arguments::moment(&changed.time, now)).transpose()?;
        let own_time = moved.as_ref().map_or_else(|| time.clone(), arguments::zoned);
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

fn tags_of(value: &str) -> Result<Vec<String>, String> {
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
            let after = Sheet::default().parse(&before.to_string()).unwrap();
            assert_eq!(before, after, "{body:?}");
        }
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        let message = |text: &str| Sheet::default().parse(text).unwrap_err().chain.remove(0);
        assert!(message("time: x\n---\nbody").contains("first line must be"));
        assert!(message("---\ntime: x\nbody\n").contains("line 3"));
        assert!(message("---\ntime: x\n").contains("second line `---` is missing"));
        assert!(message("---\ncolour: red\n---\nbody").contains("line 2: unknown key `colour`"));
        assert!(message("---\ntags: [a\n---\nbody").contains("tags are"));
    }

    #[test]
    fn what_the_head_lacks_stays() {
        let before = sheet("Old.", &["work"]);
        assert_eq!(before.parse("New.\n").unwrap(), Sheet { body: "New.".into(), ..before.clone() });
        let changed = Sheet { body: "Dear diary\nNew.".into(), mood: String::new(), ..before.clone() };
        assert_eq!(before.parse(&changed.to_string()).unwrap(), changed);
        let above = before.to_string().replacen("---", "Dear diary ---", 1);
        assert_eq!(before.parse(&above).unwrap().body, "Dear diary\nOld.");
    }

    proptest! {
        #[test]
        fn every_text_comes_back(body in "[a-zà-ỹ\\-\n: ]{0,40}[a-z]\n{0,2}", tags in proptest::collection::vec("[a-z ,\"\\[#]{1,6}", 0..3)) {
            let tags: Vec<&str> = tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()).collect();
            let before = sheet(&body, &tags);
            let after = Sheet::default().parse(&before.to_string()).unwrap();
            prop_assert_eq!(before, after);
        }
    }
}
