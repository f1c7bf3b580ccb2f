//! Starting programs: git, the person's editor, the desktop's clipboard, the model's command.

use std::ffi::{OsStr, OsString};
use std::process::Command;

/// A file without content, below which there is nothing.
pub(super) const NOWHERE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// A program to start. It is looked up in the absolute folders of `PATH` alone, and so is what it
/// starts: any other folder would be one of the repository.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    let path = std::env::var_os("PATH").as_deref().and_then(absolute);
    command.envs(path.map(|path| ("PATH", path)));
    command
}

/// A search path without its relative folders; none if it has no such folder.
fn absolute(path: &OsStr) -> Option<OsString> {
    let (mut kept, relative): (Vec<_>, Vec<_>) =
        std::env::split_paths(path).partition(|folder| folder.is_absolute());
    if kept.is_empty() {
        // An empty path would stand for the working directory.
        kept.push(NOWHERE.into());
    }
    let path = std::env::join_paths(kept).ok();
    path.filter(|_| !relative.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn programs_are_not_looked_for_in_relative_folders() {
        let kept = |path: &str| absolute(OsStr::new(path));
        assert_eq!(kept("/usr/bin:/bin"), None);
        assert_eq!(kept(".:/usr/bin:").unwrap(), "/usr/bin");
        assert_eq!(kept("").unwrap(), "/dev/null");
    }
}
