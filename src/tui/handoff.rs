//! Editing a text in the user's editor.
//!
//! Each text is in a folder of its own with private permissions, so that backup and swap files of the editor are
//! private too. The folder's lock is held while the editor runs: a folder with a free lock belongs to no running
//! process, see [`crate::session::editor_texts`].

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{self, Command, ExitStatus},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use crate::{
    journal::{
        VaultError,
        files::{self, Lock},
    },
    session::editor_texts::{BEFORE, FOLDER, LOCK, OF, TEXT},
};

/// Exit status of a shell for an unknown command.
const NOT_FOUND: i32 = 127;

/// The command for an editor, and the folder for its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editor {
    /// As in `$EDITOR`: may have arguments (`code --wait`).
    pub command: String,
    /// Folder for the text during editing: private to the user and not emptied by a restart.
    pub folder: PathBuf,
}

/// An edited text. Its file stays until [`HandedBack::done`]: only the caller knows when the text is saved elsewhere.
#[derive(Debug)]
pub struct HandedBack {
    pub text: String,
    file: PathBuf,
    _lock: Lock,
}

impl HandedBack {
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Call this when the text is saved elsewhere or discarded: removes the file.
    pub fn done(self) -> Result<String, VaultError> {
        let Self { text, file, _lock: lock } = self;
        // Some systems cannot remove an open file.
        drop(lock);
        remove(&file)?;
        Ok(text)
    }
}

/// Why there is no edited text. If the user wrote something, its file is kept and named.
#[derive(Debug, thiserror::Error)]
pub enum HandoffError {
    #[error("{0}")]
    File(#[from] VaultError),
    #[error("starting the editor `{command}`: {source}")]
    Start { command: String, source: io::Error },
    #[error("editor not found: `{command}`")]
    NotFound { command: String },
    /// The editor failed without saving (`:cq`), which means cancel.
    #[error("the editor `{command}` ended with {status}; nothing was changed")]
    GivenUp { command: String, status: ExitStatus },
    /// The editor failed after saving: as with git, the user has to decide whether the text is meant.
    #[error("the editor `{command}` ended with {status}; nothing was changed, what you wrote is in {}", path.display())]
    Ended { command: String, status: ExitStatus, path: PathBuf },
    #[error("reading {} back: {source}", path.display())]
    Unread { path: PathBuf, source: io::Error },
    #[error("{} is not UTF-8; it was left there", path.display())]
    NotText { path: PathBuf },
}

impl HandoffError {
    /// Whether another editor command may help.
    pub fn is_no_editor(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::NotFound { .. })
    }
}

impl Editor {
    /// Runs the editor on a file with `text`; `of` is its subject (an entry's id, or a word). Blocks until the editor
    /// exits.
    pub fn open(&self, of: &str, text: &str) -> Result<HandedBack, HandoffError> {
        let folder = self.new_folder()?;
        let lock = Lock::wait(&folder.join(LOCK), Duration::ZERO)?;
        let file = folder.join(TEXT);
        for (name, content) in [(OF, of), (BEFORE, text), (TEXT, text)] {
            files::replace(&folder.join(name), content.as_bytes())?;
        }
        let status = self.run(&file).map_err(|source| {
            // The caller still has the text, so errors are ignored.
            let _ = remove(&file);
            HandoffError::Start { command: self.command.clone(), source }
        })?;
        let bytes = fs::read(&file).map_err(|source| HandoffError::Unread { path: file.clone(), source })?;
        let edited = String::from_utf8(bytes).map_err(|_| HandoffError::NotText { path: file.clone() })?;
        if !status.success() {
            let command = self.command.clone();
            if edited != text {
                return Err(HandoffError::Ended { command, status, path: file });
            }
            drop(lock);
            remove(&file)?;
            return Err(match status.code() {
                Some(NOT_FOUND) => HandoffError::NotFound { command },
                _ => HandoffError::GivenUp { command, status },
            });
        }
        Ok(HandedBack { text: edited, file, _lock: lock })
    }

    /// Creates a folder that no other process and no other call uses.
    fn new_folder(&self) -> Result<PathBuf, VaultError> {
        static NTH: AtomicU32 = AtomicU32::new(0);
        loop {
            let name = format!("{}-{}", process::id(), NTH.fetch_add(1, Ordering::Relaxed));
            let folder = self.folder.join(FOLDER).join(name);
            // A folder left by an earlier process with the same id is kept.
            if !folder.exists() {
                files::create_dir(&folder)?;
                return Ok(folder);
            }
        }
    }

    /// The shell parses `$EDITOR` as for git, with quotes, arguments and `~`.
    #[cfg(unix)]
    fn run(&self, file: &Path) -> io::Result<ExitStatus> {
        let line = format!("{} \"$@\"", self.command);
        Command::new("sh").arg("-c").arg(line).arg(&self.command).arg(file).status()
    }

