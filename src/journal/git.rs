//! The user's git, run in the folder of a journal.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

use super::VaultError;

/// Runs git in one folder.
pub(super) struct Git<'f> {
    pub folder: &'f Path,
    /// Whether git and ssh may ask for a password on the terminal.
    may_ask: bool,
}

/// The result of a git command that ran.
pub(super) struct Ran {
    pub is_ok: bool,
    pub out: String,
    /// Its errors, without credentials.
    pub err: String,
}

impl<'f> Git<'f> {
    pub fn new(folder: &'f Path, may_ask: bool) -> Self {
        Self { folder, may_ask }
    }

    /// Runs a command whose failure is an answer.
    pub fn run(&self, arguments: &[&str]) -> Result<Ran, VaultError> {
        let output = self.output(arguments)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Ran {
            is_ok: output.status.success(),
            out: text(&output.stdout).trim_end().to_owned(),
            err: without_credentials(&text(&output.stderr)),
        })
    }

    /// The content of an object.
    pub fn blob(&self, id: &str) -> Result<Vec<u8>, VaultError> {
        let arguments = ["cat-file", "blob", id];
        let output = self.output(&arguments)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(self.failed(&arguments, &Ran { is_ok: false, out: String::new(), err }))
    }

    fn output(&self, arguments: &[&str]) -> Result<Output, VaultError> {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.folder).args(["-c", "core.quotePath=false"]).args(arguments);
        // Set inside of git's hooks, and would lead to another repository.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            git.env_remove(name);
        }
        // The messages below are looked for in English.
        git.env("LC_ALL", "C").stdin(Stdio::null());
        if !self.may_ask {
            git.env("GIT_TERMINAL_PROMPT", "0");
            // Makes ssh ask a program that gives no answer.
            git.env("SSH_ASKPASS_REQUIRE", "force").env("SSH_ASKPASS", "false");
        }
        git.output().map_err(|source| VaultError::io("run git in", self.folder, source))
    }

    /// Runs a command that must succeed. Returns what it prints.
    pub fn must(&self, arguments: &[&str]) -> Result<String, VaultError> {
        let ran = self.run(arguments)?;
        if ran.is_ok { Ok(ran.out) } else { Err(self.failed(arguments, &ran)) }
    }

    /// What a command prints; `None` if it fails or prints nothing.
    pub fn ask(&self, arguments: &[&str]) -> Result<Option<String>, VaultError> {
        let ran = self.run(arguments)?;
        Ok(Some(ran.out).filter(|out| ran.is_ok && !out.is_empty()))
    }

    pub fn failed(&self, arguments: &[&str], ran: &Ran) -> VaultError {
        let operation = arguments.iter().find(|word| !word.starts_with('-') && !word.contains('=')).copied();
        VaultError::Git {
            operation: operation.unwrap_or_default().to_owned(),
            path: self.folder.to_path_buf(),
            message: ran.reason(),
        }
    }
}

impl Ran {
    /// The line of the errors that says why.
    pub fn reason(&self) -> String {
        let is_cause = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
        let lines = || self.err.lines().filter(|line| !line.trim().is_empty());
        let line = lines().find(is_cause).or_else(|| lines().next_back()).unwrap_or("no reason given");
        line.trim_start_matches("fatal: ").trim_start_matches("error: ").to_owned()
    }
}

/// The text without the user name and password of each address: `https://me:secret@host` becomes `https://host`.
pub(super) fn without_credentials(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, address)) = rest.split_once("://") {
        clean.push_str(before);
        clean.push_str("://");
        let end = address.find(|c: char| c == '/' || c == '\'' || c.is_whitespace()).unwrap_or(address.len());
        rest = match address[..end].rfind('@') {
            Some(at) => &address[at + 1..],
            None => address,
        };
    }
    clean + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        let told =
            "fatal: unable to access 'https://me:to@ken@example.org/j.git/': no route to a@b\nssh://git@host:22/x y";
        let clean = "fatal: unable to access 'https://example.org/j.git/': no route to a@b\nssh://host:22/x y";
        assert_eq!(without_credentials(told), clean);
        assert_eq!(without_credentials("no address"), "no address");
    }
}
