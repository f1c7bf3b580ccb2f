//! What stands in front of the colon of a statement.

use super::{Form, Statement};
use crate::lint::chars::cut;
use crate::lint::pairs::table;

impl Statement<'_> {
    /// Where its label ends: `**Timeout**: 30 s`, `` `init()` — called first ``.
    pub fn label(&self) -> Option<usize> {
        *self.label.get_or_init(|| self.find_label())
    }

    fn find_label(&self) -> Option<usize> {
        const ENDS: [&str; 7] = [" — ", " – ", " - ", ": ", ":** ", " → ", " = "];
        let head = cut(&self.text, 90);
        if self.form == Form::Row {
            return head.split_once('|').map(|(cell, _)| cell.trim_end().len());
        }
        // `MAX_WORKERS=4`
        if let Some(key) = self.tokens.first().filter(|key| key.at.start == 0)
            && let Some(value) = head.get(key.at.end..)?.strip_prefix('=')
            && value.starts_with(|c: char| c.is_alphanumeric())
        {
            return Some(key.at.end);
        }
        // One of these bytes stands in each of them (0xe2 begins the dashes and the arrow).
        if !head
            .bytes()
            .any(|byte| matches!(byte, b':' | b'-' | b'=' | 0xe2))
        {
            return None;
        }
        ENDS.iter().filter_map(|end| head.find(end)).min()
    }
}

/// Whether a label is about the note it stands in: `Branch: …` is, and `Default branch: …` and
/// `API version: …` are about the project.
pub(super) fn is_about_itself(label: &[String]) -> bool {
    let mut about = label.iter().filter(|word| table::ABOUT_ITSELF.has(word));
    let (Some(first), second) = (about.next(), about.next()) else {
        return false;
    };
    let of_a_thing = label.len() > 1
        && second.is_none()
        && label.last() == Some(first)
        && table::OF_A_THING.has(first);
    !of_a_thing && !label.iter().any(|word| table::SETTINGS.has(word))
}
