//! GitHub's workflow commands.

use std::fmt::Write as _;
use std::path::Path;

use super::Report;
use crate::lint::chars::visible;
use crate::memory::Severity;

impl Report<'_> {
    /// One workflow command for each finding.
    pub fn github(&self) -> String {
        let mut text = String::new();
        for finding in self.findings {
            let command = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let mut message = visible(&self.titled(finding)).into_owned();
            for evidence in 0..finding.evidence.len() {
                message.push('\n');
                message.push_str(&visible(&finding.shown(evidence)));
            }
            let path = self.path(finding.memory);
            // A file of the user's is none that the reader of a pull request has.
            let place = if Path::new(&path).is_absolute() {
                message.insert_str(0, &format!("{}: ", visible(&self.id(finding.memory))));
                String::new()
            } else {
                let path = property(&visible(&path));
                format!("file={path},line={},col={},", finding.line, finding.column)
            };
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "::{command} {place}title={}::{}",
                property(finding.rule),
                data(&message),
            );
        }
        for note in self.notes {
            let message = data(&visible(&note.message));
            let _ = writeln!(
                text,
                "::notice title={}::not checked: {message}",
                property(note.rule)
            );
        }
        text
    }
}

/// The escapes of a command's text.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The escapes of a command's properties.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
