//! The explorer and its API over HTTP.
//!
//! [`Server::new`] takes a tablebase, and [`Listener::serve`] answers requests on a socket until
//! the server is stopped. The crate computes the answers; this module adds
//! addresses, HTTP tags, limits and errors.
//!
//! The cost of requests is bounded. There are limits on the length of the address and of the body,
//! on the time for receiving a request and for sending its answer, and on the number of long
//! answers computed at a time. A corrupt or missing file affects only the positions that need it.

mod answers;
mod batch;
mod bundle;
mod card;
mod catalogue;
mod edition;
mod ending_pages;
mod endings;
mod games;
mod gate;
mod known;
mod log;
mod metrics;
mod modules;
mod page;
mod picture;
mod preview;
mod range;
mod received;
mod reply;
mod routes;
mod run;
mod server;
mod service;
mod site;
mod tables;
mod timed;
mod wasm;
mod words;

pub use log::Log;
pub use page::files as page_files;
pub use run::{Listener, Patience};
pub use server::{Limits, Server};
pub use site::{SiteError, write_site};
pub use wasm::is_reader;
