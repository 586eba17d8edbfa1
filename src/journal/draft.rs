//! Drafts: autosaved text that is not yet an entry.
//!
//! A draft is a small markdown file that the user can read and restore by hand: fields as in an entry's head, then the
//! text.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use super::{
    BodyHash, Entry, EntryId, Vault, VaultError,
    attachment_links::decoded,
    files::{self, Lock},
    folders::DRAFTS as FOLDER,
    head, value, write,
};

/// Id of a draft, from which its file name is derived.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DraftId(pub String);

impl DraftId {
    /// The draft's file, in the folder of the journal.
    pub fn file(&self) -> PathBuf {
        Path::new(FOLDER).join(encoded(&self.0) + ".md")
    }
}

/// Unsaved text with its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    pub id: DraftId,
    /// The entry being edited; `None` for a new one.
    pub editing: Option<EntryId>,
    /// The hash of the text and fields that were opened to be edited.
    pub base: Option<BodyHash>,
    /// The next three fields are as typed and may be invalid.
    pub time: String,
    pub mood: String,
    pub tags: String,
    pub body: String,
}

impl Vault {
    /// Writes a draft durably, replacing its earlier state. Takes no lock: only the window that has its claim writes
    /// a draft.
    pub fn keep_draft(&self, draft: &Draft) -> Result<(), VaultError> {
        self.make_private(FOLDER)?;
        files::replace(&self.draft_path(&draft.id)?, &draft.printed())
    }

    /// Removes a draft. Call it after the save is durable, or when the user discards the draft.
    pub fn drop_draft(&self, id: &DraftId) -> Result<(), VaultError> {
        files::remove(&self.draft_path(id)?)
    }

    /// Claims a draft for this process until the lock is dropped; `None` if another window has it.
    pub fn claim_draft(&self, id: &DraftId) -> Result<Option<Lock>, VaultError> {
        self.make_private(FOLDER)?;
        Lock::try_take(&self.claim_path(id)?)
    }

    /// Gives up the claim of a removed draft, with its file: no other draft gets the same id.
    pub fn release_draft(&self, id: &DraftId, claim: Option<Lock>) {
        if claim.is_some() {
            // Some systems cannot remove an open file.
            drop(claim);
            let _ = self.claim_path(id).and_then(|path| files::remove(&path));
        }
    }

    pub fn draft(&self, id: &DraftId) -> Result<Option<Draft>, VaultError> {
        Ok(files::read(&self.draft_path(id)?)?.map(|bytes| Draft::read(id.0.clone(), &bytes)))
    }

    /// Every draft, newest first. For a damaged draft the body is the whole file.
    pub fn drafts(&self) -> Result<Vec<Draft>, VaultError> {
        let mut drafts = Vec::new();
        for name in self.listed_in(FOLDER)? {
            let Some(stem) = name.strip_suffix(".md") else { continue };
            let path = self.path_in(FOLDER, &name)?;
            let Some(bytes) = files::read(&path)? else { continue };
            let modified = path.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            drafts.push((modified, Draft::read(decoded(stem), &bytes)));
        }
        drafts.sort_by(|(a, draft_a), (b, draft_b)| b.cmp(a).then_with(|| draft_a.id.cmp(&draft_b.id)));
        Ok(drafts.into_iter().map(|(_, draft)| draft).collect())
    }

    fn draft_path(&self, id: &DraftId) -> Result<PathBuf, VaultError> {
        self.checked(&self.options().root.join(id.file()))
    }

    fn claim_path(&self, id: &DraftId) -> Result<PathBuf, VaultError> {
        self.checked(&self.options().root.join(id.file()).with_extension("lock"))
    }
}

impl Draft {
    /// The draft's text with the text of a forgotten entry removed: empty if the draft edits that entry or is a part of
    /// its text; `None` if the two are unrelated.
    pub(super) fn without(&self, entry: &Entry) -> Option<String> {
        /// Minimum length in bytes: a shorter text may occur in any draft by chance.
        const TELLING: usize = 24;
        let (mine, theirs) = (self.body.trim(), entry.body.trim());
        if self.editing.as_ref() == Some(&entry.id) || mine == theirs {
            return Some(String::new());
        }
        if mine.len() >= TELLING && theirs.contains(mine) {
            return Some(String::new());
        }
        (theirs.len() >= TELLING && mine.contains(theirs)).then(|| self.body.replace(theirs, ""))
    }

    fn printed(&self) -> Vec<u8> {
        let mut text = String::from("---\n");
        let optional = [
            self.editing.as_ref().map(|id| ("editing", id.to_string())),
            self.base.map(|base| ("base", base.to_string())),
        ];
        let fields = [("time", self.time.clone()), ("mood", self.mood.clone()), ("tags", self.tags.clone())];
        for (key, value) in fields.into_iter().chain(optional.into_iter().flatten()) {
            text.push_str(&write::quoted_line(key, &value));
            text.push('\n');
        }
        text.push_str("---\n");
        text.push_str(&self.body);
        text.push('\n');
        text.into_bytes()
    }

    fn read(id: String, bytes: &[u8]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut draft = Self { id: DraftId(id), ..Self::default() };
        let Some((_, lines, closing)) = head::fenced(bytes) else { return Self { body: text(bytes), ..draft } };
        let body = &bytes[closing.next..];
        draft.body = text(body.strip_suffix(b"\n").unwrap_or(body));
        for line in lines {
            let Some((key, value)) = head::key_and_value(line.text(bytes)) else { continue };
            let value = value::unquote(&text(value));
            match key {
                b"time" => draft.time = value,
                b"mood" => draft.mood = value,
                b"tags" => draft.tags = value,
                b"editing" => draft.editing = Some(EntryId::from(value.as_str())),
                b"base" => draft.base = BodyHash::parse(&value),
                _ => {}
            }
        }
        draft
    }
}

/// Percent-encodes an id as a file name: letters, digits, `-` and `_` stay, other bytes become `%` and two hex digits.
fn encoded(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    id.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_draft_reads_back(
            id in "[a-z.%/\\\\é]{1,8}", editing in any::<Option<String>>(), time in any::<String>(), mood in any::<String>(),
            tags in any::<String>(), base in any::<Option<[u8; 32]>>(), body in any::<String>(), lines in "(---|id: x|\r|\n){0,6}"
        ) {
            let editing = editing.map(|id| EntryId::from(id.as_str()));
            let base = base.map(BodyHash);
            let draft = Draft { id: DraftId(id.clone()), editing, base, time, mood, tags, body: body + &lines };
            prop_assert_eq!(decoded(&encoded(&id)), id.clone());
            prop_assert!(!encoded(&id).contains(['/', '\\', '.']));
            prop_assert_eq!(Draft::read(id, &draft.printed()), draft);
        }

        #[test]
        fn a_damaged_draft_is_all_text(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let draft = Draft::read("a".to_owned(), &bytes);
            prop_assert!(bytes.starts_with(b"---") || draft.body == String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn a_draft_torn_in_its_fields_shows_what_is_left() {
        let torn = b"---\ntime: \"\"\nmood: \"gl";
        assert_eq!(Draft::read("a".to_owned(), torn).body, "---\ntime: \"\"\nmood: \"gl");
    }
}
