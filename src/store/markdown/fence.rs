//! Fields that a loader does not read because they do not begin on the first line of their file.

use std::ops::Range;

use crate::memory::document::{BOM, is_crlf, part};
use crate::memory::format::Table;

/// Lines of a file in which its fields may begin.
const FIRST: u32 = 40;

/// Fields between two fences, below other lines.
pub(super) struct LowFields {
    /// The bytes, fences included.
    block: Range<usize>,
    /// The line of the first fence, from 1.
    pub line: u32,
}

impl LowFields {
    /// Those of a file, where the loader wants the fence on the first line. A fence in code opens
    /// nothing, unless the code begins the file: then a chat's answer was pasted whole.
    pub(super) fn of(table: &Table, bytes: &[u8]) -> Option<Self> {
        if !table.fence_first {
            return None;
        }
        let mut at = start(bytes);
        let mut open: Option<(usize, u32)> = None;
        let (mut in_code, mut is_begun, mut has_field) = (false, false, false);
        let lines = bytes.get(at..)?.split_inclusive(|byte| *byte == b'\n');
        for (line, number) in lines.zip(1..) {
            let begin = at;
            at += line.len();
            let text = line.trim_ascii_end();
            if let Some((begin, line)) = open {
                if text == b"---" {
                    let block = begin..at;
                    return has_field.then_some(Self { block, line });
                }
                has_field |= is_field(table, text);
                continue;
            }
            in_code ^= is_begun && text.trim_ascii_start().starts_with(b"```");
            is_begun |= !text.is_empty();
            match (text, number) {
                (b"---", 1) => return None,
                (b"---", _) if !in_code => open = Some((begin, number)),
                _ if number > FIRST => return None,
                _ => {}
            }
        }
        None
    }

    /// The file with its fields on the first line and the text above them below. Fences around the
    /// whole file are removed.
    pub(super) fn raised(&self, bytes: &[u8]) -> Vec<u8> {
        let (start, block) = (start(bytes), part(bytes, self.block.clone()));
        let end: &[u8] = match block.ends_with(b"\n") {
            true => b"",
            false if is_crlf(bytes) => b"\r\n",
            false => b"\n",
        };
        let (above, below) = (start..self.block.start, self.block.end..bytes.len());
        let (above, below) = (part(bytes, above), part(bytes, below));
        if let Some(below) = in_one_block(above, below) {
            return [part(bytes, 0..start), block, end, below].concat();
        }
        [part(bytes, 0..start), block, end, above, below].concat()
    }
}

/// The text below without its closing fence, if the only line above opens that code block.
fn in_one_block<'b>(above: &[u8], below: &'b [u8]) -> Option<&'b [u8]> {
    let opens = above.trim_ascii();
    let is_one = opens.starts_with(b"```") && !opens.contains(&b'\n');
    let body = below.trim_ascii_end().strip_suffix(b"```")?;
    (is_one && body.ends_with(b"\n") && !body.windows(3).any(|part| part == b"```")).then_some(body)
}

/// Returns the start of the text of a file.
fn start(bytes: &[u8]) -> usize {
    if bytes.starts_with(BOM) { BOM.len() } else { 0 }
}

fn is_field(table: &Table, line: &[u8]) -> bool {
    let line = std::str::from_utf8(line).unwrap_or_default();
    let key = line.split_once(':').map(|(key, _)| key);
    key.is_some_and(|key| table.schema.field(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::LowFields;
    use crate::memory::format::table;

    #[test]
    fn fields_move_to_the_first_line_and_no_byte_is_lost() {
        let copilot = table("copilot").unwrap();
        let front = "---\napplyTo: \"**\"\n---\n";
        let raised = |text: &str| {
            let low = LowFields::of(copilot, text.as_bytes())?;
            let raised = String::from_utf8(low.raised(text.as_bytes())).unwrap();
            Some((low.line, raised))
        };
        for (before, line, after) in [
            ("\n \n", 3, "Text.\n"),
            ("<!-- a note -->\n", 2, "\nText.\n"),
            ("```instructions\n", 2, "Text.\n"),
            ("```instructions\n", 2, "Text.\n```\nMore.\n"),
            ("\u{feff}\n", 2, "Text.\n"),
            ("Text.\n", 2, ""),
        ] {
            let (bom, above) = match before.strip_prefix('\u{feff}') {
                Some(above) => ("\u{feff}", above),
                None => ("", before),
            };
            let expected = (line, format!("{bom}{front}{above}{after}"));
            let text = format!("{before}{front}{after}");
            assert_eq!(raised(&text), Some(expected), "{text}");
        }
        let pasted = format!("```instructions\n{front}\n# Rules\n\nText.\n```\n");
        let whole = format!("{front}\n# Rules\n\nText.\n");
        assert_eq!(raised(&pasted), Some((2, whole)));
        let unended = "\r\n---\r\napplyTo: x\r\n---";
        let expected = "---\r\napplyTo: x\r\n---\r\n\r\n".to_owned();
        assert_eq!(raised(unended), Some((2, expected)));
    }

    #[test]
    fn other_lines_between_rules_are_no_fields() {
        let copilot = table("copilot").unwrap();
        for text in [
            "---\napplyTo: x\n---\n",
            "Text.\n---\nnote: x\n---\n",
            "Text.\n---\napplyTo: x\n",
            "How to write one:\n```yaml\n---\napplyTo: x\n---\n```\n",
            "",
        ] {
            assert!(LowFields::of(copilot, text.as_bytes()).is_none(), "{text}");
        }
        let kiro = table("kiro").unwrap();
        assert!(LowFields::of(kiro, b"\n---\ninclusion: always\n---\n").is_none());
    }
}
