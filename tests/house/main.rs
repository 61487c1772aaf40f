//! What the repository says of itself is so: its documents, its examples, its layers.

#[path = "../program/command.rs"]
mod command;

mod atlas;
mod counting;
mod documents;
mod examples;
mod layers;
mod pages;
mod versions;
