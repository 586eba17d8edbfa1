//! Lookup of an entry by a typed id, with suggestions if there is none.

use jiff::Zoned;

use super::time::days;
use crate::{
    extract::dates::{self, DayRange},
    journal::{Entry, EntryId},
    report::{self, Report},
    sanitize::escaped,
    session::{Forgettable, Located, Session},
};

/// The entry with this id; an error if there is none or several.
pub fn located(session: &mut Session, id: &str) -> Result<Entry, Report> {
    match session.locate(id)? {
        Located::One(entry) => Ok(*entry),
        Located::Ambiguous(names) => Err(ambiguous(id, &names)),
        Located::Nothing => Err(unknown(session, id)),
    }
}

/// The entry with this id, or what is left of an entry that is in no day file. `redact`: its head is to be kept.
pub fn forgettable(session: &mut Session, id: &str, redact: bool) -> Result<Forgettable, Report> {
    let remains = if session.locate(id)? == Located::Nothing { session.vault().remains(id)? } else { None };
    match remains {
        None => Ok(located(session, id)?.into()),
        Some(_) if redact => Err(Report::usage("the entry is in no day file: nothing to redact")
            .hint("without `redact`, its remaining copies are deleted")),
        Some(remains) => Ok(Forgettable::Remains(Box::new(remains))),
    }
}

/// The meaning of an argument `ID|DATE`.
pub enum Asked {
    Entry(Box<Entry>),
    Days(DayRange),
}

/// The entry with this id or time, else the days of this date. An impossible date such as `2026-02-30` is an error of
/// the command line, not an unknown id.
pub fn asked(session: &mut Session, what: &str, now: &Zoned) -> Result<Asked, Report> {
    match session.locate(what)? {
        Located::One(entry) => Ok(Asked::Entry(entry)),
        Located::Ambiguous(names) => Err(ambiguous(what, &names)),
        Located::Nothing => match dates::range(what, now) {
            Some(range) => Ok(Asked::Days(range)),
            None if is_date_like(what) => Ok(Asked::Days(days(what, now)?)),
            None if names_clock(what, now) => Err(Report::usage(format!("`{what}` has a time of day"))
                .hint("give the day alone, or the id or whole time of an entry, as `kioku timeline --json` prints it")),
            None => Err(unknown(session, what)),
        },
    }
}

/// Whether a text is a day and a clock time, also one that does not exist.
fn names_clock(text: &str, now: &Zoned) -> bool {
    text.match_indices(' ').any(|(at, _)| {
        let (day, clock) = (&text[..at], text[at..].trim_start());
        dates::range(day, now).is_some()
            && clock.starts_with(|c: char| c.is_ascii_digit())
            && dates::range(clock, now).is_none()
            && (clock.find(':').is_some_and(|at| at <= 2) || dates::moment(text, now).is_some())
    })
}

/// Whether a text consists of two or three numbers, as a date does.
fn is_date_like(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = text.trim().split(['-', '/', '.']).collect();
    (2..=3).contains(&parts.len()) && parts.into_iter().all(is_number)
}

/// The error for an id that several entries share.
pub fn ambiguous(typed: &str, names: &[EntryId]) -> Report {
    let report = Report::data(format!("`{typed}` names {} entries", names.len()));
    let listed = |report: Report, name: &EntryId| report.hint(format!("matches {}", escaped(name.as_str())));
    names.iter().fold(report, listed)
}

/// The error for an unknown id, with the most similar one.
pub fn unknown(session: &mut Session, typed: &str) -> Report {
    let report = Report::not_found(format!("no entry `{typed}`"));
    let snapshot = session.snapshot();
    let ids = snapshot.iter().flat_map(|snapshot| snapshot.catalog.entries().iter()).map(|entry| entry.id.as_str());
    let begun = |id: &&str| typed.len() >= 3 && id.starts_with(typed);
    match ids.clone().find(begun).or_else(|| report::closest(typed, ids)) {
        Some(same) if same == typed => {
            report.hint("another program removed it; `kioku trash` lists what can be restored")
        }
        Some(near) => report.hint(format!("did you mean `{}`?", escaped(near))),
        None => report.hint("`kioku timeline` lists entries with their ids"),
    }
}
