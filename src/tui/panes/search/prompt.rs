//! The input line below the query, for a name or a path.

use std::sync::Arc;

use ratatui::{Frame, layout::Rect};

use crate::{
    journal::SavedSearch,
    search::sort::Sort,
    session::{FileContent, FoundHits, Reply, Request, Response, Ticket},
    tui::{PromptLine, RenderContext, Role, UpdateContext, Wording, counted},
};

/// The kind of the input, the typed text, and the pending request.
pub(super) struct Prompt {
    what: Wanted,
    pub line: PromptLine,
    sent: Option<Ticket>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A name to save the search under.
    Name,
    /// A file to export the hits to.
    Path,
}

impl Prompt {
    pub fn new(what: Wanted, cx: &UpdateContext<'_>) -> Self {
        let begun = if what == Wanted::Path { cx.settings.export_path("") } else { String::new() };
        Self { what, line: PromptLine::of(&begun), sent: None }
    }

    /// Sends the typed text; the line stays open until the request succeeds.
    pub fn send(&mut self, query: &str, sort: Sort, places: &[usize], cx: &mut UpdateContext<'_>) {
        let typed = self.line.text().trim().to_owned();
        if typed.is_empty() {
            return;
        }
        let request = match (self.what, cx.query.found()) {
            (Wanted::Name, _) => Request::SaveSearch(SavedSearch { name: typed, query: query.trim().to_owned() }),
            (Wanted::Path, Some(found)) => {
                let (query, found, places) = (query.trim().to_owned(), Arc::clone(found), places.to_vec());
                let content = FileContent::Hits(Box::new(FoundHits { query, found, sort, places }));
                Request::WriteFile { path: cx.settings.export_path(&typed), content }
            }
            (Wanted::Path, None) => return,
        };
        self.sent = Some(cx.send(request));
    }

    /// The success message, if the reply is the awaited one.
    pub fn take(&mut self, reply: &Reply) -> Option<String> {
        match reply.settles(&mut self.sent)? {
            Response::SearchSaved(name) => Some(format!("Saved as {name}")),
            Response::FileWritten { path, entries } => {
                Some(format!("Wrote {} to {}", counted(*entries, "entry", "entries"), path.display()))
            }
            // The application shows the error; the user may type another name.
            _ => None,
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let (label, hint) = match self.what {
            Wanted::Name => ("save as ", "a name for this search"),
            Wanted::Path => ("write to ", "a file; .json for JSON, else markdown"),
        };
        let hint = if matches!(self.line.text(), "" | "~/") { hint } else { "" };
        let wording = Wording { label, width: 44, styled: &[], hint, role: Role::Dim };
        self.line.draw(frame, area, context, &wording);
    }
}
