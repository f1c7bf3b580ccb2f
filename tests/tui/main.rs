//! Keys in, screens out: the whole program but the world, which is a small fake.
#![allow(missing_docs)]

mod fixtures;
mod harness;
mod journeys;
mod keys;
mod screens;
mod world;
