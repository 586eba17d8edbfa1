//! The counts of a cause in words, the same on the command line and on the screens.

use super::Cause;
use crate::insight::cooccurrence::Lag;

impl Cause {
    /// `stated 5 · 9 of 14 days, 1 of 64 others · the same day`
    pub fn counts(&self) -> String {
        if self.is_uncounted() {
            return self.on_days() + if self.accepted { " · accepted by you" } else { "" };
        }
        let mut text = format!("{} · {}", self.on_days(), self.lag.words());
        if let Some(measure) = &self.measure {
            text += &format!(" · your middle is {}", number(measure.middle));
        }
        if self.accepted {
            text += " · accepted by you";
        } else if self.stated == 0
            && self.is_claimed()
            && let Some(chance) = self.chance
        {
            text += &format!(" · {:.0} % chance of coincidence", (chance * 100.0).max(1.0));
        }
        text
    }

    /// `stated 5 · 9 of 14 days, 1 of 64 others`
    pub fn on_days(&self) -> String {
        if self.is_uncounted() {
            let times = if self.stated == 1 { "once".to_owned() } else { format!("{} times", self.stated) };
            return format!("stated {times}, on no counted day");
        }
        let stated = if self.stated > 0 { format!("stated {} · ", self.stated) } else { String::new() };
        let (with, others) = (self.both + self.target_only, self.cause_only + self.neither);
        let measured = if self.measure.is_some() { " with a value" } else { "" };
        format!("{stated}on {} of {with} days, {} of {others} others{measured}", self.both, self.cause_only)
    }

    /// Whether the writer's word is all there is: the subject is on none of its days.
    fn is_uncounted(&self) -> bool {
        self.stated > 0 && self.both == 0
    }

    /// Of what eased: `stated 2`, or `on 3 of 5 better days after, on 1 of 9 others`.
    pub fn eased_on(&self) -> String {
        if self.stated > 0 {
            return format!("stated {}", self.stated);
        }
        let (good, others) = (self.both + self.target_only, self.cause_only + self.neither);
        format!("on {} of {good} better days after, on {} of {others} others", self.both, self.cause_only)
    }
}

/// At most one digit behind the point.
pub(super) fn number(value: f64) -> String {
    format!("{}", (value * 10.0).round() / 10.0)
}

impl Lag {
    pub fn words(self) -> &'static str {
        match self {
            Self(0, 0) => "the same day",
            Self(1, 1) => "the day before",
            Self(0, 1) => "that day or the one before",
            Self(0, _) => "up to three days before",
            Self(_, _) => "one to three days before",
        }
    }
}
