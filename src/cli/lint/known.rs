//! The configuration and the decisions that lint goes by.

use crate::cli::error::Error;
use crate::cli::session::Session;
use crate::config::lint::FLOOR;
use crate::config::{ConfigError, LintSettings, Settings};
use crate::lint::decisions::Decisions;
use crate::lint::repository::Project;
use crate::lint::tuning::Tuning;
use crate::lint::{Context, Selection};
use crate::memory::Timestamp;
use crate::retrieval::{Snapshot, Texts};
use crate::store::collection::Collection;
use crate::store::discover::id_beside_another;
use crate::store::{Overlay, shared};

/// The configuration and the decisions of a lint run.
pub struct Known {
    /// The rules that run, and how.
    pub tuning: Tuning,
    /// The decisions of the team.
    pub decisions: Decisions,
    /// True if old findings are reported all the same.
    no_baseline: bool,
}

impl Known {
    /// Reads the files. One that cannot be read counts as empty; the command reports it.
    pub fn of(collection: &Collection, settings: &LintSettings) -> Self {
        Self {
            tuning: tuning(collection, settings),
            decisions: collection.decisions(),
            no_baseline: false,
        }
    }

    /// The same for agents and reviews: findings of the floor rules are reported whatever the project's
    /// own files say.
    pub fn with_floor(collection: &Collection, settings: &Settings) -> Self {
        let mut known = Self::of(collection, &settings.lint);
        let own = tuning(collection, &settings.own_lint);
        known.tuning.floor = Some((&FLOOR, Box::new(own)));
        known
    }

    /// The same for a call of the command, which ends where something is wrong: findings under
    /// other rules than those that were chosen help nobody.
    pub fn strictly(session: &Session, no_baseline: bool) -> Result<Self, Error> {
        if let Some(error) = session.config_errors.first() {
            return Err(wrong(error));
        }
        let collection = &session.collection;
        let file = shared::lines(&collection.root, shared::DECISIONS);
        drop(file.map_err(|error| {
            Error::from(error).hint("put a regular file of at most 32 MB there, or none")
        })?);
        let mut known = Self::of(collection, &session.settings.lint);
        known.no_baseline = no_baseline;
        let decisions = std::mem::take(&mut known.decisions);
        known.decisions = known.taken(decisions);
        Ok(known)
    }

    /// Decisions as far as they hold for this call.
    fn taken(&self, decisions: Decisions) -> Decisions {
        match self.no_baseline {
            true => decisions.without_baseline(),
            false => decisions,
        }
    }

    /// The same with the decisions as a plan leaves them.
    pub fn then(&self, collection: &Collection, overlay: &Overlay) -> Self {
        Self {
            tuning: self.tuning.clone(),
            decisions: self.taken(collection.decided(overlay)),
            no_baseline: self.no_baseline,
        }
    }

    /// Reads the decisions again.
    pub fn answered(&mut self, collection: &Collection) {
        self.decisions = self.taken(collection.decisions());
    }

    /// The rules that look in some store.
    pub fn rules(&self) -> Selection {
        Selection::tuned(&self.tuning)
    }

    /// These memories as rules see them.
    pub fn context<'a>(
        &'a self,
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
        now: Timestamp,
        project: &'a dyn Project,
    ) -> Context<'a> {
        Context {
            decisions: &self.decisions,
            tuning: &self.tuning,
            ..Context::new(memories, texts, now, project)
        }
    }
}

/// The choices of settings for the stores there are.
fn tuning(collection: &Collection, settings: &LintSettings) -> Tuning {
    let alone = collection.infos().filter(|info| !info.id.0.contains('@'));
    settings.tuning_of(alone.map(|info| {
        let beside = id_beside_another(info, &collection.root);
        (info.id.to_string(), beside)
    }))
}

fn wrong(error: &ConfigError) -> Error {
    Error::wrong(error.to_string())
        .place(error.place())
        .hint("put it right, or name another file with --config")
}
