//! Claude Code's: an index is given up to a limit, the files it lists are read when they are wanted
//! (formats: claude, "MEMORY.md load").

use std::collections::HashMap;
use std::sync::LazyLock;

use super::listing::{Ask, Judged, ListedScorer, Listing, listed, out};
use super::{Options, Policy, Reason, StoreFault, Texts};
use crate::memory::format::{self, IndexTable};
use crate::memory::index::{self, Entry, Loaded};
use crate::memory::{Memory, Role, Severity, Value, plural};

/// The policy.
pub static INDEX: Policy = Policy {
    faults,
    ..listed("index", |memories| {
        Box::new(ListedScorer(memories, &INDEX, |memories, ask| {
            Box::new(Index::new(memories, ask))
        }))
    })
};

struct Index {
    /// As the loader gives it; none where the store has none.
    own: Option<Read>,
    /// Those of subfolders, each with the path of its folder in the store.
    inner: Vec<(String, Read)>,
    table: &'static IndexTable,
}

struct Read {
    loaded: Loaded,
    entries: Vec<Entry>,
    /// The first entry that links to each file, by its LOCAL.
    first: HashMap<String, usize>,
    /// The line of the file that is the first one cut off.
    cut_line: Option<usize>,
}

impl Read {
    /// Reads an index; lines are those of its file.
    fn new(memory: &Memory, table: &IndexTable, texts: &dyn Texts) -> Option<Self> {
        let text = texts.text(memory)?;
        let front = memory.body.start.saturating_sub(memory.span.start);
        let loaded = index::load(text.as_bytes(), front, table);
        let entries = index::entries(text.as_bytes(), front, table);
        let mut first = HashMap::new();
        // The links behind the first one of a line are listed by it too.
        for link in index::links(&text, front) {
            let line = entries.binary_search_by_key(&link.line, |entry| entry.line);
            if let Ok(at) = line {
                first.entry(local(&link.target).to_owned()).or_insert(at);
            }
        }
        Some(Self {
            entries,
            first,
            cut_line: loaded.cut_line(text.as_bytes()),
            loaded,
        })
    }

    /// The entry of a file. `[[name]]` links to the file's name or to its title.
    fn entry(&self, memory: &Memory, local: &str) -> Option<&Entry> {
        let first = self.first.get(local);
        let first = first.or_else(|| self.first.get(&*memory.title));
        self.entries.get(*first?)
    }
}

/// The index of a store of these memories; that of Claude Code for formats without one.
fn table(first: Option<&Memory>) -> &'static IndexTable {
    static NONE: LazyLock<IndexTable> = LazyLock::new(IndexTable::default);
    let own = first.and_then(|memory| memory.schema.can.index);
    let usual = || format::schema("claude").can.index;
    own.or_else(usual).unwrap_or(&NONE)
}

fn local(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}

/// The folder that a memory is the index of, with its `/`; empty for the store itself.
fn folder_of<'m>(memory: &'m Memory, table: &IndexTable) -> Option<&'m str> {
    let folder = memory.id.local.strip_suffix(table.local())?;
    (folder.is_empty() || folder.ends_with('/')).then_some(folder)
}

fn description(memory: &Memory) -> Option<&str> {
    memory.role(Role::Description).and_then(Value::as_str)
}

impl Index {
    fn new(memories: &[&Memory], ask: &Ask<'_>) -> Self {
        let table = table(memories.first().copied());
        let (mut own, mut inner) = (None, Vec::new());
        for memory in memories {
            let Some(folder) = folder_of(memory, table) else {
                continue;
            };
            let read = Read::new(memory, table, ask.asked.texts);
            match folder {
                "" => own = read,
                _ => inner.extend(read.map(|read| (folder.to_owned(), read))),
            }
        }
        Self { own, inner, table }
    }
}

