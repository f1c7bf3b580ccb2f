//! Memories of one store as memories of another.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use itertools::Itertools as _;

use super::Collection;
use super::planner::Planner;
use crate::curate::change::Destination;
use crate::curate::convert::{Targets, bare, convert, parts_in, rebased};
use crate::memory::format::{LinkForm, table_of};
use crate::memory::index::{self, IndexLink};
use crate::memory::link::relative;
use crate::memory::{Fields, Memory, MemoryId, document};
use crate::store::discover::{self, Configured, Format};
use crate::store::{
    NewName, Overlay, Request, Result, Scope, Store, StoreError, StoreInfo, files, refuse, refused,
};
use crate::systems::codec::NewMemory;
use crate::systems::schema_named;

impl Collection {
    /// All formats: those of the program, then those of the team.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> {
        self.search.formats().filter(|format| !format.is_context)
    }

    /// Returns the location of a new store of a format, by default of the first format.
    pub fn new_store(&self, format: Option<&str>) -> Option<StoreInfo> {
        discover::new_store(&self.search, format, &self.root)
    }

    /// A new store at a place of a format, by default of the first one with such a place.
    pub fn new_store_at(&self, format: Option<&str>, path: &Path) -> Option<StoreInfo> {
        discover::new_store_at(&self.search, format, path, &self.root)
    }

    /// Lets a person name a place to write to; below the root links are the project's own.
    pub fn allow(&mut self, path: &Path) {
        if discover::lexical(path).starts_with(&self.root) {
            return;
        }
        self.search.configured.push(Configured {
            path: path.to_owned(),
            format: None,
            scope: Scope::User,
            bounded: false,
            place: (path.to_owned(), 0, 0),
        });
    }

    /// A store at a path where none is known yet.
    fn new_at(&self, name: &str, path: &Path) -> Result<Box<dyn Store>> {
        let format = self.formats().find(|known| known.name == name);
        let table = schema_named(name).and_then(table_of);
        if table.is_some_and(|table| !table.may_be_file) && path.is_file() {
            let path = self.shown(path);
            let why = format!("a store of {name} is a folder, and {path} is a file");
            return refuse(why);
        }
        let info = format.and_then(|format| discover::store_at(format, path, &self.root));
        let store = info.map(discover::open);
        let here = files::read(path).ok();
        let store = store.filter(|store| here.is_none_or(|(bytes, _)| store.is_own(&bytes)));
        let path = self.shown(path);
        store.ok_or_else(|| refused(format!("no store of {name} can be made at {path}")))
    }
}

impl Planner<'_> {
    /// Stages memories for another store, and takes them out of their own where they move.
    pub(super) fn convert(&mut self, ids: &[MemoryId], to: &Destination, moves: bool) -> Result {
        let collection = self.collection;
        let made;
        let target = match to {
            Destination::Store(id) => collection.writable(Some(id))?,
            Destination::New { format, path } => {
                made = collection.new_at(format, path)?;
                // A new store needs its index before memories are listed in it.
                if made.schema().can.index.is_some() && !path.exists() {
                    made.make(self.overlay)?;
                }
                &*made
            }
        };
        let info = target.info();
        collection.may_write_to(&info.path)?;
        let mut sources = Vec::with_capacity(ids.len());
        for id in ids {
            let (from, memory) = self.find(id)?;
            if from.info().path == info.path {
                return refuse(format!("{id} is in {} already", info.id));
            }
            let (whole, body) = read(from, memory)?;
            sources.push((from, memory, whole, body));
        }
        let targets = targets(&sources, self.memories, target, self.overlay)?;
        let mut changed: Vec<(&Memory, Option<String>)> = Vec::new();
        let mut left_out = Vec::new();
        for source in &sources {
            let (from, memory, ..) = source;
            let added = add(source, (&targets, &collection.root), target, self.overlay);
            let (name, fields) = added.map_err(|error| match error {
                StoreError::Exists(path) if path == info.path => {
                    let (id, path) = (&info.id, collection.shown(&path));
                    refused(format!("{id} holds one memory: {path}"))
                }
                error => error,
            })?;
            left_out.extend(fields);
            // Texts of one store name the memories of the other too, with a prefix.
            let prefix = |info: &StoreInfo| match info.scope {
                Scope::User => target.schema().can.user_prefix,
                Scope::Project => "",
            };
            let is_called = prefix(from.info()) != prefix(info) && from.schema() == target.schema();
            let name = name.filter(|_| is_called);
            changed.push((memory, name.map(|name| prefix(info).to_owned() + &name)));
            if moves {
                self.overlay.note(collection.goes_with(memory)?);
            }
        }
        // Each with the number of its memories if there are several.
        let left_out = left_out.into_iter().sorted().dedup_with_count();
        let mut left_out = left_out.map(|(count, name)| match &sources[..] {
            [_] => name,
            _ => format!("{name} ({count})"),
        });
        let names = left_out.join(", ");
        let note = format!("left out, {} has no place for it: {names}", info.format());
        self.overlay.note((!names.is_empty()).then_some(note));
        if !moves {
            return Ok(());
        }
        self.all(ids, Request::Delete)?;
        let changed = changed.iter().map(|(memory, name)| match name {
            Some(name) => (*memory, NewName::Called(name)),
            None => (*memory, NewName::Gone),
        });
        let changed: Vec<_> = changed.collect();
        self.follow(&changed)?;
        self.follow_mentions(&changed, false)
    }
}

