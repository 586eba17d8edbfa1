//! Installed models, and the chosen one.

use std::{path::Path, sync::Arc};

use crate::{
    cli::{Context, Failure, output},
    config::{self, ModelChoice},
    embed::{
        EmbedError, Encoder,
        registry::{self, InstalledModel},
    },
    journal::files,
    report::Report,
};

/// The note after a model is chosen.
pub const TAKES_OVER: &str = "kioku embeds the journal with it in the background, `kioku index` does so at once; the old \
                          model answers until then";

/// Stores the choice. The configuration file takes precedence, and is never changed by kioku.
pub fn choose(context: &Context, name: &str) -> Result<(), Failure> {
    files::create_dir(&context.paths.state())?;
    files::replace(&config::model_choice_file(&context.paths), format!("{name}\n").as_bytes())?;
    if context.config.model != ModelChoice::Unsaid {
        let path = context.paths.config.display();
        output::warn(format_args!("`model` in {path} takes precedence: change it there"));
    }
    Ok(())
}

/// A model by name or folder, or the one in use.
pub fn chosen(context: &Context, named: Option<&str>) -> Result<Arc<dyn Encoder>, Report> {
    let models = context.paths.models();
    Ok(match named {
        Some(folder) if Path::new(folder).is_dir() => registry::open(Path::new(folder))?,
        Some(name) => registry::load(&models, name)?,
        None => match context.session_options().model {
            Some(name) => registry::load(&models, &name)?,
            None => return Err(Report::data("no model is in use").hint("`kioku model use NAME` chooses one")),
        },
    })
}

/// The installed models, and the errors of those that cannot be read.
pub fn installed(context: &Context) -> Result<(Vec<InstalledModel>, Vec<EmbedError>), Failure> {
    let mut broken = Vec::new();
    let all = registry::list(&context.paths.models())?.into_iter();
    let models = all.filter_map(|model| model.map_err(|error| broken.push(error)).ok()).collect();
    Ok((models, broken))
}
