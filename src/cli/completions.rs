//! `kioku completions`: a shell script generated from the command tree, which asks `kioku __complete` for moods, tags,
//! ids and other values.

use clap::Args;
use clap_complete::Shell;

use super::{Context, Done, Outcome, Run};

/// Print the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  mkdir -p ~/.local/share/bash-completion/completions ~/.zfunc ~/.config/fish/completions
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
        let script = with_values(self.shell, String::from_utf8_lossy(&script).into_owned());
        context.out.bytes(script.as_bytes());
        Ok(Done::Done)
    }
}

/// The start of the generated function of bash and zsh.
const START: &str = "_kioku() {\n";

/// Words are split at spaces only: bash also splits ids at colons, and expects the part behind the last of them.
const BASH: &str = r#"_kioku_values() {
    local line="${COMP_LINE:0:COMP_POINT}" value
    local -a words found
    read -ra words <<< "$line"
    [[ "$line" == *[[:space:]] ]] && words+=("")
    local word="${words[${#words[@]}-1]}"
    local before="${word%"$2"}"
    [[ "$word" == "$before" && -n "$2" ]] && before=""
    while IFS=$'\t' read -r value _; do
        value="${value#"$before"}"
        [[ "$2" == [\"\']* ]] || printf -v value '%q' "$value"
        found+=("$value")
    done < <("$1" __complete -- "${words[@]:1}" 2>/dev/null)
    (( ${#found[@]} )) || return 1
    COMPREPLY=("${found[@]}")
}

"#;

const ZSH: &str = r#"_kioku_values() {
    local -a found
    found=("${(@f)$(_call_program values ${(q)words[1]} __complete -- "${(@q)words[2,CURRENT-1]}" ${(q)${PREFIX:-''}} 2>/dev/null)}")
    [[ -n "$found[1]" ]] || return 1
    local -a values
    values=("${(@)found%%$'\t'*}")
    found=("${(@)found/$'\t'/  -- }")
    compadd -V values -l -d found -a values
}

"#;

const FISH: &str = r#"
function __fish_kioku_values
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c kioku -l mood -x -a '(__fish_kioku_values)'
complete -c kioku -l tag -x -a '(__fish_kioku_values)'
complete -c kioku -l journal -x -a '(__fish_kioku_values)'
complete -c kioku -k -a '(__fish_kioku_values)'
"#;

/// The generated script, which first asks kioku for values.
fn with_values(shell: Shell, script: String) -> String {
    match shell {
        Shell::Bash => script.replacen(START, &format!("{BASH}{START}    _kioku_values \"$@\" && return 0\n"), 1),
        Shell::Zsh => script.replacen(START, &format!("{ZSH}{START}    _kioku_values && return 0\n"), 1),
        Shell::Fish => script + FISH,
        _ => script,
    }
}
