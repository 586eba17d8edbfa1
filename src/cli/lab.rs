//! Parts of the command line shared with the second binary, `kioku-lab`.

pub use super::{
    command::run,
    context::{Context, Place},
    model::choice::{chosen, installed},
    outcome::{Done, Failure, Outcome},
    output::{Output, ProgressLine, bytes, note, warn},
    user_files::check as check_new_files,
};
