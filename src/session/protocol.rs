//! Requests of the screens to the session, and its replies.

use std::{ops::Range, path::PathBuf, sync::Arc};

use jiff::{Zoned, civil};

use super::{Curated, Curating, HitsFile, SessionError};
use crate::{
    index::{Progress, Snapshot},
    insight::{
        connect::Connection,
        merge_candidates::MergeCandidate,
        profile::{Listed, Profile},
        reflect::Reflection,
        review::{Review, Unit},
        stats::Stats,
        why::{self, Why},
    },
    journal::{Change, Draft, DraftId, EntityKind, Entry, NewEntry, Notice, Repaired, SavedSearch, Templates, Trashed},
    search::{Found, Search},
};

/// Names one request; every reply carries it, so a pane drops what it no longer waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// Something to do off the terminal's thread.
#[derive(Debug, Clone)]
pub enum Request {
    /// Find worker: a newer search cancels an older one. Answered by [`Reply::Found`], words first, then fused.
    Search(Search),
    /// Read worker: a newer one cancels an older one. Answered by [`Reply::Day`].
    Day(civil::Date),
    /// Ask worker: a newer one cancels an older one. Answered by [`Reply::Answer`], after a [`Reply::Thinking`] now and then.
    Ask(Ask),
    /// Ask worker, at once: the answer to the [`Request::Ask`] of this ticket is no longer wanted. None comes where none is on its
    /// way back yet.
    Cancel(Ticket),
    /// Write worker from here on: queued, never dropped. Answered by [`Reply::Written`].
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
    /// Several changes in order; what fails leaves the others done. Answered by [`Written::Several`], and taken back as one.
    Several(Vec<EntryOperation>),
    /// Writes entries as readable markdown to a file that is not there yet.
    Export {
        entries: Vec<Entry>,
        path: PathBuf,
    },
    Restore {
        handle: String,
    },
    /// What saying this of names would change; nothing is written. Answered by [`Reply::Weighed`].
    WeighCuration(Curating),
    /// Answered by [`Reply::Curated`].
    Curate(Curating),
    /// Takes back the last change of names, also of an earlier session. Answered by [`Reply::Uncurated`].
    Uncurate,
    /// Makes a file outside of the journal; refused where one of that name is there. Answered by [`Reply::Saved`].
    SaveText {
        path: PathBuf,
        text: String,
    },
    /// Mends what a notice tells of. Answered by [`Written::Repaired`].
    Repair(Notice),
    /// Takes back the last append, edit, removal or restore of this session.
    Undo,
    /// Keeps what is being typed. Answered by [`Reply::DraftKept`].
    KeepDraft(Draft),
    DropDraft(DraftId),
    /// Answered by [`Reply::Drafts`].
    Drafts,
    /// What an entry may begin with. Answered by [`Reply::Templates`].
    Templates,
    /// Answered by [`Reply::Trash`].
    Trash,
    /// The queries kept, the oldest first. Answered by [`Reply::Queries`].
    Queries,
    /// Keeps a query that was of use. Answered by [`Reply::QueryKept`].
    KeepQuery(String),
    /// Answered by [`Reply::SavedSearches`].
    SavedSearches,
    /// Saves a search, in place of one of the same name. Answered by [`Reply::SearchSaved`].
    SaveSearch(SavedSearch),
    /// Takes out the saved search of this name. Answered by [`Reply::SearchDropped`].
    DropSearch(String),
    /// Writes hits to a file; refused where it is there already. Answered by [`Reply::HitsWritten`].
    WriteHits(Box<HitsFile>),
    /// Index worker (settled at once, the view changes later): look at the vault again (after `$EDITOR`, or by the watcher).
    Sync,
}

/// One of several changes.
#[derive(Debug, Clone)]
pub enum EntryOperation {
    Edit { base: Entry, change: Change },
    Remove { base: Entry },
}

impl Request {
    /// Whether a draft goes once this is done.
    pub(super) fn drops_draft(&self) -> bool {
        matches!(self, Self::Append { draft: Some(_), .. } | Self::Edit { draft: Some(_), .. })
    }

