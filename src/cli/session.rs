//! What every command starts from: settings, the clock, the stores and their memories.

mod absent;
mod files;
mod ids;
mod settings;

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use etcetera::BaseStrategy as _;

use super::args::Global;
use super::error::Error;
use super::output::note;
use crate::config::{ConfigError, Settings};
use crate::curate::plan::MOST_PLACES;
use crate::curate::{Change, Plan, diff};
use crate::memory::{Memory, StoreId, Timestamp};
use crate::retrieval::{Snapshot, Texts as _};
use crate::search::Query;
use crate::search::query::Marks;
use crate::store::StoreError;
use crate::store::collection::Collection;
use crate::store::discover::{Search, id_beside_another, root_of, team_formats};
use crate::ui::safe::safe;
pub use files::text_or_stdin;

/// The stores of a command, with the settings that hold for it.
pub struct Session {
    /// The stores.
    pub collection: Collection,
    /// What the environment says.
    pub environment: Settings,
    /// Settings of all layers below the flags, the environment included.
    pub settings: Settings,
    /// What is wrong with configuration files.
    pub config_errors: Vec<ConfigError>,
    /// The memory that the terminal UI opens on.
    pub opens_on: Option<String>,
    /// Lines and files of the project that are ignored: tables of formats with errors, and settings
    /// that only a person makes.
    pub ignored: Vec<ConfigError>,
    /// Whether no store is left out that would be found.
    looks_at_all: bool,
    /// The stores that nobody reads, once that was asked.
    unread: OnceLock<Vec<StoreId>>,
    /// The clock.
    pub now: Timestamp,
    /// Flags of every command.
    pub global: Global,
    /// The folder the program was started in.
    pub start: PathBuf,
}

/// How often a change is planned anew because another program changed the files meanwhile.
const ATTEMPTS: usize = 50;

/// What gives the change for the memories as they are.
pub type Build<'a> = dyn Fn(&[Arc<Memory>]) -> Result<Change, Error> + 'a;

/// A change that was made.
pub struct Made {
    /// What it was, in the past tense.
    pub title: String,
    /// Whether anything changed.
    pub changed: bool,
    /// Places that go on mentioning its memories by a name that they lost.
    pub mentions: Vec<String>,
    /// The memories as they were.
    pub before: Snapshot,
}

impl Made {
    /// Says it to the person.
    pub fn say(&self, output: &mut super::Output) -> Result<(), Error> {
        if self.changed {
            writeln!(output, "{} · memkeep undo", safe(&self.title))?;
        } else {
            writeln!(output, "nothing to change")?;
        }
        list_mentions(&self.mentions);
        Ok(())
    }
}

/// Lists the places that go on mentioning a name, where the title of the plan leaves some out.
fn list_mentions(places: &[String]) {
    let places = places.iter().filter(|_| places.len() > MOST_PLACES);
    for place in places {
        note(&format!("note: still mentioned in {place}"));
    }
}

/// A change that could not be made.
struct Failed {
    error: Error,
    /// Whether it may go well with the memories as they are by now.
    again: bool,
}

impl Session {
    /// Reads settings and finds the stores.
    pub fn open(global: Global, paths: Vec<PathBuf>) -> Result<Self, Error> {
        Self::open_with_state(global, paths, &state_folder())
    }

