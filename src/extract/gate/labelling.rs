//! Labelling and fitting of the gate: its files, and a list of every claim with its cues.

use std::{cell::RefCell, ops::Range};

use super::{Claim, Cues, Fitted, Gate, ListCues, Verdict};
use crate::extract::language::List;

/// The files of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gated {
    Feelings,
    Causes,
}

impl Gated {
    fn list(self) -> List {
        match self {
            Self::Feelings => List::GateFeelings,
            Self::Causes => List::GateCauses,
        }
    }

    /// The file name without `.txt`.
    pub fn name(self) -> &'static str {
        self.list().name()
    }

    /// The first line of the file.
    pub fn heading(self) -> &'static str {
        self.list().built_in().lines().next().unwrap_or_default()
    }
}

/// A candidate as it is labelled: the claim, and its cues.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The feeling; `None` for a cause.
    pub feeling: Option<String>,
    /// Byte ranges: of the word, or of cause and effect.
    pub spans: Vec<Range<usize>>,
    pub cues: Vec<String>,
}

/// Lists every claim, accepted or not.
#[derive(Default)]
pub(in crate::extract) struct Recorder(RefCell<Vec<Candidate>>);

impl Recorder {
    pub fn into_candidates(self) -> Vec<Candidate> {
        self.0.into_inner()
    }
}

impl Gate for Recorder {
    /// Causes are proposed for the feelings that are accepted; of these, all are listed.
    fn judge(&self, claim: &Claim<'_>, cues: &ListCues<'_>) -> Verdict {
        let mut listed = Vec::new();
        let mut add = |cue: &str| listed.push(cue.to_owned());
        cues(&mut Cues::to(&mut add));
        listed.sort_unstable();
        listed.dedup();
        let (feeling, spans) = match claim {
            Claim::Feeling { name, word, .. } => (Some((*name).to_owned()), vec![word.clone()]),
            Claim::Cause { cause, effect, .. } => (None, vec![cause.clone(), effect.clone()]),
        };
        self.0.borrow_mut().push(Candidate { feeling, spans, cues: listed });
        let verdict = Fitted.judge(claim, cues);
        Verdict { accepted: verdict.accepted || matches!(claim, Claim::Cause { .. }), ..verdict }
    }
}
