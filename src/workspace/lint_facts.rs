//! The facts of a lint run besides the memories: settings, decisions, repository and tasks.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Error, Result, Workspace};
use crate::config::{LintSettings, Settings};
use crate::lint::decisions::Decisions;
use crate::lint::tuning::Tuning;
use crate::lint::{self, Context, Selection};
use crate::memory::worth::Worths;
use crate::memory::{Memory, MemoryId, Timestamp};
use crate::project::repository;
use crate::retrieval::expect::{Caveat, Caveats, Judged, TaskSuite};
use crate::retrieval::tasks::Written;
use crate::retrieval::{Snapshot, Texts};
use crate::search::query::Marks;
use crate::store::collection::{Candidate, Collection};
use crate::store::discover::id_beside_another;
use crate::store::{Overlay, control};

/// The configuration and the decisions of a lint run.
pub struct Basis {
    /// The rules that run, and how.
    pub tuning: Tuning,
    pub decisions: Decisions,
    /// True if old findings are reported all the same.
    no_baseline: bool,
}

impl Basis {
    /// Reads the files. One that cannot be read counts as empty; the command reports it.
    pub fn new(collection: &Collection, settings: &LintSettings) -> Self {
        Self {
            tuning: tuning(collection, settings),
            decisions: collection.decisions(),
            no_baseline: false,
        }
    }

    /// The basis of reviews and hooks: harmful text is found whatever the project's own files say.
    pub fn with_floor(collection: &Collection, settings: &Settings) -> Self {
        let mut known = Self::new(collection, &settings.lint);
        let own = tuning(collection, &settings.own_lint);
        known.tuning.floor = Some(own.choice);
        known
    }

    /// The basis of a command; fails where a file is wrong, for other rules would help nobody.
    pub fn strict(ws: &Workspace, no_baseline: bool) -> Result<Self> {
        if let Some(error) = ws.config_errors.first() {
            let hint = "put it right, or name another file with --config";
            return Err(Error::from(error.clone()).hint(hint));
        }
        let collection = &ws.collection;
        if let Err(error) = control::decision_lines(&collection.root) {
            let hint = "put a regular file of at most 32 MB there, or none";
            return Err(Error::from(error).hint(hint));
        }
        let mut basis = Self::new(collection, &ws.settings.lint);
        basis.no_baseline = no_baseline;
        let decisions = std::mem::take(&mut basis.decisions);
        basis.decisions = basis.taken(decisions);
        Ok(basis)
    }

    /// Decisions as far as they hold for this call.
    fn taken(&self, decisions: Decisions) -> Decisions {
        match self.no_baseline {
            true => decisions.without_baseline(),
            false => decisions,
        }
    }

    /// The basis with the decisions as a plan leaves them.
    pub fn then(&self, collection: &Collection, overlay: &Overlay) -> Self {
        Self {
            tuning: self.tuning.clone(),
            decisions: self.taken(collection.decided(overlay)),
            no_baseline: self.no_baseline,
        }
    }

    pub fn answered(&mut self, collection: &Collection) {
        self.decisions = self.taken(collection.decisions());
    }

    /// The rules that look in some store.
    pub fn rules(&self) -> Selection {
        self.tuning.rules()
    }
}

fn tuning(collection: &Collection, settings: &LintSettings) -> Tuning {
    let alone = collection.infos().filter(|info| !info.id.0.contains('@'));
    let beside = |info| id_beside_another(info, &collection.root);
    Tuning {
        choice: settings.of_stores(alone.map(|info| (info.id.to_string(), beside(info)))),
        floor: None,
    }
}

pub struct LintFacts<'a> {
    pub project: repository::Facts<'a>,
    pub suite: TaskSuite,
    pub notes: Vec<String>,
    worths: &'a Worths,
    now: Timestamp,
}

impl LintFacts<'_> {
    pub fn context<'a>(
        &'a self,
        basis: &'a Basis,
        memories: &'a Snapshot,
        texts: &'a dyn Texts,
    ) -> Context<'a> {
        Context {
            decisions: &basis.decisions,
            tuning: &basis.tuning,
            play: &self.suite,
            worths: self.worths,
            ..Context::new(memories, texts, self.now, &self.project)
        }
    }
}

/// Memories that are looked at, and compared with each other, where lint is not what was asked
/// for: more would take seconds and room. `memkeep lint` looks at any number.
pub const MOST_COMPARED: usize = 5000;

