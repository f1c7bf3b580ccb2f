//! The bytes that change in a file.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::plan::bytes;

/// Bytes taken out at an offset and others put in their place. A save of a 50 MB file is
/// remembered by what changed in it, not by two copies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Splice {
    /// Offset in the file before the change.
    pub at: usize,
    /// Bytes that stand there before.
    #[serde(with = "bytes")]
    pub removed: Vec<u8>,
    /// Bytes that stand there afterwards.
    #[serde(with = "bytes")]
    pub inserted: Vec<u8>,
}

impl Splice {
    /// The change from one content of a file to another.
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        let head = same_head(old, new);
        let tail = same_tail(part(old, head..old.len()), part(new, head..new.len()));
        let end = old.len() - tail;
        Self {
            at: head,
            removed: part(old, head..end).to_vec(),
            inserted: part(new, head..new.len() - tail).to_vec(),
        }
    }

    /// The splice that takes this one back.
    pub fn inverse(self) -> Self {
        Self {
            removed: self.inserted,
            inserted: self.removed,
            ..self
        }
    }

    /// Bytes with the splice made in them; none where other bytes stand there.
    pub fn applied(&self, old: &[u8]) -> Option<Vec<u8>> {
        let end = self.at.checked_add(self.removed.len())?;
        (old.get(self.at..end)? == self.removed).then_some(())?;
        Some([old.get(..self.at)?, &self.inserted, old.get(end..)?].concat())
    }
}

fn part(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

/// Bytes that are compared at once.
const STEP: usize = 4_096;

/// Length of the common beginning of two texts.
fn same_head(a: &[u8], b: &[u8]) -> usize {
    let steps = a.chunks_exact(STEP).zip(b.chunks_exact(STEP));
    let from = STEP * steps.take_while(|(a, b)| a == b).count();
    let (x, y) = (a.get(from..), b.get(from..));
    let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
    from + x.iter().zip(y).take_while(|(a, b)| a == b).count()
}

/// Length of the common end of two texts.
fn same_tail(a: &[u8], b: &[u8]) -> usize {
    let steps = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP));
    let from = STEP * steps.take_while(|(a, b)| a == b).count();
    let rest = |bytes: &[u8]| ..bytes.len().saturating_sub(from);
    let (x, y) = (a.get(rest(a)), b.get(rest(b)));
    let (x, y) = (x.unwrap_or_default(), y.unwrap_or_default());
    let (x, y) = (x.iter().rev(), y.iter().rev());
    from + x.zip(y).take_while(|(a, b)| a == b).count()
}
