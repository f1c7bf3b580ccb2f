//! `memkeep list` and `memkeep search`, and what every listing shares.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::args::Filter;
use super::prelude::*;
use crate::memory::Schema;
use crate::memory::schema::Kind;
use crate::retrieval::NO_CARRIER;
use crate::search::{Query, is_loose, query::Marks};
use crate::store::schemas as schemas_of;
use crate::ui::safe::{fit, pad, width};
use crate::workspace::lint_facts::MOST_COUNTED;
use crate::workspace::since;

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
}

#[derive(Debug, clap::Args)]
pub struct Search {
    /// Query: words, 'exact, ^prefix, suffix$, !not, a | b, field:value
    #[arg(value_name = "QUERY")]
    pub query: Vec<String>,
    /// What to narrow by.
    #[command(flatten)]
    pub filter: Filter,
    /// All matches instead of the best five, archived memories too
    #[arg(long)]
    pub all: bool,
}

/// Number of matches shown without `--all` (R4.2).
const SHOWN: usize = 5;

/// A memory with its rank among those that a query finds, and its index.
pub type Ranked<'a> = (u32, usize, &'a Arc<Memory>);

pub fn list(ws: &Workspace, args: &List, output: &mut Output) -> Result<u8> {
    let query = args.query.as_deref();
    let query = query.map(|text| parse(ws, text)).transpose()?;
    let listed = (query.as_ref(), args.all, usize::MAX);
    print_matches(ws, listed, &args.filter, output)
}

pub fn search(ws: &Workspace, args: &Search, output: &mut Output) -> Result<u8> {
    let query = parse(ws, &args.query.join(" "))?.in_any_case();
    let most = if args.all { usize::MAX } else { SHOWN };
    print_matches(ws, (Some(&query), args.all, most), &args.filter, output)
}

/// Prints what [`matching`] finds, narrowed by the flags; an empty table says why it is empty.
fn print_matches(
    ws: &Workspace,
    (query, archived, most): (Option<&Query>, bool, usize),
    filter: &Filter,
    output: &mut Output,
) -> Result<u8> {
    if let Some(kind) = &filter.kind {
        refuse_type(ws)?;
        check_types(ws, &types(kind))?;
    }
    let all = ws.load();
    let mut found = matching(ws, &all, query, archived);
    narrow(ws, filter, &mut found);
    found.truncate(most);
    if found.is_empty() && filter.format == Format::Table && !ws.collection.stores.is_empty() {
        let is_new = all.is_empty();
        note(if is_new {
            "no memories yet"
        } else {
            "nothing matches"
        });
    }
    print(ws, &all, &found, filter.format, output)
}

/// The memories that a query finds, the best match first and else in their order; all of them
/// without a query. Archived ones only with `archived`, or where the query asks for them.
pub fn matching<'a>(
    ws: &Workspace,
    all: &'a Snapshot,
    query: Option<&Query>,
    archived: bool,
) -> Vec<Ranked<'a>> {
    let marks = query.map(|query| marks_for(ws, all, query));
    let marks = marks.unwrap_or_default();
    let rank = |index: usize, memory: &Memory| match query {
        Some(query) => ws.matches(query, memory, marks.get(index)?),
        None => Some(0),
    };
    let archived = archived || query.is_some_and(Query::asks_archived);
    let listed = all.par_iter().enumerate();
    let listed = listed.filter(|(_, memory)| archived || memory.state == State::Active);
    let found = listed.filter_map(|(index, memory)| Some((rank(index, memory)?, index, memory)));
    let mut found: Vec<Ranked<'_>> = found.collect();
    found.sort_by_key(|(rank, index, _)| (Reverse(*rank), *index));
    found
}

/// Reads a query; an error points at its place.
pub fn parse(ws: &Workspace, text: &str) -> Result<Query> {
    let parsed = Query::parse(text, &schemas(ws).collect_vec()).and_then(|query| {
        let unfinished = query.unfinished().cloned();
        unfinished.map_or(Ok(query), Err)
    });
    parsed.map_err(|error| {
        let before = text.get(..error.span.start).unwrap_or_default();
        let place = format!("query:1:{}", before.chars().count() + 1);
        let wrong = Error::wrong(error.message).place(place);
        Error {
            hint: error.hint,
            ..wrong
        }
    })
}

pub fn schemas(ws: &Workspace) -> impl Iterator<Item = &'static Schema> {
    let stores = ws.collection.stores.iter();
    stores.flat_map(schemas_of)
}

