//! Numbers as block characters: levels, sparklines, and horizontal bars.

/// From the lowest to a full cell.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The block of a level from 0 to 7; higher values are full.
pub fn step(step: usize) -> char {
    LEVELS[step.min(LEVELS.len() - 1)]
}

/// The block of a row, from 0 at the bottom, in a column that is so many eighths high; none above the column.
pub fn in_row(eighths: usize, row: usize) -> Option<char> {
    eighths.saturating_sub(8 * row).checked_sub(1).map(step)
}

/// The block of a fraction from 0 to 1.
pub fn level(share: f32) -> char {
    step((share.clamp(0.0, 1.0) * 7.0).round() as usize)
}

/// One block per number, `most` full; zero is a line at the bottom, and any other value is higher. Sparklines that are
/// compared have the same `most`.
pub fn sparkline(figures: &[u32], most: u32) -> String {
    let most = most.max(1) as usize;
    figures.iter().map(|figure| step((*figure as usize * (LEVELS.len() - 1)).div_ceil(most))).collect()
}

/// A horizontal bar for a fraction of `cells` cells, with a resolution of an eighth of a cell; never empty.
pub fn bar(share: f32, cells: f32) -> String {
    let eighths = (share.clamp(0.0, 1.0) * cells * 8.0).round().max(1.0) as usize;
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    format!("{}{rest}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_more_than_nothing_and_the_most_is_full() {
        assert_eq!(sparkline(&[0, 1, 35, 70], 70), "▁▂▅█");
        assert_eq!(sparkline(&[0, 1, 35], 70), "▁▂▅");
        assert_eq!(sparkline(&[0, 0], 0), "▁▁");
        assert_eq!(sparkline(&[u32::MAX, 1], u32::MAX), "█▂");
        assert_eq!(sparkline(&[], 1), "");
    }

    #[test]
    fn shares_reach_from_the_lowest_to_the_full_block() {
        assert_eq!([0.0, 0.5, 1.0, 7.0, -1.0].map(level), ['▁', '▅', '█', '█', '▁']);
    }

    #[test]
    fn a_bar_tells_a_share_and_is_never_nothing() {
        assert_eq!(bar(1.0, 6.0), "██████");
        assert_eq!(bar(0.5, 6.0), "███");
        assert_eq!(bar(0.0, 6.0), "▏");
        assert_eq!(bar(f32::NAN, 6.0), "▏");
    }
}
