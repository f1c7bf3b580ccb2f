//! Everything that a command writes, on standard output and standard error.
//!
//! One writer decides by what it writes to. To a terminal nothing goes that the terminal would obey
//! or that a person would not see: such characters become visible marks, in JSON `\u` escapes. A
//! pipe gets the bytes as they are. No other module outside `src/term` writes to either stream. Errors
//! are printed with place and hint, and become exit codes.

use std::fmt::Display;
use std::io::{self, BufRead as _, BufWriter, IsTerminal as _, Read as _, Stdout, Write};

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use itertools::Itertools as _;
use rayon::prelude::*;
use serde::Serialize;

use super::exit;
use crate::ui::safe::{escaped, safe};
use crate::workspace::{Error, Kind, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// If a person reads the output and `NO_COLOR` is not set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// An output format; each command accepts some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Table,
    /// For programs.
    Json,
    /// Markdown.
    Markdown,
    /// Ids only.
    Quiet,
    /// The text for an agent, byte for byte, and nothing else.
    Prompt,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
}

pub const LISTED: &[&str] = &["table", "json", "markdown", "quiet"];

/// Formats of the commands that print for people or for programs.
pub const PLAIN: &[&str] = &["table", "json"];

pub fn one_of(names: &'static [&'static str]) -> impl TypedValueParser<Value = Format> {
    let parser = PossibleValuesParser::new(names);
    parser.map(|name| Format::from_str(&name, false).unwrap_or_default())
}

pub struct Output {
    to: Visible<BufWriter<Stdout>>,
    color: bool,
}

/// Writes one line to standard error. The line is a message for people: hostile characters in it
/// are marks wherever it goes. A failure to write it is ignored.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{}", safe(line));
}

/// A text for a Markdown report, in a line and in a cell of a table. It is code if Markdown, HTML or
/// a forge would read anything into it: a heading, an element, a mention, a reference to an issue.
pub fn literal(text: &str) -> String {
    const SIGNS: &[char] = &[
        '\\', '`', '*', '_', '[', ']', '<', '>', '|', '#', '@', '&', '~',
    ];
    let text = safe(text);
    let text = text.split_whitespace().join(" ");
    if !text.contains(SIGNS) {
        return text;
    }
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default() + 1);
    let is_ticked = text.starts_with('`') || text.ends_with('`');
    let pad = if is_ticked { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

/// True if a person can be asked: standard input and standard error are both a terminal.
pub fn is_asked() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a person on standard error; true for yes, none where nobody is there.
pub fn ask(question: &str) -> Option<bool> {
    if !is_asked() {
        return None;
    }
    let mut to = io::stderr();
    let _ = write!(to, "{}", safe(question)).and_then(|()| to.flush());
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).ok()?;
    let answer = answer.trim().to_lowercase();
    Some(matches!(&*answer, "y" | "yes"))
}

/// The text of an argument; `-` stands for standard input without the line end of a shell's `echo`.
pub fn text_or_stdin(text: &str) -> Result<String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    if io::stdin().is_terminal() {
        note("reading standard input; end with Ctrl-d");
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(|error| {
        Error::wrong(match error.kind() {
            io::ErrorKind::InvalidData => "standard input is not UTF-8".to_owned(),
            _ => format!("standard input cannot be read: {error}"),
        })
    })?;
    if text.ends_with('\n') {
        text.pop();
        text.truncate(text.strip_suffix('\r').unwrap_or(&text).len());
    }
    Ok(text)
}

/// Makes a panic print its message through [`note`].
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|panic| {
        panic.to_string().lines().for_each(note);
    }));
}

impl Output {
    /// Standard output. `NO_COLOR` and `TERM=dumb` count where the flag leaves the choice.
    pub fn new(color: Color) -> Self {
        let terminal = io::stdout().is_terminal();
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let plain = variable("NO_COLOR").is_some() || variable("TERM").is_some_and(|t| t == "dumb");
        let to = BufWriter::with_capacity(1 << 16, io::stdout());
        Self {
            to: Visible::new(to, terminal),
            color: color == Color::Always || color == Color::Auto && terminal && !plain,
        }
    }

