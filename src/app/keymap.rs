//! Which keys do what: a pure look-up in the table of commands and what a person changed of it.

use std::collections::BTreeMap;

use itertools::Itertools as _;

use super::command::{self, Command, Scope};
use super::key::{self, Key};
use crate::lint::nearest;

type Binding = (Vec<Key>, &'static Command);

/// All keys.
#[derive(Clone, Debug)]
pub struct Keymap {
    bindings: Vec<Binding>,
    /// True if commands are shown by their ids: there are no keys.
    by_id: bool,
}

/// The meaning of typed keys.
#[derive(Clone, Copy, Debug)]
pub enum Resolved {
    /// This command.
    Run(&'static Command),
    /// The beginning of a longer sequence.
    Prefix,
    /// Nothing.
    Nothing,
}

impl Default for Keymap {
    /// The keys of the table.
    fn default() -> Self {
        let bindings = command::all()
            .flat_map(|command| command.keys.iter().map(move |keys| (command, *keys)))
            .filter_map(|(command, keys)| Some((Key::parse_all(keys)?, command)))
            .collect();
        Self {
            bindings,
            by_id: false,
        }
    }
}

impl Keymap {
    /// The default keys with a person's own in their place; an empty list takes a command's
    /// keys away. Errors are sentences.
    pub fn with(own: &BTreeMap<String, Vec<String>>) -> Result<Self, Vec<String>> {
        let mut map = Self::default();
        let mut errors = Vec::new();
        for (id, keys) in own {
            let Some(command) = command::find(id) else {
                let near = nearest(id, command::all().map(|command| command.id));
                let near = near.map(|near| format!("; did you mean `{near}`?"));
                let near = near.unwrap_or_default();
                errors.push(format!("no command is called `{id}`{near}"));
                continue;
            };
            map.bindings.retain(|(_, other)| other.id != command.id);
            for name in keys {
                match Key::parse_all(name) {
                    Some(keys) => map.bindings.push((keys, command)),
                    None => errors.push(format!(
                        "`{name}` is not a key (for `{id}`); keys are written like ctrl-d, g g, space"
                    )),
                }
            }
        }
        errors.extend(map.clashes());
        if errors.is_empty() {
            Ok(map)
        } else {
            Err(errors)
        }
    }

    /// No keys: hints name the ids of commands.
    pub fn of_ids() -> Self {
        Self {
            by_id: true,
            ..Self::default()
        }
    }

    /// Sentences about keys that stand for two commands of one scope, or begin with another's.
    pub fn clashes(&self) -> Vec<String> {
        let pairs = self.bindings.iter().tuple_combinations();
        let error = |((keys, first), (others, second)): (&Binding, &Binding)| {
            let hidden = keys.starts_with(others) || others.starts_with(keys);
            let (key, one, other) = (key::label(keys), first.id, second.id);
            (hidden && first.scope == second.scope)
                .then(|| format!("`{key}` stands for both `{one}` and `{other}`"))
        };
        pairs.filter_map(error).collect()
    }

    /// The meaning of typed keys in these scopes, the innermost first.
    pub fn resolve(&self, scopes: &[Scope], typed: &[Key]) -> Resolved {
        for scope in scopes {
            let all = self.bindings.iter();
            let mut here = all.filter(|(_, command)| command.scope == *scope);
            if let Some((_, command)) = here.clone().find(|(keys, _)| keys == typed) {
                return Resolved::Run(command);
            }
            if here.any(|(keys, _)| keys.starts_with(typed)) {
                return Resolved::Prefix;
            }
        }
        Resolved::Nothing
    }

    /// True if a key belongs to a command of these scopes by default, and no longer does.
    pub fn was_taken(&self, scopes: &[Scope], key: Key) -> bool {
        let mut all = command::all().filter(|command| scopes.contains(&command.scope));
        all.any(|command| {
            let mut keys = command.keys.iter();
            keys.any(|keys| Key::parse_all(keys).as_deref() == Some(&[key]))
        })
    }

    /// The keys that can follow.
    pub fn following(&self, scopes: &[Scope], typed: &[Key]) -> Vec<(String, &'static Command)> {
        let bindings = self.bindings.iter();
        let bindings = bindings.filter(|(_, command)| scopes.contains(&command.scope));
        let rest = bindings.filter_map(|(keys, command)| {
            let rest = keys.strip_prefix(typed).filter(|rest| !rest.is_empty())?;
            Some((key::label(rest), *command))
        });
        rest.collect()
    }

    /// The keys of a command, as they are shown.
    pub fn labels(&self, id: &str) -> Vec<String> {
        if self.by_id {
            return vec![id.to_owned()];
        }
        let own = self.bindings.iter().filter(|(_, one)| one.id == id);
        own.map(|(keys, _)| key::label(keys)).collect()
    }

    /// The first key of a command, as it is shown.
    pub fn label(&self, id: &str) -> Option<String> {
        self.labels(id).into_iter().next()
    }
}
