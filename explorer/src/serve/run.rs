//! Accepts connections, and shuts down without losing a request.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::{TowerToHyperService, TowerToHyperServiceFuture};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, sleep, timeout_at};

use super::limits::processors;
use super::rate_limit::ClientAddress;
use super::routes::router;
use super::server::Server;
use super::write_timeout::WithWriteTimeout;

/// The time limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The time limit for receiving the head of a request, and for the wait between two requests on
    /// a connection.
    pub head: Duration,
    /// The time within which a client must accept more bytes of a response.
    pub taking: Duration,
    /// The time after the stop signal for which new connections are still accepted, so that a load
    /// balancer can notice the shutdown.
    pub leaving: Duration,
    /// The time after the stop signal within which running requests may finish.
    pub stopping: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            head: Duration::from_secs(10),
            taking: Duration::from_secs(30),
            leaving: Duration::from_millis(500),
            stopping: Duration::from_secs(10),
        }
    }
}

/// A listening socket.
#[derive(Debug)]
pub struct Listener {
    /// The runtime of the thread that accepts connections.
    runtime: Runtime,
    socket: TcpListener,
}

impl Listener {
    /// Listens on an address. Port 0 stands for any free port.
    ///
    /// # Errors
    ///
    /// If the address is in use or does not belong to this machine.
    pub fn bind(address: SocketAddr) -> io::Result<Listener> {
        let runtime = runtime()?;
        let socket = runtime.block_on(TcpListener::bind(address))?;
        Ok(Listener { runtime, socket })
    }

    /// The address that the socket listens on, with the actual port.
    ///
    /// # Errors
    ///
    /// If the system does not return the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// Answers requests until `stop` completes. Then `/readyz` returns 503, and for a short time
    /// new connections are still accepted, for one request each. The server stops when all requests
    /// that have begun are finished, or after [`Patience::stopping`].
    ///
    /// # Errors
    ///
    /// If the threads that answer requests cannot be started; otherwise the error of `stop`.
    pub fn serve(
        self,
        server: Server,
        patience: Patience,
        stop: impl Future<Output = io::Result<()>>,
    ) -> io::Result<()> {
        // More than the processors, so that a thread waiting for a disk delays no other.
        let workers = Workers::start(2 * processors())?;
        self.runtime
            .block_on(run(server, self.socket, workers, patience, stop))
    }
}

/// Makes the runtime of one thread.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
}

/// The threads that answer requests. Each has its own runtime, because a runtime of several threads
/// panics if the system refuses one of them. They end when this is dropped.
struct Workers {
    runtimes: Vec<Handle>,
    next: AtomicUsize,
    _ended: watch::Sender<()>,
}

impl Workers {
    fn start(number: usize) -> io::Result<Workers> {
        let ended = watch::channel(()).0;
        let mut runtimes = Vec::new();
        for _ in 0..number {
            let runtime = runtime()?;
            runtimes.push(runtime.handle().clone());
            let mut ended = ended.subscribe();
            let thread = std::thread::Builder::new().name("serve".to_string());
            // Nothing is ever sent: the wait fails when the sender is dropped.
            thread.spawn(move || runtime.block_on(ended.changed()))?;
        }
        Ok(Workers {
            runtimes,
            next: AtomicUsize::new(0),
            _ended: ended,
        })
    }

    /// Runs a task on one of the threads. The threads take turns.
    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        self.runtimes[next % self.runtimes.len()].spawn(task);
    }
}

/// Does the work of [`Listener::serve`].
async fn run(
    server: Server,
    listener: TcpListener,
    workers: Workers,
    patience: Patience,
    stop: impl Future<Output = io::Result<()>>,
) -> io::Result<()> {
    let most = server.inner.limits.most_connections;
    let listening = Listening {
        app: router(&server),
        connections: Arc::new(Semaphore::new(most)),
        closing: watch::channel(false).0,
        workers,
        server,
        patience,
    };
    let mut stop = pin!(stop);
    tokio::select! {
        biased;
        stopped = &mut stop => stopped?,
        () = listening.accept_all(&listener) => {}
    }
    listening.server.drain();
    let end = Instant::now() + patience.stopping;
    let leaving = Instant::now() + patience.leaving.min(patience.stopping);
    let _ = timeout_at(leaving, listening.accept_all(&listener)).await;
    listening.accept_the_rest(listener);
    let Listening {
        connections,
        closing,
        workers: _workers,
        ..
    } = listening;
    closing.send_replace(true);
    let all = u32::try_from(most).unwrap_or(u32::MAX);
    let _ = timeout_at(end, connections.acquire_many(all)).await;
    Ok(())
}

