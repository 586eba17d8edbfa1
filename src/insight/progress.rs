//! The course of an answer: how far it has come, and whether anybody still waits for it.

use super::InsightError;
use crate::index::Progress;

/// What the asker hears of an answer on its way. Both are asked often and must cost next to nothing.
#[derive(Clone, Copy)]
pub struct ProgressReporter<'a> {
    /// Whether the answer is no longer wanted; it then ends with [`InsightError::Cancelled`].
    pub cancelled: &'a dyn Fn() -> bool,
    /// What is being done, and how much of that is done.
    pub tell: &'a dyn Fn(Progress),
}

impl ProgressReporter<'_> {
    /// For who waits for the answer and nothing else.
    pub const WAITED_FOR: ProgressReporter<'static> = ProgressReporter { cancelled: &|| false, tell: &|_| {} };

    /// A point at which the answer may end.
    pub(super) fn goes_on(&self) -> Result<(), InsightError> {
        if (self.cancelled)() { Err(InsightError::Cancelled) } else { Ok(()) }
    }

    /// Such a point, where `done` of `of` are done.
    pub(super) fn at(&self, what: &'static str, done: usize, of: usize) -> Result<(), InsightError> {
        (self.tell)(Progress { what, done, of });
        self.goes_on()
    }
}
