//! Names of drafts.

use jiff::{Zoned, civil};

use crate::journal::DraftId;

/// A name for a new draft: sortable, with the time in it.
pub fn name(now: &Zoned, nth: u64) -> DraftId {
    DraftId(format!("{}-{:09}-{nth}", now.datetime().strftime("%Y%m%dT%H%M%S"), now.subsec_nanosecond()))
}

/// Day and clock time from a draft's name.
pub fn begun(id: &DraftId) -> Option<(String, String)> {
    let stamp = id.0.split('-').next()?;
    let time: civil::DateTime = civil::DateTime::strptime("%Y%m%dT%H%M%S", stamp).ok()?;
    Some((time.date().to_string(), format!("{:02}:{:02}", time.hour(), time.minute())))
}
