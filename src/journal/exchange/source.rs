//! Source of an import: a file, a folder, an archive or a pipe; decoding of texts, and ids for entries without one.

use std::{
    borrow::Cow,
    cell::RefCell,
    collections::HashMap,
    fmt::Display,
    fs::{self, File},
    io::{BufReader, Cursor, Read, Seek},
    path::{Path, PathBuf},
};

use jiff::{
    civil::{Date, DateTime},
    tz::TimeZone,
};
use unicode_normalization::UnicodeNormalization;
use zip::ZipArchive;

use super::{ExchangeError, Imported, LossKind};
use crate::journal::{BodyHash, EntryTime, VaultError, files, sections::is_title, write::BASE32};

/// What an importer reads: a path, or the content of a pipe.
pub struct Source {
    path: PathBuf,
    piped: Option<Vec<u8>>,
}

impl Source {
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf(), piped: None }
    }

    /// The content of stdin.
    pub fn piped(bytes: Vec<u8>) -> Self {
        Self { path: PathBuf::from("stdin"), piped: Some(bytes) }
    }

    /// The path, or `stdin` in messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    pub(super) fn is_piped(&self) -> bool {
        self.piped.is_some()
    }

    pub fn is_dir(&self) -> bool {
        self.piped.is_none() && self.path.is_dir()
    }

    /// Whether entries are expected: the program before an empty pipe found none.
    pub fn has_content(&self) -> bool {
        self.piped.as_ref().is_none_or(|bytes| !bytes.trim_ascii().is_empty())
    }

    /// The content of a file or pipe.
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>, ExchangeError> {
        match &self.piped {
            Some(bytes) => Ok(bytes.into()),
            None => read_bytes(&self.path).map(Cow::Owned),
        }
    }

    /// The content of a file or pipe, as [`read_text`] decodes it.
    pub(super) fn text(&self, imported: &mut Imported) -> Result<String, ExchangeError> {
        Ok(decode(&self.bytes()?, &self.path, imported))
    }

    /// Whether a regular file or a pipe begins with these bytes.
    pub(super) fn starts_with(&self, signature: &[u8]) -> bool {
        self.sample(signature.len()).is_some_and(|(sample, _)| sample == signature)
    }

    /// The first bytes of a regular file or a pipe, and whether they are all. `None` for others: a named pipe can be
    /// read only once.
    pub(super) fn sample(&self, most: usize) -> Option<(Vec<u8>, bool)> {
        let mut sample = Vec::new();
        if let Some(bytes) = &self.piped {
            sample.extend(bytes.iter().take(most));
        } else {
            self.path.metadata().ok().filter(fs::Metadata::is_file)?;
            File::open(&self.path).ok()?.take(most as u64).read_to_end(&mut sample).ok()?;
        }
        let is_whole = sample.len() < most;
        Some((sample, is_whole))
    }

    /// The files of a folder or of a zip archive; of anything else, the one file.
    pub(super) fn files(&self) -> Result<Files<'_>, ExchangeError> {
        if self.is_dir() {
            let inner = |path: &PathBuf| {
                let parts = path.strip_prefix(&self.path).ok()?.iter().map(|part| part.to_str());
                Some(parts.collect::<Option<Vec<&str>>>()?.join("/"))
            };
            let names = files_below(&self.path)?.iter().filter_map(inner).collect();
            return Ok(Files::of(self, names, None));
        }
        if self.piped.is_none() {
            self.path.metadata().map_err(|error| VaultError::io("read", &self.path, error))?;
        }
        if !self.starts_with(ZIP) {
            return Ok(Files::of(self, vec![self.name()], None));
        }
        let reader: Box<dyn ReadSeek> = match &self.piped {
            Some(bytes) => Box::new(Cursor::new(bytes.clone())),
            None => {
                let opened = File::open(&self.path).map_err(|error| VaultError::io("read", &self.path, error))?;
                Box::new(BufReader::new(opened))
            }
        };
        let archive = ZipArchive::new(reader).map_err(|error| self.unreadable(ARCHIVE, error))?;
        let names = archive.file_names().flatten().map(Cow::into_owned).collect();
        Ok(Files::of(self, names, Some(RefCell::new(archive))))
    }

    pub(super) fn without(&self, expected: &'static str) -> ExchangeError {
        ExchangeError::NotThere { path: self.path.clone(), expected }
    }

    pub(super) fn unreadable(&self, format: &'static str, reason: impl Display) -> ExchangeError {
        ExchangeError::Unreadable { path: self.path.clone(), format, reason: reason.to_string() }
    }
}

