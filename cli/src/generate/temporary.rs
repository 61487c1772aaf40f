//! Recognises failures that may be temporary: the command might succeed later, or on another
//! machine.

use std::io;
use std::path::Path;

use sakmak::directory::ManifestError;
use sakmak::table::{TableError, TableErrorKind};

use crate::Failure;
use crate::failure::cannot;

/// The failure for a file that could not be read or written.
pub fn io_failure(doing: &str, path: &Path, error: &io::Error) -> Failure {
    temporary_if(is_temporary(error), cannot(doing, path, error))
}

/// The failure for an error in reading or writing a table.
pub fn table_failure(error: TableError) -> Failure {
    let temporary = match error.kind() {
        TableErrorKind::NoMemory { .. } => true,
        TableErrorKind::Io { source, .. } => is_temporary(source),
        _ => false,
    };
    temporary_if(temporary, error.into())
}

/// The failure for an error in reading or writing a table's record.
pub fn record_failure(error: ManifestError) -> Failure {
    let temporary = match &error {
        ManifestError::Read { source, .. } | ManifestError::Write { source, .. } => {
            is_temporary(source)
        }
        _ => false,
    };
    temporary_if(temporary, error.into())
}

fn temporary_if(temporary: bool, failure: Failure) -> Failure {
    match temporary {
        true => failure.temporary(),
        false => failure,
    }
}

/// True if the error is caused by the state of the disk, the network or the memory. `InvalidData`
/// is temporary too: it comes from a corrupt work file, which has been removed.
fn is_temporary(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, FileTooLarge, InvalidData, NetworkDown,
        NetworkUnreachable, OutOfMemory, QuotaExceeded, ResourceBusy, StaleNetworkFileHandle,
        StorageFull, TimedOut,
    };
    /// The error number `EIO` of a failed read or write. It is the same on every Unix.
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
    fn a_full_disk_is_temporary_and_a_forbidden_one_is_not() {
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