    /// The same output for JSON: what follows is shown with `\u` escapes on a terminal.
    pub const fn json(&mut self) -> &mut Self {
        self.to.json = true;
        self
    }

    pub fn bold(&mut self, text: &str) -> io::Result<()> {
        self.styled("\x1b[1m", text)
    }

    pub fn heading(&mut self, line: &str) -> io::Result<()> {
        self.bold(line)?;
        self.write_all(b"\n")
    }

    pub fn print_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer_pretty(self.json(), value)?;
        self.write_all(b"\n")
    }

    /// Prints an array as JSON, an item a line; many items are written down in parallel.
    pub fn print_array<'a, T: Sync, J: Serialize>(
        &mut self,
        items: &'a [T],
        json: impl Fn(&'a T) -> J + Sync,
    ) -> Result<()> {
        const AT_A_TIME: usize = 4096;
        let output = self.json();
        let mut before = "[";
        for piece in items.chunks(AT_A_TIME) {
            let lines = piece.par_iter();
            let lines = lines.map(|item| serde_json::to_string(&json(item)));
            for line in lines.collect::<Result<Vec<String>, _>>()? {
                write!(output, "{before}\n{line}")?;
                before = ",";
            }
        }
        let begin = if items.is_empty() { "[" } else { "" };
        Ok(writeln!(output, "{begin}\n]")?)
    }

    pub fn faint(&mut self, text: &str) -> io::Result<()> {
        self.styled("\x1b[2m", text)
    }

    fn styled(&mut self, style: &str, text: &str) -> io::Result<()> {
        if !self.color {
            return self.write_all(text.as_bytes());
        }
        self.to.own(style)?;
        self.write_all(text.as_bytes())?;
        self.to.own("\x1b[0m")
    }

    /// Prints the parser's help or version, which has no text but the program's own.
    pub fn help(&mut self, help: &clap::Error) -> io::Result<()> {
        let text = help.render();
        let ansi = self.color.then(|| text.ansi().to_string());
        self.to.own(&ansi.unwrap_or_else(|| text.to_string()))
    }

    /// Columns of the terminal; none where nobody looks.
    pub fn width(&self) -> Option<usize> {
        let size = crossterm::terminal::size().ok();
        let (columns, _) = size.filter(|_| self.to.terminal)?;
        Some(columns.into())
    }

    pub fn lines<T: Display>(&mut self, all: impl IntoIterator<Item = T>) -> io::Result<()> {
        all.into_iter().try_for_each(|one| writeln!(self, "{one}"))
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

/// Writes hostile characters as marks to a terminal, and the bytes as they are elsewhere.
struct Visible<W> {
    to: W,
    terminal: bool,
    json: bool,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
}

impl<W: Write> Visible<W> {
    const fn new(to: W, terminal: bool) -> Self {
        Self {
            to,
            terminal,
            json: false,
            line: Vec::new(),
        }
    }

    fn waiting(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line);
        let show = if self.json { escaped } else { safe };
        let shown = show(&text);
        self.to.write_all(shown.as_bytes())?;
        self.line.clear();
        Ok(())
    }

    /// Writes the program's own text, colour sequences included.
    fn own(&mut self, text: &str) -> io::Result<()> {
        self.waiting()?;
        self.to.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.terminal {
            return self.to.write(bytes);
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let line = part.strip_suffix(b"\n");
            self.line.extend_from_slice(line.unwrap_or(part));
            if line.is_some() {
                self.own("\n")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.waiting()?;
        self.to.flush()
    }
}

impl Error {
    pub(crate) const fn exit_code(&self) -> u8 {
        match self.kind {
            Kind::Nothing => exit::NOTHING,
            Kind::Refused => exit::REFUSED,
            Kind::Wrong | Kind::Missing(_) | Kind::Output(_) => exit::WRONG,
        }
    }

    pub(crate) fn report(&self) {
        note(&format!("error: {}", self.what));
        if let Some(place) = &self.place {
            note(&format!("  --> {place}"));
        }
        if let Some(hint) = &self.hint {
            note(&format!("hint: {hint}"));
        }
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.kind == Kind::Output(io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(Kind::Output(error.kind()), format!("cannot write: {error}"))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}

impl From<clap::Error> for Error {
    /// The error of the parser of arguments, in the form of all errors.
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let parts: Vec<&str> = text.split("\n\n").map(str::trim).collect();
        let after = |name: &str| parts.iter().find_map(|part| part.strip_prefix(name));
        let mut lines = parts.first().copied().unwrap_or_default().lines();
        let mut what: Vec<&str> = Vec::new();
        let values = lines.by_ref().map(str::trim).find_map(|line| {
            let values = line.strip_prefix("[possible values: ");
            what.extend(values.is_none().then_some(line));
            values.map(|values| format!("one of {}", values.trim_end_matches(']')))
        });
        let is_conflict = error.kind() == clap::error::ErrorKind::ArgumentConflict;
        let hint = match after("tip: ") {
            _ if is_conflict => "leave one of them out".to_owned(),
            Some(tip) => tip.to_owned(),
            None => {
                values.unwrap_or_else(|| after("Usage: ").unwrap_or("memkeep --help").to_owned())
            }
        };
        Self::wrong(what.join(" ")).hint(hint.lines().map(str::trim).join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    /// Returns the output that reaches a terminal or a pipe when a text is written in pieces of so
    /// many bytes.
    fn written(text: &str, step: usize, terminal: bool, json: bool) -> String {
        let mut to = Visible::new(Vec::new(), terminal);
        to.json = json;
        for piece in text.as_bytes().chunks(step) {
            to.write_all(piece).unwrap();
        }
        to.flush().unwrap();
        String::from_utf8(to.to).unwrap()
    }

    #[test]
    fn a_terminal_gets_marks_and_a_pipe_gets_the_bytes() {
        let heap = format!("a{}", "\u{301}".repeat(300));
        let text = format!("x\u{1b}]52;c;aGk=\u{7}\u{9b}1m\n\u{202e}\u{200b}é\u{e0041}\n{heap}");
        let shown = format!(
            "x␛]52;c;aGk=␇⟨U+009B⟩1m\n⟨U+202E⟩⟨U+200B⟩é⟨U+E0041⟩\na{}⟨+292⟩",
            "\u{301}".repeat(8)
        );
        for step in 1..9 {
            assert_eq!(written(&text, step, true, false), shown, "{step}");
            assert_eq!(written(&text, step, false, false), text, "{step}");
            assert_eq!(written(&text, step, false, true), text, "{step}");
        }
    }

    #[test]
    fn json_on_a_terminal_stays_the_same_json() {
        let odd = "del\u{7f} c1\u{9d}\u{9b} \u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{2028}é👩\u{200d}👩";
        let value = serde_json::json!({ odd: [odd, "a".to_owned() + &"\u{301}".repeat(300)] });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let shown = written(&text, 7, true, true);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            value
        );
        for c in ['\u{7f}', '\u{9d}', '\u{202e}', '\u{200b}', '\u{e0041}'] {
            assert!(!shown.contains(c), "{shown}");
        }
        assert_eq!(shown.matches('\u{301}').count(), 8);
        assert!(shown.contains("é👩\u{200d}👩"), "{shown}");
    }

    #[test]
    fn what_another_program_did_is_refused_and_the_rest_is_wrong() {
        let path = || std::path::PathBuf::from("a.md");
        for (error, code) in [
            (StoreError::Changed(path()), 3),
            (StoreError::Locked(path()), 3),
            (StoreError::Busy(path()), 3),
            (StoreError::Later("x".to_owned()), 3),
            (StoreError::Exists(path()), 2),
            (StoreError::Doubtful("x".to_owned()), 2),
            (StoreError::Refused("x".to_owned()), 2),
        ] {
            let shown = error.to_string();
            assert_eq!(Error::from(error).exit_code(), code, "{shown}");
        }
    }
}
