//! Claude Code's: an index is given up to a limit, the files it lists are read when they are wanted
//! (formats: claude, "MEMORY.md load").

use std::collections::HashMap;

use super::listing::{Ask, Judged, Listing};
use super::{Options, Reason, StoreFault, Texts};
use crate::memory::format::IndexTable;
use crate::memory::index::{self, Entry, Loaded};
use crate::memory::{Memory, Role, Severity, Value};

/// The policy.
pub(super) struct Index;

/// The index as the loader gives it; none where the store has none.
pub(super) struct Facts {
    read: Option<Read>,
    /// The indexes of subfolders, each with the path of its folder in the store.
    inner: Vec<(String, Read)>,
    table: IndexTable,
}

/// An index that was read.
struct Read {
    loaded: Loaded,
    entries: Vec<Entry>,
    /// The first entry of each file, by its LOCAL.
    first: HashMap<String, usize>,
    /// The line of the file that is the first one cut off.
    cut_line: Option<usize>,
}

/// Reads an index; lines are those of its file.
fn read(memory: &Memory, table: &IndexTable, texts: &dyn Texts) -> Option<Read> {
    let text = texts.text(memory)?;
    let front = memory.body.start.saturating_sub(memory.span.start);
    let loaded = index::load(text.as_bytes(), front, table);
    let entries = index::entries(text.as_bytes(), front, table);
    let mut first = HashMap::new();
    for (at, entry) in entries.iter().enumerate() {
        first.entry(local(&entry.target).to_owned()).or_insert(at);
    }
    Some(Read {
        entries,
        first,
        cut_line: loaded.cut_line(text.as_bytes()),
        loaded,
    })
}

/// The index of a store as its settings describe it.
fn table(options: &Options) -> IndexTable {
    let number = |name: &str, usual: usize| {
        let set = options.get(name).and_then(|text| text.parse().ok());
        set.unwrap_or(usual)
    };
    IndexTable {
        file: options.get("index").unwrap_or("MEMORY.md").to_owned(),
        lines: number("index-lines", 200),
        units: number("index-units", 25_000),
        line: number("index-line", 200),
        unlisted: Vec::new(),
    }
}

/// LOCAL of a file of the store.
fn local(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}

/// The folder that a memory is the index of: empty for the store itself, else a path that ends in
/// `/`. None if the memory is no index.
fn folder_of<'m>(memory: &'m Memory, table: &IndexTable) -> Option<&'m str> {
    let folder = memory.id.local.strip_suffix(local(&table.file))?;
    (folder.is_empty() || folder.ends_with('/')).then_some(folder)
}

impl Listing for Index {
    const NAME: &'static str = "index";
    type Facts = Facts;

    fn facts(memories: &[&Memory], ask: &Ask<'_>, texts: &dyn Texts) -> Facts {
        let table = table(&ask.limits.options);
        let (mut own, mut inner) = (None, Vec::new());
        for memory in memories {
            match folder_of(memory, &table) {
                Some("") => own = read(memory, &table, texts),
                Some(folder) => {
                    let read = read(memory, &table, texts);
                    inner.extend(read.map(|read| (folder.to_owned(), read)));
                }
                None => {}
            }
        }
        Facts {
            read: own,
            inner,
            table,
        }
    }

