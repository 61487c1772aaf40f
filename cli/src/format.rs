//! Formats numbers, texts and tables for the terminal.

use bytesize::ByteSize;

pub use sakmak_study::text::{Columns, counted, number, percent, wrap};

/// Formats a number of bytes in a suitable unit, for example `1.9 MiB`.
pub fn bytes(n: u64) -> String {
    ByteSize(n).display().iec().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_a_unit_that_suits_them() {
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(2_032_716), "1.9 MiB");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
    }
}
