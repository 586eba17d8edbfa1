//! `kioku model`: the embedding models installed on this machine, and which one is in use.

pub mod choice;
mod embed;
mod install;

use clap::Args;
use serde::Serialize;

use self::choice::{TAKES_OVER, choose, installed};
use super::{Context, Done, Outcome, Output, Run, command::verbs, output};
use crate::{
    config,
    embed::{
        Pooling, Prefixes,
        registry::{self, InstalledModel},
    },
    report::Report,
};

/// List, install and choose embedding models
#[derive(Debug, Args)]
pub struct Model {
    #[command(subcommand)]
    verb: ModelVerb,
}

verbs! { ModelVerb: List(List), Use(Use), Install(install::Install), Remove(Remove), Embed(embed::Embed) }

impl Run for Model {
    fn run(self, context: &mut Context) -> Outcome {
        self.verb.run(context)
    }
}

/// List installed models
#[derive(Debug, Args)]
struct List {
    /// Read every model file again and compare it with what was installed
    #[arg(long)]
    verify: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Models {
    in_use: Option<String>,
    models: Vec<ModelRow>,
}

#[derive(Debug, Serialize)]
struct ModelRow {
    name: String,
    dimension: usize,
    checksum: String,
    size: u64,
    licence: Option<String>,
    pooling: Pooling,
    prefixes: Prefixes,
}

impl Run for List {
    fn run(self, context: &mut Context) -> Outcome {
        let in_use = context.session_options().model;
        let (models, mut broken) = installed(context)?;
        if self.verify {
            let folder = context.paths.models();
            broken.extend(models.iter().filter_map(|model| registry::verify(&folder, &model.name).err()));
        }
        let models = models.into_iter().map(ModelRow::from).collect();
        let done = context.answer(&Models { in_use, models }, self.json, print_models);
        context.out.flush()?;
        broken.iter().for_each(output::warn);
        match broken.len() {
            0 => done,
            several => Err(Report::data(format!("{several} models are damaged"))
                .hint("run `kioku model remove NAME`, then install it again")
                .into()),
        }
    }
}

fn print_models(out: &mut Output, models: &Models) {
    for ModelRow { name, dimension, checksum, size, licence, pooling, prefixes } in &models.models {
        let mark = if models.in_use.as_ref() == Some(name) { "*" } else { " " };
        let (name, size) = (out.bold(name), output::bytes(*size));
        let licence = licence.as_deref().unwrap_or("licence unknown");
        let checksum = checksum.get(..12).unwrap_or(checksum);
        out.line(format_args!("{mark} {name}  {dimension} dimensions, {size}, {licence}, {checksum}"));
        let before = |what, prefix: &str| match prefix {
            "" => String::new(),
            prefix => format!(", {prefix:?} before a {what}"),
        };
        let (query, passage) = (before("query", &prefixes.query), before("passage", &prefixes.passage));
        let line = format!("    {}{query}{passage}", pooling.word());
        out.line(out.dim(&out.safe(&line)));
    }
    if let Some(missing) = models.in_use.as_ref().filter(|name| models.models.iter().all(|model| model.name != **name))
    {
        output::warn(format_args!("`{missing}` is not installed: search by meaning is off"));
    }
}

impl From<InstalledModel> for ModelRow {
    fn from(model: InstalledModel) -> Self {
        let InstalledModel { name, dimension, checksum, size, licence, pooling, prefixes, .. } = model;
        Self { name, dimension, checksum, size, licence, pooling, prefixes }
    }
}

/// Choose the model of every journal of this home folder
#[derive(Debug, Args)]
struct Use {
    /// An installed model, or `off`: no search by meaning
    name: String,
}

impl Run for Use {
    fn run(self, context: &mut Context) -> Outcome {
        let (models, _) = installed(context)?;
        let known: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
        if self.name != config::NO_MODEL && !known.contains(&self.name.as_str()) {
            let report = Report::not_found(format!("no model `{}` is installed", self.name));
            let otherwise = "see `kioku model list`; install with `kioku model install`";
            return Err(report.nearest(&self.name, known, otherwise).into());
        }
        if self.name != config::NO_MODEL {
            // Load the model first: one that cannot be loaded is not chosen.
            registry::load(&context.paths.models(), &self.name)?;
        }
        choose(context, &self.name)?;
        if self.name != config::NO_MODEL {
            output::note(TAKES_OVER);
        }
        Ok(Done::Done)
    }
}

/// Delete an installed model; journals are unaffected
#[derive(Debug, Args)]
struct Remove {
    name: String,
}

impl Run for Remove {
    fn run(self, context: &mut Context) -> Outcome {
        let in_use = context.session_options().model.as_deref() == Some(&self.name);
        registry::remove(&context.paths.models(), &self.name)?;
        if in_use {
            output::note("it was in use: search by meaning is off until `kioku model use NAME`");
        }
        Ok(Done::Done)
    }
}
