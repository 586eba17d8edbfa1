//! File names of day files, and the listing of the folder that holds them.
//!
//! A file name here is the path relative to that folder, with `/` as separator: `2026-02-22.md`,
//! `2019/03/2019_03_04.md`.

use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
};

use jiff::civil;

use super::{Notice, NoticeKind, VaultError, files::if_there, folders::OURS, links};

/// Maximum depth of folders listed. Folders by year and month need two.
const DEEPEST: usize = 8;

/// Extensions of text files. A text file without a date in its name is reported; other files are ignored.
const TEXT_EXTENSIONS: [&str; 4] = ["md", "markdown", "txt", "org"];

/// Why a link to a folder is not read.
const UNFOLLOWED: &str = "a link to a folder is not read; `follow_links = true` in the configuration follows it, unless \
                          it points to a parent folder";

/// How many files a notice names.
const MOST_NAMED: usize = 12;

/// The files of an entries folder, by their role.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Named after a day, sorted.
    pub day_files: Vec<String>,
    /// Conflict copies of sync programs, sorted.
    pub conflict_copies: Vec<String>,
    /// Text files without a date in their names, sorted.
    pub undated: Vec<String>,
    /// Why files, links and folders are not read, sorted by name.
    pub unread: Vec<Notice>,
}

impl Listing {
    /// Lists `folder` and its subfolders. Skips hidden folders, links to folders (unless `follow_links` is set) and, if
    /// `beside_ours`, the folders that kioku creates in a journal. Costs one directory read per folder; an absent
    /// folder lists nothing.
    pub fn of(folder: &Path, beside_ours: bool) -> Result<Self, VaultError> {
        let mut listing = Self::default();
        listing.list(folder, "", beside_ours, 0)?;
        listing.day_files.sort_unstable();
        listing.day_files.dedup();
        listing.conflict_copies.sort_unstable();
        listing.undated.sort_unstable();
        listing.unread.sort_unstable_by(|a, b| a.file.cmp(&b.file));
        Ok(listing)
    }

    fn list(&mut self, folder: &Path, prefix: &str, beside_ours: bool, depth: usize) -> Result<(), VaultError> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            // An unreadable subfolder must not hide the others.
            Err(error) if depth > 0 => {
                let folder = prefix.trim_end_matches('/');
                let reason = format!("this folder could not be read: {error}");
                self.unread.push(notice(folder, NoticeKind::UnreadableFolder, reason));
                return Ok(());
            }
            Err(error) => return Err(VaultError::io("list", folder, error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| VaultError::io("list", folder, error))?;
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    let name = format!("{prefix}{}", name.to_string_lossy());
                    self.unread.push(notice(&name, NoticeKind::Undated, "not read: its name is not UTF-8".to_owned()));
                    continue;
                }
            };
            let is_ours = beside_ours && depth == 0 && OURS.contains(&name.as_str());
            if let Some(absent) = original_of_placeholder(&name) {
                self.day_files.push(format!("{prefix}{absent}"));
                continue;
            }
            if name.starts_with('.') || is_ours {
                continue;
            }
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let is_linked = is_linked_folder(&entry);
            let path = format!("{prefix}{name}");
            if is_linked && !is_followed(&entry.path()) {
                self.unread.push(notice(&path, NoticeKind::UnreadableFolder, UNFOLLOWED.to_owned()));
            } else if !is_folder && !is_linked {
                self.file(path);
            } else if depth < DEEPEST {
                self.list(&folder.join(&name), &format!("{path}/"), beside_ours, depth + 1)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: String) {
        if is_conflict_copy(&path) {
            self.conflict_copies.push(path);
        } else if day_of(&path).is_some() {
            self.day_files.push(path);
        } else if is_text(&path) {
            self.undated.push(path);
        }
    }

    /// Notices about files and links in this folder that are not read.
    pub fn notices(&self) -> Vec<Notice> {
        let copy = |file: &String| {
            let message = "conflict copy of a sync program; its entries are not read yet";
            notice(file, NoticeKind::ConflictCopy, message.to_owned())
        };
        let undated = self.undated.first().map(|first| {
            let message = match self.undated.len() {
                1 => "this file is not read: its name holds no date".to_owned(),
                several => {
                    let names: Vec<&str> = self.undated.iter().take(MOST_NAMED).map(String::as_str).collect();
                    let more = if several > MOST_NAMED { ", ..." } else { "" };
                    format!("{several} files are not read: their names hold no date ({}{more})", names.join(", "))
                }
            };
            notice(first, NoticeKind::Undated, message)
        });
        self.conflict_copies.iter().map(copy).chain(undated).chain(self.unread.iter().cloned()).collect()
    }
}

