//! Entries of day files that cannot be read now: given as the index last read them, with a warning for each file.

use super::{SessionError, direct::read_entries};
use crate::{
    index::{Catalog, CatalogEntry, EntryKey, Snapshot},
    journal::{Entry, NoticeKind, Vault, VaultError},
};

/// As [`read_entries`]; a file that cannot be read costs no other file's entries.
pub(super) fn entries<'a>(
    vault: &Vault,
    snapshot: &Snapshot,
    wanted: impl Iterator<Item = &'a CatalogEntry>,
    warnings: &mut Vec<String>,
) -> Result<Vec<Entry>, SessionError> {
    let wanted: Vec<&CatalogEntry> = wanted.collect();
    match read_entries(vault, wanted.iter().copied()) {
        Err(SessionError::Vault(_)) => {}
        read => return read,
    }
    let mut all = Vec::with_capacity(wanted.len());
    for of_file in wanted.chunk_by(|a, b| a.place.file == b.place.file) {
        match read_entries(vault, of_file.iter().copied()) {
            Ok(entries) => all.extend(entries),
            Err(SessionError::Vault(error)) => all.extend(remembered(snapshot, of_file, &error, warnings)?),
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

fn remembered(
    snapshot: &Snapshot,
    of_file: &[&CatalogEntry],
    error: &VaultError,
    warnings: &mut Vec<String>,
) -> Result<Vec<Entry>, SessionError> {
    let keys: Vec<EntryKey> = of_file.iter().map(|entry| entry.key).collect();
    let texts = snapshot.texts(&keys)?;
    let known = of_file.iter().zip(texts).filter(|(_, text)| !text.is_empty());
    let entries: Vec<Entry> = known.map(|(entry, text)| entry.with_body(text)).collect();
    let (shown, of) = (entries.len(), of_file.len());
    warnings.push(format!("{error}: {shown} of its {of} entries are shown as they were last read"));
    Ok(entries)
}

/// What to say of day files that could not be read at all.
pub(super) fn warning(catalog: &Catalog) -> Option<String> {
    let unread = |kind: &NoticeKind| matches!(kind, NoticeKind::Unreadable);
    let mut notices = catalog.notices.iter().filter(|notice| unread(&notice.kind));
    let first = notices.next()?;
    let more = match notices.count() {
        0 => String::new(),
        1 => " (and one more)".to_owned(),
        several => format!(" (and {several} more)"),
    };
    Some(format!(
        "a day file could not be read, its changes are not shown{more}: {} · `kioku doctor` lists them",
        first.message
    ))
}
