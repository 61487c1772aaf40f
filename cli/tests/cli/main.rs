//! Promises to users of the command line, one test for each.

#[path = "../program/bia_questions.rs"]
mod bia_questions;
#[path = "../program/command.rs"]
mod command;
#[path = "../program/directory.rs"]
mod directory;
#[path = "../../../tests/making/mod.rs"]
mod making;
#[cfg(target_os = "linux")]
#[path = "../program/preload.rs"]
mod preload;
#[path = "../program/running.rs"]
mod running;

mod annotate;
mod batch;
mod bench;
mod bia;
mod bia_games;
mod bia_under_rules;
mod common;
mod directories;
mod documents;
mod facts;
mod files;
mod find;
mod games;
mod generate;
mod input;
mod jobs;
mod library;
mod published;
mod resume;
mod robust;
mod rule_sets;
mod sentences;
mod shell;
mod streams;
mod study;
mod study_promotion;
mod thai;
#[cfg(target_os = "linux")]
mod threads;
#[cfg(unix)]
mod uci;
mod verdicts;
