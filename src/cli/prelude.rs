//! Names that nearly every command needs.

pub use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub use std::io::Write as _;
pub use std::path::{Path, PathBuf};
pub use std::sync::Arc;

pub use clap::ValueEnum;
pub use itertools::Itertools as _;
pub use serde::Serialize;
pub use serde_json::json;

pub use super::exit;
pub use super::output::{Format, LISTED, Output, PLAIN, note, one_of, text_or_stdin};
pub use crate::curate::Change;
pub use crate::lint::mask;
pub use crate::memory::{Memory, MemoryId, Role, Severity, State, Timestamp, Value, plural};
pub use crate::retrieval::Snapshot;
pub use crate::store::Store;
pub use crate::ui::safe::safe;
pub use crate::workspace::{Error, Result, Workspace};
