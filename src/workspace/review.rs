//! The queue of a review with findings and effects.

mod assess;
mod cards;
mod effects;

pub use self::assess::{Assessed, assess};
pub use self::cards::tell_queue;
