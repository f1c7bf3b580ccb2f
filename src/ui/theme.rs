//! Themes: what each role looks like, at whatever depth of colour the terminal has.
//!
//! The view asks for a role by meaning and never for a colour. A theme is a TOML file that gives
//! roles their colours; a role it leaves out looks like the role it falls back to. Without
//! colours every state shows by bold, underline or reverse.
//!
//! Pure: theme files come in as text.

use std::collections::BTreeMap;
use std::ops::Range;

use anstyle_lossy::rgb_to_xterm;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Span;
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::safe;
use crate::app::msg::Rgb;
use crate::lint::nearest;
use crate::memory::Severity;

/// A role a row: its name in a theme file, the role it falls back to, and what it is.
macro_rules! roles {
    ($($role:ident $name:literal $fallback:ident $doc:literal,)+) => {
        /// The meaning of a part of the screen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Role { $(#[doc = $doc] $role,)+ }

        impl Role {
            /// Every role, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$role,)+];

            /// Its name in a theme file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$role => $name,)+ }
            }

            /// The role it takes from what a theme says nothing of; itself at the end of the chain.
            pub const fn fallback(self) -> Self {
                match self { $(Self::$role => Self::$fallback,)+ }
            }
        }
    };
}

roles! {
    Text "text" Text "Running text.",
    Muted "muted" Text "Text beside the point.",
    Faint "faint" Muted "Text that is there for completeness.",
    Accent "accent" Text "The one colour that draws the eye.",
    Border "border" Faint "A border.",
    BorderFocus "border_focus" Accent "The border of the pane that has the keys.",
    Title "title" Text "The title of a pane or memory.",
    Focus "focus" Accent "The field under the cursor.",
    Chosen "chosen" Focus "The chosen one of several words.",
    Selection "selection" Text "The row or item under the cursor.",
    Match "match" Accent "The characters that match the filter.",
    Ok "ok" Text "Good news.",
    Info "info" Muted "A suggestion.",
    Warning "warning" Text "A warning.",
    Error "error" Warning "An error.",
    ImportanceLow "importance_low" Faint "Importance low.",
    ImportanceMedium "importance_medium" Muted "Importance medium.",
    ImportanceHigh "importance_high" Warning "Importance high.",
    ImportanceCritical "importance_critical" Accent "Importance critical.",
    Tag "tag" Muted "A tag.",
    Code "code" Text "Code within a line.",
    CodeBlock "code_block" Text "A block of code.",
    Heading1 "heading1" Accent "A heading of the first level.",
    Heading2 "heading2" Heading1 "A heading of the second level.",
    Heading3 "heading3" Muted "Any other heading.",
    Link "link" Accent "A link.",
    Quote "quote" Muted "Quoted text.",
    Added "added" Ok "Text that a change adds.",
    AddedWord "added_word" Added "Words that differ in such a line.",
    Removed "removed" Error "Text that a change removes.",
    RemovedWord "removed_word" Removed "Words that differ in such a line.",
    Changed "changed" Warning "Text that a change alters, and a mark on a row that changed on disk.",
    Status "status" Muted "The line at the bottom.",
    StatusKey "status_key" Accent "A key in the line at the bottom.",
    Header "header" Muted "The line at the top.",
    HeaderActive "header_active" Accent "The view in the line at the top that is open.",
    CutLine "cut_line" Faint "The line between what is in and what is out.",
    ScoreBar "score_bar" Accent "A bar that shows a score.",
    Input "input" Text "Text being typed.",
    EscapeMark "escape_mark" Error "The mark in the place of a character that may not be shown.",
}

impl Role {
    /// One of two roles.
    pub const fn either(is_first: bool, first: Self, second: Self) -> Self {
        if is_first { first } else { second }
    }

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

    /// The role of an importance, as one of four steps from 1.
    pub const fn importance(step: usize) -> Self {
        match step {
            1 => Self::ImportanceLow,
            2 => Self::ImportanceMedium,
            3 => Self::ImportanceHigh,
            4 => Self::ImportanceCritical,
            _ => Self::Warning,
        }
    }
}

/// The styles of all roles.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Its name.
    pub name: String,
    /// A few words on it for people who choose.
    pub about: String,
    /// True if it is made for a light background.
    pub light: bool,
    /// Its background, where it brings one.
    ground: Option<Color>,
    /// The number of colours that it is shown with.
    pub depth: Depth,
    /// The theme file's own words on each role.
    own: Vec<Style>,
    /// As the terminal can show them, by role.
    shown: Vec<Style>,
}

