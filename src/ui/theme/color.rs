//! Numbers of colours of terminals.

use anstyle_lossy::rgb_to_xterm;
use ratatui::style::{Color, Style};

use crate::app::msg::Rgb;

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

    #[test]
    fn the_depth_follows_the_environment() {
        let table = [
            (
                (None, Some("truecolor"), Some("xterm-256color")),
                Depth::TrueColor,
            ),
            ((None, None, Some("xterm-256color")), Depth::Ansi256),
            ((None, None, Some("xterm-kitty")), Depth::TrueColor),
            ((None, None, Some("linux")), Depth::Ansi16),
            ((None, None, Some("dumb")), Depth::None),
            ((Some("1"), Some("truecolor"), Some("xterm")), Depth::None),
            ((Some(""), None, Some("xterm")), Depth::Ansi16),
        ];
        for ((no_color, colorterm, term), depth) in table {
            assert_eq!(Depth::of(no_color, colorterm, term), depth, "{term:?}");
        }
    }

    #[test]
    fn exact_colours_become_the_nearest_of_the_palette() {
        for (rgb, index) in [
            ((255, 0, 0), 196),
            ((118, 118, 118), 243),
            ((95, 135, 175), 67),
        ] {
            assert_eq!(Depth::Ansi256.color(rgb), Some(Color::Indexed(index)));
        }
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 0.01);
    }
}
