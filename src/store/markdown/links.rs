//! Keeps texts in step with the names of memories, as the system's own tool should have done.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{MarkdownStore, joined};
use crate::memory::format::LinkForm;
use crate::memory::index::{self, IndexLink};
use crate::memory::link::{RULE, TextLink, relative, text_links};
use crate::memory::{Memory, Role, State, Value};
use crate::store::{NewName, Overlay, Renames, Result};

/// The bytes of a text that change, and what stands there then.
type Edit = (Range<usize>, String);

fn stem(local: &str) -> &str {
    local.rsplit('/').next().unwrap_or(local)
}

fn title(memory: &Memory) -> Option<&str> {
    memory.role(Role::Title)?.as_str()
}

/// True if links by this name survive a rename of the file: it is the title or the permanent id.
fn stays(store: &MarkdownStore, memory: &Memory, name: &str) -> bool {
    let id = memory.role(Role::Id).and_then(Value::as_str);
    let title = title(memory).filter(|_| !store.title_follows(memory));
    let is_wiki = store.table.schema.can.links.contains(&LinkForm::Wiki);
    is_wiki && (id == Some(name) || title == Some(name))
}

/// The memories of a store that are called otherwise now, or are gone (none).
#[derive(Default)]
struct Renamed<'a> {
    locals: HashMap<Cow<'a, str>, Option<Cow<'a, str>>>,
    /// By what else a link calls them: the last part of LOCAL, the title.
    names: HashMap<&'a str, Option<&'a str>>,
    paths: HashMap<&'a Path, Option<PathBuf>>,
    /// True if memories are titled by their file names, without folders.
    titles_are_names: bool,
    /// The files of the active memories of the store, by title.
    others: HashMap<&'a str, &'a Path>,
}

pub fn follow(
    store: &MarkdownStore,
    changed: &Renames<'_>,
    texts: &[Arc<Memory>],
    overlay: &mut Overlay,
) -> Result {
    let forms = store.table.schema.can.links;
    let mut changed = changed.to_vec();
    // A link to what is gone may be meant to be one: the system takes it for what is to be written.
    let stays = store.table.forward_links;
    changed.retain(|(memory, to)| {
        memory.state == State::Active && !(stays && matches!(to, NewName::Gone))
    });
    if forms.is_empty() || changed.is_empty() {
        return Ok(());
    }
    let renamed = Renamed::new(store, &changed, texts, overlay)?;
    let is_text = |other: &&Arc<Memory>| other.state == State::Active && other.document == 0;
    let mut files: Vec<&Path> = texts.iter().filter(is_text).map(|one| &*one.path).collect();
    let index = store.table.schema.can.index;
    let index = index.map(|table| store.folder().join(&table.file));
    files.extend(index.as_deref());
    files.sort_unstable();
    files.dedup();
    let mut unlinked = Vec::new();
    for was in files {
        // A file that was renamed is read under its new name.
        let now = renamed.paths.get(was).and_then(Option::as_deref);
        let now = now.unwrap_or(was);
        let bytes = match overlay.current(now) {
            Ok(Some(bytes)) => bytes,
            // Of a memory that cannot be read the links stay; an entry would lead nowhere unseen.
            Err(error) if store.is_index(was) => return Err(error),
            Ok(None) | Err(_) => continue,
        };
        let text = std::str::from_utf8(bytes);
        let Ok(text) = text else { continue };
        let mut changes = renamed.changes(store, text, (was, now));
        // Folders of the store may have an index of their own.
        let folder = was.parent().filter(|_| store.is_index(was));
        if let Some(folder) = folder.filter(|folder| folder.starts_with(store.folder())) {
            changes.extend(renamed.listed(text, (folder, was, now)));
        }
        if changes.is_empty() {
            continue;
        }
        changes.sort_by_key(|(range, _)| range.start);
        changes.dedup_by(|next, one| next.0.start < one.0.end);
        let mut text = text.to_owned();
        for (range, new) in changes.into_iter().rev() {
            text.replace_range(range, &new);
        }
        overlay.write(now, text.into_bytes())?;
        if !store.is_index(was) && renamed.paths.values().any(Option::is_none) {
            unlinked.push(now.strip_prefix(store.folder()).unwrap_or(now).display());
        }
    }
    let unlinked: Vec<String> = unlinked.iter().map(ToString::to_string).collect();
    overlay.note((!unlinked.is_empty()).then(|| {
        let places = unlinked.join(", ");
        format!("links to it are plain text now in {places}")
    }));
    Ok(())
}

