//! The legs of a search. A leg is one file here, a line in [`LEGS`], and its names in `leg_id`.

mod graph;
mod keyword;
mod leg;
mod vector;

pub use leg::{Answer, CANDIDATES, Candidate, Context, Leg, LegEvidence};

use super::{
    answer::Hit,
    leg_id::{LegId, LegShare},
};

/// All legs, in the order of [`LegId::ALL`].
pub const LEGS: [&dyn Leg; LegId::ALL.len()] = [&keyword::Keyword, &vector::Vector, &graph::Graph];

/// The leg with this id.
pub fn leg(id: LegId) -> &'static dyn Leg {
    LEGS[id as usize]
}

/// The reasons of the legs that found an entry.
pub fn evidence(hit: &Hit) -> impl Iterator<Item = (LegId, LegShare, LegEvidence<'_>)> {
    hit.legs.iter().filter_map(|(id, share)| Some((id, (*share)?, leg(id).evidence(hit))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legs_are_in_the_order_of_their_ids() {
        assert_eq!(LEGS.map(|leg| leg.id()), LegId::ALL);
    }
}
