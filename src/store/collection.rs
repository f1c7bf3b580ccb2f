//! collection
