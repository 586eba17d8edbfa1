//! Figures over time as bars one cell wide.

const BARS: [char; 7] = ['▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar for each figure, the highest full; nothing is a line at the bottom.
pub fn sparkline(figures: &[u32]) -> String {
    let most = figures.iter().copied().max().unwrap_or(0).max(1) as usize;
    let bar = |figure: &u32| match *figure as usize {
        0 => '▁',
        figure => BARS[(figure * BARS.len()).div_ceil(most) - 1],
    };
    figures.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::sparkline;

    #[test]
    fn one_is_more_than_nothing_and_the_most_is_full() {
        assert_eq!(sparkline(&[0, 1, 35, 70]), "▁▂▅█");
        assert_eq!(sparkline(&[0, 0]), "▁▁");
        assert_eq!(sparkline(&[u32::MAX, 1]), "█▂");
        assert_eq!(sparkline(&[]), "");
    }
}
