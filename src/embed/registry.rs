//! The folder of installed models: one folder a model, with its files and `kioku-model.json`. The models inside the
//! program are among them, without a folder.
//!
//! The settings file keeps the checksum together with sizes and times of the files, so that loading does not have to
//! hash them; where size or time differ, they are hashed again.

mod install;
mod names;

use std::{fmt, fs, io::ErrorKind, path::Path, sync::Arc, time::UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{
    BertEncoder, EmbedError, Encoder, ModelStamp, Result, TableEncoder, bert,
    bundled::Bundled,
    io, reader, table,
    usage::{self, Card, Pooling, Prefixes, Usage},
};

use crate::journal::files;

pub use install::install;
#[cfg(feature = "network")]
pub(super) use install::install_fetched;
pub use names::name_of;

const SETTINGS: &str = "kioku-model.json";
const VERSION: u32 = 1;
/// Half-made installations; no model's name begins so.
const INCOMING: &str = ".incoming-";

/// What is known of an installed model without loading it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InstalledModel {
    version: u32,
    pub name: String,
    pub kind: ModelKind,
    pub dimension: usize,
    /// Lower-case hex of SHA-256 over all files that decide the vectors.
    pub checksum: String,
    pub pooling: Pooling,
    #[serde(default)]
    pub prefixes: Prefixes,
    /// Bytes of all files together.
    pub size: u64,
    /// As the model's own card says.
    pub licence: Option<String>,
    files: Vec<InstalledFile>,
}

/// What can load a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    Bert,
    /// A BERT model in one small file, as `kioku-lab shrink` makes them.
    Reader,
    /// A static table, as `kioku-lab distill` makes them.
    Table,
}

impl ModelKind {
    fn of(folder: &Path) -> Self {
        match folder {
            _ if folder.join(table::CARD).is_file() => Self::Table,
            _ if folder.join(reader::CARD).is_file() => Self::Reader,
            _ => Self::Bert,
        }
    }

