//! Sizes of memory: as users write them, and how much is free.

use bytesize::ByteSize;

/// Reads a number of bytes: `12GiB`, `512 MiB`, `8GB`, `1000000`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    match text.parse::<ByteSize>() {
        Ok(size) => Ok(size.as_u64()),
        Err(_) => Err(format!(
            "{text:?} is not a size: write a number and a unit, for instance 12GiB"
        )),
    }
}

/// The memory that may be used where none is named: three quarters of what is free. None where
/// that cannot be known.
pub fn default_limit() -> Option<u64> {
    let free = [free_of_machine(), free_of_group()]
        .into_iter()
        .flatten()
        .min()?;
    Some(free / 4 * 3)
}

/// What the system could give without swapping.
fn free_of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    available(&text)
}

/// What the control group of this process, if it has one with a limit, still has: in a container
/// the machine has more.
fn free_of_group() -> Option<u64> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    Some(read("memory.max")?.saturating_sub(read("memory.current")?))
}

/// The bytes available, of the text of `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_with_or_without_a_unit() {
        assert_eq!(parse_size("12GiB"), Ok(12 << 30));
        assert_eq!(parse_size("1.5 MiB"), Ok(3 << 19));
        assert_eq!(parse_size("8GB"), Ok(8_000_000_000));
        assert_eq!(parse_size("1000"), Ok(1000));
        for wrong in ["", "GiB", "12 apples", "-1GiB", "1.2.3", "é"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_available_is_read_from_the_systems_own_words() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   1000 kB\n";
        assert_eq!(available(text), Some(1_024_000));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
    }
}
