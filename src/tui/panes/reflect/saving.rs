//! Saving of the page as a markdown file that the user names. Never overwrites a file.
//!
//! A file instead of an entry: a page quotes entries, and as an entry these quotes would be counted twice.

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use super::{Reflect, Scale};
use crate::{
    session::{FileContent, Reply, Request, Response, Ticket},
    tui::{PromptLine, RenderContext, Role, UpdateContext, Wording},
};

/// The input line for the file name.
#[derive(Debug)]
pub struct Saving {
    pub line: PromptLine,
    sent: Option<Ticket>,
}

impl Saving {
    pub fn draw(&mut self, frame: &mut Frame<'_>, line: Rect, context: &RenderContext<'_>) {
        let wording = Wording { label: "save as ", width: u16::MAX, styled: &[], hint: "", role: Role::Dim };
        self.line.draw(frame, line, context, &wording);
    }
}

impl Reflect {
    pub(super) fn ask_name(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(day) = self.day else { return };
        // Prefilled with the folder, so that the user sees where the file goes.
        let folder = if cx.settings.has_home { "~/" } else { "" };
        let line = PromptLine::of(&format!("{folder}{}", name(self.scale, day)));
        self.saving = Some(Saving { line, sent: None });
    }

    pub(super) fn save(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(text) = self.day.map(|day| self.markdown(day)) else { return };
        let Some(saving) = &mut self.saving else { return };
        let path = saving.line.text().trim().to_owned();
        if path.is_empty() {
            self.saving = None;
            return;
        }
        saving.sent = Some(cx.send(Request::WriteFile { path, content: FileContent::Text(text) }));
    }

    /// If the file could not be written, the line stays open for another name.
    pub(super) fn heard_of_saving(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let Some(saving) = &mut self.saving else { return };
        if let Some(Response::FileWritten { path, .. }) = reply.settles(&mut saving.sent) {
            self.saving = None;
            cx.done(format!("Saved as {}", path.display()));
        }
    }
}

/// `reflection-2026-11-20.md`, `review-2026-w47.md`, `review-2026-11.md`, `review-2026.md`.
fn name(scale: Scale, day: civil::Date) -> String {
    match scale {
        Scale::Day => format!("reflection-{day}.md"),
        Scale::Week => {
            let week = day.iso_week_date();
            format!("review-{}-w{:02}.md", week.year(), week.week())
        }
        Scale::Month => format!("review-{}.md", day.strftime("%Y-%m")),
        Scale::Year => format!("review-{}.md", day.year()),
    }
}
