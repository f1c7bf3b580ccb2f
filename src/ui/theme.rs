//! Roles and their styles; a stand-in.

/// A theme.
#[derive(Clone, Debug, Default)]
pub struct Theme {
    /// Whether there are no colours.
    pub mono: bool,
}