    /// What a folder of this kind must hold, and what it may hold beside.
    fn files(self) -> (&'static [&'static str], &'static [&'static str]) {
        match self {
            Self::Bert => (&bert::FILES, &usage::FILES),
            Self::Reader => (&[reader::CARD, reader::WEIGHTS, reader::VOCABULARY], &[]),
            Self::Table => (&[table::CARD, table::WEIGHTS, table::VOCABULARY], &[]),
        }
    }

    /// How the model in a folder is used; a table knows one way.
    fn usage(self, folder: &Path, card: Option<&Card>) -> Result<Usage> {
        match (self, card) {
            (Self::Bert, Some(card)) => usage::read_with(folder, card),
            (Self::Bert, None) => usage::read(folder),
            (Self::Reader | Self::Table, _) => Ok(Usage { pooling: Pooling::Mean, prefixes: Prefixes::default() }),
        }
    }

    fn checksum(self, folder: &Path, usage: &Usage) -> Result<String> {
        match self {
            Self::Bert => bert::checksum(folder, usage),
            Self::Reader => reader::checksum(folder),
            Self::Table => Ok(TableEncoder::load(folder)?.stamp().checksum.clone()),
        }
    }

    fn load(self, folder: &Path, name: &str, checksum: String) -> Result<Arc<dyn Encoder>> {
        Ok(match self {
            Self::Bert => Arc::new(BertEncoder::load_as(folder, name, checksum)?),
            Self::Reader => Arc::new(reader::load(folder)?.named(name)),
            Self::Table => Arc::new(TableEncoder::load(folder)?.named(name)),
        })
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct InstalledFile {
    name: String,
    size: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

/// The models that come with kioku, then all installed ones by name, with those that cannot be read as errors.
pub fn list(models: &Path) -> Result<Vec<Result<InstalledModel>>> {
    let installed = names(models)?.into_iter().filter(|name| Bundled::of(name).is_none());
    Ok(Bundled::ALL.into_iter().map(bundled_model).chain(installed.map(|name| settings(models, &name))).collect())
}

fn bundled_model(model: Bundled) -> Result<InstalledModel> {
    let ModelStamp { name, checksum, dimension, .. } = model.stamp()?;
    Ok(InstalledModel {
        version: VERSION,
        name,
        kind: match model {
            Bundled::Table => ModelKind::Table,
            Bundled::Reader => ModelKind::Reader,
        },
        dimension,
        checksum,
        pooling: Pooling::Mean,
        prefixes: Prefixes::default(),
        size: model.size(),
        licence: model.licence()?,
        files: Vec::new(),
    })
}

fn names(models: &Path) -> Result<Vec<String>> {
    let folders = match fs::read_dir(models) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(io("read", models))?,
    };
    let mut names: Vec<String> = folders
        .filter_map(|folder| folder.ok().filter(|folder| folder.path().is_dir())?.file_name().into_string().ok())
        .filter(|name| check_name(name).is_ok())
        .collect();
    names.sort();
    Ok(names)
}

/// Whether a model has this name, sound or not.
pub fn has(models: &Path, name: &str) -> bool {
    Bundled::of(name).is_some() || check_name(name).is_ok() && models.join(name).join(SETTINGS).exists()
}

/// The stamp of a model, from its settings: loads no weights.
pub fn stamp(models: &Path, name: &str) -> Result<ModelStamp> {
    if let Some(model) = Bundled::of(name) {
        return model.stamp();
    }
    let model = settings(models, name)?;
    let in_sentence = model.kind != ModelKind::Table;
    Ok(ModelStamp { name: model.name, checksum: model.checksum, dimension: model.dimension, in_sentence })
}

/// Loads a model by name: about 0.2 s for 90 MB, some milliseconds for the table that comes with kioku.
///
/// # Errors
/// A model that is not there, files that are not those that were installed, and what loading itself finds.
pub fn load(models: &Path, name: &str) -> Result<Arc<dyn Encoder>> {
    if let Some(model) = Bundled::of(name) {
        return model.load();
    }
    load_installed(models, name).map_err(|error| mendable(name, error))
}

fn load_installed(models: &Path, name: &str) -> Result<Arc<dyn Encoder>> {
    let model = settings(models, name)?;
    let folder = models.join(name);
    let present = file_stamps(model.kind, &folder)?;
    if present != model.files {
        verify(models, name)?;
        // Copied or restored files: the times are new, the bytes are not. A folder that may not be written is no fault.
        let _ = write_settings(&folder, &InstalledModel { files: present, ..model.clone() });
    }
    let encoder = model.kind.load(&folder, name, model.checksum)?;
    if encoder.stamp().dimension != model.dimension {
        let found = encoder.stamp().dimension;
        return Err(again(name, format!("it gives {found} components where {} were installed", model.dimension)));
    }
    Ok(encoder)
}

/// Loads a model from any folder, of whichever kind it is, and hashes it.
pub fn open(folder: &Path) -> Result<Arc<dyn Encoder>> {
    let name = folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let kind = ModelKind::of(folder);
    kind.load(folder, &name, kind.checksum(folder, &kind.usage(folder, None)?)?)
}

/// Hashes a model's files and compares them with what was installed.
pub fn verify(models: &Path, name: &str) -> Result<()> {
    if let Some(model) = Bundled::of(name) {
        return model.load().map(|_| ());
    }
    let model = settings(models, name)?;
    let folder = models.join(name);
    let usage = model.kind.usage(&folder, None);
    let checksum = usage.and_then(|usage| model.kind.checksum(&folder, &usage));
    if checksum.map_err(|error| mendable(name, error))? != model.checksum {
        return Err(again(name, "its files are not those that were installed"));
    }
    Ok(())
}

/// What is wrong with the files of an installed model, with what helps.
fn mendable(name: &str, error: EmbedError) -> EmbedError {
    match error {
        EmbedError::Io { .. } | EmbedError::Damaged { .. } => again(name, error),
        other => other,
    }
}

/// Deletes an installed model. Vectors made with it stay with the journals.
pub fn remove(models: &Path, name: &str) -> Result<()> {
    check_name(name)?;
    if Bundled::of(name).is_some() {
        return Err(EmbedError::model(name, "it is part of kioku and stays; `kioku model use off` does without it"));
    }
    if !models.join(name).is_dir() {
        return Err(not_installed(models, name));
    }
    // Under another name first, so that no half of a model is left under its own.
    let leaving = models.join(format!("{INCOMING}{name}"));
    files::remove_dir(&leaving)?;
    files::rename(&models.join(name), &leaving)?;
    Ok(files::remove_dir(&leaving)?)
}

fn settings(models: &Path, name: &str) -> Result<InstalledModel> {
    check_name(name)?;
    let path = models.join(name).join(SETTINGS);
    let text = match fs::read(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(not_installed(models, name)),
        other => other.map_err(io("read", &path))?,
    };
    let model: InstalledModel =
        serde_json::from_slice(&text).map_err(|_| again(name, format!("{} is damaged", path.display())))?;
    if model.version != VERSION {
        return Err(again(name, "it was installed by another version of kioku"));
    }
    Ok(model)
}

fn not_installed(models: &Path, name: &str) -> EmbedError {
    let known = Bundled::ALL.map(|model| model.name().to_owned()).into_iter().chain(names(models).unwrap_or_default());
    let known = known.filter(|known| known != name).collect();
    EmbedError::NotInstalled { name: name.to_owned(), models: models.to_path_buf(), known }
}

fn again(name: &str, reason: impl fmt::Display) -> EmbedError {
    let advice = format!("remove it with `kioku model remove {name}` and install it again");
    EmbedError::model(name, format!("{reason}; {advice}"))
}

fn check_name(name: &str) -> Result<()> {
    let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(sound) {
        let rule = "a model's name has letters, digits, `.`, `_` and `-`, and does not begin with a dot";
        return Err(EmbedError::model(name, rule));
    }
    Ok(())
}

fn file_stamps(kind: ModelKind, folder: &Path) -> Result<Vec<InstalledFile>> {
    let mut stamps = Vec::new();
    let (files, more) = kind.files();
    for name in files.iter().chain(more) {
        let path = folder.join(name);
        let data = match fs::metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound && more.contains(name) => continue,
            other => other.map_err(io("read", &path))?,
        };
        let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.map_or(0, |since| since.as_nanos() as u64);
        stamps.push(InstalledFile { name: (*name).to_owned(), size: data.len(), modified });
    }
    Ok(stamps)
}

fn write_settings(folder: &Path, model: &InstalledModel) -> Result<()> {
    write_json(&folder.join(SETTINGS), model, &model.name)
}

/// Writes a small file whole, durably.
fn write_json(path: &Path, value: &impl Serialize, model: &str) -> Result<()> {
    let text = serde_json::to_vec_pretty(value).map_err(|error| EmbedError::model(model, error))?;
    Ok(files::replace(path, &text)?)
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
