//! rawko
