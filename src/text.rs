//! What rules and policies need of a text, once.
//!
//! ```text
//! body ──statements──> sentences, list items, table rows (bytes, heading, label)
//!             │ tokens (stem, kind)
//!             └──compare──> features of two statements ──model──> same? contradiction?
//! ```

pub mod compare;
pub mod mentions;
pub mod opposites;
pub mod patterns;
pub mod shingles;
pub mod statements;
pub mod tokens;
