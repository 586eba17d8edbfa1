//! Requests of the screens to the session, and its replies.

use std::{ops::Range, path::PathBuf, sync::Arc};

use jiff::{Zoned, civil};

use super::{Curated, Curating, FileContent, SessionError};
use crate::{
    extract::valence,
    index::{Progress, Snapshot},
    insight::{
        connect::Connection,
        merge_candidates::MergeCandidate,
        profile::{Listed, Profile},
        records::{Record, RecordFilter},
        reflect::Reflection,
        related_entries::RelatedEntries,
        review::{Review, Unit},
        stats::Stats,
        why::{self, Why},
    },
    journal::{
        AttachmentReport, Change, Draft, DraftId, EntityKind, EntityNote, Entry, EntryId, NewEntry, NewRecord, Notice,
        RecordStatus, Repaired, SavedSearch, Templates, Trashed,
    },
    search::{Found, Search},
};

/// Id of a request. Every reply carries it, so that a pane can ignore replies that it no longer expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Work that is done outside the terminal's thread.
#[derive(Debug, Clone)]
pub enum Request {
    /// Find worker: a newer search cancels an older one. Answered by [`Response::Found`], first with the hits by word,
    /// then with the fused ones.
    Search(Search),
    /// Read worker: a newer one cancels an older one. Answered by [`Response::Day`].
    Day(civil::Date),
    /// List worker: a newer one cancels an older one. The first words of some days. Answered by
    /// [`Response::Openings`].
    Openings(Vec<civil::Date>),
    /// Ask worker: a newer one cancels an older one. Answered by [`Response::Answer`], with [`Response::Progress`] as
    /// progress before it.
    Ask(Ask),
    /// Ask worker, without queueing: cancels the [`Request::Ask`] of this ticket. It gets no answer, unless one was
    /// already sent.
    Cancel(Ticket),
    /// This and the following requests: write worker, queued and never dropped. Answered by [`Response::Written`].
    Append {
        new: NewEntry,
        draft: Option<DraftId>,
    },
    Edit {
        base: Entry,
        change: Change,
        draft: Option<DraftId>,
    },
    Remove {
        base: Entry,
    },
    /// Several changes in order; a failure does not affect the others. Answered by [`Written::Several`], and undone as
    /// one change.
    Several(Vec<EntryOperation>),
    Restore {
        handle: String,
    },
    /// Previews a curation; nothing is written. Answered by [`Response::Curated`].
    PreviewCuration(Curating),
    /// Answered by [`Response::Curated`].
    Curate(Curating),
    /// Writes a new file outside the journal; refused if it exists. Answered by [`Response::FileWritten`].
    WriteFile {
        /// The path as typed: `~` is the home folder.
        path: String,
        content: FileContent,
    },
    /// Repairs the problem of a notice. Answered by [`Written::Repaired`].
    Repair(Notice),
    /// Reads all day files. Answered by [`Response::Attachments`].
    CheckAttachments,
    /// Undoes the last change of this session: of an entry, a draft, a name, a saved search.
    Undo,
    /// Saves a draft. Answered by [`Response::DraftKept`].
    KeepDraft(Draft),
    /// Removes a draft whose text is in the journal or not worth keeping. Answered by [`Response::DraftDropped`].
    DropDraft(DraftId),
    /// Removes a draft by the wish of the user, who can undo it. Answered by [`Response::DraftDropped`].
    DiscardDraft(Box<Draft>),
    /// Answered by [`Response::Drafts`].
    Drafts,
    /// Reads the templates of entries. Answered by [`Response::Templates`].
    Templates,
    /// Answered by [`Response::Trash`].
    Trash,
    /// Answered by [`Response::Records`].
    Records(RecordFilter),
    /// Writes a record. Answered by [`Written::Added`], or by [`Response::RecordKnown`].
    Remember(Box<NewRecord>),
    /// Gives a record another status. Answered by [`Written::Edited`].
    CloseRecord {
        id: EntryId,
        status: RecordStatus,
    },
    /// The query history, oldest first. Answered by [`Response::Queries`].
    Queries,
    /// Adds a query to the history; no answer.
    KeepQuery(String),
    /// Answered by [`Response::SavedSearches`].
    SavedSearches,
    /// Saves a search, replacing one of the same name. Answered by [`Response::SearchSaved`].
    SaveSearch(SavedSearch),
    /// Removes the saved search of this name. Answered by [`Response::SearchDropped`].
    DropSearch(String),
    /// Index worker: scan the vault again (after `$EDITOR`, or a watcher event). Settled at once; the view changes
    /// later.
    Sync,
}

