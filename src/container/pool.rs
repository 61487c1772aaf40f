//! A pool of expensive values, such as decoders. Each is lent to one thread at a time.

use std::sync::{Mutex, PoisonError};

/// Lends values to threads. A new value is made only if all existing values are lent out. So there
/// are never more values than threads that are inside [`Pool::with`] at once.
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

    /// All values that were made. None may be lent out.
    pub(crate) fn into_values(self) -> Vec<T> {
        self.idle
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `work` with a value of the pool. The value returns to the pool, unless `work` panics.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is released before a new value is made, because that may be slow.
        let taken = idle().pop();
        let mut value = taken.unwrap_or_else(&self.make);
        let result = work(&mut value);
        idle().push(value);
        result
    }
}
