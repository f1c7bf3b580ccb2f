//! Hooks that agents call ([`hook`]), and questions to models: the command of a language model that
//! judges which memories contradict or repeat each other.
//!
//! ```text
//! memories ─> notes (masked texts) ─┐
//! hybrid ──> nearest of each ───────┴─> groups ─> requests ─> command ─> JSON lines
//!                                                                          │ ids, quotes checked
//!                             .memkeep/decisions.jsonl <─ lint::judged <───┘
//! ```

pub mod answer;
pub mod ask;
pub mod command;
pub mod extract;
pub mod group;
pub mod hook;
mod loose_json;
pub mod mcp;
pub mod request;
pub mod tidy;
