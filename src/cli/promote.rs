//! `promote`, `demote` and `forget`: what changes what agents will be told, and so is asked
//! before it is done, or needs `--yes`.

use super::Output;
use super::args;
use super::change::{ask, make};
use super::error::Error;
use super::session::Session;
use crate::curate::Change;
use crate::store::StoreError;

/// Runs `memkeep promote` and `memkeep demote`: asked is where the system itself would not.
pub fn promote(
    session: &Session,
    args: &args::Sure,
    up: bool,
    output: &mut Output,
) -> Result<u8, Error> {
    let change = |sure: bool| {
        move |memories: &[_]| {
            let ids = session.ids(&args.ids, memories)?;
            Ok(Change::Promote { ids, up, sure })
        }
    };
    let mut sure = args.yes || args.dry_run;
    if !sure {
        let memories = session.load();
        let planned = change(false)(&memories)?;
        // What else is wrong is said when it is done.
        let plan = session.collection.plan(&planned, &memories, session.now);
        if let Err(StoreError::Doubtful(why)) = plan {
            let verb = if up { "promote" } else { "demote" };
            ask(&why, verb, &format!("`{verb} --yes` does it"))?;
            sure = true;
        }
    }
    make(session, args.dry_run, output, &change(sure))
}

/// Runs `memkeep forget`.
pub fn forget(session: &Session, args: &args::Sure, output: &mut Output) -> Result<u8, Error> {
    if !args.yes && !args.dry_run {
        let memories = session.load();
        let ids = session.ids(&args.ids, &memories)?;
        // What cannot be is refused before anybody is asked.
        let change = Change::Forget(ids.clone());
        session.collection.plan(&change, &memories, session.now)?;
        let what = match ids.as_slice() {
            [one] => format!("{one} expires at once, and its system drops it at its next write"),
            all => format!(
                "{} memories expire at once, and their system drops them",
                all.len()
            ),
        };
        ask(&what, "forget", "`forget --yes` does it")?;
    }
    make(session, args.dry_run, output, &|memories| {
        Ok(Change::Forget(session.ids(&args.ids, memories)?))
    })
}
