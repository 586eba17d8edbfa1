//! Splitting of a long body into pieces that are processed one after the other.
//!
//! Reading a sentence looks at the names, feelings and quotation marks around it, which over a whole body would take
//! quadratic time; with pieces of bounded length it is linear. A body of up to [`LONGEST`] bytes, which is nearly every
//! entry, is one piece.

use std::ops::Range;

/// Maximum size of a piece in bytes.
const LONGEST: usize = 8 * 1024;

/// The pieces of a body, in order, covering every byte. Split at the best boundary in the second half of a piece:
/// between paragraphs, else lines, else sentences, else words.
pub(super) fn pieces(body: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    // Offsets are 32 bits wide; text beyond that is not read.
    let end = body.floor_char_boundary(u32::MAX as usize);
    let mut start = 0;
    let mut begun = false;
    std::iter::from_fn(move || {
        if start >= end && begun {
            return None;
        }
        begun = true;
        let piece = start..start + cut(&body[start..end]);
        start = piece.end;
        Some(piece)
    })
}

/// The length of the first piece.
fn cut(rest: &str) -> usize {
    if rest.len() <= LONGEST {
        return rest.len();
    }
    let window = &rest[..rest.floor_char_boundary(LONGEST)];
    let middle = window.floor_char_boundary(LONGEST / 2);
    let behind = |sign: &str| window[middle..].rfind(sign).map(|at| middle + at + sign.len());
    let sentence = || [". ", "! ", "? ", "… ", "。"].into_iter().filter_map(behind).max();
    let word = || window[middle..].rfind(char::is_whitespace).map(|at| middle + at);
    behind("\n\n").or_else(|| behind("\n")).or_else(sentence).or_else(word).unwrap_or(window.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_ordinary_entry_is_one_piece() {
        let alone = |body: &str| pieces(body).map(|piece| (piece.start, piece.end)).collect::<Vec<_>>();
        assert_eq!(alone(""), [(0, 0)]);
        let body = "Linh sang. ".repeat(LONGEST / 11);
        assert_eq!(alone(&body), [(0, body.len())]);
    }

    #[test]
    fn a_long_body_is_cut_between_paragraphs_lines_sentences_or_words() {
        for (unit, sign) in [("One day.\n\n", "\n\n"), ("One day\n", "\n"), ("One day. ", ". "), ("oneday ", "y")] {
            let body = unit.repeat(5 * LONGEST / unit.len());
            let all: Vec<_> = pieces(&body).collect();
            assert!(all.len() > 4);
            assert!(all[..all.len() - 1].iter().all(|piece| body[piece.clone()].ends_with(sign)), "{unit:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_are_bounded_and_hold_every_byte(parts in prop::collection::vec("[a-zé日 .\n]{1,40}", 1..8), times in 1usize..900) {
            let body = parts.concat().repeat(times);
            let mut at = 0;
            for piece in pieces(&body) {
                prop_assert!(piece.start == at && piece.len() <= LONGEST);
                prop_assert!(body.is_char_boundary(piece.end));
                at = piece.end;
            }
            prop_assert_eq!(at, body.len());
        }
    }
}
