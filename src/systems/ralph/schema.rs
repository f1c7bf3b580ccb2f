//! The fields of an entry of Ralph's.

use std::sync::LazyLock;

use crate::memory::format::schema_in;
use crate::memory::schema::{Capabilities, Schema};

/// The fields of an entry: `assets/schemas/ralph.toml`.
pub static RALPH: LazyLock<Schema> = LazyLock::new(|| {
    let can = Capabilities {
        closed: true,
        heading: true,
        all_or_none: true,
        undated_is_today: true,
        ..Capabilities::PLAIN
    };
    schema_in(
        include_str!("../../../assets/schemas/ralph.toml"),
        "memory",
        "ralph",
        can,
    )
});
