//! The explorer and its API over HTTP.
//!
//! [`Server::new`] takes a tablebase, and [`Listener::serve`] answers requests on a socket until
//! the server is stopped. The crate computes the answers; this module adds
//! addresses, HTTP tags, limits and errors.
//!
//! The cost of requests is bounded. There are limits on the length of the address and of the body,
//! on the time for receiving a request and for sending its answer, on the number of long answers
//! computed at a time, and on the number of searches and their time. Searches, long answers and
//! files have threads of their own, so that none waits for the others. A corrupt or missing file
//! affects only the positions that need it.

mod answers;
mod batch;
mod bundle;
mod catalogue;
mod edition;
mod embedded_answers;
mod ending_pages;
mod endings;
mod games;
mod limits;
mod log;
mod metrics;
mod modules;
mod page;
mod picture;
mod pool;
mod preview;
mod preview_tags;
mod range;
mod rate_limit;
mod received;
mod reply;
mod routes;
mod run;
mod searches;
mod server;
mod service;
mod site;
mod tables;
mod wasm;
mod words;
mod write_timeout;

pub use limits::Limits;
pub use log::Log;
pub use page::files as page_files;
pub use run::{Listener, Patience};
pub use server::Server;
pub use site::{SiteError, write_site};
pub use wasm::is_reader;
