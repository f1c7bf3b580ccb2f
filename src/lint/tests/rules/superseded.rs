//! Memories that are over.

use super::*;
use crate::memory::Expiry;

#[test]
fn which_of_two_holds_is_said_in_a_field_or_in_the_body() {
    let old = "Berths are held for 20 minutes.";
    for (new, asked) in [
        ("Supersedes old-berths. Berths are held for 45 minutes.", 0),
        (
            "Supersedes: `old-berths`\n\nBerths are held for 45 minutes.",
            0,
        ),
        (
            "**Supersedes:** old-berths\n\nBerths are held for 45 minutes.",
            0,
        ),
        (
            "This supersedes [[old-berths]]. Berths are held for 45 minutes.",
            0,
        ),
        (
            "Supersedes [the old berths](old-berths.md): berths are held for 45 minutes.",
            0,
        ),
        (
            "Berths are held for 45 minutes. (Supersedes [old-berths](./old-berths.md#hold).)",
            0,
        ),
        ("Supersedes old-quays. Berths are held for 45 minutes.", 1),
        (
            "Berths are held for 45 minutes. This no longer supersedes old-berths.",
            1,
        ),
        (
            "Berths are held for 45 minutes. It never supersedes [old-berths](old-berths.md).",
            1,
        ),
        ("Berths are held for 45 minutes.", 1),
    ] {
        let samples = vec![
            memory("old-berths").front("", old),
            memory("new-berths").front("", new),
        ];
        let store = Store::new(samples);
        assert_eq!(store.only("contradiction").len(), asked, "{new}");
        assert_eq!(store.only("superseded-active").len(), 1 - asked, "{new}");
    }
}

#[test]
fn a_memory_that_says_what_took_its_place_is_asked_about_once() {
    let new = "Berths are held for 45 minutes.";
    for begins in [
        "Superseded by new-berths.",
        "**Superseded by [new berths](new-berths.md)**",
        "> Superseded by [[new-berths]]",
        "DEPRECATED: use new-berths.",
        "Deprecated in favour of `new-berths`.",
        "Obsolete, see new-berths",
        "[Outdated] — read [this](./new-berths.md)",
    ] {
        for said in ["", "\n\nSupersedes old-berths."] {
            let old = format!("{begins}\n\nBerths are held for 20 minutes.");
            let store = Store::new(vec![
                memory("old-berths").front("", &old),
                memory("new-berths").front("", &format!("{new}{said}")),
            ]);
            assert_eq!(store.only("contradiction"), [], "{begins}");
            let found = store.only("superseded-active");
            assert_eq!(found.len(), 1, "{begins}");
            assert_eq!(
                (found[0].memory, &*found[0].related),
                (0, &[1][..]),
                "{begins}"
            );
        }
    }
    // What says the same is asked about once as well, and what is said of another decides nothing.
    for (begins, asked) in [
        ("Superseded by new-berths.", 0),
        ("Superseded by new-quays.", 1),
    ] {
        let old = format!("{begins}\n\nBerths are held for 45 minutes, and no longer than that.");
        let new = "Berths are held for 45 minutes, and no longer than that.";
        let store = Store::new(vec![
            memory("old-berths").front("", &old),
            memory("new-berths").front("", new),
        ]);
        let twice = ["near-duplicate", "contained"].map(|rule| store.only(rule).len());
        assert_eq!(twice.iter().sum::<usize>(), asked, "{begins}");
    }
}

#[test]
fn what_its_system_does_not_read_any_more_is_held_against_nothing() {
    let over = |days: i64| Expiry {
        at: Timestamp(NOW.0 - days * 86_400_000),
        why: "its ttlDays are over",
    };
    let slow = "The ingest job runs every 15 minutes.";
    for (rule, head, body) in [
        ("contradiction", "", "The ingest job runs every 5 minutes."),
        ("near-duplicate", "", slow),
        ("superseded-active", "supersedes: slow", slow),
    ] {
        let found = |days: i64| {
            let expires = |memory: &mut Memory| memory.expires = Some(over(days));
            let slow = memory("slow").front("", slow).change(expires);
            Store::new(vec![slow, memory("other").front(head, body)])
                .only(rule)
                .len()
        };
        assert_eq!((found(-1), found(1)), (1, 0), "{rule}");
    }
}
