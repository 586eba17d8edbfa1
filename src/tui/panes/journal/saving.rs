//! Saves on their way: the text is on screen before it is on disk, and comes back to the form if it cannot be written.

use jiff::{Zoned, civil};

use super::{
    composer::{Composer, Save},
    fields::entry_time,
};
use crate::{
    journal::{BodyHash, Entry, EntryId, Place},
    session::Ticket,
};

/// A save that was sent and not yet answered.
#[derive(Debug)]
pub struct Saving {
    pub ticket: Ticket,
    /// As the entry will look.
    pub entry: Entry,
    /// The form it came from; `None` for a text from `$EDITOR`.
    pub composer: Option<Composer>,
    /// What to say once it is done.
    pub said: String,
    /// A draft was kept after the save was sent: the save does not drop it.
    pub kept_late: bool,
}

/// No file gives an entry this name: control characters are no part of an id.
const PROVISIONAL: &str = "\u{1}saving ";

pub fn is_provisional(id: &EntryId) -> bool {
    id.as_str().starts_with(PROVISIONAL)
}

/// What will be written, as far as it is known before.
pub fn expected(save: &Save, now: &Zoned, day_start: civil::Time, nth: u64) -> Entry {
    match save {
        Save::Append(new) => {
            let time = new.time.clone().unwrap_or_else(|| entry_time(now));
            Entry {
                id: EntryId::from(format!("{PROVISIONAL}{nth}").as_str()),
                day: time.day(day_start),
                time,
                mood: new.mood.clone(),
                tags: new.tags.clone(),
                event_time: None,
                body: new.body.clone(),
                hash: BodyHash::of(new.body.as_bytes()),
                extra: Vec::new(),
                place: Place { file: "".into(), position: u32::MAX, bytes: 0..0 },
            }
        }
        Save::Edit(base, change) => {
            let mut entry = (**base).clone();
            if let Some(time) = &change.time {
                entry.day = time.day(day_start);
                entry.time = time.clone();
            }
            if let Some(mood) = &change.mood {
                entry.mood.clone_from(mood);
            }
            if let Some(tags) = &change.tags {
                entry.tags.clone_from(tags);
            }
            if let Some(body) = &change.body {
                entry.hash = BodyHash::of(body.as_bytes());
                entry.body.clone_from(body);
            }
            entry
        }
    }
}
