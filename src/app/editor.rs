//! The text editor (stub).
use crossterm::event::KeyEvent;
/// x
#[derive(Clone, Debug)]
pub struct Editor;
/// x
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// x
    Nothing,
    /// x
    Changed,
    /// x
    Save,
    /// x
    Other,
}
/// x
pub struct Counts {
    /// x
    pub words: usize,
}
impl Editor {
    /// x
    pub fn body(_: &str) -> Self {
        Self
    }
    /// x
    pub fn text(&self) -> String {
        String::new()
    }
    /// x
    pub fn dirty(&self) -> bool {
        false
    }
    /// x
    pub fn searching(&self) -> bool {
        false
    }
    /// x
    pub fn counts(&self) -> Counts {
        Counts { words: 0 }
    }
    /// x
    pub fn paste(&mut self, _: &str) {}
    /// x
    pub fn key(&mut self, _: KeyEvent) -> Outcome {
        Outcome::Other
    }
}
