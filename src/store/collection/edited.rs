//! Records an editor's change of a file as a step that can be undone.

use std::fs;
use std::io;
use std::path::Path;

use super::{Collection, Done};
use crate::curate::{FileChange, Plan, diff};
use crate::memory::Timestamp;
use crate::store::journal::Journal;
use crate::store::{StoreError, files};

impl Collection {
    /// Remembers what an editor changed in a file that had these bytes before; none where it
    /// changed nothing.
    pub fn edited(
        &self,
        path: &Path,
        before: &[u8],
        now: Timestamp,
    ) -> Result<Option<Done>, StoreError> {
        let path = &*files::real(path);
        let after = match fs::read(path) {
            Ok(after) => Some(after),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(files::io(path, source)),
        };
        if after.as_deref() == Some(before) {
            return Ok(None);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let title = match &after {
            Some(after) => {
                let (removed, added) = diff::line_counts(before, after);
                format!("edited {name} in the editor: +{added} −{removed} lines")
            }
            None => format!("removed {name} in the editor"),
        };
        let change = FileChange::write(path, Some(before), after.as_deref());
        let plan = Plan {
            title,
            changes: vec![change],
            ..Plan::default()
        };
        let nobody = |_: &Plan| Ok(Vec::new());
        let done = self.remember((plan, "edit", Vec::new()), now, &nobody, Journal::record)?;
        Ok(Some(done))
    }
}
