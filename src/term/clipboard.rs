//! The clipboard: the terminal's where the program runs elsewhere, else the desktop's own tool.

use std::io::Write as _;
use std::process::Stdio;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::project::programs;

/// Terminals drop what is longer than about this.
const MOST: usize = 74_994;

/// The facts of the environment about where the program runs.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// True if it runs at the other end of SSH: a native tool would fill a clipboard there.
    pub remote: bool,
    /// True if there is a Wayland desktop.
    pub wayland: bool,
    /// True if there is an X11 desktop.
    pub x11: bool,
    /// True if it is macOS.
    pub mac: bool,
}

impl Place {
    /// By the environment.
    pub fn here() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        Self {
            remote: set("SSH_TTY") || set("SSH_CONNECTION"),
            wayland: set("WAYLAND_DISPLAY"),
            x11: set("DISPLAY"),
            mac: cfg!(target_os = "macos"),
        }
    }

    /// The tools worth trying, best first, with their arguments.
    fn tools(&self) -> Vec<&'static [&'static str]> {
        if self.remote {
            return Vec::new();
        }
        let all: [(bool, &[&str]); 4] = [
            (self.mac, &["pbcopy"]),
            (self.wayland, &["wl-copy"]),
            (self.x11, &["xclip", "-selection", "clipboard"]),
            (self.x11, &["xsel", "--clipboard", "--input"]),
        ];
        let all = all.into_iter().filter(|(there, _)| *there);
        all.map(|(_, tool)| tool).collect()
    }
}

/// How a text got to the clipboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Copied {
    /// By a program, whose name this is.
    Tool(&'static str),
    /// To be sent to the terminal.
    Sequence(String),
    /// Not at all, it is too long for the only way there is.
    TooLong,
}

/// Puts a text on the clipboard by a native tool, or says what to send to the terminal.
pub fn copy(text: &str, place: &Place) -> Copied {
    for tool in place.tools() {
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
        let place = Place {
            remote: true,
            mac: true,
            wayland: true,
            x11: true,
        };
        let expected = Copied::Sequence("\x1b]52;c;aMOp\x07".to_owned());
        assert_eq!(copy("hé", &place), expected);
        assert_eq!(copy(&"x".repeat(80_000), &place), Copied::TooLong);
        let names = |place: Place| -> Vec<_> { place.tools().iter().map(|tool| tool[0]).collect() };
        let desk = Place {
            remote: false,
            ..place
        };
        assert_eq!(names(desk), ["pbcopy", "wl-copy", "xclip", "xsel"]);
        assert!(names(Place::default()).is_empty());
    }
}
