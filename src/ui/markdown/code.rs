//! Blocks of code.

use std::ops::Range;

use super::wrap::{Run, push};
use crate::app::msg::Rgb;
use crate::ui::theme::{Role, Theme};

/// A block of code as it is read.
#[derive(Default)]
pub(super) struct Code {
    /// The language as the text names it; empty where it names none.
    pub language: String,
    text: String,
    /// Place of each line in the source.
    lines: Vec<Range<usize>>,
}

impl Code {
    /// An empty block in the language that the first word after the fence names.
    pub fn new(info: &str) -> Self {
        let word = info.split([' ', ',', '{', '\t']).next();
        Self {
            language: word.unwrap_or_default().to_owned(),
            ..Self::default()
        }
    }

    /// Adds what the reader gives, which is a line or several or a part of one.
    pub fn push(&mut self, text: &str, range: &Range<usize>) {
        let mut at = range.start;
        for line in text.split_inclusive('\n') {
            let shown = line.trim_end_matches(['\n', '\r']);
            let end = (at + shown.len()).min(range.end);
            let goes_on = !self.text.is_empty() && !self.text.ends_with('\n');
            match self.lines.last_mut().filter(|_| goes_on) {
                Some(last) => last.end = end,
                None => self.lines.push(at..end),
            }
            self.text.push_str(line);
            at += line.len();
        }
    }

    /// The lines in their colours, where they are known and are those of this text.
    pub fn lines<'a>(
        &'a self,
        theme: &'a Theme,
        colours: Option<&'a Vec<Vec<(Rgb, String)>>>,
    ) -> impl Iterator<Item = Vec<Run>> + 'a {
        let lines = self.text.lines().zip(&self.lines).enumerate();
        lines.map(move |(n, (text, source))| {
            let known = colours.and_then(|block| block.get(n)).filter(|line| {
                let whole: usize = line.iter().map(|(_, part)| part.trim_end().len()).sum();
                whole <= text.len() && line.iter().all(|(_, part)| text.contains(part.trim_end()))
            });
            let mut runs = Vec::new();
            let Some(line) = known else {
                push(&mut runs, text, theme.style(Role::CodeBlock), source);
                return runs;
            };
            let mut at = source.start;
            for (rgb, part) in line {
                let text = part.trim_end_matches(['\n', '\r']);
                push(&mut runs, text, theme.code(*rgb), &(at..at + text.len()));
                at += text.len();
            }
            runs
        })
    }
}
