//! `kioku merge-file`: the merge driver that git runs for a file changed on two devices.

use std::path::PathBuf;

use clap::Args;

use super::{Context, Done, Failure, Outcome, Run, output};
use crate::{
    journal::{SYNC_CLASH, files, merge},
    report::Report,
};

/// Merge two versions of a day file by entry
#[derive(Debug, Args)]
#[command(
    after_help = "OURS is replaced by the result. Where both versions changed the same line of an entry, both lines stay.
Exits with 1 if the two could not be merged by entry; OURS then holds both between conflict markers.

`kioku sync init` installs it for git. By hand:
  git config merge.kioku.driver \"kioku merge-file %O %A %B %P\"
  echo '*.md -text merge=kioku' >> .gitattributes"
)]
pub struct MergeFile {
    /// The common ancestor; an empty file if there is none
    base: PathBuf,
    /// This device's version, which is replaced
    ours: PathBuf,
    /// The other device's version
    theirs: PathBuf,
    /// Path to name in messages
    path: Option<String>,
}

impl Run for MergeFile {
    const BY_OWN_LISTS: bool = false;

    fn run(self, _: &mut Context) -> Outcome {
        let read = |path: &PathBuf| match files::read(path)? {
            Some(bytes) => Ok(bytes),
            None => Err(Failure::from(Report::data(format!("{} does not exist", path.display())))),
        };
        let (base, ours, theirs) = (read(&self.base)?, read(&self.ours)?, read(&self.theirs)?);
        let merged = merge(&base, &ours, &theirs);
        if merged.bytes != ours {
            files::replace(&self.ours, &merged.bytes)?;
        }
        let path = self.path.unwrap_or_else(|| self.ours.display().to_string());
        for name in &merged.clashes {
            output::note(format_args!("{SYNC_CLASH}{name} in {path}"));
        }
        if merged.has_markers {
            return Err(Report::data(format!("{path} could not be merged by entry; both versions are in it"))
                .hint("run `kioku doctor --repair`")
                .into());
        }
        Ok(Done::Done)
    }
}
