//! Changes of a file that are taken out from under later ones.

use memkeep::curate::threeway::reorder;
use proptest::prelude::*;

/// Texts after each change without the first one, or the number of the change in the way.
fn without(texts: &[&str]) -> Result<Vec<String>, usize> {
    let all: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    let left = reorder(&all[0], &all[1..])?.into_iter();
    Ok(left.map(|text| String::from_utf8(text).unwrap()).collect())
}

#[test]
fn a_change_is_taken_out_from_under_later_ones() {
    for (texts, left) in [
        // Two rows are added, and the first one goes.
        (
            &["a\n", "a\nx\n", "a\nx\ny\n"][..],
            Ok(&["a\n", "a\ny\n"][..]),
        ),
        // A deleted row comes back before one that was added in its place.
        (&["a\nb\n", "a\n", "a\nc\n"], Ok(&["a\nb\n", "a\nb\nc\n"])),
        (
            &["a\nb\n", "a\nB\n", "a\nB\nc\n", "A\nB\nc\n"],
            Ok(&["a\nb\n", "a\nb\nc\n", "A\nb\nc\n"]),
        ),
        // Blank lines around two entries are equal: the hunks only seem to overlap.
        (
            &["x\n\nb\n\nc\n", "x\n\nc\n", "x\n"],
            Ok(&["x\n\nb\n\nc\n", "x\n\nb\n"]),
        ),
        (&["a\n", "b\n", "c\n"], Err(1)),
        (&["a\n", "a\nx\ny\n", "a\nx\nz\ny\n"], Err(0)),
        // Without a line end at the end two rows would become one.
        (&["a", "a\nx\n", "a\nx\ny\n"], Err(0)),
    ] {
        let left = left.map(|left| left.iter().map(|text| (*text).to_owned()).collect());
        let way = without(texts);
        match left {
            Err(_) => assert!(way.is_err(), "{texts:?}: {way:?}"),
            left => assert_eq!(way, left, "{texts:?}"),
        }
    }
}

proptest! {
    #[test]
    fn both_orders_lead_to_the_same_text(lines in "([ab]\\n){0,8}", edits in proptest::collection::vec((0_usize..9, 0_usize..3, "([abx]\\n){0,2}"), 1..5)) {
        let mut texts = vec![lines];
        for (at, gone, new) in edits {
            let text = texts.last().unwrap();
            let lines: Vec<&str> = text.split_inclusive('\n').collect();
            let at = at.min(lines.len());
            let end = (at + gone).min(lines.len());
            texts.push(lines[..at].concat() + &new + &lines[end..].concat());
        }
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        if let Ok(left) = without(&all) {
            // What the first change removed and added is there again or gone; nothing else is.
            let count = |text: &str, line: &str| text.lines().filter(|one| *one == line).count();
            for line in ["a", "b", "x"] {
                let last = count(left.last().unwrap(), line) + count(all[1], line);
                prop_assert_eq!(last, count(all.last().unwrap(), line) + count(all[0], line));
            }
        }
    }
}
