//! `promote`, `demote`, `forget` and `reorder`: what changes what agents will be told, and so is
//! asked before it is done, or needs `--yes`.

use super::args;
use super::change::{ask, destination, make, make_sure};
use super::prelude::*;
use crate::store::StoreError;
use crate::store::collection::Candidate;

#[derive(Debug, clap::Args)]
pub struct Promote {
    /// The memories
    #[arg(required_unless_present = "candidates", value_name = "ID")]
    pub ids: Vec<String>,
    /// Move them to another store: `project`, a store or a format
    #[arg(long, value_name = "project|STORE")]
    pub to: Option<String>,
    /// Make each a rule in a file, and archive it [default: the file that its own agent loads]
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with = "to")]
    pub to_rule: Option<Option<PathBuf>>,
    /// The rule in your own words; the memory stays if they leave something out
    #[arg(long, value_name = "TEXT")]
    pub line: Option<String>,
    /// Name the memories that are ready, and what is missing for the others
    #[arg(long, conflicts_with_all = ["ids", "to", "to_rule"])]
    pub candidates: bool,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print candidates
    #[arg(long, default_value = "table", value_parser = one_of(PLAIN))]
    pub format: Format,
}

#[derive(Debug, clap::Args)]
pub struct Reorder {
    /// Index files to reorder [default: those of all stores]
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Do it without asking
    #[arg(long)]
    pub yes: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

pub fn promote(ws: &Workspace, args: &Promote, output: &mut Output) -> Result<u8> {
    step(ws, args, true, output)
}

pub fn demote(ws: &Workspace, args: &Promote, output: &mut Output) -> Result<u8> {
    step(ws, args, false, output)
}

/// Promotes or demotes; asks where the system itself would not do it.
fn step(ws: &Workspace, args: &Promote, up: bool, output: &mut Output) -> Result<u8> {
    if args.candidates {
        return candidates(ws, args.format, output);
    }
    let is_rule = args.to_rule.is_some() || args.to.as_deref() == Some("project");
    if args.line.is_some() && !is_rule {
        return Err(Error::wrong("--line is the rule that --to-rule writes"));
    }
    if args.to.is_some() || args.to_rule.is_some() {
        return moved(ws, args, output);
    }
    let change = |memories: &[_], sure| {
        let ids = ws.ids(&args.ids, memories)?;
        Ok(Change::Promote { ids, up, sure })
    };
    let mut sure = args.yes || args.dry_run;
    if !sure {
        let memories = ws.load();
        // Other errors are reported when it is done.
        let unsure = change(&memories, false)?;
        let plan = ws.collection.plan(&unsure, &memories, ws.now);
        if let Err(StoreError::Doubtful(why)) = plan {
            let verb = if up { "promote" } else { "demote" };
            ask(&why, verb, &format!("`{verb} --yes` does it"))?;
            sure = true;
        }
    }
    make(ws, args.dry_run, output, &|memories| change(memories, sure))
}

/// Moves memories to a store or into a file of rules, which is shown and asked about first.
fn moved(ws: &Workspace, args: &Promote, output: &mut Output) -> Result<u8> {
    let build = |memories: &[Arc<Memory>]| {
        let found = ws.found(&args.ids, memories)?;
        match args.to.as_deref().filter(|to| *to != "project") {
            Some(to) => Ok(Change::Convert {
                ids: found.iter().map(|memory| memory.id.clone()).collect(),
                to: destination(ws, to, None)?,
                remove: true,
            }),
            None => placed(ws, args, &found, memories),
        }
    };
    let is_rule = |change: &Change| matches!(change, Change::Rule { .. });
    let is_asked = !args.yes
        && !args.dry_run
        && match &build(&ws.load())? {
            Change::Together(all) => all.iter().any(is_rule),
            change => is_rule(change),
        };
    if is_asked {
        note("note: --line TEXT says it in other words");
        return make_sure(ws, (false, false), "promote", output, &build);
    }
    make(ws, args.dry_run, output, &build)
}

/// Moves each memory to its best place in the project, or to a file of rules if one is asked for.
fn placed(
    ws: &Workspace,
    args: &Promote,
    found: &[&Arc<Memory>],
    memories: &[Arc<Memory>],
) -> Result<Change> {
    let text = args.line.as_deref().map(str::trim);
    let text = text.filter(|line| !line.is_empty());
    if text.is_some() && found.len() != 1 {
        return Err(Error::wrong("--line is the rule of one memory"));
    }
    let named = args.to_rule.as_ref().and_then(Option::as_deref);
    let named = named.map(|file| rules_at(ws, file)).transpose()?;
    let places = ws.collection.promotion_places(memories);
    let mut all: Vec<Change> = Vec::new();
    for some in found.chunk_by(|a, b| a.id.store == b.id.store) {
        let Some(first) = some.first() else { continue };
        if args.to_rule.is_none() && !ws.collection.is_users(first) {
            let what = format!("{} is in the project already", first.id);
            return Err(Error::wrong(what));
        }
        let is_wanted = |way: &Change| args.to_rule.is_none() || matches!(way, Change::Rule { .. });
        let change = match &named {
            Some(file) => Some(Change::Rule {
                ids: some.iter().map(|memory| memory.id.clone()).collect(),
                file: file.clone(),
                line: None,
            }),
            None => {
                let mut ways = places(some).into_iter().map(|way| way.change);
                ways.find(is_wanted)
            }
        };
        all.push(change.ok_or_else(|| {
            Error::wrong(format!("the project has no place for {}", first.id))
                .hint("--to STORE or --to-rule FILE names one")
        })?);
    }
    if let [Change::Rule { line, .. }] = all.as_mut_slice() {
        *line = text.map(str::to_owned);
    }
    Ok(Change::all(all))
}

/// A file of rules that a person named; it lies in the project.
fn rules_at(ws: &Workspace, file: &Path) -> Result<PathBuf> {
    let root = &ws.collection.root;
    let file = root.join(file);
    match file.starts_with(root) && file.components().all(|part| part.as_os_str() != "..") {
        true => Ok(file),
        false => {
            let what = format!("{} is not in the project", file.display());
            Err(Error::wrong(what).hint("rules go to a file below its root"))
        }
    }
}

/// Names the memories that are ready to be promoted, and what is missing for the others.
fn candidates(ws: &Workspace, format: Format, output: &mut Output) -> Result<u8> {
    let all = ws.promotable(&ws.load());
    if format == Format::Json {
        let json = |one: &Candidate| {
            json!({
                "id": one.id.to_string(),
                "ready": one.missing.is_none(),
                "command": format!("memkeep {}", one.command),
                "why": one.why,
                "missing": one.missing,
                "evidence": one.evidence,
            })
        };
        output.print_array(&all, json)?;
    } else {
        for one in &all {
            let id = one.id.to_string();
            let is_ready = one.missing.is_none();
            output.bold(if is_ready { "ready    " } else { "not yet  " })?;
            writeln!(output, "{}  {}", safe(&id), safe(&one.why))?;
            let missing = one.missing.iter();
            let missing = missing.map(|missing| format!("missing: {missing}"));
            let evidence = one.evidence.iter();
            let evidence = evidence.map(|evidence| format!("evidence: {evidence}"));
            let command = is_ready.then(|| format!("memkeep {}", one.command));
            for line in missing.chain(evidence).chain(command) {
                writeln!(output, "           {}", safe(&line))?;
            }
        }
    }
    match all.is_empty() {
        true => Err(Error::nothing("no memory is a candidate for promotion")),
        false => Ok(exit::DONE),
    }
}

pub fn forget(ws: &Workspace, args: &args::Sure, output: &mut Output) -> Result<u8> {
    let build = |memories: &[Arc<Memory>]| Ok(Change::Forget(ws.ids(&args.ids, memories)?));
    if !args.yes && !args.dry_run {
        let memories = ws.load();
        let change = build(&memories)?;
        // Impossible changes are refused before the question.
        ws.collection.plan(&change, &memories, ws.now)?;
        let what = match change.ids().as_slice() {
            [one] => format!("{one} expires at once, and its system drops it at its next write"),
            all => {
                let count = all.len();
                format!("{count} memories expire at once, and their system drops them")
            }
        };
        ask(&what, "forget", "`forget --yes` does it")?;
    }
    make(ws, args.dry_run, output, &build)
}

pub fn reorder(ws: &Workspace, args: &Reorder, output: &mut Output) -> Result<u8> {
    let asked = (args.yes, args.dry_run);
    make_sure(ws, asked, "reorder", output, &|memories| {
        if !args.ids.is_empty() {
            return Ok(Change::Reorder(ws.ids(&args.ids, memories)?));
        }
        let indexes = memories.iter().filter(|one| one.index_table().is_some());
        let ids: Vec<MemoryId> = indexes.map(|one| one.id.clone()).collect();
        match ids.is_empty() {
            true => Err(Error::nothing("no store has an index")
                .hint("an index is a file that lists the others, such as MEMORY.md")),
            false => Ok(Change::Reorder(ids)),
        }
    })
}
