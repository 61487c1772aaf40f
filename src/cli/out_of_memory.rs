//! Reports failed allocations as errors: the message is one sentence, and the exit code is 3 unless
//! the command sets another.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit code when out of memory.
static EXIT_CODE: AtomicU8 = AtomicU8::new(3);

/// Sets the exit code when out of memory.
pub fn exit_with(code: u8) {
    EXIT_CODE.store(code, Ordering::Relaxed);
}

/// The system's allocator, except that a failed allocation ends the program with a message and does
/// not abort.
pub struct OrExit;

// SAFETY: every call goes to the system's allocator with the caller's arguments, and its result is
// returned unless it is null; then the program ends.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        or_exit(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        or_exit(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        or_exit(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(old, layout) }
    }
}

fn or_exit(allocated: *mut u8, size: usize) -> *mut u8 {
    if allocated.is_null() {
        exit(size);
    }
    allocated
}

/// Ends the program without allocating.
#[cold]
fn exit(size: usize) -> ! {
    let mut sentence = [0; 200];
    let mut rest = &mut sentence[..];
    let _ = writeln!(
        rest,
        "sakmak: out of memory: {size} more bytes cannot be allocated\nhelp: allow less with --memory or raise the limit of this process (ulimit -v)"
    );
    let unused = rest.len();
    let _ = std::io::stderr().write_all(&sentence[..sentence.len() - unused]);
    std::process::exit(EXIT_CODE.load(Ordering::Relaxed).into())
}