    /// What is being done, for "an internal fault while ...".
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Search(_) => "searching",
            Self::Day(_) => "reading a day",
            Self::Ask(_) | Self::Cancel(_) => "thinking about it",
            Self::Append { .. } => "saving a new entry",
            Self::Edit { .. } => "saving an entry",
            Self::Remove { .. } => "deleting an entry",
            Self::Several(_) => "changing several entries",
            Self::Export { .. } => "exporting entries",
            Self::Restore { .. } => "restoring an entry",
            Self::Repair(_) => "repairing a file",
            Self::WeighCuration(_) => "weighing a change of names",
            Self::Curate(_) => "changing names",
            Self::SaveText { .. } => "saving a file",
            Self::Undo | Self::Uncurate => "undoing",
            Self::KeepDraft(_) | Self::DropDraft(_) | Self::Drafts => "keeping drafts",
            Self::Templates => "reading the templates",
            Self::Trash => "reading the trash",
            Self::Queries | Self::KeepQuery(_) => "keeping queries",
            Self::SavedSearches | Self::SaveSearch(_) | Self::DropSearch(_) => "keeping searches",
            Self::WriteHits(_) => "writing hits to a file",
            Self::Sync => "looking through the journal",
        }
    }
}

/// A question that takes thought: answered from one snapshot, the same on the command line and on the screens.
#[derive(Debug, Clone)]
pub enum Ask {
    /// Every entity with its rhythm as seen from a day, most mentioned first.
    Names(civil::Date),
    /// One entity looked at closely, seen from a day.
    Profile { name: String, kind: EntityKind, today: civil::Date },
    /// How two names are connected.
    Connect { from: String, to: String },
    /// What led to a feeling, a name, an entry.
    Why(why::Question),
    /// One day, and what of the past is close to it.
    Reflect { day: civil::Date, now: Zoned },
    /// The week, month or year that holds a day.
    Review { unit: Unit, day: civil::Date, now: Zoned },
    /// The journal in numbers, seen from a day.
    Stats(civil::Date),
    /// What of the names waits for the user's word.
    Upkeep,
}

/// The answer to the [`Ask`] of the same name.
#[derive(Debug, Clone)]
pub enum Answer {
    Names(Vec<Listed>),
    Profile {
        /// `None` where the journal has no such name (any more).
        profile: Option<Box<Profile>>,
        /// What the user noted of it, as it stands below the front matter.
        notes: String,
    },
    Connect(Connection),
    Why(Why),
    Reflect(Reflection),
    Review(Review),
    Stats(Stats),
    Upkeep(Upkeep),
}

/// Names that wait for the user's word, and names that it keeps out of sight.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Upkeep {
    /// Pairs that may be one, those with the most mentions first.
    pub doubts: Vec<MergeCandidate>,
    /// Further pairs.
    pub more: usize,
    /// By name.
    pub hidden: Vec<Hidden>,
}

/// A name that the user hid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    pub name: String,
    pub kind: Option<EntityKind>,
    pub aliases: Vec<String>,
}

/// A part of an answer. The session may send several for one ticket.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "replies are few and short-lived; boxes would burden every pane")]
pub enum Reply {
    Found {
        ticket: Ticket,
        stage: Stage,
        found: Box<Found>,
    },
    /// The index is not open yet; [`Reply::ViewChanged`] comes when it is.
    NotYet {
        ticket: Ticket,
    },
    Day {
        ticket: Ticket,
        day: civil::Date,
        entries: Vec<DayEntry>,
        notices: Vec<Notice>,
    },
    /// How far the answer is: of what is being done, not of the whole.
    Thinking {
        ticket: Ticket,
        progress: Progress,
    },
    Answer {
        ticket: Ticket,
        answer: Box<Answer>,
    },
    Written {
        ticket: Ticket,
        done: Written,
    },
    Weighed {
        ticket: Ticket,
        curated: Curated,
    },
    Curated {
        ticket: Ticket,
        curated: Curated,
    },
    Uncurated {
        ticket: Ticket,
        /// What was taken back, in words.
        said: String,
    },
    Saved {
        ticket: Ticket,
        /// Absolute.
        path: PathBuf,
    },
    DraftKept {
        ticket: Ticket,
    },
    Drafts {
        ticket: Ticket,
        drafts: Vec<Draft>,
    },
    Templates {
        ticket: Ticket,
        templates: Templates,
    },
    Trash {
        ticket: Ticket,
        trash: Vec<Trashed>,
    },
    Queries {
        ticket: Ticket,
        queries: Vec<String>,
    },
    QueryKept {
        ticket: Ticket,
    },
    SavedSearches {
        ticket: Ticket,
        searches: Vec<SavedSearch>,
    },
    SearchSaved {
        ticket: Ticket,
        name: String,
    },
    SearchDropped {
        ticket: Ticket,
        name: String,
    },
    HitsWritten {
        ticket: Ticket,
        path: PathBuf,
        entries: usize,
    },
    /// [`super::SessionWorkers::view`] shows something new (a commit, progress, a problem).
    ViewChanged,
    /// A word for a toast that nobody asked for ("the word index was damaged and is being rebuilt").
    Told(String),
    Failed {
        ticket: Ticket,
        error: SessionError,
    },
}

