//! The fields of an entry of Ralph's.

use super::Type;
use crate::memory::schema::{FieldSpec, Kind, Role, Schema};

/// The fields of an entry (specs: ralph-memories R2, R3).
pub static RALPH: Schema = Schema {
    format: "ralph",
    fields: &[
        FieldSpec {
            name: "type",
            kind: Kind::Choice(&Type::WORDS),
            role: Role::Type,
            required: true,
            default: Some("pattern"),
            help: "the section it stands in; patterns are injected first, context last",
        },
        FieldSpec {
            name: "tags",
            kind: Kind::Tags,
            role: Role::Tags,
            required: false,
            default: None,
            help: "what to find it by; `prime --tags` narrows to them",
        },
        FieldSpec {
            name: "created",
            kind: Kind::Date,
            role: Role::Created,
            required: false,
            default: None,
            help: "the day it was written; without one Ralph takes today, every day anew",
        },
    ],
    follows: &[],
    inner: &[],
};
