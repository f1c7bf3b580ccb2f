//! Colours, and how they degrade on terminals that have few or none.

use ratatui::style::{Color, Modifier, Style};

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

    /// A colour of text at this depth.
    pub fn color(self, rgb: Rgb, light: bool) -> Option<Color> {
        let (r, g, b) = rgb;
        match self {
            Self::None => None,
            Self::Ansi16 => Some(nearest16(rgb, light)),
            Self::Ansi256 => Some(Color::Indexed(nearest256(rgb))),
            Self::TrueColor => Some(Color::Rgb(r, g, b)),
        }
    }

    /// A style at this depth; `mono` is how it shows where colours cannot show it.
    pub fn style(self, style: Style, mono: Modifier, light: bool) -> Style {
        if self == Self::None {
            return Style::new().add_modifier(mono);
        }
        let at = |color: Option<Color>| match color {
            Some(Color::Rgb(r, g, b)) => self.color((r, g, b), light),
            other => other,
        };
        let (fg, bg) = (at(style.fg), at(style.bg));
        if self == Self::Ansi16 && bg.is_some() {
            // The quiet backgrounds of a theme are all black or all white among sixteen, and
            // text may vanish on the others.
            let bg = None;
            return Style { fg, bg, ..style }.add_modifier(mono | Modifier::REVERSED);
        }
        Style { fg, bg, ..style }
    }
}

/// The sixteen as xterm has them.
const SIXTEEN: [(Rgb, Color); 16] = [
    ((0, 0, 0), Color::Black),
    ((205, 0, 0), Color::Red),
    ((0, 205, 0), Color::Green),
    ((205, 205, 0), Color::Yellow),
    ((0, 0, 238), Color::Blue),
    ((205, 0, 205), Color::Magenta),
    ((0, 205, 205), Color::Cyan),
    ((229, 229, 229), Color::Gray),
    ((127, 127, 127), Color::DarkGray),
    ((255, 0, 0), Color::LightRed),
    ((0, 255, 0), Color::LightGreen),
    ((255, 255, 0), Color::LightYellow),
    ((92, 92, 255), Color::LightBlue),
    ((255, 0, 255), Color::LightMagenta),
    ((0, 255, 255), Color::LightCyan),
    ((255, 255, 255), Color::White),
];

/// How far apart two colours look (the "redmean" of their components).
fn distance(a: Rgb, b: Rgb) -> i32 {
    let part = |a: u8, b: u8| i32::from(a) - i32::from(b);
    let mean = (i32::from(a.0) + i32::from(b.0)) / 2;
    let (r, g, b) = (part(a.0, b.0), part(a.1, b.1), part(a.2, b.2));
    (((512 + mean) * r * r) >> 8) + 4 * g * g + (((767 - mean) * b * b) >> 8)
}

/// The nearest of the sixteen that can be read on the theme's ground; greys stay grey.
fn nearest16(rgb: Rgb, light: bool) -> Color {
    let spread = |(r, g, b): Rgb| r.max(g).max(b) - r.min(g).min(b);
    let grey = spread(rgb) < 32;
    SIXTEEN
        .iter()
        .filter(|(known, color)| {
            let seen = match color {
                Color::Black => light,
                Color::White | Color::Gray | Color::LightYellow => !light,
                _ => true,
            };
            seen && (!grey || spread(*known) == 0)
        })
        .min_by_key(|(known, _)| distance(rgb, *known))
        .map_or(Color::Reset, |(_, color)| *color)
}

/// The nearest of the palette of 256, its first sixteen left out, for those are the person's.
fn nearest256(rgb: Rgb) -> u8 {
    let part = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    let color = |index: &u8| match index {
        16..232 => {
            let n = index - 16;
            (part(n / 36), part(n / 6 % 6), part(n % 6))
        }
        _ => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    };
    let nearest = (16..=u8::MAX).min_by_key(|index| distance(rgb, color(index)));
    nearest.unwrap_or_default()
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
    fn colours_degrade_to_the_nearest() {
        assert_eq!(nearest256((255, 0, 0)), 196);
        assert_eq!(nearest256((118, 118, 118)), 243);
        assert_eq!(nearest256((95, 135, 175)), 67);
        assert_eq!(nearest16((250, 10, 10), false), Color::LightRed);
        assert_eq!(nearest16((2, 2, 2), false), Color::DarkGray);
        assert_eq!(nearest16((250, 250, 250), true), Color::DarkGray);
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 0.01);
    }
}