const ARCHIVE: &str = "zip archive";

/// The first bytes of a zip archive.
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// Maximum size of a file of an archive that is read whole, against archives that expand without end.
pub(super) const MOST_EXPANDED: u64 = 1 << 30;

pub(super) trait ReadSeek: Read + Seek {}
impl<R: Read + Seek> ReadSeek for R {}

/// Whether a name in an archive is a file that the user's program wrote.
fn is_file(name: &str) -> bool {
    !name.ends_with('/') && !name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
}

/// A name as texts have it: composed characters, because macOS decomposes those of its files and archives.
pub(super) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// The files of a source, by their names relative to it, with `/` and composed characters.
pub(super) struct Files<'a> {
    source: &'a Source,
    pub names: Vec<String>,
    /// The names that the source spells otherwise.
    spelled: HashMap<String, String>,
    archive: Option<RefCell<ZipArchive<Box<dyn ReadSeek>>>>,
    /// The folder that contains all of an archive, with `/`; empty if there is none.
    pub top: String,
    /// Whether an archive has the settings of Obsidian.
    pub has_obsidian: bool,
}

impl<'a> Files<'a> {
    fn of(source: &'a Source, spelled: Vec<String>, archive: Option<RefCell<ZipArchive<Box<dyn ReadSeek>>>>) -> Self {
        let (is_archive, mut names, mut other) = (archive.is_some(), Vec::new(), HashMap::new());
        let mut has_obsidian = false;
        for own in spelled {
            // Some programs of Windows write archives with backslashes.
            let name = composed(&if is_archive { own.replace('\\', "/") } else { own.clone() });
            has_obsidian |= is_archive && name.contains(".obsidian/");
            if !is_archive || is_file(&name) {
                names.push(name.clone());
                other.extend((name != own).then_some((name, own)));
            }
        }
        names.sort();
        let top = names.first().filter(|_| is_archive).and_then(|name| Some(name[..=name.find('/')?].to_owned()));
        let top = top.filter(|top| names.iter().all(|name| name.starts_with(top))).unwrap_or_default();
        Self { source, names, spelled: other, archive, top, has_obsidian }
    }

    /// The name below the folder that contains all of an archive.
    pub fn inner<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(&self.top).unwrap_or(name)
    }

    /// The name as the source spells it.
    fn own<'n>(&'n self, name: &'n str) -> &'n str {
        self.spelled.get(name).map_or(name, String::as_str)
    }

    /// The names with this ending, such as `.json`. A file that the user named itself may have any.
    pub fn ending(&self, ending: &str) -> impl Iterator<Item = &str> {
        let is_one = self.archive.is_none() && !self.source.is_dir();
        self.names.iter().map(String::as_str).filter(move |name| is_one || name.to_lowercase().ends_with(ending))
    }

    /// The path of a file, for messages.
    pub fn path(&self, name: &str) -> PathBuf {
        if self.archive.is_some() || self.source.is_dir() {
            self.source.path.join(self.own(name))
        } else {
            self.source.path.clone()
        }
    }

    pub fn bytes(&self, name: &str) -> Result<Cow<'_, [u8]>, ExchangeError> {
        if self.archive.is_none() && !self.source.is_dir() {
            return self.source.bytes();
        }
        let mut bytes = Vec::new();
        self.open(name, &mut |from| {
            from.read_to_end(&mut bytes).map_err(|error| VaultError::io("read", &self.path(name), error))?;
            Ok(())
        })?;
        Ok(bytes.into())
    }

    /// Hands the content of a file of a folder or archive to `read`.
    pub fn open(
        &self,
        name: &str,
        read: &mut dyn FnMut(&mut dyn Read) -> Result<(), VaultError>,
    ) -> Result<(), ExchangeError> {
        let Some(archive) = &self.archive else {
            let path = self.path(name);
            let mut file = files::open_plain(&path).map_err(|error| VaultError::io("read", &path, error))?;
            return Ok(read(&mut file)?);
        };
        let mut archive = archive.borrow_mut();
        let failed = |error| self.source.unreadable(ARCHIVE, format_args!("{name}: {error}"));
        let file = archive.by_name(self.own(name)).map_err(failed)?;
        Ok(read(&mut file.take(MOST_EXPANDED))?)
    }

    /// The name of the file with this last part, in any case. Google Keep writes `.jpg` files and names `.jpeg`.
    pub fn named(&self, last: &str) -> Option<&str> {
        let plain = |name: &str| composed(name).to_lowercase().replace(".jpeg", ".jpg");
        let wanted = plain(last);
        let is_it = |name: &&String| name.rsplit('/').next().is_some_and(|own| plain(own) == wanted);
        self.names.iter().find(is_it).map(String::as_str)
    }

    pub fn text(&self, name: &str, imported: &mut Imported) -> Result<String, ExchangeError> {
        Ok(decode(&self.bytes(name)?, &self.path(name), imported))
    }
}

