//! The explorer and its API over HTTP.
//!
//! [`Server::new`] takes a tablebase, [`router`] answers requests, and [`run`] does so on a
//! socket until it is stopped. Answers come from [`explorer`](crate::explorer); here they get
//! addresses, tags, limits and errors.
//!
//! What a request may cost is bounded: the length of its address and body, the time its head and
//! body take to arrive and its answer to be taken, and how many long answers are worked out at
//! once. A file that is damaged or gone concerns the positions that need it.

mod answers;
mod batch;
mod bundle;
mod card;
mod edition;
mod endings;
mod games;
mod gate;
mod known;
mod log;
mod metrics;
mod page;
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

pub use log::Log;
pub use page::files as page_files;
pub use routes::router;
pub use run::{Patience, run, runtime};
pub use server::{Options, Server};
pub use site::{SiteError, write_site};
pub use wasm::is_reader;
