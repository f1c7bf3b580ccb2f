//! `memkeep search`: the memories that match a query, best first.

use std::sync::Arc;

use rayon::prelude::*;

use super::args;
use super::error::Error;
use super::list::{Findings, check, narrow, parse, print};
use super::output::note;
use super::session::Session;
use super::{Output, exit};
use crate::memory::{Memory, State};
use crate::search::Query;

/// How many are shown without `--all` (R4.2).
const SHOWN: usize = 5;

/// Runs the command.
pub fn run(session: &Session, args: &args::Search, output: &mut Output) -> Result<u8, Error> {
    let query = parse(session, &args.query.join(" "))?.in_any_case();
    check(session, &args.filter)?;
    let all = session.load();
    let findings = Findings::for_query(session, &all, Some(&query));
    let listed: Vec<(usize, &Arc<Memory>)> = all
        .iter()
        .enumerate()
        .filter(|(_, memory)| args.all || memory.state == State::Active)
        .collect();
    let score =
        |(index, memory): (usize, &Arc<Memory>)| score(session, &query, &findings, index, memory);
    let mut hits: Vec<(u32, usize)> = listed.into_par_iter().filter_map(score).collect();
    hits.sort_by_key(|(score, index)| (std::cmp::Reverse(*score), *index));
    let mut chosen: Vec<(usize, &Arc<Memory>)> = hits
        .iter()
        .filter_map(|(_, index)| Some((*index, all.get(*index)?)))
        .collect();
    narrow(session, &args.filter, &mut chosen);
    if !args.all {
        chosen.truncate(SHOWN);
    }
    let code = print(session, &all, &chosen, args.format, output)?;
    let told = args.format != args::ListFormat::Table || session.collection.stores.is_empty();
    if code == exit::NOTHING && !told {
        note("nothing matches");
    }
    Ok(code)
}

fn score(
    session: &Session,
    query: &Query,
    findings: &Findings,
    index: usize,
    memory: &Memory,
) -> Option<(u32, usize)> {
    let score = session.matches(query, memory, findings.marks(index))?;
    Some((score, index))
}
