//! The `memkeep` program: arguments in, exit code out.

fn main() {}
