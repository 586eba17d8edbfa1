//! Access to one journal: [`Session`] for one thread, [`SessionWorkers`] for the screens.
//!
//! There are five worker threads: *find*, *read* and *ask* are latest-wins (a newer request cancels an older one),
//! *write* is a queue that never drops a request, and *work* (sync, embedding) runs when something changed. If a
//! language model is configured, a sixth thread sends the requests to it. Searches and screens read one immutable
//! [`View`]; only the index worker accesses the index. A worker that panics replies with an error and continues.

mod attachments;
mod batch_size;
mod curation;
mod direct;
mod drafts;
pub mod editor_texts;
mod entries;
mod error;
mod file_content;
mod forget;
pub mod hooks;
mod index_worker;
mod insight;
pub mod json;
pub mod llm;
mod model;
mod options;
pub mod protocol;
mod queries;
mod records;
mod requests;
mod serving;
mod shared_state;
mod state_lines;
mod tally;
mod timeline;
mod traces;
mod view;
mod worker_threads;
mod workers;
mod write;

pub use crate::index::{ModelChange, Progress, SyncReport};
pub use attachments::take_images;
pub use curation::{Curated, Curating, CurationLog, Moved, Subject};
pub use direct::{Session, within_meaning_budget};
pub use entries::{DOCTOR_LISTS, Located};
pub use error::{CurationError, RecordError, SessionError};
pub use file_content::{FileContent, FoundHits};
pub use forget::{Forgettable, Forgetting, Naming};
pub use options::SessionOptions;
pub use protocol::{
    Answer, Ask, DayEntry, DayLine, EntryOperation, ModelReading, ModelState, NameReview, Reply, Request, Response,
    Stage, Ticket, View, Written,
};
pub use queries::QueryHistory;
pub use records::Remembered;
pub use serving::NotedProfile;
pub use tally::tally;
pub use timeline::{DayCount, TimelineLine};
pub use traces::{Traces, Wanted};
pub use workers::SessionWorkers;
