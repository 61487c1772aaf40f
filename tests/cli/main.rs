//! What a user is promised of the command line: one test for each promise.

mod bench;
mod common;
mod documents;
mod facts;
mod files;
mod generate;
mod input;
mod library;
mod shell;
