//! Batch size of embedding: a step ends durably, and only between steps can the work be stopped.

use std::time::Duration;

/// A step shall take about so long: one that is lost costs little, and an end of the program waits no longer.
const WANTED: Duration = Duration::from_millis(250);
const FEWEST: usize = 4;
const MOST: usize = 256;

/// Follows the model: a table makes thousands of vectors in the time a large network needs for a few.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchSize(usize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(16)
    }
}

impl BatchSize {
    /// For who waits: with a slow model the first step is over soon.
    pub(super) fn short() -> Self {
        Self(FEWEST)
    }

    /// Passages of the next step.
    pub(super) fn passages(self) -> usize {
        self.0
    }

    /// Adapts to the time that the last step took.
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
