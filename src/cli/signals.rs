//! Signals that end a run, and those that must not.

/// Calls this with the exit code when the program is asked to end. Signals that are ignored when
/// it starts stay ignored: `nohup` and shells that start jobs in the background want it so.
///
/// Where no handler can be set, a signal ends the program at once.
#[cfg(unix)]
pub fn on_interrupt(end: impl FnOnce(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let heeded = wanted.into_iter().filter(|&signal| !is_ignored(signal));
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(heeded) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // As the shell has it for a program that a signal ends.
                end(128 + signal);
            }
        });
    }
}

#[cfg(not(unix))]
pub fn on_interrupt(end: impl FnOnce(i32) + Send + 'static) {
    let end = std::sync::Mutex::new(Some(end));
    let _ = ctrlc::set_handler(move || {
        if let Some(end) = end.lock().ok().and_then(|mut end| end.take()) {
            end(130);
        }
    });
}

/// Makes writing beyond a limit of file sizes an error, as on a full disk, rather than the end of
/// the program.
pub fn ignore_file_limit() {
    #[cfg(unix)]
    if !is_ignored(libc::SIGXFSZ) {
        let noticed = std::sync::Arc::default();
        // Without a handler the program ends there, and the next run removes what it left.
        let _ = signal_hook::flag::register(libc::SIGXFSZ, noticed);
    }
}

/// Whether a signal is ignored, as it is from the start under `nohup`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action nothing is changed, and the present one is written to memory
    // that is large enough for it.
    let read = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: the call has written it if it says so.
    read == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}
