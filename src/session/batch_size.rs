//! Adaptive batch size of embedding. Each batch is stored durably; the work can be interrupted only between batches.

use std::time::Duration;

/// Target time of one batch: short, so that little work is lost by a crash and the program ends quickly.
const WANTED: Duration = Duration::from_millis(250);
const FEWEST: usize = 4;
const MOST: usize = 256;

/// Number of passages per batch. It adapts to the model, because a static table embeds thousands of passages in the
/// time that a large network needs for a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchSize(usize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(16)
    }
}

impl BatchSize {
    /// The smallest batch, for a waiting user: even a slow model finishes it soon.
    pub(super) fn short() -> Self {
        Self(FEWEST)
    }

    /// Number of passages in the next batch.
    pub(super) fn passages(self) -> usize {
        self.0
    }

    /// Adapts to the time that the last batch took.
    pub(super) fn adapt(&mut self, took: Duration) {
        self.0 = if took < WANTED / 2 {
            (self.0 * 2).min(MOST)
        } else if took > WANTED {
            (self.0 / 2).max(FEWEST)
        } else {
            self.0
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
}
