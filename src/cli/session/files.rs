//! Arguments of commands: paths of files, and texts or `-` for standard input.

use std::io::{IsTerminal as _, Read as _};
use std::path::Path;

use super::Session;
use crate::cli::error::Error;
use crate::cli::output::note;
use crate::memory::link::{joined, relative};

impl Session {
    /// The path from the root of a file that is given as an absolute path, from the root or from the
    /// working directory. A path that does not exist from the root is taken from the working
    /// directory, unless fewer of its folders exist there.
    pub fn below_root(&self, file: &str) -> String {
        let root = &self.collection.root;
        let below = |folder: &Path| {
            let path = joined(folder, file);
            let is_missing = |part: &&Path| !part.exists();
            let missing = path.ancestors().take_while(is_missing).count();
            let is_below = path.starts_with(root);
            is_below.then(|| (missing, relative(root, &path)))
        };
        let own = below(root);
        let here = below(&self.start).filter(|(missing, _)| {
            own.as_ref()
                .is_none_or(|(own, _)| *own > 0 && missing <= own)
        });
        here.or(own)
            .map_or_else(|| file.to_owned(), |(_, path)| path)
    }
}

/// The text of an argument, or of standard input if the argument is `-`. The line end that a shell's
/// `echo` adds is not part of it.
pub fn text_or_stdin(text: &str) -> Result<String, Error> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    if std::io::stdin().is_terminal() {
        note("reading standard input; end with Ctrl-d");
    }
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Error::wrong(format!("standard input cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| Error::wrong("standard input is not UTF-8"))?;
    let line = text
        .strip_suffix('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line));
    Ok(line.unwrap_or(&text).to_owned())
}
