//! Theme files.

use std::collections::BTreeMap;
use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use serde::de::IgnoredAny;
use toml::Spanned;

use super::{BUNDLED, Role, Theme};

/// An error in a theme file, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ThemeError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The problem.
    pub message: String,
    /// A remedy.
    pub hint: Option<String>,
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
        let wrong = |span: Range<usize>, message: String, hint: Option<String>| {
            let before = toml.get(..span.start).unwrap_or(toml);
            let line = before.rsplit('\n').next().unwrap_or_default();
            ThemeError {
                line: before.matches('\n').count() + 1,
                column: line.chars().count() + 1,
                message,
                hint,
            }
        };
        let unknown =
            |what: &str, name: &Spanned<String>, known: &mut dyn Iterator<Item = &str>| {
                let typed = name.get_ref();
                let nearest = known.min_by_key(|one| strsim::levenshtein(typed, one));
                let hint = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
                wrong(name.span(), format!("no {what} `{typed}`"), hint)
            };
        let color = |text: &Option<Spanned<String>>| {
            let color = text.as_ref().map(|text| {
                text.get_ref().parse::<Color>().map_err(|_| {
                    let hint = "write \"#rrggbb\", a name such as \"red\", or a number to 255";
                    let why = format!("`{}` is not a colour", text.get_ref());
                    wrong(text.span(), why, Some(hint.to_owned()))
                })
            });
            color.transpose()
        };
        let file: File = toml::from_str(toml)
            .map_err(|e| wrong(e.span().unwrap_or_default(), e.message().to_owned(), None))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::rows;

    #[test]
    fn mistakes_have_a_place_and_a_hint() {
        type Expected = (usize, usize, &'static str, Option<&'static str>);
        let table: [(&str, Expected); 6] = rows! {
            "[roles]\ntext = { fg = \"#fff\" }" =>
                (2, 15, "`#fff` is not a colour", Some("write \"#rrggbb\"")),
            "[roles]\n\nboarder = { bold = true }" =>
                (3, 1, "no role `boarder`", Some("did you mean `border`?")),
            "inherits = \"drak\"\n" => (1, 12, "no theme `drak`", Some("did you mean `dark`?")),
            "ground = \"sand\"\n" => (1, 10, "`sand` is not a colour", None),
            "[roles\n" => (1, 7, "", None),
            "[roles]\ntext = { blink = true }" => (2, 10, "unknown field `blink`", None),
        };
        for (toml, (line, column, message, hint)) in table {
            let error = Theme::parse("mine", toml).unwrap_err();
            assert_eq!((error.line, error.column), (line, column), "{error:?}");
            assert!(error.message.starts_with(message), "{error:?}");
            if let Some(hint) = hint {
                assert!(error.hint.as_ref().unwrap().starts_with(hint), "{error:?}");
            }
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
