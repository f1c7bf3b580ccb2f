//! RegExp
