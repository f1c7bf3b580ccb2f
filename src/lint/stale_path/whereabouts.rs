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

/// True if many files have the name of this one.
pub(super) fn is_common(path: &str) -> bool {
    let stem = last_part(path).split('.').find(|part| !part.is_empty());
    COMMON.has(&stem.unwrap_or_default().to_lowercase())
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
    /// Its last path before it was removed, where it had moved.
    pub via: Option<String>,
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
    let mut files: BTreeSet<usize> = BTreeSet::new();
    for meaning in &wanted {
        match meaning {
            Meaning::File(at, _) => files.extend([*at]),
            Meaning::Folder(at, _) => {
                files.extend(history.below(history.folder(*at)).take(MOST_FILES));
            }
            Meaning::Present | Meaning::Unknown => {}
        }
    }
    let trails = follow((project, history), files);
    let place = |meaning: Meaning| match meaning {
        Meaning::File(at, _) => file((history, own), &trails, at),
        Meaning::Folder(at, _) => folder(history, &trails, history.folder(at)),
        Meaning::Present | Meaning::Unknown => Whereabouts::default(),
    };
    wanted.into_iter().map(|one| (one, place(one))).collect()
}

/// How far a gone file was followed.
#[derive(Clone, Debug)]
struct Trail {
    /// Path after its first move.
    first: Option<String>,
    /// Its current path.
    now: Option<String>,
    /// The last file that it was and that is gone.
    last: usize,
    /// Files that it may be now, where they are several.
    candidates: Vec<String>,
}

/// Follows each of these files from move to move.
fn follow(
    (project, history): (&dyn Project, &History),
    files: BTreeSet<usize>,
) -> HashMap<usize, Trail> {
    let mut trails: HashMap<usize, Trail> = HashMap::new();
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
        let gone = open.iter().map(|(_, at)| history.file(*at));
        let folded: HashMap<String, &str> = gone.map(|one| (one.to_lowercase(), one)).collect();
        let mut places: HashMap<&str, BTreeSet<&str>> = HashMap::new();
        for path in history.files() {
            if let Some(gone) = folded.get(&path.to_lowercase()) {
                places.entry(gone).or_default().insert(path);
            }
        }
        let is_exact = |path: &str| {
            history
                .gone(path)
                .is_some_and(|at| history.to(at).is_some())
        };
        for one in renames.iter().filter(|one| !is_exact(&one.from)) {
            places.entry(&one.from).or_default().insert(&one.to);
        }
        let mut next = Vec::new();
        for (file, at) in open {
            let mut places = places.remove(history.file(at)).unwrap_or_default();
            places.extend(history.to(at));
            if places.len() > 1 {
                places.retain(|to| history.is_file(to));
            }
            let is_one = places.len() == 1;
            let to = places.first().copied().filter(|_| is_one);
            let several = places.into_iter().filter(|_| !is_one);
            let here = to.filter(|to| history.is_file(to));
            let before = trails.remove(&file).and_then(|trail| trail.first);
            let trail = Trail {
                first: before.or_else(|| to.map(str::to_owned)),
                now: here.map(str::to_owned),
                last: at,
                candidates: several.map(str::to_owned).collect(),
            };
            trails.insert(file, trail);
            if let Some(to) = to.filter(|_| here.is_none()) {
                next.extend(history.gone(to).map(|to| (file, to)));
            }
        }
        open = next;
    }
    for (file, at) in open {
        if let Some(trail) = trails.get_mut(&file) {
            (trail.now, trail.last) = (None, at);
        }
    }
    trails
}

fn file(
    (history, own): (&History, &dyn Fn(&str) -> bool),
    trails: &HashMap<usize, Trail>,
    at: usize,
) -> Whereabouts {
    let trail = trails.get(&at);
    let now = trail.and_then(|trail| trail.now.clone());
    let last = trail.map_or(at, |trail| trail.last);
    let name = last_part(history.file(at));
    let mut named = history.named(name).filter(|path| !own(path));
    let alike = named.next().filter(|_| now.is_none() && !is_common(name));
    // Two of one name are no hint.
    let alike = alike.filter(|_| named.next().is_none());
    let candidates = trail.map(|trail| &*trail.candidates).unwrap_or_default();
    Whereabouts {
        via: (last != at && now.is_none()).then(|| history.file(last).to_owned()),
        now,
        commit: Some(last),
        left: Some(at),
        alike: match candidates {
            [] => alike.into_iter().map(str::to_owned).collect(),
            several => several.to_vec(),
        },
    }
}

