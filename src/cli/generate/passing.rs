//! Recognises failures that may be temporary: the command might succeed later, or on another
//! machine.

use std::io;
use std::path::Path;

use sakmak::directory::ManifestError;
use sakmak::table::{TableError, TableErrorKind};

use crate::cli::Failure;
use crate::cli::failure::cannot;

/// The failure for a file that could not be read or written.
pub fn io_failure(doing: &str, path: &Path, error: &io::Error) -> Failure {
    passing_if(is_passing(error), cannot(doing, path, error))
}

/// The failure for an error in reading or writing a table.
pub fn table_failure(error: TableError) -> Failure {
    let passing = match error.kind() {
        TableErrorKind::NoMemory { .. } => true,
        TableErrorKind::Io { source, .. } => is_passing(source),
        _ => false,
    };
    passing_if(passing, error.into())
}

/// The failure for an error in reading or writing a table's record.
pub fn record_failure(error: ManifestError) -> Failure {
    let passing = match &error {
        ManifestError::Read { source, .. } | ManifestError::Write { source, .. } => {
            is_passing(source)
        }
        _ => false,
    };
    passing_if(passing, error.into())
}

fn passing_if(passing: bool, failure: Failure) -> Failure {
    match passing {
        true => failure.passing(),
        false => failure,
    }
}

/// True if the error comes from the disk, the network or a lack of memory, and not from the
/// request. Invalid data belong to a corrupt work file, which has been removed.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, FileTooLarge, InvalidData, NetworkDown,
        NetworkUnreachable, OutOfMemory, QuotaExceeded, ResourceBusy, StaleNetworkFileHandle,
        StorageFull, TimedOut,
    };
    /// The error number of a failed input or output, which is the same on every Unix.
    const EIO: i32 = 5;
    matches!(
        error.kind(),
        ConnectionAborted
            | ConnectionReset
            | FileTooLarge
            | InvalidData
            | NetworkDown
            | NetworkUnreachable
            | OutOfMemory
            | QuotaExceeded
            | ResourceBusy
            | StaleNetworkFileHandle
            | StorageFull
            | TimedOut
    ) || cfg!(unix) && error.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_full_disk_may_pass_but_not_a_forbidden_one() {
        let code = |number| {
            let error = io::Error::from_raw_os_error(number);
            io_failure("written", Path::new("tables"), &error).code()
        };
        for number in [
            libc::ENOSPC,
            libc::EDQUOT,
            libc::EFBIG,
            libc::EIO,
            libc::ESTALE,
        ] {
            assert_eq!(code(number), 75, "{}", io::Error::from_raw_os_error(number));
        }
        for number in [libc::EACCES, libc::EROFS, libc::ENOTDIR] {
            assert_eq!(code(number), 3, "{}", io::Error::from_raw_os_error(number));
        }
    }
}