macro_rules! bundled {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../../themes/", $name, ".toml"))),)+]
    };
}

/// The themes that come with memkeep: name and text.
pub const BUNDLED: &[(&str, &str)] = bundled!(
    "dark" "light" "high-contrast" "colorblind-dark" "colorblind-light" "ansi" "mono"
    "catppuccin-mocha" "gruvbox-dark"
);

impl Theme {
    /// The bundled theme with this name.
    pub fn bundled(name: &str) -> Option<Self> {
        let &(name, toml) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        Self::parse(name, toml).ok()
    }

    /// The theme for a light or a dark background.
    pub fn automatic(light: bool) -> Self {
        let name = if light { "light" } else { "dark" };
        Self::bundled(name).unwrap_or_else(Self::plain)
    }

    /// The theme for dark backgrounds.
    pub fn dark() -> Self {
        Self::automatic(false)
    }

    /// A theme without colours.
    pub fn plain() -> Self {
        Self::new("plain", vec![Style::new(); Role::ALL.len()]).at(Depth::None)
    }

    fn new(name: &str, own: Vec<Style>) -> Self {
        let theme = Self {
            name: name.to_owned(),
            about: String::new(),
            light: false,
            ground: None,
            depth: Depth::TrueColor,
            shown: Vec::new(),
            own,
        };
        theme.at(Depth::TrueColor)
    }

    /// A role's own words over those of its parent.
    fn resolve(&self, role: Role) -> Style {
        let own = self.own.get(role as usize).copied().unwrap_or_default();
        let mut style = match role.fallback() {
            parent if parent == role => own,
            parent => self.resolve(parent).patch(own),
        };
        style.sub_modifier = Modifier::empty();
        style
    }

    /// The same theme for a terminal of another depth. Without colours it looks like `mono`; exact
    /// colours become those of `ansi` where there are sixteen, for these mean the same.
    #[must_use]
    pub fn at(mut self, depth: Depth) -> Self {
        let exact = |style: &Style| matches!(style.fg, Some(Color::Rgb(..)));
        let stand_in = match depth {
            Depth::None => Self::bundled("mono"),
            Depth::Ansi16 if self.own.iter().any(exact) => Self::bundled("ansi"),
            _ => None,
        };
        let shown = stand_in.as_ref().unwrap_or(&self);
        let all = Role::ALL.iter();
        self.shown = all.map(|role| depth.style(shown.resolve(*role))).collect();
        self.depth = depth;
        self
    }

    /// The same theme on a terminal that is light, dark, or does not say. One with exact colours for the
    /// other kind brings a ground and an ink along: on the terminal's own it could not be read.
    #[must_use]
    pub fn on(mut self, light: Option<bool>) -> Self {
        let is_exact = |style: &Style| matches!(style.fg, Some(Color::Rgb(..)));
        let is_other = light.is_some_and(|light| light != self.light);
        if is_other && self.ground.is_none() && self.own.iter().any(is_exact) {
            let (ink, ground) = match self.light {
                true => (Color::Rgb(0, 0, 0), Color::Rgb(250, 250, 250)),
                false => (Color::Rgb(230, 230, 230), Color::Rgb(24, 24, 24)),
            };
            self.ground = Some(ground);
            if let Some(text) = self.own.get_mut(Role::Text as usize) {
                text.fg = text.fg.or(Some(ink));
            }
        }
        let depth = self.depth;
        self.at(depth)
    }

    /// The style of cells that nothing is drawn on.
    pub fn ground(&self) -> Style {
        let ground = self.ground.map(|ground| Style::new().bg(ground));
        let bg = ground.and_then(|ground| self.depth.style(ground).bg);
        let mut style = self.style(Role::Text);
        style.bg = bg;
        style
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

    /// The colours of code.
    pub fn code(&self, rgb: Rgb) -> Style {
        let base = self.style(Role::CodeBlock);
        match self.depth.color(rgb) {
            Some(color) => base.fg(color),
            None => base,
        }
    }
}

/// An error in a theme file, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ThemeError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The problem, and a remedy.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Files that begin as a copy of another one name that; a theme has the name of its file.
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(default)]
    about: String,
    inherits: Option<Spanned<String>>,
    light: Option<bool>,
    ground: Option<Spanned<String>>,
    #[serde(default)]
    roles: BTreeMap<Spanned<String>, Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    fg: Option<Spanned<String>>,
    bg: Option<Spanned<String>>,
    bold: Option<bool>,
    dim: Option<bool>,
    italic: Option<bool>,
    underline: Option<bool>,
    reverse: Option<bool>,
}

