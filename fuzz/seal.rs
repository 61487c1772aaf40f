//! Makes the checksums of a changed header valid.

/// Makes the checksums of preamble and header valid, as `docs/develop/format.md` describes them, so
/// that the code behind the checksums gets arbitrary input too. Leaves short files unchanged.
pub fn reseal(bytes: &mut [u8]) {
    let number = |bytes: &[u8], at: usize, length: usize| {
        let part = bytes.get(at..at + length).unwrap_or_default();
        let value = part.iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        usize::try_from(value).unwrap_or(usize::MAX)
    };
    let seal = |bytes: &mut [u8], at: usize, crc: u32| {
        if let Some(place) = bytes.get_mut(at..at + 4) {
            place.copy_from_slice(&crc.to_le_bytes());
        }
    };
    if bytes.len() < 64 {
        return;
    }
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let (start, length) = (number(bytes, 24, 8), number(bytes, 32, 4));
    let header = start
        .checked_add(length)
        .and_then(|end| bytes.get(start..end));
    if let Some(crc) = header.map(crc32c::crc32c) {
        seal(bytes, 36, crc);
    }
    let crc = crc32c::crc32c(&bytes[..12]);
    seal(bytes, 12, crc);
    let crc = crc32c::crc32c(&bytes[..60]);
    seal(bytes, 60, crc);
}
