//! The search legs on screen: the command that toggles each, and its colour.

use crate::{
    search::{LegId, PerLeg},
    tui::Role,
};

const LEGS: PerLeg<(&str, Role)> = PerLeg::new([
    ("search.words", Role::LegKeyword),
    ("search.meaning", Role::LegMeaning),
    ("search.connection", Role::LegConnection),
]);

pub fn leg_toggle(leg: LegId) -> &'static str {
    LEGS[leg].0
}

pub fn leg_role(leg: LegId) -> Role {
    LEGS[leg].1
}
