//! Statements of one form about two subjects, and about one.

use super::*;

/// Whether one is neither a contradiction of the other nor a repetition.
fn are_two(a: &str, b: &str) {
    let relation = relation(a, b);
    assert!(
        matches!(relation, Relation::Apart | Relation::Other),
        "{a} / {b}: {relation:?}"
    );
}

#[test]
fn one_form_about_two_subjects_neither_repeats_nor_contradicts() {
    for (form, a, b) in [
        (
            "The {} of the depot fleet is switched off by the caretaker when nobody has logged in for an hour.",
            "rack A",
            "rack B",
        ),
        (
            "Step {} of the handover is checked by the second engineer before anything else is begun.",
            "5",
            "6",
        ),
        (
            "The {} service takes its certificates from the store at boot and renews them every night.",
            "parcel",
            "pallet",
        ),
        (
            "On {} the helper is installed by the package manager and updated when the desk restarts.",
            "Windows",
            "Debian",
        ),
        (
            "`{}` is a small layer over the queue library that adds the trace and a deadline.",
            "ParcelQueue",
            "PalletQueue2",
        ),
        (
            "`{}` fails on slow machines because it waits for the printer; run it again before you dig.",
            "test_label_margin",
            "test_stock_count",
        ),
        (
            "Look at note {} for the reasons why the scanner keeps two sockets open per door.",
            "DEPOT-310",
            "DEPOT-311",
        ),
        (
            "Host {} is a scanner with two antennas that is cleaned every Friday night by the crew.",
            "sc-01",
            "sc-02",
        ),
        (
            "The {} kit is made from the same schema file and published by the nightly job.",
            "Kotlin",
            "Swift",
        ),
        (
            "Rows of the table `{}` are kept for ever, only marked with a sign in the first column.",
            "parcels",
            "pallets",
        ),
        (
            "The file `{}` is written by the label compiler and must not be changed by hand.",
            "gen/labels.kt",
            "gen/stamps.kt",
        ),
        (
            "The endpoint `{}` needs the role `clerk` and answers with 401 otherwise.",
            "GET /racks",
            "GET /doors",
        ),
        ("Call `{}` at the end of a shift.", "close()", "report()"),
        ("Then open the drawer and choose {}.", "Print", "Weigh"),
        ("Do not use {} for the labels of the depot.", "npm", "yarn"),
    ] {
        are_two(&form.replace("{}", a), &form.replace("{}", b));
    }
}

#[test]
fn what_was_does_not_contradict_what_is() {
    for (a, b) in [
        ("The door limit was 4.", "The door limit is 7 now."),
        (
            "Calls to the carrier timed out after 15 seconds.",
            "Calls to the carrier time out after 40 seconds.",
        ),
        (
            "The sorter held 12 crates per lane.",
            "The sorter holds 16 crates per lane.",
        ),
    ] {
        are_two(a, b);
    }
    // Both are how it is.
    let cached = (
        "The cached routes live for 3 days on the hub.",
        "The cache routes live for 5 days on the hub.",
    );
    assert_eq!(slot(cached.0, cached.1), Some(Slot::Number));
}

