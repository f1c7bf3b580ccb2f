//! The bot's own configuration near the store: `preferences/memory.json`, or the key `memory` of
//! `preferences/runtime-config.json`, in the folder that holds the store, as in the bot's
//! workspace (formats: golemcore, "Config defaults").

use std::path::{Path, PathBuf};

use crate::memory::edit::FieldEdit;
use crate::memory::golemcore::config::{Config, SETTINGS};
use crate::memory::golemcore::{GOLEMCORE, edit::Object};
use crate::memory::json::{self, Entry, Kind, Node};
use crate::memory::lines::Lines;
use crate::memory::{Memory, MemoryId, Problem, Severity, Sight, Stamp, StoreId};
use crate::retrieval::Options;
use crate::store::control::{self, Owner};
use crate::store::{Overlay, Request, StoreError, StoreInfo, files};

/// The files that are looked for, the first that has settings counts.
const FILES: [&str; 2] = ["memory.json", "runtime-config.json"];
/// The key of the settings where the file has others too.
const SECTION: &str = "memory";
const FOLDER: &str = "preferences";

/// The folder of the configuration, where there is one.
pub(super) fn folder(store: &Path) -> Option<PathBuf> {
    Some(store.parent()?.join(FOLDER)).filter(|folder| folder.is_dir())
}

/// Whether a memory stands for the configuration: it is read and edited as text, and nothing else.
pub(super) fn is_settings(memory: &Memory) -> bool {
    let mut files = FILES.iter().map(|file| Path::new(FOLDER).join(file));
    files.any(|file| memory.path.ends_with(file))
}

/// Stages another text of the settings; none where a request asks for something else.
pub(super) fn stage(
    request: &Request<'_>,
    overlay: &mut Overlay,
) -> Option<Result<(), StoreError>> {
    let (memory, expected, text) = match *request {
        Request::Save {
            memory,
            expected,
            text,
        } => (memory, Some(expected), text),
        Request::Edit {
            memory,
            edits: [FieldEdit::Body(text) | FieldEdit::Text(text)],
        } => (memory, None, text.as_str()),
        _ => return None,
    };
    is_settings(memory).then(|| {
        let known = expected.is_none().then_some(memory.stamp);
        let bytes = overlay.read(&memory.path, known)?;
        if expected.is_some_and(|expected| String::from_utf8_lossy(bytes) != expected) {
            return Err(StoreError::Changed(memory.path.to_path_buf()));
        }
        overlay.write(&memory.path, text.as_bytes().to_vec())
    })
}

/// What a configuration says, and what is wrong with it.
#[derive(Default)]
pub(super) struct Settings {
    /// By the names of [`SETTINGS`]; what is wrong is left out, so that the default holds.
    options: Options,
    /// The file, and how much was read of which state of it.
    path: PathBuf,
    stamp: Stamp,
    len: usize,
    faults: Vec<Fault>,
}

/// Something that is wrong, and where.
struct Fault {
    severity: Severity,
    place: (u32, u32),
    what: String,
}

/// What the configuration of a store says.
pub(super) fn read(store: &StoreInfo) -> Settings {
    let Some(folder) = folder(&store.path) else {
        return Settings::default();
    };
    for name in FILES {
        let path = folder.join(name);
        if path.symlink_metadata().is_err() {
            continue;
        }
        let mut settings = Settings {
            path,
            ..Settings::default()
        };
        if settings.read(
            name == "memory.json",
            Owner::of_store(store, folder.parent().unwrap_or(&folder)),
        ) {
            return settings;
        }
    }
    Settings::default()
}

impl Settings {
    /// What it says, what is wrong with it included, for the policy.
    pub fn into_options(self) -> Options {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let faults = self.faults.iter().map(|fault| {
            let (line, column) = fault.place;
            format!("{FOLDER}/{name}:{line}:{column}: {}", fault.what)
        });
        let faults: Vec<String> = faults.collect();
        let mut options = self.options;
        if !faults.is_empty() {
            options.set("fault", faults.join("\n"));
        }
        options
    }

    /// A memory that stands for the file where something is wrong with it.
    pub fn whole(self, store: &StoreId) -> Option<Memory> {
        let problem = |fault: &Fault| {
            Problem::new(
                "load-error",
                fault.severity,
                fault.place,
                fault.what.clone(),
            )
        };
        let first = self.faults.first()?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let id = MemoryId::new(store, format!("{FOLDER}/{name}"));
        Some(Memory {
            title: name.as_ref().into(),
            line: first.place.0,
            sight: Sight::NoFields,
            stamp: self.stamp,
            span: 0..self.len,
            problems: self.faults.iter().map(problem).collect(),
            ..Memory::new(id, self.path.as_path().into(), &GOLEMCORE)
        })
    }

