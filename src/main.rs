//! The `memkeep` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    memkeep::cli::main()
}
