//! Attachments: copies of the user's files in `attachments/`, named by their content.
//!
//! A name is the first 16 hex digits of the content's SHA-256, `-`, and the file's own name in lower-case ASCII:
//! `2f1c09ab34de5678-tickets.pdf`. Equal files have equal digits on every device, so that a second copy is recognised
//! and two devices never write different content under one name. The digits come first, so that equal files are
//! neighbours in a listing and no name is reserved on any system. ASCII, because file systems and sync programs respell
//! accents and differ in the case of letters; without spaces, so that a link needs no quotes.
//!
//! A copy is received into a temporary file and fsynced. It gets its name under the vault's lock, directly before the
//! entry that links it is written: a crash in between leaves a file without an entry, never the reverse.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

use super::{
    BodyHash, Vault, VaultError,
    attachment_links::{DIGITS, digits_in},
    files::{self, Received},
    folders::ATTACHMENTS,
};

/// Maximum size in bytes without a request for more: a copy is never removed from the history of a git repository, and
/// public hosts refuse larger files.
pub const LARGEST_ATTACHMENT: u64 = 100 << 20;

/// Maximum length of the file's own name in the name of an attachment.
const LONGEST_TAIL: usize = 60;
/// Maximum length of an extension that is kept.
const LONGEST_EXTENSION: usize = 8;
/// Extensions of files that are shown as images.
const IMAGES: [&str; 11] = ["png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "heic", "heif", "avif", "tiff"];

/// A copy that is on disk and gets its name when the entry that links it is written.
#[derive(Debug)]
pub struct Attachment {
    name: String,
    label: String,
    received: Received,
}

impl Attachment {
    /// The path for a link, relative to the journal's folder.
    pub fn target(&self) -> String {
        format!("{ATTACHMENTS}/{}", self.name)
    }

    /// The link in markdown; an image is shown in its place.
    pub fn link(&self) -> String {
        link(&self.label, &self.name)
    }
}

/// The link to an attachment in markdown, named after the user's file.
pub(super) fn link(label: &str, name: &str) -> String {
    let mut plain = String::with_capacity(label.len());
    for c in label.chars().filter(|c| !c.is_control()) {
        if matches!(c, '[' | ']' | '\\' | '`' | '*' | '<') {
            plain.push('\\');
        }
        plain.push(c);
    }
    let mark = if is_image(name) { "!" } else { "" };
    format!("{mark}[{plain}]({ATTACHMENTS}/{name})")
}

/// Whether a file is an image, by its extension.
pub fn is_image(name: &str) -> bool {
    extension(name).is_some_and(|extension| IMAGES.contains(&extension.to_ascii_lowercase().as_str()))
}

/// A text followed by links, each on its own line.
pub fn with_links(text: &str, attachments: &[Attachment]) -> String {
    let links: Vec<String> = attachments.iter().map(Attachment::link).collect();
    let text = text.trim_end_matches(['\n', '\r']);
    let gap = if text.trim().is_empty() { "" } else { "\n\n" };
    if links.is_empty() { text.to_owned() } else { format!("{text}{gap}{}", links.join("\n")) }
}

impl Vault {
    /// Copies files of the user, with at most `most` bytes each. Nothing has a name yet; a file that cannot be copied
    /// is an error, and then no copy stays.
    pub fn receive(&self, paths: &[PathBuf], most: u64) -> Result<Vec<Attachment>, VaultError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let open = |path: &PathBuf| {
            let fault = |source| VaultError::io("attach", path, source);
            let file = files::open_plain(path).map_err(fault)?;
            let length = file.metadata().map_err(fault)?.len();
            if length > most { Err(too_large(path, most)) } else { Ok(file) }
        };
        // All are looked at before the first is copied.
        paths.iter().try_for_each(|path| open(path).map(drop))?;
        let folder = self.make_attachments_folder()?;
        let copy = |path: &PathBuf| {
            let received =
                files::receive(&folder, &mut open(path)?, path, most)?.ok_or_else(|| too_large(path, most))?;
            let label = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            Ok(Attachment { name: free_name(&folder, &received, &label)?, label, received })
        };
        paths.iter().map(copy).collect()
    }

    /// Copies a file of an import to this path in `attachments/`. `false` if it is there already.
    pub(super) fn keep_imported(&self, path: &str, from: &mut dyn Read) -> Result<bool, VaultError> {
        let name = path.strip_prefix(ATTACHMENTS).and_then(|name| name.strip_prefix('/')).unwrap_or(path);
        let target = self.path_in(ATTACHMENTS, name)?;
        files::create_dir(target.parent().unwrap_or(&target))?;
        let folder = self.make_attachments_folder()?;
        let Some(received) = files::receive(&folder, from, Path::new(path), u64::MAX)? else { return Ok(false) };
        let digits = BodyHash(received.digest).to_string();
        if digits_of(name).is_some_and(|own| !digits.starts_with(own)) {
            return Err(VaultError::UnsafeFile {
                path: path.into(),
                what: "not the file that was attached".to_owned(),
            });
        }
        let (digest, length) = (received.digest, received.length);
        let _lock = self.lock()?;
        if received.keep(&target)? {
            return Ok(true);
        }
        match digest_of(&target, length)? == Some(digest) {
            true => Ok(false),
            false => Err(VaultError::Exists { path: target }),
        }
    }

    /// The file of an attachment, by its path relative to the journal's folder; `None` if it is not there.
    pub fn attached(&self, path: &str) -> Option<PathBuf> {
        let file = self.checked(&self.options().root.join(path)).ok()?;
        file.is_file().then_some(file)
    }

    /// Names the copies. The caller holds the vault's lock.
    pub(super) fn keep_attachments(&self, attachments: Vec<Attachment>) -> Result<(), VaultError> {
        for Attachment { name, received, .. } in attachments {
            let path = self.path_in(ATTACHMENTS, &name)?;
            // A taken name: the same content, as `free_name` has seen.
            received.keep(&path)?;
        }
        Ok(())
    }

    pub(super) fn make_attachments_folder(&self) -> Result<PathBuf, VaultError> {
        let folder = self.checked(&self.options().root.join(ATTACHMENTS))?;
        files::create_dir(&folder)?;
        Ok(folder)
    }
}