    /// Reads the file; whether it has settings. All of `memory.json` is that, of another file the
    /// section of that name.
    fn read(&mut self, own: bool, owner: Owner<'_>) -> bool {
        let bytes = match control::bytes(&self.path, owner, control::LARGEST) {
            Ok(bytes) => {
                let bytes = bytes.unwrap_or_default();
                let meta = self.path.metadata().ok();
                self.stamp = meta.as_ref().map(files::stamp_of).unwrap_or_default();
                self.len = bytes.len();
                bytes
            }
            Err(error) => {
                self.fault(b"", 0, Severity::Error, error.to_string());
                return true;
            }
        };
        let node = match json::value(&bytes) {
            Ok((node, _)) => node,
            Err(error) => {
                let what = format!("not JSON: {}: the defaults hold", error.message);
                self.fault(&bytes, error.at, Severity::Error, what);
                return true;
            }
        };
        let at = node.span.start;
        let Some(all) = object(node) else {
            let what = "not an object: the defaults hold".to_owned();
            self.fault(&bytes, at, Severity::Error, what);
            return own;
        };
        match all.entry(&bytes, SECTION) {
            Some(Entry { value, .. }) if value.kind != Kind::Null => {
                self.section(&bytes, value.clone());
                true
            }
            _ if own => {
                self.settings(&bytes, &all);
                true
            }
            _ => false,
        }
    }

    fn section(&mut self, bytes: &[u8], node: Node) {
        let at = node.span.start;
        match object(node) {
            Some(all) => self.settings(bytes, &all),
            None => {
                let what = format!("`{SECTION}` is no object: the defaults hold");
                self.fault(bytes, at, Severity::Error, what);
            }
        }
    }

    fn settings(&mut self, bytes: &[u8], all: &Object) {
        let mut parts: Vec<(&str, Option<Object>)> = Vec::new();
        for name in SETTINGS {
            let Some((part, inner)) = name.split_once('.') else {
                self.setting(bytes, all, name, name);
                continue;
            };
            if !parts.iter().any(|(known, _)| *known == part) {
                parts.push((part, self.part(bytes, all, part)));
            }
            let known = parts.iter().find(|(known, _)| *known == part);
            if let Some((_, Some(of_part))) = known {
                self.setting(bytes, of_part, inner, name);
            }
        }
    }

    /// A part of the settings that is an object of its own.
    fn part(&mut self, bytes: &[u8], all: &Object, name: &str) -> Option<Object> {
        let value = &all.entry(bytes, name)?.value;
        if value.kind == Kind::Null {
            return None;
        }
        let read = object(value.clone());
        if read.is_none() {
            let what = format!("`{name}` is no object: the defaults hold");
            self.fault(bytes, value.span.start, Severity::Warning, what);
        }
        read
    }

    /// Takes a setting, by its name in the object and by its whole name.
    fn setting(&mut self, bytes: &[u8], object: &Object, name: &str, whole: &str) {
        let Some(Entry { value, .. }) = object.entry(bytes, name) else {
            return;
        };
        let text = json::meaning(bytes, value).to_string();
        let plain = !matches!(value.kind, Kind::List(_) | Kind::Map(_));
        match value.kind {
            Kind::Null => {}
            _ if plain && Config::accepts(whole, &text) => self.options.set(whole, text),
            _ => {
                let own = String::from_utf8_lossy(json::slice(bytes, &value.span));
                let what = format!("`{whole}` cannot be {own}: the default holds");
                self.fault(bytes, value.span.start, Severity::Warning, what);
            }
        }
    }

    fn fault(&mut self, bytes: &[u8], at: usize, severity: Severity, what: String) {
        self.faults.push(Fault {
            severity,
            place: place(bytes, at),
            what,
        });
    }
}

/// The line and the column of a byte, both from 1.
fn place(bytes: &[u8], at: usize) -> (u32, u32) {
    Lines::new(bytes).in_file(bytes, at)
}

/// The object that a value is.
fn object(node: Node) -> Option<Object> {
    match node.kind {
        Kind::Map(entries) => Some(Object {
            span: node.span,
            entries,
        }),
        _ => None,
    }
}
