//! Stores of Markdown files: what their table says, and what its loader does that no table says.

pub(crate) mod carrier;
mod context;
mod index;
mod links;
mod load;
mod stage;
mod system;

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::control::{self, Owner};
use super::discover::{at_home, names};
use super::{
    Deleted, Emit, Loaded, Overlay, Promotion, Renames, Request, Result, Scope, Store, StoreError,
    StoreInfo, refuse,
};
use crate::memory::format::{LOADED, NamePatterns, Table};
pub(super) use crate::memory::link::joined;
use crate::memory::observations::Graph;
use crate::memory::{
    Fields, Memory, Role, Schema, Stamp, State, Value, document, edit, frontmatter,
};
use crate::retrieval::Options;

pub struct MarkdownStore {
    info: StoreInfo,
    table: &'static Table,
    /// The symbolic links that a load met: no other file need be asked where it leads.
    met_links: Mutex<HashSet<PathBuf>>,
    /// The files of context in the folders of the project.
    nested: OnceLock<Vec<PathBuf>>,
}

impl MarkdownStore {
    pub fn new(info: StoreInfo, table: &'static Table) -> Self {
        Self {
            info,
            table,
            met_links: Mutex::default(),
            nested: OnceLock::new(),
        }
    }

    fn nested(&self) -> &[PathBuf] {
        let find = || context::nested(&self.info.path, self.table);
        self.nested.get_or_init(find)
    }

    fn links(&self) -> MutexGuard<'_, HashSet<PathBuf>> {
        let links = self.met_links.lock();
        links.unwrap_or_else(PoisonError::into_inner)
    }

    fn is_file(&self) -> bool {
        is_file(self.table, &self.info.path)
    }

    /// The folder that the names of memories are told from.
    fn folder(&self) -> &Path {
        match self.info.path.parent() {
            Some(parent) if self.is_file() => parent,
            _ => &self.info.path,
        }
    }

    /// The files beside the folder that belong to the store.
    fn beside(&self) -> Vec<PathBuf> {
        if self.table.schema.can.context {
            return context::files(self);
        }
        let beside = self.table.beside.iter().filter(|_| !self.is_file());
        let beside = beside.map(|beside| joined(&self.info.path, beside));
        beside.collect()
    }

    /// Returns the path to restore an archived file to.
    fn home_of(&self, below: &Path) -> PathBuf {
        let name = Path::new(below).file_name();
        let is_it = |path: &PathBuf| path.file_name() == name;
        let alone = Some(self.info.path.clone()).filter(|path| is_it(path) && !path.is_dir());
        let home = alone.or_else(|| self.beside().into_iter().find(is_it));
        home.unwrap_or_else(|| self.info.path.join(below))
    }

    /// Returns the prefix before LOCAL if a text names a memory.
    fn prefix(&self) -> &'static str {
        match self.info.scope {
            Scope::User => self.table.schema.can.user_prefix,
            Scope::Project => "",
        }
    }

    /// True if the title of a memory is the name of its file and gets its new one.
    fn title_follows(&self, memory: &Memory) -> bool {
        let title = memory.role(Role::Title).and_then(Value::as_str);
        let stem = memory.path.file_stem().map(|stem| stem.to_string_lossy());
        let same = |(a, b): (&str, Cow<'_, str>)| a.replace('_', "-") == b.replace('_', "-");
        self.table.title_is_slug && title.zip(stem).is_some_and(same)
    }

    /// True if the system finds a file by its name.
    fn is_fixed(&self, path: &Path) -> bool {
        let index = self.table.schema.can.index.iter().map(|index| &index.file);
        let mut names = index.chain(&self.table.fixed_files);
        path == self.info.path
            || self.beside().iter().any(|beside| beside == path)
            || names.any(|name| self.folder().join(name) == path)
    }

    /// The body of a memory in which observations stand; none where the format has none.
    fn observed(&self, memory: &Memory) -> Result<Option<String>> {
        if !self.table.schema.can.observations {
            return Ok(None);
        }
        let bytes = self.bytes(memory)?;
        let body = document::part(&bytes, memory.body.clone());
        Ok(Some(String::from_utf8_lossy(body).into_owned()))
    }

    const fn is_rawko(&self) -> bool {
        self.table.loader.is_some()
    }

    fn layout(&self, bytes: &[u8]) -> document::Layout {
        document::layout_of(self.table.schema.can.shape, bytes)
    }

    fn stem<'a>(&self, name: &'a str) -> &'a str {
        // Of a longer ending only the last part is removed: `.md`, `.mdc`.
        let stem = name.rsplit_once('.').map(|(stem, _)| stem);
        let is_named = self.table.end_of(name).is_some();
        stem.filter(|_| is_named).unwrap_or(name)
    }

    /// LOCAL of a file: its path below the store without extension, bytes not UTF-8 replaced.
    fn local(&self, path: &Path) -> Box<str> {
        if let Some(name) = context::below_home(self.table, path) {
            return self.stem(&name).into();
        }
        let mut above = [self.folder(), &self.info.archive].into_iter();
        let below = above.find_map(|above| path.strip_prefix(above).ok());
        let below = below.or_else(|| path.file_name().map(Path::new));
        let name = below.unwrap_or(path).to_string_lossy();
        let name = name.replace(std::path::MAIN_SEPARATOR, "/");
        self.stem(&name).into()
    }

    /// The file of a memory under another name. It keeps its extension, unless the name has one.
    fn renamed(&self, memory: &Memory, to: &str) -> Result<PathBuf> {
        let path = self.file_of(self.stem(to))?;
        let is_read = self.table.end_of(to).is_some_and(|(_, why)| why.is_none());
        let name = memory.path.file_name().unwrap_or_default();
        let is_own = self.table.end_of(&name.to_string_lossy()).is_some();
        let own = || memory.path.extension().filter(|_| is_own);
        let end = Path::new(to).extension().filter(|_| is_read).or_else(own);
        Ok(end.map_or_else(|| path.clone(), |end| path.with_extension(end)))
    }

    fn bad_name(&self, local: &str) -> Option<String> {
        let prefix = self.table.schema.can.user_prefix;
        let is_users = local.starts_with(prefix) || local == prefix.trim_end_matches('/');
        if !prefix.is_empty() && self.info.scope == Scope::Project && is_users {
            return Some(format!("`{prefix}` begins the names of your own memories"));
        }
        let mut bad = self.table.bad_names.iter();
        let bad = bad.find(|(pattern, _)| names(pattern, local));
        bad.map(|(_, why)| why.clone())
    }

    /// True if agents get the whole file as text, frontmatter included.
    fn is_whole(&self, local: &str) -> bool {
        let whole = self.table.settings.get("whole");
        whole.is_some_and(|name| *name == *local)
    }

    fn is_index(&self, path: &Path) -> bool {
        let index = self.table.schema.can.index;
        index.is_some_and(|index| path.ends_with(&index.file))
    }

    fn refuse_name(&self, local: &str) -> Result {
        self.bad_name(local).map_or(Ok(()), |why| {
            refuse(format!("`{local}` is no name for a memory: {why}"))
        })
    }
}