fn too_large(path: &Path, most: u64) -> VaultError {
    VaultError::TooLarge { path: path.to_path_buf(), most }
}

/// The name of a copy: that of a file with the same content, or a new one.
fn free_name(folder: &Path, received: &Received, label: &str) -> Result<String, VaultError> {
    let name = name_of(&received.digest, label);
    let mut same: Vec<String> = super::day_names::names_in(folder)?;
    same.retain(|other| other.starts_with(&name[..=DIGITS]));
    for other in &same {
        if digest_of(&folder.join(other), received.length)? == Some(received.digest) {
            return Ok(other.clone());
        }
    }
    // A file with these digits and other content was changed by another program: both stay.
    let (stem, ending) = name.split_at(name.len() - extension(&name).map_or(0, |extension| extension.len() + 1));
    let numbered = (2..).map(|number| format!("{stem}-{number}{ending}"));
    Ok(std::iter::once(name.clone()).chain(numbered).find(|name| !same.contains(name)).unwrap_or(name))
}

/// SHA-256 of a file of this length; `None` if it has another, or is none.
fn digest_of(path: &Path, length: u64) -> Result<Option<[u8; 32]>, VaultError> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == length) {
        return Ok(None);
    }
    let mut file = files::open_plain(path).map_err(|source| VaultError::io("read", path, source))?;
    Ok(files::hashed(&mut file, path, u64::MAX, &mut |_| Ok(()))?.map(|(digest, _)| digest))
}

/// The digits of a name that kioku gave.
pub(super) fn digits_of(name: &str) -> Option<&str> {
    let is_own = name.len() > DIGITS + 1 && digits_in(&name.as_bytes()[..=DIGITS]).next().is_some();
    is_own.then(|| &name[..DIGITS])
}

/// The name for a content, and the name of the file that it came from.
pub(super) fn name_of(digest: &[u8; 32], file: &str) -> String {
    format!("{}-{}", &BodyHash(*digest).to_string()[..DIGITS], tail(file))
}

/// A file name in lower-case ASCII: accents removed, everything else but letters, digits, `.` and `_` replaced by `-`.
pub(super) fn tail(file: &str) -> String {
    let mut plain = String::with_capacity(file.len());
    for c in file.nfd().filter(|c| !is_combining_mark(*c)) {
        match c.to_ascii_lowercase() {
            'đ' | 'Đ' => plain.push('d'),
            c if c.is_ascii_alphanumeric() => plain.push(c),
            '.' => {
                plain.truncate(plain.trim_end_matches(['-', '.']).len());
                plain.push('.');
            }
            '_' => plain.push('_'),
            _ if !plain.ends_with(['-', '.', '_']) => plain.push('-'),
            _ => {}
        }
    }
    let ending = extension(&plain).map_or(String::new(), |extension| format!(".{extension}"));
    let stem = plain[..plain.len() - ending.len()].trim_matches(['-', '.', '_']);
    let stem = stem[..stem.len().min(LONGEST_TAIL - ending.len())].trim_end_matches(['-', '.', '_']);
    format!("{}{ending}", if stem.is_empty() { "file" } else { stem })
}

/// The user's part of the name of an attachment.
pub(super) fn tail_of(name: &str) -> &str {
    name.get(DIGITS + 1..).unwrap_or(name)
}

fn extension(name: &str) -> Option<&str> {
    let (_, extension) = name.rsplit_once('.')?;
    let is_one = (1..=LONGEST_EXTENSION).contains(&extension.len());
    (is_one && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(extension)
}

#[cfg(test)]
#[path = "attachment_tests.rs"]
mod tests;
