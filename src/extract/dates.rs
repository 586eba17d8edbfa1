//! Dates as people say them, in English and Vietnamese, to instants and to ranges of days.

use jiff::{Zoned, civil};

/// Days from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    pub first: civil::Date,
    pub last: civil::Date,
}

/// "yesterday", "last week", "march 2024", "2026-02", "last spring", "tháng 3 năm ngoái": the days meant, seen from `now`.
/// The whole text must be a date; `None` otherwise.
pub fn range(text: &str, now: &Zoned) -> Option<DayRange> {
    let _ = (text, now);
    todo!()
}

/// "yesterday 3pm", "2026-02-22T15:30", "friday at 9:15", "3 days ago": one moment, seen from `now`.
/// A day without a clock time gets noon, today without one gets `now`.
pub fn moment(text: &str, now: &Zoned) -> Option<Zoned> {
    let _ = (text, now);
    todo!()
}
