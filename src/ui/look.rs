//! The looks of forms, editors and differences: what they show has more shades than a theme has
//! roles, and each is put together from roles here. A style with a meaning has a modifier too, so
//! that it is seen without colour.

use ratatui::style::{Modifier, Style};

use super::theme::{Role, Theme};

/// Styles by what they mean.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Plain text.
    pub text: Style,
    /// Explanations.
    pub quiet: Style,
    /// Names of fields.
    pub label: Style,
    /// The focus.
    pub focus: Style,
    /// The one that is chosen.
    pub chosen: Style,
    /// Something is wrong.
    pub problem: Style,
    /// Matches.
    pub hit: Style,
    /// A visible mark for an invisible character.
    pub mark: Style,
    /// The line of the prompt's cut.
    pub cut: Style,
    /// Lines that come.
    pub added: Style,
    /// Words that come.
    pub added_word: Style,
    /// Lines that go.
    pub removed: Style,
    /// Words that go.
    pub removed_word: Style,
}

impl Look {
    /// The styles of a theme.
    pub fn of(theme: &Theme) -> Self {
        let word = Modifier::UNDERLINED | Modifier::BOLD;
        // Lines of a difference have a sign before them; reversed as a whole they would only be
        // loud, so that of a theme's modifiers none is taken.
        let line = |role| {
            let style = theme.style(role);
            Style {
                add_modifier: Modifier::empty(),
                ..style
            }
        };
        Self {
            text: theme.style(Role::Text),
            quiet: theme.style(Role::Faint),
            label: theme.style(Role::Muted),
            focus: theme.style(Role::Accent).add_modifier(Modifier::BOLD),
            chosen: theme
                .style(Role::Accent)
                .add_modifier(Modifier::REVERSED | Modifier::BOLD),
            problem: theme.style(Role::Warning),
            hit: theme.style(Role::Match),
            mark: theme.style(Role::EscapeMark),
            cut: theme.style(Role::CutLine),
            added: line(Role::Added),
            added_word: line(Role::Added).add_modifier(word),
            removed: line(Role::Removed),
            removed_word: line(Role::Removed).add_modifier(word),
        }
    }
}
