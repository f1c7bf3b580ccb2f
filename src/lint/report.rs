//! Findings as text.
