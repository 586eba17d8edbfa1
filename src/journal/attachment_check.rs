//! Attachments against the texts of the vault: links without a file, files without a link, and their trash.
//!
//! A file counts as named if its digits are anywhere in a text of the vault, in any syntax and also in files that are
//! not read as entries: a file is removed only if nothing can miss it. Only files that kioku named are ever moved or
//! removed; others in `attachments/` belong to the user.

use std::{
    collections::{BTreeSet, HashSet},
    path::{Path, PathBuf},
    time::SystemTime,
};

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    BodyHash, Entry, Pass, Redaction, Vault, VaultError,
    attachment::digits_of,
    attachment_links::{attachments_in, digits_in},
    day_names::has_placeholder,
    files,
    folders::{ATTACHMENTS, DRAFTS, NOTES, RECENT, REPLACED, TEMPLATES, TRASH, UNNAMED},
};

/// The attachments of a vault and what is wrong with them.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AttachmentReport {
    pub files: usize,
    pub bytes: u64,
    /// Links whose file is gone.
    pub missing: Vec<LinkedFile>,
    /// Links whose file a cloud program has not downloaded yet.
    pub not_here: Vec<LinkedFile>,
    /// Files that no entry names.
    pub orphaned: Vec<Orphan>,
    /// Files whose content is not what was attached; only after [`Vault::verify_attachments`].
    pub changed: Vec<String>,
}

/// A link of an entry to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LinkedFile {
    /// The file, relative to the journal's folder.
    pub path: String,
    /// The entry.
    pub id: String,
    #[serde(skip)]
    pub day: civil::Date,
}

/// A file that no entry names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Orphan {
    /// Relative to the journal's folder.
    pub path: String,
    /// The trash or a draft names it: it stays until those are gone.
    pub in_trash: bool,
}

/// Digits of the names of attachments.
type Digits = HashSet<String>;

/// Entries whose texts do not count, because they are about to go.
type IsGone<'a> = &'a dyn Fn(&Entry) -> bool;

fn never(_: &Entry) -> bool {
    false
}

impl Vault {
    /// Compares the files in `attachments/` with the links of all entries. Parses only texts that name an attachment.
    pub fn check_attachments(&self) -> Result<AttachmentReport, VaultError> {
        let mut report = AttachmentReport::default();
        let mut named = Digits::new();
        for stamp in self.safe_files()? {
            let Some(bytes) = self.bytes_of(self.day_path(&stamp.file)?)? else { continue };
            named.extend(digits_in(&bytes).map(str::to_owned));
            if memchr::memmem::find(&bytes, ATTACHMENTS.as_bytes()).is_none() {
                continue;
            }
            for entry in self.entries_in(&bytes, &stamp.file).into_iter().map(|written| written.entry) {
                for path in attachments_in(&entry.body) {
                    self.check_link(path, &entry, &mut report);
                }
            }
        }
        let names = self.listed_in(ATTACHMENTS)?;
        if names.is_empty() {
            return Ok(report);
        }
        self.add_notes(&never, &mut named)?;
        let mut trashed = Digits::new();
        self.add_trash(&[TRASH], &never, &mut trashed)?;
        for name in names {
            let Ok(found) = self.path_in(ATTACHMENTS, &name)?.metadata() else { continue };
            if found.is_file() && !name.starts_with('.') {
                report.files += 1;
                report.bytes += found.len();
            }
            if let Some(digits) = digits_of(&name).filter(|digits| !named.contains(*digits)) {
                let in_trash = trashed.contains(digits);
                report.orphaned.push(Orphan { path: format!("{ATTACHMENTS}/{name}"), in_trash });
            }
        }
        report.orphaned.sort();
        Ok(report)
    }

    /// Like [`Vault::check_attachments`], and reads every file.
    pub fn verify_attachments(&self) -> Result<AttachmentReport, VaultError> {
        let mut report = self.check_attachments()?;
        for name in self.listed_in(ATTACHMENTS)? {
            let path = self.path_in(ATTACHMENTS, &name)?;
            let Some(digits) = digits_of(&name).filter(|_| path.is_file()) else { continue };
            let mut file = files::open_plain(&path).map_err(|source| VaultError::io("read", &path, source))?;
            let read = files::hashed(&mut file, &path, u64::MAX, &mut |_| Ok(()))?;
            if read.is_some_and(|(digest, _)| !BodyHash(digest).to_string().starts_with(digits)) {
                report.changed.push(format!("{ATTACHMENTS}/{name}"));
            }
        }
        report.changed.sort();
        Ok(report)
    }

