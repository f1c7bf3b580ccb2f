//! The seam of the loop to the program.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::msg::{Effect, Msg};

/// The program as the loop sees it: pure, on the loop's own thread.
pub trait Program {
    /// Effects once the first frame stands.
    fn start(&mut self) -> Vec<Effect> {
        vec![Effect::Load]
    }
    /// Applies a message and returns the effects.
    fn update(&mut self, msg: Msg) -> Vec<Effect>;
    /// Draws; returns the place of the cursor, if one is shown.
    fn view(&self, area: Rect, buffer: &mut Buffer) -> Option<Position>;
}
