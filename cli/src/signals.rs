//! Handles signals: those that end the program, and the one for an exceeded file size limit.

use super::Failure;

/// Calls `end` with the exit code when a signal asks the program to end. A signal that the parent
/// process had set to be ignored stays ignored, as `nohup` and background jobs require.
///
/// If no handler can be set, the signal ends the program at once. Fails if the thread that waits for
/// a signal cannot be started, since a handled signal would then be ignored.
#[cfg(unix)]
pub fn on_interrupt(end: impl FnOnce(i32) + Send + 'static) -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let handled = wanted.into_iter().filter(|&signal| !is_ignored(signal));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(handled) {
        let waiting = move || {
            if let Some(signal) = signals.forever().next() {
                // This is the exit code that a shell reports for a program ended by a signal.
                end(128 + signal);
            }
        };
        let started = std::thread::Builder::new().spawn(waiting);
        started.map_err(Failure::threads)?;
    }
    Ok(())
}

#[cfg(not(unix))]
pub fn on_interrupt(end: impl FnOnce(i32) + Send + 'static) -> Result<(), Failure> {
    let end = std::sync::Mutex::new(Some(end));
    let _ = ctrlc::set_handler(move || {
        if let Some(end) = end.lock().ok().and_then(|mut end| end.take()) {
            end(130);
        }
    });
    Ok(())
}

/// Makes a write beyond the file size limit fail with an error, as on a full disk. By default, the
/// signal `SIGXFSZ` would end the program.
pub fn ignore_file_limit() {
    #[cfg(unix)]
    if !is_ignored(libc::SIGXFSZ) {
        let received = std::sync::Arc::default();
        // If no handler can be set, the signal ends the program, and the next run removes its
        // temporary files.
        let _ = signal_hook::flag::register(libc::SIGXFSZ, received);
    }
}

/// True if this process ignores a signal, for instance `SIGHUP` under `nohup`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: no new action is passed, so nothing changes. The current action is written to memory
    // that is large enough.
    let read = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call succeeded, so it has written the action.
    read == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}
