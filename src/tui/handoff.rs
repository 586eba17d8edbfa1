//! A text handed to the user's editor and taken back.

use std::{
    path::{Path, PathBuf},
    process::{self, Command},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::journal::files;

/// How to open an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// As in `$EDITOR`: may hold arguments (`code --wait`).
    pub command: String,
    /// Where the text lies meanwhile: a folder of the user's own, never a shared one.
    pub folder: PathBuf,
}

impl Editor {
    /// Runs the editor on `text`; blocks until it ends. The file is removed once its text is back; where it cannot be
    /// read, it stays and the message says where.
    pub fn open(&self, text: &str) -> Result<String, String> {
        static NTH: AtomicU32 = AtomicU32::new(0);
        let name = format!("entry-{}-{}.md", process::id(), NTH.fetch_add(1, Ordering::Relaxed));
        let path = self.folder.join(name);
        files::create_dir(&self.folder).map_err(|error| error.to_string())?;
        files::replace(&path, text.as_bytes()).map_err(|error| error.to_string())?;
        let status = self.run(&path).map_err(|error| {
            // Nothing was written there that the caller does not have.
            let _ = files::remove(&path);
            format!("{}: {error}", self.command)
        })?;
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let edited =
            String::from_utf8(bytes).map_err(|_| format!("{} is not UTF-8; it was left there", path.display()))?;
        files::remove(&path).map_err(|error| error.to_string())?;
        // An editor that ends badly without saving (`:cq`) means "forget it".
        if !status.success() && edited == text {
            return Err(format!("{} ended with {status}; nothing was changed", self.command));
        }
        Ok(edited)
    }

    #[cfg(unix)]
    fn run(&self, path: &Path) -> std::io::Result<process::ExitStatus> {
        // The shell reads `$EDITOR` as git does: quotes and arguments in it count.
        let line = format!("{} \"$@\"", self.command);
        Command::new("sh").arg("-c").arg(line).arg(&self.command).arg(path).status()
    }

    #[cfg(not(unix))]
    fn run(&self, path: &Path) -> std::io::Result<process::ExitStatus> {
        let mut words = self.command.split_whitespace();
        Command::new(words.next().unwrap_or_default()).args(words).arg(path).status()
    }
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

    #[test]
    fn the_text_comes_back_as_saved_and_leaves_no_file() {
        let (_keep, editor) = editor("printf 'and more\\n' >>");
        assert_eq!(editor.open("some\n").unwrap(), "some\nand more\n");
        assert_eq!(std::fs::read_dir(&editor.folder).unwrap().count(), 0);
    }

    #[test]
    fn an_editor_that_gives_up_changes_nothing() {
        let (_keep, editor) = editor("false");
        assert!(editor.open("some").unwrap_err().contains("nothing was changed"));
        assert_eq!(std::fs::read_dir(&editor.folder).unwrap().count(), 0);
    }

    #[test]
    fn bytes_that_are_no_text_are_left_for_the_person() {
        let (_keep, editor) = editor("printf '\\377' >");
        let told = editor.open("some").unwrap_err();
        assert!(told.contains("left there"), "{told}");
        assert_eq!(std::fs::read_dir(&editor.folder).unwrap().count(), 1);
    }
}