/// Refuses `--type` where no store's format has types.
pub fn refuse_type(ws: &Workspace) -> Result<()> {
    let has_types = schemas(ws).any(|schema| schema.role(Role::Type).is_some());
    match ws.collection.infos().next().filter(|_| !has_types) {
        Some(info) => {
            let what = format!("{} memories have no type", info.format());
            Err(Error::wrong(what).hint("--tags narrows by tag"))
        }
        None => Ok(()),
    }
}

pub fn check_types(ws: &Workspace, words: &[&str]) -> Result<()> {
    let mut known: Vec<&str> = Vec::new();
    for spec in schemas(ws).filter_map(|schema| schema.role(Role::Type)) {
        let Kind::Choice(words) = spec.kind else {
            // A type in words of one's own.
            return Ok(());
        };
        known.extend(words);
    }
    let is_known = |word: &&&str| known.iter().any(|known| known.eq_ignore_ascii_case(word));
    match words.iter().find(|word| !is_known(word)) {
        Some(word) => Err(Error::wrong(format!("no memory has the type `{word}`"))
            .hint(format!("one of {}", known.iter().unique().join(", ")))),
        None => Ok(()),
    }
}

pub fn types(text: &str) -> Vec<&str> {
    let words = text.split(',').map(str::trim);
    words.filter(|word| !word.is_empty()).collect()
}

fn narrow(ws: &Workspace, filter: &Filter, found: &mut Vec<Ranked<'_>>) {
    const DAY: i64 = 86_400_000;
    if let Some(kind) = &filter.kind {
        let wanted = types(kind);
        let is_wanted = |own: &str| wanted.iter().any(|word| word.eq_ignore_ascii_case(own));
        let kind = |memory: &Memory| memory.role(Role::Type)?.as_str().map(is_wanted);
        found.retain(|(.., memory)| kind(memory) == Some(true));
    }
    if !filter.tags.is_empty() {
        let wanted = filter.tags.iter().map(|tag| tag.trim().to_lowercase());
        let wanted: Vec<String> = wanted.collect();
        let is_wanted = |tag: &str| wanted.contains(&tag.to_lowercase());
        found.retain(|(.., memory)| memory.tags().any(is_wanted));
    }
    if let Some(days) = filter.recent {
        let since = Timestamp(ws.now.0.saturating_sub(i64::from(days) * DAY));
        found.retain(|(.., memory)| memory.is_since(since));
    }
    if let Some(most) = filter.last {
        let dated = found.iter();
        let dated = dated.map(|(_, index, one)| (Reverse(one.written()), *index));
        let newest = dated.sorted_unstable().take(most);
        let kept: HashSet<usize> = newest.map(|(_, index)| index).collect();
        found.retain(|(_, index, _)| kept.contains(index));
    }
}

/// Lints all memories if a query asks for findings, and asks git if it asks for news.
fn marks_for(ws: &Workspace, memories: &Snapshot, query: &Query) -> Vec<Marks> {
    let mut marks = match query.needs_findings() {
        true => ws.marks(memories, None),
        false => vec![Marks::default(); memories.len()],
    };
    if query.needs_news() {
        let news = since::repository_state(&ws.collection, memories).news;
        for (marks, memory) in marks.iter_mut().zip(memories.iter()) {
            marks.new = news.has(memory);
        }
    }
    if query.needs_worth() {
        for (marks, memory) in marks.iter_mut().zip(memories.iter()) {
            marks.worth = ws.worths().of(&memory.id).unwrap_or_default();
        }
    }
    marks
}

/// A memory as the contract's JSON, with its body where it is shown whole. `findings` is how many
/// lint has, where they were counted.
pub fn memory_json(
    ws: &Workspace,
    memory: &Memory,
    findings: Option<u32>,
    body: Option<String>,
) -> serde_json::Value {
    let hidden = memory.hidden_at(ws.now);
    let hidden = hidden.or_else(|| ws.is_unread(memory).then(|| NO_CARRIER.into()));
    let time = |time: Option<Timestamp>| time.map(Timestamp::to_rfc3339);
    let mut json = json!({
        "id": memory.id.to_string(),
        "store": &*memory.id.store.0,
        "format": memory.schema.format,
        "title": &*memory.title,
        "path": ws.collection.shown(&memory.path),
        "line": memory.line,
        "fields": ws.with_inner(memory).fields,
        "tags": memory.tags().collect_vec(),
        "importance": memory.role(Role::Importance),
        "created": time(memory.created),
        "updated": time(memory.updated),
        "confirmed": time(memory.confirmed),
        "author": memory.author(),
        "words": memory.words,
        "tokens": memory.tokens,
        "state": memory.state.word(),
        "visible": hidden.is_none() && memory.state == State::Active,
        "hidden_reason": hidden,
        "seen": memory.seen.as_deref(),
        "expires": time(memory.expires.map(|expiry| expiry.at)),
        "findings": findings,
    });
    if let (Some(body), Some(json)) = (body, json.as_object_mut()) {
        json.insert("body".to_owned(), body.into());
    }
    json
}

