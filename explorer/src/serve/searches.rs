//! Searches and other work that may take seconds. It has threads of its own, so that no short
//! answer waits for it, a time limit that begins when the request arrives, and a short queue.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, Response};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout_at};

use super::limits::Limits;
use super::pool::{GoOn, Pool};
use super::rate_limit::client;
use super::reply;
use crate::Refusal;

/// The searches of a server, running and waiting.
#[derive(Debug)]
pub(super) struct Searches {
    shared: Arc<Shared>,
    /// A permit for each search that may run or wait.
    places: Arc<Semaphore>,
    /// A permit for each search that may run.
    running: Arc<Semaphore>,
    limits: Limits,
}

#[derive(Debug)]
struct Shared {
    /// The pools that no search uses. Each search has one to itself: in a common pool, a thread that
    /// waits for a part of its search might begin another search first.
    free: Mutex<Vec<Arc<Pool>>>,
    /// The number of searches of each client, running or waiting.
    clients: Mutex<HashMap<IpAddr, usize>>,
}

impl Searches {
    /// Starts the threads of the searches: on n processors, √n searches run at a time, each on √n
    /// threads.
    pub fn new(limits: &Limits, processors: usize) -> io::Result<Searches> {
        let at_once = (1..=processors).find(|n| n * n >= processors).unwrap_or(1);
        let at_once = at_once.min(limits.most_searches);
        let threads = processors.div_ceil(at_once);
        let pools = (0..at_once).map(|_| Pool::new("search", threads).map(Arc::new));
        Ok(Searches {
            shared: Arc::new(Shared {
                free: Mutex::new(pools.collect::<io::Result<_>>()?),
                clients: Mutex::default(),
            }),
            places: Arc::new(Semaphore::new(limits.most_searches)),
            running: Arc::new(Semaphore::new(at_once)),
            limits: limits.clone(),
        })
    }

    /// The number of searches that run or wait.
    pub fn number(&self) -> usize {
        self.limits.most_searches - self.places.available_permits()
    }

    /// Runs a search. It receives a function that returns false when it must end, because its time
    /// is over or the client has left. Returns a refusal if too many searches run or wait already,
    /// or if this one still waits when its time is over. None if the search panics.
    pub async fn run<T: Send + 'static>(
        &self,
        address: Option<IpAddr>,
        search: impl FnOnce(GoOn<'_>) -> T + Send + 'static,
    ) -> Result<Option<T>, Response<Body>> {
        let deadline = Instant::now() + self.limits.search_time;
        let place = self.place(address).map_err(|words| self.busy(words))?;
        let running = timeout_at(deadline, self.running.clone().acquire_owned()).await;
        let Ok(Ok(permit)) = running else {
            return Err(self.busy("searches wait too long on this server: try again later"));
        };
        let in_use = self.shared.take_pool(permit);
        let pool = in_use.pool.clone();
        let searching = move |is_awaited: GoOn<'_>| {
            let _held = (place, in_use);
            search(&|| Instant::now() < deadline && is_awaited())
        };
        Ok(match pool {
            Some(pool) => pool.run(searching).await,
            None => None,
        })
    }

    /// Takes a place for a search that runs or waits. The error says why there is none.
    fn place(&self, address: Option<IpAddr>) -> Result<Place, &'static str> {
        let Ok(permit) = self.places.clone().try_acquire_owned() else {
            return Err("too many searches run on this server: try again later");
        };
        let client = address.map(client);
        if let Some(client) = client {
            let mut clients = self.shared.clients();
            let number = clients.entry(client).or_default();
            if *number >= self.limits.most_searches_per_client {
                return Err(
                    "too many searches from this address run already: wait for their answers",
                );
            }
            *number += 1;
        }
        Ok(Place {
            shared: self.shared.clone(),
            client,
            _permit: permit,
        })
    }

    fn busy(&self, message: &str) -> Response<Body> {
        let mut response = reply::refusal(&Refusal::busy(message));
        let seconds = self.limits.search_time.as_secs().max(1);
        response
            .headers_mut()
            .insert(RETRY_AFTER, HeaderValue::from(seconds));
        response
    }
}

