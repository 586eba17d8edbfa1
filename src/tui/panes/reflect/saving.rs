//! Saving of the page as a markdown file that the user names. Never overwrites a file.
//!
//! A file instead of an entry: a page quotes entries, and as an entry these quotes would be counted twice.

use jiff::civil;

use super::{Reflect, Scale};
use crate::{
    session::{FileContent, Reply, Request, Response},
    tui::{PromptLine, UpdateContext},
};

impl Reflect {
    pub(super) fn ask_name(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(day) = self.day else { return };
        self.saving = Some(PromptLine::of(&cx.settings.export_path(&name(self.scale, day))));
        self.sent = None;
    }

    pub(super) fn save(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(text) = self.day.map(|day| self.markdown(day)) else { return };
        let Some(saving) = &self.saving else { return };
        let path = saving.text().trim().to_owned();
        if path.is_empty() {
            self.saving = None;
            return;
        }
        let path = cx.settings.export_path(&path);
        self.sent = Some(cx.send(Request::WriteFile { path, content: FileContent::Text(text) }));
    }

    /// If the file could not be written, the line stays open for another name.
    pub(super) fn heard_of_saving(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        if let Some(Response::FileWritten { path, .. }) = reply.settles(&mut self.sent)
            && self.saving.take().is_some()
        {
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