/// Memories of which a listing counts the findings of each: of more it would take longer than the
/// listing. Of a store of more than [`MOST_COMPARED`] only rules that need no other memory look.
pub const MOST_COUNTED: usize = 10_000;

impl Workspace {
    /// The basis by the settings of the start.
    pub fn lint_basis(&self) -> Basis {
        Basis::new(&self.collection, &self.settings.lint)
    }

    /// The facts at a time.
    pub fn lint_facts(&self, now: Timestamp) -> LintFacts<'_> {
        let (suite, notes) = self.replay(now);
        LintFacts {
            project: self.logs.facts(&self.collection.root),
            suite,
            notes,
            worths: self.worths(),
            now,
        }
    }

    /// Number of findings of each memory; looks at those with the indexes `wanted`, or at all.
    pub fn marks(&self, memories: &[Arc<Memory>], wanted: Option<&[usize]>) -> Vec<Marks> {
        let memories = Arc::new(memories.to_vec());
        let (basis, facts) = (self.lint_basis(), self.lint_facts(self.now));
        let cx = facts.context(&basis, &memories, &self.collection);
        let rules = basis.rules();
        match wanted {
            _ if memories.len() <= MOST_COMPARED => lint::digest(&cx, &rules, 0).marks,
            Some(wanted) => lint::digest_of(&cx, &rules.alone(), 0, wanted).marks,
            None => lint::digest(&cx, &rules.alone(), 0).marks,
        }
    }

    /// The warnings about memories that are given together: about each, and about each pair.
    pub fn caveats(&self, facts: &LintFacts<'_>, given: &[Arc<Memory>]) -> Caveats {
        let (given, basis) = (Arc::new(given.to_vec()), self.lint_basis());
        let cx = facts.context(&basis, &given, &self.collection);
        let mut caveats = Caveats::default();
        let found = lint::run(&cx, &Selection::misleading());
        for finding in found.iter().filter(|finding| finding.misleads()) {
            let ids = finding.parties().filter_map(|at| given.get(at));
            let ids: Vec<&MemoryId> = ids.map(|memory| &memory.id).collect();
            for own in &ids {
                let others = ids.iter().filter(|id| *id != own);
                let related: Vec<String> = others.map(ToString::to_string).collect();
                let caveat = Caveat {
                    rule: finding.rule,
                    message: match related.first() {
                        Some(other) => format!("contradicts {other}"),
                        None => finding.message.clone(),
                    },
                    related,
                };
                caveats.entry((*own).clone()).or_default().push(caveat);
            }
        }
        caveats
    }

    /// Judges tasks by the warnings about what they are given: all, or those that forbid some.
    pub fn judge_caveats(&self, tasks: &mut [(Written, Judged)], known: &[Arc<Memory>], all: bool) {
        let facts = OnceCell::new();
        let forbids = |task: &Written| task.no_contradictions || task.no_stale;
        for (task, judged) in tasks.iter_mut().filter(|(task, _)| all || forbids(task)) {
            let facts = facts.get_or_init(|| self.lint_facts(self.clock()));
            let ids = judged.answer.given.iter().map(|given| &given.id);
            let ids: HashSet<&MemoryId> = ids.collect();
            let given = known.iter().filter(|memory| ids.contains(&memory.id));
            let given: Vec<Arc<Memory>> = given.cloned().collect();
            judged.take_caveats(task, self.caveats(facts, &given));
        }
    }

    /// The memories that can be promoted, with near duplicates as evidence.
    pub fn promotable(&self, memories: &Snapshot) -> Vec<Candidate> {
        let (basis, facts) = (self.lint_basis(), self.lint_facts(self.now));
        let cx = facts.context(&basis, memories, &self.collection);
        let rules = Selection::of(&["near-duplicate"]).unwrap_or_default();
        let mut repeated: HashMap<MemoryId, [MemoryId; 2]> = HashMap::new();
        for one in lint::run(&cx, &rules).iter().flat_map(lint::Finding::each) {
            let id = |at: &usize| Some(memories.get(*at)?.id.clone());
            let related = one.related.iter();
            let pairs = related.filter_map(|of| id(of).zip(id(&one.memory)));
            for pair in pairs.map(<[MemoryId; 2]>::from) {
                for of in &pair {
                    repeated.entry(of.clone()).or_insert_with(|| pair.clone());
                }
            }
        }
        let pair = |id: &MemoryId| repeated.get(id).cloned();
        self.collection.candidates(memories, self.now, &pair)
    }
}
