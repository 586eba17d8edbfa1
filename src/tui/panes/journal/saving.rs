//! Saves in progress: the entry is on screen before it is on disk, and comes back to the form if it cannot be
//! written.

use jiff::{Zoned, civil};

use crate::{
    journal::{BodyHash, Entry, EntryId, EntryTime, Place},
    session::Ticket,
    tui::composer::{Composer, Save},
};

/// A save that was sent and not answered yet.
#[derive(Debug)]
pub struct Saving {
    pub ticket: Ticket,
    /// The entry as it will be written.
    pub entry: Entry,
    /// The form it came from; `None` for a text from `$EDITOR`.
    pub composer: Option<Composer>,
    /// The message for a successful save.
    pub said: String,
}

/// An id that no file can have, because ids contain no control characters.
const PROVISIONAL: &str = "\u{1}saving ";

pub fn is_provisional(id: &EntryId) -> bool {
    id.as_str().starts_with(PROVISIONAL)
}

/// A position that no entry of a file has.
const UNWRITTEN: u32 = u32::MAX;

/// Whether this version of an entry is not written yet.
pub fn is_unwritten(entry: &Entry) -> bool {
    entry.place.position == UNWRITTEN
}

/// The entry that will be written, as far as it is known.
pub fn expected(save: &Save, now: &Zoned, day_start: civil::Time, nth: u64) -> Entry {
    match save {
        Save::Append(new) => {
            let time = new.time.clone().unwrap_or_else(|| EntryTime::of(now));
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
                place: Place { file: "".into(), position: UNWRITTEN, bytes: 0..0 },
            }
        }
        Save::Edit(base, change) => {
            let mut entry = (**base).clone();
            entry.place.position = UNWRITTEN;
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
