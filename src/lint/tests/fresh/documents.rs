//! Memories that say what a document of the project says, or its opposite.

use super::*;

#[test]
fn a_memory_that_contradicts_a_document_does_not_repeat_it() {
    let claude = "# Ferries\n\nAlways take the shared client for calls to the harbour, for it adds \
        the berth header and a timeout of ten seconds.\n\nLights of the pier are turned on by the \
        harbour master at the desk after a look by two sailors.\n\nA failed call is tried again \
        at most three times with a pause of nine seconds between.\n";
    let project = Fake::new(&[("CLAUDE.md", claude)]);
    for (body, says) in [
        (
            "Never take the shared client for calls to the harbour, for it adds the berth header \
                and a timeout of ten seconds.",
            "w Contradicts `CLAUDE.md`: Never and Always",
        ),
        (
            "Always take the shared client for calls to the harbour, for it adds the berth header \
                and a timeout of thirty seconds.",
            "w Conflicting number with `CLAUDE.md`: thirty and ten",
        ),
        (
            "Lights of the pier are turned off by the harbour master at the desk after a look by \
                two sailors.",
            "w Opposite of `CLAUDE.md`: off and on",
        ),
        (
            "A failed call is tried again at most seven times with a pause of nine seconds between.",
            "w Conflicting number with `CLAUDE.md`: seven and three",
        ),
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
        assert_eq!(said(&project, "contradiction", body), [says], "{body}");
    }
    let body =
        "A failed call is tried again at most seven times with a pause of nine seconds between.";
    let finding = found(&project, "contradiction", memory("a").front("", body))
        .findings
        .remove(0);
    assert_eq!(
        (finding.shown(0), finding.shown(1)),
        (
            "A failed call is tried again at most ‹seven› times with a pause of nine seconds \
                between."
                .to_owned(),
            "CLAUDE.md:7: A failed call is tried again at most ‹three› times with a pause of nine \
                seconds between."
                .to_owned()
        )
    );
}

#[test]
fn a_memory_that_a_document_repeats_is_found() {
    let readme = "# Ferries\n\nStart the database with `docker compose up --wait db`, then run the \
        migration and start the server on port 3000. Fares are kept in cents.\n";
    let project = Fake::new(&[("README.md", readme), ("docs/other.md", "x")]);
    let same = "Start the database with `docker compose up --wait db`, then run the migration \
        and start the server on port 3000.";
    assert_eq!(
        said(&project, "repeats-docs", same),
        ["w `README.md` says this already"]
    );
    // A short one has to stand there word for word.
    assert_eq!(
        said(&project, "repeats-docs", "Start the server on port 3000."),
        ["w `README.md` says this already"]
    );
    for body in [
        "Start the server on port 4000.",
        "Fares are kept in cents, the server on port 3000.",
        "Start the database first.",
        "Start the database with care: the volume is shared with the staging stack, and a \
            migration that fails leaves a lock which only the owner of the schema can take away.",
        "Fares are kept in cents, never in floats: adding 0.1 ten times gives less than one, and \
            a month of bookings was short by three euros before anybody looked at the ledger.",
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
    }
}
