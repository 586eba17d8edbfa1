use std::process::ExitCode;

/// Gives memory back to the system: glibc's allocator keeps what each worker's arena once held, 1.4 GB after half an hour of use.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(kioku::cli::run(std::env::args_os()))
}
