//! An error at the edge: its kind, the chain of causes, hints for the reader, the exit code.

use std::error::Error;

/// Who can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What was typed: exit code 2.
    Usage,
    /// The configuration file.
    Config,
    /// A file of the journal, a model, the disk.
    Data,
    /// A fault of kioku's own.
    Internal,
}

/// An error ready to be shown, in the terminal or on a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub kind: Kind,
    /// The outermost message first, causes after it.
    pub chain: Vec<String>,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Report {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, chain: vec![message.into()], hints: Vec::new() }
    }

    /// Takes an error with all its causes.
    pub fn of(kind: Kind, error: &dyn Error) -> Self {
        let mut chain = vec![error.to_string()];
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !chain.iter().any(|known| known.contains(&text)) {
                chain.push(text);
            }
            cause = error.source();
        }
        Self { kind, chain, hints: Vec::new() }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub fn exit_code(&self) -> u8 {
        if self.kind == Kind::Usage { 2 } else { 1 }
    }
}