fn notice(file: &str, kind: NoticeKind, message: String) -> Notice {
    Notice { file: file.into(), line: 1, kind, message }
}

fn is_linked_folder(entry: &fs::DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.path().is_dir()
}

/// Whether a link to a folder is followed: only if the configuration allows it.
fn is_followed(link: &Path) -> bool {
    links::follows_out() && !leads_up(link)
}

/// Whether a link points to one of its own parent folders, which would be listed again and again.
fn leads_up(link: &Path) -> bool {
    let folder = link.parent().and_then(|folder| fs::canonicalize(folder).ok());
    match (fs::canonicalize(link), folder) {
        (Ok(target), Some(folder)) => folder.starts_with(target),
        _ => true,
    }
}

/// The subfolders that [`Listing::of`] reads, breadth first, without unreadable ones. Lazy: a folder is read only when
/// the ones before it are consumed.
pub(super) fn folders_below(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let mut open = VecDeque::from([(folder.to_path_buf(), 0)]);
    let mut found = VecDeque::new();
    std::iter::from_fn(move || {
        while found.is_empty() {
            let (folder, depth) = open.pop_front()?;
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir())
                    || is_linked_folder(&entry) && is_followed(&entry.path());
                let name = entry.file_name();
                if !is_folder || name.to_str().is_none_or(|name| name.starts_with('.') || OURS.contains(&name)) {
                    continue;
                }
                found.push_back(entry.path());
                if depth + 1 < DEEPEST {
                    open.push_back((entry.path(), depth + 1));
                }
            }
        }
        found.pop_front()
    })
}

/// `2026-02-22.md`.
pub(super) fn file_of(day: civil::Date) -> String {
    format!("{day}.md")
}

/// How folders and files spell a day or a part of it.
const SPELLINGS: &str = "%Y-%m-%d %Y_%m_%d %Y%m%d %Y %Y-%m %Y_%m %Y%m %m %-m %B %b %m-%B %m-%b %G-W%V W%V";

/// Maximum number of files that tell the layout: about two months.
const TELLING: usize = 60;

/// The layout of a folder of day files, for those of other days: the format that most of the last ones without a title
/// follow, such as `Daily/%Y/%m/%Y-%m-%d.md`.
pub(super) fn layout(files: &[String]) -> Option<String> {
    let dated = |file: &String| day_of(file).filter(|_| is_text(file));
    let mut days: Vec<_> = files.iter().filter_map(|file| Some((dated(file)?, file))).collect();
    days.sort_unstable();
    let last = days.iter().rev().filter_map(|(day, file)| Some((*day, *file, layout_of(*day, file)?)));
    let last: Vec<_> = last.take(TELLING).collect();
    let followed =
        |layout: &String| last.iter().filter(|(day, file, _)| day.strftime(layout).to_string() == **file).count();
    let best = last.iter().map(|(.., layout)| layout).max_by_key(|layout| followed(layout))?;
    let of_all = |layout: &str| days.iter().filter(|(day, file)| day.strftime(layout).to_string() == **file).count();
    // From October to December months of one and of two digits look alike.
    let unpadded = best.replace("/%m/", "/%-m/");
    let layout = if unpadded != *best && of_all(&unpadded) > of_all(best) { unpadded } else { best.clone() };
    (followed(&layout) * 2 > last.len()).then_some(layout)
}

