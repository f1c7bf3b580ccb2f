//! Names that a commit put in the place of others: a line that stayed as it was but for one name.

use std::collections::HashSet;

use super::code;

/// Other words of a line by which it is known again wherever it stands.
const TELLING: usize = 2;

/// The one name that a new text has where an old one had another, in a line that is the same
/// otherwise and stands where the old one stood; one that the old text had too is none.
pub(super) fn replaced<'t>(name: &str, old: &str, new: &'t str) -> Option<&'t str> {
    let (before, after) = (lines(old), lines(new));
    let (known, kept): (HashSet<&str>, HashSet<&str>) = (
        before.iter().copied().collect(),
        after.iter().copied().collect(),
    );
    let mut others = HashSet::new();
    code::each(old, &mut |other, _| {
        others.insert(other);
    });
    let mut found: Option<&str> = None;
    for (at, line) in before
        .iter()
        .enumerate()
        .filter(|(_, line)| !kept.contains(*line))
    {
        let mut place = None;
        let mut words = 0;
        code::each(line, &mut |other, bytes| {
            if other == name {
                place = place.or(Some(bytes.start));
            } else {
                words += usize::from(other.len() > 2);
            }
        });
        let Some((head, _)) = place.and_then(|place| line.split_at_checked(place)) else {
            continue;
        };
        for (to, added) in after
            .iter()
            .enumerate()
            .filter(|(_, line)| !known.contains(*line))
        {
            let Some(rest) = added.strip_prefix(head) else {
                continue;
            };
            let mut one = None;
            code::each(rest, &mut |other, bytes| {
                one = one.or((bytes.start == 0).then_some(other))
            });
            let one = one.filter(|one| !others.contains(one) && line.replace(name, one) == **added);
            let beside = |by: isize| {
                let next = |list: &[&'_ str], at: usize| {
                    let line = at
                        .checked_add_signed(by)
                        .and_then(|at| list.get(at).copied());
                    line.filter(|line| line.len() > 2).map(str::to_owned)
                };
                next(&before, at).is_some_and(|line| Some(line) == next(&after, to))
            };
            match one {
                Some(one) if words >= TELLING || beside(1) || beside(-1) => {
                    if found.is_some_and(|found| found != one) {
                        return None;
                    }
                    found = Some(one);
                }
                _ => {}
            }
        }
    }
    found
}

/// The lines of a text that are not blank, without the blanks around them.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_takes_the_place_of_another_in_a_line_that_stays() {
        for (name, old, new, expected) in [
            (
                "upsert_chunk",
                "def upsert_chunk(rows, size):\n    a = 1\n",
                "def copy_chunk(rows, size):\n    b = 2\n",
                Some("copy_chunk"),
            ),
            (
                "BATCH_ROWS",
                "import os\nBATCH_ROWS = 500\nx = 1\n",
                "import os\nCHUNK_ROWS = 500\nx = 1\n",
                Some("CHUNK_ROWS"),
            ),
            (
                "TokenBucket",
                "class TokenBucket:\n    pass\n",
                "class SlidingWindow:\n\n    pass\n",
                Some("SlidingWindow"),
            ),
            // Another function, elsewhere.
            (
                "load",
                "fn load() {\n    a();\n}\n",
                "fn store() {\n    b();\n}\n",
                None,
            ),
            // What was there before took nothing's place.
            (
                "load_rows",
                "x = load_rows(path, 1)\ny = read_rows()\n",
                "x = read_rows(path, 1)\ny = read_rows()\n",
                None,
            ),
            // Two may be meant.
            (
                "load_rows",
                "def load_rows(path, size):\n",
                "def get_rows(path, size):\ndef all_rows(path, size):\n",
                None,
            ),
            // It changed otherwise, too.
            (
                "load_rows",
                "def load_rows(path, size):\n    pass\n",
                "def get_rows(path, width):\n    pass\n",
                None,
            ),
            ("load_rows", "", "def get_rows():\n", None),
        ] {
            assert_eq!(replaced(name, old, new), expected, "{old}{new}");
        }
    }
}
