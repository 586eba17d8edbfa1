//! A text handed to the user's editor and taken back.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{self, Command, ExitStatus},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::journal::{VaultError, files};

/// How a shell says that it knows no such command.
const NOT_FOUND: i32 = 127;

/// How to open an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// As in `$EDITOR`: may hold arguments (`code --wait`).
    pub command: String,
    /// Where the text lies meanwhile: a folder of the user's own that no restart empties, never a shared one.
    pub folder: PathBuf,
}

/// A text as the editor left it. Its file stays until [`HandedBack::done`]: only whoever takes the text knows when it is safe.
#[derive(Debug)]
pub struct HandedBack {
    pub text: String,
    file: PathBuf,
}

impl HandedBack {
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// What was written is safe elsewhere, or was given up: the file goes.
    pub fn done(self) -> Result<String, VaultError> {
        files::remove(&self.file)?;
        Ok(self.text)
    }
}

/// Why there is no text. Where the person wrote something, its file stays and is named.
#[derive(Debug, thiserror::Error)]
pub enum HandoffError {
    #[error("{0}")]
    File(#[from] VaultError),
    #[error("starting the editor `{command}`: {source}")]
    Start { command: String, source: io::Error },
    /// It ended badly without saving (`:cq`): that means "forget it".
    #[error("the editor `{command}` ended with {status}; nothing was changed")]
    GivenUp { command: String, status: ExitStatus },
    /// It ended badly after it had saved: whether the text is meant is for the person to say, as with git.
    #[error("the editor `{command}` ended with {status}; nothing was changed, what you wrote is in {}", path.display())]
    Ended { command: String, status: ExitStatus, path: PathBuf },
    #[error("reading {} back: {source}", path.display())]
    Unread { path: PathBuf, source: io::Error },
    #[error("{} is not UTF-8; it was left there", path.display())]
    NotText { path: PathBuf },
}

impl HandoffError {
    /// Whether another command for the editor may help.
    pub fn is_no_editor(&self) -> bool {
        match self {
            Self::Start { .. } => true,
            Self::GivenUp { status, .. } => status.code() == Some(NOT_FOUND),
            _ => false,
        }
    }
}

impl Editor {
    /// Runs the editor on a file of `text`, called after `name`; blocks until it ends.
    pub fn open(&self, name: &str, text: &str) -> Result<HandedBack, HandoffError> {
        static NTH: AtomicU32 = AtomicU32::new(0);
        let name = file_stem(name);
        let file = self.folder.join(format!("{name}-{}-{}.md", process::id(), NTH.fetch_add(1, Ordering::Relaxed)));
        files::create_dir(&self.folder)?;
        files::replace(&file, text.as_bytes())?;
        let status = self.run(&file).map_err(|source| {
            // Nothing was written there that the caller does not have.
            let _ = files::remove(&file);
            HandoffError::Start { command: self.command.clone(), source }
        })?;
        let bytes = fs::read(&file).map_err(|source| HandoffError::Unread { path: file.clone(), source })?;
        let edited = String::from_utf8(bytes).map_err(|_| HandoffError::NotText { path: file.clone() })?;
        if !status.success() {
            let command = self.command.clone();
            if edited != text {
                return Err(HandoffError::Ended { command, status, path: file });
            }
            files::remove(&file)?;
            return Err(HandoffError::GivenUp { command, status });
        }
        Ok(HandedBack { text: edited, file })
    }

    /// The shell reads `$EDITOR` as git does: quotes, arguments and `~` in it count.
    #[cfg(unix)]
    fn run(&self, file: &Path) -> io::Result<ExitStatus> {
        let line = format!("{} \"$@\"", self.command);
        Command::new("sh").arg("-c").arg(line).arg(&self.command).arg(file).status()
    }

    #[cfg(not(unix))]
    fn run(&self, file: &Path) -> io::Result<ExitStatus> {
        let mut words = self.command.split_whitespace();
        Command::new(words.next().unwrap_or_default()).args(words).arg(file).status()
    }
}

/// What a file is called after a name that may be an entry's id, which any program can have written: letters, digits, `-` and `_` of
/// it, so that it leads to no other folder.
fn file_stem(name: &str) -> String {
    const LONGEST: usize = 60;
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let stem: String = name.chars().take(LONGEST).map(plain).collect();
    if stem.starts_with(|c: char| c.is_ascii_alphanumeric()) { stem } else { format!("entry{stem}") }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn editor(command: &str) -> (tempfile::TempDir, Editor) {
        let folder = tempfile::tempdir().unwrap();
        let editor = Editor { command: command.to_owned(), folder: folder.path().join("edit") };
        (folder, editor)
    }

    fn files(editor: &Editor) -> usize {
        fs::read_dir(&editor.folder).unwrap().count()
    }

    #[test]
    fn the_text_comes_back_as_saved_and_its_file_goes_once_it_is_safe() {
        let (_keep, editor) = editor("printf 'and more\\n' >>");
        let back = editor.open("entry", "some\n").unwrap();
        assert_eq!((back.text.as_str(), files(&editor)), ("some\nand more\n", 1));
        assert_eq!(back.done().unwrap(), "some\nand more\n");
        assert_eq!(files(&editor), 0);
    }

    #[test]
    fn a_name_never_leads_out_of_the_folder() {
        let (_keep, editor) = editor("true");
        let long = "a".repeat(5_000);
        for name in ["../../outside/x", "/etc/passwd", "..", "", "a\0b", "-rf", "c:\\x", &long] {
            let back = editor.open(name, "some").unwrap();
            assert_eq!(back.file().parent(), Some(editor.folder.as_path()), "{name:?}");
            back.done().unwrap();
        }
    }

    #[test]
    fn an_editor_that_gives_up_changes_nothing() {
        let (_keep, editor) = editor("false");
        let error = editor.open("entry", "some").unwrap_err();
        assert!(error.to_string().contains("nothing was changed") && !error.is_no_editor(), "{error}");
        assert_eq!(files(&editor), 0);
    }

    #[test]
    fn what_was_saved_before_a_bad_end_is_left_for_the_person() {
        let (_keep, editor) = editor("f() { echo more >> \"$1\"; false; }; f");
        let told = editor.open("entry", "some").unwrap_err().to_string();
        assert!(told.contains("what you wrote is in"), "{told}");
        assert_eq!(files(&editor), 1);
    }

    #[test]
    fn an_editor_that_there_is_none_of_is_told_apart() {
        let (_keep, editor) = editor("no-such-editor-anywhere 2>&-");
        assert!(editor.open("entry", "some").unwrap_err().is_no_editor());
    }

    #[test]
    fn bytes_that_are_no_text_are_left_for_the_person() {
        let (_keep, editor) = editor("printf '\\377' >");
        let told = editor.open("entry", "some").unwrap_err().to_string();
        assert!(told.contains("left there"), "{told}");
        assert_eq!(files(&editor), 1);
    }
}
