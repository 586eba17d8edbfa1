//! Capture of what a coding agent does, as `conversation` records.
//!
//! The agent calls `kioku hook EVENT` and waits for it, so that call only takes the event (`event`) into a durable
//! queue (`queue`). A detached process turns the queue into records (`drain`): prompts, the files and commands of
//! each turn with its outcome, and an extractive `summary` of a session. `project_context` gives the next session
//! what the project's earlier ones left.

mod drain;
mod event;
mod project_context;
mod queue;
mod summary;
mod turn;

pub use drain::{Drained, drain};
pub use event::{AgentEvent, EventKind};
pub use project_context::project_context;
pub use queue::{HookQueue, Job};
