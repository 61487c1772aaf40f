//! A program that runs beside a test.

use std::io::Read;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a test waits on a busy machine before it fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The longest time that a program may run, so that a reader of its output never waits for ever.
const LIFE: Duration = Duration::from_secs(60);

/// The interval between two looks at an awaited condition.
pub const STEP: Duration = Duration::from_millis(2);

/// A running program. It is killed when this is dropped, and when it has run too long.
pub struct Running {
    child: Arc<Mutex<Child>>,
    /// A thread limits the running time until this is dropped.
    _watched: Sender<()>,
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
}

impl Running {
    /// Starts a command.
    pub fn start(command: &mut Command) -> Running {
        let mut child = command.spawn().unwrap();
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (watched, over) = channel();
        let watched_child = Arc::clone(&child);
        thread::spawn(move || {
            if over.recv_timeout(LIFE) == Err(RecvTimeoutError::Timeout) {
                let _ = watched_child.lock().unwrap().kill();
            }
        });
        Running {
            child,
            _watched: watched,
            stdin,
            stdout,
            stderr,
        }
    }

    pub fn id(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    /// The exit status, if it has ended.
    pub fn status(&self) -> Option<ExitStatus> {
        self.child.lock().unwrap().try_wait().unwrap()
    }

    /// Sends a signal, such as "INT".
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success(), "{name}");
    }

    /// Waits for its end.
    #[track_caller]
    pub fn end(&mut self) -> ExitStatus {
        self.stdin = None;
        let start = Instant::now();
        loop {
            if let Some(status) = self.status() {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            thread::sleep(STEP);
        }
    }

    /// Waits for its end, and reads its standard error.
    #[track_caller]
    pub fn end_with_errors(&mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        let mut stderr = self.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        (self.end(), said)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}
