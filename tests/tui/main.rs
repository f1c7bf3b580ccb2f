//! Keys in, screens out: the whole program but the world, which is a small fake.
#![cfg(test)]

#[macro_use]
#[path = "../support/rows.rs"]
mod rows;

mod answers;
mod drafts;
mod filter;
mod findings;
mod fixtures;
mod harness;
mod history;
mod journeys;
mod keys;
mod leading_on;
mod links;
mod lint_view;
mod many;
mod meanwhile;
mod rebinding;
mod review;
mod room;
mod screens;
mod stores;
mod tasks;
mod trust;
mod world;
