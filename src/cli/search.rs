//! `memkeep search`: the memories that match a query, best first.

use super::args::{Filter, ListFormat};
use super::error::Error;
use super::list::{Findings, check, chosen, narrow, parse, print};
use super::output::note;
use super::{Output, exit};
use crate::workspace::Workspace;

/// Arguments of `search`.
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
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// Number of matches shown without `--all` (R4.2).
const SHOWN: usize = 5;

/// Runs the command.
pub fn run(ws: &Workspace, args: &Search, output: &mut Output) -> Result<u8, Error> {
    let query = parse(ws, &args.query.join(" "))?.in_any_case();
    check(ws, &args.filter)?;
    let all = ws.load();
    let findings = Findings::for_query(ws, &all, Some(&query));
    let mut chosen = chosen(ws, &all, args.all, Some(&query), &findings);
    narrow(ws, &args.filter, &mut chosen.memories);
    if !args.all {
        chosen.memories.truncate(SHOWN);
    }
    let code = print(ws, &all, &chosen, args.format, output)?;
    let told = args.format != ListFormat::Table || ws.collection.stores.is_empty();
    if code == exit::NOTHING && !told {
        note("nothing matches");
    }
    Ok(code)
}