impl Theme {
    /// Reads a theme file. Its errors have a line and a column.
    pub fn parse(name: &str, toml: &str) -> Result<Self, ThemeError> {
        let wrong = |span: Range<usize>, message: String| {
            let before = toml.get(..span.start).unwrap_or(toml);
            let line = before.rsplit('\n').next().unwrap_or_default();
            ThemeError {
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                message,
            }
        };
        let unknown =
            |what: &str, name: &Spanned<String>, known: &mut dyn Iterator<Item = &str>| {
                let typed = name.get_ref();
                let nearest = nearest(typed, known);
                let hint = nearest.map(|nearest| format!("; did you mean `{nearest}`?"));
                let hint = hint.unwrap_or_default();
                wrong(name.span(), format!("no {what} `{typed}`{hint}"))
            };
        let color = |text: &Option<Spanned<String>>| {
            let color = text.as_ref().map(|text| {
                text.get_ref().parse::<Color>().map_err(|_| {
                    let hint = "write \"#rrggbb\", a name such as \"red\", or a number to 255";
                    let why = format!("`{}` is not a colour; {hint}", text.get_ref());
                    wrong(text.span(), why)
                })
            });
            color.transpose()
        };
        let file: File = toml::from_str(toml)
            .map_err(|e| wrong(e.span().unwrap_or_default(), e.message().to_owned()))?;
        let base = match &file.inherits {
            Some(base) => Theme::bundled(base.get_ref()).ok_or_else(|| {
                unknown("theme", base, &mut BUNDLED.iter().map(|(name, _)| *name))
            })?,
            None => Theme::new(name, vec![Style::new(); Role::ALL.len()]),
        };
        let mut own = base.own;
        for (key, entry) in &file.roles {
            let role = Role::named(key.get_ref()).ok_or_else(|| {
                unknown("role", key, &mut Role::ALL.iter().map(|role| role.name()))
            })?;
            let (fg, bg) = (color(&entry.fg)?, color(&entry.bg)?);
            let flags = entry.flags();
            if let Some(style) = own.get_mut(role as usize) {
                *style = style.patch(Style { fg, bg, ..flags });
            }
        }
        Ok(Theme {
            about: file.about,
            light: file.light.unwrap_or(base.light),
            ground: color(&file.ground)?.or(base.ground),
            ..Theme::new(name, own)
        })
    }
}

impl Entry {
    /// The modifiers that it adds and takes away.
    fn flags(&self) -> Style {
        let all = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ];
        let set = |wanted| {
            let some = all.iter().filter(move |(flag, _)| *flag == Some(wanted));
            some.map(|(_, modifier)| *modifier).collect()
        };
        let style = Style::new().add_modifier(set(true));
        style.remove_modifier(set(false))
    }
}

/// Number of colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None, or none wanted.
    None,
    /// The sixteen that the person chose.
    Ansi16,
    /// The palette of 256.
    Ansi256,
    /// Any.
    TrueColor,
}

impl Depth {
    /// The depth by the values of `NO_COLOR`, `COLORTERM` and `TERM`.
    pub fn of(no_color: Option<&str>, colorterm: Option<&str>, term: Option<&str>) -> Self {
        if no_color.is_some_and(|value| !value.is_empty()) {
            return Self::None;
        }
        let term = term.unwrap_or_default();
        let exact = ["kitty", "alacritty", "foot", "wezterm", "ghostty", "direct"];
        match colorterm {
            _ if matches!(term, "" | "dumb") || term.starts_with("vt") => Self::None,
            Some("truecolor" | "24bit") => Self::TrueColor,
            _ if exact.iter().any(|name| term.contains(name)) => Self::TrueColor,
            _ if term.contains("256") => Self::Ansi256,
            _ => Self::Ansi16,
        }
    }

    /// A colour at this depth: exact ones have no place among sixteen.
    pub fn color(self, (r, g, b): Rgb) -> Option<Color> {
        match self {
            Self::None | Self::Ansi16 => None,
            Self::Ansi256 => Some(Color::Indexed(rgb_to_xterm((r, g, b).into()).0)),
            Self::TrueColor => Some(Color::Rgb(r, g, b)),
        }
    }

    /// A style at this depth.
    pub fn style(self, style: Style) -> Style {
        let at = |color: Option<Color>| match color? {
            Color::Rgb(r, g, b) => self.color((r, g, b)),
            other => Some(other),
        };
        let (fg, bg) = (at(style.fg), at(style.bg));
        Style { fg, bg, ..style }
    }
}

