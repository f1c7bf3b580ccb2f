//! `memkeep convert`: memories of one store as memories of another.

use std::path::{Path, PathBuf};

use super::change;
use super::prelude::*;
use crate::curate::change::Destination;
use crate::store::files::real;
use crate::store::{Scope, StoreInfo};

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
pub fn run(ws: &mut Workspace, args: &Convert, output: &mut Output) -> Result<u8> {
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
pub fn destination(ws: &Workspace, to: &str, into: Option<&Path>) -> Result<Destination> {
    let collection = &ws.collection;
    let store = |info: &StoreInfo| Ok(Destination::Store(info.id.clone()));
    let open = collection.infos().find(|info| *info.id.0 == *to);
    let format = collection.formats().find(|format| format.name == to);
    let Some(format) = format.or_else(|| open.map(|info| info.kind)) else {
        let known = collection.formats().map(|format| format.name).join(", ");
        let ids = collection.infos().map(|info| &info.id).join(", ");
        let error = Error::wrong(format!("no format and no store is `{to}`"));
        return Err(error.hint(format!("formats: {known}; stores: {ids}")));
    };
    let not_made = |format: &str| {
        Error::wrong(format!("memkeep makes no store of {format} by itself"))
            .hint("--into names the store that the memories go to")
    };
    let new = |format: &str, path| {
        let format = format.to_owned();
        Ok(Destination::New { format, path })
    };
    let mut of_format = collection.infos().filter(|info| info.kind == format);
    if let Some(into) = into {
        let path = real(&ws.start.join(into));
        if let Some(info) = of_format.find(|info| real(&info.path) == path) {
            return store(info);
        }
        let is_made = || collection.new_store(Some(format.name)).is_some();
        return match path.exists() || format.table.is_some() || is_made() {
            true => new(format.name, path),
            false => Err(not_made(format.name)),
        };
    }
    if let Some(info) = open {
        return store(info);
    }
    let own = of_format.filter(|info| info.scope == Scope::Project);
    let own: Vec<&StoreInfo> = own.collect();
    match own.as_slice() {
        [one] => store(one),
        [] => {
            let info = collection.new_store(Some(to));
            new(to, info.ok_or_else(|| not_made(to))?.path)
        }
        several => {
            let ids = several.iter().map(|info| &info.id).join(", ");
            Err(Error::wrong(format!("`{to}` is ambiguous")).hint(format!("one of {ids}")))
        }
    }
}
