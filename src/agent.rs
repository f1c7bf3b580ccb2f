//! Hooks that agents call ([`hook`]), and questions to models: the command of a language model that
//! judges which memories contradict or repeat each other.
//!
//! ```text
//! memories ─> notes (masked texts) ─┐
//! hybrid ──> nearest of each ───────┴─> groups ─> requests ─> command ─> JSON lines
//!                                                                          │ ids, quotes checked
//!                             .memkeep/decisions.jsonl <─ lint::judged <───┘
//! ```

pub(crate) mod answer;
pub mod ask;
pub(crate) mod command;
pub(crate) mod extract;
pub(crate) mod hook;
pub(crate) mod mcp;
pub(crate) mod request;
pub(crate) mod tidy;