impl Shared {
    /// Takes a free pool. There is one for each permit.
    fn take_pool(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> InUse {
        InUse {
            pool: self.free().pop(),
            shared: self.clone(),
            _permit: permit,
        }
    }

    fn free(&self) -> MutexGuard<'_, Vec<Arc<Pool>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pool that a search uses. It is free again, and then the permit, when this is dropped.
struct InUse {
    pool: Option<Arc<Pool>>,
    shared: Arc<Shared>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.shared.free().extend(self.pool.take());
    }
}

/// The place of a search that runs or waits. It is free again when this is dropped.
struct Place {
    shared: Arc<Shared>,
    client: Option<IpAddr>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(client) = self.client else { return };
        let mut clients = self.shared.clients();
        if let Some(number) = clients.get_mut(&client) {
            *number -= 1;
            if *number == 0 {
                clients.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const ONE: [u8; 4] = [192, 0, 2, 1];
    const OTHER: [u8; 4] = [192, 0, 2, 2];

    fn searches(most_searches: usize, search_time: Duration) -> Arc<Searches> {
        let limits = Limits {
            most_searches,
            most_searches_per_client: 2,
            search_time,
            ..Limits::default()
        };
        Arc::new(Searches::new(&limits, 1).unwrap())
    }

    /// A search that runs until something is sent, and what to send it with.
    fn held(
        searches: &Arc<Searches>,
        address: [u8; 4],
    ) -> (
        mpsc::Sender<()>,
        impl Future<Output = Result<Option<()>, Response<Body>>> + use<>,
    ) {
        let (sender, receiver) = mpsc::channel();
        let searches = searches.clone();
        let search = async move {
            let wait = move |_: GoOn<'_>| receiver.recv().unwrap_or_default();
            searches.run(Some(address.into()), wait).await
        };
        (sender, search)
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build();
        runtime.unwrap().block_on(future)
    }

    #[track_caller]
    fn is_busy<T: std::fmt::Debug>(found: Result<T, Response<Body>>, seconds: &str) {
        let response = found.unwrap_err();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[RETRY_AFTER], seconds);
    }

    #[test]
    fn queue_is_short_and_no_client_fills_it() {
        block_on(async {
            let searches = searches(3, Duration::from_secs(60));
            let ask = |address: [u8; 4]| searches.run(Some(address.into()), |_| ());
            let (first, running) = held(&searches, ONE);
            let running = tokio::spawn(running);
            let (second, waiting) = held(&searches, ONE);
            let waiting = tokio::spawn(waiting);
            while searches.number() < 2 {
                tokio::task::yield_now().await;
            }
            is_busy(ask(ONE).await, "60");
            let (third, last) = held(&searches, OTHER);
            let last = tokio::spawn(last);
            while searches.number() < 3 {
                tokio::task::yield_now().await;
            }
            is_busy(ask(OTHER).await, "60");
            drop((first, second, third));
            for search in [running, waiting, last] {
                assert_eq!(search.await.unwrap().unwrap(), Some(()));
            }
            assert_eq!(searches.number(), 0);
            assert_eq!(ask(ONE).await.unwrap(), Some(()));
        });
    }

    #[test]
    fn time_counts_from_the_arrival() {
        block_on(async {
            let searches = searches(3, Duration::from_millis(50));
            let (release, running) = held(&searches, ONE);
            let running = tokio::spawn(running);
            while searches.number() < 1 {
                tokio::task::yield_now().await;
            }
            // This search waits for the one that runs, longer than it may.
            is_busy(searches.run(None, |_| ()).await, "1");
            drop(release);
            assert_eq!(running.await.unwrap().unwrap(), Some(()));
            let until_told = |go_on: GoOn<'_>| while go_on() {};
            assert_eq!(searches.run(None, until_told).await.unwrap(), Some(()));
        });
    }

    #[test]
    fn search_ends_with_its_client() {
        block_on(async {
            let searches = searches(1, Duration::from_secs(60));
            let (begins, begun) = tokio::sync::oneshot::channel();
            let search = searches.run(None, |go_on| {
                let _ = begins.send(());
                while go_on() {}
            });
            tokio::select! {
                _ = search => unreachable!("it runs until its client leaves"),
                _ = begun => {}
            }
            while searches.number() > 0 {
                tokio::task::yield_now().await;
            }
            assert_eq!(
                searches.run(None, |_| panic!("on purpose")).await.unwrap(),
                None::<()>
            );
            assert_eq!(searches.run(None, |_| ()).await.unwrap(), Some(()));
        });
    }
}
