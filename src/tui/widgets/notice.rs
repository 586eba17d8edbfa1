//! Notices in the place of an answer: progress, a cancelled request, an error.

use crate::tui::{Pending, QueryState, RenderContext, Role, Styled};

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
