//! `memkeep stores`: the stores found.

use serde::Serialize;

use super::args::ListFormat;
use super::inject::print::list;
use super::json::print_array;
use super::prelude::*;
use crate::retrieval::Task;
use crate::store::StoreInfo;
use crate::ui::words::count;

use crate::workspace::{ContextFiles, unread};

/// Arguments of `stores`.
#[derive(Debug, clap::Args)]
pub struct Stores {
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

#[derive(Serialize)]
struct StoreJson<'a> {
    id: String,
    format: &'a str,
    scope: &'a str,
    path: String,
    archive: String,
    policy: &'a str,
    memories: usize,
    archived: usize,
    invisible: usize,
    problems: usize,
}

/// Runs the command.
pub fn run(ws: &Workspace, args: &Stores, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    for store in ws.collection.stores.iter() {
        if let Err(error) = ws.collection.settings(&**store) {
            note(&format!("note: {}: {}", store.info().id, unread(&error)));
        }
    }
    let row = |info: &'_ StoreInfo| {
        let of_store = || memories.iter().filter(|memory| memory.id.store == info.id);
        let active = || of_store().filter(|memory| memory.state == State::Active);
        let path = ws.collection.shown(&info.path);
        StoreJson {
            id: info.id.to_string(),
            format: info.format(),
            scope: info.scope.word(),
            path: Some(path)
                .filter(|path| !path.is_empty())
                .unwrap_or(".".into()),
            archive: ws.collection.shown(&info.archive),
            policy: info.policy(),
            memories: active().count(),
            archived: of_store().count() - active().count(),
            invisible: active()
                .filter(|one| one.hidden_at(ws.now).is_some())
                .count(),
            problems: of_store().filter(|one| !one.problems.is_empty()).count(),
        }
    };
    let rows: Vec<StoreJson<'_>> = ws.collection.infos().map(row).collect();
    match args.format {
        ListFormat::Json => print_array(&rows, |row| row, output)?,
        ListFormat::Quiet => {
            for row in &rows {
                writeln!(output, "{}", row.id)?;
            }
        }
        ListFormat::Markdown => {
            let head = "| store | scope | path | memories | archived | problems |";
            writeln!(output, "{head}\n|---|---|---|---:|---:|---:|")?;
            for row in &rows {
                let (id, scope, path) = (&row.id, row.scope, safe(&row.path));
                let counts = [row.memories, row.archived, row.problems];
                writeln!(
                    output,
                    "| {id} | {scope} | {path} | {} |",
                    counts.iter().join(" | ")
                )?;
            }
        }
        ListFormat::Table => table(ws, &rows, output)?,
    }
    Ok(exit::DONE)
}

fn table(ws: &Workspace, rows: &[StoreJson<'_>], output: &mut Output) -> Result<()> {
    if rows.is_empty() {
        writeln!(output, "no store found; looked for")?;
        for path in &ws.collection.looked {
            writeln!(output, "  {}", path.display())?;
        }
        let hint = "`memkeep init` makes one, `memkeep demo` opens a sample project";
        writeln!(output, "{hint}")?;
    }
    for row in rows {
        output.bold(&safe(&row.id))?;
        writeln!(output, "  {} · {}", safe(&row.path), row.scope)?;
        write!(output, "  {}", count(row.memories, "memory", "memories"))?;
        let counts = [
            (row.archived, "archived"),
            (row.invisible, "invisible to their own loader"),
            (row.problems, "with problems"),
        ];
        for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
            write!(output, ", {count} {what}")?;
        }
        writeln!(output)?;
    }
    let context = ContextFiles::load(ws).files(ws, &Task::default());
    if !context.is_empty() {
        output.bold("context")?;
        writeln!(output, "  what agents are given beside memories; read-only")?;
        list(&context, false, output)?;
    }
    Ok(())
}
