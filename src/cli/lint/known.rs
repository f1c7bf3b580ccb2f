//! What lint goes by besides the memories: the configuration, answers and the baseline.

use crate::cli::error::Error;
use crate::cli::session::Session;
use crate::config::lint::FLOOR;
use crate::config::{ConfigError, LintSettings, Settings};
use crate::lint::answers::Answers;
use crate::lint::baseline::Baseline;
use crate::lint::repository::Project;
use crate::lint::tuning::Tuning;
use crate::lint::{Context, Selection};
use crate::memory::Timestamp;
use crate::retrieval::{Snapshot, Texts};
use crate::store::collection::Collection;
use crate::store::discover::id_beside_another;
use crate::store::{Overlay, shared};

/// What lint goes by.
pub struct Known {
    /// Which rules look, and how.
    pub tuning: Tuning,
    /// What was said of pairs.
    pub answers: Answers,
    /// Old findings.
    pub baseline: Baseline,
    /// Whether old findings are to be found all the same.
    no_baseline: bool,
}

impl Known {
    /// What stands in the files now. One that cannot be read says nothing; the command tells.
    pub fn of(collection: &Collection, settings: &LintSettings) -> Self {
        Self {
            tuning: tuning(collection, settings),
            answers: collection.answers(),
            baseline: collection.baseline().unwrap_or_default(),
            no_baseline: false,
        }
    }

    /// The same for what agents and a review rely on: what harms is found whatever the project's own
    /// files say.
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
        if no_baseline {
            let mut known = Self::of(collection, &session.settings.lint);
            known.baseline = Baseline::default();
            known.no_baseline = true;
            return Ok(known);
        }
        drop(shared::lines(&collection.root, shared::ANSWERS)?);
        if let Err(error) = collection.baseline() {
            let path = collection.shown(&shared::path(&collection.root, shared::BASELINE));
            return Err(Error::wrong(error.to_string())
                .place(format!("{path}:{}:{}", error.line, error.column))
                .hint(
                    "`memkeep lint --write-baseline` writes it anew; --no-baseline leaves it out",
                ));
        }
        Ok(Self::of(collection, &session.settings.lint))
    }

    /// The same with what was decided as a plan leaves it.
    pub fn then(&self, collection: &Collection, overlay: &Overlay) -> Self {
        let (answers, baseline) = collection.decided(overlay);
        Self {
            tuning: self.tuning.clone(),
            answers,
            baseline: match self.no_baseline {
                true => Baseline::default(),
                false => baseline,
            },
            no_baseline: self.no_baseline,
        }
    }

    /// Takes in what was answered since.
    pub fn answered(&mut self, collection: &Collection) {
        self.answers = collection.answers();
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
            answers: &self.answers,
            tuning: &self.tuning,
            baseline: &self.baseline,
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
