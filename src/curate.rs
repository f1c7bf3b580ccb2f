//! Changes as data: a plan can be shown as a diff, applied, undone and applied again.
//!
//! Pure: what a plan says is carried out by `store::apply`.

pub mod change;
pub mod diff;
pub mod fixes;
pub mod link;
pub mod merge;
pub mod plan;
pub mod promote;
pub mod splice;

pub use change::Change;
pub use plan::{Digest, FileChange, Plan, RowChange, Taken};
pub use splice::Splice;