/// Reads a text file. Removes a byte order mark, normalises line endings to `\n`, and replaces invalid UTF-8 by U+FFFD with a loss.
pub(super) fn read_text(path: &Path, imported: &mut Imported) -> Result<String, ExchangeError> {
    Ok(decode(&read_bytes(path)?, path, imported))
}

pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, ExchangeError> {
    Ok(fs::read(path).map_err(|error| VaultError::io("read", path, error))?)
}

/// Like [`read_text`], from bytes.
pub(super) fn decode(bytes: &[u8], path: &Path, imported: &mut Imported) -> String {
    decode_verbatim(bytes, path, imported).replace("\r\n", "\n")
}

/// Like [`decode`], but keeps the line endings.
pub(super) fn decode_verbatim(bytes: &[u8], path: &Path, imported: &mut Imported) -> String {
    let text = String::from_utf8_lossy(bytes);
    if let std::borrow::Cow::Owned(_) = &text {
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if std::str::from_utf8(line).is_err() {
                imported.lose(LossKind::Doubtful, path, index + 1, "bytes that are not UTF-8 were replaced by U+FFFD");
            }
        }
    }
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

/// The time of a wall clock in a zone. `None` only outside the supported range.
pub(super) fn wall_time(wall: DateTime, zone: &TimeZone) -> Option<EntryTime> {
    Some(EntryTime::of(&zone.to_ambiguous_zoned(wall).compatible().ok()?))
}