impl Reply {
    /// What it answers; `None` for what nobody asked.
    pub fn ticket(&self) -> Option<Ticket> {
        match self {
            Self::Found { ticket, .. }
            | Self::Day { ticket, .. }
            | Self::Thinking { ticket, .. }
            | Self::Answer { ticket, .. }
            | Self::Written { ticket, .. }
            | Self::Weighed { ticket, .. }
            | Self::Curated { ticket, .. }
            | Self::Uncurated { ticket, .. }
            | Self::Saved { ticket, .. }
            | Self::DraftKept { ticket }
            | Self::Drafts { ticket, .. }
            | Self::Templates { ticket, .. }
            | Self::Trash { ticket, .. }
            | Self::Queries { ticket, .. }
            | Self::QueryKept { ticket }
            | Self::SavedSearches { ticket, .. }
            | Self::SearchSaved { ticket, .. }
            | Self::SearchDropped { ticket, .. }
            | Self::HitsWritten { ticket, .. }
            | Self::NotYet { ticket }
            | Self::Failed { ticket, .. } => Some(*ticket),
            Self::ViewChanged | Self::Told(_) => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The keyword leg alone.
    Words,
    /// The final order.
    Fused,
}

/// An entry with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct DayEntry {
    pub entry: Entry,
    /// Empty until the graph knows the entry.
    pub names: Vec<(EntityKind, String)>,
    /// Spans of the body that name entities, in order: which of `names`, its kind, the bytes.
    pub spans: Vec<(usize, EntityKind, Range<usize>)>,
}

/// What a write came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Written {
    Added(Entry),
    Edited(Entry),
    Unchanged(Entry),
    /// Somebody else changed the entry meanwhile; both versions stand.
    KeptBoth {
        theirs: Entry,
        mine: Entry,
    },
    Removed(Trashed),
    Restored(Entry),
    /// What was mended; `None` where there was nothing (any more).
    Repaired(Option<Repaired>),
    Several {
        edited: Vec<Entry>,
        removed: Vec<Trashed>,
        /// What could not be done, a sentence each.
        failed: Vec<String>,
    },
    /// How many entries stand in which file.
    Exported(usize, PathBuf),
    /// What was undone, in words ("the new entry of 15:30 is in the trash").
    Undone {
        said: String,
        /// The one that is back or as it was.
        entry: Option<Entry>,
    },
    NothingToUndo,
    DraftDropped,
}

/// One day in the list of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayLine {
    pub day: civil::Date,
    /// Words of each entry, in time order. Empty while only the file's name is known.
    pub words: Vec<u32>,
    /// The moods of the day's entries, in time order.
    pub moods: Vec<String>,
}

/// How far a language model has read the journal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelReading {
    /// Texts with an answer.
    pub done: usize,
    /// Texts that are asked about; the same text on two days is one.
    pub of: usize,
    /// Texts whose answers were of no use several times.
    pub given_up: usize,
    /// What went wrong when the service was last met, until it answers again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    #[serde(flatten)]
    pub state: ModelState,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum ModelState {
    Reading,
    /// The service, or the texts that are left, are let be for a while.
    Waiting {
        until: jiff::Timestamp,
        why: String,
    },
    /// Only a person can mend it.
    Stopped {
        why: String,
    },
    /// Another kioku asks.
    Elsewhere,
    Done,
}

/// Everything the screens may read at any time without waiting.
#[derive(Clone, Default)]
pub struct View {
    /// `None` until the index is open.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Newest first. Before the index is open, from the names of the day files.
    pub days: Arc<Vec<DayLine>>,
    pub entries: usize,
    pub progress: Option<Progress>,
    /// Where a language model stands with the journal; absent where none is asked.
    pub reading: Option<ModelReading>,
    pub notices: Arc<Vec<Notice>>,
    /// How often the notes on names were seen to change: their text stands in no snapshot.
    pub noted: u64,
    /// Moods, tags and names of the journal, most used first: for completion.
    pub moods: Arc<Vec<String>>,
    pub tags: Arc<Vec<String>>,
    pub people: Arc<Vec<String>>,
    pub names: Arc<Vec<String>>,
}

impl View {
    /// What is known of a day, by binary search.
    pub fn line(&self, day: civil::Date) -> Option<&DayLine> {
        let at = self.days.partition_point(|line| line.day > day);
        self.days.get(at).filter(|line| line.day == day)
    }
}
