//! `kioku man`: manual pages in roff, generated from the command tree.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;

use super::{Context, Done, Failure, Outcome, Run, counted, output, user_files};

/// Print the manual page kioku(1), or write the pages of all commands
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kioku man | man -l -
  kioku man --out ~/.local/share/man/man1")]
pub struct ManVerb {
    /// Folder for a page per command: kioku.1, kioku-add.1, ...
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace files that exist already
    #[arg(long, requires = "out")]
    force: bool,
}

impl Run for ManVerb {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        let mut command = (context.commands)();
        command.build();
        let Some(folder) = self.out else {
            context.out.bytes(&roff(&command)?);
            return Ok(Done::Done);
        };
        let mut documents = Vec::new();
        pages(&command, &mut |name, page| documents.push((folder.join(format!("{name}.1")), page)))?;
        user_files::write_all(context, &folder, &documents, &[], self.force)?;
        output::note(format_args!("{} in {}", counted(documents.len(), "page", "pages"), folder.display()));
        Ok(Done::Done)
    }
}

/// The pages of a command and of those below it, each with its name.
fn pages(command: &Command, add: &mut impl FnMut(String, Vec<u8>)) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    add(name, roff(command)?);
    command.get_subcommands().filter(|below| !below.is_hide_set()).try_for_each(|below| pages(below, add))
}

fn roff(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(|error| Failure::of_output(&error))?;
    Ok(page)
}
