//! Keys in, screens out: the whole program but the world, which is a small fake.
#![cfg(test)]

mod filter;
mod findings;
mod fixtures;
mod harness;
mod journeys;
mod keys;
mod many;
mod rebinding;
mod screens;
mod stores;
mod world;