/// A connection, and the address of the client. The connection belongs to no runtime yet.
type Accepted = (std::net::TcpStream, SocketAddr);

struct Listening {
    server: Server,
    app: Router,
    workers: Workers,
    connections: Arc<Semaphore>,
    closing: watch::Sender<bool>,
    patience: Patience,
}

impl Listening {
    async fn accept_all(&self, listener: &TcpListener) {
        loop {
            if let Some((accepted, permit)) = self.accept(listener).await {
                self.spawn(accepted, permit);
            }
        }
    }

    /// Accepts the next connection. None after an error, which concerns only this connection or is
    /// temporary.
    async fn accept(&self, listener: &TcpListener) -> Option<(Accepted, OwnedSemaphorePermit)> {
        let permit = self.connections.clone().acquire_owned().await.ok()?;
        let accepted = listener.accept().await;
        match accepted.and_then(|(stream, peer)| Ok((stream.into_std()?, peer))) {
            Ok(accepted) => Some((accepted, permit)),
            Err(error) => {
                self.server
                    .inner
                    .log
                    .line(&format!("cannot accept a connection: {error}"));
                // The process may have no file descriptor left. Some will be closed soon.
                sleep(Duration::from_millis(50)).await;
                None
            }
        }
    }

    /// Accepts only the connections that the system has already set up. This asks the socket
    /// directly, since the runtime may not have noticed all of them.
    fn accept_the_rest(&self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else {
            return;
        };
        while let Ok((stream, peer)) = listener.accept() {
            let Ok(permit) = self.connections.clone().try_acquire_owned() else {
                return;
            };
            if stream.set_nonblocking(true).is_ok() {
                self.spawn((stream, peer), permit);
            }
        }
    }

    fn spawn(&self, (stream, peer): Accepted, permit: OwnedSemaphorePermit) {
        let (has_request, first_request) = watch::channel(false);
        let app = WithPeer {
            app: TowerToHyperService::new(self.app.clone()),
            peer,
            has_request,
        };
        let closing = self.closing.subscribe();
        let (server, patience) = (self.server.clone(), self.patience);
        self.workers.spawn(async move {
            let _permit = permit;
            let Ok(stream) = TcpStream::from_std(stream) else {
                return;
            };
            let open = &server.inner.metrics.connections;
            open.fetch_add(1, Ordering::Relaxed);
            converse(stream, app, patience, first_request, closing).await;
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Answers the requests of one connection. An error on the connection affects only its client.
async fn converse(
    stream: TcpStream,
    app: WithPeer,
    patience: Patience,
    mut first_request: watch::Receiver<bool>,
    mut closing: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .max_buf_size(32 << 10)
        .serve_connection(
            TokioIo::new(WithWriteTimeout::new(stream, patience.taking)),
            app,
        );
    let mut connection = pin!(connection);
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|&closing| closing) => {}
    }
    // A connection accepted just now will send a request, and must not be closed before that.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = first_request.wait_for(|&arrived| arrived) => {}
        () = sleep(patience.leaving) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// The routes of one connection. They add the client's address to each request.
struct WithPeer {
    app: TowerToHyperService<Router>,
    peer: SocketAddr,
    /// Set to true when the connection receives its first request.
    has_request: watch::Sender<bool>,
}

impl Service<Request<Incoming>> for WithPeer {
    type Response = axum::response::Response;
    type Error = std::convert::Infallible;
    type Future = TowerToHyperServiceFuture<Router, Request<Incoming>>;

    fn call(&self, mut request: Request<Incoming>) -> Self::Future {
        self.has_request.send_replace(true);
        request.extensions_mut().insert(ClientAddress(self.peer));
        self.app.call(request)
    }
}