/// A path with the parts of the day as conversions. `None` if a word below the first of them, or with digits, is none:
/// it may differ on other days.
fn layout_of(day: civil::Date, file: &str) -> Option<String> {
    let (mut layout, mut is_dated) = (String::new(), false);
    for part in file.split_inclusive(['/', '.']) {
        let word = part.trim_end_matches(['/', '.']);
        let spelled = SPELLINGS.split(' ').find(|spelling| day.strftime(spelling).to_string() == word);
        let may_differ =
            is_dated && !matches!(word, "md" | "markdown" | "txt") || word.contains(|c: char| c.is_ascii_digit());
        if spelled.is_none() && may_differ {
            return None;
        }
        is_dated |= spelled.is_some();
        layout += &spelled.map_or_else(|| word.replace('%', "%%"), str::to_owned);
        layout += &part[word.len()..];
    }
    Some(layout)
}

/// Whether this is the file name that kioku itself uses for a day.
pub(super) fn is_own(file: &str) -> bool {
    day_of(file).is_some_and(|day| file_of(day) == file)
}

/// The UTF-8 file names in a folder (day files always have one), sorted; none if the folder is absent.
pub(super) fn names_in(folder: &Path) -> Result<Vec<String>, VaultError> {
    let fault = |error| VaultError::io("list", folder, error);
    let mut names = Vec::new();
    for entry in if_there(fs::read_dir(folder)).map_err(fault)?.into_iter().flatten() {
        names.extend(entry.map_err(fault)?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(names)
}

/// The day that a day file is named after; `None` for every other file, and for a path that could leave its folder.
pub(super) fn day_of(file: &str) -> Option<civil::Date> {
    let mut parts = file.rsplit('/');
    let (day, title) = dated(parts.next()?)?;
    let stays_inside = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '\0']);
    (parts.all(stays_inside) && !title.contains(['\\', '\0'])).then_some(day)
}

/// Whether the name is that of a text file.
pub(super) fn is_text(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, extension)| is_text_extension(extension))
}

/// Case is ignored, because some file systems do.
fn is_text_extension(extension: &str) -> bool {
    TEXT_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The title behind the date in a file's name; empty if there is none.
pub(super) fn title_of(file: &str) -> &str {
    let title = dated(file.rsplit('/').next().unwrap_or(file)).map_or("", |(_, title)| title);
    title.trim_matches([' ', '-', '_', '.'])
}

/// The day as text for the title of a file: `2026-02-22` for `2026-02-22.md`.
pub(super) fn day_text(file: &str) -> String {
    day_of(file).map_or_else(|| file.strip_suffix(".md").unwrap_or(file).to_owned(), |day| day.to_string())
}

/// Splits the name of a text file into day and title: `2026-02-22`, `2026_02_22` or `20260222`, then nothing or a title
/// that starts with a space, `-`, `_`, `.` or `(`.
fn dated(name: &str) -> Option<(civil::Date, &str)> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    // org-journal names its files `20260222`.
    if !is_text_extension(extension) && (!extension.is_empty() || name.len() != 8) {
        return None;
    }
    let digits = |range: std::ops::Range<usize>| {
        let text = stem.get(range)?;
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i16>().ok())?
    };
    let separator = stem.as_bytes().get(4).filter(|byte| matches!(byte, b'-' | b'_'));
    let (month, day, end) = match separator {
        Some(separator) if stem.as_bytes().get(7) == Some(separator) => (5..7, 8..10, 10),
        Some(_) => return None,
        None => (4..6, 6..8, 8),
    };
    let date = civil::Date::new(digits(0..4)?, digits(month)? as i8, digits(day)? as i8).ok()?;
    let title = stem.get(end..)?;
    (title.is_empty() || title.starts_with([' ', '-', '_', '.', '('])).then_some((date, title))
}

/// Whether the name is a conflict copy of a day file: Syncthing, Dropbox, Nextcloud and ownCloud add "conflict"; iCloud
/// and Google Drive a number; OneDrive a number or the name of the computer, of which those that Windows gives are known.
pub(super) fn is_conflict_copy(file: &str) -> bool {
    original_of(file).is_some()
}

