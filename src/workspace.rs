//! A root with its stores, settings and history: answers the questions of the screen, the command
//! line and agents, each in one place. It prints nothing and parses no arguments.

pub(crate) mod answers;
pub(crate) mod assessment;
mod context_files;
mod error;
pub(crate) mod handout;
mod ids;
pub(crate) mod lint_facts;
pub(crate) mod orders;
pub mod preview;
pub(crate) mod settings;
pub mod since;

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use etcetera::BaseStrategy;
use itertools::Itertools as _;

pub use self::context_files::{ContextFile, ContextFiles, Picture};
pub use self::error::{Error, Kind, Result, unread};
use crate::config::{ConfigError, Settings};
use crate::curate::{Change, Plan, diff};
use crate::memory::link::{joined, relative};
use crate::memory::worth::Worths;
use crate::memory::{Memory, StoreId, Timestamp};
use crate::project::repository::Logs;
use crate::retrieval::{Snapshot, Texts as _};
use crate::search::Query;
use crate::search::query::Marks;
use crate::store::StoreError;
use crate::store::collection::Collection;
use crate::store::discover::{Search, id_beside_another, root_of, team_formats};

/// How a workspace is opened.
#[derive(Clone)]
pub struct Options {
    /// Where stores are looked for; the workspace adds the start, the configured stores and the
    /// team's formats.
    pub search: Search,
    /// A configuration file instead of the user's and the project's.
    pub config: Option<PathBuf>,
    /// True if nothing may be written.
    pub read_only: bool,
    /// The clock, where it is set.
    pub now: Option<Timestamp>,
    /// True if the program goes on after an answer: memory that is not needed any more is freed.
    pub lasting: bool,
    /// True if more is told about what is read and left out.
    pub verbose: bool,
    /// The folder of journal and drafts.
    pub state: PathBuf,
    /// Takes remarks for the person as they come up.
    pub tell: fn(&str),
}

/// The stores of a root, with the settings that hold for them.
pub struct Workspace {
    /// The stores.
    pub collection: Collection,
    /// Settings of the environment.
    pub environment: Settings,
    /// Settings of all layers below the flags, the environment included.
    pub settings: Settings,
    /// Errors in configuration files.
    pub config_errors: Vec<ConfigError>,
    /// Lines and files of the project that are ignored: tables of formats with errors, and settings
    /// that only a person makes.
    pub ignored: Vec<ConfigError>,
    /// Time of opening.
    pub now: Timestamp,
    /// How it was opened.
    pub options: Options,
    /// The folder the program was started in.
    pub start: PathBuf,
    /// True if no store is left out that would be found.
    is_whole: bool,
    /// The stores that nobody reads, once that was asked.
    unread: OnceLock<Vec<StoreId>>,
    worths: OnceLock<Worths>,
    logs: Logs,
    indexes: answers::Indexes,
}

/// Number of times a change is planned anew because another program changed the files meanwhile.
const ATTEMPTS: usize = 50;

/// Gives the change for the memories as they are.
pub type Build<'a> = dyn Fn(&[Arc<Memory>]) -> Result<Change> + 'a;

/// Tries a change.
type Attempt<'a, T> = dyn Fn(&Change, &Snapshot) -> Result<T, StoreError> + 'a;

/// A change that was made.
pub struct Made {
    /// Title in the past tense.
    pub title: String,
    /// True if anything changed.
    pub changed: bool,
    /// Places that still mention its memories by a name that they lost.
    pub mentions: Vec<String>,
    /// The memories as they were.
    pub before: Snapshot,
}

impl Workspace {
    /// Reads settings and finds the stores.
    pub fn open(options: Options) -> Result<Self> {
        let unknown = |error| format!("the working directory cannot be read: {error}");
        let start = std::env::current_dir().map_err(|error| Error::wrong(unknown(error)))?;
        let mut search = options.search.clone();
        search.start.clone_from(&start);
        let root = search.root.as_ref().map(|root| start.join(root));
        if let Some(root) = root.filter(|root| !root.is_dir()) {
            let error = Error::wrong(format!("no such folder: {}", root.display()));
            return Err(error.hint("--root names the folder to look in"));
        }
        let environment = settings::environment()?;
        let root = root_of(&search);
        // Their names are words of the configuration.
        let (team, mut ignored) = team_formats(&root);
        search.team = team;
        let layers = settings::read(environment.clone(), options.config.as_deref(), &root)?;
        search.configured = settings::stores(&layers.settings, &root);
        let is_whole = search.only.is_empty() && search.paths.is_empty();
        let opened = Collection::open(&search, &options.state);
        let mut collection = opened.map_err(|error| settings::of_table(error, &ignored))?;
        ignored.extend(layers.ignored);
        collection.read_only = options.read_only;
        collection.previews = Some(preview::PREVIEWS);
        let dialect = layers.settings.inject.dialect.as_deref();
        collection.as_specified = dialect == Some("spec");
        // A clock that is set is that of Greenwich.
        collection.east = match options.now {
            Some(_) => 0,
            None => chrono::Local::now().offset().local_minus_utc().into(),
        };
        if !options.read_only {
            let tell = options.tell;
            match collection.recover() {
                Ok(notes) => notes.iter().for_each(|text| tell(&format!("note: {text}"))),
                Err(error) if options.verbose => tell(&format!("warning: {error}")),
                Err(_) => {}
            }
        }
        // A state folder that goes away, as the sample project's does, leaves nothing behind.
        let lasting = options.state.starts_with(state_folder());
        Ok(Self {
            collection,
            environment,
            settings: layers.settings,
            config_errors: layers.errors,
            ignored,
            now: options.now.unwrap_or_else(clock),
            options,
            start,
            is_whole,
            unread: OnceLock::new(),
            worths: OnceLock::new(),
            logs: Logs::kept_in(cache_folder().filter(|_| lasting)),
            indexes: answers::Indexes::default(),
        })
    }

