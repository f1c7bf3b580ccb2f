//! The person's editor: how it is called and run.

use std::ffi::OsString;
use std::path::Path;

use crate::app::msg::Failure;
use crate::project::programs;

/// Default editor.
const DEFAULT: &str = "vi";
/// Editors that take `+LINE` before the file.
const PLUS: &str = "vi vim nvim gvim nano pico emacs emacsclient kak micro ne joe jed mg zile";
/// Editors that take `FILE:LINE`.
const COLON: &str = "hx helix subl zed";
/// Editors that take `--goto FILE:LINE`.
const GOTO: &str = "code code-insiders codium cursor windsurf";

/// Opens a file at a line and waits until the editor ends.
pub fn run(editor: Option<&str>, path: &Path, line: u32) -> Result<(), Failure> {
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
    let status = programs::command(&program)
        .args(arguments)
        .status()
        .map_err(|error| failure(format!("`{program}` cannot be started: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(failure(format!("`{program}` ended with {status}")))
    }
}

/// The program and its arguments.
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

    #[test]
    fn an_editor_that_cannot_be_run_is_said_with_what_to_do() {
        let failure = run(Some("/no/such/editor"), Path::new("/a"), 1).unwrap_err();
        assert!(failure.what.contains("/no/such/editor"));
        assert!(failure.hint.unwrap().contains("EDITOR"));
    }
}
