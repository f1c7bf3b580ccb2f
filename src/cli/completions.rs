//! `memkeep completions`: the script that has a shell ask memkeep what completes a word, and the
//! answers.
//!
//! The script calls memkeep with the name of its shell in [`SHELL`] and the words of the line behind
//! `--`. Commands and flags come from the table of commands, values from the stores as they are then.

use std::ffi::{OsStr, OsString};
use std::sync::OnceLock;

use clap::FromArgMatches as _;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{Bash, EnvCompleter, Fish, Zsh};
use clap_complete_nushell::Nushell;

use super::args::{Global, program};
use super::list::schemas;
use super::prelude::*;
use crate::lint::RULES;
use crate::memory::schema::Kind;
use crate::systems;
use crate::workspace::Options;

const SHELL: &str = "_MEMKEEP_COMPLETE";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// Fish.
    Fish,
    /// Nushell: commands and flags only.
    Nushell,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
bash     add `source <(memkeep completions bash)` to ~/.bashrc
zsh      add `source <(memkeep completions zsh)` to ~/.zshrc, behind compinit
fish     memkeep completions fish > ~/.config/fish/completions/memkeep.fish
nushell  memkeep completions nushell | save memkeep.nu, and `use memkeep.nu *`

Nushell completes commands and flags; the others ids, stores, fields, values and rules too.")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}

pub fn run(args: &Completions, output: &mut Output) -> Result<u8> {
    let name = "memkeep";
    match args.shell {
        Shell::Bash => output.write_all(include_bytes!("../../assets/completions/memkeep.bash"))?,
        Shell::Zsh => Zsh.write_registration(SHELL, name, name, name, output)?,
        Shell::Fish => Fish.write_registration(SHELL, name, name, name, output)?,
        Shell::Nushell => clap_complete::generate(Nushell, &mut program(), name, output),
    }
    Ok(exit::DONE)
}

/// Answers a script; none if no script asks.
pub fn answer(output: &mut Output) -> Option<u8> {
    let name = std::env::var(SHELL).ok()?;
    let shells: [&dyn EnvCompleter; 3] = [&Bash, &Zsh, &Fish];
    let shell = shells.into_iter().find(|shell| shell.is(&name))?;
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let words: Vec<OsString> = words.collect();
    let stores = Arc::new(Stores {
        words: words.clone(),
        opened: OnceLock::new(),
    });
    let completed = |arg: clap::Arg| match values_of(&arg) {
        Some(values) => arg.add(completer(values, &stores)),
        None => arg,
    };
    let program = program().mut_args(completed);
    let mut program = program.mut_subcommands(|command| command.mut_args(completed));
    let folder = std::env::current_dir().ok();
    let done = shell.write_complete(&mut program, words, folder.as_deref(), output);
    let done = done.and_then(|()| output.flush());
    Some(exit::found(done.is_ok()))
}

/// Returns the values of an argument that begin as a word does, each with a line about it.
type Values = fn(&Workspace, &str) -> Vec<(String, String)>;

/// The values of arguments, by the names that the help gives them.
const VALUES: &[(&str, Values)] = &[
    ("ID", ids),
    ("A", ids),
    ("ID|FORMAT|PATH", stores_and_formats),
    ("FORMAT|STORE", stores_and_formats),
    ("project|STORE", stores),
    ("FORMAT", formats),
    ("RULE", rules),
    ("FIELD=VALUE", fields),
    ("FIELD", field_names),
    ("TAG", tags),
    ("A,B", tags),
    ("TYPE", types),
];

fn values_of(arg: &clap::Arg) -> Option<Values> {
    if !arg.get_possible_values().is_empty() {
        return None;
    }
    let own = arg.get_id().as_str().to_uppercase();
    let name = arg.get_value_names().and_then(<[_]>::first);
    let name = name.map_or("", |name| name.as_str());
    let named = |wanted: &str| VALUES.iter().find(|(known, _)| *known == wanted);
    Some(named(name).or_else(|| named(&own))?.1)
}

/// The stores that the words of a line lead to, opened when a value is asked for.
struct Stores {
    words: Vec<OsString>,
    opened: OnceLock<Option<Workspace>>,
}

impl Stores {
    fn open(&self) -> Option<&Workspace> {
        let open = || {
            let program = program().ignore_errors(true);
            let words = program.try_get_matches_from(&self.words).ok()?;
            let options = Global::from_arg_matches(&words).ok()?.options(Vec::new());
            let mut quiet = Options {
                read_only: true,
                tell: |_| {},
                ..options.ok()?
            };
            // One of these may be the word that is completed.
            let is_known = |name: &String| systems::names().any(|known| known == name);
            quiet.search.only.retain(is_known);
            Workspace::open(quiet).ok()
        };
        self.opened.get_or_init(open).as_ref()
    }
}

