//! Finds the mentions in a text: paths, versions and names of code, each with its bytes.
//!
//! True if a mention stands for something is not decided here: `and/or` is a path as far as a text
//! can tell, and the reader of these mentions looks it up.

mod outline;
mod paths;
mod symbols;
#[cfg(test)]
mod tests;

pub use self::outline::{Block, Outline};
pub use self::paths::{Form, PathMention, last, paths};
pub use self::symbols::{SymbolMention, symbols};
