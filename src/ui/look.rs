//! The styles that forms, editors and diffs are drawn with, taken from a theme's roles in one
//! place. Every one that means something has a modifier too, so that it is seen without colour.

use ratatui::style::{Color, Modifier, Style};

use super::theme::Theme;

/// Styles by what they mean.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Plain text.
    pub text: Style,
    /// What explains.
    pub quiet: Style,
    /// Names of things.
    pub label: Style,
    /// What has the focus.
    pub focus: Style,
    /// The one that is chosen.
    pub chosen: Style,
    /// Something is wrong.
    pub problem: Style,
    /// What matches.
    pub hit: Style,
    /// A visible mark for an invisible character.
    pub mark: Style,
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
        let fg = |color: Color| {
            if theme.mono {
                Style::new()
            } else {
                Style::new().fg(color)
            }
        };
        let word = Modifier::UNDERLINED | Modifier::BOLD;
        Self {
            text: Style::new(),
            quiet: fg(Color::DarkGray),
            label: fg(Color::Gray),
            focus: fg(Color::Cyan).add_modifier(Modifier::BOLD),
            chosen: Style::new().add_modifier(Modifier::REVERSED),
            problem: fg(Color::Yellow),
            hit: fg(Color::Cyan).add_modifier(Modifier::UNDERLINED),
            mark: fg(Color::Magenta).add_modifier(Modifier::REVERSED),
            added: fg(Color::Green),
            added_word: fg(Color::Green).add_modifier(word),
            removed: fg(Color::Red),
            removed_word: fg(Color::Red).add_modifier(word),
        }
    }
}
