//! Which files are open, of tables of all kinds, and how many may be.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use super::options::Options;
use crate::table::Access;

/// A file that can be closed.
pub(super) trait Closable: Debug + Send + Sync {
    /// Closes it. Whoever reads it at this moment still holds it.
    fn close(&self);
}

/// The files of all tables.
#[derive(Debug)]
pub(super) struct OpenFiles {
    /// How they are read.
    pub access: Access,
    /// The most open at once.
    most: usize,
    /// How many there are.
    all: usize,
    /// The open ones, the most recently used last. Not kept if any number may be open.
    order: Mutex<VecDeque<Arc<dyn Closable>>>,
}

impl OpenFiles {
    /// No files.
    pub fn new(options: &Options) -> OpenFiles {
        OpenFiles {
            access: options.access,
            most: options.most_open.map_or(usize::MAX, |most| most.max(1)),
            all: 0,
            order: Mutex::default(),
        }
    }

    /// Notes that there is another file.
    pub fn add(&mut self) {
        self.all += 1;
    }

    /// Notes that a file, which is open, is used. Closes the least recently used one if there are too
    /// many.
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
