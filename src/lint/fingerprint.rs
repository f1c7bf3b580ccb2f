//! Fingerprints of memories, by which decisions hold until a text changes.

use itertools::Itertools as _;

use super::{subject, succession};
use crate::curate::Digest;
use crate::memory::Memory;

/// The fingerprint of the part of a memory that a rule compares: the body, and fields that the rule
/// names. Line ends and empty lines are ignored. It has 128 bits.
pub fn fingerprint(rule: &str, memory: &Memory, text: &str) -> String {
    let body = text.get(subject::body_range(memory, text));
    let mut compared = settled(body.unwrap_or_default());
    if rule == "superseded-active" {
        let fields = succession::fields(memory);
        compared.extend(fields.map(|(field, value)| format!("\n{field}: {value}")));
    }
    short(&compared, 32)
}

/// The fingerprint of a memory's body.
pub fn text_print(memory: &Memory, text: &str) -> String {
    fingerprint("", memory, text)
}

/// The fingerprint of a document of the project.
pub fn document_print(text: &str) -> String {
    short(&settled(text), 32)
}

/// The beginning of the digest of a text.
pub(super) fn short(text: &str, length: usize) -> String {
    let mut print = Digest::of(text.as_bytes()).0;
    print.truncate(length);
    print
}

/// A text for comparison with later versions: without empty lines and line ends.
fn settled(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    lines.filter(|line| !line.is_empty()).join("\n")
}
