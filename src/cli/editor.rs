//! A text given to the user's own editor and taken back.
//!
//! The file lies under the home folder's `state/`, not in a folder that a restart empties, and is removed only when
//! what it held is safe (or was given up).

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

use super::{Failure, context::Context, output};
use crate::{journal::files, report::Report};

/// An editor that is back this fast without a change most likely did not wait for its window.
const AT_ONCE: Duration = Duration::from_millis(300);

/// How a shell says that it knows no such command.
const NOT_FOUND: i32 = 127;

/// A text as the editor left it. Its file stays until [`Edited::done`].
pub struct Edited {
    pub text: String,
    file: PathBuf,
}

impl Edited {
    /// What was written is safe elsewhere (or was given up): the file goes.
    pub fn done(self) {
        if let Err(error) = files::remove(&self.file) {
            output::warn(format_args!("{error}"));
        }
    }

    /// Adds to an error where the text still is.
    pub fn kept(&self, failure: impl Into<Failure>) -> Failure {
        match failure.into() {
            Failure::Report(report) => report.hint(format!("what you wrote is in {}", self.file.display())).into(),
            closed => closed,
        }
    }
}

/// Opens `text` in the configured editor, `$VISUAL` or `$EDITOR`, and waits.
pub fn edit(context: &Context, name: &str, text: &str) -> Result<Edited, Failure> {
    let command = command(context);
    let folder = &context.state;
    files::create_dir(folder)?;
    let file = folder.join(format!("{name}-{}.md", std::process::id()));
    files::replace(&file, text.as_bytes())?;
    let begun = Instant::now();
    let status = wait_for(&command, &file);
    let edited = read_back(&file)?;
    match status {
        Err(error) => Err(edited.give_up(
            Report::data(format!("starting the editor `{command}`: {error}"))
                .hint("set EDITOR, or `editor` in the configuration"),
        )),
        Ok(status) if !status.success() => {
            let mut report = Report::data(format!("the editor `{command}` ended with {status}; nothing was changed"));
            if status.code() == Some(NOT_FOUND) {
                report = report.hint("set EDITOR, or `editor` in the configuration");
            }
            Err(if edited.text == text { edited.give_up(report) } else { edited.kept(report) })
        }
        Ok(_) => {
            if edited.text == text && begun.elapsed() < AT_ONCE {
                output::note(format_args!(
                    "`{command}` was back at once: some editors need a flag to wait, such as `code --wait`"
                ));
            }
            Ok(edited)
        }
    }
}

impl Edited {
    fn give_up(self, report: Report) -> Failure {
        self.done();
        report.into()
    }
}

/// Whether an editor was named anywhere: then it is used even without a terminal.
pub fn is_named(context: &Context) -> bool {
    context.config.editor(&context.environment).is_some()
}

fn command(context: &Context) -> String {
    let fallback = if cfg!(windows) { "notepad" } else { "vi" };
    context.config.editor(&context.environment).unwrap_or_else(|| fallback.to_owned())
}

fn read_back(file: &Path) -> Result<Edited, Report> {
    let bytes = fs::read(file).map_err(|error| Report::data(format!("reading {} back: {error}", file.display())))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Edited { text, file: file.to_owned() }),
        Err(_) => Err(Report::data(format!("the editor did not save UTF-8; the text is in {}", file.display()))),
    }
}

/// The shell reads `$EDITOR` as git does: quotes, arguments and `~` in it count.
#[cfg(unix)]
fn wait_for(command: &str, file: &Path) -> io::Result<ExitStatus> {
    Command::new("sh").arg("-c").arg(format!("{command} \"$@\"")).arg(command).arg(file).status()
}

#[cfg(not(unix))]
fn wait_for(command: &str, file: &Path) -> io::Result<ExitStatus> {
    let mut words = command.split_whitespace();
    Command::new(words.next().unwrap_or_default()).args(words).arg(file).status()
}
