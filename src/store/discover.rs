//! Finds stores, and recognises one that is given by its path.

mod coded;
mod configured;
mod error;
mod given;
mod home;
mod new;
mod place;
mod search;
mod team;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

pub use self::coded::Coded;
pub use self::configured::Configured;
pub use self::error::DiscoverError;
use self::given::named;
pub(super) use self::home::at_home;
pub use self::home::{anchor, is_for_others, is_loaded, own_places};
pub use self::new::{new_store, new_store_at};
pub(super) use self::place::{above, expand, folder_name, lexical, names};
use self::place::{clean, folder_of};
use self::search::folders;
pub use self::search::{Search, root_of};
pub use self::team::team_formats;
use super::{Scope, Store, StoreInfo, golemcore, ralph, rum};
use crate::config::ConfigError;
use crate::memory::StoreId;
use crate::memory::format::{TABLES, Table, table_of};
use crate::systems::schema_named;

/// Opens the stores of a format: a table for Markdown files, else code.
pub trait System: Send + Sync {
    /// The archive of a store.
    fn archive(&self, store: &Path) -> PathBuf;
    /// The store at or above a path, recognised by its content.
    fn holder(&self, path: &Path) -> Option<PathBuf>;
    /// The store at or above a path that the person says has this format.
    fn place(&self, path: &Path) -> PathBuf;
    /// Opens a store.
    fn open(&'static self, info: StoreInfo) -> Box<dyn Store>;
}

/// A format memkeep reads and writes.
pub struct Format {
    /// Its name in the contract.
    pub name: &'static str,
    /// Its place among the formats, in the order in which stores are looked for.
    pub order: u32,
    /// The policy its system selects by.
    pub policy: &'static str,
    /// Paths of its stores below a project: folders or files, `*` for any name.
    pub project: &'static [&'static str],
    /// Folders below a person's home; `{project}` is the system's name of a project.
    pub user: &'static [&'static str],
    /// The variable of the environment that stands for the first folder of `user`.
    pub home_env: Option<&'static str>,
    /// The setting of the system that names another folder of memories: a JSON file below a
    /// person's home, and its key.
    pub folder_setting: Option<(&'static str, &'static str)>,
    /// True if its files are context, which is no store of memories.
    pub is_context: bool,
    /// Opener of its stores.
    pub system: &'static dyn System,
}

impl std::fmt::Debug for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name)
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Format {}

impl Format {
    /// The format of a table.
    fn of(table: &'static Table) -> Self {
        Self {
            name: table.name(),
            order: table.order,
            policy: table.schema.policy,
            project: &table.project,
            user: &table.user,
            home_env: table.home_env.as_deref(),
            folder_setting: table.folder_setting,
            is_context: table.schema.can.context,
            system: table,
        }
    }

    /// True if a table describes it: its stores are files of Markdown, which anybody can make.
    pub fn is_table(&self) -> bool {
        schema_named(self.name).and_then(table_of).is_some()
    }
}

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
            below(
                search,
                (&folder, Scope::Project, &[]),
                &mut found,
                &mut looked,
            );
        }
        wrong = configured::drop_outside(search, &root, &mut found);
        wrong.extend(configured::hidden(&root, &looked));
        if let Ok(home) = etcetera::home_dir() {
            let projects = home::projects(search, &root);
            below(
                search,
                (&clean(&home), Scope::User, &projects),
                &mut found,
                &mut looked,
            );
        }
        wrong.extend(configured::add((search, &root), &mut found, &mut looked));
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

/// The stores that `--store` asks for. Ids are those of all stores found; a store that is not
/// among them joins the chosen ones.
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
        if let Some(format) = FORMATS
            .iter()
            .find(|one| one.is_context && one.name == wanted)
        {
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
        let named = search
            .only
            .iter()
            .any(|wanted| matches(info, wanted, search));
        named || inside.contains(&clean(&info.path))
    };
    if others.is_empty() {
        return Ok(known.into_iter().filter(chosen).collect());
    }
    let places = found.into_iter().zip(&known);
    let mut all: Vec<Place> = places
        .filter(|(_, info)| chosen(info))
        .map(|(place, _)| place)
        .collect();
    all.extend(others);
    Ok(identify(&all, root))
}

/// The files that agents are given beside memories, as a store that is not changed; none where
/// there are none.
pub fn context(root: &Path) -> Option<Box<dyn Store>> {
    let format = FORMATS.iter().find(|format| format.is_context)?;
    let place = Place::new(format, root.to_path_buf(), Scope::Project);
    let store = open(identify(&[place], root).pop()?);
    // Beside the root the folders of its files are watched.
    (store.watch().len() > 1).then_some(store)
}

/// The stores of some formats in a project and in the person's home, files of context among them,
/// in the order of the formats.
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
    folder
        .ancestors()
        .find(|above| above.join(".git").exists())
        .map(Path::to_path_buf)
}

/// Looks at the places below a folder; says whether there was a store, known already or not.
/// `projects` are the names that systems give the folder of the project below a person's home.
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

/// True if a store that is not there has its memories in its archive, beside it. Of the places that
/// share an archive the first one counts.
fn is_archived(format: &'static Format, path: &Path, place: &str, found: &[Place]) -> bool {
    let archive = format.system.archive(path);
    let is_shared =
        |known: &Place| known.format == format && format.system.archive(&known.path) == archive;
    let is_pattern = place.contains('*') || format.is_context;
    !is_pattern && archive.is_dir() && !found.iter().any(is_shared)
}

/// The folder that an id names a store by.
fn store_folder(format: &Format, path: &Path, scope: Scope, root: &Path) -> String {
    let mut places = format.project.iter();
    let project = || places.find_map(|at| above(path, at));
    let project = (scope == Scope::Project).then(project).flatten();
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
    let mut of_format: HashMap<&str, usize> = HashMap::new();
    for place in found {
        *of_format.entry(place.format.name).or_default() += 1;
    }
    let is_one = |place: &Place| {
        of_format
            .get(place.format.name)
            .is_none_or(|count| *count < 2)
    };
    let named: Vec<Option<[String; 3]>> = found
        .iter()
        .map(|place| (!is_one(place)).then(|| names(place)))
        .collect();
    let mut counts: HashMap<(&str, usize, &str), usize> = HashMap::new();
    for (place, names) in found.iter().zip(&named) {
        for (way, name) in names.iter().flatten().enumerate() {
            *counts.entry((place.format.name, way, name)).or_default() += 1;
        }
    }
    let id = |(place, names): (&Place, &Option<[String; 3]>)| {
        let format = place.format.name;
        let Some(names) = names else {
            return format.to_owned();
        };
        let is_alone =
            |(way, name): &(usize, &String)| counts.get(&(format, *way, name.as_str())) == Some(&1);
        let mut ways = names.iter().enumerate();
        let folder = ways.find(is_alone).map(|(_, name)| name);
        format!(
            "{format}@{}",
            folder.or(names.last()).map_or("", String::as_str)
        )
    };
    let info = |(place, names): (&Place, &Option<[String; 3]>)| StoreInfo {
        id: StoreId::from(id((place, names)).as_str()),
        kind: place.format,
        scope: place.scope,
        path: place.path.clone(),
        archive: place.format.system.archive(&place.path),
    };
    found.iter().zip(&named).map(info).collect()
}
