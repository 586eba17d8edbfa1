//! Editing of a text in the user's editor from the command line. A wrapper of [`tui::Editor`] with error reports.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use super::{Failure, context::Context, output};
use crate::{
    report::{Kind, Report},
    session::editor_texts::{self, LeftOver},
    tui::{self, HandedBack, HandoffError},
};

/// An editor that returns faster than this without a change has probably not waited for its window.
const AT_ONCE: Duration = Duration::from_millis(300);

/// The edited text. Its temporary file stays until [`Edited::done`].
pub struct Edited(HandedBack);

impl Edited {
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Removes the temporary file, after the text is saved or discarded.
    pub fn done(self) {
        if let Err(error) = self.0.done() {
            output::warn(format_args!("{error}"));
        }
    }

    /// Adds the path of the temporary file to an error.
    pub fn kept(&self, failure: impl Into<Failure>) -> Failure {
        match failure.into() {
            Failure::Report(report) => report.hint(format!("your text is in {}", self.0.file().display())).into(),
            closed => closed,
        }
    }
}

/// Removes unchanged temporary files of interrupted editors. Returns a message for each one with unsaved text.
pub fn left_over(state: &Path) -> Vec<String> {
    let told = |left: &LeftOver| {
        let file = left.files.first().map(|file| file.display().to_string()).unwrap_or_default();
        format!("unsaved text of an interrupted editor is in {file}; copy what you need, then remove the file")
    };
    editor_texts::left_over(state).iter().map(told).collect()
}

/// Opens `text` in the configured editor, `$VISUAL` or `$EDITOR`, and waits for it.
pub fn edit(context: &Context, of: &str, text: &str) -> Result<Edited, Failure> {
    left_over(&context.state).iter().for_each(output::note);
    let editor = tui::Editor { command: command(context), folder: context.state.clone() };
    let begun = Instant::now();
    let edited = editor.open(of, text).map_err(|error| report(&error))?;
    if edited.text == text && begun.elapsed() < AT_ONCE {
        let command = &editor.command;
        output::note(format_args!(
            "`{command}` returned at once: some editors need a flag to wait, such as `code --wait`"
        ));
    }
    Ok(Edited(edited))
}

fn report(error: &HandoffError) -> Report {
    let report = match error {
        HandoffError::File(error) => error.into(),
        error => Report::of(Kind::Data, error),
    };
    if error.is_no_editor() { report.hint("set EDITOR, or `editor` in the configuration") } else { report }
}

/// Whether an editor is configured. Then it is used even without a terminal.
pub fn is_named(context: &Context) -> bool {
    context.config.editor(&context.environment).is_some()
}

fn command(context: &Context) -> String {
    let Context { config, environment, .. } = context;
    config.editor(environment).or_else(|| environment.found_editor()).unwrap_or_else(|| "vi".to_owned())
}
