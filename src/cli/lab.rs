//! What the second binary, `kioku-lab`, shares with the commands of `kioku`.

pub use super::{
    command::run,
    context::{Context, Place},
    json::VERSION,
    model::choice::{chosen, installed},
    outcome::{Done, Failure, Outcome},
    output::{ProgressLine, Set, bytes, note, warn},
    search::FusionRule,
    user_files::check as check_new_files,
};
