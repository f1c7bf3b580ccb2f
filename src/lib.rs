//! memkeep: a person decides what coding agents remember.
//!
//! Agents write memories while they work; memkeep opens the stores of a repository, shows what
//! is in them, what of it an agent would be given for a task and why, what is wrong with it, and
//! lets a person change it without losing a byte.
//!
//! ```text
//!  memkeep  project   1 Browse  2 Inject  3 Lint 7        main ↑2 · 41 memories   ui::bars
//! ┌ /auth ───────────────────── 6 of 41 ┐┌ OAuth2 Was Too Broad ──────────────┐
//! │  TITLE              IMP  AGE  TAGS  ││ whenToUse  oauth|social.*auth      │   ui::reading
//! │▌ OAuth2 Was Too Br…  ▆    3d  auth !││ importance ▆ high                  │
//! │  Auth Module Struct… ▆    2w  auth  ││ Why OAuth2 Was Rejected            │   ui::markdown
//! │        ui::list                     ││                                    │
//! └─────────────────────────────────────┘└────────────────────────────────────┘
//!  ! 1 warning: `oauth|social.*auth` never matches …              f fix          ui::bars
//!  j/k move  / filter  t task  e fields  u undo  ? all keys                      app::command
//! ```
//!
//! ```text
//!  files ── store::load ──> Memory (fields, place, problems; no text) ──┐
//!    ▲                                                                  │ Snapshot
//!    │                 ┌── search::filter ── rows that match ◄──────────┤
//!    │                 ├── retrieval::Scorer ── Preview with verdicts ◄─┤
//!    │                 ├── lint::run ── findings with fixes ◄───────────┘
//!    │                 ▼
//!    │          app::update(Model, Msg) ──> Effects ──> run (workers) ──> Msg
//!    │                 │                        │
//!    │                 ▼                        ▼
//!    │          ui::view (a frame)      curate::Change ─ store::plan ─> Plan (exact bytes)
//!    └──────────────── store::apply, journaled: undone and redone after a restart ──┘
//! ```
//!
//! Pure modules (no file, process, thread, clock, environment): `memory`, `text`, `retrieval`,
//! `systems`, `search`, `lint`, `curate`, `app`, `ui`. The [`workspace`] answers each question of the
//! command line ([`cli`]) and of the terminal UI ([`run`]) in one place.

pub mod agent;
pub mod app;
pub mod cli;
pub mod config;
pub mod curate;
pub mod extract;
pub mod lint;
pub mod memory;
pub mod project;
pub mod retrieval;
pub mod run;
pub mod search;
pub mod store;
pub mod systems;
mod term;
pub mod text;
pub mod ui;
pub mod workspace;