    /// The same, with journal and drafts in a folder of their own.
    pub fn open_with_state(
        global: Global,
        paths: Vec<PathBuf>,
        state: &Path,
    ) -> Result<Self, Error> {
        let start = std::env::current_dir().map_err(|error| {
            Error::wrong(format!("the working directory cannot be read: {error}"))
        })?;
        let now = now(&global)?;
        let mut search = Search {
            start: start.clone(),
            root: global.root.clone(),
            paths,
            format: global.format_as.clone(),
            only: global.store.clone(),
            configured: Vec::new(),
            team: Vec::new(),
            all_projects: global.all_projects,
        };
        if let Some(root) = search
            .root
            .as_ref()
            .map(|root| start.join(root))
            .filter(|root| !root.is_dir())
        {
            return Err(Error::wrong(format!("no such folder: {}", root.display()))
                .hint("--root names the folder to look in"));
        }
        let environment = settings::environment()?;
        let root = root_of(&search);
        // Their names are words of the configuration.
        let (team, mut ignored) = team_formats(&root);
        search.team = team;
        let layers = settings::read(environment.clone(), &global, &root)?;
        search.configured = settings::stores(&layers.settings, &root);
        let looks_at_all = search.only.is_empty() && search.paths.is_empty();
        let opened = Collection::open(&search, state);
        let mut collection = opened.map_err(|error| settings::of_table(error, &ignored))?;
        ignored.extend(layers.ignored);
        collection.read_only = global.read_only;
        collection.east = east(&global);
        if !global.read_only {
            match collection.recover() {
                Ok(notes) => notes.iter().for_each(|text| note(&format!("note: {text}"))),
                Err(error) if global.verbose => note(&format!("warning: {error}")),
                Err(_) => {}
            }
        }
        Ok(Self {
            collection,
            environment,
            settings: layers.settings,
            config_errors: layers.errors,
            opens_on: None,
            ignored,
            looks_at_all,
            unread: OnceLock::new(),
            now,
            global,
            start,
        })
    }

    /// The stores that a configuration names and that cannot be opened.
    pub fn wrong_stores(&self) -> Vec<ConfigError> {
        let wrong = self.collection.wrong.iter().cloned();
        wrong.chain(self.unknown_stores()).collect()
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
            let id = name.0.contains('@') && !ids.contains(&name.0);
            id && path.starts_with(root) && self.looks_at_all
        });
        let nearest = |name: &str| crate::lint::nearest(name, ids.iter().map(String::as_str));
        unknown
            .map(|(name, (path, line, column))| {
                let meant = nearest(&name.0).map(|near| format!("; did you mean `{near}`?"));
                ConfigError {
                    path: path.clone(),
                    line: *line,
                    column: *column,
                    message: format!("no store is `{}`{}", name.0, meant.unwrap_or_default()),
                }
            })
            .collect()
    }

    /// Reports errors of configuration files; defaults apply in their place.
    pub fn warn(&self) {
        warn_of(&self.config_errors);
        warn_of(&self.wrong_stores());
    }

    /// Reports what of the project's own files is ignored.
    pub fn warn_of_ignored(&self) {
        warn_of(&self.ignored);
    }

    /// The settings as their files say them now; those of the start where they cannot be read.
    pub fn settings_now(&self) -> Settings {
        let (above, root) = (self.environment.clone(), &self.collection.root);
        settings::read(above, &self.global, root)
            .map_or_else(|_| self.settings.clone(), |layers| layers.settings)
    }

    /// The files that settings are read from, whether they are there or not.
    pub fn settings_files(&self) -> Vec<PathBuf> {
        settings::files(&self.global, &self.collection.root)
    }

    /// Reads all memories, archived ones included. They are kept to the end of the program, which
    /// is over sooner where nobody frees 100,000 of them one by one.
    pub fn load(&self) -> Snapshot {
        let loaded = self.collection.load(&[], &mut |_| true);
        for problem in loaded.problems {
            note(&format!("warning: {problem}"));
        }
        if self.global.verbose {
            let stores = self
                .collection
                .infos()
                .map(|info| info.path.display().to_string());
            let all: Vec<String> = stores.collect();
            let count = loaded.memories.len();
            note(&format!("read {count} memories from {}", all.join(", ")));
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
    pub fn whole<'a>(&self, memory: &'a Memory) -> Cow<'a, Memory> {
        if memory.schema.inner.is_empty() {
            return Cow::Borrowed(memory);
        }
        Cow::Owned(memory.with_inner(&self.collection.inner(memory)))
    }

    /// Whether a query finds a memory, and how well.
    pub fn matches(&self, query: &Query, memory: &Memory, marks: &Marks) -> Option<u32> {
        let said = || self.collection.said(memory);
        let body = query.wants_body().then(said).flatten();
        let memory = match query.asks_inner(memory) {
            true => self.whole(memory),
            false => Cow::Borrowed(memory),
        };
        query.matches(&memory, marks, self.now, body.as_deref())
    }

    /// Makes a change, or prints its diff and makes nothing. `build` gives the change for the
    /// memories as they are: where another program changes them between reading and saving, it
    /// is asked again.
    pub fn make(
        &self,
        dry_run: bool,
        output: &mut super::Output,
        build: &Build<'_>,
    ) -> Result<Option<Made>, Error> {
        if !dry_run {
            self.may_write()?;
        }
        let mut memories = self.load();
        for attempt in 1.. {
            let change = build(&memories)?;
            let failed = match self.plan_and_make(&change, &memories, dry_run, output) {
                Err(failed) => failed,
                Ok(made) => {
                    let before = memories;
                    return Ok(made.map(|made| Made { before, ..made }));
                }
            };
            if attempt == ATTEMPTS || !failed.again {
                return Err(failed.error);
            }
            memories = Arc::new(self.collection.load(&memories, &mut |_| true).memories);
        }
        Ok(None)
    }

    fn plan_and_make(
        &self,
        change: &Change,
        memories: &[Arc<Memory>],
        dry_run: bool,
        output: &mut super::Output,
    ) -> Result<Option<Made>, Failed> {
        let again = |error: &StoreError| matches!(error, StoreError::Changed(_));
        let plan = self.collection.plan(change, memories, self.now);
        let plan = plan.map_err(|error| Failed {
            again: again(&error),
            error: error.into(),
        })?;
        if dry_run {
            for said in &plan.notes {
                note(&format!("note: {said}"));
            }
            list_mentions(&plan.mentions);
            return match self.print_diff(&plan, output) {
                Ok(()) => Ok(None),
                Err(error) => Err(Failed {
                    again: false,
                    error: error.into(),
                }),
            };
        }
        let ids = change.journal_ids();
        let mentions = plan.mentions.clone();
        let done = self
            .collection
            .carry_out(plan, change.action(), ids, self.now);
        let done = done.map_err(|error| Failed {
            again: again(&error) || matches!(error, StoreError::Exists(_)),
            error: error.into(),
        })?;
        Ok(Some(Made {
            title: done.title,
            changed: done.changed,
            mentions,
            before: Snapshot::default(),
        }))
    }

    /// Prints the diff of a plan. Where it changes nothing the output stays empty, and standard error
    /// says so.
    pub fn print_diff(&self, plan: &Plan, output: &mut super::Output) -> std::io::Result<()> {
        if plan.is_empty() {
            note("nothing to change");
        }
        output.write_all(&self.diff(plan))
    }

    /// Refuses where nothing may be changed.
    pub fn may_write(&self) -> Result<(), Error> {
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
}

