//! Reads git's attributes for the content of working files, and the line ends that follow from
//! them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::super::git::{GitError, ask, run};

/// The attributes that are asked of each file.
const NAMES: &[&str] = &[
    "text",
    "crlf",
    "eol",
    "filter",
    "ident",
    "working-tree-encoding",
];

/// True if the line ends of a file are converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    Yes,
    No,
    /// By the content.
    Auto,
}

/// How git turns the bytes of a working file into those that it keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Attributes {
    text: Text,
    /// True if more than the line ends is converted: by a filter, which is a program of the
    /// repository's choice, to another encoding, or in keywords.
    pub needs_program: bool,
}

const UNKNOWN: Attributes = Attributes {
    text: Text::No,
    needs_program: true,
};

impl Attributes {
    /// The attributes of files, in their order.
    pub(in super::super) fn read(
        root: &Path,
        files: &[Cow<'_, [u8]>],
    ) -> Result<Vec<Self>, GitError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let arguments = [&["check-attr", "-z", "--stdin"], NAMES].concat();
        let input: Vec<u8> = files
            .iter()
            .flat_map(|file| [file, &b"\0"[..]].concat())
            .collect();
        let answer = ask(root, &arguments, &input)?;
        let answer: Vec<&[u8]> = answer.split(|byte| *byte == 0).collect();
        let auto = run(root, &["config", "core.autocrlf"], &[]).unwrap_or_default();
        let auto = String::from_utf8_lossy(&auto).trim().to_lowercase();
        let auto = ["true", "input", "yes", "on", "1"].contains(&&*auto);
        let mut all = answer.chunks(3 * NAMES.len()).map(|of| {
            let values = of.chunks(3).filter_map(|part| match part {
                [_, name, value] => Some((*name, *value)),
                _ => None,
            });
            Self::from_values(&values.collect(), auto)
        });
        // Of a file that git does not answer on nothing is known.
        let next = |_| all.next().unwrap_or(UNKNOWN);
        Ok(files.iter().map(next).collect())
    }

    fn from_values(values: &HashMap<&[u8], &[u8]>, auto: bool) -> Self {
        let value = |name: &str| {
            values
                .get(name.as_bytes())
                .copied()
                .unwrap_or(b"unspecified")
        };
        let text = match (value("text"), value("crlf")) {
            (b"set" | b"input", _) => Text::Yes,
            (b"unset", _) => Text::No,
            (b"auto", _) => Text::Auto,
            // The older name of the attribute.
            (_, b"set" | b"input") => Text::Yes,
            (_, b"unset") => Text::No,
            (_, b"auto") => Text::Auto,
            _ if matches!(value("eol"), b"lf" | b"crlf") => Text::Yes,
            _ if auto => Text::Auto,
            _ => Text::No,
        };
        let is_set = |name| !matches!(value(name), b"unspecified" | b"unset");
        Self {
            text,
            needs_program: is_set("filter") || is_set("ident") || is_set("working-tree-encoding"),
        }
    }

    /// The bytes with the line ends that git keeps, where they are others.
    pub(in super::super) fn convert(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let is_text = match self.text {
            Text::Yes => true,
            Text::No => false,
            Text::Auto => !is_binary(bytes),
        };
        let ends = memchr::memmem::find(bytes, b"\r\n").filter(|_| is_text);
        ends.map(|_| {
            let next = bytes.iter().skip(1).map(Some).chain([None]);
            let pairs = bytes.iter().zip(next);
            let kept = pairs.filter(|pair| *pair != (&b'\r', Some(&b'\n')));
            kept.map(|(byte, _)| *byte).collect()
        })
    }
}

/// True if git takes bytes for binary where it has to guess.
fn is_binary(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_suffix(b"\x1a").unwrap_or(bytes);
    let (mut printable, mut others) = (0_usize, 0_usize);
    let mut rest = bytes.iter().peekable();
    while let Some(byte) = rest.next() {
        match byte {
            b'\r' if rest.peek() != Some(&&b'\n') => return true,
            0 => return true,
            b'\r' | b'\n' => {}
            b'\x08' | b'\t' | b'\x1b' | b'\x0c' => printable += 1,
            0x7f | ..b' ' => others += 1,
            _ => printable += 1,
        }
    }
    printable / 128 < others
}
