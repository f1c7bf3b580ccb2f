//! The policy `rawko` against the code of its specs: tables of inputs and outcomes, what it says
//! of those it leaves out, and what must hold for any store.

#![cfg(test)]

mod agreement;
mod demo;
mod expect;
mod health;
mod helper;
mod hybrid;
mod matching;
mod multi_store;
mod prompt;
mod reasons;
mod scoring;
