//! The links of a text in the form of another format.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::{bare, parts_in};
use crate::memory::format::LinkForm::Wiki;
use crate::memory::format::{LinkForm, Table, table_of};
use crate::memory::link::{self, TextLink, joined, relative, text_links};
use crate::memory::{Memory, Role, Schema};

/// Targets of links in a converted text, by each name that a link may have for a memory.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Memories that the other store has, with their name and title there.
    new: HashMap<String, Named>,
    /// Names of memories that the other store does not have.
    old: HashSet<String>,
    /// Source files of the memories in `new`.
    files: HashSet<Arc<Path>>,
}

/// The name and the title of a memory in the other store. The name is None if its format chooses
/// one when the memory is written.
type Named = (Option<String>, String);

impl Targets {
    /// Adds a memory with its name and title in the other store; None if that store does not have it.
    pub fn add(&mut self, memory: &Memory, new: Option<Named>) {
        self.files.extend(new.as_ref().map(|_| memory.path.clone()));
        let local = bare(memory);
        let last = local.rsplit('/').next().unwrap_or(local);
        let names = [local, last].map(|name| link::fold(memory.schema, name));
        for name in names.into_iter().chain(link::names(memory)) {
            let name = name.replace('_', "-");
            match &new {
                Some(new) => drop(self.new.entry(name).or_insert_with(|| new.clone())),
                None => drop(self.old.insert(name)),
            }
        }
    }
}

/// Rewrites the relative links of a text that moves to another folder, where they lead to files that
/// do not move.
pub fn rebased(
    text: &str,
    (was, now): (&Path, &Path),
    (targets, is_file): (&Targets, impl Fn(&Path) -> bool),
) -> String {
    let mut new = text.to_owned();
    let links = text_links(text, &[LinkForm::Path]).into_iter().rev();
    for link in links.filter(|link| !link.is_code) {
        let path = joined(was, &link.target(text));
        if is_file(&path) && !targets.files.contains(&*path) {
            let to = link.renamed(text, &relative(now, &path));
            new.replace_range(link.name, &to);
        }
    }
    new
}

/// The format and the folder that a text is converted from, those it is converted to, and the targets
/// of its links.
pub(super) struct Way<'a> {
    pub from: (&'static Schema, &'a str),
    pub to: (&'static Schema, &'a str),
    pub targets: &'a Targets,
}

/// Rewrites the links of a text for the format that it is converted to. They stay as they are if that
/// format has no links, and if they lead to memories that are not converted.
pub(super) fn translated(text: &str, way: &Way<'_>) -> String {
    let tables = table_of(way.from.0).zip(table_of(way.to.0));
    let (Some(tables), false) = (tables, way.to.0.can.links.is_empty()) else {
        return text.to_owned();
    };
    let (mut new, mut next) = (text.to_owned(), text.len());
    let mut links = text_links(text, way.from.0.can.links);
    links.sort_by_key(|link| link.whole.start);
    for link in links.into_iter().rev() {
        let is_code = matches!(link.form, LinkForm::Wiki | LinkForm::Path) && link.is_code;
        // Of nested links only the inner one is rewritten.
        let is_asked = !is_code && link.whole.end <= next;
        let written = is_asked.then(|| written(text, &link, (tables, way)));
        if let Some(written) = written.flatten() {
            // Serena links names in backticks; elsewhere backticks would make the link code.
            let (before, after) = text.split_at(link.whole.start);
            let after = after.get(link.whole.len()..).unwrap_or_default();
            let ticks = usize::from(before.ends_with('`') && after.starts_with('`'));
            next = link.whole.start - ticks;
            new.replace_range(next..link.whole.end + ticks, &written);
        }
    }
    new
}

/// Writes the name of a memory or of its file as a link of the format that a text is converted to.
/// None if the other store does not have the memory.
pub(super) fn of_name(name: &str, way: &Way<'_>) -> Option<String> {
    let tables = table_of(way.from.0).zip(table_of(way.to.0))?;
    let name = name.strip_suffix(".md").unwrap_or(name);
    let text = format!("[[{name}]]");
    let link = text_links(&text, &[Wiki]).pop()?;
    let is_known = way.targets.new.contains_key(&key(name, way));
    let is_linked = is_known && !way.to.0.can.links.is_empty();
    is_linked.then(|| written(&text, &link, (tables, way)).unwrap_or(text))
}

