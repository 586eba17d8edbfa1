//! The input line below the query, for a name or a path.

use std::sync::Arc;

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    journal::SavedSearch,
    search::sort::Sort,
    session::{HitsFile, Reply, Request, Response, Ticket},
    tui::{Input, RenderContext, Role, TextInput, UpdateContext, cells, counted},
};

/// The kind of the input, the typed text, and the pending request.
pub(super) struct Prompt {
    what: Wanted,
    input: Input,
    sent: Option<Ticket>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Name,
    Path,
}

impl Prompt {
    /// Asks for a name to save the search under.
    pub fn name() -> Self {
        Self { what: Wanted::Name, input: Input::default(), sent: None }
    }

    /// Asks for a file to export the hits to.
    pub fn path() -> Self {
        Self { what: Wanted::Path, input: Input::default(), sent: None }
    }

    pub fn edit(&mut self, input: &TextInput) {
        self.input.take(input);
    }

    /// Sends the typed text; the line stays open until the request succeeds.
    pub fn send(&mut self, query: &str, sort: Sort, places: &[usize], cx: &mut UpdateContext<'_>) {
        let typed = self.input.text().trim().to_owned();
        if typed.is_empty() {
            return;
        }
        let request = match (self.what, cx.query.found()) {
            (Wanted::Name, _) => Request::SaveSearch(SavedSearch { name: typed, query: query.trim().to_owned() }),
            (Wanted::Path, Some(found)) => Request::WriteHits(Box::new(HitsFile {
                path: typed,
                query: query.trim().to_owned(),
                found: Arc::clone(found),
                sort,
                places: places.to_vec(),
            })),
            (Wanted::Path, None) => return,
        };
        self.sent = Some(cx.send(request));
    }

    /// The success message, if the reply is the awaited one.
    pub fn take(&mut self, reply: &Reply) -> Option<String> {
        match reply.settles(&mut self.sent)? {
            Response::SearchSaved(name) => Some(format!("Saved as {name}")),
            Response::HitsWritten { path, entries } => {
                Some(format!("Wrote {} to {}", counted(*entries, "entry", "entries"), path.display()))
            }
            // The application shows the error; the user may type another name.
            _ => None,
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let (label, hint) = match self.what {
            Wanted::Name => (" save as ", "a name for this search"),
            Wanted::Path => (" write to ", "a file; .json for JSON, else markdown"),
        };
        let cells = (cells::text_width(label) as u16).min(area.width);
        frame.render_widget(Span::styled(label, context.style(Role::Accent)), area);
        let field = Rect { x: area.x + cells, width: area.width - cells, ..area };
        if self.input.is_empty() {
            let hint = Line::styled(format!(" {hint}"), context.style(Role::Dim));
            frame.render_widget(hint, field);
        }
        self.input.draw(frame, field, context.style(Role::Text), &[], context.focused);
    }
}
