//! Probabilities of spans, by a reading of question and text together: see [`crate::embed::AnswerReader`].

use std::ops::Range;

use crate::embed::Pointers;

/// The logarithm of a probability that is as good as none.
const NEVER: f32 = -20.0;
/// Maximum number of pieces of a likeliest span.
const LONGEST: usize = 40;
/// Places of the logits of the first piece of the cause and of the effect; those of the last one follow.
const CAUSE: usize = 0;
const EFFECT: usize = 2;

/// The pieces of one text, with logarithms of probabilities that the cause or the effect asked about begins or ends there.
pub(super) struct Pointed {
    spans: Vec<Range<usize>>,
    logs: Vec<[f32; 4]>,
}

impl Pointed {
    pub fn of(pointers: Pointers) -> Self {
        let Pointers { spans, logits: mut logs } = pointers;
        for at in 0..4 {
            // "No answer" has the logit 0.
            let most = logs.iter().map(|logits| logits[at]).fold(0.0, f32::max);
            let sum = logs.iter().map(|logits| (logits[at] - most).exp()).sum::<f32>() + (-most).exp();
            logs.iter_mut().for_each(|logits| logits[at] -= most + sum.ln());
        }
        Self { spans, logs }
    }

    /// That the cause asked about begins and ends within a span, and the effect within another.
    pub fn logs(&self, cause: &Range<usize>, effect: &Range<usize>) -> [f32; 2] {
        [self.log(cause, CAUSE), self.log(effect, EFFECT)]
    }

    /// The likeliest cause and the likeliest effect, in bytes; `None` for a text that was not read.
    pub fn likeliest(&self) -> Option<(Range<usize>, Range<usize>)> {
        let bytes = |(_, first, last): (f32, usize, usize)| self.spans[first].start..self.spans[last].end;
        Some((bytes(self.best(CAUSE)?), bytes(self.best(EFFECT)?)))
    }

    /// That the likeliest cause is the one asked about: how likely the text tells it.
    pub fn likeliest_log(&self) -> f32 {
        self.best(CAUSE).map_or(NEVER, |(log, ..)| log.max(NEVER))
    }

    /// The likeliest span: its logarithm, and its first and last piece.
    fn best(&self, kind: usize) -> Option<(f32, usize, usize)> {
        let begins = self.logs.iter().enumerate();
        let spans = begins.flat_map(|(first, begin)| {
            let ends = self.logs[first..].iter().take(LONGEST).enumerate();
            ends.map(move |(more, end)| (begin[kind] + end[kind + 1], first, first + more))
        });
        spans.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn log(&self, span: &Range<usize>, kind: usize) -> f32 {
        let inside = &self.logs[self.pieces(span)];
        let sum = |at: usize| inside.iter().map(|logs| logs[at].exp()).sum::<f32>().ln();
        (sum(kind) + sum(kind + 1)).max(NEVER)
    }

    /// The places of the pieces of a span.
    fn pieces(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.spans.partition_point(|piece| piece.end <= span.start);
        first..self.spans.partition_point(|piece| piece.start < span.end).max(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointed() -> Pointed {
        let logits = |begins: f32, ends: f32| [begins, ends, -9.0, -9.0];
        let logits = vec![logits(-5.0, -5.0), logits(4.0, -3.0), logits(-3.0, 4.0), logits(-5.0, -5.0)];
        Pointed::of(Pointers { spans: vec![0..3, 4..8, 9..12, 12..13], logits })
    }

    #[test]
    fn the_span_pointed_at_is_the_likeliest_and_others_are_not() {
        let pointed = pointed();
        let cause = |span: Range<usize>| pointed.logs(&span, &(0..3))[0];
        assert!(cause(4..12) > -0.1, "{}", cause(4..12));
        assert!(cause(4..8) < -5.0);
        assert!(pointed.logs(&(4..12), &(0..3))[1] < -5.0, "no effect is told");
        assert_eq!(pointed.likeliest().unwrap().0, 4..12);
    }

    #[test]
    fn a_wider_span_holds_what_is_pointed_at() {
        let cause = |span: Range<usize>| pointed().logs(&span, &(0..3))[0];
        assert!(cause(0..13) > -0.1 && cause(4..12) > -0.1, "{} {}", cause(0..13), cause(4..12));
        assert!(cause(4..8) < -5.0, "its end is outside");
    }

    #[test]
    fn a_text_that_was_not_read_tells_nothing() {
        let pointed = Pointed::of(Pointers::default());
        assert_eq!(pointed.logs(&(0..5), &(6..9)), [NEVER; 2]);
        assert_eq!(pointed.likeliest(), None);
        let cut = Pointed::of(Pointers { spans: vec![5..7, 7..9], logits: vec![[0.0; 4]; 2] });
        assert_eq!(cut.logs(&(0..3), &(9..12)), [NEVER; 2]);
    }
}