impl Listing for Index {
    fn judge(&self, memory: &Memory) -> Judged {
        let file = &self.table.file;
        match folder_of(memory, self.table) {
            Some("") => return Ok(None),
            Some(folder) => {
                let how = format!("the index of {folder}: when it is loaded is not known");
                return out(Reason::Reachable, how);
            }
            None => {}
        }
        let local = &*memory.id.local;
        let own = self.own.as_ref();
        let inner = || {
            let mut all = self.inner.iter();
            all.find_map(|(folder, read)| {
                let entry = read.entry(memory, local.strip_prefix(&**folder)?)?;
                Some(format!("line {} of {folder}{file} lists it", entry.line))
            })
        };
        let unlisted = || {
            let why = match own {
                None => format!("there is no {file}"),
                Some(_) => format!("{file} does not list it"),
            };
            format!("{why}: it is found by its description alone")
        };
        let how = match own.and_then(|read| read.entry(memory, local)) {
            Some(entry) if entry.is_loaded => format!("line {} of {file} lists it", entry.line),
            Some(entry) => format!("never loaded: line {} of {file} is cut off", entry.line),
            None => inner().unwrap_or_else(unlisted),
        };
        let lacks = description(memory).map_or("; it has no description", |_| "");
        out(Reason::Reachable, how + lacks)
    }

    fn prompt(&self, _selected: &[&Memory]) -> String {
        let Some(Read { loaded, .. }) = &self.own else {
            return String::new();
        };
        if loaded.cut.is_none() {
            return loaded.text.clone();
        }
        let table = self.table;
        let kilo = |units: usize| format!("{:.1}KB", units as f64 / 1024.0);
        let lines = format!("{} lines (limit: {})", loaded.lines, table.lines);
        let units = format!("{} (limit: {})", kilo(loaded.units), kilo(table.units));
        let over = match (loaded.lines > table.lines, loaded.units > table.units) {
            (true, true) => format!("{lines} and {units}"),
            (true, false) => lines,
            (false, _) => units,
        };
        format!(
            "{}\n\n> WARNING: {} is {over}. Only part of it was loaded. Keep index entries to one line under ~200 chars; move detail into topic files.",
            loaded.text, table.file,
        )
    }

    fn notes(&self) -> Vec<String> {
        let Some(read) = &self.own else {
            return Vec::new();
        };
        let (file, size) = (&self.table.file, read.loaded.size(self.table));
        let below = read.entries.iter().filter(|entry| !entry.is_loaded).count();
        vec![match read.cut_line {
            None => format!("{file} is loaded whole: {size}"),
            Some(line) => format!(
                "{file} is cut at line {line}: {below} of {} entries are never loaded; {size}",
                read.entries.len()
            ),
        }]
    }
}

/// Finds what the agent cannot choose by a description: entries of the index and files without one.
fn faults(memories: &[(usize, &Memory)], _: &Options, texts: &dyn Texts) -> Vec<StoreFault> {
    let table = table(memories.first().map(|(_, memory)| *memory));
    let own = memories
        .iter()
        .find(|(_, memory)| folder_of(memory, table) == Some(""));
    let read = own.and_then(|(_, memory)| Read::new(memory, table, texts));
    let entries = read.iter().flat_map(|read| &read.entries);
    let bare = entries.filter(|entry| entry.hook.is_empty());
    let bare = bare.map(|entry| format!("the entry `{}`", entry.title));
    let mut silent: Vec<String> = bare.collect();
    let entries = silent.len();
    let has_none = |memory: &Memory| {
        let about = description(memory).unwrap_or_default();
        folder_of(memory, table).is_none() && about.trim().is_empty()
    };
    let files = memories.iter().filter(|(_, memory)| has_none(memory));
    let first = own.or_else(|| files.clone().next()).map(|(at, _)| *at);
    silent.extend(files.map(|(_, memory)| format!("`{}.md`", memory.id.local)));
    let listed = match entries {
        1 => "1 entry of the index".to_owned(),
        many => format!("{many} entries of the index"),
    };
    let unlisted = silent.len() - entries;
    let counts = [(entries, listed), (unlisted, plural(unlisted, "file"))].into_iter();
    let counts = counts.filter_map(|(count, text)| (count > 0).then_some(text));
    let counts: Vec<String> = counts.collect();
    let fault = |memory| StoreFault {
        rule: "missing-field",
        severity: Severity::Info,
        memory,
        message: format!("{} without a description", counts.join(" and ")),
        evidence: silent,
    };
    let first = first.filter(|_| !counts.is_empty());
    first.map(fault).into_iter().collect()
}
