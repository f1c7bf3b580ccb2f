//! Where files and folders went that are gone.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::lint::repository::{History, Meaning, Project};

/// How often a file is followed from one place to the next.
const MOST_MOVES: usize = 4;
/// Files of a folder that are followed to see where it went.
const MOST_FILES: usize = 200;
/// Names that say nothing of what a file is.
const COMMON: &[&str] = &[
    "readme", "index", "mod", "main", "lib", "__init__", "package", "config", "types", "utils",
    "test", "tests", "setup", "style", "styles", "settings", "cargo", "makefile", "route", "page",
];

/// Whether the name of a file says nothing of what it is.
pub(super) fn is_common(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    let stem = name.split('.').find(|part| !part.is_empty());
    COMMON.contains(&stem.unwrap_or_default().to_lowercase().as_str())
}

/// Where something is now, and what took it away.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The one place it went to.
    pub now: Option<String>,
    /// The file by whose commit it went.
    pub commit: Option<usize>,
    /// Files with its name, where git knows of no move.
    pub alike: Vec<String>,
}

/// Where everything went that was asked for.
#[derive(Default)]
pub(super) struct Places(HashMap<Meaning, Place>);

impl Places {
    /// Follows what these paths mean to where it is now.
    pub fn find(project: &dyn Project, history: &History, wanted: &HashSet<Meaning>) -> Self {
        let mut files: BTreeSet<usize> = BTreeSet::new();
        for meaning in wanted {
            match meaning {
                Meaning::File(at, _) => {
                    files.insert(*at);
                }
                Meaning::Folder(at, _) => {
                    files.extend(history.below(history.folder(*at)).take(MOST_FILES));
                }
                Meaning::Present | Meaning::Unknown => {}
            }
        }
        let moved = follow(project, history, files);
        let place = |meaning: &Meaning| match meaning {
            Meaning::File(at, _) => file(history, &moved, *at),
            Meaning::Folder(at, _) => folder(history, &moved, history.folder(*at)),
            Meaning::Present | Meaning::Unknown => Place::default(),
        };
        Self(wanted.iter().map(|one| (*one, place(one))).collect())
    }

    /// Where it went.
    pub fn of(&self, meaning: Meaning) -> Place {
        self.0.get(&meaning).cloned().unwrap_or_default()
    }
}

/// Where each of these files is now, as far as git can tell.
fn follow(
    project: &dyn Project,
    history: &History,
    files: BTreeSet<usize>,
) -> HashMap<usize, String> {
    let mut moved = HashMap::new();
    // Where each file has come to, by the file it was.
    let mut open: Vec<(usize, usize)> = files.into_iter().map(|file| (file, file)).collect();
    for _ in 0..MOST_MOVES {
        let unknown = open.iter().filter(|(_, at)| history.to(*at).is_none());
        let commits: BTreeSet<&str> = unknown
            .filter_map(|(_, at)| Some(history.commit(*at)?.id.as_ref()))
            .collect();
        let commits: Vec<&str> = commits.into_iter().collect();
        let renames = if commits.is_empty() {
            Vec::new()
        } else {
            project.renames(&commits)
        };
        let renames: HashMap<&str, &str> = renames
            .iter()
            .map(|rename| (rename.from.as_str(), rename.to.as_str()))
            .collect();
        let mut next = Vec::new();
        for (file, at) in open {
            let to = history.to(at);
            let to = to.or_else(|| renames.get(history.file(at)).copied());
            match to {
                Some(to) if history.is_file(to) => {
                    moved.insert(file, to.to_owned());
                }
                Some(to) => next.extend(history.gone(to).map(|to| (file, to))),
                None => {}
            }
        }
        open = next;
    }
    moved
}

fn file(history: &History, moved: &HashMap<usize, String>, at: usize) -> Place {
    let now = moved.get(&at).cloned();
    let name = history.file(at);
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let says = !is_common(name);
    let alike = match &now {
        None if says => history.named(name).take(2).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Place {
        now,
        commit: Some(at),
        // Two are no hint.
        alike: if alike.len() == 1 { alike } else { Vec::new() },
    }
}

/// A folder went where most of its files went, if they kept their places below it.
fn folder(history: &History, moved: &HashMap<usize, String>, folder: &str) -> Place {
    let files = history.below(folder);
    let count = files.clone().take(MOST_FILES).count();
    let newest = files.clone().max_by_key(|at| {
        let time = history.commit(*at).map(|commit| commit.time);
        (time, usize::MAX - at)
    });
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for at in files {
        let rest = history.file(at).get(folder.len()..).unwrap_or_default();
        let to = moved.get(&at).and_then(|to| to.strip_suffix(rest));
        if let Some(to) = to.filter(|to| !to.is_empty()) {
            *votes.entry(to).or_default() += 1;
        }
    }
    let best = votes.iter().max_by_key(|(_, votes)| **votes);
    let best = best.filter(|(to, votes)| **votes * 2 > count && history.is_folder(to));
    Place {
        now: best.map(|(to, _)| (*to).to_owned()),
        commit: newest,
        alike: Vec::new(),
    }
}
