//! What the form comes to when it is saved, or what stands in the way.

use jiff::Zoned;

use super::{
    super::fields::{entry_time, shown, some, tags},
    Composer, Field,
};
use crate::{
    extract::dates,
    journal::{Change, Entry, EntryTime, NewEntry},
};

/// What saving sends.
#[derive(Debug, Clone, PartialEq)]
pub enum Save {
    Append(NewEntry),
    Edit(Box<Entry>, Change),
}

/// Why it cannot be saved as it is: said at a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub field: Field,
    pub message: String,
}

impl Composer {
    /// What to save, or what stands in the way. `Ok(None)`: nothing was written.
    pub fn save(&mut self, now: &Zoned) -> Result<Option<Save>, Fault> {
        let result = self.try_save(now);
        if let Err(fault) = &result {
            self.field = fault.field;
            self.fault = Some(fault.clone());
            self.completion = None;
        }
        result
    }

    fn try_save(&self, now: &Zoned) -> Result<Option<Save>, Fault> {
        let body = self.editor.text();
        if let Some(base) = &self.base {
            if body.trim().is_empty() && !base.body.trim().is_empty() {
                let message = "The entry has no text · esc leaves, d in the day deletes".to_owned();
                return Err(Fault { field: Field::Body, message });
            }
            let change = self.change(base, body, now)?;
            return Ok(Some(Save::Edit(Box::new(base.clone()), change)));
        }
        let body = body.trim_end_matches(['\n', '\r']).to_owned();
        if body.trim().is_empty() {
            return Ok(None);
        }
        Ok(Some(Save::Append(NewEntry {
            time: self.time(now)?,
            mood: some(self.text_of(Field::Mood)),
            tags: tags(self.text_of(Field::Tags)),
            body,
            ..NewEntry::default()
        })))
    }

    fn change(&self, base: &Entry, body: String, now: &Zoned) -> Result<Change, Fault> {
        let fields = shown(base);
        let differs = |field: Field| self.text_of(field) != fields[field as usize];
        Ok(Change {
            time: if differs(Field::Time) { self.time(now)? } else { None },
            mood: differs(Field::Mood).then(|| some(self.text_of(Field::Mood))),
            tags: differs(Field::Tags).then(|| tags(self.text_of(Field::Tags))),
            body: (body != base.body).then_some(body),
            ..Change::default()
        })
    }

    /// The time as typed; `None` where the field is empty.
    pub(super) fn time(&self, now: &Zoned) -> Result<Option<EntryTime>, Fault> {
        let typed = self.text_of(Field::Time).trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let moment = dates::moment(typed, now).ok_or_else(|| Fault {
            field: Field::Time,
            message: format!("“{typed}” is no time: try “yesterday 3pm”, “friday 9:15” or “2026-11-20 15:30”"),
        })?;
        Ok(Some(entry_time(&moment)))
    }
}
