//! Parsing of argument values, shared by the command line and the Model Context Protocol.

mod entry;
mod fields;
mod time;

pub use self::{
    entry::{Asked, asked, forgettable, located},
    fields::{one_line, optional_line, split_tags, tags, typed_tags},
    time::{at_or_now, days, due_day, event_time, moment, one_day, period, zoned},
};
