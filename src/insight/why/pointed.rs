//! Probabilities of spans, by a reading of question and text together: see [`crate::embed::AnswerReader`].

use std::ops::Range;

use crate::embed::Pointers;

/// The logarithm of a probability that is as good as none.
const NEVER: f32 = -20.0;

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

    /// That a span is the cause asked about, and that one is the effect.
    pub fn logs(&self, cause: &Range<usize>, effect: &Range<usize>) -> [f32; 2] {
        [self.log(cause, 0), self.log(effect, 2)]
    }

    fn log(&self, span: &Range<usize>, kind: usize) -> f32 {
        let first = self.spans.partition_point(|piece| piece.end <= span.start);
        let end = self.spans.partition_point(|piece| piece.start < span.end);
        match end.checked_sub(1) {
            Some(last) if first <= last => (self.logs[first][kind] + self.logs[last][kind + 1]).max(NEVER),
            _ => NEVER,
        }
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
        assert!(cause(4..8) < -5.0 && cause(0..13) < -9.0);
        assert!(pointed.logs(&(4..12), &(0..3))[1] < -5.0, "no effect is told");
    }

    #[test]
    fn a_text_that_was_not_read_tells_nothing() {
        let pointed = Pointed::of(Pointers::default());
        assert_eq!(pointed.logs(&(0..5), &(6..9)), [NEVER; 2]);
        let cut = Pointed::of(Pointers { spans: vec![5..7, 7..9], logits: vec![[0.0; 4]; 2] });
        assert_eq!(cut.logs(&(0..3), &(9..12)), [NEVER; 2]);
    }
}
