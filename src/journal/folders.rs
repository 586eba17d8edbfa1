//! Names of the files and folders in a journal.

/// Holds one folder of derived files for each machine.
pub const INDEX_FOLDER: &str = ".index";

/// Says that the entries lie beside the index: once the last of them is gone, only kioku's own folders are left.
pub(super) const FLAT: &str = ".index/flat";

pub(super) const MEMORY: &str = "memory";
pub(super) const NOTES: &str = "entities";
pub(super) const TRASH: &str = "trash";
/// Whole files that a repair took the place of.
pub(super) const REPLACED: &str = "trash/replaced";
pub(super) const DRAFTS: &str = "drafts";
pub(super) const RECENT: &str = "recent";
pub(super) const ANSWERS: &str = "answers";
pub(super) const TEMPLATES: &str = "templates";
pub(super) const PROMPTS: &str = "prompts.txt";
pub(super) const WORD_LISTS: &str = "lexicon";
/// The saved searches.
pub const SEARCHES_FILE: &str = "searches.md";

/// What kioku itself puts into a journal's folder.
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
    "attachments",
    ".lock",
    INDEX_FOLDER,
    ".gitignore",
    ".git",
];