/// A memory to convert: its store, as it was loaded, with all its fields, its body.
type Read<'a> = (&'a dyn Store, &'a Memory, Memory, String);

/// Reads a memory with all its fields and its body; refuses context files and indexes.
fn read(from: &dyn Store, memory: &Memory) -> Result<(Memory, String)> {
    let (id, can) = (&memory.id, &memory.schema.can);
    let refused = |why: &str| refuse(format!("{id} {why}"));
    if can.context {
        return refused("is no memory but context, which every agent is given as a whole");
    }
    if memory.index_table().is_some() {
        return refused("is the index of its store: convert the memories that it lists");
    }
    let text = from.text(memory)?;
    let Ok(body) = String::from_utf8(from.body_of(memory, &text)) else {
        return refused("is not all UTF-8");
    };
    // Observations and relations go with the body.
    let inner = match can.observations {
        true => Fields::default(),
        false => from.inner(memory)?,
    };
    Ok((memory.with_inner(&inner), body))
}

/// Names in the target store of the converted memories, and of those that it has already.
fn targets(
    sources: &[Read<'_>],
    memories: &[Arc<Memory>],
    target: &dyn Store,
    overlay: &Overlay,
) -> Result<Targets> {
    let mut targets = Targets::default();
    let Some(table) = table_of(target.schema()) else {
        return Ok(targets);
    };
    for source in sources {
        let (_, memory, whole, body) = source;
        let new = convert((whole, body), &targets, target.schema(), overlay.now);
        let name = new.name.map(|name| free(target, &name, overlay));
        targets.add(memory, Some((name.transpose()?, new.title)));
    }
    let ids: HashSet<_> = sources.iter().map(|(_, one, ..)| &one.id).collect();
    let stores: HashSet<_> = ids.iter().map(|id| &id.store).collect();
    let others = memories.iter().filter(|one| stores.contains(&one.id.store));
    for other in others.filter(|one| !ids.contains(&one.id)) {
        let name = parts_in(table, bare(other));
        let file = target.file_of(&name);
        let is_there = file.is_ok_and(|file| overlay.exists(&file));
        let title = other.title.to_string();
        targets.add(other, is_there.then_some((Some(name), title)));
    }
    Ok(targets)
}

/// Adds a memory to another store; returns its name there, if it has one, and fields left out.
fn add(
    source: &Read<'_>,
    (targets, root): (&Targets, &Path),
    target: &dyn Store,
    overlay: &mut Overlay,
) -> Result<(Option<String>, Vec<String>)> {
    let (from, memory, whole, body) = source;
    let mut new = convert((whole, body), targets, target.schema(), overlay.now);
    let name = new.name.as_deref().map(|name| free(target, name, overlay));
    let mut name = name.transpose()?;
    let file = target.file_of(name.as_deref().unwrap_or("x"));
    let folder = file.as_deref().ok().and_then(Path::parent);
    let folders = memory.path.parent().zip(folder);
    // Links between the project and the user's home are not rewritten.
    let folders = folders.filter(|(was, now)| was.starts_with(root) && now.starts_with(root));
    if let Some(folders) = folders {
        let is_file = |path: &Path| path.starts_with(root) && overlay.exists(path);
        new.body = rebased(&new.body, folders, (targets, is_file));
    }
    let stage = |name: Option<&str>, overlay: &mut Overlay| {
        let new = NewMemory {
            title: &new.title,
            fields: &new.fields,
            body: &new.body,
            name,
            is_whole: true,
        };
        target.stage(&Request::Add(new), overlay)
    };
    if let Some(Ok(file)) = name.as_deref().map(|name| target.file_of(name)) {
        keep_entry((*from, memory), (target, &file), overlay)?;
    }
    match stage(name.as_deref(), overlay) {
        // Another memory has the name that the target makes from the title.
        Err(StoreError::Exists(path)) if name.is_none() && path != target.info().path => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            name = Some(free(target, &stem, overlay)?);
            stage(name.as_deref(), overlay)?;
        }
        staged => staged?,
    }
    let is_copy = target.schema() == memory.schema && table_of(memory.schema).is_some();
    if let Some(name) = name.as_ref().filter(|_| is_copy) {
        overwrite(memory, &target.file_of(name)?, overlay)?;
        new.left_out.clear();
    }
    Ok((name, new.left_out))
}

