//! Keeps track of the open files of all tables, and limits their number.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use super::options::Options;
use crate::table::Access;

/// An open file that can be closed to save a file descriptor.
pub(super) trait Closable: Debug + Send + Sync {
    /// Closes the file. Threads that are reading from it keep it open until they are done.
    fn close(&self);
}

/// The open files of all tables, with a limit on their number.
#[derive(Debug)]
pub(super) struct OpenFiles {
    /// The access method for files.
    pub access: Access,
    /// The largest number of files that may be open at once.
    most: usize,
    /// The number of all files, open or closed.
    all: usize,
    /// The open files, most recently used last. Empty if there is no limit.
    order: Mutex<VecDeque<Arc<dyn Closable>>>,
}

impl OpenFiles {
    /// An empty list of files.
    pub fn new(options: &Options) -> OpenFiles {
        OpenFiles {
            access: options.access,
            most: options.most_open.map_or(usize::MAX, |most| most.max(1)),
            all: 0,
            order: Mutex::default(),
        }
    }

    /// Raises the number of files, open or closed, by one.
    pub fn add(&mut self) {
        self.all += 1;
    }

    /// Marks an open file as used, and closes the least recently used one if too many are open.
    pub fn used<F: Closable + 'static>(&self, file: &Arc<F>) {
        if self.most >= self.all {
            return;
        }
        let is_it = |other: &Arc<dyn Closable>| {
            Arc::as_ptr(other).cast::<()>() == Arc::as_ptr(file).cast::<()>()
        };
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if order.back().is_some_and(is_it) {
            return;
        }
        order.retain(|other| !is_it(other));
        order.push_back(file.clone());
        while order.len() > self.most {
            if let Some(oldest) = order.pop_front() {
                oldest.close();
            }
        }
    }
}
