//! Text measured in cells and cut between graphemes: a wide character is never split.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Cells that a text takes.
pub fn cells(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// The longest start of `text` that fits in `width` cells.
pub fn start(text: &str, width: usize) -> &str {
    let mut taken = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        taken += grapheme.width();
        if taken > width {
            return &text[..at];
        }
    }
    text
}

/// The longest end of `text` that fits in `width` cells.
pub fn end(text: &str, width: usize) -> &str {
    let mut taken = 0;
    let mut from = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        taken += grapheme.width();
        if taken > width {
            break;
        }
        from = at;
    }
    &text[from..]
}

/// `text` in at most `width` cells, ending in `…` where something was left out.
pub fn fit(text: &str, width: usize) -> String {
    if cells(text) <= width {
        return text.to_owned();
    }
    match width {
        0 => String::new(),
        _ => format!("{}…", start(text, width - 1).trim_end()),
    }
}

/// `text` in exactly `width` cells: cut like [`fit`] or filled with spaces.
pub fn pad(text: &str, width: usize) -> String {
    let mut text = fit(text, width);
    let missing = width.saturating_sub(cells(&text));
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_character_is_never_split() {
        assert_eq!(start("日本語", 3), "日");
        assert_eq!(end("日本語", 3), "語");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(pad("日本語", 4), "日… ");
        assert_eq!(fit("phở bò", 4), "phở…");
    }

    proptest::proptest! {
        #[test]
        fn what_is_cut_fits(text: String, width in 0usize..20) {
            assert!(cells(&fit(&text, width)) <= width);
            assert_eq!(cells(&pad(&text, width)), width);
            assert!(text.starts_with(start(&text, width)) && text.ends_with(end(&text, width)));
        }
    }
}
