//! `memkeep`: the terminal UI on a workspace's stores, and `memkeep demo`: on the sample project.

use super::args::Global;
use super::list::schemas;
use super::output::Color;
use super::prelude::*;
use crate::app::form::{Known, PatternReader};
use crate::app::inject::{Inject, OwnDialect};
use crate::app::line::Line;
use crate::app::{self, Keymap, Model, Msg};
use crate::config::InjectSettings;
use crate::memory::format;
use crate::project::demo;
use crate::retrieval::Match;
use crate::retrieval::hybrid::HYBRID;
use crate::run::screen::Screen;
use crate::run::{self, RunError};
use crate::store::StoreInfo;
use crate::store::control::{self, Owner};
use crate::store::discover::open;
use crate::systems::policy;
use crate::systems::rawko;
use crate::systems::rawko::pattern::{Matcher, normalized, reading};
use crate::ui::theme::{BUNDLED, Depth, Theme};
use crate::workspace::{clock, settings};

const NEAR_MISSES: usize = 50;

/// Reads patterns as the policy does, while they are edited.
struct Patterns {
    matcher: Matcher,
    dialect: rawko::Dialect,
}

impl PatternReader for Patterns {
    fn find(&self, pattern: &str, task: &str) -> Option<Match> {
        self.matcher.try_on(pattern, task, self.dialect)
    }

    fn kind(&self, pattern: &str) -> &'static str {
        reading(&normalized(pattern), self.dialect).word()
    }
}

/// The program on the stores of a workspace, before anything is loaded.
pub fn screen_model(ws: &Workspace) -> Result<Model> {
    if ws.collection.stores.is_empty() {
        // The store that the first memory makes.
        let new = ws.collection.new_store(ws.options.search.format.as_deref());
        let new = new.map(open).into_iter().collect();
        ws.collection.stores.join(new);
    }
    ws.join_context();
    let keymap = Keymap::with(&ws.settings.keys).map_err(|errors| {
        let hint = "the table [keys] of the configuration names commands and their keys";
        Error::wrong(errors.iter().join("; ")).hint(hint)
    })?;
    let mut model = model(ws, keymap)?;
    if !ws.options.read_only {
        ws.collection.recover()?;
    }
    let wrong = ws.wrong_stores();
    let mut errors = ws.config_errors.iter().chain(&wrong).chain(&ws.ignored);
    if let Some(error) = errors.next() {
        let notice = format!("{}: {error}; the other settings hold", error.place());
        let _ = app::update(&mut model, Msg::Notice(notice));
    }
    Ok(model)
}

pub fn run(ws: Workspace, color: Color) -> Result<u8> {
    let mut model = screen_model(&ws)?;
    let depth = match color {
        Color::Auto => depth(std::env::var("NO_COLOR").ok()),
        Color::Always => depth(None),
        Color::Never => Depth::None,
    };
    let theme = theme(&ws, depth)?;
    model.light = theme.light;
    model.theme.clone_from(&theme.name);
    let now = ws.options.now;
    let automatic = ws.settings.theme.is_none();
    let mut screen = Screen::new(model, theme, move || now.unwrap_or_else(clock));
    screen = screen.automatic(automatic);
    let mut options = run::Options::from_env(Some(ws.collection.state.clone()));
    // The console of Linux has no such question, and old ones would print it.
    options.ask_background =
        automatic && depth != Depth::None && options.term.as_deref() != Some("linux");
    run::run(Arc::new(ws), &mut screen, options).map_err(|error| match error {
        RunError::Term(error) => Error::wrong(error.to_string()).hint("memkeep list"),
        RunError::Threads(_) => Error::wrong(error.to_string()),
    })
}

/// The colours of the terminal; `no_color` is the value of that variable.
pub fn depth(no_color: Option<String>) -> Depth {
    let variable = |name: &str| std::env::var(name).ok();
    let (colors, term) = (variable("COLORTERM"), variable("TERM"));
    Depth::of(no_color.as_deref(), colors.as_deref(), term.as_deref())
}

/// The program before anything is loaded.
fn model(ws: &Workspace, keymap: Keymap) -> Result<Model> {
    let collection = &ws.collection;
    let inject = ws.inject_settings(InjectSettings::default(), None)?;
    // An agent that has no file of its own goes by none.
    let nobody = InjectSettings {
        agent: Some(String::new()),
        ..InjectSettings::default()
    };
    let usual = ws.inject_settings(nobody, None)?;
    let own_dialects: Vec<_> = collection.infos().filter_map(own_dialect).collect();
    let dialects = dialects(&own_dialects);
    // A setting may be made for other folders: what no store here has is passed over.
    let wanted = inject.dialect.as_deref().unwrap_or_default();
    let dialect = dialects.iter().copied().find(|name| *name == wanted);
    let dialect = dialect.unwrap_or_default();
    let limits = ws.limits(&usual, dialect, NEAR_MISSES);
    let agents = ws.agents();
    let agents = ws.limits_of_agents(agents.iter().map(String::as_str), &limits)?;
    let shown = |path: &Path| match path == collection.root {
        true => path.display().to_string(),
        false => collection.shown(path),
    };
    // The one that is made where there was none is not there yet.
    let opened = collection.infos().filter(|info| info.path.exists());
    let opened = opened.map(|info| (info.id.clone(), shown(&info.path)));
    let opened = opened.collect_vec();
    let agents_here = match opened.is_empty() {
        true => ws.agents_here(),
        false => Vec::new(),
    };
    let tasks = ws.settings.sample_tasks.clone().unwrap_or_default();
    let name = collection.root.file_name();
    let policies = collection.infos().map(|info| policy(info.policy()));
    let mut policies = policies.peekable();
    let mut model = Model {
        known: Known {
            tasks: tasks.into_iter().map(Into::into).collect(),
            patterns: Some(Arc::new(Patterns {
                matcher: Matcher::default(),
                dialect: rawko::Dialect::named(limits.dialect),
            })),
        },
        now: ws.now,
        size: (80, 24),
        project: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        root: collection.root.clone(),
        agents_here,
        opened,
        destinations: collection.targets(),
        read_only: (ws.options.read_only).then(|| "memkeep runs with --read-only".to_owned()),
        keymap,
        inject: Inject::new(limits, dialects, own_dialects, agents),
        ..Model::default()
    };
    model.inject.agent = Line::new(inject.agent.unwrap_or_default());
    model.inject.needs_no_task = policies.peek().is_some()
        && policies.all(|own| own.is_some_and(|own| !(own.goes_by_task)("")));
    model.world.schemas = schemas(ws).collect();
    model.world.worths = ws.worths().clone();
    Ok(model)
}

