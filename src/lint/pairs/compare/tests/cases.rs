//! Two statements about two cases, and the same figures where there is only one.

use super::*;

#[test]
fn of_two_cases_each_has_figures_of_its_own() {
    for (a, b) in [
        (
            "With v2.1 the build takes 8 minutes.",
            "With v2.4 the build takes 3 minutes.",
        ),
        (
            "On Node 20 the suite needs 900 MB.",
            "On Node 22 the suite needs 700 MB.",
        ),
        (
            "Under Python 3.11 the import returns 4 rows.",
            "Under Python 3.13 the import returns 5 rows.",
        ),
        (
            "In v4 the endpoint returns a list.",
            "In v5 the endpoint returns a list.",
        ),
        (
            "After 3 refusals the card is locked for 5 minutes.",
            "After 10 refusals the card is locked for 24 hours.",
        ),
        (
            "The nightly export takes 40 minutes on Java 17.",
            "The nightly export takes 25 minutes on Java 21.",
        ),
        (
            "The import takes 8 s for 1000 rows.",
            "The import takes 80 s for 10000 rows.",
        ),
        (
            "A replay of 200 events takes 3 s.",
            "A replay of 5000 events takes 41 s.",
        ),
        (
            "A pod with 512 MB handles 200 requests.",
            "A pod with 2 GB handles 900 requests.",
        ),
        (
            "With webpack the build takes 30 s.",
            "With vite the build takes 5 s.",
        ),
        ("3 workers with 512 MB", "6 workers with 1 GB"),
        (
            "A cluster of 3 nodes survives 1 failure.",
            "A cluster of 5 nodes survives 2 failures.",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
    for (kind, a, b) in [
        (
            Slot::Number,
            "After 3 refusals the card is locked.",
            "After 5 refusals the card is locked.",
        ),
        (
            Slot::Number,
            "The nightly export takes 40 minutes.",
            "The nightly export takes 25 minutes.",
        ),
        (
            Slot::Version,
            "The scanner runs on Java 17.",
            "The scanner runs on Java 21.",
        ),
        (
            Slot::Number,
            "Retry a webhook 3 times with a delay of 10 s.",
            "Retry a webhook 5 times with a delay of 30 s.",
        ),
        (
            Slot::Version,
            "The app builds with Xcode 15.2 and Swift 5.9.",
            "The app builds with Xcode 16.1 and Swift 6.0.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
}

#[test]
fn one_of_several_leaves_room_for_another() {
    for (a, b) in [
        ("We support Node 20.", "We support Node 22."),
        ("CI tests Node 20.", "CI tests Node 22."),
        ("It works in Safari 17.", "It works in Safari 18."),
        (
            "The driver is compatible with Django 4.",
            "The driver is compatible with Django 5.",
        ),
        (
            "The wheel installs on Python 3.11.",
            "The wheel installs on Python 3.13.",
        ),
        (
            "The layout breaks in Firefox 128.",
            "The layout breaks in Firefox 131.",
        ),
        (
            "The plugin supports IntelliJ 2023.",
            "The plugin supports IntelliJ 2024.",
        ),
        ("The matrix covers Go 1.21.", "The matrix covers Go 1.23."),
        (
            "The importer supports JSON files.",
            "The importer supports YAML files.",
        ),
        (
            "The exporter works with Postgres dumps.",
            "The exporter works with MySQL dumps.",
        ),
        (
            "The client supports sync calls here.",
            "The client supports async calls here.",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
    for (kind, a, b) in [
        (
            Slot::Version,
            "The project uses Node 20.",
            "The project uses Node 22.",
        ),
        (
            Slot::Version,
            "Node 20 is required.",
            "Node 22 is required.",
        ),
        (
            Slot::Version,
            "The image ships Python 3.11.",
            "The image ships Python 3.13.",
        ),
        (
            Slot::Number,
            "The gateway supports 100 open sockets.",
            "The gateway supports 400 open sockets.",
        ),
        (
            Slot::Tool,
            "Unit tests run with Jest.",
            "Unit tests run with Vitest.",
        ),
        (
            Slot::Opposite,
            "Flaky tests are enabled here.",
            "Flaky tests are disabled here.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
}

#[test]
fn what_is_said_of_a_part_leaves_the_rest() {
    for (a, b) in [
        (
            "Tests must not mock the clock.",
            "Tests must mock the clock of the mail package.",
        ),
        (
            "Handlers do not log the body.",
            "Handlers log the body of the webhook.",
        ),
        (
            "Invoices are due after 30 days: B2B customers only",
            "Invoices are due after 14 days.",
        ),
        (
            "Invoices are due after 30 days: B2B customers only",
            "Invoices are due after 14 days: B2C customers",
        ),
        (
            "Seats expire after 30 days.",
            "Seats expire after 7 days: EU customers in trial.",
        ),
        (
            "Seats expire after 30 days.",
            "Seats expire after 7 days (mobile clients on 3G).",
        ),
        (
            "Seats expire after 30 days.",
            "Seats expire after 7 days — trial accounts.",
        ),
        (
            "Seats expire after 30 days.",
            "Seats expire after 7 days (Windows).",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
}
