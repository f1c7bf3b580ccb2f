//! Blocks of code in a text.

use std::ops::Range;

/// Where the lines begin that open and close the blocks of code of a text.
pub(super) struct Fences {
    marks: Vec<usize>,
    end: usize,
}

impl Fences {
    /// Of this text.
    pub fn of(text: &str) -> Self {
        let mut marks = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let head = line.trim_start_matches(|c: char| c == '>' || c.is_whitespace());
            if head.starts_with("```") || head.starts_with("~~~") {
                marks.push(at);
            }
            at += line.len();
        }
        Self { marks, end: at }
    }

    /// The block that a place stands in.
    pub fn around(&self, at: usize) -> Option<Range<usize>> {
        let before = self.marks.partition_point(|mark| *mark <= at);
        let open = before.checked_sub(1).and_then(|at| self.marks.get(at));
        let open = open.filter(|_| before % 2 == 1)?;
        Some(*open..self.marks.get(before).copied().unwrap_or(self.end))
    }
}
