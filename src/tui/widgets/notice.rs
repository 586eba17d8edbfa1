//! Notices in the place of an answer: progress, a cancelled request, an error.

use ratatui::{Frame, layout::Rect};

use crate::tui::{Pending, QueryState, RenderContext, Role, Styled, below};

/// `None` if there is an answer. `working` says what the request does, and `again` is the command that repeats it.
pub fn notice<T>(
    request: &Pending<T>,
    context: &RenderContext<'_>,
    working: &str,
    again: Option<&str>,
) -> Option<Styled> {
    let again = again.map_or_else(String::new, |again| format!(" · {} reload", context.key(again)));
    Some(match request.state() {
        QueryState::Known => return None,
        QueryState::Failed(error) => Styled::of(&format!("✗ {error}"), Role::Error).and(&again, Role::Dim),
        QueryState::Stopped => Styled::of(&format!("Cancelled{again}"), Role::Dim),
        QueryState::Waiting => Styled::of(&format!("{working} …{}", request.progress_text()), Role::Dim),
    })
}

/// Draws the notice about the parts of the shared query that were not understood; returns the area below.
pub fn query_notice(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
    let found = context.query.found().filter(|_| context.query.is_on());
    let Some(notice) = found.and_then(|found| found.notice.as_deref()) else { return area };
    let line = Styled::of(notice, Role::Warn);
    let width = area.width.saturating_sub(4);
    let height = (line.height(width).min(3) as u16).min(area.height);
    let place = Rect { x: area.x + area.width.min(3), width, height, ..area };
    line.paint(frame.buffer_mut(), place, context, Role::Warn);
    below(area, height)
}
