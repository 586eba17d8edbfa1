//! Export as an archive for the import of Day One: the JSON file, and the files that the entries link.
//!
//! A file is named by its MD5 and belongs to one of four lists of its entry; the text shows it by its identifier. Files
//! of other kinds stay links.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

use md5::{Digest, Md5};
use serde_json::{Value, json};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use crate::journal::{BodyHash, Entry, attachment::tail_of, files, is_image, with_links_replaced};

/// A kind of file in Day One.
struct Kind {
    /// The list in an entry.
    list: &'static str,
    folder: &'static str,
    /// The address in a text, before the identifier.
    address: &'static str,
}

const PHOTO: Kind = Kind { list: "photos", folder: "photos", address: "dayone-moment://" };
const VIDEO: Kind = Kind { list: "videos", folder: "videos", address: "dayone-moment:/video/" };
const AUDIO: Kind = Kind { list: "audios", folder: "audios", address: "dayone-moment:/audio/" };
const DOCUMENT: Kind = Kind { list: "pdfAttachments", folder: "pdfs", address: "dayone-moment:/pdfAttachment/" };

/// Writes the archive. `record` is an entry as in the JSON export. Returns the number of files.
pub(super) fn write(
    entries: &[Entry],
    record: fn(&Entry) -> Value,
    file: &dyn Fn(&str) -> Option<PathBuf>,
    out: &mut File,
) -> io::Result<usize> {
    let mut archive = ZipWriter::new(out);
    let mut written = BTreeSet::new();
    let mut records = Vec::with_capacity(entries.len());
    for entry in entries {
        records.push(with_files(entry, record, file, &mut archive, &mut written)?);
    }
    archive.start_file("Journal.json", SimpleFileOptions::default())?;
    crate::sanitize::write_json(&json!({"metadata": {"version": "1.0"}, "entries": records}), &mut archive)?;
    archive.finish()?;
    Ok(written.len())
}

fn with_files<W: Write + Seek>(
    entry: &Entry,
    record: fn(&Entry) -> Value,
    file: &dyn Fn(&str) -> Option<PathBuf>,
    archive: &mut ZipWriter<W>,
    written: &mut BTreeSet<String>,
) -> io::Result<Value> {
    let mut lists = json!({});
    let mut fault = None;
    let text = with_links_replaced(&entry.body, |path| {
        let (kind, extension) = kind_of(path)?;
        let from = file(path)?;
        let digest = md5_of(&from).map_err(|error| fault = Some(error)).ok()?;
        let inner = format!("{}/{digest}.{extension}", kind.folder);
        if written.insert(inner.clone()) {
            add(archive, &inner, &from).map_err(|error| fault = Some(error)).ok()?;
        }
        let id = BodyHash::of(format!("{}\n{path}", entry.id).as_bytes()).to_string()[..32].to_uppercase();
        let list = lists.as_object_mut()?.entry(kind.list).or_insert_with(|| json!([])).as_array_mut()?;
        if list.iter().all(|item| item["identifier"] != id) {
            let name = tail_of(path.rsplit('/').next().unwrap_or(path));
            let (type_of, name_of) = match kind.list {
                "audios" => ("format", "filename"),
                "pdfAttachments" => ("type", "pdfName"),
                _ => ("type", "filename"),
            };
            list.push(
                json!({"identifier": id, "md5": digest, type_of: extension, name_of: name, "orderInEntry": list.len()}),
            );
        }
        Some(format!("![]({}{id})", kind.address))
    });
    if let Some(error) = fault {
        return Err(error);
    }
    let mut record = record(&entry.with_body(&text));
    for (list, items) in lists.as_object_mut().into_iter().flatten() {
        record[list.as_str()] = items.take();
    }
    Ok(record)
}

/// The kind of a file, and the extension that Day One uses for it.
fn kind_of(path: &str) -> Option<(Kind, String)> {
    let extension = path.rsplit_once('.')?.1.to_lowercase();
    let kind = match extension.as_str() {
        _ if is_image(path) => PHOTO,
        "mp4" | "mov" | "m4v" => VIDEO,
        "m4a" | "aac" | "mp3" | "wav" => AUDIO,
        "pdf" => DOCUMENT,
        _ => return None,
    };
    Some((kind, if extension == "jpg" { "jpeg".to_owned() } else { extension }))
}

fn md5_of(path: &Path) -> io::Result<String> {
    let mut digest = Md5::new();
    let mut add = |part: &[u8]| {
        digest.update(part);
        Ok(())
    };
    files::hashed(&mut files::open_plain(path)?, path, u64::MAX, &mut add).map_err(io::Error::other)?;
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn add<W: Write + Seek>(archive: &mut ZipWriter<W>, name: &str, from: &Path) -> io::Result<()> {
    // Photos and films are compressed already; above 4 GB an entry needs the large format.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut file = files::open_plain(from)?;
    let is_large = file.metadata()?.len() >= u64::from(u32::MAX);
    archive.start_file(name, options.large_file(is_large))?;
    io::copy(&mut file, archive).map(drop)
}
