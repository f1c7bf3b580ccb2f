//! The console of Linux, whose font has few signs: each that it lacks becomes one that it has.

use ratatui::buffer::Buffer;

/// Signs of the screen that the font of the console lacks.
const SIGNS: &str = "⊘∅≠✓✗⚠▸▾▏▎▍▋▊▉▂▆☑☐◦▪╌┄┊−…‹›“”⟨⟩";
/// The sign that stands for each of them there.
const STAND_INS: &str = "C0#vx!>v││▌▌██_▄xoo■──│-.<>\"\"<>";

/// Replaces the signs that the console lacks.
pub(super) fn replace_signs(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let mut known = SIGNS.chars().zip(STAND_INS.chars());
        let known = known.find(|(sign, _)| cell.symbol().starts_with(*sign));
        if let Some((_, stand_in)) = known {
            cell.set_char(stand_in);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_become_those_of_the_console_and_all_else_stays() {
        let mut buffer = Buffer::with_lines(["▌⊘ é “a” 漢 ─│ ≡…"]);
        replace_signs(&mut buffer);
        assert_eq!(buffer, Buffer::with_lines(["▌C é \"a\" 漢 ─│ ≡."]));
    }
}