    /// Gives up a value: where the program ends soon, nobody needs its room.
    pub fn leave<T>(&self, value: T) {
        if !self.options.lasting {
            std::mem::forget(value);
        }
    }

    /// Tells the person something on the way.
    pub fn tell(&self, line: &str) {
        (self.options.tell)(line);
    }

    /// The time now, unless the clock is set.
    pub fn clock(&self) -> Timestamp {
        self.options.now.unwrap_or_else(clock)
    }

    /// The stores that a configuration names and that cannot be opened.
    pub fn wrong_stores(&self) -> Vec<ConfigError> {
        [self.collection.wrong.clone(), self.unknown_stores()].concat()
    }

    /// The stores for which the project's own file has settings of lint and that are not there. The
    /// user's file is for other projects too; where a call leaves stores out nobody knows.
    fn unknown_stores(&self) -> Vec<ConfigError> {
        let root = &self.collection.root;
        let mut ids = Vec::new();
        for info in self.collection.infos() {
            ids.extend([info.id.to_string(), id_beside_another(info, root)]);
        }
        let named = self.settings.lint.named.iter();
        let unknown = named.filter(|(name, (path, ..))| {
            // A format alone is one of any project.
            let id = name.contains('@') && !ids.contains(name);
            id && path.starts_with(root) && self.is_whole
        });
        let nearest = |name: &str| crate::lint::nearest(name, ids.iter().map(String::as_str));
        let errors = unknown.map(|(name, (path, line, column))| {
            let meant = nearest(name).map(|near| format!("; did you mean `{near}`?"));
            ConfigError {
                path: path.clone(),
                line: *line,
                column: *column,
                message: format!("no store is `{name}`{}", meant.unwrap_or_default()),
            }
        });
        errors.collect()
    }

    /// Tells errors of configuration files; defaults apply in their place.
    pub fn warn(&self) {
        self.warn_of(&self.config_errors);
        self.warn_of(&self.wrong_stores());
    }

    /// Tells each error with its place.
    pub fn warn_of(&self, errors: &[ConfigError]) {
        for error in errors {
            self.tell(&format!("warning: {error}"));
            self.tell(&format!("  --> {}", error.place()));
        }
    }

    /// The settings as their files say them now; those of the start where they cannot be read.
    pub fn settings_now(&self) -> Settings {
        let (above, root) = (self.environment.clone(), &self.collection.root);
        settings::read(above, self.options.config.as_deref(), root)
            .map_or_else(|_| self.settings.clone(), |layers| layers.settings)
    }

    /// Reads all memories, archived ones included. They are kept to the end of the program, which
    /// is over sooner where nobody frees 100,000 of them one by one.
    pub fn load(&self) -> Snapshot {
        let loaded = self.collection.load(&[], &mut |_| true);
        for problem in loaded.problems {
            self.tell(&format!("warning: {problem}"));
        }
        if self.options.verbose {
            let mut all = self.collection.infos().map(|info| info.path.display());
            let all = all.join(", ");
            let count = loaded.memories.len();
            self.tell(&format!("read {count} memories from {all}"));
        }
        let memories = Arc::new(loaded.memories);
        std::mem::forget(Arc::clone(&memories));
        memories
    }

    /// The body of a memory.
    pub fn body(&self, memory: &Memory) -> Option<String> {
        self.collection.body(memory)
    }

