//! Default folders of stores, and the stores that are a person's own.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization as _;

use super::formats::{PROJECT, above, clean, expand, folder_of};
use super::{Configured, Format, Place, Search, below, repository};
use crate::project::git;
use crate::store::control::{self, Owner};
use crate::store::{Scope, StoreInfo};
use crate::systems::golemcore::scope::ITEMS;

/// The folder that owns a store's history: its repository, else that of its place, else itself.
pub fn anchor(info: &StoreInfo) -> PathBuf {
    let store = clean(&info.path);
    let mut places = info.kind.project.iter().chain(info.kind.user);
    // Some places are folders in the store.
    let below = [store.clone(), store.join(ITEMS)];
    let bare = || places.find_map(|place| below.iter().find_map(|path| above(path, place)));
    let found = repository(&store).or_else(bare);
    found.unwrap_or(store)
}

pub(super) fn add(search: &Search, root: &Path, found: &mut Vec<Place>, looked: &mut Vec<PathBuf>) {
    if let Ok(home) = etcetera::home_dir() {
        let (home, projects) = (clean(&home), projects(search, root));
        below(search, (&home, Scope::User, &projects), found, looked);
    }
}

/// The folders that a person keeps stores in, or named as stores.
pub fn own_places(search: &Search, root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    add(search, root, &mut found, &mut Vec::new());
    let own = found.into_iter().map(|place| place.real);
    let only = search.only.iter().map(PathBuf::from);
    let named = search.paths.iter().cloned().chain(only);
    let named = named.map(|path| clean(&search.start.join(path)));
    // Paths that a project configures are not the person's.
    let is_own = |one: &&Configured| {
        !one.bounded && (one.scope == Scope::User || !one.path.starts_with(root))
    };
    let configured = search.configured.iter().filter(is_own);
    let configured = configured.map(|one| clean(&one.path));
    let all = own.chain(named).chain(configured);
    all.map(|path| folder_of(&path)).collect()
}

/// The longest name that a system gives a project without a digest behind it.
const LONGEST: usize = 200;

/// The names that systems give the project's folder at home: of the main checkout, the root and the
/// start, with `-` for all but letters and digits (formats: claude, "Where"), or for `/` alone.
fn projects(search: &Search, root: &Path) -> Vec<String> {
    if search.all_projects {
        return vec!["*".to_owned()];
    }
    let names = |folder: PathBuf| {
        let path: String = clean(&folder).to_string_lossy().nfc().collect();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let mut name: String = path.chars().map(plain).collect();
        if name.len() > LONGEST {
            name.truncate(LONGEST);
            name.push_str("-*");
        }
        [name, path.replace(['/', '\\'], "-")]
    };
    let folders = [
        Some(root.to_owned()),
        Some(search.start.clone()),
        main_checkout(root),
    ];
    let names: BTreeSet<String> = folders.into_iter().flatten().flat_map(names).collect();
    names.into_iter().collect()
}

fn main_checkout(root: &Path) -> Option<PathBuf> {
    let (own, shared) = git::places(root)?;
    let shared = clean(&shared);
    let is_one = own != shared && shared.ends_with(".git");
    shared.parent().filter(|_| is_one).map(Path::to_path_buf)
}

pub(super) fn is_home(folder: &Path) -> bool {
    etcetera::home_dir().is_ok_and(|home| clean(&home) == clean(folder))
}

/// True if a project place with `*` is a user place too: in a home it belongs to others.
pub(super) fn is_own(format: &Format, place: &str) -> bool {
    let mut own = format.user.iter();
    place.contains('*') && own.any(|own| own.replace(PROJECT, "*") == place)
}

/// True if a store lies at a user place with `*`: it belongs to an agent or to another project.
pub fn is_for_others(info: &StoreInfo) -> bool {
    let below = |place: &&str| {
        let below = place.split_once('/').map(|(_, below)| below);
        below.is_some_and(|below| below.contains('*') && above(&info.path, below).is_some())
    };
    info.scope == Scope::User && info.kind.user.iter().any(below)
}