    fn check_link(&self, path: String, entry: &Entry, report: &mut AttachmentReport) {
        // In a folder of notes, a path may also be relative to the day file.
        let day_file = self.entries_folder().join(&*entry.place.file);
        let beside = day_file.parent().unwrap_or(self.entries_folder()).join(&path);
        let places = [self.options().root.join(&path), beside, self.entries_folder().join(&path)];
        if places.iter().any(|place| place.exists()) {
            return;
        }
        let link = LinkedFile { path, id: entry.id.to_string(), day: entry.day };
        let is_coming = places.iter().any(|place| has_placeholder(place));
        if is_coming { &mut report.not_here } else { &mut report.missing }.push(link);
    }

    /// Moves files to the trash that nothing names. Returns their number.
    pub fn trash_orphans(&self) -> Result<usize, VaultError> {
        let _lock = self.lock()?;
        let orphans = self.check_attachments()?.orphaned;
        let gone = orphans.iter().filter(|orphan| !orphan.in_trash);
        let names: Vec<&str> = gone.filter_map(|orphan| orphan.path.rsplit('/').next()).collect();
        if names.is_empty() {
            return Ok(0);
        }
        self.make_private(TRASH)?;
        files::create_dir(&self.checked(&self.options().root.join(UNNAMED))?)?;
        let now = SystemTime::from(self.options().clock.now().timestamp());
        for name in &names {
            let (from, to) = (self.path_in(ATTACHMENTS, name)?, self.path_in(UNNAMED, name)?);
            // The same content: the name says so.
            files::remove(&to)?;
            files::move_to(&from, &to, now)?;
        }
        Ok(names.len())
    }

    /// Moves the files that these texts name back from the trash. Returns their number.
    pub(super) fn untrash_attachments(&self, texts: &[&str]) -> Result<usize, VaultError> {
        let trashed = self.listed_in(UNNAMED)?;
        if trashed.is_empty() {
            return Ok(0);
        }
        let named = digits_named(texts.iter().copied());
        let mut back = 0;
        for name in trashed.iter().filter(|name| digits_of(name).is_some_and(|digits| named.contains(digits))) {
            let (from, to) = (self.path_in(UNNAMED, name)?, self.path_in(ATTACHMENTS, name)?);
            self.move_attachment(&from, &to)?;
            back += 1;
        }
        Ok(back)
    }

    /// Brings files back that entries miss: from the trash, or from a file of the same content with another name.
    /// Returns their number.
    pub fn restore_attachments(&self) -> Result<usize, VaultError> {
        let missing = self.check_attachments()?.missing;
        let paths: Vec<&str> = missing.iter().map(|link| link.path.as_str()).collect();
        if paths.is_empty() {
            return Ok(0);
        }
        let lock = self.lock()?;
        let mut back = self.untrash_attachments(&paths)?;
        drop(lock);
        let names = self.listed_in(ATTACHMENTS)?;
        for link in missing.iter().filter(|link| self.attached(&link.path).is_none()) {
            let digits = link.path.rsplit('/').next().and_then(digits_of);
            let Some(name) = names.iter().find(|name| digits.is_some() && digits_of(name) == digits) else { continue };
            let from = self.path_in(ATTACHMENTS, name)?;
            let mut file = files::open_plain(&from).map_err(|source| VaultError::io("read", &from, source))?;
            // The copy is refused if the content is not what the digits say.
            back += usize::from(self.keep_imported(&link.path, &mut file).unwrap_or(false));
        }
        Ok(back)
    }

    /// Takes the names to be forgotten out of the names of attachments, after the texts that link them were changed.
    /// Returns the number of files.
    pub(super) fn rename_attachments(&self, redaction: &Redaction, pass: Pass) -> Result<usize, VaultError> {
        let mut count = 0;
        for folder in [ATTACHMENTS, UNNAMED] {
            for name in self.listed_in(folder)? {
                let Some((_, new)) = redaction.attachments(&name).pop() else { continue };
                let (from, to) = (self.path_in(folder, &name)?, self.path_in(folder, &new)?);
                if pass == Pass::Delete {
                    self.move_attachment(&from, &to)?;
                }
                count += 1;
            }
        }
        Ok(count)
    }

