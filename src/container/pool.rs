//! Expensive values, lent to whichever thread needs one.

use std::sync::{Mutex, PoisonError};

/// Lends out values, making a new one only when all are lent. There are never more than there
/// were threads at work at once.
pub(crate) struct Pool<T, F> {
    idle: Mutex<Vec<T>>,
    make: F,
}

impl<T, F: Fn() -> T> Pool<T, F> {
    pub(crate) fn new(make: F) -> Pool<T, F> {
        Pool {
            idle: Mutex::new(Vec::new()),
            make,
        }
    }

    /// Runs `work` with a value, which goes back afterwards (but not after a panic).
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is let go before a value is made, which may take a while.
        let taken = idle().pop();
        let mut value = taken.unwrap_or_else(&self.make);
        let result = work(&mut value);
        idle().push(value);
        result
    }
}
