//! The selected entry of a list; it stays selected when its row changes.

/// A place in a list that follows its entry through filters, sorts and changes on disk.
#[derive(Clone, Debug)]
pub struct Cursor<K> {
    /// The entry the person chose; none until they move, and then the first row is shown.
    pub chosen: Option<K>,
    pub row: usize,
    /// The first line on the screen.
    pub top: usize,
}

impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Self {
            chosen: None,
            row: 0,
            top: 0,
        }
    }
}

impl<K> Cursor<K> {
    /// Goes to a row of the list and chooses what stands there.
    pub fn go(&mut self, row: usize, rows: usize, key: impl FnOnce(usize) -> Option<K>) {
        self.row = row.min(rows.saturating_sub(1));
        if rows > 0 {
            self.chosen = key(self.row);
        }
    }

    /// After the rows changed: onto the chosen entry where it is among them. If it is not listed,
    /// the first row is shown, and the entry is gone back to when it is among them again.
    pub fn follow(&mut self, rows: usize, find: impl FnOnce(&K) -> Option<usize>) {
        let found = self.chosen.as_ref().and_then(find);
        self.row = found.unwrap_or(0).min(rows.saturating_sub(1));
    }
}

/// Lines of a list that stand above rows of it: those rows, in order.
#[derive(Debug, Default)]
pub struct Dividers(pub Vec<usize>);

impl Dividers {
    pub fn line_of(&self, row: usize) -> usize {
        row + self.0.partition_point(|at| *at <= row)
    }

    /// The row that stands on a line, or which of the dividers does.
    pub fn at(&self, line: usize) -> Result<usize, usize> {
        let lines = self.0.iter().enumerate().map(|(n, row)| row + n);
        let above = lines.clone().take_while(|at| *at < line).count();
        match lines.clone().nth(above) == Some(line) {
            true => Err(above),
            false => Ok(line - above),
        }
    }
}

/// The first line on the screen after scrolling as little as it takes to have a line on it.
pub fn shown(top: usize, line: usize, lines: usize, height: usize) -> usize {
    // Two lines of context, so that what comes next is seen before it is reached.
    let margin = 2.min(height.saturating_sub(1) / 2);
    let least = (line + margin + 1).saturating_sub(height);
    let most = line.saturating_sub(margin);
    let top = top.clamp(least.min(most), most);
    top.min(lines.saturating_sub(height))
}

/// The one that stands so many places behind another; past an end the other end follows.
pub fn next<T: Clone + PartialEq>(all: &[T], now: &T, by: isize) -> Option<T> {
    let at = all.iter().position(|one| one == now);
    all.get(turned(at.unwrap_or(0), by, all.len())).cloned()
}

/// Another row of so many; past an end the other end follows.
pub fn turned(row: usize, by: isize, rows: usize) -> usize {
    let rows = rows.max(1);
    let step = by.rem_euclid(isize::try_from(rows).unwrap_or(1));
    (row + step.unsigned_abs()) % rows
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_row_stays_in_sight_and_the_list_moves_no_more_than_it_must() {
        let mut cursor: Cursor<usize> = Cursor::default();
        for (row, top) in [(0, 0), (7, 0), (8, 1), (99, 90), (92, 90), (91, 89), (0, 0)] {
            cursor.go(row, 100, Some);
            cursor.top = shown(cursor.top, cursor.row, 100, 10);
            assert_eq!((cursor.row, cursor.top), (row, top));
        }
        cursor.go(5, 3, Some);
        cursor.top = shown(cursor.top, cursor.row, 3, 10);
        assert_eq!((cursor.row, cursor.top), (2, 0));
        cursor.go(1, 100, Some);
        cursor.top = shown(cursor.top, cursor.row, 100, 1);
        assert_eq!(cursor.top, 1);
    }

    #[test]
    fn an_entry_that_comes_back_is_stood_on_again() {
        let mut cursor = Cursor::default();
        cursor.go(3, 5, |row| Some(row * 10));
        cursor.follow(2, |_| None);
        assert_eq!(cursor.row, 0);
        cursor.follow(9, |key| (*key == 30).then_some(7));
        assert_eq!(cursor.row, 7);
    }
}
