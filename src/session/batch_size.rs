//! Adaptive batch size of embedding. Each batch is stored durably; the work can be interrupted only between batches.

use std::time::Duration;

/// Target time of one batch: short, so that little work is lost by a crash and the program ends quickly.
const WANTED: Duration = Duration::from_millis(250);
const FEWEST: usize = 4;
const MOST: usize = 256;

/// Number of passages per batch. It adapts to the model, because a static table embeds thousands of passages in the
/// time that a large network needs for a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchSize {
    passages: usize,
    /// Whether it is adapted to the successor of the active model.
    successor: bool,
}

impl Default for BatchSize {
    fn default() -> Self {
        Self { passages: 16, successor: false }
    }
}

impl BatchSize {
    /// The smallest batch, for a waiting user: even a slow model finishes it soon.
    pub(super) fn short() -> Self {
        Self { passages: FEWEST, ..Self::default() }
    }

    /// Begins small with another model: what a table embeds at once keeps a network busy for half a minute, while
    /// nothing that other programs write is shown.
    pub(super) fn turn_to(&mut self, successor: bool) {
        if self.successor != successor {
            *self = Self { passages: FEWEST, successor };
        }
    }

    /// Number of passages in the next batch.
    pub(super) fn passages(self) -> usize {
        self.passages
    }

    /// Adapts to the time that the last batch took.
    pub(super) fn adapt(&mut self, took: Duration) {
        self.passages = if took < WANTED / 2 {
            (self.passages * 2).min(MOST)
        } else if took > WANTED {
            (self.passages / 2).max(FEWEST)
        } else {
            self.passages
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_models_get_many_passages_and_slow_ones_few() {
        let after = |each: Duration| {
            let mut batch_size = BatchSize::default();
            for _ in 0..20 {
                batch_size.adapt(each * batch_size.passages() as u32);
            }
            batch_size.passages()
        };
        assert_eq!(after(Duration::from_micros(10)), MOST);
        assert_eq!(after(Duration::from_millis(10)), 16);
        assert_eq!(after(Duration::from_millis(40)), 4);
        assert_eq!(after(Duration::from_secs(2)), FEWEST);
    }

    #[test]
    fn a_slow_model_after_a_quick_one_begins_with_few() {
        let mut batch_size = BatchSize::default();
        (0..20).for_each(|_| batch_size.adapt(Duration::ZERO));
        batch_size.turn_to(false);
        assert_eq!(batch_size.passages(), MOST, "the same model");
        batch_size.turn_to(true);
        assert_eq!(batch_size.passages(), FEWEST);
    }
}
