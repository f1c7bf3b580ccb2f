//! What lint plays: the policy of each store, the settings, and the tasks of the team.

use super::error::Error;
use super::inject;
use super::session::Session;
use crate::lint::health::play::Play;
use crate::memory::Timestamp;
use crate::retrieval::expect::Script;
use crate::retrieval::{Limits, tasks};
use crate::store::StoreError;
use crate::store::control::{self, Owner};

/// What is wrong with a configuration that cannot be read, and where.
pub fn unread(error: &StoreError) -> String {
    match error {
        StoreError::Settings { line, column, .. } => {
            format!("{error} (line {line}, column {column})")
        }
        error => error.to_string(),
    }
}

/// What lint plays in a session, and what of it cannot be played.
pub fn play(session: &Session, now: Timestamp) -> (Play, Vec<String>) {
    let settings = &session.settings.inject;
    let ways = session.collection.ways();
    let stores = session.collection.stores.iter();
    let mut notes: Vec<String> = stores
        .filter_map(|store| {
            let error = store.settings(&session.collection.root).err()?;
            let id = &store.info().id;
            Some(format!("{}; {id} is played without it", unread(&error)))
        })
        .collect();
    let wanted = settings.dialect.as_deref().unwrap_or_default();
    let known = ways.iter().flat_map(|way| way.policy.dialects());
    let dialect = known.copied().find(|known| *known == wanted);
    let tasks = written(session).unwrap_or_else(|error| {
        notes.push(format!("{}; its tasks are not played", error.in_a_line()));
        Vec::new()
    });
    let play = Play {
        ways,
        limits: Limits {
            dialect: dialect.unwrap_or_default(),
            max: settings.max,
            min_importance: settings.min_importance.clone(),
            budget: None,
            score_bonus: settings.score_bonus.unwrap_or_default(),
            rejected: 0,
            options: inject::place_and_time(session),
            hidden: std::collections::BTreeSet::new(),
        },
        tasks,
        now,
    };
    (play, notes)
}

/// The tasks that are written down and how the stores decide about them.
pub fn script(session: &Session, now: Timestamp) -> Result<Script, Error> {
    let tasks = written(session)?;
    let (play, _) = play(session, now);
    let agents = tasks.iter().map(|task| &*task.agent);
    Ok(Script {
        agents: inject::limits_of(session, agents, &play.limits)?,
        tasks,
        ways: play.ways,
        limits: play.limits,
        now,
    })
}

/// The tasks that are written down; none where there is no file.
fn written(session: &Session) -> Result<Vec<tasks::Written>, Error> {
    let path = session.collection.root.join(tasks::PATH);
    let owner = Owner::Project(&session.collection.root);
    let Some(text) = control::text(&path, owner)? else {
        return Ok(Vec::new());
    };
    tasks::parse(&text).map_err(|error| {
        let place = format!("{}:{}:{}", tasks::PATH, error.line, error.column);
        Error::wrong(error.message).place(place)
    })
}
