//! Taking a model into the folder of models: copied or moved beside the others, tried, then visible in one step.

use std::{
    fs::{self, File},
    path::Path,
};

use super::{
    INCOMING, InstalledModel, ModelKind, VERSION, check_name, file_stamps, io, names::licence, settings, write_json,
    write_settings,
};
use crate::{
    embed::{
        EmbedError, Encoder, Result,
        bundled::Bundled,
        catalogue::{self, CatalogueModel},
        usage::{self, Card},
    },
    journal::files,
};

/// Copies a model into the folder of models, durably, after it has loaded and embedded a text. The same model under the
/// same name again is no error and changes nothing.
///
/// # Errors
/// A name with other characters than `a-z A-Z 0-9 . _ -`; a name that another model has; files that do not make a model.
pub fn install(source: &Path, models: &Path, name: &str) -> Result<InstalledModel> {
    let card = recognised(ModelKind::of(source), source)?;
    take_in(source, models, name, card.as_ref(), false)
}

/// Installs the files of a model of the catalogue, which are moved out of `source`.
#[cfg(feature = "network")]
pub(in crate::embed) fn install_fetched(
    source: &Path,
    models: &Path,
    name: &str,
    model: &CatalogueModel,
) -> Result<InstalledModel> {
    take_in(source, models, name, Some(&model.card()), true)
}

fn take_in(source: &Path, models: &Path, name: &str, card: Option<&Card>, moved: bool) -> Result<InstalledModel> {
    check_name(name)?;
    if Bundled::of(name).is_some() {
        return Err(EmbedError::model(name, "this is the name of a model that comes with kioku; choose another"));
    }
    let kind = ModelKind::of(source);
    let checksum = kind.checksum(source, &kind.usage(source, card)?)?;
    if let Ok(present) = settings(models, name) {
        return match present.checksum == checksum {
            true => Ok(present),
            false => Err(EmbedError::model(
                name,
                "another model of this name is installed; remove it or choose another name",
            )),
        };
    }
    let incoming = models.join(format!("{INCOMING}{name}"));
    // What an installation that was cut off has left.
    files::remove_dir(&incoming)?;
    let made = Incoming { kind, source, folder: &incoming, name, card, moved }.fill(checksum);
    let done = made.and_then(|model| {
        let target = models.join(name);
        // Only a folder without readable settings can be there: no model.
        files::remove_dir(&target)?;
        files::make_private(models)?;
        files::make_private_below(&incoming)?;
        files::rename(&incoming, &target)?;
        Ok(model)
    });
    if done.is_err() {
        let _ = fs::remove_dir_all(&incoming);
    }
    done
}

/// The card of a model from the catalogue, where these are its files and no card lies with them.
fn recognised(kind: ModelKind, source: &Path) -> Result<Option<Card>> {
    if kind != ModelKind::Bert || usage::card(source)?.is_some() {
        return Ok(None);
    }
    Ok(catalogue::recognise(source)?.map(CatalogueModel::card))
}

/// A model on its way into the folder of models.
struct Incoming<'a> {
    kind: ModelKind,
    source: &'a Path,
    folder: &'a Path,
    name: &'a str,
    /// To be laid beside its files.
    card: Option<&'a Card>,
    /// Its files need not stay where they are.
    moved: bool,
}

impl Incoming<'_> {
    fn fill(&self, checksum: String) -> Result<InstalledModel> {
        let Self { kind, folder, name, .. } = *self;
        self.copy_files()?;
        let usage = kind.usage(folder, None)?;
        if kind.checksum(folder, &usage)? != checksum {
            return Err(EmbedError::model(name, "its files changed while they were copied; install it again"));
        }
        let encoder = kind.load(folder, name, checksum.clone())?;
        probe(encoder.as_ref())?;
        let files = file_stamps(kind, folder)?;
        let model = InstalledModel {
            version: VERSION,
            name: name.to_owned(),
            kind,
            dimension: encoder.stamp().dimension,
            checksum,
            pooling: usage.pooling,
            prefixes: usage.prefixes,
            size: files.iter().map(|file| file.size).sum(),
            licence: licence(kind, folder),
            files,
        };
        write_settings(folder, &model)?;
        Ok(model)
    }

    fn copy_files(&self) -> Result<()> {
        let Self { source, folder, .. } = *self;
        fs::create_dir_all(folder).map_err(io("create folder", folder))?;
        let (files, more) = self.kind.files();
        for file in files {
            let (from, to) = (source.join(file), folder.join(file));
            match self.moved {
                true => fs::rename(&from, &to).map_err(io("rename", &from))?,
                false => copy(&from, &to)?,
            }
        }
        let texts = ["LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];
        for file in more.iter().chain(&texts).filter(|file| source.join(file).is_file()) {
            copy(&source.join(file), &folder.join(file))?;
        }
        self.card.map_or(Ok(()), |card| write_json(&folder.join(usage::CARD), card, self.name))
    }
}

/// A model that gives nothing for plain words is of no use.
fn probe(encoder: &dyn Encoder) -> Result<()> {
    let vectors = encoder.embed(&["tea by the river", "a letter to the bank"])?;
    let sound = |v: &Vec<f32>| v.len() == encoder.stamp().dimension && v.iter().any(|x| *x != 0.0);
    if !vectors.iter().all(sound) || vectors[0] == vectors[1] {
        return Err(EmbedError::model(
            &encoder.stamp().name,
            "it does not tell two plain sentences apart: it is damaged",
        ));
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(io("create folder", folder))?;
    }
    let mut source = File::open(from).map_err(io("read", from))?;
    let mut target = File::create(to).map_err(io("create", to))?;
    std::io::copy(&mut source, &mut target).and_then(|_| target.sync_all()).map_err(io("copy to", to))?;
    Ok(files::sync_folder(to.parent().unwrap_or(to))?)
}