/// The whereabouts of a folder, by where most of its files went. Files that were deleted before the
/// rest moved do not count, and files that were deleted at the new place were moved there.
fn folder(history: &History, trails: &HashMap<usize, Trail>, folder: &str) -> Whereabouts {
    let trail = |at: usize| Some((at, trails.get(&at)?));
    let files = history.below(folder).take(MOST_FILES);
    let files: Vec<_> = files.filter_map(trail).collect();
    let mut ends: BTreeMap<&str, Vec<&Trail>> = BTreeMap::new();
    for (at, trail) in &files {
        let rest = history.file(*at).get(folder.len()..).unwrap_or_default();
        let end = trail.now.as_deref();
        let end = end.unwrap_or_else(|| history.file(trail.last));
        if let Some(end) = end.strip_suffix(rest).filter(|end| !end.is_empty()) {
            ends.entry(end).or_default().push(trail);
        }
    }
    let age = |at: usize| history.commits_since(at);
    let newest = |files: &mut dyn Iterator<Item = usize>| files.min_by_key(|at| (age(*at), *at));
    // The file by whose commit the rest came where it is.
    let came = |all: &[&Trail]| {
        let mut here = all.iter().filter(|trail| trail.now.is_some());
        newest(&mut here.by_ref().map(|trail| trail.last))
    };
    let most = |end: &(&&str, &Vec<&Trail>)| end.1.len();
    let there = ends.iter().filter(|(end, _)| history.is_folder(end));
    let there = there.filter_map(|end| Some((end, came(end.1)?)));
    let now = there.max_by_key(|(end, _)| most(end));
    let now = now.filter(|((_, all), came)| {
        let before = |trail: &Trail| trail.now.is_none() && age(trail.last) > age(*came);
        let earlier = files.iter().filter(|(_, trail)| before(trail)).count();
        let own = all.iter().filter(|trail| before(trail)).count();
        let rest = files.len() - earlier + own;
        // One that is left of many went its own way.
        all.len() * 2 > files.len() || (all.len() > 1 && all.len() * 2 > rest)
    });
    let left = newest(&mut files.iter().map(|(at, _)| *at));
    let other = || renamed(history, folder, &files).or_else(|| gathered(history, folder, &files));
    if now.is_none()
        && let Some(now) = other()
    {
        return Whereabouts {
            now: Some(now),
            commit: left,
            left,
            ..Whereabouts::default()
        };
    }
    let via = ends.iter().filter(|(end, _)| **end != folder);
    let via = via.max_by_key(most);
    let via = via.filter(|(_, all)| now.is_none() && all.len() * 2 > files.len());
    Whereabouts {
        commit: match (now, via) {
            (Some((_, came)), _) => Some(came),
            (None, Some((_, all))) => newest(&mut all.iter().map(|trail| trail.last)),
            (None, None) => left,
        },
        now: now.map(|((end, _), _)| (*end).to_owned()),
        left,
        via: via.map(|(end, _)| (*end).to_owned()),
        alike: Vec::new(),
    }
}

/// Finds the new path of a folder that was renamed as a whole, even if files left it later.
fn renamed(history: &History, folder: &str, files: &[(usize, &Trail)]) -> Option<String> {
    let age = |at: usize| history.commits_since(at);
    let last = files.iter().map(|(at, _)| age(*at)).min()?;
    let mut whole = files.iter().filter(|(at, _)| age(*at) == last);
    let to = |(at, trail): &(usize, &Trail)| {
        let rest = history.file(*at).get(folder.len()..)?;
        let first = trail.first.as_deref()?.strip_suffix(rest)?;
        (!first.is_empty()).then(|| first.to_owned())
    };
    let first = whole.next().and_then(to)?;
    let all = whole.clone().all(|one| to(one).as_ref() == Some(&first));
    (all && whole.next().is_some() && history.is_folder(&first)).then_some(first)
}

/// Finds the folder that has most files of a gone folder, under any names; not one above it.
fn gathered(history: &History, folder: &str, files: &[(usize, &Trail)]) -> Option<String> {
    const FEWEST: usize = 2;
    let parent = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    for (at, trail) in files {
        let rest = history.file(*at).get(folder.len()..).and_then(parent);
        let now = trail.now.as_deref().and_then(parent);
        let to = now.as_deref().zip(rest.as_deref());
        let to = to.and_then(|(now, rest)| now.strip_suffix(rest));
        if let Some(to) = to.filter(|to| !to.is_empty()) {
            *all.entry(to.to_owned()).or_default() += 1;
        }
    }
    let (to, count) = all.into_iter().max_by_key(|(_, count)| *count)?;
    let above = folder.strip_prefix(&*to);
    let above = above.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let most = count >= FEWEST && count * 2 > files.len();
    (most && !above && history.is_folder(&to)).then_some(to)
}