/// The contrast of two colours, 1 to 21, as WCAG 2 defines it.
#[cfg(test)]
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    let light = |(r, g, b): Rgb| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (a, b) = (light(a), light(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    fn themes() -> impl Iterator<Item = Theme> {
        BUNDLED
            .iter()
            .map(|(name, toml)| Theme::parse(name, toml).unwrap())
    }

    fn rgb(color: Option<Color>) -> Option<Rgb> {
        match color? {
            Color::Rgb(r, g, b) => Some((r, g, b)),
            other => panic!("a theme with a ground names exact colours, not {other:?}"),
        }
    }

    #[test]
    fn every_text_of_the_bundled_themes_can_be_read_on_every_ground() {
        for theme in themes().filter(|theme| !["ansi", "mono"].contains(&&*theme.name)) {
            let (grounds, ink) = match (rgb(theme.ground), theme.light) {
                (Some(ground), _) => (vec![ground], (255, 255, 255)),
                (None, true) => (vec![(250, 250, 250), (255, 255, 255)], (0, 0, 0)),
                (None, false) => (vec![(0, 0, 0), (30, 30, 30)], (255, 255, 255)),
            };
            let lifted = [Role::Selection, Role::Input].map(|role| rgb(theme.style(role).bg));
            for &role in Role::ALL {
                let style = theme.style(role);
                let text = rgb(style.fg).unwrap_or(ink);
                let own = rgb(style.bg).map(|bg| vec![bg]);
                let mut behind = own.unwrap_or_else(|| grounds.clone());
                if style.bg.is_none() && role != Role::Border {
                    behind.extend(lifted.iter().flatten());
                }
                let least = match role {
                    Role::Faint | Role::Border | Role::CutLine | Role::ScoreBar => 3.0,
                    _ => 4.5,
                };
                for ground in behind {
                    let ratio = contrast(text, ground);
                    let (theme, role) = (&theme.name, role.name());
                    assert!(ratio >= least, "{theme} {role} on {ground:?}: {ratio:.2}");
                }
            }
        }
    }

    #[test]
    fn a_theme_for_the_other_kind_of_terminal_brings_its_ground() {
        let theme = |name| Theme::bundled(name).unwrap();
        let is_painted = |theme: Theme| theme.ground().bg.is_some();
        for (name, light) in [("light", true), ("dark", false), ("colorblind-light", true)] {
            assert!(is_painted(theme(name).on(Some(!light))), "{name}");
            assert!(!is_painted(theme(name).on(Some(light))), "{name}");
            assert!(!is_painted(theme(name).on(None)), "{name}");
        }
        // The terminal's own colours go with its own ground.
        assert!(
            !["ansi", "mono"]
                .iter()
                .any(|name| is_painted(theme(name).on(Some(true))))
        );
    }

    #[test]
    fn the_bundled_themes_have_the_names_of_their_files_and_say_what_they_are() {
        for ((name, _), theme) in BUNDLED.iter().zip(themes()) {
            assert_eq!(theme.name, *name);
            assert!(!theme.about.is_empty(), "{name}");
            assert_eq!(theme.light, name.ends_with("light"), "{name}");
        }
    }

    #[test]
    fn good_and_bad_stay_apart_for_those_who_do_not_tell_red_from_green() {
        // Red and green cones that answer alike: what is left is blue against yellow, and light.
        let seen = |style: Style| {
            let (r, g, b) = rgb(style.fg).unwrap();
            let [r, g, b] = [r, g, b].map(f64::from);
            [0.56 * r + 0.44 * g, 0.3 * r + 0.6 * g + 0.1 * b, b]
        };
        for theme in themes().filter(|theme| theme.name.starts_with("colorblind")) {
            for (good, bad) in [(Role::Ok, Role::Error), (Role::Added, Role::Removed)] {
                let (good, bad) = (seen(theme.style(good)), seen(theme.style(bad)));
                let apart: f64 = good.iter().zip(bad).map(|(a, b)| (a - b).powi(2)).sum();
                assert!(apart.sqrt() > 100.0, "{}: {apart}", theme.name);
            }
        }
    }

    #[test]
    fn sixteen_colours_mean_what_exact_ones_mean() {
        for theme in themes().filter(|theme| theme.name != "mono") {
            let theme = theme.at(Depth::Ansi16);
            let color = |role| theme.style(role).fg;
            assert_eq!(color(Role::Error), Some(Color::Red), "{}", theme.name);
            assert_eq!(color(Role::Warning), Some(Color::Yellow));
            assert_eq!(color(Role::Ok), Some(Color::Green));
            assert_eq!(color(Role::Accent), Some(Color::Cyan));
            for &role in Role::ALL {
                let grey = [Color::Gray, Color::DarkGray, Color::Black].map(Some);
                let is_grey = grey.contains(&color(role));
                assert_eq!(is_grey, role == Role::Border, "{role:?}");
            }
            assert_eq!(theme.ground().bg, None);
        }
        let mine = "[roles]\nok = { fg = \"blue\" }";
        let mine = Theme::parse("mine", mine).unwrap().at(Depth::Ansi16);
        assert_eq!(mine.style(Role::Ok).fg, Some(Color::Blue));
    }

    #[test]
    fn states_are_told_apart_without_colours() {
        for theme in themes() {
            let theme = theme.at(Depth::None);
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
    }

    #[test]
    fn the_selection_shows_at_every_depth() {
        for theme in themes() {
            for depth in [Depth::None, Depth::Ansi16, Depth::Ansi256, Depth::TrueColor] {
                let style = theme.clone().at(depth).style(Role::Selection);
                assert!(
                    style.bg.is_some() || style.add_modifier.contains(Modifier::REVERSED),
                    "{} {depth:?}",
                    theme.name
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

    #[test]
    fn the_depth_follows_the_environment() {
        for (no_color, colorterm, term, depth) in [
            (None, Some("truecolor"), "xterm-256color", Depth::TrueColor),
            (None, None, "xterm-256color", Depth::Ansi256),
            (None, None, "xterm-kitty", Depth::TrueColor),
            (None, None, "linux", Depth::Ansi16),
            (None, None, "dumb", Depth::None),
            (Some("1"), Some("truecolor"), "xterm", Depth::None),
            (Some(""), None, "xterm", Depth::Ansi16),
        ] {
            assert_eq!(Depth::of(no_color, colorterm, Some(term)), depth, "{term}");
        }
    }

    #[test]
    fn exact_colours_become_the_nearest_of_the_palette() {
        let colors = [(255, 0, 0), (118, 118, 118), (95, 135, 175)];
        let nearest = colors.map(|rgb| Depth::Ansi256.color(rgb));
        assert_eq!(nearest, [196, 243, 67].map(|n| Some(Color::Indexed(n))));
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 0.01);
    }

    #[test]
    fn mistakes_have_a_place_and_a_hint() {
        let table: [(&str, (usize, usize, &str)); 6] = rows! {
            "[roles]\ntext = { fg = \"#fff\" }" =>
                (2, 15, "`#fff` is not a colour; write \"#rrggbb\""),
            "[roles]\n\nboarder = { bold = true }" =>
                (3, 1, "no role `boarder`; did you mean `border`?"),
            "inherits = \"drak\"\n" => (1, 12, "no theme `drak`; did you mean `dark`?"),
            "ground = \"sand\"\n" => (1, 10, "`sand` is not a colour"),
            "[roles\n" => (1, 7, ""),
            "[roles]\ntext = { blink = true }" => (2, 10, "unknown field `blink`"),
        };
        for (toml, (line, column, message)) in table {
            let error = Theme::parse("mine", toml).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{error:?}");
            assert!(error.message.starts_with(message), "{error:?}");
        }
    }

    #[test]
    fn a_role_takes_what_it_leaves_out_from_its_parent() {
        let toml = "[roles]\nmuted = { fg = \"7\", italic = true }\n\
                    error = { fg = \"red\", bold = true }\nremoved = { bold = false }";
        let theme = Theme::parse("mine", toml).unwrap();
        let muted = Style::new().fg(Color::Indexed(7)).italic();
        assert_eq!(theme.style(Role::Border), muted);
        assert_eq!(theme.style(Role::Removed), Style::new().fg(Color::Red));
        assert_eq!(theme.style(Role::Accent), Style::new());
    }

    #[test]
    fn a_theme_of_a_few_lines_changes_what_it_names_and_what_follows_from_that() {
        let toml = "inherits = \"light\"\n[roles]\naccent = { fg = \"#ff00ff\" }";
        let (theme, light) = (Theme::parse("mine", toml).unwrap(), Theme::automatic(true));
        let pink = Some(Color::Rgb(255, 0, 255));
        for role in [Role::Accent, Role::Link, Role::StatusKey, Role::BorderFocus] {
            assert_eq!(theme.style(role).fg, pink, "{role:?}");
            let modifiers = light.style(role).add_modifier;
            assert_eq!(theme.style(role).add_modifier, modifiers, "{role:?}");
        }
        assert_eq!(theme.style(Role::Warning), light.style(Role::Warning));
        assert!(theme.light && theme.name == "mine");
    }
}
