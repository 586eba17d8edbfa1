//! Clicks in an overlay with a list.

use crate::tui::{Mouse, Picker, Pointed, UpdateContext};

/// Closes the overlay on a click outside of its box; returns whether the selected row was clicked again.
pub fn clicked(rows: &mut Picker, mouse: Mouse, cx: &mut UpdateContext<'_>) -> bool {
    let pointed = rows.point(mouse);
    if pointed == Pointed::Away {
        cx.close();
    }
    pointed == Pointed::Again
}
