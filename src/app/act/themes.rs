//! How the screen looks, chosen while it runs.

use super::super::msg::Effect;
use super::super::picker::{Choice, Picker, Subject};
use super::super::{Model, Overlay};

type Effects = Vec<Effect>;

/// Lists the themes; the selected one is shown at once.
pub fn open(model: &mut Model) -> Effects {
    let mut all = model.themes.iter();
    let row = all.position(|(name, _)| *name == model.theme);
    let row = row.unwrap_or_default();
    let choice = |(name, is_light): &(String, bool)| match is_light {
        true => Choice::new(name, "for a light background"),
        false => Choice::new(name, "for a dark background"),
    };
    let choices = model.themes.iter().map(choice).collect();
    let mut picker = Picker::new("Theme", choices, Subject::Themes(row));
    picker.row = row;
    model.overlay = Some(Overlay::Pick(picker));
    Vec::new()
}

/// Shows the theme at a row.
pub(super) fn show(model: &mut Model, row: usize) {
    if let Some((name, light)) = model.themes.get(row).cloned() {
        (model.theme, model.light) = (name, light);
    }
}

/// Keeps the selected theme until memkeep ends.
pub(super) fn take(model: &mut Model) -> Effects {
    let text = format!("theme {} until memkeep ends", model.theme);
    model.status.say(text, None);
    Vec::new()
}
