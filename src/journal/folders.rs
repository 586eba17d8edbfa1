//! Names of the files and folders in a journal.

/// The folder of the index, with one subfolder per machine.
pub const INDEX_FOLDER: &str = ".index";

/// Marker file: the day files are directly in the root, not in `memory/`. Needed because an empty vault does not show
/// it.
pub(super) const FLAT: &str = ".index/flat";

pub(super) const MEMORY: &str = "memory";
pub(super) const NOTES: &str = "entities";
pub(super) const TRASH: &str = "trash";
/// Whole files that a repair replaced.
pub(super) const REPLACED: &str = "trash/replaced";
/// Attachments that no entry names.
pub(super) const UNNAMED: &str = "trash/attachments";
/// Copies of the user's files, named by their content.
pub const ATTACHMENTS: &str = "attachments";
pub(super) const DRAFTS: &str = "drafts";
pub(super) const RECENT: &str = "recent";
pub(super) const ANSWERS: &str = "answers";
pub(super) const TEMPLATES: &str = "templates";
pub(super) const PROMPTS: &str = "prompts.txt";
pub(super) const WORD_LISTS: &str = "lexicon";
/// The saved searches.
pub const SEARCHES_FILE: &str = "searches.md";

/// Files and folders that belong to a journal but are not day files.
pub(super) const OURS: [&str; 15] = [
    MEMORY,
    NOTES,
    SEARCHES_FILE,
    PROMPTS,
    TEMPLATES,
    WORD_LISTS,
    TRASH,
    DRAFTS,
    RECENT,
    ANSWERS,
    ATTACHMENTS,
    ".lock",
    INDEX_FOLDER,
    ".gitignore",
    ".git",
];
