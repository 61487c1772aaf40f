//! Ends the program with an error message when an allocation fails. The exit code is 3 unless the
//! command sets another one.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit code after a failed allocation.
static EXIT_CODE: AtomicU8 = AtomicU8::new(3);

/// Sets the exit code for failed allocations.
pub fn exit_with(code: u8) {
    EXIT_CODE.store(code, Ordering::Relaxed);
}

/// The system's allocator, except that a failed allocation prints a message and ends the program
/// with an exit code, instead of a crash.
pub struct OrExit;

// SAFETY: every call goes to the system's allocator with the caller's arguments. A result that is
// not null is returned unchanged; after a null the program ends.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are those that the system's allocator requires.
        or_exit(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are those that the system's allocator requires.
        or_exit(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantees are those that the system's allocator requires.
        or_exit(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: the caller's guarantees are those that the system's allocator requires.
        unsafe { System.dealloc(old, layout) }
    }
}

fn or_exit(allocated: *mut u8, size: usize) -> *mut u8 {
    if allocated.is_null() {
        exit(size);
    }
    allocated
}

/// Reports that an allocation of `size` bytes failed, and ends the program. Does not allocate
/// memory itself.
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
