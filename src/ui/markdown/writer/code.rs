//! Blocks of code.

use std::ops::Range;

use pulldown_cmark::CowStr;

use super::super::CodeBlock;
use super::super::wrap::{self, Run, join};
use super::Writer;
use crate::app::msg::Rgb;
use crate::ui::safe;
use crate::ui::theme::Role;

/// A block of code as it is read: text, and where each of its lines stands in the source.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub language: String,
    pub text: String,
    pub lines: Vec<Range<usize>>,
}

impl Code {
    /// Adds what the reader gives, which is a line or several or a part of one.
    pub(super) fn push(&mut self, text: &CowStr<'_>, range: &Range<usize>) {
        let mut at = range.start;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            let whole = at..(at + shown.len()).min(range.end);
            match self.lines.last_mut() {
                Some(last) if !self.text.is_empty() && !self.text.ends_with('\n') => {
                    last.end = whole.end;
                }
                _ => self.lines.push(whole),
            }
            self.text.push_str(line);
            at += line.len();
        }
    }
}

impl Writer<'_> {
    pub(super) fn code_ends(&mut self) {
        let Some(code) = self.code.take() else {
            return;
        };
        self.begin();
        let faint = self.theme.style(Role::Faint);
        let plain = self.theme.style(Role::CodeBlock);
        let colours = self.colours.get(self.blocks.len());
        let room = self.room();
        if !code.language.is_empty() {
            let mut parts = Vec::new();
            join(&mut parts, &safe::fit(&code.language, room), faint, None);
            self.row(parts);
        }
        for (n, (text, source)) in code.text.lines().zip(&code.lines).enumerate() {
            if self.full() {
                break;
            }
            let runs = self.coloured(text, source, colours.and_then(|block| block.get(n)));
            let left = self.most.saturating_sub(self.rows.len()) + 1;
            for mut parts in wrap::chop(&runs, room, left) {
                let used: usize = parts.iter().map(|part| safe::width(&part.text)).sum();
                join(
                    &mut parts,
                    &" ".repeat(room.saturating_sub(used)),
                    plain,
                    None,
                );
                self.row(parts);
            }
        }
        self.blocks.push(CodeBlock {
            language: code.language,
            text: code.text,
        });
        self.gap = true;
    }

    /// A line of code in its colours, where they are known and are those of this text.
    pub(super) fn coloured(
        &self,
        text: &str,
        source: &Range<usize>,
        colours: Option<&Vec<(Rgb, String)>>,
    ) -> Vec<Run> {
        let known = colours.filter(|line| {
            let whole: usize = line.iter().map(|(_, text)| text.trim_end().len()).sum();
            whole <= text.len() && line.iter().all(|(_, part)| text.contains(part.trim_end()))
        });
        let Some(line) = known else {
            return vec![Run {
                text: text.to_owned(),
                style: self.theme.style(Role::CodeBlock),
                source: source.clone(),
            }];
        };
        let mut at = source.start;
        line.iter()
            .map(|(rgb, part)| {
                let part = part.trim_end_matches(['\n', '\r']);
                let run = Run {
                    text: part.to_owned(),
                    style: self.theme.code(*rgb),
                    source: at..at + part.len(),
                };
                at += part.len();
                run
            })
            .collect()
    }
}

/// The first word after the fence.
pub(super) fn language(info: &str) -> String {
    let word = info.split([' ', ',', '{', '\t']).next();
    word.unwrap_or_default().to_owned()
}
