//! `memkeep convert`: memories of one store as memories of another.

use std::path::{Path, PathBuf};

use super::error::Error;
use super::{Output, change};
use crate::curate::Change;
use crate::curate::change::Destination;
use crate::store::{Format, Scope, StoreInfo};
use crate::workspace::Workspace;

/// Arguments of `convert`.
#[derive(Debug, clap::Args)]
pub struct Convert {
    /// The memories
    #[arg(required = true, value_name = "ID")]
    pub ids: Vec<String>,
    /// The format or the store that they go to
    #[arg(long, value_name = "FORMAT|STORE")]
    pub to: String,
    /// The folder or file of that store; made where it is not there [default: the project's store of
    /// that format]
    #[arg(long, value_name = "PATH")]
    pub into: Option<PathBuf>,
    /// Take them out of the store they are in
    #[arg(long = "move")]
    pub remove: bool,
    /// Print the diff and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Runs the command.
pub fn run(ws: &mut Workspace, args: &Convert, output: &mut Output) -> Result<u8, Error> {
    let to = destination(ws, &args.to, args.into.as_deref())?;
    if let (Destination::New { .. }, Some(into)) = (&to, &args.into) {
        ws.collection.allow(&ws.start.join(into));
    }
    change::make(ws, args.dry_run, output, &|memories| {
        Ok(Change::Convert {
            ids: ws.ids(&args.ids, memories)?,
            to: to.clone(),
            remove: args.remove,
        })
    })
}

/// The store that `--to` and `--into` name.
pub fn destination(ws: &Workspace, to: &str, into: Option<&Path>) -> Result<Destination, Error> {
    let collection = &ws.collection;
    let open = || collection.infos().find(|info| *info.id.0 == *to);
    let format = collection.formats().find(|format| format.name == to);
    let format = format.or_else(|| open().map(|info| info.kind));
    let Some(format) = format else {
        let known = collection.formats().map(|format| format.name);
        let known = known.collect::<Vec<_>>().join(", ");
        let ids = collection.infos().map(|info| info.id.to_string());
        let ids = ids.collect::<Vec<_>>().join(", ");
        let error = Error::wrong(format!("no format and no store is `{to}`"));
        return Err(error.hint(format!("formats: {known}; stores: {ids}")));
    };
    if let Some(into) = into {
        let path = plain(&ws.start.join(into));
        let is_it = |info: &&StoreInfo| info.kind == format && plain(&info.path) == path;
        let known = collection.infos().find(is_it);
        return match known {
            Some(info) => Ok(Destination::Store(info.id.clone())),
            None if path.exists() || can_be_made(ws, format) => Ok(Destination::New {
                format: format.name.to_owned(),
                path,
            }),
            None => Err(not_made(format.name)),
        };
    }
    if let Some(info) = open() {
        return Ok(Destination::Store(info.id.clone()));
    }
    let own = collection.infos().filter(|info| info.kind == format);
    let own: Vec<&StoreInfo> = own.filter(|info| info.scope == Scope::Project).collect();
    match own.as_slice() {
        [one] => Ok(Destination::Store(one.id.clone())),
        [] => {
            let info = collection.new_store(Some(to)).ok_or_else(|| not_made(to))?;
            Ok(Destination::New {
                format: to.to_owned(),
                path: info.path,
            })
        }
        several => {
            let ids = several.iter().map(|info| info.id.to_string());
            let ids = ids.collect::<Vec<_>>().join(", ");
            let error = Error::wrong(format!("`{to}` is ambiguous"));
            Err(error.hint(format!("one of {ids}")))
        }
    }
}

fn can_be_made(ws: &Workspace, format: &Format) -> bool {
    format.is_table() || ws.collection.new_store(Some(format.name)).is_some()
}

fn not_made(format: &str) -> Error {
    let what = format!("memkeep makes no store of {format} by itself");
    Error::wrong(what).hint("--into names the store that the memories go to")
}

/// A path as it really is, where it is there.
fn plain(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| {
        let mut clean = PathBuf::new();
        for part in path.components() {
            match part {
                std::path::Component::ParentDir => drop(clean.pop()),
                std::path::Component::CurDir => {}
                part => clean.push(part),
            }
        }
        clean
    })
}
