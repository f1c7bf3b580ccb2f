//! `memkeep search`: the memories that match a query, best first.

use super::args;
use super::error::Error;
use super::list::{Findings, check, chosen, narrow, parse, print};
use super::output::note;
use super::session::Session;
use super::{Output, exit};

/// How many are shown without `--all` (R4.2).
const SHOWN: usize = 5;

/// Runs the command.
pub fn run(session: &Session, args: &args::Search, output: &mut Output) -> Result<u8, Error> {
    let query = parse(session, &args.query.join(" "))?.in_any_case();
    check(session, &args.filter)?;
    let all = session.load();
    let findings = Findings::for_query(session, &all, Some(&query));
    let mut chosen = chosen(session, &all, args.all, Some(&query), &findings);
    narrow(session, &args.filter, &mut chosen.memories);
    if !args.all {
        chosen.memories.truncate(SHOWN);
    }
    let code = print(session, &all, &chosen, args.format, output)?;
    let told = args.format != args::ListFormat::Table || session.collection.stores.is_empty();
    if code == exit::NOTHING && !told {
        note("nothing matches");
    }
    Ok(code)
}