/// Prints memories as the contract's array, with `body` where it is wanted. The number of findings
/// of each is left out if there are too many memories to check.
pub fn print_json(
    ws: &Workspace,
    all: &[Arc<Memory>],
    memories: &[Ranked<'_>],
    body: impl Fn(&Memory) -> Option<String> + Sync,
    output: &mut Output,
) -> Result<()> {
    let wanted: Vec<usize> = memories.iter().map(|(_, index, _)| *index).collect();
    let marks = (wanted.len() <= MOST_COUNTED).then(|| ws.marks(all, Some(&wanted)));
    let count = |index: &usize| Some(marks.as_ref()?.get(*index)?.count);
    output.print_array(memories, |(_, index, memory)| {
        memory_json(ws, memory, count(index), body(memory))
    })
}

/// Prints memories; the exit code says whether there were any.
pub fn print(
    ws: &Workspace,
    all: &[Arc<Memory>],
    memories: &[Ranked<'_>],
    format: Format,
    output: &mut Output,
) -> Result<u8> {
    match format {
        Format::Json => print_json(ws, all, memories, |_| None, output)?,
        Format::Quiet => output.lines(memories.iter().map(|(.., one)| &one.id))?,
        Format::Markdown => {
            for (.., memory) in memories {
                let (id, tags) = (memory.id.to_string(), memory.tags().join(", "));
                let tags = Some(tags).filter(|tags| !tags.is_empty());
                let tags = tags.map(|tags| format!(" ({tags})")).unwrap_or_default();
                let (title, tags, id) = (mask(&memory.title), mask(&tags), safe(&id));
                writeln!(output, "- **{}**{} — `{id}`", safe(&title), safe(&tags))?;
            }
        }
        _ if memories.is_empty() => {}
        _ => table(ws, memories, output)?,
    }
    Ok(exit::found(!memories.is_empty()))
}

fn table(ws: &Workspace, memories: &[Ranked<'_>], output: &mut Output) -> Result<()> {
    let cells = |(.., memory): &Ranked<'_>| {
        let mark = match (memory.state, memory.hidden_at(ws.now)) {
            (State::Archived, _) => "a",
            (_, Some(_)) => "∅",
            _ if memory.is_caution => "⊘",
            _ => " ",
        };
        // How important it is; where its format has no such notion, of what type.
        let has = memory.schema.role(Role::Importance).is_some();
        let weight = memory.role(if has { Role::Importance } else { Role::Type });
        let age = memory.written().map(|written| written.age_words(ws.now));
        [
            mark.to_owned(),
            memory.id.to_string(),
            weight.map(ToString::to_string).unwrap_or_default(),
            age.unwrap_or_default(),
            mask(&memory.title).into_owned(),
            mask(&memory.tags().join(" ")).into_owned(),
        ]
    };
    let has = |role| {
        let mut all = memories.iter();
        all.any(|(.., one)| one.schema.role(role).is_some())
    };
    let is_typed = has(Role::Type) && !has(Role::Importance);
    let kind = if is_typed { "TYPE" } else { "IMPORTANCE" };
    let mut rows = vec![["", "ID", kind, "AGE", "TITLE", "TAGS"].map(ToOwned::to_owned)];
    rows.extend(memories.iter().map(cells));
    let mut widths = match output.width() {
        None => [1, usize::MAX, 10, 4, 100, 60],
        Some(width) => {
            let rest = width.saturating_sub(1 + 10 + 4 + 10);
            [1, rest * 2 / 5, 10, 4, rest * 2 / 5, rest / 5]
        }
    };
    for (column, most) in widths.iter_mut().enumerate() {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widest = cells.map(|cell| width(&safe(cell))).max();
        *most = widest.unwrap_or_default().min(*most);
    }
    let loose = memories.iter().position(|(rank, ..)| is_loose(*rank));
    for (n, row) in rows.iter().enumerate() {
        if loose.is_some_and(|loose| n == loose + 1) {
            writeln!(output, "─ looser ─")?;
        }
        let cells = row.iter().zip(widths);
        let mut line = cells.map(|(cell, width)| pad(&fit(cell, width), width));
        let line = line.join("  ");
        match n {
            0 => output.heading(line.trim_end())?,
            _ => writeln!(output, "{}", line.trim_end())?,
        }
    }
    Ok(())
}