pub(in crate::store) fn at_home(format: &Format, file: &str) -> Option<PathBuf> {
    expand_own(&etcetera::home_dir().ok()?, file, format, &[]).pop()
}

impl StoreInfo {
    /// Agents that load it, empty if any may; a store in one agent's folder belongs to that one.
    pub fn readers(&self) -> Vec<String> {
        let agents = self.kind.table.iter().flat_map(|table| &table.agents);
        let own = self.own_agent();
        let name = |system: &String| match &own {
            Some(own) => format!("{system}'s {own}"),
            None => system.clone(),
        };
        agents.map(name).collect()
    }

    /// Name of the one agent whose folder it is.
    pub fn own_agent(&self) -> Option<String> {
        let name_of = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
        let table = self.kind.table?;
        let folder = self.path.parent().and_then(name_of)?;
        name_of(&self.path).filter(|_| table.agent_folders.contains(&folder))
    }
}

/// True if its system loads a store of the project: always, unless a setting names the folder. Then
/// single agents' folders count, and the one that the setting or a link at home leads to.
pub fn is_loaded(search: &Search, info: &StoreInfo, root: &Path) -> bool {
    let table = info.kind.table;
    let setting = table.and_then(|table| table.folder_setting.as_ref());
    let Some((file, key)) = setting.filter(|_| info.own_agent().is_none()) else {
        return true;
    };
    let home = etcetera::home_dir();
    let Ok(home) = home else { return false };
    // Settings of the project that its repository holds count only for who trusts it.
    let local = root.join(file.replace(".json", ".local.json"));
    let set = folder_in((&local, Owner::Project(root)), key, &home)
        .or_else(|| folder_set(info.kind, &home));
    let (user, names) = (info.kind.user.iter(), projects(search, root));
    let mut linked = user.flat_map(|place| expand_own(&home, place, info.kind, &names));
    let is_it = |path: PathBuf| clean(&path) == clean(&info.path);
    set.map_or_else(|| linked.any(is_it), is_it)
}

/// The folder that a person's settings of a system name for its memories, where it is there.
pub(super) fn folder_set(format: &Format, home: &Path) -> Option<PathBuf> {
    let (file, key) = format.table?.folder_setting.as_ref()?;
    folder_in((&at_home(format, file)?, Owner::Person), key, home)
}

fn folder_in((file, owner): (&Path, Owner<'_>), key: &str, home: &Path) -> Option<PathBuf> {
    let text = control::text(file, owner).ok()??;
    let settings: serde_json::Value = serde_json::from_str(&text).ok()?;
    let folder = settings.get(key)?.as_str()?;
    let path = match folder.strip_prefix("~/") {
        Some(below) => home.join(below),
        None => PathBuf::from(folder),
    };
    (path.is_absolute() && path.is_dir()).then_some(path)
}

/// The paths that a place stands for; below a home `{project}` is one of `names`.
pub fn expand_own(folder: &Path, place: &str, format: &Format, names: &[String]) -> Vec<PathBuf> {
    let own = format.table.and_then(|table| table.home_env.as_ref());
    let own = own.filter(|_| !format.project.contains(&place));
    let own = own.and_then(std::env::var_os).filter(|own| !own.is_empty());
    let (folder, place) = match (own, place.split_once('/')) {
        (Some(own), Some((_, below))) => (PathBuf::from(own), below),
        _ => (folder.to_owned(), place),
    };
    if !place.contains(PROJECT) {
        return expand(&folder, place);
    }
    let places = names.iter().map(|name| place.replace(PROJECT, name));
    let all = places.flat_map(|place| expand(&folder, &place));
    // A project that was never worked in has no folder, and is no place to speak of.
    all.filter(|path| path.is_dir()).collect()
}
