//! Machine id: a random id that names this machine's own files in a vault that several machines share.
//!
//! Stored in the local state folder, per host name, so that two machines with one synced home folder have different
//! ids. Read once per vault, then cached.

use super::{Vault, VaultError, files, write};

const LENGTH: usize = 10;

impl Vault {
    /// This machine's id; `None` if it has none yet or the id cannot be read.
    pub(super) fn machine_id(&self) -> Option<String> {
        if let Some(known) = self.machine_id.get() {
            return Some(known.clone());
        }
        let read = self.read_machine_id()?;
        Some(self.machine_id.get_or_init(|| read).clone())
    }

    fn read_machine_id(&self) -> Option<String> {
        let options = self.options();
        let Some(state) = &options.state else { return Some(made_from(&options.machine)) };
        let bytes = files::read(&state.join(file_of(&options.machine))).ok()??;
        let id = String::from_utf8(bytes).ok()?.trim().to_owned();
        is_id(&id).then_some(id)
    }

    /// Like [`Vault::machine_id`], but creates the id if there is none yet.
    pub(super) fn make_machine_id(&self) -> Result<String, VaultError> {
        if let Some(id) = self.machine_id() {
            return Ok(id);
        }
        let options = self.options();
        let Some(state) = &options.state else { return Ok(made_from(&options.machine)) };
        files::create_dir(state)?;
        let (path, id) = (state.join(file_of(&options.machine)), write::random_id());
        let line = format!("{id}\n");
        if files::create(&path, line.as_bytes())? {
            return Ok(id);
        }
        // Another process created the file meanwhile, or its content is not a valid id.
        match self.machine_id() {
            Some(id) => Ok(id),
            None => files::replace(&path, line.as_bytes()).map(|()| id),
        }
    }

    /// The id for new files. If no id can be stored, one derived from the host name; files under it are not compared
    /// with the day files.
    pub(super) fn writing_id(&self) -> String {
        self.make_machine_id().unwrap_or_else(|_| made_from(&self.options().machine))
    }
}

/// Whether a part of a file name has the form of a machine id.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
}

fn file_of(machine: &str) -> String {
    format!("machine-{machine}")
}

fn made_from(machine: &str) -> String {
    write::derived_id("machine", machine.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;
    use crate::{clock::Clock, journal::VaultOptions};

    fn vault(root: &Path, state: &Path) -> Vault {
        let clock = Clock::fixed("2026-02-22T15:30:00+07:00[+07:00]".parse().unwrap());
        let options = VaultOptions { state: Some(state.to_path_buf()), ..VaultOptions::new(root, clock) };
        Vault::open(options).unwrap()
    }

    #[test]
    fn the_id_is_read_once_for_a_vault_and_its_clones() {
        let dir = tempfile::tempdir().unwrap();
        let (root, state) = (dir.path().join("journals/personal"), dir.path().join("state"));
        let opened = vault(&root, &state);
        let clone = opened.clone();
        assert_eq!(opened.machine_id(), None, "none is made by asking");
        let id = opened.writing_id();
        assert_eq!(opened.machine_id(), Some(id.clone()));
        fs::remove_dir_all(&state).unwrap();
        assert_eq!((opened.writing_id(), clone.writing_id()), (id.clone(), id.clone()));
        assert!(!state.exists(), "nothing is read or written again");
        assert_ne!(vault(&root, &state).writing_id(), id, "another process reads for itself");
    }

    #[test]
    fn an_id_that_cannot_be_kept_is_tried_for_again() {
        let dir = tempfile::tempdir().unwrap();
        let (root, state) = (dir.path().join("journals/personal"), dir.path().join("state"));
        fs::write(&state, "in the way").unwrap();
        let vault = vault(&root, &state);
        let first = vault.writing_id();
        assert_eq!(first, made_from("here"));
        fs::remove_file(&state).unwrap();
        let kept = vault.writing_id();
        assert_ne!(kept, first);
        assert_eq!(fs::read_to_string(state.join("machine-here")).unwrap(), format!("{kept}\n"));
    }
}