/// The name of the day file for a conflict copy.
pub(super) fn original_of(file: &str) -> Option<String> {
    let (folder, name) = file.rsplit_once('/').map_or(("", file), |(folder, name)| (&file[..=folder.len()], name));
    let (_, title) = dated(name)?;
    let (stem, extension) = name.rsplit_once('.')?;
    let base = stem.len() - title.len();
    is_conflict_mark(title).then(|| format!("{folder}{}.{extension}", &name[..base]))
}

/// Whether a sync program added this to the name of a conflict copy, before the extension.
pub(super) fn is_conflict_mark(title: &str) -> bool {
    let number = title.trim_start();
    let number = number.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(number);
    let numbered = title.starts_with([' ', '('])
        && (1..=2).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit());
    let lower = title.to_lowercase();
    let signs = ["sync-conflict", "conflicted copy", "conflict copy", "_conflict-", "sfconflict", "(conflict"];
    let is_of_computer = title.starts_with("-DESKTOP-") || title.starts_with("-LAPTOP-");
    numbered || is_of_computer || signs.iter().any(|sign| lower.contains(sign))
}

/// The day file for a placeholder: the file that a cloud program leaves until it has downloaded the real one.
fn original_of_placeholder(name: &str) -> Option<&str> {
    let icloud = || name.strip_prefix('.')?.strip_suffix(".icloud");
    let virtual_file = || name.strip_suffix(".nextcloud").or_else(|| name.strip_suffix(".owncloud"));
    icloud().or_else(virtual_file).filter(|name| dated(name).is_some())
}

/// Whether a cloud program has a file of this path that it has not downloaded yet.
pub(super) fn has_placeholder(path: &Path) -> bool {
    let name = path.file_name().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    let names = [format!(".{name}.icloud"), format!("{name}.nextcloud"), format!("{name}.owncloud")];
    !path.exists() && names.into_iter().any(|name| path.with_file_name(name).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_names_of_daily_notes_are_days() {
        let day = civil::date(2026, 2, 22);
        for name in [
            "2026-02-22.md",
            "2026_02_22.md",
            "20260222.md",
            "2026-02-22 A walk.md",
            "2026/02/2026-02-22.md",
            "2026/2026-02-22_walk.md",
            "20260222.org",
            "2026-02-22.MD",
            "2026-02-22.txt",
            "2026-02-22 A walk.markdown",
            "20260222",
        ] {
            assert_eq!(day_of(name), Some(day), "{name}");
        }
        for name in [
            "2026-02-30.md",
            "2026-02_22.md",
            "2026-02-22",
            "2026-02-221.md",
            "202602221.md",
            "202602221",
            "20260222.png",
            "../2026-02-22.md",
            ".trash/2026-02-22.md",
            "/2026-02-22.md",
            "a\\2026-02-22.md",
            "Ideas.md",
        ] {
            assert_eq!(day_of(name), None, "{name}");
        }
    }

    #[test]
    fn copies_that_sync_programs_make_are_told_from_titles() {
        for name in [
            "2026-02-22.sync-conflict-20260223-101010-ABCDEFG.md",
            "2026-02-22 (conflicted copy 2026-02-23).md",
            "2026-02-22 (Linh's conflicted copy).md",
            "2026-02-22_conflict-20260223-101010.md",
            "2026-02-22 2.md",
            "2026-02-22 (1).md",
            "2026-02-22(1).md",
            "2026-02-22-DESKTOP-4F5K1QZ.md",
        ] {
            assert_eq!(original_of(name).as_deref(), Some("2026-02-22.md"), "{name}");
        }
        assert_eq!(original_of("a/2026_02_22 2.md").as_deref(), Some("a/2026_02_22.md"));
        for name in [
            "2026-02-22.md",
            "2026-02-22 conflict with Hùng.md",
            "2026-02-22 2026.md",
            "2026-02-22-28.md",
            "2026-02-22-A desktop for Ana.md",
            "conflict.md",
        ] {
            assert!(!is_conflict_copy(name), "{name}");
        }
    }
}
