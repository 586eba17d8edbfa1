//! The vault: dated markdown files in Kioku's format, read and written without loss.
//!
//! Owns the files of a journal and the concepts entry, day, tag and mood. Does not know indices, queries or screens.

mod answers;
mod append;
mod attachment;
mod attachment_check;
mod attachment_links;
mod claim;
pub mod compact;
mod conflict;
mod curation;
mod day_file;
mod day_names;
pub mod demo;
mod draft;
mod edit;
mod entry;
mod error;
pub mod exchange;
pub mod fault;
pub mod files;
mod folders;
mod forget;
mod front_matter;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod git;
mod head;
pub mod identity;
mod links;
mod machine;
mod merge;
mod merge_keys;
mod merge_lines;
mod moved;
mod note;
mod notice;
mod pass;
mod present;
mod prose;
mod recent;
mod record;
mod redact;
mod repair;
mod restore;
mod searches;
mod sections;
mod splice;
mod sync;
mod template;
mod time;
mod trash;
pub mod user_file;
mod value;
mod vanished;
mod vault;
pub mod watch;
mod word_lists;
mod words;
mod write;

pub use append::Appended;
pub use attachment::{Attachment, LARGEST_ATTACHMENT, is_image, with_links};
pub use attachment_check::{AttachmentReport, LinkedFile, Orphan};
pub use attachment_links::{
    attachment_path, attachments_in, decoded as percent_decoded, with_embeds_replaced, with_image_targets,
    with_links_replaced,
};
pub use curation::{AddedNote, NoteChange, NoteUndo};
pub use day_file::{DayFile, FileStamp, WrittenEntry};
pub use draft::{Draft, DraftId};
pub use edit::Edited;
pub use entry::{
    BodyHash, Change, EntityKind, Entry, EntryId, EntryTime, NewEntry, Place, RelationKind, has_clock, measured,
    opening, word_count,
};
pub use error::VaultError;
pub use folders::{ATTACHMENTS, INDEX_FOLDER, SEARCHES_FILE};
pub use forget::{Forgotten, Remains};
pub use links::follow_links_out;
pub use merge::{Merged, merge};
pub use note::{EntityNote, NoteEdit, NoteField, NoteList, Verdict, name_and_kind, note_on};
pub use notice::{Notice, NoticeKind};
pub use pass::Pass;
pub use prose::{as_written, field_lines, prose, prose_parts};
pub use record::{
    ClaimLink, NewRecord, RecordFields, RecordHead, RecordKind, RecordStatus, SHOPPING, claim_links, further_keys,
    record_title, status_change,
};
pub use redact::{REDACTED, Redaction};
pub use repair::Repaired;
pub use restore::RestoredAll;
pub use searches::SavedSearch;
pub use sync::{CLASH as SYNC_CLASH, Synced};
pub use template::{Filled, Template, Templates};
pub use time::english_month;
pub use trash::{Emptied, TrashReason, Trashed};
pub use value::{list as written_list, unescaped};
pub use vanished::{Missing, Vanished};
pub use vault::{Vault, VaultOptions};
pub use word_lists::{WordListFile, word_list_path, word_lists};
pub(crate) use words::words;
pub use write::random_id;
