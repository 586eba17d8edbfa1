//! `kioku attach`: copies files into the journal and links them in an entry that exists.

use std::path::PathBuf;

use clap::Args;

use super::{Context, Done, Outcome, Run, write};
use crate::{
    arguments::located,
    journal::{Change, with_links},
};

/// Copy files into the journal and link them below an entry's text
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kioku attach k3v9q2mxwa tickets.pdf
  kioku add --attach lake.jpg 'By the lake.'       with a new entry")]
pub struct Attach {
    /// The entry's id, or its time as written
    id: String,
    /// Files to copy; equal files are stored once
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Attach files above 100 MB too
    #[arg(long)]
    any_size: bool,
}

impl Run for Attach {
    fn run(self, context: &mut Context) -> Outcome {
        let mut session = context.session()?;
        let base = located(&mut session, &self.id)?;
        let mut attachments = write::received(context, &self.paths, self.any_size)?;
        // A second `attach` of the same file changes nothing.
        let linked = base.attachments();
        attachments.retain(|attachment| !linked.contains(&attachment.target()));
        let change = Change { body: Some(with_links(&base.body, &attachments)), ..Change::default() };
        let edited = write::edit(session.vault(), &base, change, false, attachments)?;
        write::print_edited(context, edited);
        Ok(Done::Done)
    }
}
