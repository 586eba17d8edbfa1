//! Screens for screen readers: one column, no lines and bars, and the cursor on the selected line, which is what a screen
//! reader reads aloud; `>` before it while the cursor is in a field.

use ratatui::{Frame, buffer::Cell, layout::Position, style::Modifier};

use crate::tui::{RenderContext, Role};

/// The bar beside the selected line.
const MARKER: &str = "▌";
/// Width of the gap where a bar was.
const GAP: usize = 2;

/// Whether a cell is the bar beside the selected line.
pub fn is_marked(cell: &Cell) -> bool {
    cell.symbol() == MARKER
}

/// Whether a cell has the ground of the selected line.
pub fn is_selected(cell: &Cell, context: &RenderContext<'_>) -> bool {
    let selected = context.style(Role::Selected);
    let has_ground = selected.bg.is_some_and(|ground| ground != ratatui::style::Color::Reset && cell.bg == ground);
    has_ground || selected.add_modifier.contains(Modifier::REVERSED) && cell.modifier.contains(Modifier::REVERSED)
}

/// Removes lines, bars and blocks from a drawn frame. Unless a text field has the cursor, it goes to the selected line.
pub fn simplify(frame: &mut Frame<'_>, context: &RenderContext<'_>, types: bool) {
    let area = frame.area();
    let (mut marked, mut selected) = (None, None);
    let mut drawn = vec![false; usize::from(area.width) * usize::from(area.height)];
    for (place, drawn) in area.positions().zip(&mut drawn) {
        let cell = &mut frame.buffer_mut()[place];
        if is_marked(cell) {
            marked = marked.or(Some(place));
        } else if place.y > area.y && is_selected(cell, context) {
            selected = selected.or(Some(place));
        }
        if cell.symbol().chars().all(is_drawing) {
            cell.set_symbol(" ");
            *drawn = true;
        }
    }
    // The caret would leave its letter.
    let width = usize::from(area.width).max(1);
    let rows = frame.buffer_mut().content.chunks_mut(width).zip(drawn.chunks(width));
    rows.filter(|_| !types).for_each(|(row, drawn)| close_gaps(row, drawn));
    match marked.or(selected) {
        // The cursor is in the field. Beside selected letters of the text may be other letters.
        Some(Position { x, y }) if types && x > area.x => {
            let before = &mut frame.buffer_mut()[(x - 1, y)];
            if before.symbol() == " " {
                before.set_symbol(">");
            }
        }
        Some(place) if !types => frame.set_cursor_position(place),
        _ => {}
    }
}

/// Moves the text right of a bar to where the bar was.
fn close_gaps(row: &mut [Cell], drawn: &[bool]) {
    let Some(mut blank) = row.last().cloned() else { return };
    blank.set_symbol(" ");
    let (mut at, mut to) = (0, 0);
    while at < row.len() {
        let gap = row[at..].iter().take_while(|cell| cell.symbol() == " ").count();
        let kept = if drawn[at..at + gap].contains(&true) { gap.min(GAP) } else { gap.max(1) };
        (0..kept).for_each(|nth| row[to + nth] = row[at + nth].clone());
        (at, to) = (at + gap.max(1), to + kept);
    }
    row[to..].fill(blank);
}

/// Lines, blocks and shades.
fn is_drawing(symbol: char) -> bool {
    matches!(symbol, '\u{2500}'..='\u{25ff}')
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::{
        session::SessionWorkers,
        tui::{
            fixtures,
            harness::{Harness, HarnessSetup},
            panes::PANES,
            update_context::Settings,
        },
    };

    #[test]
    fn every_pane_is_one_column_without_drawings_and_the_cursor_is_on_the_selected_line() {
        let folder = tempfile::tempdir().unwrap();
        let session = SessionWorkers::inline(fixtures::session_options(folder.path()));
        let settings = Settings { is_plain: true, ..Settings::default() };
        let setup = HarnessSetup { session: Some(session), settings, size: (160, 48), ..HarnessSetup::new(PANES) };
        let mut harness = Harness::new(setup);
        for day in [date(2026, 11, 3), date(2026, 11, 17)] {
            harness.keys("n").typed("Stressed because @Hùng moved the demo.").keys("<tab> <ctrl-u>");
            harness.typed(&format!("{day} 8:00")).keys("<tab>").typed("stressed").keys("<ctrl-s> <esc> <esc>");
        }
        harness.keys("1 <esc> <home> j");
        let cursor = harness.cursor().expect("the selected day has it");
        assert_eq!(cursor.y, harness.find("Tu 17").y, "{}", harness.screen());
        harness.keys("j");
        assert_eq!(harness.cursor().map(|place| place.y), Some(harness.find("Tu  3").y), "{}", harness.screen());
        harness.key("ctrl-p").typed("theme").keys("<down>");
        harness.sees(">Theme: dark");
        harness.keys("<esc>");
        for pane in ["1", "3", "4", "5", "6"] {
            harness.keys("<esc>").keys(&format!("<alt-{pane}>"));
            let screen = harness.screen();
            let drawn = screen.chars().find(|symbol| super::is_drawing(*symbol));
            assert_eq!(drawn, None, "pane {pane}:\n{screen}");
        }
        harness.sees(">6 Stats");
        let cursor = harness.cursor().expect("the day has it");
        assert_eq!(cursor, harness.find("Friday 20 November 2026"));
        harness.keys("<alt-3> v").sees(">people");
        harness.keys("<alt-5>").sees(">day  week");
        harness.keys("<alt-1> <home> j");
        harness.sees("Tu 17  −  Stressed because");
        harness.keys("<alt-1> n").typed("abc").keys("<shift-left>");
        harness.sees(" abc");
        harness.keys("<end>");
        let cursor = harness.cursor().expect("the field has it");
        assert_eq!(cursor.x, harness.find("abc").x + 3);
    }
}
