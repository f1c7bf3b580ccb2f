//! The console of Linux, whose font has few signs: each that it lacks becomes one that it has.

use ratatui::buffer::Buffer;

/// Signs of the screen that the font of the console lacks, and what stands for them there.
const SIGNS: &[(&str, &str)] = &[
    ("⊘", "C"),
    ("∅", "0"),
    ("≠", "#"),
    ("✓", "v"),
    ("✗", "x"),
    ("⚠", "!"),
    ("▸", ">"),
    ("▾", "v"),
    ("▏", "│"),
    ("▎", "│"),
    ("▍", "▌"),
    ("▋", "▌"),
    ("▊", "█"),
    ("▉", "█"),
    ("▂", "_"),
    ("▆", "▄"),
    ("☑", "x"),
    ("☐", "o"),
    ("◦", "o"),
    ("▪", "■"),
    ("╌", "─"),
    ("┄", "─"),
    ("┊", "│"),
    ("−", "-"),
    ("…", "."),
    ("‹", "<"),
    ("›", ">"),
    ("“", "\""),
    ("”", "\""),
    ("⟨", "<"),
    ("⟩", ">"),
];

/// Replaces the signs that the console lacks.
pub(super) fn replace_signs(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let known = SIGNS.iter().find(|(sign, _)| *sign == cell.symbol());
        if let Some((_, stand_in)) = known {
            cell.set_symbol(stand_in);
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
