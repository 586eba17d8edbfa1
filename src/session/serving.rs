//! A session of a server: requests over days, with pauses in which the index is completed and closed.

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Session, SessionError, direct::within_meaning_budget};
use crate::{
    index::{LegHealth, Progress},
    insight::profile::{self, Profile},
    search::{LegId, PerLeg, legs},
};

/// A name with its profile and the user's notes on it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NotedProfile {
    #[serde(flatten)]
    pub profile: Profile,
    /// The user's notes on the name; empty without any.
    pub notes: String,
}

impl Session {
    /// Drops what was read of the journal, so that the next request sees the changes of other programs.
    pub fn look_again(&mut self) {
        self.drop_snapshot();
        self.catalog_only = None;
    }

    /// Reads and embeds what is new, and saves it, while `goes_on` returns true. Does nothing if the index is closed.
    pub fn complete(&mut self, goes_on: &mut dyn FnMut(Progress) -> bool) -> Result<(), SessionError> {
        if self.opened_index().is_some() && !self.sync(true, goes_on)?.stopped {
            self.index()?.save()?;
        }
        Ok(())
    }

    /// Opens the index as it is, without a scan of the vault.
    pub fn open_index(&mut self) -> Result<(), SessionError> {
        self.snapshot_as_is().map(drop)
    }

    /// Saves and closes the index, so that other programs may write it and its memory is free.
    pub fn rest(&mut self) -> Result<(), SessionError> {
        self.look_again();
        self.close_index()
    }

    /// `ready`, `building 3 of 10` or `off: why` for each leg, after new entries were read (by meaning, within a short budget).
    pub fn leg_states(&mut self) -> Result<PerLeg<String>, SessionError> {
        let snapshot = self.snapshot_with_meaning(&mut within_meaning_budget())?;
        Ok(PerLeg::of(|leg: LegId| match legs::leg(leg).health(&snapshot) {
            LegHealth::Ready => "ready".to_owned(),
            LegHealth::Building { done, of } => format!("building {done} of {of}"),
            LegHealth::Off { why } => format!("off: {why}"),
        }))
    }

    /// The profile of a typed name; the error lists homonyms or similar names.
    pub fn profile(&mut self, typed: &str, today: civil::Date) -> Result<Option<NotedProfile>, SessionError> {
        let subject = self.entity_called(typed)?;
        let Some(kind) = subject.kind else { return Ok(None) };
        let notes = self.entity_note(&subject)?.map_or_else(String::new, |note| note.notes);
        let profile = self.with_meaning(|inputs| profile::profile(inputs, &subject.name, kind, today))?;
        Ok(profile.map(|profile| NotedProfile { profile, notes }))
    }
}