fn patterns_of(store: &StoreInfo, patterns: &NamePatterns, key: &str) -> Vec<String> {
    let read = |file: &String| -> Option<serde_yaml::Value> {
        let text = match file.strip_prefix("~/") {
            Some(below) => control::text(&at_home(store.kind, below)?, Owner::Person),
            None => {
                let path = joined(&store.path, file);
                control::text(&path, Owner::of_store(store, path.parent()?))
            }
        };
        frontmatter::parse(&text.ok()??).ok()
    };
    let all = patterns.files.iter().filter_map(read);
    let all = all.filter_map(|settings| settings.get(key)?.as_sequence().cloned());
    let texts = all
        .flatten()
        .filter_map(|one| Some(one.as_str()?.to_owned()));
    texts.collect()
}

/// True if a store is one file: it is there, or its name is that of one.
fn is_file(table: &Table, path: &Path) -> bool {
    let name = || path.file_name().and_then(|name| name.to_str());
    let is_new = || {
        let named = name().is_some_and(|name| table.end_of(name).is_some());
        named && !path.exists()
    };
    table.may_be_file && (path.is_file() || is_new())
}

impl Store for MarkdownStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn file_of(&self, local: &str) -> Result<PathBuf> {
        let parts = || local.split('/');
        let bad = |part: &str| {
            part.is_empty() || part == "." || part == ".." || part.contains(['\\', '\0'])
        };
        // Folders that a load does not go into.
        let folders = local.rsplit_once('/').map_or("", |(folders, _)| folders);
        let unread = |part: &str| part.starts_with('.') || self.table.end_of(part).is_some();
        let unreadable = folders.split('/').any(unread);
        if parts().any(bad) || unreadable || local.chars().any(char::is_control) {
            let name = local.escape_debug();
            return refuse(format!("`{name}` is not a name a memory can have"));
        }
        let mut path = self.folder().to_owned();
        path.extend(parts());
        let end = self.table.ends.first().map_or(".md", String::as_str);
        // LOCAL has all of a longer end but its last part.
        let (before, last) = end.split_at(end.rfind('.').unwrap_or(0));
        if !local.ends_with(before) {
            path.as_mut_os_string().push(before);
        }
        path.as_mut_os_string().push(last);
        // A file that is there under another end, or beside the folder, keeps its place.
        let is_beside = |path: &PathBuf| *self.local(path) == *local;
        Ok(self.beside().into_iter().find(is_beside).unwrap_or(path))
    }

    fn schema(&self) -> &'static Schema {
        self.table.schema
    }

    fn load(&self, known: &[Arc<Memory>], emit: Emit<'_>) -> Loaded {
        load::load(self, known, emit)
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        let is_field = |name: &str| self.table.schema.field(name).is_some();
        self.table.own_fields.is_empty() || system::has_fields(self.table, bytes, is_field)
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result {
        let &Deleted { id, path, text } = deleted;
        let taken = || format!("another memory has the name of {id} now: rename it first");
        match (overlay.exists(path), id.local.contains('#')) {
            (true, true) => return Err(StoreError::Changed(path.to_owned())),
            (true, false) => return refuse(taken()),
            (false, true) => return Err(deleted.refused()),
            (false, false) => {}
        }
        overlay.write(path, text.to_vec())?;
        let memories = self.parse(path, text, Stamp::default());
        let words = memories.first().map(|memory| index::words(memory));
        index::list(self, path, words.unwrap_or_default(), overlay)
    }

    fn parse(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        load::parse(self, path, bytes, stamp)
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result {
        stage::stage(self, request, overlay)
    }

    fn promote(&self, memory: &Memory, up: bool, overlay: &mut Overlay) -> Result<Promotion> {
        match self.table.schema.can.index {
            Some(_) => index::promote(self, memory, up, overlay),
            None => super::by_importance(self, memory, up, overlay),
        }
    }

    fn make(&self, overlay: &mut Overlay) -> Result {
        let path = match (self.is_file(), self.table.schema.can.index) {
            (true, _) => self.info.path.clone(),
            (false, Some(index)) => self.folder().join(&index.file),
            (false, None) => return Ok(()),
        };
        // An empty file would be one that cannot be read.
        let mut letters = self.table.about.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        let about: String = first.chain(letters).collect();
        overlay.write(&path, format!("# {about}\n").into_bytes())
    }

    fn watch(&self) -> Vec<(PathBuf, bool)> {
        let is_deep = !self.is_file() && !self.table.schema.can.context;
        let own = (self.folder().to_owned(), is_deep);
        let beside = self.beside().into_iter();
        let beside = beside.filter_map(|path| Some((path.parent()?.to_owned(), false)));
        std::iter::once(own).chain(beside).collect()
    }

    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        if memory.span.is_empty() {
            return Vec::new();
        }
        let end = if memory.body.is_empty() {
            let documents = self.layout(bytes).documents;
            let own = documents.get(memory.document as usize);
            own.map_or(memory.span.end, |own| edit::text_of(bytes, own).end)
        } else {
            memory.body.end
        };
        document::part(bytes, memory.span.start..end).to_vec()
    }

    fn loader_body_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        let view = self.is_rawko().then(|| document::loader_reads(bytes).ok());
        let own = view.flatten().filter(|_| memory.document == 0);
        let body = own.map_or_else(|| memory.body.clone(), |view| view.body);
        let body = document::part(bytes, body);
        context::given(self, &memory.path, body).into_owned()
    }

    fn settings(&self, _root: &Path) -> Result<Options> {
        let mut options = Options::default();
        options.set("prefix", self.prefix());
        if self.table.schema.can.context {
            let pairs = context::only_imported(self).into_iter();
            let line = |(to, from): (PathBuf, PathBuf)| {
                format!("{}\t{}", self.local(&to), self.local(&from))
            };
            options.set("imports", pairs.map(line).collect::<Vec<_>>().join("\n"));
            let below = self.nested().iter().filter_map(|path| {
                let folder = context::folder_of(self, path)?;
                Some(format!("{}\t{}", self.local(path), folder.display()))
            });
            options.set("below", below.collect::<Vec<_>>().join("\n"));
        }
        if let Some(unknown) = &self.table.unknown {
            options.set("unknown", unknown);
        }
        if let Some(patterns) = &self.table.name_patterns {
            let listed = |key| patterns_of(&self.info, patterns, key).join("\n");
            options.set("read-only", listed(&patterns.read_only));
            options.set("ignored", listed(&patterns.ignored));
        }
        for (name, value) in &self.table.settings {
            options.set(name, value);
        }
        Ok(options)
    }

    fn may_be_link(&self, memory: &Memory) -> bool {
        self.links().contains(&*memory.path)
    }

    fn fixed_name(&self, memory: &Memory) -> Option<String> {
        let name = memory.path.file_name()?.to_string_lossy();
        let is_it = memory.state == State::Active && self.is_fixed(&memory.path);
        let format = self.table.name();
        is_it.then(|| {
            format!("{format} finds {name} by its name: under another one it is not loaded")
        })
    }

    fn follow(
        &self,
        changed: &Renames<'_>,
        texts: &[Arc<Memory>],
        overlay: &mut Overlay,
    ) -> Result {
        links::follow(self, changed, texts, overlay)
    }

    fn inner(&self, memory: &Memory) -> Result<Fields> {
        let text = self.observed(memory)?;
        Ok(text.map_or_else(Fields::default, |text| Graph::read(&text).fields()))
    }

    fn importers(&self, memory: &Memory) -> Vec<PathBuf> {
        let all = context::importers(self, &memory.path);
        all.into_iter().map(|(from, _)| from).collect()
    }

    fn beside(&self, memory: &Memory) -> Result<Vec<(&'static str, String)>> {
        if self.table.schema.can.context {
            let loaded = context::loaded(self, &memory.path);
            return Ok(vec![(LOADED, loaded)]);
        }
        let text = self.observed(memory)?;
        Ok(text.map_or_else(Vec::new, |text| Graph::read(&text).lines()))
    }
}
