//! How the screen looks, chosen while it runs.

use super::super::msg::Effect;
use super::super::themes::Themes;
use super::super::{Model, Overlay, settle};

type Effects = Vec<Effect>;

/// Lists the themes; the selected one is shown at once.
pub fn open(model: &mut Model) -> Effects {
    let mut all = model.themes.iter();
    let row = all.position(|(name, _)| *name == model.theme);
    let row = row.unwrap_or_default();
    model.overlay = Some(Overlay::Themes(Themes { row, before: row }));
    Vec::new()
}

/// Shows the theme at a row.
fn show(model: &mut Model, row: usize) -> Effects {
    let Some((name, light)) = model.themes.get(row).cloned() else {
        return Vec::new();
    };
    (model.theme, model.light) = (name, light);
    settle::highlight(model).into_iter().collect()
}

fn turn(model: &mut Model, by: usize) -> Effects {
    let rows = model.themes.len().max(1);
    let Some(Overlay::Themes(themes)) = &mut model.overlay else {
        return Vec::new();
    };
    themes.row = (themes.row + by) % rows;
    let row = themes.row;
    show(model, row)
}

pub fn down(model: &mut Model) -> Effects {
    turn(model, 1)
}

pub fn up(model: &mut Model) -> Effects {
    turn(model, model.themes.len().saturating_sub(1))
}

/// Keeps the selected theme until memkeep ends.
pub fn take(model: &mut Model) -> Effects {
    model.overlay = None;
    let text = format!("theme {} until memkeep ends", model.theme);
    model.status.say(text, None);
    Vec::new()
}

/// Keeps the selected theme, and writes it into the user's configuration.
pub fn keep(model: &mut Model) -> Effects {
    model.overlay = None;
    vec![Effect::KeepTheme(model.theme.clone())]
}

/// Goes back to the theme of before.
pub fn leave(model: &mut Model) -> Effects {
    match model.overlay.take() {
        Some(Overlay::Themes(themes)) => show(model, themes.before),
        _ => Vec::new(),
    }
}