impl<'a> Renamed<'a> {
    fn new(
        store: &MarkdownStore,
        changed: &[(&'a Memory, NewName<'a>)],
        texts: &'a [Arc<Memory>],
        overlay: &Overlay,
    ) -> Result<Self> {
        let mut all = Self {
            titles_are_names: store.table.title_is_slug,
            ..Self::default()
        };
        let prefix = store.prefix();
        let ids: HashSet<_> = changed.iter().map(|(memory, _)| &memory.id).collect();
        let own = texts.iter().filter(|one| one.id.store == store.info.id);
        let own = own.filter(|one| one.state == State::Active);
        let others = own.clone().filter(|one| !ids.contains(&one.id));
        // A name of several memories says of none which one a link means.
        let locals: HashSet<&str> = others.clone().map(|one| &*one.id.local).collect();
        let taken = others.flat_map(|one| [Some(stem(&one.id.local)), title(one)]);
        let taken: HashSet<&str> = taken.flatten().collect();
        let titled = |one: &'a Arc<Memory>| Some((title(one)?, &*one.path));
        all.others = own.clone().filter_map(titled).collect();
        let free = |name: &&str| !name.is_empty() && !taken.contains(name);
        let is_wiki = store.table.schema.can.links.contains(&LinkForm::Wiki);
        for &(memory, to) in changed {
            let local = &*memory.id.local;
            let full = |local: &'a str| match prefix {
                "" => Cow::Borrowed(local),
                prefix => Cow::Owned(format!("{prefix}{local}")),
            };
            let own_stem = Some(stem(local)).filter(&free);
            let own_title = title(memory).filter(&free);
            match to {
                NewName::Local(to) => {
                    let kept = own.clone().find(|one| *one.id.local == *store.stem(to));
                    let path = match kept {
                        Some(kept) => kept.path.to_path_buf(),
                        None => store.renamed(memory, to)?,
                    };
                    let to = store.stem(to);
                    // A memory that was merged into another one keeps no name of its own.
                    let is_merged = locals.contains(to);
                    let stays = |name: &str| !is_merged && stays(store, memory, name);
                    if !stays(local) {
                        all.locals.insert(full(local), Some(full(to)));
                    }
                    let goes = is_merged && is_wiki;
                    let title = own_title.filter(|_| goes || store.title_follows(memory));
                    let id = memory.role(Role::Id).and_then(Value::as_str);
                    let own_stem = own_stem.filter(|name| !stays(name));
                    let names = [own_stem, title, id.filter(|_| goes)];
                    let names = names.into_iter().flatten();
                    all.names.extend(names.map(|name| (name, Some(stem(to)))));
                    all.paths.insert(&memory.path, Some(path));
                }
                NewName::Field(role, to) => {
                    let name = match role {
                        Role::Title => own_title,
                        _ => memory.role(role).and_then(Value::as_str),
                    };
                    let name = name.filter(|_| is_wiki);
                    all.names.extend(name.map(|name| (name, Some(to))));
                }
                NewName::Called(to) => {
                    all.locals.insert(full(local), Some(Cow::Borrowed(to)));
                }
                NewName::Gone => {
                    all.locals.insert(full(local), None);
                    all.names.extend(own_stem.map(|name| (name, None)));
                    all.names.extend(own_title.map(|name| (name, None)));
                    if !overlay.exists(&memory.path) {
                        all.paths.insert(&memory.path, None);
                    }
                }
            }
        }
        Ok(all)
    }

    /// The changes of the text of a file, which may have another name now.
    fn changes(&self, store: &MarkdownStore, text: &str, file: (&Path, &Path)) -> Vec<Edit> {
        let links = text_links(text, store.table.schema.can.links);
        if links.is_empty() {
            return Vec::new();
        }
        let documents = store.layout(text.as_bytes()).documents;
        let body = documents.first().map_or(0, |first| first.body.start);
        let links = links.into_iter().filter(|link| link.whole.start >= body);
        let changes = links.filter_map(|link| self.change(text, &link, file));
        changes.collect()
    }

    /// The changes of an index beside its links: entries of memories that are gone, or listed
    /// already by their new name, go, unless they hold another's entry or only mention. File names
    /// are renamed.
    fn listed(&self, text: &str, (folder, was, now): (&Path, &Path, &Path)) -> Vec<Edit> {
        let links = index::links(text, 0);
        let paths: Vec<PathBuf> = links.iter().map(|link| self.file(folder, link)).collect();
        let listed: HashSet<&Path> = paths.iter().map(PathBuf::as_path).collect();
        let is_gone = |path: &PathBuf| match self.paths.get(path.as_path()) {
            Some(Some(new)) => listed.contains(&**new),
            Some(None) => true,
            None => false,
        };
        let all: Vec<_> = links.iter().zip(&paths).collect();
        let leading = all.iter().filter(|(link, _)| link.item.is_some());
        let leading: HashSet<&PathBuf> = leading.map(|(_, path)| *path).collect();
        let item = |at: usize| {
            let (link, path) = all.get(at)?;
            let item = link.item.as_ref().filter(|_| is_gone(path))?;
            let rest = all.get(at + 1..)?.iter();
            let mut inner = rest.take_while(|(other, _)| other.range.start < item.end);
            let is_spare = |path: &PathBuf| leading.contains(path) || !path.exists();
            let goes = |(other, path): &(&IndexLink, &PathBuf)| {
                is_gone(path) || other.range == link.range && is_spare(path)
            };
            inner.all(goes).then_some(item)
        };
        let gone = index::cut(text, (0..all.len()).filter_map(item));
        let gone = gone.into_iter().map(|own| (own, String::new()));
        let names = links.iter().filter(|one| one.link.form == LinkForm::Name);
        let is_there = |one: &&IndexLink| self.paths.get(&*self.file(folder, one)) != Some(&None);
        let names = names.filter(is_there);
        let renamed = names.filter_map(|one| self.change(text, &one.link, (was, now)));
        gone.chain(renamed).collect()
    }

    /// The file that an index entry leads to; the name in `[[name]]` may be the title of a memory.
    fn file(&self, folder: &Path, link: &IndexLink) -> PathBuf {
        let path = joined(folder, &link.target);
        let name = link.target.strip_suffix(".md");
        let name = name.filter(|_| link.link.form == LinkForm::Wiki && !path.exists());
        let named = name.and_then(|name| self.others.get(name));
        named.map_or(path, |path| path.to_path_buf())
    }

    fn change(&self, text: &str, link: &TextLink, (was, now): (&Path, &Path)) -> Option<Edit> {
        let target = link.target(text);
        let new: Option<Cow<'_, str>> = match link.form {
            LinkForm::Mem => return self.mem(text, link),
            LinkForm::Wiki | LinkForm::Path if link.is_code => return None,
            LinkForm::Wiki => {
                let is_bare = self.titles_are_names && !target.contains('/');
                let bare = |new| if is_bare { stem(new) } else { new };
                let name = target.trim();
                let (new, end) = match (self.name(name), name.strip_suffix(".md")) {
                    (None, Some(name)) => (self.name(name), ".md"),
                    (new, _) => (new, ""),
                };
                new?.map(|new| format!("{}{end}", bare(new)).into())
            }
            LinkForm::Path | LinkForm::Name => {
                let path = joined(was.parent()?, &target);
                let new = match self.paths.get(&*path) {
                    Some(new) => new.as_deref(),
                    // The file with the link moves, its target does not.
                    None if was.parent() != now.parent() && path.exists() => Some(&*path),
                    None => return None,
                };
                let dot = if target.starts_with("./") { "./" } else { "" };
                let folder = now.parent()?;
                new.map(|new| format!("{dot}{}", relative(folder, new)).into())
            }
            LinkForm::At | LinkForm::File => self.above(&target, was.parent()?)?,
        };
        Some(match new {
            Some(new) => (link.name.clone(), link.renamed(text, &new)),
            None => (link.whole.clone(), text.get(link.label.clone())?.to_owned()),
        })
    }

    fn name(&self, name: &str) -> Option<Option<&str>> {
        let local = self.locals.get(name).map(Option::as_deref);
        local.or_else(|| self.names.get(name).copied())
    }

    /// `mem:name`, in code too: compared letter by letter, for names have signs (formats: serena).
    fn mem(&self, text: &str, link: &TextLink) -> Option<Edit> {
        let rest = text.get(link.name.start..)?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-/".contains(c);
        let fits = |old: &str| {
            let after = rest.strip_prefix(old);
            after.is_some_and(|after| !after.starts_with(is_name))
        };
        let known = self.locals.iter().filter(|(old, _)| fits(old));
        let (old, new) = known.max_by_key(|(old, _)| old.len())?;
        let name = link.name.start..link.name.start + old.len();
        Some(match new {
            Some(new) => (name, new.to_string()),
            None => (link.whole.start..name.end, old.to_string()),
        })
    }

    /// A path from a folder or one above, up to the project's; a name alone is that of a file.
    fn above(&self, target: &str, folder: &Path) -> Option<Option<Cow<'_, str>>> {
        let mut folders = folder.ancestors();
        let known = folders.find_map(|folder| {
            let new = self.paths.get(&*joined(folder, target))?;
            Some(new.as_deref().map(|new| Cow::Owned(relative(folder, new))))
        });
        known.or_else(|| {
            let name = target.strip_suffix(RULE).unwrap_or(target);
            let end = target.get(name.len()..).unwrap_or_default();
            // Rules are named without their folders.
            let bare = |new| if name.contains('/') { new } else { stem(new) };
            let new = self.name(name)?.map(bare);
            Some(new.map(|new| Cow::Owned(format!("{new}{end}"))))
        })
    }
}
