//! `memkeep`: the terminal UI on a workspace's stores.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::error::Error;
use crate::app::form::{Known, PatternReader};
use crate::app::inject::Inject;
use crate::app::line::Line;
use crate::app::{self, Keymap, Model, Msg};
use crate::config::InjectSettings;
use crate::memory::{StoreId, format};
use crate::retrieval::Match;
use crate::retrieval::hybrid::HYBRID;
use crate::run::screen::Screen;
use crate::run::{self, RunError};
use crate::store::StoreInfo;
use crate::store::control::{self, Owner};
use crate::store::discover::open;
use crate::store::schemas as schemas_of;
use crate::systems::policy;
use crate::systems::rawko;
use crate::systems::rawko::pattern::{Matcher, normalized, reading};
use crate::ui::theme::{Depth, Theme};
use crate::workspace::preview::is_dialect;
use crate::workspace::{Workspace, clock, config_folder};

/// Near misses that the preview lists.
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

/// Opens the terminal UI.
pub fn run(mut ws: Workspace) -> Result<u8, Error> {
    make_room(&mut ws);
    ws.join_context();
    let variable = |name: &str| std::env::var(name).ok();
    let depth = Depth::of(
        variable("NO_COLOR").as_deref(),
        variable("COLORTERM").as_deref(),
        variable("TERM").as_deref(),
    );
    let theme = theme(&ws, depth)?;
    let keymap = Keymap::with(&ws.settings.keys).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Error::wrong(all.join("; "))
            .hint("the table [keys] of the configuration names commands and their keys")
    })?;
    let mut themes = crate::workspace::theme::all(depth);
    if themes.iter().all(|one| one.name != theme.name) {
        themes.push(theme.clone());
    }
    let mut model = model(&ws, keymap, theme.light)?;
    model.theme.clone_from(&theme.name);
    let names = themes.iter().map(|theme| (theme.name.clone(), theme.light));
    model.themes = names.collect();
    if !ws.options.read_only {
        ws.collection.recover()?;
    }
    let wrong = ws.wrong_stores();
    let mut errors = ws.config_errors.iter().chain(&wrong);
    if let Some(error) = errors.next().or_else(|| ws.ignored.first()) {
        let place = error.place();
        let _ = app::update(
            &mut model,
            Msg::Notice(format!("{place}: {error}; the other settings hold")),
        );
    }
    let now = ws.options.now;
    let automatic = ws.settings.theme.is_none().then_some(depth);
    let mut screen =
        Screen::new(model, theme, move || now.unwrap_or_else(clock)).automatic(automatic);
    screen.themes = themes;
    let mut options = run::Options::from_env(Some(ws.collection.state.clone()));
    // The console of Linux has no such question, and old ones would print it.
    options.ask_background = automatic.is_some_and(|depth| depth != Depth::None)
        && options.term.as_deref() != Some("linux");
    run::run(Arc::new(ws), &mut screen, options).map_err(|error| match error {
        RunError::Term(error) => Error::wrong(error.to_string()).hint("memkeep list"),
        RunError::Threads(_) => Error::wrong(error.to_string()),
    })
}

/// Adds the store that the first memory makes, if none was found.
fn make_room(ws: &mut Workspace) {
    let collection = &ws.collection;
    let format = ws.options.format.as_deref();
    if collection.stores.is_empty()
        && let Some(info) = collection.new_store(format)
    {
        collection.stores.join(vec![open(info)]);
    }
}

/// The program before anything is loaded.
fn model(ws: &Workspace, keymap: Keymap, light: bool) -> Result<Model, Error> {
    let collection = &ws.collection;
    let inject = ws.inject_settings(InjectSettings::default(), None)?;
    // An agent that has no file of its own goes by none.
    let nobody = InjectSettings {
        agent: Some(String::new()),
        ..InjectSettings::default()
    };
    let usual = ws.inject_settings(nobody, None)?;
    let own_dialects: Vec<_> = collection.infos().filter_map(own_dialect).collect();
    let dialects = dialects(ws, &own_dialects);
    let dialect = wanted_dialect(inject.dialect.as_deref(), &dialects, &own_dialects)?;
    let limits = ws.limits(&usual, dialect, NEAR_MISSES);
    let agents = ws.agents();
    let agents = ws.limits_of_agents(agents.iter().map(String::as_str), &limits)?;
    let looked = collection.looked.iter();
    let shown = |path: &Path| match path == collection.root {
        true => path.display().to_string(),
        false => collection.shown(path),
    };
    let looked = looked.map(|path| (shown(path), path.exists()));
    // The one that is made where there was none is not there yet.
    let opened = collection.infos().filter(|info| info.path.exists());
    let tasks = ws.settings.sample_tasks.clone().unwrap_or_default();
    let known = Known {
        tasks: tasks.into_iter().map(Into::into).collect(),
        patterns: Some(Arc::new(Patterns {
            matcher: Matcher::default(),
            dialect: rawko::Dialect::named(limits.dialect),
        })),
        ..Known::default()
    };
    let name = collection.root.file_name();
    let mut model = Model {
        known,
        now: ws.now,
        size: (80, 24),
        project: name.map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        root: collection.root.clone(),
        looked: looked.collect(),
        opened: opened
            .map(|info| (info.format(), shown(&info.path)))
            .collect(),
        destinations: collection.targets(),
        read_only: ws
            .options
            .read_only
            .then(|| "memkeep runs with --read-only".to_owned()),
        keymap,
        inject: Inject::new(limits, dialects, own_dialects, agents),
        opens_on: ws.opens_on.clone(),
        light,
        ..Model::default()
    };
    let stores = collection.stores.iter();
    model.inject.agent = Line::new(inject.agent.unwrap_or_default());
    model.inject.needs_no_task = needs_no_task(ws);
    model.world.schemas = stores.flat_map(|store| schemas_of(&**store)).collect();
    Ok(model)
}

