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
    file: String,
    read: Option<(Loaded, Vec<Entry>)>,
    /// The first entry of each file, by its LOCAL.
    first: HashMap<String, usize>,
    lines: usize,
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
    }
}

/// LOCAL of a file of the store.
fn local(file: &str) -> &str {
    file.strip_suffix(".md").unwrap_or(file)
}

impl Listing for Index {
    const NAME: &'static str = "index";
    type Facts = Facts;

    fn facts(memories: &[&Memory], ask: &Ask<'_>, texts: &dyn Texts) -> Facts {
        let table = table(&ask.limits.options);
        let is_index = |memory: &&&Memory| *memory.id.local == *local(&table.file);
        let own = memories.iter().find(is_index);
        let body = own.and_then(|memory| texts.body(memory));
        let read = body.map(|body| {
            let loaded = index::load(body.as_bytes(), 0, &table);
            (loaded, index::entries(body.as_bytes(), 0, &table))
        });
        let mut first = HashMap::new();
        let entries = read.iter().flat_map(|(_, entries)| entries);
        for (at, entry) in entries.enumerate() {
            first.entry(local(entry.file()).to_owned()).or_insert(at);
        }
        Facts {
            file: table.file,
            read,
            first,
            lines: table.lines,
        }
    }

    fn judge(memory: &Memory, _ask: &Ask<'_>, facts: &Facts) -> Judged {
        if *memory.id.local == *local(&facts.file) {
            return Judged::of(Reason::Selected);
        }
        let about = memory.role(Role::Description).and_then(Value::as_str);
        let file = &facts.file;
        let at = facts.first.get(&*memory.id.local);
        let entries = facts.read.as_ref().map(|(_, entries)| entries);
        let own = entries.and_then(|entries| entries.get(*at?));
        let how = match (&facts.read, own) {
            (None, _) => format!("there is no {file}: it is found by its description alone"),
            (_, None) => format!("{file} does not list it: it is found by its description alone"),
            (_, Some(entry)) if entry.is_loaded => {
                format!("line {} of {file} lists it", entry.line)
            }
            (_, Some(entry)) => format!("never loaded: line {} of {file} is cut off", entry.line),
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
        let is_index = |memory: &Memory| *memory.id.local == *local(&table.file);
        let mut silent = Vec::new();
        let own = memories.iter().find(|(_, memory)| is_index(memory));
        if let Some(body) = own.and_then(|(_, memory)| texts.body(memory)) {
            let entries = index::entries(body.as_bytes(), 0, &table).into_iter();
            let bare = entries.filter(|entry| entry.hook.is_empty());
            silent.extend(bare.map(|entry| format!("the entry `{}`", entry.title)));
        }
        let entries = silent.len();
        let has_none = |memory: &Memory| {
            let about = memory.role(Role::Description).and_then(Value::as_str);
            !is_index(memory) && about.is_none_or(|about| about.trim().is_empty())
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
        ask: &Ask<'_>,
        facts: &Facts,
        _texts: &dyn Texts,
    ) -> String {
        let Some((loaded, _)) = &facts.read else {
            return String::new();
        };
        if loaded.cut.is_none() {
            return loaded.text.clone();
        }
        let table = table(&ask.limits.options);
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
            facts.file,
            over.join(" and "),
        )
    }

    fn notes(ask: &Ask<'_>, facts: &Facts) -> Vec<String> {
        let Some((loaded, entries)) = &facts.read else {
            return Vec::new();
        };
        let below = entries.iter().filter(|entry| !entry.is_loaded).count();
        if loaded.cut.is_none() {
            return vec![format!(
                "{} is loaded whole: {} lines and {} units are left",
                facts.file,
                facts.lines.saturating_sub(loaded.lines),
                table(&ask.limits.options)
                    .units
                    .saturating_sub(loaded.units),
            )];
        }
        vec![format!(
            "{} is cut: {below} of {} entries are never loaded",
            facts.file,
            entries.len()
        )]
    }
}
