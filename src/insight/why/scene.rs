//! Inputs shared by the parts of an answer.

use super::target::Target;
use crate::{
    index::Snapshot,
    insight::{Period, ProgressReporter, cooccurrence::Calendar, quotes::Quotes},
};

pub(super) struct Scene<'a> {
    pub snapshot: &'a Snapshot,
    pub quotes: &'a Quotes<'a>,
    pub target: &'a Target,
    pub period: Period,
    /// The days of the period with entries.
    pub calendar: Calendar,
    pub progress: &'a ProgressReporter<'a>,
}
