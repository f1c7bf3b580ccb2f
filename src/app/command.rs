//! The one table of commands. Keys, hints, palette, help and the README's table are made of it.

mod table;

use std::borrow::Cow;

use super::form::Form;
use super::key::Outcome;
pub use super::key::Scope;
use super::text::TextEditor;
use super::{Model, editor};

/// Why a command does not apply now.
pub type Refusal = Cow<'static, str>;

/// A condition of a command: met, or the reason why the command does not apply now.
pub type Condition = fn(&Model) -> Result<(), Refusal>;

/// Something a person can do.
#[derive(Debug)]
pub struct Command {
    /// Its name in a configuration.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The scope of its keys.
    pub scope: Scope,
    /// When its keys are heard.
    pub heard: &'static str,
    /// Its keys by default.
    pub keys: &'static [&'static str],
    /// Its conditions: each is met, or is the reason why it does not apply now.
    pub when: &'static [Condition],
    /// Does it.
    pub run: Run,
}

impl Command {
    /// Ok if it applies now, else the reason why not.
    pub fn applies(&self, model: &Model) -> Result<(), Refusal> {
        self.when.iter().try_for_each(|when| when(model))
    }
}

/// How a command is done.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// By a change of the model.
    Do(fn(&mut Model)),
    /// By a change of what is edited: a form, or a text.
    Edit(fn(&mut Form) -> Outcome, fn(&mut TextEditor) -> Outcome),
}

/// Does what a command does, or says why not. A command that waits to be repeated is cancelled by
/// every other one; going back does nothing else then.
pub fn run(model: &mut Model, command: &'static Command) {
    let asked = &mut model.asked_again;
    let asked = asked.take_if(|asked| asked.command != command.id);
    if asked.is_some() && command.id == "back" {
        return model.say("nothing was done");
    }
    match (command.applies(model), command.run) {
        (Ok(()), Run::Do(run)) => run(model),
        (Ok(()), Run::Edit(form, text)) => editor::act(model, command.id, form, text),
        (Err(why), _) => {
            model.say(format!("{}: {why}", command.title));
        }
    }
}

/// All commands.
pub fn all() -> impl Iterator<Item = &'static Command> {
    table::TABLE.iter().copied().flatten()
}

/// The command with this id.
pub fn find(id: &str) -> Option<&'static Command> {
    all().find(|command| command.id == id)
}

#[cfg(test)]
mod tests {
    use super::super::key::Key;
    use super::super::keymap::Keymap;
    use super::*;

    #[test]
    fn no_key_stands_for_two_commands_of_a_scope() {
        assert_eq!(Keymap::default().clashes(), [""; 0]);
    }

    #[test]
    fn every_command_has_an_id_of_its_own_a_key_and_a_line_of_help() {
        let mut ids: Vec<&str> = all().map(|command| command.id).collect();
        ids.sort_unstable();
        let before = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), before);
        for command in all() {
            assert!(!command.keys.is_empty(), "{} has no key", command.id);
            for keys in command.keys {
                assert!(Key::parse_all(keys).is_some(), "{keys} of {}", command.id);
            }
            assert!(!command.help.is_empty() && !command.help.ends_with('.'));
            assert!(command.title.len() <= 28, "{}", command.title);
        }
    }
}