/// True if there are stores, and no policy of theirs goes by the task's text.
fn needs_no_task(ws: &Workspace) -> bool {
    let mut infos = ws.collection.infos().peekable();
    infos.peek().is_some()
        && infos.all(|info| policy(info.policy()).is_some_and(|policy| !policy.goes_by_task("")))
}

/// The dialect that holds for a store where nobody asks for another; of a policy that has none, its
/// name.
fn own_dialect(info: &StoreInfo) -> Option<(StoreId, &'static str)> {
    let policy = policy(info.policy())?;
    let mut tables = format::TABLES.iter().chain(format::added());
    let table = tables.find(|table| table.name() == info.format());
    let named = table.and_then(|table| table.settings.get("dialect"));
    let named = named.map(|name| policy.dialect(name));
    let own = named.filter(|name| !name.is_empty());
    let own = own.or(policy.dialects().first().copied());
    Some((info.id.clone(), own.unwrap_or(policy.name())))
}

/// The dialect of each store, then all that another one can be chosen of, in the order of the
/// stores, and memkeep's own ranking.
fn dialects(ws: &Workspace, own: &[(StoreId, &'static str)]) -> Vec<&'static str> {
    let mut all = vec![""];
    for info in ws.collection.infos() {
        let names = policy(info.policy()).map_or(&[][..], |policy| policy.dialects());
        // One that every store has that could have it is no other.
        let is_other = |name: &str| {
            let mut able = ws.collection.infos().filter(|info| {
                policy(info.policy()).is_some_and(|policy| policy.dialects().contains(&name))
            });
            able.any(|info| !own.iter().any(|(id, own)| *id == info.id && *own == name))
        };
        for name in names.iter().filter(|name| is_other(name)) {
            if !all.contains(name) {
                all.push(name);
            }
        }
    }
    all.push(HYBRID);
    all
}

/// The dialect that the settings ask for, one of those to choose from; empty where that is the one
/// of the stores. A setting may be made for other folders: what only policies of theirs have is
/// passed over.
fn wanted_dialect(
    wanted: Option<&str>,
    dialects: &[&'static str],
    own: &[(StoreId, &'static str)],
) -> Result<&'static str, Error> {
    let mut names = dialects.iter().copied();
    let is_own = |wanted: &str| own.iter().any(|(_, name)| *name == wanted);
    let Some(wanted) = wanted else {
        return Ok("");
    };
    match names.clone().find(|name| *name == wanted) {
        Some(name) => Ok(name),
        None if is_own(wanted) || is_dialect(wanted) => Ok(""),
        None => {
            let known: BTreeSet<&str> = names.by_ref().chain(own.iter().map(|own| own.1)).collect();
            let known: Vec<&str> = known.into_iter().filter(|name| !name.is_empty()).collect();
            Err(
                Error::wrong(format!("no store's policy has a dialect `{wanted}`"))
                    .hint(format!("there are {}", known.join(", "))),
            )
        }
    }
}

/// The theme of the settings, else the one for the terminal's background.
fn theme(ws: &Workspace, depth: Depth) -> Result<Theme, Error> {
    let Some(name) = ws.settings.theme.as_deref() else {
        // A guess for the first frame; then the terminal is asked.
        let guess = std::env::var("COLORFGBG");
        return Ok(
            Theme::automatic(guess.is_ok_and(|value| has_light_background(&value))).at(depth),
        );
    };
    if let Some(theme) = Theme::bundled(name) {
        return Ok(theme.at(depth));
    }
    let plain = !name.contains(['/', '\\', '.']);
    let file = config_folder()
        .filter(|_| plain)
        .map(|folder| folder.join("themes").join(format!("{name}.toml")));
    let text = file
        .as_ref()
        .and_then(|file| Some((file, control::text(file, Owner::Person).ok()??)));
    let Some((file, text)) = text else {
        return Err(Error::wrong(format!("unknown theme `{name}`"))
            .hint("dark, light, or a file in the folder themes beside the user's configuration"));
    };
    Theme::parse(name, &text)
        .map(|theme| theme.at(depth))
        .map_err(|error| {
            let wrong = Error::wrong(error.message.clone()).place(format!(
                "{}:{}:{}",
                file.display(),
                error.line,
                error.column
            ));
            match &error.hint {
                Some(hint) => wrong.hint(hint.clone()),
                None => wrong,
            }
        })
}

/// Whether `COLORFGBG` (as `0;15`) names a light background.
fn has_light_background(value: &str) -> bool {
    let background = value
        .rsplit(';')
        .next()
        .and_then(|number| number.parse::<u8>().ok());
    matches!(background, Some(7 | 9..=15))
}

#[cfg(test)]
mod tests;
