//! A screen of a terminal as SVG: text in runs of one style, lines and blocks as shapes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

/// Size of a cell, of its letters, and the room around the screen.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 18.0;
const LETTERS: f32 = 14.0;
const ROOM: f32 = 12.0;
/// From the top of a cell to the line that its letters stand on.
const BASE: f32 = 13.5;

/// Colours of a terminal that a program does not set.
pub struct Colors {
    text: &'static str,
    ground: &'static str,
}

impl Colors {
    pub const DARK: Self = Self {
        text: "#d7dde4",
        ground: "#14181d",
    };
    pub const LIGHT: Self = Self {
        text: "#1f2328",
        ground: "#ffffff",
    };
}

fn color(color: Color, usual: &str) -> String {
    match color {
        Color::Default => usual.to_owned(),
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        Color::Idx(number) => panic!("the themes name no colour by its number: {number}"),
    }
}

/// The style of a cell: foreground, background, and the class of its letters.
fn style(cell: &Cell, colors: &Colors) -> (String, String, String) {
    let (mut text, mut ground) = (
        color(cell.fgcolor(), colors.text),
        color(cell.bgcolor(), colors.ground),
    );
    if cell.inverse() {
        std::mem::swap(&mut text, &mut ground);
    }
    let mut css = format!("fill:{text}");
    for (is_set, rule) in [
        (cell.bold(), ";font-weight:bold"),
        (cell.dim(), ";opacity:.6"),
        (cell.italic(), ";font-style:italic"),
        (cell.underline(), ";text-decoration:underline"),
    ] {
        if is_set {
            css.push_str(rule);
        }
    }
    (text, ground, css)
}

/// Ends of a box-drawing line within its cell: left, right, up, down.
fn ends(symbol: &str) -> Option<[bool; 4]> {
    let ends = match symbol {
        "─" | "━" => "lr",
        "│" | "┃" => "ud",
        "┌" | "╭" => "rd",
        "┐" | "╮" => "ld",
        "└" | "╰" => "ru",
        "┘" | "╯" => "lu",
        "├" => "rud",
        "┤" => "lud",
        "┬" => "lrd",
        "┴" => "lru",
        "┼" => "lrud",
        _ => return None,
    };
    Some(['l', 'r', 'u', 'd'].map(|end| ends.contains(end)))
}

/// The part of a cell that a block fills: left, top, width, height, in eighths.
fn block(symbol: &str) -> Option<[f32; 4]> {
    let lower = "▁▂▃▄▅▆▇█".chars().zip(1_u8..);
    let left = "▏▎▍▌▋▊▉".chars().zip(1_u8..);
    let is = |c: char| symbol.chars().eq([c]);
    let lower = lower
        .filter(|(c, _)| is(*c))
        .map(|(_, n)| [0.0, 8.0 - f32::from(n), 8.0, f32::from(n)]);
    let left = left
        .filter(|(c, _)| is(*c))
        .map(|(_, n)| [0.0, 0.0, f32::from(n), 8.0]);
    lower.chain(left).next()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A number with at most one decimal.
fn short(number: f32) -> String {
    let text = format!("{number:.1}");
    text.trim_end_matches(".0").to_owned()
}

fn rectangle(out: &mut String, [x, y, width, height]: [f32; 4], fill: &str) {
    let [x, y, width, height] = [x, y, width, height].map(short);
    let _ = writeln!(
        out,
        r#"<path fill="{fill}" d="M{x} {y}h{width}v{height}h-{width}z"/>"#
    );
}

/// Draws a screen.
pub fn svg(screen: &Screen, title: &str, colors: &Colors) -> String {
    let (rows, columns) = screen.size();
    let (rows, columns) = (rows.get(), columns.get());
    let [wide, high] = [
        f32::from(columns) * WIDTH + 2.0 * ROOM,
        f32::from(rows) * HEIGHT + 2.0 * ROOM,
    ];
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    let (mut grounds, mut lines, mut texts) = (String::new(), BTreeMap::new(), String::new());
    for row in 0..rows {
        let y = ROOM + f32::from(row) * HEIGHT;
        let mut column = 0;
        while column < columns {
            let Some(cell) = screen.cell(row, column) else {
                break;
            };
            let (text, ground, css) = style(cell, colors);
            let x = ROOM + f32::from(column) * WIDTH;
            let from = column;
            let mut run = String::new();
            // Cells of one style, up to a line or a block; of these, as many as look the same.
            let symbol = cell.contents();
            let is_shape = ends(symbol).is_some() || block(symbol).is_some();
            while let Some(next) = screen.cell(row, column).filter(|_| column < columns) {
                let symbol = next.contents();
                let goes_on = match is_shape {
                    true => symbol == cell.contents(),
                    false => ends(symbol).is_none() && block(symbol).is_none(),
                };
                if !goes_on || style(next, colors) != (text.clone(), ground.clone(), css.clone()) {
                    break;
                }
                if !next.is_wide_continuation() {
                    run.push_str(if symbol.is_empty() { " " } else { symbol });
                }
                column += 1;
            }
            let width = f32::from(column - from) * WIDTH;
            if ground != colors.ground {
                rectangle(&mut grounds, [x, y, width, HEIGHT], &ground);
            }
            if let Some([left, right, up, down]) = ends(symbol) {
                let path: &mut String = lines.entry(text).or_default();
                let middle = y + HEIGHT / 2.0;
                if left || right {
                    let start = if left { x } else { x + WIDTH / 2.0 };
                    let end = if right {
                        x + width
                    } else {
                        x + width - WIDTH / 2.0
                    };
                    let _ = write!(path, "M{} {}H{}", short(start), short(middle), short(end));
                }
                if up || down {
                    let start = if up { y } else { middle };
                    let end = if down { y + HEIGHT } else { middle };
                    for cell in 0..column - from {
                        let x = x + (f32::from(cell) + 0.5) * WIDTH;
                        let _ = write!(path, "M{} {}V{}", short(x), short(start), short(end));
                    }
                }
            } else if let Some([left, top, part, tall]) = block(symbol) {
                let whole = width - WIDTH + part * WIDTH / 8.0;
                let area = [x + left, y + top * HEIGHT / 8.0, whole, tall * HEIGHT / 8.0];
                rectangle(&mut texts, area, &text);
            } else if !run.trim().is_empty() {
                let known = classes.len();
                let class = classes.entry(css).or_insert(known);
                let lead = run.chars().take_while(|c| *c == ' ').count();
                let tail = run.chars().rev().take_while(|c| *c == ' ').count();
                let [lead, blanks] = [lead, lead + tail]
                    .map(|count| f32::from(u16::try_from(count).unwrap()) * WIDTH);
                let _ = writeln!(
                    texts,
                    r#"<text class="s{class}" x="{}" y="{}" textLength="{}">{}</text>"#,
                    short(x + lead),
                    short(y + BASE),
                    short(width - blanks),
                    escaped(run.trim_matches(' '))
                );
            }
        }
    }
    let title = escaped(title);
    let [wide, high] = [wide, high].map(short);
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="img">
<title>{title}</title>
<style>
text{{font:{LETTERS}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}}
"#
    );
    for (css, class) in &classes {
        let _ = writeln!(out, ".s{class}{{{css}}}");
    }
    let _ = write!(
        out,
        "</style>\n<rect width=\"{wide}\" height=\"{high}\" rx=\"8\" fill=\"{}\"/>\n{grounds}",
        colors.ground
    );
    for (stroke, path) in &lines {
        let _ = writeln!(out, r#"<path fill="none" stroke="{stroke}" d="{path}"/>"#);
    }
    out + &texts + "</svg>\n"
}
