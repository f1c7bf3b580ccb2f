//! Theme files.

use std::collections::BTreeMap;
use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use toml::Spanned;

use super::{Role, Theme};

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
    name: Option<String>,
    light: Option<bool>,
    #[serde(default)]
    roles: BTreeMap<Spanned<String>, Look>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Look {
    fg: Option<Spanned<String>>,
    bg: Option<Spanned<String>>,
    #[serde(default)]
    bold: bool,
    #[serde(default)]
    dim: bool,
    #[serde(default)]
    italic: bool,
    #[serde(default)]
    underline: bool,
    #[serde(default)]
    reverse: bool,
}

pub(super) fn parse(name: &str, toml: &str) -> Result<Theme, ThemeError> {
    let at = |span: Range<usize>, message: String, hint: Option<String>| {
        let before = toml.get(..span.start).unwrap_or(toml);
        let line = before.rsplit('\n').next().unwrap_or_default();
        ThemeError {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            message,
            hint,
        }
    };
    let file: File = toml::from_str(toml)
        .map_err(|e| at(e.span().unwrap_or_default(), e.message().to_owned(), None))?;
    let mut own = vec![None; Role::ALL.len()];
    for (key, look) in &file.roles {
        let name = key.get_ref();
        let role = Role::named(name).ok_or_else(|| {
            let hint = format!("did you mean `{}`?", nearest(name));
            at(key.span(), format!("no role `{name}`"), Some(hint))
        })?;
        let style = look.style().map_err(|(span, text)| {
            let hint = "write \"#rrggbb\", a name such as \"red\", or a number to 255";
            let why = format!("`{text}` is not a colour");
            at(span, why, Some(hint.to_owned()))
        })?;
        if let Some(place) = own.get_mut(role as usize) {
            *place = Some(style);
        }
    }
    let style = |role: &Role| {
        let mut role = *role;
        loop {
            match own.get(role as usize).copied().flatten() {
                Some(style) => return style,
                None if role.fallback() == role => return Style::new(),
                None => role = role.fallback(),
            }
        }
    };
    let full = Role::ALL.iter().map(style).collect();
    let light = file.light.unwrap_or(name == "light");
    Ok(Theme::new(
        file.name.as_deref().unwrap_or(name),
        light,
        full,
    ))
}

impl Look {
    fn style(&self) -> Result<Style, (Range<usize>, String)> {
        let color = |place: &Option<Spanned<String>>| {
            let color = place.as_ref().map(|text| {
                let wrong = |_| (text.span(), text.get_ref().clone());
                text.get_ref().parse::<Color>().map_err(wrong)
            });
            color.transpose()
        };
        let flags = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ];
        let flags = flags.iter().filter(|(on, _)| *on);
        Ok(Style {
            fg: color(&self.fg)?,
            bg: color(&self.bg)?,
            add_modifier: flags.map(|(_, modifier)| *modifier).collect(),
            ..Style::new()
        })
    }
}

/// The role whose name is nearest.
fn nearest(typed: &str) -> &'static str {
    Role::ALL
        .iter()
        .map(|role| role.name())
        .min_by_key(|name| strsim::levenshtein(typed, name))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_have_a_place_and_a_hint() {
        type Expected = (usize, usize, &'static str, Option<&'static str>);
        let table: [(&str, Expected); 4] = [
            (
                "[roles]\ntext = { fg = \"#fff\" }",
                (2, 15, "`#fff` is not a colour", Some("write \"#rrggbb\"")),
            ),
            (
                "[roles]\n\nboarder = { bold = true }",
                (3, 1, "no role `boarder`", Some("did you mean `border`?")),
            ),
            ("[roles\n", (1, 7, "", None)),
            (
                "[roles]\ntext = { blink = true }",
                (2, 10, "unknown field `blink`", None),
            ),
        ];
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
    fn what_a_theme_leaves_out_falls_back() {
        let toml = "[roles]\nmuted = { fg = \"7\", italic = true }\nerror = { fg = \"red\" }";
        let theme = Theme::parse("mine", toml).unwrap();
        let muted = Style::new().fg(Color::Indexed(7)).italic();
        assert_eq!(theme.style(Role::Border), muted);
        assert_eq!(theme.style(Role::Removed), Style::new().fg(Color::Red));
        assert_eq!(theme.style(Role::Accent), Style::new());
    }
}
