//! Themes: what each role looks like, at whatever depth of colour the terminal has.
//!
//! The view asks for a role by meaning and never for a colour. A theme is a TOML file that gives
//! roles their colours; a role it leaves out looks like the role it falls back to. Without
//! colours every state shows by bold, underline or reverse.
//!
//! Pure: theme files come in as text.

pub mod color;
mod parse;

use crate::memory::Severity;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

pub use color::Depth;
#[cfg(test)]
pub use color::contrast;
pub use parse::ThemeError;

use super::safe;
use crate::app::msg::Rgb;

macro_rules! roles {
    ($($(#[doc = $doc:literal])+ $role:ident $name:literal $fallback:ident,)+) => {
        /// The meaning of a part of the screen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Role { $($(#[doc = $doc])+ $role,)+ }

        impl Role {
            /// Every role, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$role,)+];

            /// Its name in a theme file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)+ }
            }

            /// The role it looks like where a theme says nothing of it; itself at the end of
            /// the chain.
            pub const fn fallback(self) -> Self {
                match self { $(Self::$role => Self::$fallback,)+ }
            }
        }
    };
}

roles! {
    /// Running text.
    Text "text" Text,
    /// Text beside the point.
    Muted "muted" Text,
    /// Text that is there for completeness.
    Faint "faint" Muted,
    /// The one colour that draws the eye.
    Accent "accent" Text,
    /// A border.
    Border "border" Faint,
    /// The border of the pane that has the keys.
    BorderFocus "border_focus" Accent,
    /// The title of a pane or memory.
    Title "title" Text,
    /// The row or item under the cursor.
    Selection "selection" Text,
    /// The characters that match the filter.
    Match "match" Accent,
    /// Good news.
    Ok "ok" Text,
    /// A suggestion.
    Info "info" Muted,
    /// A warning.
    Warning "warning" Text,
    /// An error.
    Error "error" Warning,
    /// Importance low.
    ImportanceLow "importance_low" Faint,
    /// Importance medium.
    ImportanceMedium "importance_medium" Muted,
    /// Importance high.
    ImportanceHigh "importance_high" Text,
    /// Importance critical.
    ImportanceCritical "importance_critical" Accent,
    /// A tag.
    Tag "tag" Muted,
    /// Code within a line.
    Code "code" Text,
    /// A block of code.
    CodeBlock "code_block" Code,
    /// A heading of the first level.
    Heading1 "heading1" Title,
    /// A heading of the second level.
    Heading2 "heading2" Heading1,
    /// Any other heading.
    Heading3 "heading3" Heading2,
    /// A link.
    Link "link" Accent,
    /// Quoted text.
    Quote "quote" Muted,
    /// Text that a change adds.
    Added "added" Ok,
    /// Text that a change removes.
    Removed "removed" Error,
    /// Text that a change alters, and a mark on a row that changed on disk.
    Changed "changed" Warning,
    /// The line at the bottom.
    Status "status" Muted,
    /// A key in the line at the bottom.
    StatusKey "status_key" Accent,
    /// The line at the top.
    Header "header" Text,
    /// The view in the line at the top that is open.
    HeaderActive "header_active" Accent,
    /// The line between what is in and what is out.
    CutLine "cut_line" Faint,
    /// A bar that shows a score.
    ScoreBar "score_bar" Accent,
    /// Text being typed.
    Input "input" Text,
    /// The mark in the place of a character that may not be shown.
    EscapeMark "escape_mark" Error,
}

impl Role {
    /// The role with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.name() == name)
    }

    /// The role of a severity.
    pub const fn severity(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info => Self::Info,
        }
    }

    /// The role of an importance, by its word.
    pub fn importance(word: &str) -> Self {
        match word {
            "critical" => Self::ImportanceCritical,
            "high" => Self::ImportanceHigh,
            "low" => Self::ImportanceLow,
            _ => Self::ImportanceMedium,
        }
    }

    /// How it shows without colours.
    pub const fn mono(self) -> Modifier {
        match self {
            Self::Selection => Modifier::REVERSED,
            Self::Match | Self::Link => Modifier::UNDERLINED,
            Self::Error | Self::Removed => Modifier::BOLD.union(Modifier::REVERSED),
            Self::Warning | Self::Changed => Modifier::BOLD.union(Modifier::UNDERLINED),
            Self::HeaderActive => Modifier::REVERSED.union(Modifier::UNDERLINED),
            Self::EscapeMark => Modifier::REVERSED.union(Modifier::DIM),
            Self::Heading1 | Self::Heading2 | Self::Heading3 => Modifier::BOLD,
            Self::Title | Self::BorderFocus | Self::StatusKey => Modifier::BOLD,
            Self::Added | Self::ImportanceCritical => Modifier::BOLD,
            Self::Faint | Self::Border | Self::CutLine | Self::ImportanceLow => Modifier::DIM,
            _ => Modifier::empty(),
        }
    }
}

/// The styles of all roles.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Its name.
    pub name: String,
    /// True if it is made for a light background.
    pub light: bool,
    depth: Depth,
    /// As the theme file has them, by role.
    full: Vec<Style>,
    /// As the terminal can show them, by role.
    shown: Vec<Style>,
}

/// The themes that come with memkeep: name and text.
pub const BUNDLED: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
];

impl Theme {
    /// Reads a theme file. Its errors have a line and a column.
    pub fn parse(name: &str, toml: &str) -> Result<Self, ThemeError> {
        parse::parse(name, toml)
    }

