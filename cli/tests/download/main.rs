//! `sakmak download` from a host in this process that is slow, breaks off, or lies.

#[path = "../program/command.rs"]
mod command;
#[path = "../program/directory.rs"]
mod directory;
#[cfg(target_os = "linux")]
#[path = "../program/preload.rs"]
mod preload;
#[path = "../program/running.rs"]
mod running;

mod excess;
mod host;
mod hosts;
mod lies;
mod places;
mod resume;
mod sets;
mod side_by_side;
mod signed;
mod tables;
