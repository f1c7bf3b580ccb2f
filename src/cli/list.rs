//! `memkeep list`, and what every listing shares.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::io::Write as _;
use std::sync::Arc;

use rayon::prelude::*;

use super::args::{Filter, ListFormat};
use super::error::Error;
use super::json::{MemoryJson, print_array};
use super::output::note;
use super::{Output, exit};
use crate::app::world::News;
use crate::lint::mask;
use crate::memory::schema::Kind;
use crate::memory::{Memory, Role, Schema, State, Timestamp, Value};
use crate::retrieval::Snapshot;
use crate::search::{Query, is_loose, query::Marks};
use crate::store::schemas as schemas_of;
use crate::ui::safe::{fit, pad, safe};
use crate::workspace::lint::MOST_COUNTED;
use crate::workspace::{Workspace, since};

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Only memories that match this query, e.g. `auth importance:>=high created:<30d`
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// What to narrow by.
    #[command(flatten)]
    pub filter: Filter,
    /// Archived memories too
    #[arg(long)]
    pub all: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &List, output: &mut Output) -> Result<u8, Error> {
    let query = args
        .query
        .as_deref()
        .map(|text| parse(ws, text))
        .transpose()?;
    check(ws, &args.filter)?;
    let all = ws.load();
    let findings = Findings::for_query(ws, &all, query.as_ref());
    let mut chosen = chosen(ws, &all, args.all, query.as_ref(), &findings);
    narrow(ws, &args.filter, &mut chosen.memories);
    let code = print(ws, &all, &chosen, args.format, output)?;
    let told = args.format != ListFormat::Table || ws.collection.stores.is_empty();
    if code == exit::NOTHING && !told {
        let unlisted = ws.unlisted();
        note(match (all.is_empty(), unlisted.is_empty()) {
            (true, true) => "no memories yet",
            (true, false) => "no memories are read",
            (false, _) => "nothing matches",
        });
        if all.is_empty() {
            unlisted.iter().for_each(|line| note(&safe(line)));
        }
    }
    Ok(code)
}

/// Memories to print, with their indexes.
pub struct Chosen<'a> {
    /// The memories, in their order.
    pub memories: Vec<(usize, &'a Arc<Memory>)>,
    /// The indexes of those that match loosely; they stand behind the others.
    loose: HashSet<usize>,
}

impl<'a> From<Vec<(usize, &'a Arc<Memory>)>> for Chosen<'a> {
    fn from(memories: Vec<(usize, &'a Arc<Memory>)>) -> Self {
        Self {
            memories,
            loose: HashSet::new(),
        }
    }
}

/// The memories that a query finds, the best match first and else in their order; all of them
/// without a query.
pub fn chosen<'a>(
    ws: &Workspace,
    all: &'a [Arc<Memory>],
    archived: bool,
    query: Option<&Query>,
    findings: &Findings,
) -> Chosen<'a> {
    let rank = |index: usize, memory: &Memory| match query {
        Some(query) => ws.matches(query, memory, findings.marks(index)),
        None => Some(0),
    };
    let archived = archived || query.is_some_and(Query::asks_archived);
    let listed = all.par_iter().enumerate();
    let listed = listed.filter(|(_, memory)| archived || memory.state == State::Active);
    let found = listed.filter_map(|(index, memory)| Some((rank(index, memory)?, index, memory)));
    let mut found: Vec<(u32, usize, &Arc<Memory>)> = found.collect();
    found.sort_by_key(|(rank, index, _)| (Reverse(*rank), *index));
    let loose = found.iter().filter(|(rank, ..)| is_loose(*rank));
    Chosen {
        loose: loose.map(|(_, index, _)| *index).collect(),
        memories: found
            .into_iter()
            .map(|(_, index, one)| (index, one))
            .collect(),
    }
}

/// Reads a query; an error points at its place.
pub fn parse(ws: &Workspace, text: &str) -> Result<Query, Error> {
    let schemas: Vec<&'static Schema> = ws
        .collection
        .stores
        .iter()
        .flat_map(|store| schemas_of(&**store))
        .collect();
    let finished = |query: Query| match query.unfinished() {
        Some(error) => Err(error.clone()),
        None => Ok(query),
    };
    let query = Query::parse(text, &schemas).and_then(finished);
    query.map_err(|error| {
        let column = text
            .get(..error.span.start)
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        let wrong = Error::wrong(error.message).place(format!("query:1:{column}"));
        match error.hint {
            Some(hint) => wrong.hint(hint),
            None => wrong,
        }
    })
}

/// Refuses flags that none of the stores' formats has a notion of.
pub fn check(ws: &Workspace, filter: &Filter) -> Result<(), Error> {
    let Some(kind) = &filter.kind else {
        return Ok(());
    };
    refuse_type(ws)?;
    check_types(ws, &types(kind))
}

