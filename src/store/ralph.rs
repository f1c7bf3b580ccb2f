//! Ralph's `memories.md` (formats: ralph): one file of entries, its archive beside it.

mod load;
mod lock;
mod place;
mod settings;
mod stage;
mod window;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::discover::{Coded, Format};
use super::{
    Deleted, Extras, Guard, Loaded, Overlay, Request, Store, StoreError, StoreInfo, files,
};
use crate::memory::ralph::{self, RALPH, line};
use crate::memory::{Memory, Schema, Stamp, document, title_of};
use crate::retrieval::Options;
use window::{Windows, read_at};

pub use place::{archive, given, holder};

/// The name of Ralph's file.
pub const FILE: &str = "memories.md";
/// What the LOCAL of an archived entry begins with.
const ARCHIVED: &str = "archive/";

/// A file of Ralph's.
#[derive(Debug)]
pub struct RalphStore {
    info: StoreInfo,
    windows: Windows,
}

impl RalphStore {
    /// The store at `info.path`.
    pub fn new(info: StoreInfo) -> Self {
        Self {
            info,
            windows: Windows::default(),
        }
    }

    /// The bytes of a memory as they stand in the file.
    fn block(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        self.windows.read(memory)
    }

    /// The bytes from the beginning of a memory on, up to where Ralph ends it.
    fn as_far_as_ralph_reads(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        const PIECE: usize = 1 << 16;
        let file = window::open(memory)?;
        let size = usize::try_from(memory.stamp.size).unwrap_or(usize::MAX);
        let mut length = memory.span.len().max(PIECE);
        loop {
            let end = memory.span.start.saturating_add(length).min(size);
            let bytes = read_at(&file, memory.span.start..end)
                .map_err(|source| files::io(&memory.path, source))?;
            let ended = line::lines(&bytes).skip(1).any(|line| {
                let rule = line::rule(line.of(&bytes));
                matches!(rule, line::Rule::Section(_) | line::Rule::Id(_))
            });
            if ended || end == size {
                return Ok(bytes);
            }
            length = length.saturating_mul(4);
        }
    }
}

/// What opens stores of this format.
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
        load::load(self, known, emit)
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        place::is_ralph(bytes) || load::is_blank(bytes)
    }

    fn parse(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        load::parse(self, path, bytes, stamp)
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        stage::stage(self, request, overlay)
    }

    fn put_back(&self, deleted: &Deleted<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        stage::put_back(self, deleted, overlay)
    }

    fn make(&self, overlay: &mut Overlay) -> Result<(), StoreError> {
        overlay.write(&self.info.path, ralph::TEMPLATE.into())
    }

    fn watch(&self) -> Vec<(PathBuf, bool)> {
        let target = files::target(&self.info.path).ok();
        let mut folders: Vec<(PathBuf, bool)> = [Some(self.info.path.clone()), target]
            .into_iter()
            .flatten()
            .filter_map(|path| Some((path.parent()?.to_path_buf(), false)))
            .collect();
        folders.dedup();
        folders
    }

    fn text(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        Ok(ralph::content(&self.block(memory)?))
    }

    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        ralph::content(document::part(bytes, memory.span.clone()))
    }

    fn loader_body(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        let text = match memory.seen {
            Some(_) => self.as_far_as_ralph_reads(memory)?,
            None => self.block(memory)?,
        };
        Ok(ralph::seen_content(&text))
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
        settings::read(&self.info, root)
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
        Some(stage::stage_all(self, requests, overlay))
    }

    fn title_of_gone(&self, text: &[u8]) -> Option<Box<str>> {
        let entry = ralph::read(text).entries.into_iter().next()?;
        let content = ralph::content(document::part(text, entry.body));
        Some(title_of(&String::from_utf8_lossy(&content))).filter(|title| !title.is_empty())
    }

    fn places_of(&self, memory: &Memory, bytes: &[usize]) -> Option<Vec<(u32, u32)>> {
        let places = ralph::places(&self.block(memory).ok()?, bytes)?.into_iter();
        let in_file = |(line, column)| (memory.line.saturating_add(line), column);
        Some(places.map(in_file).collect())
    }

    fn lock(&self) -> Result<Guard, StoreError> {
        lock::exclusive(&self.info.path)
    }
}
