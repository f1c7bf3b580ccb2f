//! Statements of which one place differs, by what stands there.

use super::*;

#[test]
fn one_slot_that_differs_contradicts() {
    for (kind, a, b) in [
        (
            Slot::Unit,
            "The timeout is given in seconds.",
            "The timeout is given in milliseconds.",
        ),
        (
            Slot::Unit,
            "Weights are stored in grams.",
            "Weights are stored in kilograms.",
        ),
        (
            Slot::Unit,
            "The limit is given in bytes.",
            "The limit is given in kilobytes.",
        ),
        (
            Slot::Unit,
            "Distances are kept in miles.",
            "Distances are kept in kilometres.",
        ),
        (
            Slot::Unit,
            "Amounts are passed on in cents.",
            "Amounts are passed on in euros.",
        ),
        (
            Slot::Path,
            "Prefix branches with feature/.",
            "Prefix branches with feat/.",
        ),
        (
            Slot::Negation,
            "Never commit generated files.",
            "Always commit the generated files.",
        ),
        (
            Slot::Negation,
            "Prefer composition API in Vue components.",
            "Avoid the composition API in Vue components.",
        ),
        (
            Slot::Negation,
            "Commit lockfiles.",
            "Do not commit lockfiles.",
        ),
        (
            Slot::Number,
            "Maximum file size: 10 MB",
            "Maximum file size: 25 MB",
        ),
        (
            Slot::Number,
            "Session lifetime: 30 minutes",
            "Session lifetime: 12 hours",
        ),
        (Slot::Version, "API version: v1", "API version: v2"),
        (
            Slot::Name,
            "The default branch is main.",
            "The default branch is develop.",
        ),
        (Slot::Order, "Use npm, not yarn.", "Use yarn, not npm."),
        (
            Slot::Tool,
            "Passwords are hashed with bcrypt.",
            "Passwords are hashed with argon2.",
        ),
        (Slot::Tool, "Logs go to stdout.", "Logs go to stderr."),
        (
            Slot::Number,
            "Run `make test` before each push; the suite needs a running Postgres on port 5433.",
            "Run `make test` before each push; the suite needs a running Postgres on port 5432 and takes about four minutes.",
        ),
        (
            Slot::Negation,
            "Never use the `Money` type for amounts; store floating point numbers in the database.",
            "Always use the `Money` type for amounts; never store floating point numbers in the database.",
        ),
    ] {
        assert_eq!(slot(a, b), Some(kind), "{a} / {b}");
    }
}

#[test]
fn what_is_said_of_two_things_does_not() {
    for (a, b) in [
        (
            "A user with role admin can invite other users to a workspace.",
            "A user with role viewer cannot invite other users to a workspace.",
        ),
        (
            "Durations in the API are in milliseconds.",
            "Durations in the database are in seconds.",
        ),
        ("Business logic", "No business logic"),
        (
            "The release branch is protected.",
            "The release branch is frozen.",
        ),
        (
            "The gateway listens on port 8080.",
            "The gateway listens on port 8081 and the admin pages on port 8080.",
        ),
        ("Test file size: 10 MB", "Test file size: 25 MB"),
        ("Port: 3000", "Port: 8080"),
        (
            "Use npm, not yarn, in the web folder.",
            "Use yarn, not npm, in the docs folder.",
        ),
    ] {
        assert_eq!(slot(a, b), None, "{a} / {b}");
    }
}
