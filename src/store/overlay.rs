//! overlay
/// x
#[derive(Debug, Default)]
pub struct Overlay;
