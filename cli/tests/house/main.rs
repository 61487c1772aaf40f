//! The repository's statements about itself are true: its pages, its examples, its layers.

#[path = "../program/command.rs"]
mod command;

mod atlas;
mod counting;
mod documents;
mod examples;
mod fields;
mod layers;
mod pages;
mod rule_sets;
mod sentences;
mod versions;
