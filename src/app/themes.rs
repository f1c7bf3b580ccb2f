//! The themes to choose one of.

/// The selected theme, and the one of before.
#[derive(Debug)]
pub struct Themes {
    /// The selected one, by its place in [`Model::themes`](super::Model::themes).
    pub row: usize,
    /// The one that `Esc` goes back to.
    pub before: usize,
}
