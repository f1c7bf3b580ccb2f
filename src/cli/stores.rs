//! `memkeep stores`: the stores found.

use super::inject::print::list;
use super::prelude::*;
use crate::lint;
use crate::retrieval::Task;
use crate::store::StoreInfo;
use crate::store::queue::Review;
use crate::ui::empty::no_store;
use crate::ui::words::count;
use crate::workspace::lint_facts::{MOST_COMPARED, MOST_COUNTED};
use crate::workspace::{ContextFiles, unread};

#[derive(Debug, clap::Args)]
pub struct Stores {
    /// How to print
    #[arg(long, default_value = "table", value_parser = one_of(&["table", "json", "quiet"]))]
    pub format: Format,
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
    tokens: usize,
    findings: Option<usize>,
    changes: Option<usize>,
}

pub fn run(ws: &Workspace, args: &Stores, output: &mut Output) -> Result<u8> {
    let memories = ws.load();
    for store in ws.collection.stores.iter() {
        if let Err(error) = ws.collection.settings(store) {
            note(&format!("note: {}: {}", store.info().id, unread(&error)));
        }
    }
    // The findings that `lint` shows in this format.
    let findings = (memories.len() <= MOST_COUNTED).then(|| {
        let (basis, facts) = (ws.lint_basis(), ws.lint_facts(ws.now));
        let cx = facts.context(&basis, &memories, &ws.collection);
        let rules = match memories.len() <= MOST_COMPARED {
            true => basis.rules(),
            false => basis.rules().alone(),
        };
        let found = lint::digest(&cx, &rules, usize::MAX).findings;
        lint::join(&memories, found, args.format == Format::Table)
    });
    let waiting = Review::waiting(&ws.collection, &memories).ok();
    let is_hidden = |one: &&Arc<Memory>| one.hidden_at(ws.now).is_some();
    let row = |info: &'_ StoreInfo| {
        let of_store = || memories.iter().filter(|memory| memory.id.store == info.id);
        let active = || of_store().filter(|memory| memory.state == State::Active);
        let path = ws.collection.shown(&info.path);
        StoreJson {
            id: info.id.to_string(),
            format: info.format(),
            scope: info.scope.word(),
            path: if path.is_empty() { ".".into() } else { path },
            archive: ws.collection.shown(&info.archive),
            policy: info.policy(),
            memories: active().count(),
            archived: of_store().count() - active().count(),
            invisible: active().filter(is_hidden).count(),
            problems: of_store().filter(|one| !one.problems.is_empty()).count(),
            tokens: active().map(|memory| memory.tokens as usize).sum(),
            findings: findings.as_ref().map(|all| {
                let of_store = all.iter().filter_map(|one| memories.get(one.memory));
                of_store.filter(|one| one.id.store == info.id).count()
            }),
            changes: waiting.as_ref().map(|all| {
                let own = all.iter().filter(|store| **store == info.id);
                own.count()
            }),
        }
    };
    let rows: Vec<StoreJson<'_>> = ws.collection.infos().map(row).collect();
    match args.format {
        Format::Json => output.print_array(&rows, |row| row)?,
        Format::Quiet => output.lines(rows.iter().map(|row| &row.id))?,
        _ => table(ws, &rows, output)?,
    }
    Ok(exit::DONE)
}

fn table(ws: &Workspace, rows: &[StoreJson<'_>], output: &mut Output) -> Result<()> {
    if rows.is_empty() {
        let text = no_store(&ws.collection.root.to_string_lossy(), &ws.agents_here());
        writeln!(output, "{}", text.join("\n"))?;
    }
    if ws.options.verbose {
        writeln!(output, "looked for")?;
        for path in &ws.collection.looked {
            writeln!(output, "  {}", path.display())?;
        }
    }
    for row in rows {
        output.bold(&safe(&row.id))?;
        writeln!(output, "  {} · {}", safe(&row.path), row.scope)?;
        write!(output, "  {}", count(row.memories, "memory", "memories"))?;
        write!(output, " · {}", count(row.tokens, "token", "tokens"))?;
        let counts = [
            (row.archived, ["archived"; 2]),
            (row.invisible, ["never loaded"; 2]),
            (row.problems, ["with problems"; 2]),
            (row.findings.unwrap_or_default(), ["finding", "findings"]),
            (row.changes.unwrap_or_default(), ["change", "changes"]),
        ];
        for (found, [one, many]) in counts.into_iter().filter(|(found, _)| *found > 0) {
            write!(output, " · {}", count(found, one, many))?;
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
