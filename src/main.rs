//! The `memkeep` program: arguments in, exit code out.

use std::process::ExitCode;

/// Many threads read a store's files at once, each leaving holes behind: this allocator gives them
/// back, where the system's keeps a third more than is in use.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    memkeep::cli::main()
}
