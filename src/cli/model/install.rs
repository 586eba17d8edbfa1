//! `kioku model install`: installs a model from a folder, or downloads a known one after confirmation.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use clap::Args;

use super::choice::{TAKES_OVER, choose};
use crate::{
    cli::{Context, Done, Failure, Outcome, Run, output, prompt},
    config::{self, ModelChoice},
    embed::{
        catalogue::{self, CatalogueModel},
        registry::{self, InstalledModel},
    },
    report::Report,
};

/// Install a model from a folder, or download one by name
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub struct Install {
    /// The folder of a model as published (model.safetensors, tokenizer.json, config.json), or a name from below
    #[arg(value_name = "FOLDER | NAME")]
    model: String,
    /// Name of the model [default: from its card or folder]
    #[arg(long)]
    name: Option<String>,
    /// Download without asking
    #[arg(long)]
    yes: bool,
    /// Download from this mirror
    #[arg(long, value_name = "ADDRESS")]
    base: Option<String>,
}

fn after_help() -> String {
    let mut text = "By name, over HTTPS, with size and SHA-256 checked:\n".to_owned();
    for CatalogueModel { name, licence, about, .. } in &catalogue::MODELS {
        let size = catalogue::find(name).map_or(0, CatalogueModel::size);
        text += &format!("  {name:<22} {:>9}  {licence}, {about}\n", output::bytes(size));
    }
    text + "Downloads start only after confirmation."
}

impl Run for Install {
    fn run(self, context: &mut Context) -> Outcome {
        let model = match (Path::new(&self.model).is_dir(), catalogue::find(&self.model)) {
            (true, _) => self.copy_in(context),
            (false, Some(known)) => self.by_name(context, known),
            (false, None) => Err(unknown(&self.model).into()),
        }?;
        let first = context.config.model == ModelChoice::Unsaid && !config::model_choice_file(&context.paths).exists();
        if first {
            choose(context, &model.name)?;
            output::note(format_args!("now in use: {TAKES_OVER}"));
        } else {
            output::note(format_args!("use it with `kioku model use {}`", model.name));
        }
        context.out.line(&model.name);
        Ok(Done::Done)
    }
}

impl Install {
    fn copy_in(&self, context: &Context) -> Result<InstalledModel, Failure> {
        let folder = PathBuf::from(&self.model);
        let named = match &self.name {
            Some(name) => Some(name.clone()),
            None => registry::name_of(&folder)?,
        };
        let name = named.ok_or_else(|| Report::usage("the folder has no name").hint("pass --name"))?;
        Ok(registry::install(&folder, &context.paths.models(), &name)?)
    }

    fn by_name(&self, context: &Context, model: &'static CatalogueModel) -> Result<InstalledModel, Failure> {
        let name = self.name.as_deref().unwrap_or(model.name);
        if registry::has(&context.paths.models(), name) {
            return Err(Report::data(format!("a model called {name} is already installed"))
                .hint(format!("`kioku model use {name}`; or `kioku model remove {name}` first; or --name"))
                .into());
        }
        let base = self.base.as_deref().or(context.config.models_base.as_deref()).unwrap_or(catalogue::BASE);
        self.agree(model, base)?;
        fetch(context, model, base, name)
    }

    /// Asks for confirmation before a download.
    fn agree(&self, model: &CatalogueModel, base: &str) -> Result<(), Report> {
        if self.yes {
            return Ok(());
        }
        let size = output::bytes(model.size());
        if !io::stdin().is_terminal() {
            return Err(Report::usage(format!("downloading {} ({size} from {base}) needs confirmation", model.name))
                .hint("pass --yes to confirm without a prompt"));
        }
        let CatalogueModel { name, licence, repository, .. } = model;
        let question = format_args!("Download {name} ({licence}): {size} from {base}/{repository}? [y/N] ");
        prompt::agree(question, "nothing downloaded")
    }
}

fn unknown(name: &str) -> Report {
    let names: Vec<&str> = catalogue::MODELS.iter().map(|model| model.name).collect();
    let report = Report::data(format!("`{name}` is neither a folder nor one of {}", names.join(", ")));
    report.nearest(name, names, "give the folder of a model: model.safetensors, tokenizer.json, config.json")
}

#[cfg(feature = "network")]
fn fetch(context: &Context, model: &'static CatalogueModel, base: &str, name: &str) -> Result<InstalledModel, Failure> {
    use crate::{cli::output::ProgressLine, embed::download};
    let mut line = ProgressLine::stderr();
    let mut told = None;
    let fetched = download::download(model, base, &context.paths.models(), name, &mut |progress| {
        let thousandth = progress.done * 1000 / progress.of.max(1);
        if told != Some(thousandth) {
            told = Some(thousandth);
            line.show(bar(progress.file, progress.done, progress.of));
        }
        true
    });
    drop(line);
    Ok(fetched?)
}

#[cfg(not(feature = "network"))]
fn fetch(_: &Context, model: &'static CatalogueModel, _: &str, _: &str) -> Result<InstalledModel, Failure> {
    Err(Report::data("this kioku was built without the network")
        .hint(format!("download the files of {} and pass their folder", model.repository))
        .into())
}

/// A progress bar of at most 79 columns: `model.safetensors ████────── 45.4 MB of 91.3 MB`.
#[cfg(feature = "network")]
fn bar(file: &str, done: u64, of: u64) -> String {
    const CELLS: u64 = 24;
    let full = (done * CELLS / of.max(1)).min(CELLS) as usize;
    let (full, rest) = ("█".repeat(full), "─".repeat(CELLS as usize - full));
    format!("{file:<17} {full}{rest} {} of {}", output::bytes(done), output::bytes(of))
}

#[cfg(all(test, feature = "network"))]
mod tests {
    use super::*;

    #[test]
    fn the_bar_is_as_long_empty_as_full() {
        use unicode_width::UnicodeWidthStr;
        assert_eq!(
            bar("config.json", 0, 900).width() + 2,
            bar("config.json", 900, 900).width(),
            "three digits, not one"
        );
        assert!(bar("model.safetensors", 470_641_600, 487_724_985).width() < 80);
    }
}