    /// Gives a file another name. A file that has it already has the same content: then this one goes.
    fn move_attachment(&self, from: &Path, to: &Path) -> Result<(), VaultError> {
        let now = SystemTime::from(self.options().clock.now().timestamp());
        if to.exists() { files::remove(from) } else { files::move_to(from, to, now) }
    }

    /// Removes the attachments with these digits for good, in the folder and in the trash, if no text names them. In a
    /// preview, the texts of entries for which `is_gone` do not count. Returns their number.
    pub(super) fn forget_attachments(
        &self,
        digits: &BTreeSet<String>,
        pass: Pass,
        is_gone: impl Fn(&Entry) -> bool,
    ) -> Result<usize, VaultError> {
        if digits.is_empty() {
            return Ok(0);
        }
        // After the deletion, every text that is still there counts.
        let is_gone = |entry: &Entry| pass == Pass::Count && is_gone(entry);
        let mut named = Digits::new();
        self.add_notes(&is_gone, &mut named)?;
        self.add_trash(&[TRASH, RECENT], &is_gone, &mut named)?;
        for stamp in self.safe_files()? {
            let path = self.day_path(&stamp.file)?;
            self.add_named(path, &stamp.file, &is_gone, &mut named)?;
        }
        let mut count = 0;
        for folder in [ATTACHMENTS, UNNAMED] {
            for name in self.listed_in(folder)? {
                let goes = digits_of(&name).is_some_and(|own| digits.contains(own) && !named.contains(own));
                if goes && pass == Pass::Delete {
                    files::remove(&self.path_in(folder, &name)?)?;
                }
                count += usize::from(goes);
            }
        }
        Ok(count)
    }

    /// Adds the digits in trash, drafts and the texts that a repair replaced.
    fn add_trash(&self, by_entry: &[&str], is_gone: IsGone<'_>, named: &mut Digits) -> Result<(), VaultError> {
        by_entry.iter().try_for_each(|folder| self.add_folder(folder, is_gone, named))?;
        [DRAFTS, REPLACED].iter().try_for_each(|folder| self.add_folder(folder, &never, named))
    }

    /// Adds the digits in notes, templates, and texts that are not read as entries.
    fn add_notes(&self, is_gone: IsGone<'_>, named: &mut Digits) -> Result<(), VaultError> {
        [NOTES, TEMPLATES].iter().try_for_each(|folder| self.add_folder(folder, &never, named))?;
        let listing = self.listing()?;
        for name in listing.undated.iter().chain(&listing.conflict_copies) {
            // A link that leads out of the vault holds no text of it.
            if let Ok(path) = self.checked(&self.entries_folder().join(name)) {
                self.add_named(path, name, is_gone, named)?;
            }
        }
        Ok(())
    }

    fn add_folder(&self, folder: &str, is_gone: IsGone<'_>, named: &mut Digits) -> Result<(), VaultError> {
        for name in self.listed_in(folder)? {
            self.add_named(self.path_in(folder, &name)?, &name, is_gone, named)?;
        }
        Ok(())
    }

    /// Adds the digits in a file, without the blocks of entries that are gone.
    fn add_named(&self, path: PathBuf, name: &str, is_gone: IsGone<'_>, named: &mut Digits) -> Result<(), VaultError> {
        let Some(bytes) = self.bytes_of(path)? else { return Ok(()) };
        if digits_in(&bytes).next().is_none() {
            return Ok(());
        }
        let entries = self.entries_in(&bytes, name);
        let mut at = 0;
        for written in entries.iter().filter(|written| is_gone(&written.entry)) {
            let gone = &written.entry.place.bytes;
            named.extend(digits_in(&bytes[at..gone.start.max(at)]).map(str::to_owned));
            at = gone.end.max(at);
        }
        named.extend(digits_in(&bytes[at..]).map(str::to_owned));
        Ok(())
    }

    /// A file's bytes; `None` if it is no file, or only in the cloud.
    fn bytes_of(&self, path: PathBuf) -> Result<Option<Vec<u8>>, VaultError> {
        if path.is_file() { files::read(&path) } else { Ok(None) }
    }
}

/// The digits that texts name.
pub(super) fn digits_named<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeSet<String> {
    texts.into_iter().flat_map(|text| digits_in(text.as_bytes())).map(str::to_owned).collect()
}
