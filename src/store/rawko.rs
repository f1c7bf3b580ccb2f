//! Folders of rawko memories: `.rawko/memories/*.md` (SPEC-0009, "Memory File Format").

mod load;
mod stage;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Loaded, Overlay, Request, Store, StoreError, StoreInfo, files};
use crate::memory::schema::RAWKO;
use crate::memory::{Memory, Schema, Sight, Stamp, document, edit, frontmatter};

/// The name of the folder below the store that archived memories go to. The system's loader
/// reads the files of the store's own folder only.
pub const ARCHIVE: &str = "archive";

/// A folder of rawko memories.
#[derive(Debug)]
pub struct RawkoStore {
    info: StoreInfo,
}

impl RawkoStore {
    /// The store at `info.path`.
    pub const fn new(info: StoreInfo) -> Self {
        Self { info }
    }

    /// LOCAL of a file: its path below the store without `.md`. What is not UTF-8 in a name is
    /// replaced, as it could not be typed.
    fn local(&self, path: &Path) -> Box<str> {
        // Nearly every path is the store's with a name behind it, and is told by its text.
        let plain = path
            .to_str()
            .zip(self.info.path.to_str())
            .filter(|_| std::path::MAIN_SEPARATOR == '/');
        let name = plain.and_then(|(path, store)| path.strip_prefix(store)?.strip_prefix('/'));
        if let Some(name) = name.filter(|name| !name.starts_with('/')) {
            return name.strip_suffix(".md").unwrap_or(name).into();
        }
        let below = path.strip_prefix(&self.info.path).unwrap_or(path);
        let name = below.to_string_lossy();
        let name = if std::path::MAIN_SEPARATOR == '/' {
            name
        } else {
            name.replace('\\', "/").into()
        };
        name.strip_suffix(".md").unwrap_or(&name).into()
    }

    /// The bytes of a memory's file, as they were when it was read.
    fn bytes(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        let (bytes, meta) = files::read(&memory.path)?;
        if files::stamp_of(&meta) != memory.stamp {
            return Err(StoreError::Changed(memory.path.to_path_buf()));
        }
        Ok(bytes)
    }
}

impl Store for RawkoStore {
    fn info(&self) -> &StoreInfo {
        &self.info
    }

    fn file_of(&self, local: &str) -> Result<PathBuf, StoreError> {
        let parts = || local.split('/');
        let bad = |part: &str| {
            part.is_empty() || part == "." || part == ".." || part.contains(['\\', '\0'])
        };
        // Folders that a load does not go into.
        let folders = local.rsplit_once('/').map_or("", |(folders, _)| folders);
        let unread = |part: &str| part.starts_with('.') || part.ends_with(".md");
        let unreadable = folders.split('/').any(unread);
        if parts().any(bad) || unreadable || local.chars().any(char::is_control) {
            return Err(StoreError::Refused(format!(
                "`{}` is not a name a memory can have",
                local.escape_debug()
            )));
        }
        let mut path = self.info.path.clone();
        path.extend(parts());
        path.as_mut_os_string().push(".md");
        Ok(path)
    }

    fn schema(&self) -> &'static Schema {
        &RAWKO
    }

    fn load(&self, known: &[Arc<Memory>], emit: &mut dyn FnMut(&[Arc<Memory>]) -> bool) -> Loaded {
        load::load(self, known, emit)
    }

    /// Memories of links are among those that the loader skips.
    fn may_be_link(&self, memory: &Memory) -> bool {
        memory.sight == Sight::Skipped
    }

    fn is_own(&self, bytes: &[u8]) -> bool {
        let is_own = |front| {
            let text = String::from_utf8_lossy(document::part(bytes, front)).into_owned();
            let fields = frontmatter::read(&text).unwrap_or_else(|_| frontmatter::tolerant(&text));
            fields.iter().any(|(name, _)| RAWKO.field(name).is_some())
        };
        let documents = document::layout(bytes).documents.into_iter();
        documents.filter_map(|document| document.front).any(is_own)
    }

    fn parse(&self, path: &Path, bytes: &[u8], stamp: Stamp) -> Vec<Arc<Memory>> {
        load::parse(self, path, bytes, stamp)
    }

    fn stage(&self, request: &Request<'_>, overlay: &mut Overlay) -> Result<(), StoreError> {
        stage::stage(self, request, overlay)
    }

    fn skipped(&self) -> Vec<String> {
        load::unread(&self.info.path)
    }

    fn watch(&self) -> Vec<(PathBuf, bool)> {
        vec![(self.info.path.clone(), true)]
    }

    fn text(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        Ok(self.text_in(memory, &self.bytes(memory)?))
    }

    fn text_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        if memory.span.is_empty() {
            return Vec::new();
        }
        let end = if memory.body.is_empty() {
            let documents = document::layout(bytes).documents;
            let own = documents.get(memory.document as usize);
            own.map_or(memory.span.end, |own| edit::text_of(bytes, own).end)
        } else {
            memory.body.end
        };
        document::part(bytes, memory.span.start..end).to_vec()
    }

    fn loader_body(&self, memory: &Memory) -> Result<Vec<u8>, StoreError> {
        Ok(self.loader_body_in(memory, &self.bytes(memory)?))
    }

    fn loader_body_in(&self, memory: &Memory, bytes: &[u8]) -> Vec<u8> {
        let body = match document::loader_reads(bytes) {
            Ok(view) if memory.document == 0 => view.body,
            _ => memory.body.clone(),
        };
        document::part(bytes, body).to_vec()
    }
}
