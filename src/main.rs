use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(kioku::cli::run(std::env::args_os()))
}
