//! The limits of a server, and the number of its threads.

use std::time::Duration;

/// The limits of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum number of long answers that are computed at a time. Further requests for long
    /// answers are refused with status 503.
    pub most_at_once: usize,
    /// The maximum number of open connections. Further connections wait until they are accepted.
    pub most_connections: usize,
    /// The time limit for receiving the body of a request.
    pub body_time: Duration,
    /// The maximum number of searches that run or wait. Further searches are refused with status
    /// 503. Annotations and random positions count as searches.
    pub most_searches: usize,
    /// The maximum number of searches of one client address that run or wait.
    pub most_searches_per_client: usize,
    /// The time limit of a search, from the arrival of the request.
    pub search_time: Duration,
    /// The maximum number of requests per second from one address. None means no limit.
    pub rate: Option<u32>,
}

impl Default for Limits {
    fn default() -> Limits {
        let processors = processors();
        Limits {
            most_at_once: 256,
            most_connections: 4096,
            body_time: Duration::from_secs(10),
            most_searches: 4 * processors,
            most_searches_per_client: 2 * processors,
            search_time: Duration::from_secs(5),
            rate: None,
        }
    }
}

/// The number of processors that this process may use.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}
