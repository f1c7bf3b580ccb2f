//! New locations of missing files and folders, according to git.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::lint::repository::{History, Meaning, Project};
use crate::text::mentions::last as last_part;
use crate::text::word_lists::Words;

/// How often a file is followed from one place to the next.
const MOST_MOVES: usize = 4;
/// Files of a folder that are followed to see where it went.
const MOST_FILES: usize = 200;
/// Names that many files have.
static COMMON: Words = Words::named("common-files");
/// Folders and endings of what programs write, which no repository keeps for long.
static MADE: [Words; 2] = [Words::named("made-folders"), Words::named("made-endings")];

/// True if many files have the name of this one.
pub(super) fn is_common(path: &str) -> bool {
    let stem = last_part(path).split('.').find(|part| !part.is_empty());
    COMMON.has(&stem.unwrap_or_default().to_lowercase())
}

/// True if programs write a path while they run.
pub(super) fn is_made(path: &str) -> bool {
    let [folders, endings] = &MADE;
    let ending = last_part(path).rsplit('.').next();
    path.split('/').any(|part| folders.has(part)) || ending.is_some_and(|end| endings.has(end))
}

/// Current location of a file or folder, and the commits that moved it there.
#[derive(Clone, Debug, Default)]
pub(super) struct Whereabouts {
    /// Its path now, where there is one.
    pub now: Option<String>,
    /// The gone file whose commit brought it there, or removed it for good.
    pub commit: Option<usize>,
    /// The gone file whose commit took it from where the memory has it.
    pub left: Option<usize>,
    /// The files that it may be now: several that git cannot tell apart, or the one with its name.
    pub alike: Vec<String>,
}

/// The whereabouts of gone paths: follows them to where they are now. `own` tells the files of
/// stores, which take the place of no other file.
pub(super) fn find(
    (project, history): (&dyn Project, &History),
    wanted: HashSet<Meaning>,
    own: &dyn Fn(&str) -> bool,
) -> HashMap<Meaning, Whereabouts> {
    let files = |meaning: &Meaning| match meaning {
        Meaning::File(at, _) => *at..*at + 1,
        Meaning::Folder(at, _) => {
            let files = history.gone.below(history.gone_folders.at(*at));
            files.start..files.end.min(files.start + MOST_FILES)
        }
        Meaning::Present | Meaning::Unknown => 0..0,
    };
    let all = wanted.iter().flat_map(files).collect();
    let trails = follow((project, history), all);
    let place = |meaning: Meaning| match meaning {
        Meaning::File(at, _) => file((history, own), &trails, at),
        Meaning::Folder(at, _) => folder(history, &trails, history.gone_folders.at(at)),
        Meaning::Present | Meaning::Unknown => Whereabouts::default(),
    };
    wanted.into_iter().map(|one| (one, place(one))).collect()
}

/// Follows each of these files from move to move.
fn follow(
    (project, history): (&dyn Project, &History),
    files: BTreeSet<usize>,
) -> HashMap<usize, Whereabouts> {
    let mut trails: HashMap<usize, Whereabouts> = HashMap::new();
    // Current position of each file, by the original file.
    let mut open: Vec<(usize, usize)> = files.into_iter().map(|file| (file, file)).collect();
    for _ in 0..MOST_MOVES {
        let unknown = open.iter().filter(|(_, at)| history.to(*at).is_none());
        let commits = unknown.filter_map(|(_, at)| Some(history.commit(*at)?.id.as_ref()));
        let commits: Vec<&str> = commits.collect::<BTreeSet<_>>().into_iter().collect();
        let renames = match commits.is_empty() {
            true => Vec::new(),
            false => project.renames(&commits),
        };
        let mut places: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for one in &renames {
            places.entry(&one.from).or_default().insert(&one.to);
        }
        let mut next = Vec::new();
        for (file, at) in open {
            let exact = history.to(at).map(|to| BTreeSet::from([to]));
            let mut places = exact
                .or_else(|| places.get(history.gone.at(at)).cloned())
                .unwrap_or_default();
            if places.len() > 1 {
                places.retain(|to| history.files.has(to));
            }
            let trail = trails.entry(file).or_default();
            (trail.left, trail.commit) = (Some(file), Some(at));
            match Vec::from_iter(places).as_slice() {
                [to] if history.files.has(to) => trail.now = Some((*to).to_owned()),
                [to] => next.extend(history.gone.get(to).map(|to| (file, to))),
                several => trail.alike = several.iter().map(ToString::to_string).collect(),
            }
        }
        open = next;
    }
    trails
}

fn file(
    (history, own): (&History, &dyn Fn(&str) -> bool),
    trails: &HashMap<usize, Whereabouts>,
    at: usize,
) -> Whereabouts {
    let mut found = trails.get(&at).cloned().unwrap_or_default();
    let name = last_part(history.gone.at(at));
    if found.now.is_none() && found.alike.is_empty() && !is_common(name) {
        let named = history.named(name).filter(|path| !own(path));
        // Two of one name are no hint.
        if let [one] = *named.take(2).collect::<Vec<_>>() {
            found.alike.push(one.to_owned());
        }
    }
    found
}

/// The whereabouts of a folder: where most of its files are that are still there.
fn folder(history: &History, trails: &HashMap<usize, Whereabouts>, folder: &str) -> Whereabouts {
    let newest = |files: &mut dyn Iterator<Item = usize>| {
        files.min_by_key(|at| (history.commits_since(*at), *at))
    };
    let files = history.gone.below(folder).take(MOST_FILES);
    let left = newest(&mut files.clone());
    let (mut ends, mut moved): (BTreeMap<&str, Vec<usize>>, usize) = (BTreeMap::new(), 0);
    for at in files.clone() {
        let trail = trails.get(&at);
        let rest = history.gone.at(at).get(folder.len()..).unwrap_or_default();
        if let Some((trail, now)) = trail.and_then(|trail| Some((trail, trail.now.as_deref()?))) {
            moved += 1;
            let end = now
                .strip_suffix(rest)
                .filter(|end| history.folders.has(end));
            if let Some(end) = end {
                ends.entry(end).or_default().extend(trail.commit);
            }
        }
    }
    let most = ends.into_iter().max_by_key(|(_, files)| files.len());
    // One that is left of many went its own way.
    let most =
        most.filter(|(_, of)| of.len() * 2 > moved && (of.len() > 1 || of.len() * 2 > files.len()));
    let (now, came) = most.unzip();
    Whereabouts {
        now: now.map(str::to_owned),
        commit: came.map_or(left, |files| newest(&mut files.into_iter())),
        left,
        ..Whereabouts::default()
    }
}