    /// A memory with the fields that it does not hold.
    pub fn with_inner<'a>(&self, memory: &'a Memory) -> Cow<'a, Memory> {
        if memory.schema.inner.is_empty() {
            return Cow::Borrowed(memory);
        }
        Cow::Owned(memory.with_inner(&self.collection.inner(memory)))
    }

    /// The rank of a memory among those that a query finds; none if it does not find it.
    pub fn matches(&self, query: &Query, memory: &Memory, marks: &Marks) -> Option<u32> {
        let body = query.wants_body().then(|| self.collection.said(memory));
        let body = body.flatten();
        let inner = query.asks_inner(memory).then(|| self.with_inner(memory));
        let memory = inner.as_deref().unwrap_or(memory);
        query.matches(memory, marks, self.now, body.as_deref())
    }

    /// Plans a change for the memories as they are, without making it.
    pub fn plan(&self, build: &Build<'_>) -> Result<Plan> {
        let plan = self.retried(build, &|change, memories| {
            self.collection.plan(change, memories, self.now)
        });
        Ok(plan?.0)
    }

    /// Makes a change for the memories as they are. Where another program changes them between
    /// reading and saving, `build` is asked again.
    pub fn make(&self, build: &Build<'_>) -> Result<Made> {
        self.may_write()?;
        let ((done, mentions), before) = self.retried(build, &|change, memories| {
            let plan = self.collection.plan(change, memories, self.now)?;
            let (action, ids) = (change.action(), change.journal_ids());
            let mentions = plan.mentions.clone();
            let done = self.collection.carry_out(plan, action, ids, self.now);
            Ok((done.map_err(as_changed)?, mentions))
        })?;
        Ok(Made {
            title: done.title,
            changed: done.changed,
            mentions,
            before,
        })
    }

    /// Tries a change on the memories as they are, again where they changed meanwhile.
    fn retried<T>(&self, build: &Build<'_>, act: &Attempt<'_, T>) -> Result<(T, Snapshot)> {
        let mut memories = self.load();
        let mut attempt = 1;
        loop {
            match act(&build(&memories)?, &memories) {
                Ok(done) => return Ok((done, memories)),
                Err(StoreError::Changed(_)) if attempt < ATTEMPTS => attempt += 1,
                Err(error) => return Err(error.into()),
            }
            memories = Arc::new(self.collection.load(&memories, &mut |_| true).memories);
        }
    }

    /// Refuses where nothing may be changed.
    pub fn may_write(&self) -> Result<()> {
        Ok(self.collection.may_write()?)
    }

    /// The unified diff of a plan, with asterisks in place of secrets.
    pub fn diff(&self, plan: &Plan) -> Vec<u8> {
        let texts = RefCell::new(Vec::new());
        let read = |path: &Path| {
            let text = std::fs::read(path).ok()?;
            texts.borrow_mut().push(text.clone());
            Some(text)
        };
        let diff = diff::unified(plan, &read, &|path| self.collection.shown(path));
        crate::lint::mask_diff(diff, &texts.into_inner())
    }

    /// The path from the root of a file that is given as an absolute path, from the root or from the
    /// working directory. A path that does not exist from the root is taken from the working
    /// directory, unless fewer of its folders exist there.
    pub fn below_root(&self, file: &str) -> String {
        let root = &self.collection.root;
        let below = |folder: &Path| {
            let path = joined(folder, file);
            let is_missing = |part: &&Path| !part.exists();
            let missing = path.ancestors().take_while(is_missing).count();
            let is_below = path.starts_with(root);
            is_below.then(|| (missing, relative(root, &path)))
        };
        let own = below(root);
        let is_better = |missing, own| own > 0 && missing <= own;
        let here = below(&self.start);
        let here =
            here.filter(|(here, _)| own.as_ref().is_none_or(|(own, _)| is_better(*here, *own)));
        here.or(own)
            .map_or_else(|| file.to_owned(), |(_, path)| path)
    }
}

/// A name that was free when the change was planned counts as changed: the next plan sees it.
fn as_changed(error: StoreError) -> StoreError {
    match error {
        StoreError::Exists(path) => StoreError::Changed(path),
        error => error,
    }
}

/// The system's clock.
pub fn clock() -> Timestamp {
    Timestamp(chrono::Utc::now().timestamp_millis())
}

/// The folders of the user's files.
fn folders() -> Option<impl BaseStrategy> {
    etcetera::choose_base_strategy().ok()
}

/// The folder of journal, drafts and snapshots.
pub fn state_folder() -> PathBuf {
    let state = folders().map(|base| base.state_dir().unwrap_or_else(|| base.data_dir()));
    state.unwrap_or_else(std::env::temp_dir).join("memkeep")
}

/// The folder of files that can be made again.
fn cache_folder() -> Option<PathBuf> {
    folders().map(|base| base.cache_dir().join("memkeep"))
}

/// The folder of the user's settings and themes.
pub fn config_folder() -> Option<PathBuf> {
    folders().map(|base| base.config_dir().join("memkeep"))
}