/// The dialect that holds for a store where nobody asks for another.
fn own_dialect(info: &StoreInfo) -> Option<OwnDialect> {
    let policy = policy(info.policy())?;
    let mut tables = format::TABLES.iter().chain(format::added());
    let table = tables.find(|table| table.name() == info.format());
    let named = table.and_then(|table| table.settings.get("dialect"));
    let named = named.map(|name| policy.dialect(name));
    let own = named.filter(|name| !name.is_empty());
    let own = own.or(policy.dialects.first().copied());
    Some(OwnDialect {
        store: info.id.clone(),
        name: own.unwrap_or(policy.name),
        known: policy.dialects,
    })
}

/// The dialect of each store, then all that another one can be chosen of, in the order of the
/// stores, and memkeep's own ranking.
fn dialects(own: &[OwnDialect]) -> Vec<&'static str> {
    let names = own.iter().flat_map(|own| own.known.iter().copied());
    // One that every store has that could have it is no other.
    let is_other = |name: &&'static str| {
        let mut able = own.iter().filter(|own| own.known.contains(name));
        able.any(|own| own.name != *name)
    };
    let others = names.unique().filter(is_other);
    let all = [""].into_iter().chain(others);
    all.chain([HYBRID]).collect()
}

/// The theme of the settings, else the one for the terminal's background.
fn theme(ws: &Workspace, depth: Depth) -> Result<Theme> {
    let Some(name) = ws.settings.theme.as_deref() else {
        // A guess for the first frame; then the terminal is asked.
        return Ok(Theme::automatic(false).at(depth));
    };
    if let Some(theme) = Theme::bundled(name) {
        return Ok(theme.at(depth));
    }
    let folder = settings::themes_folder().filter(|_| !name.contains(['/', '\\', '.']));
    let file = folder.map(|folder| folder.join(format!("{name}.toml")));
    let text = |file: &_| control::text(file, Owner::Person).ok()?;
    let Some((file, text)) = file.and_then(|file| text(&file).map(|text| (file, text))) else {
        let known = BUNDLED.iter().map(|(name, _)| name).format(", ");
        let place = "files in the folder themes beside the user's configuration";
        let error = Error::wrong(format!("unknown theme `{name}`"));
        return Err(error.hint(format!("there are {known}, and {place}")));
    };
    let theme = Theme::parse(name, &text).map_err(|error| {
        let place = format!("{}:{}:{}", file.display(), error.line, error.column);
        Error::wrong(error.message).place(place)
    })?;
    Ok(theme.at(depth))
}

#[derive(Debug, clap::Args)]
pub struct Demo {
    /// Name a few task descriptions worth typing
    #[arg(long)]
    pub list_tasks: bool,
    /// Write the sample project into this new folder and end
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
}

pub fn demo(global: &Global, args: &Demo, output: &mut Output) -> Result<u8> {
    let tasks = demo::tasks();
    if args.list_tasks {
        for task in tasks {
            output.bold(&task.text)?;
            writeln!(output, "\n  as {}: {}", task.agent, task.shows)?;
        }
        let how = "t and the task, Tab and the agent; T has them saved";
        writeln!(output, "In the Inject view: {how}")?;
        return Ok(exit::DONE);
    }
    let mut options = global.options(Vec::new())?;
    let now = options.now.unwrap_or_else(clock);
    let wrong =
        |hint| move |error: crate::store::StoreError| Error::wrong(error.to_string()).hint(hint);
    let warn = |without_history: Option<String>| {
        let what = "warning: the sample project has no history";
        if let Some(why) = without_history {
            note(&format!("{what}: {why}"));
        }
    };
    if let Some(folder) = &args.into {
        warn(demo::lay_out_in(folder, now).map_err(wrong("--into names a new folder"))?);
        writeln!(output, "wrote the sample project to {}", folder.display())?;
        return Ok(exit::DONE);
    }
    let hint = "the folder for temporary files must be writable";
    let project = demo::lay_out(now).map_err(wrong(hint))?;
    warn(project.without_history);
    options.search.root = Some(project.root);
    // Its journal goes away with it.
    options.state = project.dir.path().join("state");
    let mut ws = Workspace::open(options)?;
    let sample = || tasks.into_iter().map(|task| task.text).collect();
    ws.settings.sample_tasks.get_or_insert_with(sample);
    match global.is_plain() {
        true => screen_model(&ws).and_then(|model| super::plain::run(ws, model, output)),
        false => run(ws, global.color),
    }
}

#[cfg(test)]
mod tests;
