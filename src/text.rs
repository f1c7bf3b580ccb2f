//! What any rule needs of a text. Pure: no file, no clock, and nothing of memories.

pub mod mentions;
