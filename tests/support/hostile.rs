//! Texts that a terminal would obey or a person would not see, and how to find them in an output.

/// Sequences for the clipboard, links, titles, the screen and device strings; single characters of
/// every other kind.
pub const PIECES: &[&str] = &[
    "\u{1b}]52;c;aGk=\u{7}",
    "\u{1b}]8;;https://evil.example\u{1b}\\x\u{1b}]8;;\u{1b}\\",
    "\u{1b}]0;title\u{7}",
    "\u{1b}[31m",
    "\u{1b}[2J\u{1b}[H",
    "\u{1b}P1$r0m\u{1b}\\",
    "\u{1b}[?1049h",
    "\u{9b}31m",
    "\u{9d}52;c;aGk=\u{9c}",
    "\u{90}q\u{9c}",
    "\u{7f}",
    "\u{8}",
    "\u{85}",
    "\u{202e}gpj.exe",
    "\u{2066}x\u{2069}",
    "\u{200b}",
    "\u{200d}",
    "\u{2028}",
    "\u{feff}",
    "\u{ad}",
    "\u{e0041}\u{e0042}",
    "\u{fe0f}",
];

/// All of them, and a heap of combining marks.
pub fn all() -> String {
    format!("x{}e{}", PIECES.concat(), "\u{301}".repeat(300))
}

/// What of an output a terminal should not have been sent: the first such place. `own` are the
/// colour sequences of the program.
pub fn raw(output: &str, own: &[&str]) -> Option<String> {
    let mut text = output.replace("\r\n", "\n");
    for sequence in own {
        text = text.replace(sequence, "");
    }
    let mut marks = 0;
    let at = text.char_indices().find(|&(_, c)| {
        marks = match c {
            '\u{300}'..='\u{36f}' => marks + 1,
            _ => 0,
        };
        let unseen = matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{e0000}'..='\u{e0fff}');
        (c.is_control() && c != '\n') || unseen || marks > 8
    });
    let (at, _) = at?;
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    Some(text[start..].chars().take(200).collect::<String>())
}

/// The program's own colour sequences.
pub const COLORS: &[&str] = &["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[4m", "\u{1b}[0m"];

/// A text as a scalar of YAML in double quotes.
pub fn yaml(text: &str) -> String {
    let escaped = text.chars().map(|c| match c {
        '"' | '\\' => format!("\\{c}"),
        ' '..='~' => c.to_string(),
        c => format!("\\U{:08x}", u32::from(c)),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
