//! Finds stores, and recognises one that is given by its path.

pub(in crate::store) mod formats;
mod home;
mod search;
mod team;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

pub use self::formats::{Format, System};
pub(super) use self::formats::{above, expand, folder_name, lexical, names};
use self::formats::{clean, folder_of};
pub(super) use self::home::at_home;
pub use self::home::{anchor, is_for_others, is_loaded, own_places};
pub use self::search::{Configured, Search, new_store, new_store_at, root_of};
use self::search::{folders, named};
pub use self::team::team_formats;
use super::{Scope, Store, StoreInfo, golemcore, ralph, rum};
use crate::config::ConfigError;
use crate::memory::StoreId;
use crate::memory::format::{TABLES, Table, added};

/// The formats that no table describes.
static CODED: &[fn() -> Format] = &[ralph::format, golemcore::format, rum::format];

/// Every format there is, in the order in which stores are looked for.
pub static FORMATS: LazyLock<Vec<Format>> = LazyLock::new(|| {
    let coded = CODED.iter().map(|format| format());
    let mut all: Vec<Format> = TABLES.iter().map(Format::of).chain(coded).collect();
    all.sort_by_key(|format| format.order);
    all
});

/// A store that was found, before it has an id.
#[derive(Clone)]
struct Place {
    format: &'static Format,
    path: PathBuf,
    /// Resolved path: links to one store are one store, however many there are.
    real: PathBuf,
    scope: Scope,
}

impl Place {
    fn new(format: &'static Format, path: PathBuf, scope: Scope) -> Self {
        Self {
            format,
            real: clean(&path),
            path,
            scope,
        }
    }

    /// Joins others, where the store is not among them under another path.
    fn join(self, others: &mut Vec<Self>) {
        // Real paths are equal where their texts are, which is faster to tell.
        let own = self.real.as_os_str();
        if !others.iter().any(|known| known.real.as_os_str() == own) {
            others.push(self);
        }
    }
}

/// Stores found, and the folders that were searched.
pub struct Found {
    /// The root that paths are shown relative to.
    pub root: PathBuf,
    /// The stores, in the contract's order.
    pub stores: Vec<Box<dyn Store>>,
    /// Places that were looked at, for the person who expected a store.
    pub looked: Vec<PathBuf>,
    /// Stores that a configuration names and that cannot be opened, with the reason.
    pub wrong: Vec<ConfigError>,
}

/// Finds the stores.
pub fn discover(search: &Search) -> Result<Found, DiscoverError> {
    let root = root_of(search);
    if let Some(name) = &search.format {
        search.format_named(name)?;
    }
    let mut found: Vec<Place> = Vec::new();
    let (mut looked, mut wrong) = (Vec::new(), Vec::new());
    if search.paths.is_empty() {
        for folder in folders(search, &root) {
            let folder = (&*folder, Scope::Project, &[][..]);
            below(search, folder, &mut found, &mut looked);
        }
        wrong = search::drop_outside(search, &root, &mut found);
        wrong.extend(search::hidden(&root, &looked));
        home::add(search, &root, &mut found, &mut looked);
        let at = (search, &*root);
        wrong.extend(search::add_configured(at, &mut found, &mut looked));
        // Formats in their order, the project's stores before the user's.
        found.sort_by_key(|place| (place.scope, place.format.order));
    } else {
        for path in &search.paths {
            let format = search.format.as_deref();
            named(search, (path, format), &mut found, &mut looked)?;
        }
    }
    let infos = choose(search, &root, found, &mut looked)?;
    Ok(Found {
        stores: infos.into_iter().map(open).collect(),
        root,
        looked,
        wrong,
    })
}

