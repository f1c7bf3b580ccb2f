//! The fields of an entry of Ralph's.

use super::Type;
use crate::memory::schema::{Capabilities, FieldSpec, Kind, Role, Schema};

/// The fields of an entry (specs: ralph-memories R2, R3).
pub static RALPH: Schema = Schema {
    format: "ralph",
    policy: "ralph",
    can: Capabilities {
        closed: true,
        heading: true,
        all_or_none: true,
        undated_is_today: true,
        ..Capabilities::PLAIN
    },
    fields: &[
        FieldSpec {
            name: "type",
            kind: Kind::Choice(&Type::WORDS),
            role: Role::Type,
            required: true,
            default: Some("pattern"),
            help: "the section it stands in; patterns are injected first, context last",
            ..FieldSpec::PLAIN
        },
        FieldSpec {
            name: "tags",
            kind: Kind::Tags,
            role: Role::Tags,
            help: "what to find it by; `prime --tags` narrows to them",
            ..FieldSpec::PLAIN
        },
        FieldSpec {
            name: "created",
            kind: Kind::Date,
            role: Role::Created,
            help: "the day it was written; without one Ralph takes today, every day anew",
            ..FieldSpec::PLAIN
        },
    ],
    follows: &[],
    inner: &[],
};