/// The key of a name in [`Targets`].
fn key(name: &str, way: &Way<'_>) -> String {
    link::fold(way.from.0, name).replace('_', "-")
}

/// The ending of the file names that a format writes.
fn end(table: &Table) -> &str {
    table.ends.first().map_or(".md", String::as_str)
}

/// The name in a link without the ending of a file: as written, and from the root of the store if the
/// link is a path into the store.
fn named<'n>(target: &'n str, form: LinkForm, (from, folder): (&Table, &str)) -> (&'n str, String) {
    let last = end(from).rfind('.').and_then(|at| end(from).get(at..));
    let ends = [Some(end(from)), last, Some(".md")].into_iter().flatten();
    let target = target.strip_prefix("./").unwrap_or(target);
    // A path from the root of a project contains the path of the store.
    let mut places = from.project.iter();
    let below = places.find_map(|place| target.strip_prefix(&**place)?.strip_prefix('/'));
    let target = below.unwrap_or(target);
    let name = ends.filter_map(|end| target.strip_suffix(end)).next();
    let name = name.unwrap_or(target);
    let store = Path::new("/store");
    let path = joined(&store.join(folder), name);
    let inside = path.strip_prefix(store).ok().and_then(Path::to_str);
    let inside = inside.filter(|_| form == LinkForm::Path);
    (name, inside.unwrap_or(name).to_owned())
}

/// A link in the format that a text is converted to; None if it stays as it is.
fn written(
    text: &str,
    link: &TextLink,
    ((from, to), way): ((&Table, &Table), &Way<'_>),
) -> Option<String> {
    let target = link.target(text);
    let (name, inside) = named(&target, link.form, (from, way.from.1));
    let key = key(&inside, way);
    let known = way.targets.new.get(&key);
    // Paths out of the store, paths of code, packages and words that are no valid name of a file are
    // not links to memories.
    let is_other = || {
        let is_file = link.form == LinkForm::At && name.contains(['/', '.']);
        let is_outside = name.starts_with(['/', '.', '~']);
        let is_name = parts_in(to, name) == name;
        is_file || is_outside || !is_name || way.targets.old.contains(&key)
    };
    if known.is_none() && is_other() {
        return None;
    }
    let own = known.and_then(|(name, _)| name.clone());
    let plain = own.unwrap_or_else(|| parts_in(to, name));
    let path = match known {
        Some(_) => relative(Path::new(way.to.1), Path::new(&plain)),
        None => plain.clone(),
    } + end(to);
    // Formats with an id field link memories by title.
    let has_ids = to.schema.role(Role::Id).is_some();
    let title = known.filter(|_| has_ids).map(|(_, title)| title);
    let wiki = title.map_or(if known.is_some() { &plain } else { name }, String::as_str);
    let label = text.get(link.label.clone())?;
    let is_name = label == target || label == name;
    let links = to.schema.can.links;
    let fold = |name: &str| link::fold(to.schema, name);
    let is_read = link.form != LinkForm::Path || end(from) == end(to);
    if links.contains(&link.form) && (is_read || !is_name) {
        let (new, is_same) = match link.form {
            LinkForm::Wiki => (wiki, fold(wiki) == fold(&target)),
            LinkForm::Path => (&*path, *path == target),
            _ => (&*plain, *plain == target),
        };
        let before = text.get(link.whole.start..link.name.start)?;
        let after = text.get(link.name.end..link.whole.end)?;
        let is_kept = is_same || is_read && known.is_none();
        return (!is_kept).then(|| format!("{before}{}{after}", link.renamed(text, new)));
    }
    let form = *links.first()?;
    Some(match form {
        LinkForm::Wiki if is_name => format!("[[{wiki}]]"),
        LinkForm::Wiki => format!("[[{wiki}|{label}]]"),
        LinkForm::Path if is_name => format!("[{plain}]({path})"),
        LinkForm::Path => format!("[{label}]({path})"),
        _ if !is_name => format!("{label} ({}{plain})", form.mark()),
        LinkForm::File => format!("#file:{plain}{}", end(to)),
        LinkForm::Name => path,
        LinkForm::At | LinkForm::Mem => format!("{}{plain}", form.mark()),
    })
}