/// A name that no file of the store has: the wished one, else with a number behind it.
fn free(store: &dyn Store, name: &str, overlay: &Overlay) -> Result<String> {
    let mut wished = name.to_owned();
    for number in 2.. {
        if !overlay.exists(&store.file_of(&wished)?) {
            break;
        }
        wished = format!("{name}-{number}");
    }
    Ok(wished)
}

/// Between stores of one format the bytes stay as they are.
fn overwrite(memory: &Memory, to: &Path, overlay: &mut Overlay) -> Result {
    let shape = memory.schema.can.shape;
    let bytes = overlay.read(&memory.path, Some(memory.stamp))?;
    let several = shape.several && document::layout_of(shape, bytes).documents.len() > 1;
    let own = memory.span.start..memory.body.end.max(memory.span.start);
    let bytes = match several {
        true => [document::part(bytes, own).trim_ascii_end(), b"\n"].concat(),
        false => bytes.to_vec(),
    };
    // A store that is one file has it under its own name.
    match overlay.exists(to) {
        true => overlay.write(to, bytes),
        false => Ok(()),
    }
}

/// Lets the entry that a memory has in the index of its store stand for it in the index of another.
fn keep_entry(
    (from, memory): (&dyn Store, &Memory),
    (to, file): (&dyn Store, &Path),
    overlay: &mut Overlay,
) -> Result {
    let index = |store: &dyn Store| {
        let table = store.schema().can.index?;
        Some(store.info().path.join(&table.file))
    };
    let both = index(from).zip(index(to));
    let Some((old, new)) = both.filter(|(old, _)| overlay.exists(old)) else {
        return Ok(());
    };
    let text = overlay.read(&old, None)?.to_vec();
    let mut text = String::from_utf8(text).unwrap_or_default();
    let (from, to) = (&from.info().path, &to.info().path);
    let mut links = index::links(&text, 0).into_iter();
    let is_own = |link: &IndexLink| link.item.is_some() && *from.join(&link.target) == *memory.path;
    if let Some(own) = links.find(is_own) {
        let target = relative(to, file);
        let target = match own.link.form {
            LinkForm::Wiki => target.trim_end_matches(".md"),
            _ => &target,
        };
        text.replace_range(own.link.name.clone(), &own.link.renamed(&text, target));
        overlay.remember(vec![(files::real(&new), text.into_bytes())]);
    }
    Ok(())
}