/// The stores that `--store` asks for; ids are those of all, and an unknown one joins them.
fn choose(
    search: &Search,
    root: &Path,
    found: Vec<Place>,
    looked: &mut Vec<PathBuf>,
) -> Result<Vec<StoreInfo>, DiscoverError> {
    let known = identify(&found, root);
    if search.only.is_empty() {
        return Ok(known);
    }
    let mut others: Vec<Place> = Vec::new();
    let mut inside: Vec<PathBuf> = Vec::new();
    for wanted in &search.only {
        if known.iter().any(|info| matches(info, wanted, search)) {
            continue;
        }
        let mut context = FORMATS.iter().filter(|format| format.is_context);
        if let Some(format) = context.find(|format| format.name == wanted) {
            others.push(Place::new(format, root.to_path_buf(), Scope::Project));
            continue;
        }
        let mut at = Vec::new();
        let path = search.start.join(wanted);
        let format = search.format.as_deref();
        let result = named(search, (&path, format), &mut at, looked);
        result.map_err(|error| match error {
            // An existing path keeps its own error, unless it is only the name of a format.
            DiscoverError::NoStore(_) if search.format_named(wanted).is_err() => error,
            _ => DiscoverError::UnknownStore {
                name: wanted.clone(),
                known: known.iter().map(|info| info.id.to_string()).collect(),
            },
        })?;
        for place in at {
            if found.iter().any(|known| known.real == place.real) {
                inside.push(place.real);
            } else {
                place.join(&mut others);
            }
        }
    }
    let chosen = |info: &StoreInfo| {
        let mut only = search.only.iter();
        only.any(|wanted| matches(info, wanted, search)) || inside.contains(&clean(&info.path))
    };
    if others.is_empty() {
        return Ok(known.into_iter().filter(chosen).collect());
    }
    let places = found.into_iter().zip(&known);
    let places = places.filter_map(|(place, info)| chosen(info).then_some(place));
    let all: Vec<Place> = places.chain(others).collect();
    Ok(identify(&all, root))
}

/// The files that agents are given beside memories, as a store; none where there are none.
pub fn context(root: &Path) -> Option<Box<dyn Store>> {
    let format = FORMATS.iter().find(|format| format.is_context)?;
    let place = Place::new(format, root.to_path_buf(), Scope::Project);
    let store = open(identify(&[place], root).pop()?);
    // Beside the root the folders of its files are watched.
    (store.watch().len() > 1).then_some(store)
}

/// The stores of some formats, those of context files among them, in the order of the formats.
pub(super) fn of_formats(root: &Path, names: &[String]) -> Vec<Box<dyn Store>> {
    let search = Search::default();
    let place_of = |format: &Format| names.iter().position(|name| name == format.name);
    let mut found: Vec<Place> = Vec::new();
    let home = etcetera::home_dir().ok().map(|home| clean(&home));
    let home = home.iter().map(|home| (home.as_path(), Scope::User));
    for (folder, scope) in std::iter::once((root, Scope::Project)).chain(home) {
        below(&search, (folder, scope, &[]), &mut found, &mut Vec::new());
    }
    let context = FORMATS.iter().filter(|format| format.is_context);
    found.extend(context.map(|one| Place::new(one, root.to_owned(), Scope::Project)));
    found.retain(|place| place_of(place.format).is_some());
    found.sort_by_key(|place| place_of(place.format));
    identify(&found, root).into_iter().map(open).collect()
}

/// A store of a format at a path, which need not be there yet.
pub fn store_at(format: &'static Format, path: &Path, root: &Path) -> Option<StoreInfo> {
    let place = Place::new(format, path.to_owned(), Scope::Project);
    identify(&[place], root).pop()
}

/// Opens a store, which need not exist yet.
pub fn open(info: StoreInfo) -> Box<dyn Store> {
    info.kind.system.open(info)
}

fn matches(info: &StoreInfo, wanted: &str, search: &Search) -> bool {
    let path = || clean(&search.start.join(wanted));
    *info.id.0 == *wanted || info.format() == wanted || clean(&info.path) == path()
}

/// The nearest folder at or above one that holds a repository.
pub fn repository(folder: &Path) -> Option<PathBuf> {
    let mut above = folder.ancestors();
    let found = above.find(|above| above.join(".git").exists());
    found.map(Path::to_path_buf)
}

/// Looks at the places below a folder; true if there was a store. `projects` are their names.
fn below(
    search: &Search,
    (folder, scope, projects): (&Path, Scope, &[String]),
    found: &mut Vec<Place>,
    looked: &mut Vec<PathBuf>,
) -> bool {
    let mut any = false;
    let is_home = scope == Scope::Project && home::is_home(folder);
    for format in search.formats() {
        if scope == Scope::User
            && let Some(path) = home::folder_set(format, folder)
        {
            any = true;
            Place::new(format, path, scope).join(found);
        }
        let places = match scope {
            Scope::Project => format.project,
            Scope::User => format.user,
        };
        for place in places {
            if is_home && home::is_own(format, place) {
                continue;
            }
            // Not every folder that any name stands for was looked at for a store.
            if place.contains('*') {
                looked.push(folder.join(place));
            }
            for path in home::expand_own(folder, place, format, projects) {
                // Any name stands for a folder: what lies beside it is no store.
                if place.ends_with("/*") && !path.is_dir() {
                    continue;
                }
                // A link that leads nowhere is a store with a problem.
                let there = fs::symlink_metadata(&path).is_ok();
                if there || is_archived(format, &path, place, found) {
                    any = true;
                    let path = format.system.holder(&path).unwrap_or(path.clone());
                    Place::new(format, path, scope).join(found);
                }
                if !place.contains('*') {
                    looked.push(path);
                }
            }
        }
    }
    any
}

