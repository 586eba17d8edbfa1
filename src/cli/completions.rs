//! `kioku completions`: a shell script generated from the command tree.

use clap::Args;
use clap_complete::Shell;

use super::{Context, Done, Outcome, Run};

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kioku completions bash > ~/.local/share/bash-completion/completions/kioku
  kioku completions zsh  > ~/.zfunc/_kioku
  kioku completions fish > ~/.config/fish/completions/kioku.fish")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

impl Run for Completions {
    const BY_OWN_LISTS: bool = false;

    fn run(self, context: &mut Context) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut (context.commands)(), "kioku", &mut script);
        context.out.bytes(&script);
        Ok(Done::Done)
    }
}