#[test]
fn another_value_of_one_subject_contradicts() {
    for (kind, form, a, b) in [
        (
            Slot::Name,
            "The weight of a parcel is read from {} by the sorter.",
            "hub-a.internal",
            "hub-b.internal",
        ),
        (
            Slot::Name,
            "The night job takes its parcels from {} and never from the first hub.",
            "hub-1.db",
            "hub-2.db",
        ),
        (
            Slot::Name,
            "Build the label kit with {} after a change of the schema.",
            "`make labels`",
            "`just stamps`",
        ),
        (
            Slot::Word,
            "Times of a scan are written in {} and never converted.",
            "UTC",
            "local time",
        ),
        (
            Slot::Opposite,
            "A crate must hold {} one parcel before the belt moves.",
            "at least",
            "exactly",
        ),
        (
            Slot::Number,
            "Stamps are {} pixels wide on the label.",
            "120x80",
            "240x160",
        ),
        (
            Slot::Number,
            "Hold the button of the belt for {}.",
            "300 ms",
            "0.8 s",
        ),
        (
            Slot::Unit,
            "The fees of the carrier table are kept in {} before the tax.",
            "EUR",
            "USD",
        ),
        (
            Slot::Name,
            "The gate of the depot answers on {} and nowhere else.",
            "10.1.2.3",
            "10.1.4.3",
        ),
        (
            Slot::Version,
            "The handheld app is built with Xcode {}.",
            "15.2",
            "16.1",
        ),
        (
            Slot::Opposite,
            "{} may open the store room.",
            "Only clerks",
            "Everyone",
        ),
        (
            Slot::Negation,
            "Die Etiketten werden {} vor dem Wiegen gedruckt.",
            "immer",
            "nie",
        ),
        (
            Slot::Number,
            "Das Band hält nach {} Kisten an.",
            "zehn",
            "zwanzig",
        ),
        (
            Slot::Opposite,
            "Die Waage am Tor ist in der Nacht {} worden.",
            "eingeschaltet",
            "ausgeschaltet",
        ),
    ] {
        let (a, b) = (form.replace("{}", a), form.replace("{}", b));
        assert_eq!(slot(&a, &b), Some(kind), "{a} / {b}");
    }
}

#[test]
fn what_is_the_only_one_is_named_by_what_it_is() {
    let a = "`ScaleDriver.read` is the only way to the scale.";
    let b = "`WeightGate.read` is the only way to the scale.";
    assert_eq!(slot(a, b), Some(Slot::Name));
}

#[test]
fn one_opposite_word_contradicts() {
    for (a, b) in [
        (
            "The e2e suite must run in headed mode.",
            "The e2e suite must run in headless mode.",
        ),
        (
            "Errors of the payment provider are fatal for the checkout worker.",
            "Errors of the payment provider are non-fatal for the checkout worker.",
        ),
        (
            "The mail worker uses optimistic locking for the outbox table.",
            "The mail worker uses pessimistic locking for the outbox table.",
        ),
        (
            "Migrations of the billing schema run in the morning, and the owner of the schema watches the dashboard.",
            "Migrations of the billing schema run in the evening, and the owner of the schema watches the dashboard.",
        ),
        (
            "The texture importer flips images vertically before upload.",
            "The texture importer flips images horizontally before upload.",
        ),
        (
            "The planner of the report service runs single-threaded on staging.",
            "The planner of the report service runs multi-threaded on staging.",
        ),
        (
            "Access to the vault is revocable for contractors of the agency.",
            "Access to the vault is irrevocable for contractors of the agency.",
        ),
        (
            "Keys of the public API are unversioned in the gateway.",
            "Keys of the public API are versioned in the gateway.",
        ),
        (
            "The codec of the archive is lossless for scanned pages.",
            "The codec of the archive is lossy for scanned pages.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(Slot::Opposite), "{a} / {b}");
    }
}

#[test]
fn an_opposite_that_tells_two_kinds_of_a_thing_apart_does_not() {
    for (a, b) in [
        (
            "The uploader keeps small files in memory until the request ends.",
            "The uploader keeps large files in memory until the request ends.",
        ),
        (
            "The limit of the inner queue is 40 jobs per worker.",
            "The limit of the outer queue is 40 jobs per worker.",
        ),
        (
            "Public methods have doc comments in the core crate.",
            "Private methods have doc comments in the core crate.",
        ),
        (
            "The daily report of the shop is sent by the mail worker.",
            "The weekly report of the shop is sent by the mail worker.",
        ),
        (
            "Light themes read their colours from the palette file.",
            "Dark themes read their colours from the palette file.",
        ),
        (
            "Logs of failed jobs are kept in the archive bucket.",
            "Logs of passed jobs are kept in the archive bucket.",
        ),
    ] {
        are_two(a, b);
    }
}
