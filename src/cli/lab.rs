//! What the second binary, `kioku-lab`, shares with the commands of `kioku`.

pub use super::{
    command::{Done, Failure, Outcome, Place, run},
    context::Context,
    json::VERSION,
    model::{chosen, installed},
    output::{ProgressLine, Set, bytes, note, warn},
    search::FusionRule,
    user_files::check as check_new_files,
};