/// Refuses `--type` where no store's format has types.
pub fn refuse_type(ws: &Workspace) -> Result<(), Error> {
    let stores = &ws.collection.stores;
    let mut schemas = stores.iter().flat_map(|store| schemas_of(&**store));
    let has_types = schemas.any(|schema| schema.role(Role::Type).is_some());
    match stores.iter().next().filter(|_| !has_types) {
        Some(store) => Err(Error::wrong(format!(
            "{} memories have no type",
            store.info().format()
        ))
        .hint("--tags narrows by tag")),
        None => Ok(()),
    }
}

/// Refuses a type that no store's format knows.
pub fn check_types(ws: &Workspace, words: &[&str]) -> Result<(), Error> {
    let schemas = ws.collection.stores.iter();
    let schemas = schemas.flat_map(|store| schemas_of(&**store));
    let specs = schemas.filter_map(|schema| schema.role(Role::Type));
    let mut known: Vec<&str> = Vec::new();
    for spec in specs {
        let Kind::Choice(words) = spec.kind else {
            // A type in words of one's own.
            return Ok(());
        };
        known.extend(
            words
                .iter()
                .filter(|word| !known.contains(*word))
                .copied()
                .collect::<Vec<_>>(),
        );
    }
    let is_known = |word: &&&str| known.iter().any(|known| known.eq_ignore_ascii_case(word));
    match words.iter().find(|word| !is_known(word)) {
        Some(word) => Err(Error::wrong(format!("no memory has the type `{word}`"))
            .hint(format!("one of {}", known.join(", ")))),
        None => Ok(()),
    }
}

/// The words of `--type`.
pub fn types(text: &str) -> Vec<&str> {
    let words = text.split(',').map(str::trim);
    words.filter(|word| !word.is_empty()).collect()
}

/// Keeps what the flags ask for.
pub fn narrow(ws: &Workspace, filter: &Filter, chosen: &mut Vec<(usize, &Arc<Memory>)>) {
    const DAY: i64 = 86_400_000;
    if let Some(kind) = &filter.kind {
        let wanted = types(kind);
        let is_wanted = |memory: &Memory| {
            let own = memory.role(Role::Type).and_then(Value::as_str);
            own.is_some_and(|own| wanted.iter().any(|word| word.eq_ignore_ascii_case(own)))
        };
        chosen.retain(|(_, memory)| is_wanted(memory));
    }
    if !filter.tags.is_empty() {
        let wanted = |tag: &str| {
            filter
                .tags
                .iter()
                .any(|wanted| wanted.trim().to_lowercase() == tag.to_lowercase())
        };
        chosen.retain(|(_, memory)| memory.tags().any(wanted));
    }
    if let Some(days) = filter.recent {
        let since = Timestamp(ws.now.0.saturating_sub(i64::from(days) * DAY));
        chosen.retain(|(_, memory)| memory.is_since(since));
    }
    if let Some(most) = filter.last {
        let mut newest: Vec<_> = chosen
            .iter()
            .map(|(index, memory)| (std::cmp::Reverse(memory.written()), *index))
            .collect();
        newest.sort_unstable();
        let kept: std::collections::HashSet<usize> = newest
            .into_iter()
            .take(most)
            .map(|(_, index)| index)
            .collect();
        chosen.retain(|(index, _)| kept.contains(index));
    }
}

/// Marks of lint; empty if nothing asks for them.
#[derive(Default)]
pub struct Findings {
    marks: Vec<Marks>,
    none: Marks,
}

impl Findings {
    /// Lints all memories where a query asks what was found in them, and asks the repository where
    /// it asks what is new.
    pub fn for_query(ws: &Workspace, memories: &Snapshot, query: Option<&Query>) -> Self {
        let mut marks = match query {
            Some(query) if query.needs_findings() => ws.marks(memories, None),
            _ => Vec::new(),
        };
        if query.is_some_and(Query::needs_news) {
            marks.resize(memories.len(), Marks::default());
            let news = News::from(since::repository_state(&ws.collection, memories));
            for (marks, memory) in marks.iter_mut().zip(memories.iter()) {
                marks.new = news.has(memory);
            }
        }
        Self {
            marks,
            none: Marks::default(),
        }
    }

    /// Lints the memories with these indexes, unless there are so many that it takes seconds.
    fn to_show(ws: &Workspace, memories: &[Arc<Memory>], wanted: &[usize]) -> Option<Self> {
        (wanted.len() <= MOST_COUNTED).then(|| Self {
            marks: ws.marks(memories, Some(wanted)),
            none: Marks::default(),
        })
    }

    /// Number of findings of one memory.
    pub fn count_of(ws: &Workspace, memories: &[Arc<Memory>], index: usize) -> Option<u32> {
        let found = Self::to_show(ws, memories, &[index])?;
        Some(found.marks(index).count)
    }

    /// The marks of a memory.
    pub fn marks(&self, index: usize) -> &Marks {
        self.marks.get(index).unwrap_or(&self.none)
    }
}

