//! RUM's databases: reading them whatever is wrong, recall, and changes to rows.
#![cfg(test)]

mod broken;
mod place;
mod read;
mod recall;
mod write;
