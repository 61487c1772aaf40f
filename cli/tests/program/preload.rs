//! Libraries for LD_PRELOAD that take something from the program, as a machine without it would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// A library that is compiled once.
pub struct Library {
    text: &'static str,
    built: OnceLock<(TempDir, PathBuf)>,
}

impl Library {
    /// The library with this text in C.
    pub const fn new(text: &'static str) -> Library {
        Library {
            text,
            built: OnceLock::new(),
        }
    }

    /// The path of the compiled library.
    pub fn path(&self) -> &Path {
        let (_, path) = self.built.get_or_init(|| {
            // The directory for temporary files may have blanks in its path, which end a path in
            // LD_PRELOAD.
            let directory = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            let source = directory.path().join("library.c");
            let path = directory.path().join("library.so");
            fs::write(&source, self.text).unwrap();
            let built = Command::new("cc")
                .args(["-shared", "-fPIC", "-o"])
                .args([&path, &source])
                .arg("-ldl")
                .status();
            assert!(built.unwrap().success());
            (directory, path)
        });
        path
    }
}

/// Lets a program start this number of threads and no more, as a limit of processes would. Such a
/// limit does not hold for root.
pub fn allow_threads(command: &mut Command, threads: usize) -> &mut Command {
    static LIBRARY: Library = Library::new(
        r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int started;
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *with) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
  if (atomic_fetch_add(&started, 1) >= atoi(getenv("ALLOWED_THREADS"))) return EAGAIN;
  return create(thread, how, work, with);
}
"#,
    );
    command
        .env("LD_PRELOAD", LIBRARY.path())
        .env("ALLOWED_THREADS", threads.to_string())
}
