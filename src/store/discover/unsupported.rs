//! Memories of systems that memkeep knows and cannot read yet: whoever expected a store is told
//! that they were seen.

use std::fs;
use std::path::{Path, PathBuf};

use super::place::{clean, expand};
use crate::store::Scope;

/// A place of a format: below a project, or below a person's home.
type KnownPlace = (&'static str, Scope, &'static str);

/// The formats that are not supported yet, with their places, in the order in which they are named.
static PLACES: &[KnownPlace] = &[
    ("claude", Scope::Project, ".claude/memory"),
    ("claude", Scope::Project, ".claude/agent-memory/*"),
    ("serena", Scope::Project, ".serena/memories"),
    ("memory-bank", Scope::Project, "memory-bank"),
    ("cursor", Scope::Project, ".cursor/rules"),
    ("copilot", Scope::Project, ".github/instructions"),
    ("copilot", Scope::Project, ".github/copilot-instructions.md"),
    ("kiro", Scope::Project, ".kiro/steering"),
    ("cline", Scope::Project, ".clinerules"),
    ("windsurf", Scope::Project, ".windsurf/rules"),
    ("roo", Scope::Project, ".roo/rules"),
    ("augment", Scope::Project, ".augment/rules"),
    ("trae", Scope::Project, ".trae/rules"),
    ("junie", Scope::Project, ".junie/guidelines.md"),
    ("openhands", Scope::Project, ".openhands/microagents"),
    ("claude", Scope::User, ".claude/agent-memory/*"),
];

/// Claude's folder of a project below a person's home: its name is the path of the project with a
/// `-` for whatever is no letter or digit.
fn of_claude(home: &Path, folder: &Path) -> PathBuf {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = folder.to_string_lossy().chars().map(plain).collect();
    home.join(".claude/projects").join(name).join("memory")
}

/// The places below these folders and below the person's home that are there.
pub(super) fn unsupported(folders: &[PathBuf]) -> Vec<(PathBuf, &'static str)> {
    seen(folders, etcetera::home_dir().ok().as_deref())
}

/// The places below these folders and below a home that are there, each with its format.
fn seen(folders: &[PathBuf], home: Option<&Path>) -> Vec<(PathBuf, &'static str)> {
    let mut found: Vec<(PathBuf, &'static str)> = Vec::new();
    let of_scope = |scope| PLACES.iter().filter(move |(_, own, _)| *own == scope);
    for folder in folders {
        for (format, _, place) in of_scope(Scope::Project) {
            found.extend(
                expand(folder, place)
                    .into_iter()
                    .map(|path| (path, *format)),
            );
        }
    }
    if let Some(home) = home {
        let own = folders.iter().map(|folder| of_claude(home, &clean(folder)));
        found.extend(own.map(|path| (path, "claude")));
        for (format, _, place) in of_scope(Scope::User) {
            found.extend(expand(home, place).into_iter().map(|path| (path, *format)));
        }
    }
    found.retain(|(path, _)| fs::metadata(path).is_ok());
    found.sort_unstable();
    found.dedup();
    found
}

/// The format of a path that is a place of it, or of the first one below it.
pub(super) fn format_at(path: &Path) -> Option<&'static str> {
    let ends = |(_, _, place): &&KnownPlace| super::place::above(path, place).is_some();
    let own = PLACES.iter().find(ends).map(|(format, ..)| *format);
    own.or_else(|| Some(seen(&[path.to_owned()], None).first()?.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_place_is_seen_with_its_format() {
        let (project, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = project.path().canonicalize().unwrap();
        let look = || seen(std::slice::from_ref(&folder), Some(home.path()));
        assert_eq!(look(), []);
        for (_, scope, place) in PLACES {
            let base = match scope {
                Scope::Project => &folder,
                Scope::User => home.path(),
            };
            fs::create_dir_all(base.join(place.replace('*', "one"))).unwrap();
        }
        fs::create_dir_all(of_claude(home.path(), &folder)).unwrap();
        let found = look();
        assert_eq!(found.len(), PLACES.len() + 1, "{found:?}");
        for (path, format) in &found {
            if path.starts_with(&folder) {
                assert_eq!(format_at(path), Some(*format), "{path:?}");
            }
        }
        assert_eq!(format_at(&folder), Some("augment"));
    }
}