fn completer(values: Values, stores: &Arc<Stores>) -> ArgValueCompleter {
    let stores = Arc::clone(stores);
    ArgValueCompleter::new(move |word: &OsStr| {
        let begun = word.to_string_lossy();
        let all = stores.open().map(|ws| values(ws, &begun));
        let mut all = all.unwrap_or_default();
        // A shell shows these as they are.
        let is_plain = |value: &str| safe(value) == *value && mask(value) == *value;
        all.retain(|(value, _)| value.starts_with(&*begun) && is_plain(value));
        let all = all.into_iter().map(|(value, about)| {
            let about = Some(safe(&mask(&about)).into_owned()).filter(|about| !about.is_empty());
            CompletionCandidate::new(value).help(about.map(Into::into))
        });
        all.collect()
    })
}

fn plain<T: Into<String>>(words: impl IntoIterator<Item = T>) -> Vec<(String, String)> {
    let words = words.into_iter().map(|word| (word.into(), String::new()));
    words.collect()
}

/// Ids; where none begins so, the part behind the store.
fn ids(ws: &Workspace, begun: &str) -> Vec<(String, String)> {
    let memories = ws.load();
    let named = |id: fn(&MemoryId) -> String| {
        let rows = memories.iter();
        let rows = rows.map(move |one| (id(&one.id), one.title.to_string()));
        rows.collect_vec()
    };
    let whole = named(ToString::to_string);
    match whole.iter().any(|(id, _)| id.starts_with(begun)) {
        true => whole,
        false => named(|id| id.local.to_string()),
    }
}

fn stores(ws: &Workspace, _: &str) -> Vec<(String, String)> {
    let infos = ws.collection.infos();
    let rows = infos.map(|info| (info.id.to_string(), ws.collection.shown(&info.path)));
    rows.collect()
}

fn formats(_: &Workspace, _: &str) -> Vec<(String, String)> {
    plain(systems::names())
}

fn stores_and_formats(ws: &Workspace, begun: &str) -> Vec<(String, String)> {
    let all = stores(ws, begun).into_iter().chain(formats(ws, begun));
    all.unique_by(|(name, _)| name.clone()).collect()
}

fn rules(_: &Workspace, _: &str) -> Vec<(String, String)> {
    let title = |id| crate::text::rule_pages::title(id).to_owned();
    let rules = RULES.iter();
    let rules = rules.map(|rule| (rule.id.to_owned(), title(rule.id)));
    rules.collect()
}

fn field_names(ws: &Workspace, _: &str) -> Vec<(String, String)> {
    let fields = schemas(ws).flat_map(|schema| schema.fields);
    let fields = fields.map(|spec| (spec.name.to_owned(), spec.help.to_owned()));
    fields.unique_by(|(name, _)| name.clone()).collect()
}

/// Fields with an equals sign; behind that, their values.
fn fields(ws: &Workspace, begun: &str) -> Vec<(String, String)> {
    let Some((name, _)) = begun.split_once('=') else {
        let names = field_names(ws, begun).into_iter();
        return names.map(|(name, help)| (name + "=", help)).collect();
    };
    let mut values: BTreeSet<String> = BTreeSet::new();
    let specs = schemas(ws).flat_map(|schema| schema.fields);
    for spec in specs.filter(|spec| spec.name == name) {
        match spec.kind {
            Kind::Choice(words) => return plain(words.iter().map(|word| format!("{name}={word}"))),
            Kind::Bool => return plain(["true", "false"].map(|word| format!("{name}={word}"))),
            Kind::Tags => values.extend(tags(ws, "").into_iter().map(|(tag, _)| tag)),
            _ => {
                let memories = ws.load();
                let own = memories.iter().filter_map(|one| spec.value_in(&one.fields));
                values.extend(own.filter_map(Value::as_str).map(str::to_owned));
            }
        }
    }
    plain(values.iter().map(|value| format!("{name}={value}")))
}

/// Tags in use; the last one of a list.
fn tags(ws: &Workspace, begun: &str) -> Vec<(String, String)> {
    let memories = ws.load();
    let before = begun.rfind(',').and_then(|at| begun.get(..=at));
    let tags: BTreeSet<&str> = memories.iter().flat_map(|one| one.tags()).collect();
    let before = before.unwrap_or_default();
    plain(tags.iter().map(|tag| before.to_owned() + tag))
}

fn types(ws: &Workspace, _: &str) -> Vec<(String, String)> {
    let memories = ws.load();
    let types = memories.iter();
    let types = types.filter_map(|one| one.role(Role::Type)?.as_str());
    plain(types.collect::<BTreeSet<&str>>())
}
