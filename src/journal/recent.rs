//! The second copy: every block kioku appended in the last thirty days, as it was written.

use jiff::{Span, civil};

use super::{
    Vault, VaultError, WrittenEntry, day_file, files,
    vault::{day_of, file_of, names_in},
    write,
};

/// How long a second copy is kept.
const DAYS: i64 = 30;

const FOLDER: &str = "recent";

/// Keeps blocks in the file of the day they are written on, and lets go of what is older than thirty days.
pub(super) fn keep(vault: &Vault, blocks: &[u8]) -> Result<(), VaultError> {
    let folder = vault.make_private(FOLDER)?;
    let today = vault.options().clock.now().date();
    let path = vault.path_in(FOLDER, &file_of(today))?;
    let mut bytes = match files::last_byte(&path)? {
        Some(last) => write::separator(&[last], write::Ending::Lf),
        None => [write::header(&today.to_string()), b"\n".to_vec()].concat(),
    };
    bytes.extend_from_slice(blocks);
    files::append(&path, &bytes)?;
    let oldest = today.checked_sub(Span::new().days(DAYS)).unwrap_or(civil::Date::MIN);
    for name in names_in(&folder)?.iter().filter(|name| day_of(name).is_some_and(|day| day < oldest)) {
        files::remove(&folder.join(name))?;
    }
    Ok(())
}

impl Vault {
    /// The second copies, oldest first: what to look through when a file was lost.
    pub fn recent(&self) -> Result<Vec<WrittenEntry>, VaultError> {
        let mut names: Vec<String> =
            self.listed_in(FOLDER)?.into_iter().filter(|name| day_of(name).is_some()).collect();
        names.sort();
        let mut entries = Vec::new();
        for name in names {
            let Some(bytes) = files::read(&self.path_in(FOLDER, &name)?)? else { continue };
            entries.extend(day_file::entries(&bytes, &day_file::scan(&bytes), &name.as_str().into(), &self.reading()));
        }
        Ok(entries)
    }
}
