//! Names of a model in its files, and its licence.

use std::{fs, path::Path};

use super::{ModelKind, check_name};
use crate::embed::{Result, catalogue, reader, table, usage};

/// What to call the model in a folder: as its card says, or the heading of its README. A folder called `model` says
/// nothing: then the configuration may, although it often names what the model was made from.
pub fn name_of(folder: &Path) -> Result<Option<String>> {
    let kind = ModelKind::of(folder);
    let of_card = match kind {
        ModelKind::Table => Some(table::read_card(folder)?.name),
        ModelKind::Reader => Some(reader::read_card(folder)?.name),
        ModelKind::Bert => match usage::card(folder)?.and_then(|card| card.name) {
            Some(name) => Some(name),
            None => catalogue::recognise(folder)?.map(|model| model.name.to_owned()),
        },
    };
    let of_folder = || folder.canonicalize().ok()?.file_name()?.to_str().map(str::to_owned);
    let is_name = |name: &String| check_name(name).is_ok();
    let known = of_card.or_else(|| heading(folder)).filter(is_name);
    let telling = of_folder().filter(|name| is_name(name) && !says_nothing(name));
    Ok(known.or(telling).or_else(|| base_name(folder).filter(is_name)).or_else(of_folder))
}

/// Folder names as tools give them: `model`, or the hash of a revision.
fn says_nothing(name: &str) -> bool {
    let generic = ["model", "models", "main", "snapshot", "download", "export", "out", "output", "weights"];
    let hash = name.len() >= 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    hash || generic.contains(&name.to_lowercase().as_str())
}

/// The first heading of the README.
fn heading(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("README.md")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("# ")).map(|heading| heading.trim().to_owned())
}

/// `_name_or_path` of the configuration, without the owner.
fn base_name(folder: &Path) -> Option<String> {
    let config: serde_json::Value = serde_json::from_slice(&fs::read(folder.join("config.json")).ok()?).ok()?;
    let name = config.get("_name_or_path")?.as_str()?;
    name.rsplit('/').find(|part| !part.is_empty()).map(str::to_owned)
}

/// As kioku's card or the front matter of the README says.
pub(super) fn licence(kind: ModelKind, folder: &Path) -> Option<String> {
    match kind {
        ModelKind::Table => table::read_card(folder).ok()?.licence,
        ModelKind::Reader => reader::read_card(folder).ok()?.licence,
        ModelKind::Bert => usage::card(folder).ok()?.and_then(|card| card.licence),
    }
    .or_else(|| front_matter_licence(folder))
}

/// `license:`, as model hubs have it.
fn front_matter_licence(folder: &Path) -> Option<String> {
    let card = fs::read_to_string(folder.join("README.md")).ok()?;
    let mut lines = card.lines();
    (lines.next()?.trim() == "---").then_some(())?;
    let line = lines.take_while(|line| line.trim() != "---").find_map(|line| line.strip_prefix("license:"))?;
    let licence = line.trim().trim_matches(['"', '\'']);
    (!licence.is_empty()).then(|| licence.to_owned())
}
