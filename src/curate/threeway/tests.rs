use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::memory::{Memory, MemoryId};
use crate::systems::ralph;

/// Memories of a file in Ralph's format, by its own reader.
fn entries(bytes: &[u8]) -> Vec<Arc<Memory>> {
    let all = ralph::read(bytes).entries.into_iter();
    all.map(|entry| {
        let local = String::from_utf8_lossy(entry.id(bytes)).into_owned();
        let id = MemoryId::new(&"ralph".into(), local);
        let mut memory = Memory::new(id, Path::new("/memories.md").into(), &ralph::RALPH);
        memory.span = entry.span;
        Arc::new(memory)
    })
    .collect()
}

fn merged(base: &str, ours: &str, theirs: &str) -> Merged {
    let all = [base, ours, theirs].map(|text| entries(text.as_bytes()));
    let [b, o, t] = [base, ours, theirs].map(str::as_bytes);
    let split = |text, n: usize| Split::new(text, &all[n]);
    merge(&split(b, 0), &split(o, 1), &split(t, 2))
}

fn entry(n: u32, text: &str, tags: &str) -> String {
    let id = format!("mem-1{n}-000{}", n % 10);
    format!("### {id}\n> {text}\n<!-- tags: {tags} | created: 2026-01-01 -->\n\n")
}

const HEAD: &str = "# Memories\n\n## Patterns\n\n";

#[test]
fn what_one_side_removes_goes_unless_the_other_changed_it() {
    let base = format!("{HEAD}{}{}", entry(1, "one", "a"), entry(2, "two", "b"));
    let without = format!("{HEAD}{}", entry(2, "two", "b"));
    let all = merged(&base, &without, &base);
    assert_eq!((all.text, all.conflicts), (without.clone().into_bytes(), 0));
    let changed = base.replace("> one", "> 1");
    for (ours, theirs) in [(&without, &changed), (&changed, &without)] {
        assert_eq!(merged(&base, ours, theirs).conflicts, 1);
    }
}

#[test]
fn a_line_that_both_sides_rewrote_is_a_conflict() {
    let file = |line: &str| format!("# Memories\n\n{line}\n\n{}", entry(1, "one", "a"));
    let [base, ours, theirs] = [5, 6, 7].map(|n| file(&format!("Pools hold {n}.")));
    let all = merged(&base, &ours, &theirs);
    let text = String::from_utf8(all.text).unwrap();
    assert_eq!(all.conflicts, 1, "{text}");
    let both = "<<<<<<< ours\nPools hold 6.\n=======\nPools hold 7.\n>>>>>>> theirs\n";
    assert!(text.contains(both), "{text}");
}

proptest! {
    #[test]
    fn disjoint_additions_never_conflict_and_lose_nothing(
        base in proptest::collection::btree_set(0..40_u32, 0..6),
        ours in proptest::collection::btree_set(40..70_u32, 0..5),
        theirs in proptest::collection::btree_set(70..99_u32, 0..5),
        at in 0..6_usize,
        sections in any::<bool>(),
    ) {
        let file = |all: &[u32]| {
            let texts: String = all.iter().map(|n| entry(*n, &format!("text {n}"), "a")).collect();
            format!("{HEAD}{texts}{}", if sections { "## Fixes\n" } else { "" })
        };
        let base: Vec<u32> = base.into_iter().collect();
        let with = |new: &std::collections::BTreeSet<u32>, at: usize| {
            let mut all = base.clone();
            let at = at.min(all.len());
            all.splice(at..at, new.iter().copied());
            all
        };
        let (one, other) = (with(&ours, at), with(&theirs, 0));
        let all = merged(&file(&base), &file(&one), &file(&other));
        prop_assert_eq!(all.conflicts, 0);
        let text = String::from_utf8(all.text).unwrap();
        let read = entries(text.as_bytes());
        prop_assert_eq!(read.len(), base.len() + ours.len() + theirs.len());
        // A side that did nothing leaves what the other did, removals too.
        let mut fewer = other.clone();
        fewer.retain(|n| n % 3 != 0);
        for changed in [&one, &other, &fewer] {
            let (old, new) = (file(&base), file(changed));
            for (ours, theirs) in [(&old, &new), (&new, &old)] {
                let all = merged(&old, ours, theirs);
                let text = String::from_utf8(all.text).unwrap();
                prop_assert_eq!((text.trim_end(), all.conflicts), (new.trim_end(), 0));
            }
        }
        for n in base.iter().chain(&ours).chain(&theirs) {
            let whole = entry(*n, &format!("text {n}"), "a");
            prop_assert!(text.contains(whole.trim_end()), "{}", text);
        }
    }

    #[test]
    fn no_byte_of_a_file_is_lost(text in "(# |---\n|\n|### mem-1-000a\n|> a\n|- \\[a\\]\\(b\\)\n| |é){0,12}") {
        let memories = entries(text.as_bytes());
        let split = Split::new(text.as_bytes(), &memories);
        let all: Vec<u8> = split.segments.iter().flat_map(|one| [one.lead, one.text].concat()).chain(split.tail.iter().copied()).collect();
        prop_assert_eq!(String::from_utf8(all).unwrap(), text);
    }
}
