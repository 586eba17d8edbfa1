//! Lookup of an entry by a typed id, with suggestions if there is none.

use crate::{
    journal::{Entry, EntryId},
    report::{self, Report},
    sanitize::escaped,
    session::{Located, Session},
};

/// The entry with this id; an error if there is none or several.
pub fn located(session: &mut Session, id: &str) -> Result<Entry, Report> {
    match session.locate(id).map_err(|error| Report::from(&error))? {
        Located::One(entry) => Ok(*entry),
        Located::Ambiguous(names) => Err(ambiguous(id, &names)),
        Located::Nothing => Err(unknown(session, id)),
    }
}

/// The error for an id that several entries share.
pub fn ambiguous(typed: &str, names: &[EntryId]) -> Report {
    let report = Report::data(format!("`{typed}` names {} entries", names.len()));
    let listed = |report: Report, name: &EntryId| report.hint(format!("matches {}", escaped(name.as_str())));
    names.iter().fold(report, listed)
}

/// The error for an unknown id, with the most similar one.
pub fn unknown(session: &mut Session, typed: &str) -> Report {
    let report = Report::data(format!("no entry `{typed}`"));
    let snapshot = session.snapshot();
    let ids = snapshot.iter().flat_map(|snapshot| snapshot.catalog.entries()).map(|entry| entry.id.as_str());
    let begun = |id: &&str| typed.len() >= 3 && id.starts_with(typed);
    match ids.clone().find(begun).or_else(|| report::closest(typed, ids)) {
        Some(same) if same == typed => {
            report.hint("another program removed it; `kioku trash` lists what can be restored")
        }
        Some(near) => report.hint(format!("did you mean `{}`?", escaped(near))),
        None => report.hint("`kioku timeline` lists entries with their ids"),
    }
}
