//! The program as a person calls it, in a folder of its own: nothing of the machine around it is
//! heard but where programs are.

use std::path::Path;
use std::process::{Command, Stdio};

/// The program, ready to run in a folder.
pub fn program(folder: &Path, home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memkeep"));
    command
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_STATE_HOME", home.join("state"))
        .env("XDG_CACHE_HOME", home.join("cache"))
        // Another program may have the machine to itself for a while.
        .env("MEMKEEP_HOOK_TIMEOUT", "600000")
        .stdin(Stdio::null());
    command
}