/// Prints memories as the contract's array, with `body` where it is wanted. The number of findings
/// of each is left out if there are too many memories to check.
pub fn print_json(
    ws: &Workspace,
    all: &[Arc<Memory>],
    memories: &[(usize, &Arc<Memory>)],
    body: impl Fn(&Memory) -> Option<String> + Sync,
    output: &mut Output,
) -> Result<(), Error> {
    let wanted: Vec<usize> = memories.iter().map(|(index, _)| *index).collect();
    let findings = Findings::to_show(ws, all, &wanted);
    let count = |index: usize| Some(findings.as_ref()?.marks(index).count);
    print_array(
        memories,
        |(index, memory)| MemoryJson::new(ws, memory, count(*index), body(memory)),
        output,
    )
}

/// Prints memories; the exit code says whether there were any.
pub fn print(
    ws: &Workspace,
    all: &[Arc<Memory>],
    chosen: &Chosen<'_>,
    format: ListFormat,
    output: &mut Output,
) -> Result<u8, Error> {
    let memories = &*chosen.memories;
    match format {
        ListFormat::Json => print_json(ws, all, memories, |_| None, output)?,
        ListFormat::Quiet => {
            for (_, memory) in memories {
                id_line(memory, output)?;
            }
        }
        ListFormat::Markdown => {
            for (_, memory) in memories {
                let tags: Vec<&str> = memory.tags().collect();
                let tags = if tags.is_empty() {
                    String::new()
                } else {
                    format!(" ({})", tags.join(", "))
                };
                writeln!(
                    output,
                    "- **{}**{} — `{}`",
                    safe(&mask(&memory.title)),
                    safe(&mask(&tags)),
                    safe(&memory.id.to_string())
                )?;
            }
        }
        ListFormat::Table => table(ws, chosen, output)?,
    }
    Ok(if memories.is_empty() {
        exit::NOTHING
    } else {
        exit::DONE
    })
}

/// The id of a memory on a line of its own.
pub fn id_line(memory: &Memory, output: &mut Output) -> Result<(), Error> {
    output.write_all(format!("{}\n", memory.id).as_bytes())?;
    Ok(())
}

/// How important a memory is; where its format has no such notion, of what type it is.
fn weight(memory: &Memory) -> String {
    let has = memory.schema.role(Role::Importance).is_some();
    let role = if has { Role::Importance } else { Role::Type };
    memory
        .role(role)
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn table(ws: &Workspace, chosen: &Chosen<'_>, output: &mut Output) -> Result<(), Error> {
    let memories = &*chosen.memories;
    let is_loose = |(index, _): &(usize, _)| chosen.loose.contains(index);
    let loose = memories.iter().position(is_loose);
    if memories.is_empty() {
        return Ok(());
    }
    let cells = |memory: &Memory| {
        let mark = match (memory.state, memory.hidden_at(ws.now)) {
            (State::Archived, _) => "a",
            (_, Some(_)) => "∅",
            _ => " ",
        };
        let age = memory
            .written()
            .map_or(String::new(), |written| written.age_words(ws.now));
        let tags = memory.tags().collect::<Vec<_>>().join(" ");
        [
            mark.to_owned(),
            memory.id.to_string(),
            weight(memory),
            age,
            mask(&memory.title).into_owned(),
            mask(&tags).into_owned(),
        ]
    };
    let rows: Vec<[String; 6]> = memories.iter().map(|(_, memory)| cells(memory)).collect();
    let has = |role| {
        memories
            .iter()
            .any(|(_, memory)| memory.schema.role(role).is_some())
    };
    let kind = match (has(Role::Importance), has(Role::Type)) {
        (false, true) => "TYPE",
        _ => "IMPORTANCE",
    };
    let head = ["", "ID", kind, "AGE", "TITLE", "TAGS"].map(ToOwned::to_owned);
    let most = output
        .width()
        .map_or([1, usize::MAX, 10, 4, 100, 60], |width| {
            let rest = width.saturating_sub(1 + 10 + 4 + 10);
            [1, rest * 2 / 5, 10, 4, rest * 2 / 5, rest / 5]
        });
    let widths: Vec<usize> = (0..head.len())
        .map(|column| {
            let all = std::iter::once(&head)
                .chain(&rows)
                .filter_map(|row| row.get(column));
            let widest = all
                .map(|cell| crate::ui::safe::width(&safe(cell)))
                .max()
                .unwrap_or_default();
            widest.min(most.get(column).copied().unwrap_or(usize::MAX))
        })
        .collect();
    for (n, row) in std::iter::once(&head).chain(&rows).enumerate() {
        if loose.is_some_and(|loose| n == loose + 1) {
            writeln!(output, "─ looser ─")?;
        }
        let line: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| pad(&fit(cell, *width), *width))
            .collect();
        let line = line.join("  ");
        let line = line.trim_end();
        match n {
            0 => output.bold(line)?,
            _ => output.write_all(line.as_bytes())?,
        }
        writeln!(output)?;
    }
    Ok(())
}
