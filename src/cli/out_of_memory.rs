//! Running out of memory is an error like others: a sentence, and exit code 3
//! unless the command has another.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit code of a program without memory.
static EXIT_CODE: AtomicU8 = AtomicU8::new(3);

/// Ends the program with this exit code where there is not the memory.
pub fn exit_with(code: u8) {
    EXIT_CODE.store(code, Ordering::Relaxed);
}

/// The system's allocator, but that it ends the program with a sentence where Rust would abort.
pub struct OrExit;

// SAFETY: everything is the system's allocator's own, with the arguments that came; what it returns
// is returned, unless it is null, and then nothing is.
unsafe impl GlobalAlloc for OrExit {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for this function.
        or_exit(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for this function.
        or_exit(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for this function.
        or_exit(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as for this function.
        unsafe { System.dealloc(old, layout) }
    }
}

fn or_exit(allocated: *mut u8, size: usize) -> *mut u8 {
    if allocated.is_null() {
        exit(size);
    }
    allocated
}

/// Ends the program. Nothing here allocates.
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