/// True if a store that is gone has an archive; of places that share one the first counts.
fn is_archived(format: &'static Format, path: &Path, place: &str, found: &[Place]) -> bool {
    let archive = format.system.archive(path);
    let is_shared =
        |known: &Place| known.format == format && format.system.archive(&known.path) == archive;
    let is_pattern = place.contains('*') || format.is_context;
    !is_pattern && archive.is_dir() && !found.iter().any(is_shared)
}

/// The folder that an id names a store by.
fn store_folder(format: &Format, path: &Path, scope: Scope, root: &Path) -> String {
    let project = (scope == Scope::Project).then(|| format.folder_above(path));
    let project = project.flatten();
    folder_name(&project.unwrap_or_else(|| folder_of(path)), root)
}

/// The id that a store has beside another one of its format.
pub fn id_beside_another(info: &StoreInfo, root: &Path) -> String {
    let folder = store_folder(info.kind, &info.path, info.scope, root);
    format!("{}@{folder}", info.format())
}

/// Gives each store its id: the format's name, with the folder where two share it.
fn identify(found: &[Place], root: &Path) -> Vec<StoreInfo> {
    // The project's folder where it has no other, else the file's own, else the path.
    let names = |place: &Place| {
        let project = store_folder(place.format, &place.path, place.scope, root);
        let beside = folder_name(&folder_of(&place.path), root);
        [project, beside, folder_name(&place.path, root)]
    };
    let named: Vec<(&Place, [String; 3])> = found.iter().map(|one| (one, names(one))).collect();
    let info = |(place, own): &(&Place, [String; 3])| {
        let of_format = || named.iter().filter(|(one, _)| one.format == place.format);
        let is_alone = |(way, name): &(usize, &String)| {
            let ways = of_format().filter_map(|(_, names)| names.get(*way));
            ways.filter(|other| other == name).count() == 1
        };
        let alone = own.iter().enumerate().find(is_alone);
        let folder = alone.map(|(_, name)| name).or(own.last());
        let format = place.format;
        let id = match folder.filter(|_| of_format().count() > 1) {
            Some(folder) => StoreId::from(&*format!("{}@{folder}", format.name)),
            None => StoreId::from(format.name),
        };
        StoreInfo {
            id,
            kind: format,
            scope: place.scope,
            path: place.path.clone(),
            archive: format.system.archive(&place.path),
        }
    };
    named.iter().map(info).collect()
}

/// Why the stores that were asked for are not there.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    /// A named path does not exist.
    #[error("no such file or folder: {path}", path = .0.display())]
    Missing(PathBuf),
    /// A named path is no store and holds none.
    #[error("{what} {path}", what = match .0.is_file() {
        true => "no format of a store is recognised in",
        false => "no store at",
    }, path = .0.display())]
    NoStore(PathBuf),
    /// A path that a file of the project names and that leads out of it.
    #[error("a file of the project may not name {path}, which lies outside of it", path = .0.display())]
    Outside(PathBuf),
    /// A format that memkeep does not know.
    #[error("unknown format `{0}`")]
    UnknownFormat(String),
    /// A store that is not there.
    #[error("no store `{name}`")]
    UnknownStore {
        /// What was asked for.
        name: String,
        /// The ids there are.
        known: Vec<String>,
    },
}

impl DiscoverError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let own = FORMATS.iter().filter(|format| !format.is_context);
        let own = own.map(|format| format.name);
        let team = added().into_iter().map(Table::name);
        let formats: Vec<&str> = own.chain(team).collect();
        match self {
            Self::Missing(_) => {
                "`memkeep --help` names the commands; anything else is a path to look for stores in"
                    .to_owned()
            }
            Self::NoStore(path) => {
                let what = match path.is_file() {
                    true => "say what it is",
                    false => "name the folder that holds the memories, and its format",
                };
                format!("{what} with --as {}", formats.join("|"))
            }
            Self::Outside(_) => "name it in your own configuration".to_owned(),
            Self::UnknownFormat(_) => format!("known formats: {}", formats.join(", ")),
            Self::UnknownStore { known, .. } if known.is_empty() => {
                "`memkeep stores` found none from here".to_owned()
            }
            Self::UnknownStore { known, .. } => {
                format!("`memkeep stores` found {}", known.join(", "))
            }
        }
    }
}
