//! The search legs on screen: the command that toggles each, and its colour.

use crate::{search::PerLeg, tui::Role};

pub const TOGGLES: PerLeg<&str> = PerLeg::new(["search.words", "search.meaning", "search.connection"]);
pub const ROLES: PerLeg<Role> = PerLeg::new([Role::LegKeyword, Role::LegMeaning, Role::LegConnection]);
