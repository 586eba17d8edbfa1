//! Short texts cut and filled to a width, between graphemes: a wide character is never split.

use unicode_segmentation::UnicodeSegmentation;

use super::cells::{text_width, truncate, width};

/// Cells that a text takes.
pub fn cells(text: &str) -> usize {
    text_width(text)
}

/// The longest start of `text` that fits in `room` cells.
pub fn start(text: &str, room: usize) -> &str {
    let mut taken = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        taken += width(grapheme, taken);
        if taken > room {
            return &text[..at];
        }
    }
    text
}

/// The longest end of `text` that fits in `room` cells.
pub fn end(text: &str, room: usize) -> &str {
    let starts: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
    // Tab stops count from the start, so a shorter end may be wider: the first that fits is the longest.
    let fitting = starts.into_iter().find(|from| text_width(&text[*from..]) <= room);
    &text[fitting.unwrap_or(text.len())..]
}

/// `text` in at most `room` cells, ending in `…` where something was left out.
pub fn fit(text: &str, room: usize) -> String {
    truncate(text, room).into_owned()
}

/// `text` in exactly `room` cells: cut like [`fit`] or filled with spaces.
pub fn pad(text: &str, room: usize) -> String {
    let mut text = fit(text, room);
    let missing = room.saturating_sub(cells(&text));
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
        fn what_is_cut_fits(text: String, room in 0usize..20) {
            assert!(cells(&fit(&text, room)) <= room);
            assert_eq!(cells(&pad(&text, room)), room);
            assert!(text.starts_with(start(&text, room)) && text.ends_with(end(&text, room)));
            assert!(cells(start(&text, room)) <= room && cells(end(&text, room)) <= room);
        }
    }
}
