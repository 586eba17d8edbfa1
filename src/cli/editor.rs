//! A text given to the user's own editor and taken back.
//!
//! The file lies under the home folder's `state/`, not in a folder that a restart empties, and is removed only when
//! what it held is safe (or was given up).

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use super::{Failure, context::Context, output};
use crate::{journal::files, report::Report};

/// An editor that is back this fast without a change most likely did not wait for its window.
const AT_ONCE: Duration = Duration::from_millis(300);

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
    let (program, arguments) = split(&command)
        .and_then(|words| words.split_first().map(|(program, arguments)| (program.clone(), arguments.to_vec())))
        .ok_or_else(|| {
            Report::data(format!("the editor `{command}` is no command"))
                .hint("set EDITOR, or `editor` in the configuration")
        })?;
    let folder = &context.state;
    files::create_dir(folder)?;
    let file = folder.join(format!("{name}-{}.md", std::process::id()));
    files::replace(&file, text.as_bytes())?;
    let begun = Instant::now();
    let status = Command::new(&program).args(arguments).arg(&file).status();
    let edited = read_back(&file)?;
    match status {
        Err(error) => {
            edited.done();
            Err(Report::data(format!("starting the editor `{program}`: {error}"))
                .hint("set EDITOR, or `editor` in the configuration")
                .into())
        }
        Ok(status) if !status.success() => {
            let failure = Report::data(format!("the editor ended with {status}; nothing was changed"));
            Err(if edited.text == text { edited.give_up(failure) } else { edited.kept(failure) })
        }
        Ok(_) => {
            if edited.text == text && begun.elapsed() < AT_ONCE {
                output::note(format_args!(
                    "`{program}` was back at once: some editors need a flag to wait, such as `code --wait`"
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
    let environment = &context.environment;
    context.config.editor.is_some() || environment.visual.is_some() || environment.editor.is_some()
}

fn command(context: &Context) -> String {
    let environment = &context.environment;
    let fallback = if cfg!(windows) { "notepad" } else { "vi" };
    [&context.config.editor, &environment.visual, &environment.editor]
        .into_iter()
        .flatten()
        .next()
        .map_or(fallback, String::as_str)
        .to_owned()
}

fn read_back(file: &Path) -> Result<Edited, Report> {
    let bytes = fs::read(file).map_err(|error| Report::data(format!("reading {} back: {error}", file.display())))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Edited { text, file: file.to_owned() }),
        Err(_) => Err(Report::data(format!("the editor did not save UTF-8; the text is in {}", file.display()))),
    }
}

/// A command line as a shell would split it: blanks separate, quotes hold together. `None` if a quote stays open
/// or nothing is there.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            // A backslash only escapes what would mean something: paths of Windows stay whole.
            (None | Some('"'), '\\') if letters.peek().is_some_and(|next| matches!(next, '"' | '\'' | '\\' | ' ')) => {
                word.get_or_insert_default().extend(letters.next());
            }
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    (quote.is_none() && !words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_may_have_arguments_and_a_path_with_spaces() {
        assert_eq!(split("code --wait").unwrap(), ["code", "--wait"]);
        assert_eq!(split("\"/Applications/My Editor\" -w").unwrap(), ["/Applications/My Editor", "-w"]);
        assert_eq!(split(r"/opt/my\ editor").unwrap(), ["/opt/my editor"]);
        assert_eq!(split(r"C:\tools\ed.exe").unwrap(), [r"C:\tools\ed.exe"]);
        assert_eq!(split("'open quote"), None);
        assert_eq!(split("  "), None);
    }
}
