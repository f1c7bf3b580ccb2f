//! What lint plays: the policy of each store, the settings, and the tasks of the team.

use super::inject;
use super::session::Session;
use crate::lint::health::play::Play;
use crate::memory::Timestamp;
use crate::retrieval::together::Way;
use crate::retrieval::{Limits, policy, tasks};
use crate::store::Store;
use crate::store::collection::Collection;

/// How each store decides, in their order.
pub fn ways(collection: &Collection) -> Vec<Way> {
    let way = |store: &dyn Store| {
        Some(Way {
            store: store.info().id.clone(),
            policy: policy(store.info().policy)?,
            // What is wrong with a configuration is said when the program starts.
            options: store.settings(&collection.root).unwrap_or_default(),
        })
    };
    let stores = collection.stores.iter();
    stores.filter_map(|store| way(&**store)).collect()
}

/// What lint plays in a session, and what is wrong with the tasks file.
pub fn play(session: &Session, now: Timestamp) -> (Play, Option<String>) {
    let settings = &session.settings.inject;
    let ways = ways(&session.collection);
    let wanted = settings.dialect.as_deref().unwrap_or_default();
    let known = ways.iter().flat_map(|way| way.policy.dialects());
    let dialect = known.copied().find(|known| *known == wanted);
    let (tasks, error) = match written(session) {
        Ok(tasks) => (tasks, None),
        Err(error) => (Vec::new(), Some(error)),
    };
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
    (play, error)
}

/// The tasks that are written down; none where there is no file.
fn written(session: &Session) -> Result<Vec<tasks::Written>, String> {
    let path = session.collection.root.join(tasks::PATH);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("{} cannot be read: {error}", tasks::PATH)),
    };
    tasks::parse(&text)
        .map_err(|error| format!("{}:{}:{}: {error}", tasks::PATH, error.line, error.column))
}