    /// The bundled theme with this name.
    pub fn bundled(name: &str) -> Option<Self> {
        let &(name, toml) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        Self::parse(name, toml).ok()
    }

    /// The theme for a light or a dark background.
    pub fn automatic(light: bool) -> Self {
        if light { Self::light() } else { Self::dark() }
    }

    /// The theme for dark backgrounds.
    pub fn dark() -> Self {
        Self::bundled("dark").unwrap_or_else(Self::plain)
    }

    /// The theme for light backgrounds.
    pub fn light() -> Self {
        Self::bundled("light").unwrap_or_else(Self::plain)
    }

    /// A theme without colours.
    pub fn plain() -> Self {
        let none = vec![Style::new(); Role::ALL.len()];
        Self::new("plain", false, none).at(Depth::None)
    }

    fn new(name: &str, light: bool, full: Vec<Style>) -> Self {
        Self {
            name: name.to_owned(),
            light,
            depth: Depth::TrueColor,
            shown: full.clone(),
            full,
        }
    }

    /// The same theme for a terminal of another depth.
    #[must_use]
    pub fn at(mut self, depth: Depth) -> Self {
        self.depth = depth;
        self.shown = Role::ALL
            .iter()
            .zip(&self.full)
            .map(|(role, style)| depth.style(*style, role.mono(), self.light))
            .collect();
        self
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.shown.get(role as usize).copied().unwrap_or_default()
    }

    /// A text in a role's style, safe.
    pub fn text(&self, role: Role, text: &str) -> Span<'static> {
        Span::styled(safe::safe(text).into_owned(), self.style(role))
    }

    /// The first cell of a row of a list: a mark where a person stands on it.
    pub fn mark(&self, here: bool) -> Span<'static> {
        self.text(Role::Accent, if here { "▌" } else { " " })
    }

    /// The mark of a negative memory: a letter where there are no colours.
    pub fn caution(&self) -> &'static str {
        let letter = (self.depth == Depth::None).then_some("C");
        letter.unwrap_or("⊘")
    }

    /// The colours of code.
    pub fn code(&self, rgb: Rgb) -> Style {
        let base = self.style(Role::CodeBlock);
        match self.depth.color(rgb, self.light) {
            Some(color) => base.fg(color),
            None => base,
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    fn rgb(color: Option<Color>) -> Option<Rgb> {
        match color? {
            Color::Rgb(r, g, b) => Some((r, g, b)),
            other => panic!("the bundled themes name exact colours, not {other:?}"),
        }
    }

    #[test]
    fn every_text_of_the_bundled_themes_can_be_read() {
        for (name, toml) in BUNDLED {
            let theme = Theme::parse(name, toml).unwrap();
            let ground = if theme.light {
                (255, 255, 255)
            } else {
                (0, 0, 0)
            };
            for &role in Role::ALL {
                let style = theme.style(role);
                let text = rgb(style.fg)
                    .or_else(|| rgb(theme.style(Role::Text).fg))
                    .unwrap_or(if theme.light {
                        (0, 0, 0)
                    } else {
                        (255, 255, 255)
                    });
                let ratio = contrast(text, rgb(style.bg).unwrap_or(ground));
                let least = match role {
                    Role::Faint | Role::Border | Role::CutLine | Role::ScoreBar => 3.0,
                    _ => 4.5,
                };
                assert!(ratio >= least, "{name} {}: {ratio:.2}", role.name());
            }
            assert_eq!(
                theme.style(Role::Text).bg,
                None,
                "the ground is the terminal's own"
            );
        }
    }

    #[test]
    fn the_bundled_themes_say_what_every_role_looks_like() {
        for (name, toml) in BUNDLED {
            for role in Role::ALL {
                assert!(toml.contains(role.name()), "{name} {}", role.name());
            }
            assert_eq!(Theme::bundled(name).unwrap().light, *name == "light");
        }
    }

    #[test]
    fn states_are_told_apart_without_colours() {
        let theme = Theme::dark().at(Depth::None);
        let states = [
            Role::Text,
            Role::Selection,
            Role::Match,
            Role::Error,
            Role::Warning,
            Role::HeaderActive,
        ];
        for (n, a) in states.iter().enumerate() {
            for b in &states[n + 1..] {
                assert_ne!(theme.style(*a), theme.style(*b), "{a:?} {b:?}");
            }
        }
        for &role in Role::ALL {
            let style = theme.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }

    #[test]
    fn the_selection_shows_at_every_depth() {
        for (name, _) in BUNDLED {
            for depth in [Depth::None, Depth::Ansi16, Depth::Ansi256, Depth::TrueColor] {
                let theme = Theme::bundled(name).unwrap().at(depth);
                assert_ne!(theme.style(Role::Selection), theme.style(Role::Text));
                let style = theme.style(Role::Selection);
                assert!(
                    style.bg.is_some() || style.add_modifier.contains(Modifier::REVERSED),
                    "{name} {depth:?}"
                );
            }
        }
    }

    #[test]
    fn every_chain_of_fallbacks_ends() {
        for &role in Role::ALL {
            let mut at = role;
            for _ in 0..Role::ALL.len() {
                at = at.fallback();
            }
            assert_eq!(at, Role::Text);
            assert_eq!(Role::named(role.name()), Some(role));
        }
    }
}
