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
fn a_shorter_memory_that_says_the_contrary_of_a_document_is_named() {
    let agents = "# Ferries\n\n- The desk listens on port 7410 and keeps its fares in `fares.db` \
        next to the binary, on every pier.\n- Berths are held for 20 minutes.\n- Take pnpm for \
        all packages of this harbour, for the lock file is of pnpm.\n- Bad bookings are answered \
        with a note and the status 422 for what has no date, never with 400 or a page.\n- The \
        map of the harbour and of its pumps stands on page 9 of the book in the desk of Ana.\n";
    let nested = "- Drafts are kept for 3 days.\n";
    let project = Fake::new(&[("AGENTS.md", agents), ("pier/AGENTS.md", nested)]);
    for (body, says) in [
        (
            "The desk listens on port 8080 and keeps its fares in `fares.db`.",
            "number with `AGENTS.md`: 8080 and 7410",
        ),
        (
            "The desk listens on port 8080.",
            "number with `AGENTS.md`: 8080 and 7410",
        ),
        (
            "Berths are held for 45 minutes.",
            "number with `AGENTS.md`: 45 and 20",
        ),
        (
            "Take npm for all packages of this harbour.",
            "tool with `AGENTS.md`: npm and pnpm",
        ),
        (
            "Bad bookings are answered with a note and the status 400 for what has no date.",
            "number with `AGENTS.md`: 400 and 422",
        ),
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
        let says = format!("w Conflicting {says}");
        assert_eq!(said(&project, "contradiction", body), [says], "{body}");
    }
    for body in [
        // Another number in the place is no repetition, and need be no contradiction.
        "The map of the harbour and of its pumps stands on page 7 of the book in the desk of Ana.",
        "Berths are held for 90 minutes for the coast guard.",
        "Berths of guests are held for 45 minutes at the outer pier.",
        // What a document says of its own folder is not said of the project.
        "Drafts are kept for 8 days.",
        "Berths are swept by the night shift.",
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
        assert_eq!(said(&project, "contradiction", body), [""; 0], "{body}");
    }
}

#[test]
fn a_reason_hides_no_contradiction_of_a_document() {
    let claude = "# Ferries\n\n- Run the harbour tests with Podman.\n- Berths are held for 20 \
        minutes.\n- Use pnpm for everything in this repository.\n- Always squash branches before merging.\n";
    let project = Fake::new(&[("CLAUDE.md", claude)]);
    for body in [
        "Do not run the harbour tests with Podman, it is too slow.",
        "Do not run the harbour tests with Podman, because it is too slow on the old machines.",
        "Do not run the harbour tests with Podman. It takes four minutes to start, and the \
            volumes are lost whenever the machine sleeps.",
        "Berths are held for 45 minutes. Skippers asked for it after the winter, when the ice made \
            every landing slow and the old limit had two boats turned away.",
        "Use npm for everything in this repository: the lock file is npm's.",
        "Never squash branches before merging, because each step is searched when a fare is wrong.",
    ] {
        assert_eq!(said(&project, "repeats-docs", body), [""; 0], "{body}");
        let found = said(&project, "contradiction", body);
        assert_eq!(found.len(), 1, "{body}");
    }
    for body in [
        "Berths are held for 45 minutes at the outer pier, where the tide is too strong to land \
            any sooner.",
        "Berths of guests are held for 45 minutes. They come from the open sea and need longer to \
            find the pier.",
        "Do not run the harbour tests with Podman on the build host. The kernel there is too old.",
        "Run the harbour tests with Podman. It takes four minutes to start, so start it first.",
        "In 2024 berths were held for 45 minutes. Skippers asked for less, and the desk agreed.",
        "Use npm for the old site in `legacy/`, for its lock file was never moved to pnpm.",
        // A longer one tells of something of its own.
        "The desk of the outer pier. It has rules of its own. Fares are in cents. Guests pay at \
            the desk. Berths are held for 45 minutes.",
    ] {
        assert_eq!(said(&project, "contradiction", body), [""; 0], "{body}");
    }
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
