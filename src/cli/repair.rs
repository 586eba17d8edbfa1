//! `kioku doctor --repair`: repair of damage by git and sync programs in the entries folder, and of attachments.

use std::io::{self, IsTerminal};

use super::{Context, Failure, output, prompt};
use crate::{journal::Notice, session::Session};

/// Repairs every file with a repairable notice, and prints each result. A failure does not stop the others.
pub fn repair(context: &mut Context, session: &mut Session, yes: bool) -> Result<(), Failure> {
    let attachments = attachments(context, session, yes)?;
    let notices = session.snapshot()?.catalog.notices.clone();
    let mut repairable: Vec<Notice> = notices.into_iter().filter(|notice| notice.kind.is_surely_damage()).collect();
    repairable.dedup_by(|a, b| a.file == b.file && a.kind == b.kind);
    if repairable.is_empty() && !attachments {
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

/// Moves missing attachments back from the trash, and after a yes those that nothing names there. Returns whether there
/// were any.
fn attachments(context: &mut Context, session: &Session, yes: bool) -> Result<bool, Failure> {
    let files = |count| output::counted(count, "file", "files");
    let back = session.vault().restore_attachments()?;
    if back > 0 {
        context.out.line(format_args!("moved back from the trash: {}", files(back)));
    }
    let orphaned = session.vault().check_attachments()?.orphaned;
    let loose: Vec<&str> =
        orphaned.iter().filter(|orphan| !orphan.in_trash).map(|orphan| orphan.path.as_str()).collect();
    if loose.is_empty() {
        return Ok(back > 0);
    }
    loose.iter().for_each(|path| output::note(output::one_line(path)));
    let is_agreed = match (yes, io::stdin().is_terminal()) {
        (true, _) => true,
        (false, true) => {
            prompt::yes(format_args!("Move {} that no entry names to the trash? [y/N] ", files(loose.len())))?
        }
        (false, false) => {
            output::note("files that no entry names stay; `--yes` moves them to the trash");
            false
        }
    };
    if is_agreed {
        let moved = session.vault().trash_orphans()?;
        context.out.line(format_args!("moved to the trash: {}; `kioku trash --empty` deletes for good", files(moved)));
    }
    Ok(true)
}
