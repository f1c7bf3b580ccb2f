//! The clipboard: the terminal's where the program runs elsewhere, else the desktop's own tool.

use std::io::Write as _;
use std::process::Stdio;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::project::programs;

/// Terminals drop what is longer than about this.
const MOST: usize = 74_994;

/// The tools that fill the clipboard of the desktop, best first, with their arguments.
#[derive(Clone, Debug, Default)]
pub struct Place(Vec<&'static [&'static str]>);

impl Place {
    pub fn here() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        Self::new(set, cfg!(target_os = "macos"))
    }

    fn new(set: impl Fn(&str) -> bool, is_mac: bool) -> Self {
        // At the other end of SSH they would fill a clipboard there.
        if set("SSH_TTY") || set("SSH_CONNECTION") {
            return Self::default();
        }
        let all: [(bool, &[&str]); 4] = [
            (is_mac, &["pbcopy"]),
            (set("WAYLAND_DISPLAY"), &["wl-copy"]),
            (set("DISPLAY"), &["xclip", "-selection", "clipboard"]),
            (set("DISPLAY"), &["xsel", "--clipboard", "--input"]),
        ];
        let here = all.into_iter().filter(|(is_here, _)| *is_here);
        Self(here.map(|(_, tool)| tool).collect())
    }
}

/// How a text got to the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    Tool(&'static str),
    /// To be sent to the terminal.
    Sequence(String),
    /// Not at all, it is too long for the only way there is.
    TooLong,
}

/// Puts a text on the clipboard by a native tool, or says what to send to the terminal.
pub fn copy(text: &str, place: &Place) -> Copied {
    for tool in &place.0 {
        if let Some((name, arguments)) = tool.split_first()
            && feed(name, arguments, text)
        {
            return Copied::Tool(name);
        }
    }
    if text.len() > MOST {
        return Copied::TooLong;
    }
    Copied::Sequence(format!("\x1b]52;c;{}\x07", STANDARD.encode(text)))
}

fn feed(name: &str, arguments: &[&str], text: &str) -> bool {
    let mut child = programs::command(name);
    child.args(arguments).stdin(Stdio::piped());
    let child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else {
        return false;
    };
    let stdin = child.stdin.take();
    let fed = stdin.is_some_and(|mut stdin| stdin.write_all(text.as_bytes()).is_ok());
    child.wait().is_ok_and(|status| status.success()) && fed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_ssh_the_terminal_holds_the_clipboard() {
        let place = Place::new(|_| true, true);
        let expected = Copied::Sequence("\x1b]52;c;aMOp\x07".to_owned());
        assert_eq!(copy("hé", &place), expected);
        assert_eq!(copy(&"x".repeat(80_000), &place), Copied::TooLong);
        let desk = Place::new(|name| !name.starts_with("SSH"), true);
        let names: Vec<_> = desk.0.iter().map(|tool| tool[0]).collect();
        assert_eq!(names, ["pbcopy", "wl-copy", "xclip", "xsel"]);
    }
}
