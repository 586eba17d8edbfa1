//! Entries read from their day files, by id or catalog entry. Entries of unreadable files are returned as last indexed.

use std::sync::Arc;

use super::SessionError;
use crate::{
    index::{Catalog, CatalogEntry, EntryKey, Snapshot},
    journal::{Entry, EntryId, Notice, Vault, VaultError, identity},
};

/// Result of a lookup by id.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    One(Box<Entry>),
    /// Several entries share this time. Contains their full ids.
    Ambiguous(Vec<EntryId>),
    Nothing,
}

/// Finds an entry by id (or an unambiguous time), and reads it from its file.
pub(super) fn locate(snapshot: &Snapshot, vault: &Vault, id: &str) -> Result<Located, SessionError> {
    let read = |known: &CatalogEntry| -> Result<Located, SessionError> {
        let entry = read_entries(vault, std::iter::once(known))?.pop();
        Ok(entry.map_or(Located::Nothing, |entry| Located::One(Box::new(entry))))
    };
    if let Some(known) = snapshot.catalog.by_id(&EntryId::from(id)) {
        return read(known);
    }
    match sharing(&snapshot.catalog, id).as_slice() {
        [] => Ok(Located::Nothing),
        [one] => read(one),
        several => Ok(Located::Ambiguous(several.iter().map(|entry| entry.id.clone()).collect())),
    }
}

/// Reads entries from their files, with the ids of the catalog. Skips entries that are no longer in their file: the
/// next sync handles them.
pub(super) fn read_entries<'a>(
    vault: &Vault,
    wanted: impl Iterator<Item = &'a CatalogEntry>,
) -> Result<Vec<Entry>, SessionError> {
    let mut read: Option<(Arc<str>, Vec<Entry>)> = None;
    let mut entries = Vec::new();
    for known in wanted {
        if read.as_ref().is_none_or(|(file, _)| *file != known.place.file) {
            let entries = vault.read_if_there(&known.place.file)?.map_or_else(Vec::new, |day| day.entries);
            read = Some((known.place.file.clone(), entries.into_iter().map(|written| written.entry).collect()));
        }
        let of_file = read.as_ref().map_or(&[][..], |(_, entries)| entries);
        let here = of_file
            .get(known.place.position as usize)
            .filter(|entry| entry.hash == known.hash)
            .or_else(|| of_file.iter().find(|entry| entry.id.as_str() == known.written_name()));
        if let Some(entry) = here {
            entries.push(Entry { id: known.id.clone(), ..entry.clone() });
        }
    }
    Ok(entries)
}

/// The entries that a written name could mean, or an id that was longer while others shared the name.
fn sharing<'a>(catalog: &'a Catalog, name: &str) -> Vec<&'a CatalogEntry> {
    let is_meant = |entry: &&CatalogEntry| {
        identity::is_id_of(name, entry.written_name(), &entry.hash) || entry.shared_names().any(|shared| shared == name)
    };
    catalog.entries().iter().map(AsRef::as_ref).filter(is_meant).collect()
}

/// Like [`read_entries`], but an unreadable file does not affect the entries of other files.
pub(super) fn readable_entries<'a>(
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
    warnings.push(format!("{error}: showing {shown} of its {of} entries as last indexed"));
    Ok(entries)
}

/// The end of the warning about unreadable day files.
pub const DOCTOR_LISTS: &str = " · `kioku doctor` lists them";

/// The warning about unreadable day files, if there are any.
pub(super) fn unreadable_warning(catalog: &Catalog) -> Option<String> {
    let mut notices = catalog.notices.iter().filter(|notice| notice.kind.is_unreadable());
    let Notice { file, message, .. } = notices.next()?;
    let more = match notices.count() {
        0 => String::new(),
        1 => " (and one more)".to_owned(),
        several => format!(" (and {several} more)"),
    };
    Some(format!("{file} could not be read, what it holds now is not shown{more}: {message}{DOCTOR_LISTS}"))
}
