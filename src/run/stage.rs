//! The terminal as the loop uses it, and the editor that it is lent to.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use super::Options;
use crate::app::msg::Failure;
use crate::project::programs;
use crate::term::clipboard::{self, Copied};
use crate::term::input::Input;
use crate::term::signals::Signals;
use crate::term::{Terminal, View, restore, send};

/// The terminal's operations that the loop needs.
pub trait Stage {
    fn draw(&mut self, view: View<'_>) -> io::Result<()>;
    fn size(&self) -> (u16, u16);
    /// Stops the program until it is told to go on; false where nobody could tell it.
    fn suspend(&mut self) -> bool;
    fn reenter(&mut self) -> io::Result<()>;
    /// Gives the terminal to an editor until it ends.
    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Failure>;
    /// Gives the terminal to other programs while something is done.
    fn lend(&mut self, act: &mut dyn FnMut());
    fn copy(&mut self, text: &str) -> Copied;
    /// Takes the mouse, or leaves it to the terminal.
    fn mouse(&mut self, _is_on: bool) {}
    /// Gives the terminal back for good.
    fn end(&mut self);
}

pub(super) struct Real {
    pub terminal: Terminal,
    pub input: Input,
    pub signals: Signals,
    pub options: Options,
}

impl Stage for Real {
    fn draw(&mut self, view: View<'_>) -> io::Result<()> {
        self.terminal.draw(view)
    }

    fn size(&self) -> (u16, u16) {
        self.terminal.size()
    }

    fn suspend(&mut self) -> bool {
        let signals = self.signals.clone();
        self.away(|| signals.stop())
    }

    fn reenter(&mut self) -> io::Result<()> {
        self.terminal.reenter()
    }

    fn edit(&mut self, path: &Path, line: u32) -> Result<(), Failure> {
        let editor = self.options.editor.clone();
        let mut done = Ok(());
        self.lend(&mut || done = edit(editor.as_deref(), path, line));
        done
    }

    fn lend(&mut self, act: &mut dyn FnMut()) {
        let signals = self.signals.clone();
        self.away(|| {
            signals.lend(true);
            act();
            signals.lend(false);
        });
    }

    fn copy(&mut self, text: &str) -> Copied {
        let copied = clipboard::copy(text, &self.options.clipboard);
        if let Copied::Sequence(sequence) = &copied {
            // If the terminal is gone the next frame finds out.
            let _ = send(&[sequence.as_bytes()]);
        }
        copied
    }

    fn mouse(&mut self, is_on: bool) {
        // If the terminal is gone the next frame finds out.
        let _ = self.terminal.mouse(is_on);
    }

    fn end(&mut self) {
        // Keys typed from now on are for the shell.
        self.input.park();
        restore();
    }
}

impl Real {
    /// Does something while the terminal is not the program's.
    fn away<T>(&mut self, act: impl FnOnce() -> T) -> T {
        self.input.park();
        restore();
        let out = act();
        // A failure means that the terminal is gone; the next frame or the reader notices it.
        let _ = self.terminal.reenter();
        self.input.resume();
        out
    }
}

const DEFAULT: &str = "vi";
/// Editors that take `+LINE` before the file.
const PLUS: &str = "vi vim nvim gvim nano pico emacs emacsclient kak micro ne joe jed mg zile";
/// Editors that take `FILE:LINE`.
const COLON: &str = "hx helix subl zed";
/// Editors that take `--goto FILE:LINE`.
const GOTO: &str = "code code-insiders codium cursor windsurf";

/// Opens a file at a line in the person's editor and waits until that ends.
fn edit(editor: Option<&str>, path: &Path, line: u32) -> Result<(), Failure> {
    let editor = editor.unwrap_or(DEFAULT);
    let failure = |what: String| Failure {
        what,
        hint: Some("set VISUAL or EDITOR to a program, with its arguments".to_owned()),
        ..Failure::default()
    };
    let Some((program, arguments)) = call(editor, path, line) else {
        return Err(failure(format!(
            "`{editor}` is not a command: a quote is open or it is empty"
        )));
    };
    let cannot = |error| failure(format!("`{program}` cannot be started: {error}"));
    let status = programs::command(&program).args(arguments).status();
    match status.map_err(cannot)? {
        status if status.success() => Ok(()),
        status => Err(failure(format!("`{program}` ended with {status}"))),
    }
}

fn call(editor: &str, path: &Path, line: u32) -> Option<(String, Vec<OsString>)> {
    // Windows parts folders by what a shell takes for an escape.
    let editor = match cfg!(windows) {
        true => editor.replace('\\', "\\\\"),
        false => editor.to_owned(),
    };
    let mut words = shell_words::split(&editor).ok()?.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    let mut arguments: Vec<OsString> = words.map(OsString::from).collect();
    let name = Path::new(&program).file_stem()?.to_str()?;
    let at_line = || {
        let mut file = path.as_os_str().to_owned();
        file.push(format!(":{line}"));
        file
    };
    let is_in = |names: &str| names.split(' ').any(|known| known == name);
    match () {
        () if is_in(COLON) => arguments.push(at_line()),
        () if is_in(GOTO) => arguments.extend(["--goto".into(), at_line()]),
        () if is_in(PLUS) => arguments.extend([format!("+{line}").into(), path.into()]),
        () => arguments.push(path.into()),
    }
    Some((program, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_said_the_way_the_editor_takes_it() {
        let table: [(&str, &[&str]); 6] = [
            ("vim -f", &["vim", "-f", "+7", "/a b.md"]),
            ("/usr/bin/nano", &["/usr/bin/nano", "+7", "/a b.md"]),
            ("code --wait", &["code", "--wait", "--goto", "/a b.md:7"]),
            ("hx", &["hx", "/a b.md:7"]),
            ("ed", &["ed", "/a b.md"]),
            ("./my-script", &["./my-script", "/a b.md"]),
        ];
        for (editor, expected) in table {
            let (program, arguments) = call(editor, Path::new("/a b.md"), 7).unwrap();
            let mut all = vec![OsString::from(program)];
            all.extend(arguments);
            assert_eq!(all, expected, "{editor}");
        }
        assert_eq!(call("''", Path::new("/a"), 1), None);
    }
}