fn warn_of(errors: &[ConfigError]) {
    for error in errors {
        note(&format!("warning: {error}"));
        note(&format!("  --> {}", error.place()));
    }
}

/// The clock of a command: the one that `--now` sets, else the system's.
pub fn now(global: &Global) -> Result<Timestamp, Error> {
    let Some(text) = &global.now else {
        return Ok(clock());
    };
    Timestamp::parse_iso(text).ok_or_else(|| {
        Error::wrong(format!("--now is `{text}`, not a point in time"))
            .hint("e.g. 2026-11-20T10:00:00Z")
    })
}

/// Seconds east of Greenwich; a clock that is set is that of Greenwich.
fn east(global: &Global) -> i64 {
    match &global.now {
        Some(_) => 0,
        None => chrono::Local::now().offset().local_minus_utc().into(),
    }
}

/// The system's clock.
pub fn clock() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(
        since
            .ok()
            .and_then(|since| i64::try_from(since.as_millis()).ok())
            .unwrap_or_default(),
    )
}

/// Where the journal, drafts and snapshots are kept.
pub fn state_folder() -> PathBuf {
    let base = etcetera::choose_base_strategy().ok();
    let state = base.and_then(|base| base.state_dir().or_else(|| Some(base.data_dir())));
    state.unwrap_or_else(std::env::temp_dir).join("memkeep")
}

/// Where what can be made again is kept.
pub fn cache_folder() -> Option<PathBuf> {
    etcetera::choose_base_strategy()
        .ok()
        .map(|base| base.cache_dir().join("memkeep"))
}

/// Where the user's settings and themes are kept.
pub fn config_folder() -> Option<PathBuf> {
    etcetera::choose_base_strategy()
        .ok()
        .map(|base| base.config_dir().join("memkeep"))
}
