//! Many short lists of numbers in two pieces of memory.

/// Lists of numbers below `u32::MAX`, told by their place.
#[derive(Default)]
pub struct Lists {
    /// Where each list ends.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Adds a list at the end.
    pub fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(number(self.items.len()));
    }

    /// The lists that (list, item) pairs make. What is not among so many lists is left out.
    pub fn of_pairs(count: usize, pairs: &[(u32, u32)]) -> Self {
        let mut ends = vec![0; count];
        for (list, _) in pairs {
            if let Some(end) = ends.get_mut(*list as usize) {
                *end += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        // Each end is a beginning until its items are in.
        let mut items = vec![0; sum as usize];
        for (list, item) in pairs {
            if let Some(end) = ends.get_mut(*list as usize) {
                if let Some(place) = items.get_mut(*end as usize) {
                    *place = *item;
                }
                *end += 1;
            }
        }
        Self { ends, items }
    }

    /// A list; empty where there is none.
    pub fn get(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = start.copied().unwrap_or_default() as usize;
        let end = self.ends.get(at).map_or(start, |end| *end as usize);
        self.items.get(start..end).unwrap_or_default()
    }

    /// Gives back what was set aside for more.
    pub fn shrink(&mut self) {
        self.ends.shrink_to_fit();
        self.items.shrink_to_fit();
    }
}

/// A place as a number of four bytes; a store has fewer memories than that.
pub fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_become_lists() {
        let lists = Lists::of_pairs(4, &[(2, 7), (0, 1), (2, 3), (9, 9), (3, 5)]);
        let all: Vec<&[u32]> = (0..5).map(|at| lists.get(at)).collect();
        assert_eq!(all, [&[1][..], &[], &[7, 3], &[5], &[]]);
        let mut pushed = Lists::default();
        all.iter()
            .for_each(|list| pushed.push(list.iter().copied()));
        assert!((0..6).all(|at| pushed.get(at) == lists.get(at)));
    }
}
