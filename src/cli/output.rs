//! Standard output: buffered, in colour where a person reads it, and quiet when its reader
//! leaves.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};

use super::args::Color;
use crate::ui::safe::safe;

/// Where a command prints to.
pub struct Output {
    to: BufWriter<Stdout>,
    color: bool,
    terminal: bool,
}

/// A line on standard error, safe to look at. Where nobody listens it is lost, and that is all.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{}", safe(line));
}

impl Output {
    /// Standard output. `NO_COLOR` counts where the flag leaves the choice.
    pub fn new(color: Color) -> Self {
        let terminal = io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !no_color,
        };
        Self {
            to: BufWriter::with_capacity(1 << 16, io::stdout()),
            color,
            terminal,
        }
    }

    /// The text of a store as it stands, byte for byte; on a terminal with everything that would
    /// steer the terminal made visible.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.terminal {
            return self.to.write_all(bytes);
        }
        for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
            let (text, end) = line
                .strip_suffix('\n')
                .map_or((line, ""), |text| (text, "\n"));
            write!(self.to, "{}{end}", safe(text))?;
        }
        Ok(())
    }

    /// A text that stands out, where there is colour.
    pub fn bold<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.styled("1", text)
    }

    /// A text that stands back, where there is colour.
    pub fn faint<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.styled("2", text)
    }

    fn styled<'a>(&self, code: &str, text: &'a str) -> Cow<'a, str> {
        if self.color {
            format!("\x1b[{code}m{text}\x1b[0m").into()
        } else {
            text.into()
        }
    }

    /// Columns of the terminal; none where nobody looks.
    pub fn width(&self) -> Option<usize> {
        if !self.terminal {
            return None;
        }
        crossterm::terminal::size()
            .ok()
            .map(|(columns, _)| usize::from(columns))
    }

    /// Writes what is left.
    pub fn finish(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
