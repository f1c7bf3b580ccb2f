//! The fields of memories, chapters and wisdom.

use crate::memory::schema::{Capabilities, FieldSpec, Kind, Role, Schema};

/// Kinds of task (`rum-memory-schema`, "Layer 1: Intent").
pub const TYPES: &[&str] = &[
    "bug_fix",
    "feature_add",
    "refactor",
    "investigation",
    "test_write",
    "documentation",
    "optimization",
    "security_fix",
    "dependency_update",
    "configuration",
    "other",
];

/// Kinds of failure (`rum-memory-schema`, "Layer 5: Outcome").
pub const FAILURES: &[&str] = &[
    "incorrect_assumption",
    "unexpected_side_effect",
    "missing_dependency",
    "race_condition",
    "type_error",
    "test_failure",
    "build_failure",
    "runtime_error",
    "logic_error",
    "other",
];

/// Kinds of links between memories (`rum-memory-schema`, "Memory Links").
pub const LINKS: &[&str] = &[
    "caused_by",
    "led_to",
    "related_to",
    "supersedes",
    "blocked_by",
];

const fn field(name: &'static str, kind: Kind, role: Role, help: &'static str) -> FieldSpec {
    FieldSpec {
        name,
        kind,
        role,
        help,
        ..FieldSpec::PLAIN
    }
}

/// A field with other names: those of the columns that repeat it, and shorter ones.
const fn also(spec: FieldSpec, aliases: &'static [&'static str]) -> FieldSpec {
    FieldSpec { aliases, ..spec }
}

/// Capabilities of the rows of all three tables.
const CAN: Capabilities = Capabilities {
    in_rows: true,
    written_as: Some("summary"),
    closed: true,
    taken_for: Some(super::taken_for),
    ..Capabilities::PLAIN
};

const fn plain(name: &'static str, kind: Kind, help: &'static str) -> FieldSpec {
    field(name, kind, Role::Plain, help)
}

const fn needed(spec: FieldSpec, default: Option<&'static str>) -> FieldSpec {
    FieldSpec {
        required: true,
        default,
        ..spec
    }
}

const PROJECT: FieldSpec = also(
    plain("project_id", Kind::Text, "the project it belongs to"),
    &["project"],
);
/// Fields that chapters and wisdom share.
const OWN_TAGS: FieldSpec = field("tags", Kind::Tags, Role::Tags, "its tags");
const MADE: FieldSpec = field("created_at", Kind::Date, Role::Created, "when it was made");
const CHANGED: FieldSpec = field(
    "updated_at",
    Kind::Date,
    Role::Updated,
    "when it was last changed",
);