    /// A program of Windows may be a script (`code.cmd`), which has to be named in full.
    #[cfg(not(unix))]
    fn run(&self, file: &Path) -> io::Result<ExitStatus> {
        let words = words(&self.command);
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
        let run = |ending: &str| Command::new(format!("{program}{ending}")).args(arguments).arg(file).status();
        run("").or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => run(".cmd").or_else(|_| run(".bat")).map_err(|_| error),
            _ => Err(error),
        })
    }
}

/// The words of a command as Windows writes it: parted by spaces, unless they are in quotes or the name of a file.
#[cfg(any(test, not(unix)))]
fn words(command: &str) -> Vec<String> {
    if Path::new(command).is_file() {
        return vec![command.to_owned()];
    }
    let (mut words, mut is_quoted, mut is_open) = (Vec::<String>::new(), false, false);
    for c in command.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            c if c.is_whitespace() && !is_quoted => {
                is_open = false;
                continue;
            }
            _ => {}
        }
        if !is_open {
            words.push(String::new());
            is_open = true;
        }
        if c != '"'
            && let Some(word) = words.last_mut()
        {
            word.push(c);
        }
    }
    words
}

/// Removes the folder of a text, with all files that the editor put there.
fn remove(file: &Path) -> Result<(), VaultError> {
    file.parent().map_or(Ok(()), files::remove_dir)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::session::editor_texts::left_over;

    fn editor(command: &str) -> (tempfile::TempDir, Editor) {
        let folder = tempfile::tempdir().unwrap();
        let editor = Editor { command: command.to_owned(), folder: folder.path().join("edit") };
        (folder, editor)
    }

    fn files(editor: &Editor) -> usize {
        fs::read_dir(editor.folder.join(FOLDER)).unwrap().count()
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
    fn a_command_of_windows_is_read_with_its_quotes() {
        let quoted = r#" "C:\Program Files\Editor\edit.exe" --wait  "a b" "#;
        assert_eq!(words(quoted), [r"C:\Program Files\Editor\edit.exe", "--wait", "a b"]);
        assert_eq!(words(" code --wait "), ["code", "--wait"]);
        assert_eq!(words(r#"x "" "#), ["x", ""]);
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my editor");
        fs::write(&program, "").unwrap();
        assert_eq!(words(program.to_str().unwrap()), [program.to_str().unwrap()]);
    }

    #[test]
    fn a_name_never_leads_out_of_the_folder() {
        let (_keep, editor) = editor("true");
        let long = "a".repeat(5_000);
        for name in ["../../outside/x", "/etc/passwd", "..", "", "a\0b", "-rf", "c:\\x", &long] {
            let back = editor.open(name, "some").unwrap();
            let folder = editor.folder.canonicalize().unwrap();
            assert!(back.file().canonicalize().unwrap().starts_with(&folder), "{name:?}");
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
        let error = editor.open("entry", "some").unwrap_err();
        assert!(error.is_no_editor() && error.to_string().starts_with("editor not found: "), "{error}");
    }

    #[test]
    fn bytes_that_are_no_text_are_left_for_the_person() {
        let (_keep, editor) = editor("printf '\\377' >");
        let told = editor.open("entry", "some").unwrap_err().to_string();
        assert!(told.contains("left there"), "{told}");
        assert_eq!(files(&editor), 1);
    }

    #[test]
    fn the_text_lies_in_a_private_folder() {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let (_keep, editor) = editor("f() { touch \"$1~\"; }; f");
        let back = editor.open("../../outside/x", "some").unwrap();
        assert!(back.file().starts_with(editor.folder.join(FOLDER)), "{}", back.file().display());
        assert_eq!((mode(back.file()), mode(back.file().parent().unwrap())), (0o600, 0o700));
        back.done().unwrap();
        assert_eq!(files(&editor), 0, "with what the editor put beside it");
    }

    #[test]
    fn of_what_was_left_behind_only_what_was_typed_stays() {
        let (_keep, editor) = editor("true");
        let at_work = editor.open("abc", "under work").unwrap();
        let left = |nth: &str, text: &str, before: &str, more: Option<&str>| {
            let folder = editor.folder.join(FOLDER).join(nth);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(TEXT), text).unwrap();
            fs::write(folder.join(BEFORE), before).unwrap();
            fs::write(folder.join(OF), "abc").unwrap();
            more.into_iter().for_each(|name| fs::write(folder.join(name), "more").unwrap());
            folder
        };
        let untouched = left("1-0", "as it was", "as it was", Some("entry.md~"));
        let emptied = left("1-1", " \n", "as it was", None);
        let typed = left("1-2", "an hour of writing", "as it was", None);
        let unsaved = left("1-3", "as it was", "as it was", Some(".entry.md.swp"));
        fs::write(editor.folder.join("old-1-0.md"), "of an earlier version").unwrap();
        let found = left_over(&editor.folder);
        let texts: Vec<&Path> = found.iter().map(|left| left.files[0].as_path()).collect();
        assert_eq!(texts, [typed.join(TEXT), unsaved.join(TEXT), editor.folder.join("old-1-0.md")]);
        assert_eq!(found[0].of.as_deref(), Some("abc"));
        assert!(!untouched.exists() && !emptied.exists() && at_work.file().exists());
    }
}
