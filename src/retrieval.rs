//! What an agent would be given for a task, and why.

pub mod regexp;
