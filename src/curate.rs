//! Changes as data: a plan can be shown as a diff, applied, undone and applied again.
//!
//! Pure: what a plan says is carried out by `store::apply`.

pub mod change;
pub mod convert;
pub mod diff;
pub mod differences;
pub mod link;
pub mod merge;
pub mod plan;
pub mod promote;
pub mod segments;
pub mod threeway;
pub mod versions;

pub use change::{Change, DecisionKey, Mark, Resolution, Silenced};
pub use plan::{Digest, FileChange, Plan, RowChange, Splice, Staged, Staging, Taken};
pub use versions::Version;
