//! `kioku doctor --repair`: repair of damage by git and sync programs in the entries folder.

use super::{Context, Failure, output};
use crate::{journal::Notice, session::Session};

/// Repairs every file with a repairable notice, and prints each result. A failure does not stop the others.
pub fn repair(context: &mut Context, session: &mut Session) -> Result<(), Failure> {
    let notices = session.snapshot()?.catalog.notices.clone();
    let mut repairable: Vec<Notice> = notices.into_iter().filter(|notice| notice.kind.is_surely_damage()).collect();
    repairable.dedup_by(|a, b| a.file == b.file && a.kind == b.kind);
    if repairable.is_empty() {
        context.out.line("nothing to repair");
    }
    for notice in repairable {
        let file = context.out.safe(&notice.file).into_owned();
        match session.vault().repair(&notice) {
            Ok(None) => {}
            Ok(Some(repaired)) => {
                let entries = output::counted(repaired.entries, "more entry", "more entries");
                let kept =
                    repaired.kept.map_or_else(String::new, |kept| format!("; original file: {}", kept.display()));
                context.out.line(format_args!("repaired {file}: {entries}{kept}"));
            }
            Err(error) => output::warn(error),
        }
    }
    session.sync(false, &mut |_| true)?;
    Ok(())
}