    fn judge(memory: &Memory, _ask: &Ask<'_>, facts: &Facts) -> Judged {
        let file = &facts.table.file;
        match folder_of(memory, &facts.table) {
            Some("") => return Judged::of(Reason::Selected),
            Some(folder) => {
                let how = format!("the index of {folder}: when it is loaded is not known");
                return Judged::hint(Reason::Reachable, how);
            }
            None => {}
        }
        let about = memory.role(Role::Description).and_then(Value::as_str);
        // `[[name]]` links to the file's name or to its title.
        let entry = |read: &Read, local: &str| {
            let by_title = || read.first.get(&*memory.title);
            let first = read.first.get(local).or_else(by_title);
            let entry = read.entries.get(*first?)?;
            Some((entry.line, entry.is_loaded))
        };
        let own = facts.read.as_ref();
        let own = own.and_then(|read| entry(read, &memory.id.local));
        let inner = || {
            let mut all = facts.inner.iter();
            all.find_map(|(folder, read)| {
                let (line, _) = entry(read, memory.id.local.strip_prefix(&**folder)?)?;
                Some(format!("line {line} of {folder}{file} lists it"))
            })
        };
        let unlisted = || {
            let why = match facts.read {
                None => format!("there is no {file}"),
                Some(_) => format!("{file} does not list it"),
            };
            format!("{why}: it is found by its description alone")
        };
        let how = match own {
            Some((line, true)) => format!("line {line} of {file} lists it"),
            Some((line, false)) => format!("never loaded: line {line} of {file} is cut off"),
            None => inner().unwrap_or_else(unlisted),
        };
        let how = match about {
            Some(_) => how,
            None => format!("{how}; it has no description"),
        };
        Judged::hint(Reason::Reachable, how)
    }

    /// The agent chooses files by what the index and their descriptions say of them.
    fn faults(
        memories: &[(usize, &Memory)],
        options: &Options,
        texts: &dyn Texts,
    ) -> Vec<StoreFault> {
        let table = table(options);
        let is_index = |memory: &Memory| folder_of(memory, &table) == Some("");
        let mut silent = Vec::new();
        let own = memories.iter().find(|(_, memory)| is_index(memory));
        if let Some(read) = own.and_then(|(_, memory)| read(memory, &table, texts)) {
            let bare = read
                .entries
                .into_iter()
                .filter(|entry| entry.hook.is_empty());
            silent.extend(bare.map(|entry| format!("the entry `{}`", entry.title)));
        }
        let entries = silent.len();
        let has_none = |memory: &Memory| {
            let about = memory.role(Role::Description).and_then(Value::as_str);
            folder_of(memory, &table).is_none() && about.is_none_or(|about| about.trim().is_empty())
        };
        let files = memories.iter().filter(|(_, memory)| has_none(memory));
        let first = own.or_else(|| files.clone().next()).map(|(at, _)| *at);
        silent.extend(files.map(|(_, memory)| format!("`{}.md`", memory.id.local)));
        let count = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        };
        let counts = [
            count(entries, "entry of the index", "entries of the index"),
            count(silent.len() - entries, "file", "files"),
        ];
        let counts: Vec<String> = counts.into_iter().flatten().collect();
        let fault = |memory| StoreFault {
            rule: "missing-field",
            severity: Severity::Info,
            memory,
            message: format!("{} without a description", counts.join(" and ")),
            evidence: silent,
        };
        first
            .filter(|_| !counts.is_empty())
            .map(fault)
            .into_iter()
            .collect()
    }

    fn prompt(
        _memories: &[&Memory],
        _selected: &[&Memory],
        _ask: &Ask<'_>,
        facts: &Facts,
        _texts: &dyn Texts,
    ) -> String {
        let Some(Read { loaded, .. }) = &facts.read else {
            return String::new();
        };
        if loaded.cut.is_none() {
            return loaded.text.clone();
        }
        let table = &facts.table;
        let mut over = Vec::new();
        if loaded.lines > table.lines {
            over.push(format!("{} lines (limit: {})", loaded.lines, table.lines));
        }
        if loaded.units > table.units {
            let kilo = |units: usize| format!("{:.1}KB", units as f64 / 1024.0);
            over.push(format!(
                "{} (limit: {})",
                kilo(loaded.units),
                kilo(table.units)
            ));
        }
        format!(
            "{}\n\n> WARNING: {} is {}. Only part of it was loaded. Keep index entries to one line under ~200 chars; move detail into topic files.",
            loaded.text,
            table.file,
            over.join(" and "),
        )
    }

    fn notes(_ask: &Ask<'_>, facts: &Facts) -> Vec<String> {
        let Some(read) = &facts.read else {
            return Vec::new();
        };
        let (file, size) = (&facts.table.file, read.loaded.size(&facts.table));
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
