//! Ralph's `memories.md` (formats: ralph): one file of entries, its archive beside it.

mod locate;
mod lock;
mod ralph_yml;
mod reader;
mod requests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::discover::formats::{Coded, Format};
use super::entries::LastFiles;
use super::{Deleted, Extras, Guard, Loaded, Overlay, Request, Store, StoreError, StoreInfo};
use crate::memory::{Memory, Schema, Stamp, document, title_of};
use crate::retrieval::Options;
use crate::systems::ralph::{self, RALPH};

pub use locate::{archive, given, holder};

/// The name of Ralph's file.
pub const FILE: &str = "memories.md";
/// Start of the LOCAL of an archived entry.
const ARCHIVED: &str = "archive/";

/// A file of Ralph's.
#[derive(Debug)]
pub struct RalphStore {
    info: StoreInfo,
    last: LastFiles,
}

impl RalphStore {
    /// The store at `info.path`.
    pub fn new(info: StoreInfo) -> Self {
        Self {
            info,
            last: LastFiles::default(),
        }
    }
}

/// Opens stores of this format.
static SYSTEM: Coded = Coded {
    archive,
    holder,
    place: given,
    open: |info| Box::new(RalphStore::new(info)),
};

/// The format.
pub(super) fn format() -> Format {
    Format {
        name: "ralph",
        order: 20,
        policy: "ralph",
        project: &[".ralph/agent/memories.md", ".agent/memories.md"],
        user: &[],
        home_env: None,
        folder_setting: None,
        is_context: false,
        system: &SYSTEM,
    }
}

impl Store for RalphStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn schema(&self) -> &'static Schema {
        &RALPH
    }

    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded {
        reader::load(self, known, emit)
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        locate::is_ralph(bytes) || reader::is_blank(bytes)
    }

    fn parse(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        reader::parse(self, path, bytes, stamp)
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        requests::stage(self, request, overlay)
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        requests::put_back(self, deleted, overlay)
    }

    fn make(&self, overlay: &mut Overlay) -> Result<(), StoreError> {
        overlay.write(&self.info.path, ralph::TEMPLATE.into())
    }

    fn text(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        Ok(self.text_in(memory, &self.last.bytes(memory)?))
    }

    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        ralph::content(document::part(bytes, memory.span.clone()))
    }

    fn loader_body(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        let bytes = self.last.bytes(memory)?;
        Ok(match memory.seen {
            Some(_) => self.loader_body_in(memory, &bytes),
            None => ralph::seen_content(document::part(&bytes, memory.span.clone())),
        })
    }

    fn loader_body_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        ralph::seen_content(bytes.get(memory.span.start..).unwrap_or_default())
    }

    fn file_of(&self, local: &str) -> Result<PathBuf, StoreError> {
        Ok(match local.strip_prefix(ARCHIVED) {
            Some(_) => self.info.archive.clone(),
            None => self.info.path.clone(),
        })
    }

    fn settings(&self, root: &Path) -> Result<Options, StoreError> {
        ralph_yml::read(&self.info, root)
    }

    fn extras(&self) -> &dyn Extras {
        self
    }
}

impl Extras for RalphStore {
    fn stage_all(
        &self,
        requests: &[Request<'_>],
        overlay: &mut Overlay,
    ) -> Option<Result<(), StoreError>> {
        Some(requests::stage_all(self, requests, overlay))
    }

    fn title_of_gone(&self, text: &[u8]) -> Option<Box<str>> {
        let entry = ralph::read(text).entries.into_iter().next()?;
        let content = ralph::content(document::part(text, entry.body));
        Some(title_of(&String::from_utf8_lossy(&content))).filter(|title| !title.is_empty())
    }

    fn places_of(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        let file = self.last.bytes(memory).ok()?;
        let block = document::part(&file, memory.span.clone());
        let places = ralph::places(block, bytes)?.into_iter();
        let in_file = |(line, column)| (memory.line.saturating_add(line), column);
        Some(places.map(in_file).collect())
    }

    fn lock(&self) -> Result<Guard, StoreError> {
        lock::exclusive(&self.info.path)
    }
}