/// The fields of a memory, by the name they have in its layers or its row.
pub static RUM: Schema = Schema {
    format: "rum",
    policy: "rum",
    can: CAN,
    fields: &[
        needed(
            also(
                field(
                    "goal",
                    Kind::Text,
                    Role::Title,
                    "what the agent wanted to achieve",
                ),
                &["intent_goal"],
            ),
            None,
        ),
        needed(
            also(
                field(
                    "type",
                    Kind::Choice(TYPES),
                    Role::Type,
                    "the kind of task; recall filters by it",
                ),
                &["intent_type", "task_type"],
            ),
            Some("other"),
        ),
        needed(
            also(
                plain(
                    "success",
                    Kind::Bool,
                    "whether it came off; recall filters by it",
                ),
                &["outcome_success"],
            ),
            Some("true"),
        ),
        also(
            plain(
                "summary",
                Kind::Text,
                "what came of it; every depth of recall has it",
            ),
            &["outcome_summary"],
        ),
        plain("context", Kind::Text, "why the task was needed"),
        plain("constraints", Kind::Lines, "limits that had to be kept"),
        plain(
            "learnings",
            Kind::Lines,
            "what was learned; recall gives it from `outcome` on",
        ),
        plain("failure_reason", Kind::Text, "why it failed"),
        plain(
            "failure_category",
            Kind::Choice(FAILURES),
            "the kind of failure",
        ),
        plain("follow_up_needed", Kind::Lines, "what is still to be done"),
        plain("approach_chosen", Kind::Text, "how it was done"),
        plain("why_chosen", Kind::Text, "why it was done so"),
        plain(
            "observations",
            Kind::Entries,
            "observations: what, where, significance",
        ),
        plain(
            "relevant_files",
            Kind::Entries,
            "files that mattered: path, relevance, state_summary",
        ),
        plain("patterns_noticed", Kind::Lines, "what recurs there"),
        plain("anomalies", Kind::Lines, "what was odd there"),
        plain(
            "alternatives_considered",
            Kind::Entries,
            "rejected alternatives: approach, why_rejected",
        ),
        plain("assumptions", Kind::Lines, "what was taken for granted"),
        plain("risks_identified", Kind::Lines, "what could go wrong"),
        plain(
            "actions",
            Kind::Entries,
            "actions in order: type (file_edit, command_run, …), file_path, command, result",
        ),
        plain(
            "verified_by",
            Kind::Entries,
            "how it was checked: type, command, result",
        ),
        field(
            "tags",
            Kind::Tags,
            Role::Tags,
            "chapters are made of memories that share one",
        ),
        needed(
            field(
                "importance",
                Kind::Number(0.0, 1.0),
                Role::Importance,
                "0 to 1; ranks with the relevance",
            ),
            Some("0.5"),
        ),
        field(
            "created_at",
            Kind::Date,
            Role::Created,
            "when; recall gives the newest first",
        ),
        also(
            field(
                "agent_id",
                Kind::Text,
                Role::Author,
                "the agent that made it; recall filters by it",
            ),
            &["agent"],
        ),
        also(
            plain("session_id", Kind::Text, "the session it was made in"),
            &["session"],
        ),
        PROJECT,
        plain(
            "files",
            Kind::Names,
            "files it touched; recall by file looks here",
        ),
        field(
            "caused_by",
            Kind::Names,
            Role::Relations,
            "memories that led to this one",
        ),
        field(
            "led_to",
            Kind::Names,
            Role::Relations,
            "memories that this one led to",
        ),
        field(
            "related_to",
            Kind::Names,
            Role::Relations,
            "memories that belong with it",
        ),
        field(
            "supersedes",
            Kind::Names,
            Role::Relations,
            "memories that this one replaces",
        ),
        field(
            "superseded_by",
            Kind::Names,
            Role::Relations,
            "memories that replace this one",
        ),
        field(
            "blocked_by",
            Kind::Names,
            Role::Relations,
            "failures that stood in its way",
        ),
        field(
            "chapters",
            Kind::Names,
            Role::Relations,
            "chapters it is part of",
        ),
        plain(
            "access_count",
            Kind::Number(0.0, f64::MAX),
            "how often it was recalled; the system counts",
        ),
        plain(
            "last_accessed",
            Kind::Date,
            "when it was last recalled; the system says so",
        ),
        plain(
            "embedding",
            Kind::Number(0.0, f64::MAX),
            "how many numbers its embedding has; the system makes them",
        ),
    ],
    follows: &[
        "files",
        "superseded_by",
        "chapters",
        "access_count",
        "last_accessed",
        "embedding",
    ],
    // Details inside of the layers: observations, alternatives, actions and checks of the agent.
    inner: &[
        "observations",
        "relevant_files",
        "patterns_noticed",
        "anomalies",
        "alternatives_considered",
        "assumptions",
        "risks_identified",
        "actions",
        "verified_by",
    ],
};

/// The fields of a chapter (`rum-memory-schema`, "Chapters").
pub static CHAPTER: Schema = Schema {
    format: "rum",
    policy: "rum",
    can: CAN,
    fields: &[
        field(
            "title",
            Kind::Text,
            Role::Title,
            "what the chapter is called",
        ),
        field("type", Kind::Choice(&["chapter"]), Role::Type, "a chapter"),
        needed(
            also(
                plain("summary", Kind::Text, "what its memories say together"),
                &["outcome_summary"],
            ),
            None,
        ),
        plain("learnings", Kind::Lines, "what was learned"),
        OWN_TAGS,
        plain("topics", Kind::Lines, "what it is about"),
        plain("origin", Kind::Choice(&["manual", "auto"]), "who made it"),
        MADE,
        CHANGED,
        plain("start_ts", Kind::Date, "when its first memory was made"),
        plain("end_ts", Kind::Date, "when its last memory was made"),
        PROJECT,
        field(
            "members",
            Kind::Names,
            Role::Relations,
            "its memories, in their order",
        ),
    ],
    inner: &[],
    follows: &[
        "origin",
        "created_at",
        "updated_at",
        "start_ts",
        "end_ts",
        "project_id",
    ],
};

/// The fields of wisdom (`rum-memory-schema`, "Wisdom").
pub static WISDOM: Schema = Schema {
    format: "rum",
    policy: "rum",
    can: CAN,
    fields: &[
        needed(
            also(
                field(
                    "summary",
                    Kind::Text,
                    Role::Title,
                    "what its chapters say together",
                ),
                &["outcome_summary"],
            ),
            None,
        ),
        field("type", Kind::Choice(&["wisdom"]), Role::Type, "wisdom"),
        plain("insights", Kind::Lines, "what was understood"),
        plain("patterns", Kind::Lines, "what recurs across chapters"),
        plain("best_practices", Kind::Lines, "what to do"),
        OWN_TAGS,
        MADE,
        CHANGED,
        plain("start_ts", Kind::Date, "when its first chapter begins"),
        plain("end_ts", Kind::Date, "when its last chapter ends"),
        PROJECT,
        field("members", Kind::Names, Role::Relations, "its chapters"),
    ],
    follows: &[],
    inner: &[],
};
