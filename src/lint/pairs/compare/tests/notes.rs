//! Pairs of notes as agents leave them.

use super::*;

#[test]
fn notes_that_cannot_both_hold_contradict() {
    let silent = |(a, b): &&(&str, &str)| slot(a, b).is_none();
    let wrong: Vec<_> = OTHERWISE.iter().filter(silent).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn notes_about_two_things_are_two() {
    let told =
        |(a, b): &&(&str, &str)| !matches!(relation(a, b), Relation::Apart | Relation::Other);
    let wrong: Vec<_> = TWO.iter().filter(told).collect();
    let wrong: Vec<_> = wrong.iter().map(|(a, b)| (a, b, relation(a, b))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const OTHERWISE: &[(&str, &str)] = &[
    (
        "Tokens expire after 15 minutes.",
        "Tokens expire after 60 minutes.",
    ),
    (
        "The runners need 8 GB of memory for the build.",
        "The runners need 16 GB of memory for the build.",
    ),
    (
        "The seed data feed 3 dashboards of the shop.",
        "The seed data feed 5 dashboards of the shop.",
    ),
    (
        "The uploads exceed 3 GB on a Monday.",
        "The uploads exceed 9 GB on a Monday.",
    ),
    (
        "Do not restart the queue by hand, and install packages with npm.",
        "Do not restart the queue by hand, and install packages with yarn.",
    ),
    (
        "Store timestamps in UTC in every table.",
        "Store timestamps in local time in every table.",
    ),
    (
        "Never commit the generated client.",
        "Always commit the generated client.",
    ),
    (
        "Migrations are applied automatically on deploy.",
        "Migrations are applied manually on deploy.",
    ),
    (
        "The admin panel is deployed to Netlify.",
        "The admin panel is deployed to Vercel.",
    ),
    (
        "Use snake_case for JSON fields of the public API.",
        "Use camelCase for JSON fields of the public API.",
    ),
    (
        "The queue retries a failed job five times.",
        "The queue retries a failed job three times.",
    ),
    (
        "Feature branches are merged with squash commits.",
        "Feature branches are merged with merge commits.",
    ),
    (
        "The staging database may be reset at any time.",
        "The staging database must not be reset at any time.",
    ),
    (
        "The product feed is cached for 5 minutes.",
        "The product feed is cached for 20 minutes.",
    ),
];

const TWO: &[(&str, &str)] = &[
    (
        "Run the linter before you push to the shop repository.",
        "Run the formatter before you push to the shop repository.",
    ),
    (
        "Delete the orders table before you load the demo data.",
        "Delete the invoices table before you load the demo data.",
    ),
    (
        "Open the settings page before you deploy the new gateway.",
        "Open the metrics page before you deploy the new gateway.",
    ),
    (
        "Do not install the packages of the app with npm.",
        "Do not install the packages of the app with yarn.",
    ),
    (
        "Do not install packages with npm in the shop.",
        "Do not install packages with yarn in the shop.",
    ),
    (
        "The orders service listens on port 4001.",
        "The billing service listens on port 4002.",
    ),
    (
        "In development, logs go to the console.",
        "In production, logs go to Loki.",
    ),
    (
        "The export for accountants runs at 02:00 every night.",
        "The backup of the database runs at 03:00 every night.",
    ),
    (
        "Restart the worker after you change the env file.",
        "Restart the gateway after you change the env file.",
    ),
    (
        "Ask Lena before you change the tax rules.",
        "Ask Omar before you change the shipping rules.",
    ),
    (
        "Do not call Stripe from the tests.",
        "Do not call Twilio from the tests.",
    ),
    (
        "Mock the clock in unit tests of the scheduler.",
        "Mock the mailer in unit tests of the scheduler.",
    ),
    (
        "Check the changelog before you bump the major version of React.",
        "Check the changelog before you bump the major version of Django.",
    ),
];