/// One change of [`Request::Several`].
#[derive(Debug, Clone)]
pub enum EntryOperation {
    Edit { base: Entry, change: Change },
    Remove { base: Entry },
}

impl Request {
    /// Whether this request deletes a draft when it succeeds.
    pub(super) fn drops_draft(&self) -> bool {
        matches!(self, Self::Append { draft: Some(_), .. } | Self::Edit { draft: Some(_), .. } | Self::DiscardDraft(_))
    }

    /// Whether the request changes something and is answered: the program ends only after it.
    pub fn is_change(&self) -> bool {
        use Request::*;
        let is_read = matches!(self, Search(_) | Day(_) | Openings(_) | CheckAttachments | Ask(_) | Cancel(_) | Sync);
        let is_list = matches!(self, Drafts | Templates | Trash | Records(_) | Queries | SavedSearches);
        !is_read && !is_list && !matches!(self, KeepQuery(_) | PreviewCuration(_))
    }

    /// A description for the message "an internal fault while ...".
    pub fn name(&self) -> &'static str {
        match self {
            Self::Search(_) => "searching",
            Self::Day(_) | Self::Openings(_) => "reading a day",
            Self::Ask(_) | Self::Cancel(_) => "computing an answer",
            Self::Append { .. } => "saving a new entry",
            Self::Edit { .. }
            | Self::Remove { .. }
            | Self::Several(_)
            | Self::Restore { .. }
            | Self::Undo
            | Self::Repair(_) => "changing entries",
            Self::Remember(_) | Self::CloseRecord { .. } => "saving a record",
            Self::PreviewCuration(_) | Self::Curate(_) => "changing names",
            Self::KeepDraft(_) | Self::DropDraft(_) | Self::DiscardDraft(_) => "saving drafts",
            Self::WriteFile { .. } => "writing a file",
            Self::Sync => "scanning the journal",
            _ => "reading or writing beside the entries",
        }
    }
}

/// An insight query, answered from one snapshot with the same code as on the command line.
#[derive(Debug, Clone)]
pub enum Ask {
    /// All entities with their activity up to a day, most mentioned first.
    Names(civil::Date),
    /// The profile of one entity up to a day.
    Profile { name: String, kind: EntityKind, today: civil::Date },
    /// The connection between two names.
    Connect { from: String, to: String },
    /// Possible causes of a feeling, a name or an entry.
    Why(why::Question),
    /// One day, with related entries of the past.
    Reflect { day: civil::Date, now: Zoned },
    /// The week, month or year that contains a day.
    Review { unit: Unit, day: civil::Date, now: Zoned },
    /// Statistics of the journal up to a day.
    Stats(civil::Date),
    /// Names that need a decision by the user.
    NameReview,
    /// Entries related to a text, which may be that of an entry.
    Related { text: String, own: Option<EntryId>, now: Zoned },
}

/// The answer to the [`Ask`] variant of the same name.
#[derive(Debug, Clone)]
pub enum Answer {
    Names(Arc<[Listed]>),
    Profile {
        /// `None` if the journal has no such name (any more).
        profile: Option<Box<Profile>>,
        /// The user's notes, from below the front matter.
        notes: String,
    },
    Connect(Connection),
    Why(Why),
    Reflect(Reflection),
    Review(Review),
    Stats(Stats),
    NameReview(NameReview),
    Related(RelatedEntries),
}

/// Possible duplicates to decide on, and hidden names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NameReview {
    /// Possible duplicates, those with the most mentions first.
    pub merge_candidates: Vec<MergeCandidate>,
    /// Number of further pairs.
    pub more: usize,
    /// Sorted by name.
    pub hidden: Vec<EntityNote>,
}

/// A reply to a request, or an event.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "replies are few and short-lived; boxes would burden every pane")]
pub enum Reply {
    /// There may be several for one ticket.
    To(Ticket, Response),
    /// [`super::SessionWorkers::view`] has changed (a commit, progress, a problem).
    ViewChanged,
    /// A notification to show as a toast ("the word index was damaged and is being rebuilt").
    Notification(String),
}

/// The content of a reply to a request.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "as for Reply")]
pub enum Response {
    Found {
        stage: Stage,
        found: Arc<Found>,
    },
    /// The index is not open yet; [`Reply::ViewChanged`] comes when it is.
    NotYet,
    Day {
        day: civil::Date,
        entries: Vec<DayEntry>,
        notices: Vec<Notice>,
    },
    /// The first words of each day that has any.
    Openings(Vec<(civil::Date, String)>),
    /// Progress of the current step, not of the whole answer.
    Progress(Progress),
    Answer(Arc<Answer>),
    Written(Written),
    Curated(Curated),
    FileWritten {
        /// Absolute.
        path: PathBuf,
        /// Number of entries in the file; none in a text.
        entries: usize,
    },
    DraftKept,
    DraftDropped,
    Drafts(Vec<Draft>),
    Templates(Templates),
    Attachments(AttachmentReport),
    Trash(Vec<Trashed>),
    Records(Vec<Record>),
    /// The journal has the same record, which is still open.
    RecordKnown(EntryId),
    Queries(Vec<String>),
    SavedSearches(Vec<SavedSearch>),
    /// The name of the search.
    SearchSaved(String),
    SearchDropped(String),
    Failed(SessionError),
}