/// Every file below a folder, sorted by path, without hidden files and links.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, ExchangeError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        let failed = |error| VaultError::io("list", &folder, error);
        for item in fs::read_dir(&folder).map_err(failed)? {
            let item = item.map_err(failed)?;
            let kind = item.file_type().map_err(failed)?;
            if item.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_dir() {
                open.push(item.path());
            } else if kind.is_file() {
                found.push(item.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The date in a path such as `2026/08/07.txt` below `root`.
pub(super) fn day_in_path(root: &Path, file: &Path) -> Option<Date> {
    let inner = file.strip_prefix(root).ok()?.with_extension("");
    let parts: Vec<&str> = inner.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    let &[year, month, day] = parts.as_slice() else { return None };
    let txt = file.extension().is_some_and(|ending| ending == "txt");
    (txt && year.len() == 4).then(|| Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok())?
}

/// The tags of HTML in texts. Anything else behind a `<` is text, such as a broken heart `</3`.
const TAGS: &str = "p br div span b i u s em strong a ul ol li h1 h2 h3 h4 h5 h6 blockquote q img hr pre code table thead tbody tr td \
     th font strike del ins sub sup small big mark center section article figure figcaption label input html head body title meta \
     link style script";

/// HTML as markdown; a text without tags stays as it is. The lines of a text without blocks stay lines.
pub(super) fn html(text: &str) -> String {
    let (mut clean, mut tags) = (String::with_capacity(text.len()), Vec::new());
    for (at, part) in text.split('<').enumerate() {
        let name = part.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let is_tag = part.split_once('>').is_some_and(|(tag, _)| {
            let attributes = tag.trim_start_matches('/')[name.len()..].trim_end_matches('/').trim();
            at > 0 && (attributes.is_empty() || attributes.contains('='))
        });
        let tag = TAGS.split_whitespace().find(|tag| is_tag && tag.eq_ignore_ascii_case(name));
        tags.extend(tag);
        let mark = if tag.is_some() { "<" } else { "&lt;" };
        clean.push_str(if at == 0 { "" } else { mark });
        clean.push_str(part);
    }
    if tags.iter().all(|tag| matches!(*tag, "b" | "i" | "u" | "s" | "em" | "strong" | "a" | "span" | "font")) {
        clean = clean.replace('\n', "<br>");
    }
    let is_html = !tags.is_empty() || text.contains("&nbsp;");
    let converted = is_html.then(|| htmd::convert(&clean).ok()).flatten();
    converted.unwrap_or_else(|| text.to_owned()).replace('\u{a0}', " ")
}

/// An id for a record without one, derived from `parts`, so that a second import recognises the record.
pub(super) fn made_id(prefix: &str, parts: &[&str]) -> String {
    let seed: Vec<u8> =
        parts.iter().flat_map(|part| [&(part.len() as u64).to_le_bytes(), part.as_bytes()].concat()).collect();
    let digits = BodyHash::of(&seed).0.into_iter().take(10);
    let tail: String = digits.map(|byte| char::from(BASE32[usize::from(byte & 31)])).collect();
    format!("{prefix}-{tail}")
}

/// The number of lines at the top that are blank or the title with the day. Any other title is text.
pub(super) fn title_lines(lines: &[&str], day: Date) -> usize {
    let blank = |lines: &[&str]| lines.iter().take_while(|line| line.trim().is_empty()).count();
    let before = blank(lines);
    let title = lines.get(before).is_some_and(|line| is_title(line.as_bytes()) && line.contains(&day.to_string()));
    if title { before + 1 + blank(&lines[before + 1..]) } else { before }
}

/// The text without leading blank lines and trailing white space. Keeps the indentation of the first line.
pub(super) fn trimmed_block(text: &str) -> &str {
    let text = text.trim_end();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            break;
        }
        start += line.len();
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_bytes_are_told_by_line_and_line_ends_made_one_kind() {
        let mut imported = Imported::default();
        let text = decode(b"\xef\xbb\xbfone\r\ntw\xffo\r\n", Path::new("j.txt"), &mut imported);
        assert_eq!(text, "one\ntw\u{fffd}o\n");
        assert_eq!(imported.losses.iter().map(|loss| loss.line).collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn what_is_no_tag_stays_in_a_text_with_html() {
        let heart = "Broke up </3 and more\nsecond <3\n1 < 2, 3 > 2 & more";
        assert_eq!(html(heart), heart);
        assert_eq!(html("One </3\nTwo <b>bold</b>\nThree"), "One </3  \nTwo **bold**  \nThree");
        assert_eq!(html("<p>One &lt;3</p>\n<p>Two <unknown>x</p>"), "One <3\n\nTwo \\<unknown>x");
        assert_eq!(html("a &lt; b"), "a &lt; b");
        let code = "while n <i && m> i";
        assert_eq!(html(code), code);
        assert_eq!(html("<a href=\"x\">y</a><br/>z"), "[y](x)  \nz");
    }

    #[test]
    fn a_made_id_depends_on_every_part() {
        assert_eq!(made_id("jrnl", &["a", "bc"]), made_id("jrnl", &["a", "bc"]));
        assert_ne!(made_id("jrnl", &["a", "bc"]), made_id("jrnl", &["ab", "c"]));
        assert_eq!(made_id("jrnl", &[]).len(), "jrnl-".len() + 10);
    }

    #[test]
    fn a_wall_clock_time_gets_the_offset_of_its_season() {
        let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let spelled = |month: i8| wall_time(jiff::civil::date(2026, month, 10).at(9, 0, 0, 0), &zone).unwrap().written;
        assert_eq!(spelled(1), "2026-01-10T09:00:00+01:00");
        assert_eq!(spelled(7), "2026-07-10T09:00:00+02:00");
    }

    #[test]
    fn only_the_title_that_names_the_day_is_no_text() {
        let day = jiff::civil::date(2026, 5, 1);
        assert_eq!(title_lines(&["", "# Kioku — 2026-05-01", "", "text"], day), 3);
        assert_eq!(title_lines(&["# 2026-05-01", "# Thoughts"], day), 1);
        assert_eq!(title_lines(&["# Thoughts", "text"], day), 0);
        assert_eq!(title_lines(&[], day), 0);
    }

    #[test]
    fn a_block_keeps_its_indentation() {
        assert_eq!(trimmed_block("\n \n  - a\n    b\n\n"), "  - a\n    b");
        assert_eq!(trimmed_block(" \n\n"), "");
    }
}
