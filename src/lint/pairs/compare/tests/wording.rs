//! Statements that are only worded otherwise.

use super::*;

/// A statement, and the same in other words.
const REWORDED: [(&str, &str); 14] = [
    (
        "The importer runs its migrations before it reads the first file.",
        "Importer executes its migrations prior to reading the first file.",
    ),
    (
        "Requests are sent via the gateway and stored for thirty days.",
        "Requests are sent through the gateway and kept for 30 days.",
    ),
    (
        "Added a retry helper to the uploader, which uses the shared clock.",
        "Introduced a retry helper to the uploader, which utilizes the shared clock.",
    ),
    (
        "A task must never be closed without its evidence.",
        "A task should never be closed without its evidence.",
    ),
    (
        "Screens load their texts lazily (e.g. the help pages) to start faster.",
        "Screens load their texts lazily (for example the help pages) to start faster.",
    ),
    (
        "Golden files live in `tests/golden/` beside the cases.",
        "Golden files live in tests/golden/ beside the cases.",
    ),
    (
        "The first of the 3 workers writes the index.",
        "The 1st of the three workers writes the index.",
    ),
    (
        "The ledger rounds half to even.",
        "Remember: the ledger rounds half to even.",
    ),
    (
        "The ledger rounds half to even.",
        "**Important:** The ledger rounds half to even.",
    ),
    (
        "When a page is added: write its route, its texts and a test.",
        "In this project, when a page is added: write its route, its texts and a test.",
    ),
    (
        "Sync: each device keeps a queue of changes, sends them in order when it is online, and drops those that the server has.",
        "Sync (offline): each device keeps a queue of changes, sends them in order when it is online, and drops those that the server has.",
    ),
    (
        "In `play()` the hook was called before the sound began and before `track` was set",
        "The hook was called before the sound began and before `track` was set in `play()`",
    ),
    (
        "The config folder is read once at start.",
        "The settings directory is read once at start.",
    ),
    (
        "Currently the queue holds its jobs in memory only.",
        "The queue holds its jobs solely in memory.",
    ),
];

#[test]
fn other_words_for_the_same_contradict_nothing() {
    for (a, b) in REWORDED {
        let relation = relation(a, b);
        assert!(
            matches!(relation, Relation::Same(_)),
            "{a} / {b}: {relation:?}"
        );
    }
}

#[test]
fn a_contrast_that_both_draw_is_none() {
    for (a, b) in [
        (
            "Mocks of the services are created with mockery, not gomock.",
            "Mocks of the services are created with mockery.",
        ),
        (
            "Rows of the customers are purged after 30 days.",
            "Rows of the customers are not purged by hand after 30 days.",
        ),
        (
            "Shared board of open tasks for the team",
            "No shared board of open tasks",
        ),
    ] {
        let relation = relation(a, b);
        let contradicts = matches!(relation, Relation::Contradiction { .. });
        assert!(!contradicts, "{a} / {b}: {relation:?}");
    }
}

#[test]
fn what_only_looks_like_another_wording_is_not_one() {
    for (a, b) in [
        (
            "The queue must hold three jobs.",
            "The queue must hold 4 jobs.",
        ),
        (
            "The importer starts the index when a file ends.",
            "The importer stops the index when a file ends.",
        ),
        (
            "Important: the port is 8080 in tests.",
            "Remember: the port is 9090 in tests.",
        ),
        (
            "Upload timeout: 30 seconds for a part",
            "Timeout: 30 seconds for a part",
        ),
    ] {
        let relation = relation(a, b);
        assert!(
            !matches!(relation, Relation::Same(_)),
            "{a} / {b}: {relation:?}"
        );
    }
}

#[test]
fn other_words_around_it_hide_no_contradiction() {
    for (kind, a, b) in [
        (
            Slot::Negation,
            "The index of the ledger is rebuilt on every save.",
            "On every save the index of the ledger is not rebuilt.",
        ),
        (
            Slot::Number,
            "The game server simulates at 30 ticks per second.",
            "The game server runs its simulation at 20 ticks per second.",
        ),
        (
            Slot::Number,
            "Uploads are stored for 30 days on the share.",
            "Uploads are kept for ten days on the share.",
        ),
        (
            Slot::Negation,
            "Rows of the customers get a mark and are purged after 30 days.",
            "Rows of the customers get a mark and are never purged.",
        ),
        (
            Slot::Name,
            "Mocks of the services are created with gomock",
            "Mocks of the services are created with mockery, not gomock",
        ),
        (
            Slot::Name,
            "The gateway of the tests listens on 80.",
            "The gateway of the tests listens on 8080 instead of 80.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
}