impl Reply {
    /// The request that this replies to; `None` for events.
    pub fn ticket(&self) -> Option<Ticket> {
        match self {
            Self::To(ticket, _) => Some(*ticket),
            Self::ViewChanged | Self::Notification(_) => None,
        }
    }

    /// The response, if it is to this request, which is awaited no longer.
    pub fn settles(&self, awaited: &mut Option<Ticket>) -> Option<&Response> {
        match self {
            Self::To(ticket, response) => awaited.take_if(|own| own == ticket).map(|_| response),
            Self::ViewChanged | Self::Notification(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The hits of the keyword leg alone.
    Words,
    /// The fused and reranked hits.
    Fused,
}

/// An entry with its mentions.
#[derive(Debug, Clone, PartialEq)]
pub struct DayEntry {
    pub entry: Entry,
    /// Names in the entry; empty until the graph has the entry.
    pub names: Vec<(EntityKind, String)>,
    /// Mentions in the body, in order: index into `names`, kind, byte range.
    pub spans: Vec<(usize, EntityKind, Range<usize>)>,
}

/// Result of a write.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    Added(Entry),
    Edited(Entry),
    Unchanged(Entry),
    /// Another program changed the entry meanwhile; both versions were kept.
    KeptBoth {
        theirs: Entry,
        mine: Entry,
    },
    Removed(Trashed),
    Restored(Entry),
    /// The repair; `None` if there was nothing (left) to repair.
    Repaired(Option<Repaired>),
    Several {
        edited: Vec<Entry>,
        removed: Vec<Trashed>,
        /// One message per failure.
        failed: Vec<String>,
    },
    /// Description of the undone change.
    Undone {
        said: String,
        /// The restored entry.
        entry: Option<Entry>,
    },
    NothingToUndo,
}

/// One day in the list of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayLine {
    pub day: civil::Date,
    /// Number of words of each entry, in time order. Empty until the file is indexed.
    pub words: Vec<u32>,
    /// The moods of the day's entries, in time order.
    pub moods: Vec<String>,
    /// Number of records of the day, which count neither as words nor as moods.
    pub records: usize,
}

impl DayLine {
    /// The mean valence of the known moods.
    pub fn valence(&self) -> Option<f32> {
        let known: Vec<f32> = self.moods.iter().filter_map(|mood| valence(mood)).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f32>() / known.len() as f32)
    }
}

/// Progress of the language model.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelReading {
    /// Number of texts with an answer.
    pub done: usize,
    /// Number of texts to send; the same text on two days counts once.
    pub of: usize,
    /// Number of texts given up after several unusable answers.
    pub given_up: usize,
    /// The last error of the service, until it answers again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    #[serde(flatten)]
    pub state: ModelState,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum ModelState {
    Reading,
    /// Paused before a retry.
    Waiting {
        until: jiff::Timestamp,
        why: String,
    },
    /// Stopped by an error that only the user can fix.
    Stopped {
        why: String,
    },
    /// Another kioku process sends the requests.
    Elsewhere,
    Done,
}

/// The state that the screens can read at any time without waiting.
#[derive(Clone, Default)]
pub struct View {
    /// `None` until the index is open.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Newest first. Until the index is open, taken from the names of the day files.
    pub days: Arc<Vec<DayLine>>,
    pub entries: usize,
    pub progress: Option<Progress>,
    /// Progress of the language model; `None` if none is used.
    pub reading: Option<ModelReading>,
    pub notices: Arc<Vec<Notice>>,
    /// Counter of changes to the entity notes, whose text is not part of the snapshot.
    pub noted: u64,
    /// Moods, tags and names for completion, most used first.
    pub moods: Arc<Vec<String>>,
    pub tags: Arc<Vec<String>>,
    pub people: Arc<Vec<String>>,
    pub names: Arc<Vec<String>>,
}

impl View {
    /// The line of a day, by binary search.
    pub fn line(&self, day: civil::Date) -> Option<&DayLine> {
        let at = self.days.partition_point(|line| line.day > day);
        self.days.get(at).filter(|line| line.day == day)
    }
}
