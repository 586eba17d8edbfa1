//! The random id that names this machine's own files in a vault which several machines share.
//!
//! It lies in the local state folder, one for each host name: a home folder that is synced as a whole gives no two machines one id.

use super::{Vault, VaultError, files, write};

const LENGTH: usize = 10;

impl Vault {
    /// This machine's id; `None` where it has none yet or it cannot be read.
    pub(super) fn machine_id(&self) -> Option<String> {
        let options = self.options();
        let Some(state) = &options.state else { return Some(made_from(&options.machine)) };
        let bytes = files::read(&state.join(file_of(&options.machine))).ok()??;
        let id = String::from_utf8(bytes).ok()?.trim().to_owned();
        is_id(&id).then_some(id)
    }

    /// As [`Vault::machine_id`], made where there is none yet.
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
        // Another process made it meanwhile, or it cannot be read as one.
        match self.machine_id() {
            Some(id) => Ok(id),
            None => files::replace(&path, line.as_bytes()).map(|()| id),
        }
    }

    /// The id to write under: where none can be kept, one that follows from the host name and is compared with nothing.
    pub(super) fn writing_id(&self) -> String {
        self.make_machine_id().unwrap_or_else(|_| made_from(&self.options().machine))
    }
}

/// Whether a part of a file name may be a machine's id.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
}

fn file_of(machine: &str) -> String {
    format!("machine-{machine}")
}

fn made_from(machine: &str) -> String {
    write::derived_id("machine", machine.as_bytes())
}
