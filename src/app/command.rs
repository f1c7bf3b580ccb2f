//! The one table of commands. Keys, hints, palette, help and the README's table are made of it.

/// The commands of some scopes, a line or two each: what a command does and when, or the key
/// that the part knows it by which is being edited.
macro_rules! commands {
    ($($scope:ident $name:ident {
        $($id:literal $keys:tt $title:literal, $help:literal
            $(, $when:path => $run:path)? $(=> $key:literal)?;)*
    })*) => {
        $(static $name: &[Command] = &[
            $(Command {
                id: $id,
                title: $title,
                help: $help,
                scope: Scope::$scope,
                keys: &$keys,
                $(when: $when, run: Run::Do($run),)?
                $(when: $crate::app::act::when::always, run: Run::Key($key),)?
            },)*
        ];)*
        /// All scopes.
        pub(super) static TABLE: &[&[Command]] = &[$($name),*];
    };
}

mod editing;
mod table;

use std::borrow::Cow;

use super::Model;
use super::key::{self, Key};
use super::msg::Effect;

/// Where a command's keys are heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere, inside texts too.
    Always,
    /// Wherever no text is being typed.
    Global,
    /// Where a person stands on a memory.
    Memory,
    /// In the list of memories.
    List,
    /// While the explanation is shown.
    Explain,
    /// On an entry of the review queue.
    Review,
    /// While a fix is shown.
    Fix,
    /// While a filter is typed.
    Filter,
    /// While a task is typed.
    Task,
    /// In the palette.
    Palette,
    /// While a found draft is offered.
    Draft,
    /// Among the memories that one has to do with.
    Links,
    /// On two memories that a rule asks about.
    Pair,
    /// While it is typed in which case which of two memories holds.
    Cases,
    /// While it is typed why a finding stays as it is.
    Reason,
    /// While the text of a rule is typed.
    Rule,
    /// While a commit message is typed.
    Message,
    /// Among the kinds of links.
    Kinds,
    /// Among the stores that memories can be copied to.
    Targets,
    /// Among the ways to promote memories.
    Ways,
    /// Among the earlier versions of a memory.
    Versions,
    /// Among the changes that memkeep made.
    Changes,
    /// Among the themes.
    Themes,
    /// On the fields of a memory.
    Fields,
    /// Inside a field.
    Inside,
    /// On the entries of a list.
    Entries,
    /// In the text editor.
    Text,
    /// While a text is searched.
    Find,
    /// On fields and in texts.
    Editing,
    /// On a text that changed on disk.
    Conflict,
    /// When asked whether to discard changes.
    Question,
    /// When asked whether to write over what another program wrote.
    WriteOver,
    /// On fields that cannot be read.
    Broken,
}

impl Scope {
    /// All, in the order of the documentation.
    pub const ALL: [Self; 33] = [
        Self::Global,
        Self::Memory,
        Self::List,
        Self::Review,
        Self::Explain,
        Self::Fix,
        Self::Filter,
        Self::Task,
        Self::Palette,
        Self::Draft,
        Self::Links,
        Self::Pair,
        Self::Cases,
        Self::Reason,
        Self::Rule,
        Self::Message,
        Self::Kinds,
        Self::Targets,
        Self::Ways,
        Self::Versions,
        Self::Changes,
        Self::Themes,
        Self::Fields,
        Self::Inside,
        Self::Entries,
        Self::Text,
        Self::Find,
        Self::Editing,
        Self::Conflict,
        Self::Question,
        Self::WriteOver,
        Self::Broken,
        Self::Always,
    ];

    /// When its keys are heard.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Always => "Always",
            Self::Global => "Everywhere but in texts",
            Self::Memory => "On a memory",
            Self::List => "In the list",
            Self::Review => "On a change in the review",
            Self::Rule => "While typing a rule",
            Self::Message => "While typing a commit message",
            Self::Explain => "While an explanation is shown",
            Self::Fix => "While a fix is shown",
            Self::Filter => "While typing a filter",
            Self::Task => "While typing a task",
            Self::Palette => "In the palette",
            Self::Draft => "While unsaved text is offered",
            Self::Links => "Among related memories",
            Self::Pair => "On two memories",
            Self::Cases => "While typing when which holds",
            Self::Reason => "While typing why a finding stays",
            Self::Kinds => "Among kinds of links",
            Self::Targets => "Among stores to copy to",
            Self::Ways => "Among ways to promote",
            Self::Versions => "On earlier versions of a memory",
            Self::Changes => "Among the changes made",
            Self::Themes => "Among themes",
            Self::Fields => "In the field editor",
            Self::Inside => "Inside a field",
            Self::Entries => "On a list of patterns or names",
            Self::Text => "In the text editor",
            Self::Find => "While searching a text",
            Self::Editing => "On fields and in texts",
            Self::Conflict => "On a conflict",
            Self::Question => "When asked to discard changes",
            Self::WriteOver => "When asked to write over another's change",
            Self::Broken => "On fields that cannot be read",
        }
    }
}

/// Why a command does not apply now.
pub type Refusal = Cow<'static, str>;

/// Something a person can do.
#[derive(Debug)]
pub struct Command {
    /// Its name in a configuration.
    pub id: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// Where its keys are heard.
    pub scope: Scope,
    /// Its keys by default.
    pub keys: &'static [&'static str],
    /// Whether it applies now, or why not.
    pub when: fn(&Model) -> Result<(), Refusal>,
    /// Does it.
    pub run: Run,
}

/// How a command is done.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// By a change of the model.
    Do(fn(&mut Model) -> Vec<Effect>),
    /// By what is being edited, which knows it by this key.
    Key(&'static str),
}

/// All commands.
pub fn all() -> impl Iterator<Item = &'static Command> {
    let all = table::TABLE.iter().chain(editing::TABLE);
    all.copied().flatten()
}

/// The command with this id.
pub fn find(id: &str) -> Option<&'static Command> {
    all().find(|command| command.id == id)
}

/// The keys as a table in Markdown, for the README.
pub fn key_table() -> String {
    let mut out = String::new();
    for scope in Scope::ALL {
        let mut rows = all().filter(|command| command.scope == scope).peekable();
        if rows.peek().is_none() {
            continue;
        }
        out.push_str(&format!(
            "**{}**\n\n| keys | what | id |\n|---|---|---|\n",
            scope.title()
        ));
        for command in rows {
            let keys: Vec<String> = command
                .keys
                .iter()
                .filter_map(|keys| Key::parse_all(keys))
                .map(|keys| format!("`{}`", key::label(&keys).replace('|', "\\|")))
                .collect();
            out.push_str(&format!(
                "| {} | {}: {} | `{}` |\n",
                keys.join(" "),
                command.title,
                command.help.replace('|', "\\|"),
                command.id
            ));
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::super::keymap::Keymap;
    use super::*;

    #[test]
    fn no_key_stands_for_two_commands_of_a_scope() {
        assert_eq!(Keymap::default().clashes(), []);
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
            if let Run::Key(key) = command.run {
                assert!(command.keys.contains(&key), "{}", command.id);
            }
            assert!(!command.help.is_empty() && !command.help.ends_with('.'));
            assert!(command.title.len() <= 28, "{}", command.title);
            assert!(Scope::ALL.contains(&command.scope));
        }
    }
}
